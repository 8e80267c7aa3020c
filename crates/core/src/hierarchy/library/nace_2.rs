//! NACE Rev. 2: branches of the economy.
//!
//! A class has four digits (`62.01`), its group three, its division two; ranges of divisions are the sections A to U. Read
//! are `62.01`, `6201`, `J62.01`, shorter codes down to the letter, and what nations add behind the class: `62.01.0`,
//! `6201Z`.

use super::{Library, StepLabels};
use crate::card::{Card, Promise};

pub(super) const LIBRARY: Library = Library {
    card: Card {
        name: "nace-2",
        summary: "branches of the economy: class, group, division, section",
        about: "For codes of NACE Rev. 2 and of the national versions that add to it (WZ 2008, NAF rev. 2, ATECO 2007): 62.01 \
                becomes 62.0, 62 and J. Keep codes as text: where a spreadsheet ate a zero, 111 is read as 11.1, and 1.11 is \
                refused.",
        promises: &[Promise::InWords("each step joins labels of the one below")],
        parameters: &[],
        source: "Regulation (EC) No 1893/2006, annex I",
    },
    example: "62.01",
    steps: &["class", "group", "division", "section"],
    ladder: StepLabels::Codes { label, wanted: "a code of NACE Rev. 2, such as 62.01" },
};

/// Each section with its first and its last division.
const SECTIONS: [(char, u8, u8); 21] = [
    ('A', 1, 3),
    ('B', 5, 9),
    ('C', 10, 33),
    ('D', 35, 35),
    ('E', 36, 39),
    ('F', 41, 43),
    ('G', 45, 47),
    ('H', 49, 53),
    ('I', 55, 56),
    ('J', 58, 63),
    ('K', 64, 66),
    ('L', 68, 68),
    ('M', 69, 75),
    ('N', 77, 82),
    ('O', 84, 84),
    ('P', 85, 85),
    ('Q', 86, 88),
    ('R', 90, 93),
    ('S', 94, 96),
    ('T', 97, 98),
    ('U', 99, 99),
];

fn label(value: &str, step: usize) -> Option<String> {
    let code = value.trim().to_ascii_uppercase();
    let letter = code.chars().next().filter(char::is_ascii_uppercase);
    let digits = digits(code.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(&code))?;
    let section = match digits.get(..2) {
        None if code.len() > 1 => return None,
        None => SECTIONS.iter().find(|(section, ..)| Some(*section) == letter)?,
        Some(division) => {
            let division: u8 = division.parse().ok()?;
            SECTIONS.iter().find(|(_, first, last)| (*first..=*last).contains(&division))?
        }
    };
    if letter.is_some_and(|letter| letter != section.0) {
        return None;
    }
    let kept = digits.get(..digits.len().min(5 - step.min(4))).filter(|kept| kept.len() > 1);
    Some(match kept.map(|kept| kept.split_at(2)) {
        None => section.0.to_string(),
        Some((division, "")) => division.to_owned(),
        Some((division, rest)) => format!("{division}.{rest}"),
    })
}

/// The digits behind a letter that may stand in front: none, or two to six, with points after the division and the class.
fn digits(code: &str) -> Option<String> {
    let code = code.trim_start_matches([' ', '.']);
    let bare = code.strip_suffix(|last: char| last.is_ascii_uppercase()).filter(|bare| bare.len() >= 4).unwrap_or(code);
    let parts: Vec<&str> = bare.split('.').collect();
    let is_parted = match parts.as_slice() {
        [_] => true,
        [division, class] => division.len() == 2 && (1..=3).contains(&class.len()),
        [division, class, nation] => division.len() == 2 && class.len() == 2 && (1..=2).contains(&nation.len()),
        _ => false,
    };
    let digits = parts.concat();
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    (is_parted && is_number && matches!(digits.len(), 0 | 2..=6)).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_nested, labels};
    use super::*;

    #[test]
    fn classes_groups_divisions_sections() {
        for code in ["62.01", "6201", "J62.01", "j6201", "J 62.01", "62.01.0", "62010", "6201Z", "62.01Z", "62.01.00"] {
            assert_eq!(labels(&LIBRARY, code), ["62.01", "62.0", "62", "J"], "{code}");
        }
        assert_eq!(labels(&LIBRARY, "62.0"), ["62.0", "62.0", "62", "J"]);
        assert_eq!(labels(&LIBRARY, "62"), ["62", "62", "62", "J"]);
        assert_eq!(labels(&LIBRARY, "J"), ["J", "J", "J", "J"]);
        assert_eq!(labels(&LIBRARY, "01.11"), ["01.11", "01.1", "01", "A"]);
        let codes: Vec<String> = (0..10_000).map(|code| format!("{code:04}")).collect();
        check_nested(&LIBRARY, &codes);
        assert_eq!(SECTIONS.iter().map(|(_, first, last)| usize::from(last - first) + 1).sum::<usize>(), 88);
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in
            ["", "04", "1.11", "K62.01", "V", "6", "62.", "62.0.1", "1234567", "62,01", "software", "J.", "６２"]
        {
            assert!(labels(&LIBRARY, text).is_empty(), "{text}");
        }
    }
}
