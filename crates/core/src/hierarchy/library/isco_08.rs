//! ISCO-08: jobs by fewer and fewer digits of their code.
//!
//! Unit groups have four digits, minor groups three, sub-major groups two, major groups one. A code that is shorter already
//! meets the longer ones from its own step on. The 43 sub-major groups are known, so that `99` is refused.

use super::{Library, StepLabels};
use crate::card::{Card, Promise};

pub(super) const LIBRARY: Library = Library {
    card: Card {
        name: "isco-08",
        summary: "jobs: minor group, sub-major group, major group",
        about: "For codes of one to four digits of the International Standard Classification of Occupations: 2512 becomes 251, \
                25 and 2. The armed forces start with 0: where a spreadsheet ate it, 110, 210 and 310 are refused.",
        promises: &[Promise::InWords("each step joins labels of the one below")],
        parameters: &[],
        source: "International Labour Office, International Standard Classification of Occupations, ISCO-08, 2012",
    },
    example: "2512",
    steps: &["minor group", "sub-major group", "major group"],
    ladder: StepLabels::Codes { label, wanted: "a code of ISCO-08, such as 2512" },
};

/// For each major group the last digits of its sub-major groups.
const SUB_MAJOR: [&str; 10] = ["123", "1234", "123456", "12345", "1234", "1234", "123", "12345", "123", "123456"];

fn label(value: &str, step: usize) -> Option<String> {
    let code = value.trim();
    let is_known = match code.as_bytes() {
        [major] => major.is_ascii_digit(),
        [major, sub] => is_sub_major(*major, *sub),
        [major, sub, minor] => is_sub_major(*major, *sub) && matches!(minor, b'1'..=b'9'),
        [major, sub, minor, unit] => {
            is_sub_major(*major, *sub) && matches!(minor, b'1'..=b'9') && unit.is_ascii_digit()
        }
        _ => false,
    };
    let kept = 4_usize.checked_sub(step)?.min(code.len());
    if is_known { code.get(..kept).map(str::to_owned) } else { None }
}

fn is_sub_major(major: u8, sub: u8) -> bool {
    let known = major.checked_sub(b'0').and_then(|major| SUB_MAJOR.get(usize::from(major)));
    known.is_some_and(|known| known.bytes().any(|one| one == sub))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_nested, labels};
    use super::*;

    #[test]
    fn digits_say_the_general_first() {
        assert_eq!(labels(&LIBRARY, "2512"), ["251", "25", "2"]);
        assert_eq!(labels(&LIBRARY, "0110"), ["011", "01", "0"]);
        assert_eq!(labels(&LIBRARY, "25"), ["25", "25", "2"]);
        assert_eq!(labels(&LIBRARY, "9"), ["9", "9", "9"]);
        let codes: Vec<String> = (0..10_000).map(|code| format!("{code:04}")).collect();
        check_nested(&LIBRARY, &codes);
        let groups = (0..100).filter(|group| !labels(&LIBRARY, &format!("{group:02}")).is_empty()).count();
        assert_eq!(groups, 43);
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in ["", "25123", "99", "110", "2502", "00", "nurse", "25.1", "-1", "２５"] {
            assert!(labels(&LIBRARY, text).is_empty(), "{text}");
        }
    }
}
