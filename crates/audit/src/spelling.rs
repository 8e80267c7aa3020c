//! Spelling: what does not make two values different.
//!
//! A promise of distinct values is about what they mean to a reader. Blanks around and between words, the Unicode form,
//! invisible characters and case do not count. The rules are written here anew; what makes releases has its own.

use unicode_normalization::UnicodeNormalization;

/// Writes the value that a reader sees into `seen`.
pub(crate) fn read(cell: &str, seen: &mut String) {
    seen.clear();
    if cell.is_ascii() {
        words(cell.split(|letter: char| letter.is_ascii_whitespace() || letter == '\u{b}'), seen);
        seen.make_ascii_lowercase();
    } else {
        let visible: String = cell.nfkc().filter(|letter| !is_hidden(*letter)).collect();
        let lower: String = visible.to_uppercase().to_lowercase().nfkc().collect();
        words(lower.split(char::is_whitespace), seen);
    }
}

fn words<'a>(parts: impl Iterator<Item = &'a str>, seen: &mut String) {
    for word in parts.filter(|word| !word.is_empty()) {
        seen.push_str(if seen.is_empty() { "" } else { " " });
        seen.push_str(word);
    }
}

/// Characters without a shape of their own.
fn is_hidden(letter: char) -> bool {
    let ranges = [
        (0xad, 0xad),
        (0x34f, 0x34f),
        (0x61c, 0x61c),
        (0x180b, 0x180f),
        (0x200b, 0x200f),
        (0x202a, 0x202e),
        (0x2060, 0x206f),
        (0xfe00, 0xfe0f),
        (0xfeff, 0xfeff),
        (0xe_0000, 0xe_0fff),
    ];
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(cell: &str) -> String {
        let mut seen = "before".to_owned();
        read(cell, &mut seen);
        seen
    }

    #[test]
    fn case_blanks_and_forms_are_spelling() {
        for cell in ["i10", " I10", "I10\u{b}\t", "Ｉ10", "I\u{200d}10", "\u{a0}i10\u{feff}"] {
            assert_eq!(seen(cell), "i10", "{cell:?}");
        }
        assert_eq!(seen("Große  Straße"), seen("GROSSE\u{2003}STRASSE"));
        assert_eq!(seen("u\u{308}"), seen("Ü"));
    }

    #[test]
    fn letters_and_digits_are_not() {
        for (one, other) in [("I10", "I11"), ("a b", "ab"), ("e", "é"), ("", "x")] {
            assert_ne!(seen(one), seen(other));
        }
    }
}
