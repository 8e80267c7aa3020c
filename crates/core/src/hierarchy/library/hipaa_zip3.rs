//! American ZIP codes by the Safe Harbor rule: the first three digits, or `000` where few people live.
//!
//! The seventeen areas with 20,000 people or fewer are those of the census of 2000, which the guidance of the Department of
//! Health and Human Services lists. A rule that follows a later census has other areas.

use super::{Library, StepLabels};
use crate::card::{Card, Promise};

pub(super) const LIBRARY: Library = Library {
    card: Card {
        name: "hipaa-zip3",
        summary: "ZIP codes: the first three digits, `000` for areas of 20,000 people or fewer",
        about: "Read are 02138, 02138-1234, 021381234 and 021. Seventeen areas of the census of 2000 become `000`: 036, 059, \
                063, 102, 203, 556, 692, 790, 821, 823, 830, 831, 878, 879, 884, 890 and 893. For the Safe Harbor rule keep \
                the whole code out of the release: levels = { min = 1 }. A code of four digits has lost its zero and is \
                refused.",
        promises: &[Promise::InWords("no label tells a small area")],
        parameters: &[],
        source: "45 CFR 164.514(b)(2)(i)(B); US Department of Health and Human Services, guidance on de-identification, 2012, \
                 with the census of 2000",
    },
    example: "02138",
    steps: &["three digits"],
    ladder: StepLabels::Codes { label, wanted: "a ZIP code of five digits, such as 02138" },
};

const SMALL: [&str; 17] = [
    "036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831", "878", "879", "884", "890",
    "893",
];

fn label(value: &str, _step: usize) -> Option<String> {
    let code = value.trim();
    let (zip, more) = code.split_once('-').unwrap_or((code, ""));
    let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    let is_code = matches!((zip.len(), more.len()), (3 | 5 | 9, 0) | (5, 4)) && code.ends_with(|end: char| end != '-');
    let area = zip.get(..3).filter(|_| is_code && digits(zip) && digits(more))?;
    Some(if SMALL.contains(&area) { "000" } else { area }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_nested, labels};
    use super::*;

    #[test]
    fn small_areas_are_one() {
        for (code, area) in [
            ("02138", "021"),
            ("02138-1234", "021"),
            ("021381234", "021"),
            ("021", "021"),
            ("03601", "000"),
            ("893", "000"),
            ("00000", "000"),
        ] {
            assert_eq!(labels(&LIBRARY, code), [area], "{code}");
        }
        let areas: Vec<String> = (0..1000).map(|area| format!("{area:03}")).collect();
        let hidden = areas.iter().filter(|area| labels(&LIBRARY, area) == ["000"]).count();
        assert_eq!(hidden, 18, "seventeen, and 000 itself");
        check_nested(&LIBRARY, &areas);
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in ["", "2138", "0213", "02138-", "02138-12", "0213a", "SW1A 1AA", "021-1234", "٠٢١٣٨", "12345678"]
        {
            assert!(labels(&LIBRARY, text).is_empty(), "{text}");
        }
    }
}
