//! Spellings that are one value.
//!
//! `I10`, `I10 ` and `i10` are one diagnosis, whatever the bytes say: a class that holds these three tells it. So the values
//! of a sensitive variable that differ only in blanks, Unicode form or case count as one for every privacy model. The
//! release keeps each spelling as it was collected.
//!
//! Limits: letters of different scripts that look alike stay apart, and so do abbreviations and typing errors.
//!
//! Source: Unicode Standard Annex 15 (NFKC) and chapter 3.13 (matching without case).

use unicode_normalization::UnicodeNormalization;

use crate::read::missing::is_blank;

/// A value without what is a matter of spelling.
pub(crate) fn folded(value: &str) -> String {
    if value.is_ascii() {
        return joined(&value.to_ascii_lowercase());
    }
    let form: String = value.nfkc().filter(|letter| !is_invisible(*letter)).collect();
    // Large letters first: `ß` and `SS` meet there only.
    let small: String = form.to_uppercase().to_lowercase().nfkc().collect();
    joined(&small)
}

/// One blank between words, and none at the ends.
fn joined(text: &str) -> String {
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Soft hyphens, joiners, marks of direction and of variants: nobody sees them.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_value_meet() {
        let spellings = [
            "Straße I10",
            " straße i10",
            "STRASSE\u{a0}I10\t",
            "Stra\u{ad}ße  I10",
            "Ｓtraße I１0",
            "straße\u{200b} i10\u{feff}",
        ];
        for spelling in spellings {
            assert_eq!(folded(spelling), "strasse i10", "{spelling:?}");
        }
        assert_eq!(folded("cafe\u{301}"), folded("CAFÉ"));
        assert_eq!(folded("ΣΊΣΥΦΟΣ"), folded("σίσυφος"));
        assert_eq!(folded(" \t"), "");
    }

    #[test]
    fn other_values_stay_apart() {
        for (one, other) in [("I10", "I11"), ("I10", "I 10"), ("a", "á"), ("5", "5.0"), ("", "0")] {
            assert_ne!(folded(one), folded(other));
        }
    }
}
