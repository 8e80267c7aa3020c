//! What a cell gives away besides its value: running text, an address of e-mail, a number to call, a date, or a word that
//! an identifying column holds.
//!
//! Each rule looks at one cell and errs on the side of a column that is looked at once too often. A date and a telephone
//! number fill their cell; an address of e-mail and a name may stand anywhere in it.
//!
//! Limits: a name is found where a word of it is spelt alike but for case, accents kept; words of less than three letters,
//! numbers of less than six digits, titles and particles are no names.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::HashSet;

use super::spelling::folded;

/// What cells are looked at for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Five words, or forty characters in several words.
    FreeText,
    /// An address of e-mail.
    EMail,
    /// A number to call.
    Phone,
    /// A date, with or without a time.
    Date,
    /// A word of an identifying column.
    Name,
}

/// How many kinds there are.
pub(super) const KINDS: usize = 5;

/// What one cell holds: one bit for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Contents(u8);

impl Contents {
    /// What a cell holds.
    pub(super) fn in_cell(cell: &str, names: &Names) -> Self {
        let is_date = is_date(cell);
        let found = [
            (Content::FreeText, is_free_text(cell)),
            (Content::EMail, has_e_mail(cell)),
            (Content::Phone, !is_date && is_phone(cell)),
            (Content::Date, is_date),
            (Content::Name, names.are_in(cell)),
        ];
        Self(found.into_iter().filter(|(_, holds)| *holds).map(|(kind, _)| 1 << kind as u8).sum())
    }

    /// Whether a cell is running text, and nothing else.
    pub(super) fn of_text(cell: &str) -> Self {
        Self(u8::from(is_free_text(cell)) << Content::FreeText as u8)
    }

    /// The places of the kinds that it holds.
    pub(super) fn kinds(self) -> impl Iterator<Item = usize> {
        (0..KINDS).filter(move |kind| self.0 >> kind & 1 == 1)
    }
}

/// Words of identifying columns, as hashes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(HashSet<u64>);

/// The most words that are kept.
const MOST_NAMES: usize = 1 << 20;

/// Words that stand in names and are none.
const PARTICLES: [&str; 26] = [
    "von", "vom", "van", "zum", "zur", "der", "den", "des", "del", "dos", "das", "della", "und", "and", "the", "mrs",
    "miss", "herr", "frau", "prof", "jun", "sen", "straße", "strasse", "street", "str",
];

impl Names {
    /// Takes the words of a cell of an identifying column. Running text has words that are no names.
    pub(super) fn take(&mut self, cell: &str) {
        if self.0.len() < MOST_NAMES && !is_free_text(cell) {
            words(cell, |word| {
                if !PARTICLES.contains(&word) {
                    self.0.insert(hash(word));
                }
                false
            });
        }
    }

    /// Takes those of another column.
    pub(super) fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    fn are_in(&self, cell: &str) -> bool {
        !self.0.is_empty() && words(cell, |word| self.0.contains(&hash(word)))
    }
}

/// Whether something is true of a word of a cell that may be a name.
fn words(cell: &str, mut holds: impl FnMut(&str) -> bool) -> bool {
    cell.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() >= 3).any(|word| {
        let least = if word.bytes().all(|byte| byte.is_ascii_digit()) { 6 } else { 3 };
        if word.len() < least || word.chars().count() < least {
            return false;
        }
        let word = if word.is_ascii() { word.to_ascii_lowercase() } else { folded(word) };
        holds(&word)
    })
}

/// The hash of a text.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn is_free_text(cell: &str) -> bool {
    // Nothing shorter has five words, or forty characters.
    cell.len() >= 9 && {
        let words = cell.split_whitespace().take(5).count();
        words == 5 || (words >= 2 && cell.chars().nth(39).is_some())
    }
}

fn has_e_mail(cell: &str) -> bool {
    let is_part = |letter: &char| letter.is_alphanumeric() || "._%+-".contains(*letter);
    cell.match_indices('@').any(|(at, _)| {
        let before = cell[..at].chars().next_back().is_some_and(|letter| is_part(&letter));
        let host: String = cell[at + 1..].chars().take_while(is_part).collect();
        let host = host.trim_end_matches('.');
        let end = host.rsplit_once('.').map_or("", |(_, end)| end);
        before && !host.starts_with('.') && end.len() >= 2 && end.chars().all(char::is_alphabetic)
    })
}

/// `+49 621 1234`, `(0621) 12-34`, `0621/1234`: seven to fifteen digits, and a sign that they are dialled.
fn is_phone(cell: &str) -> bool {
    let cell = cell.trim();
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let is_dialled = cell.bytes().all(|byte| byte.is_ascii_digit() || b" +-/().".contains(&byte));
    let is_parted = || cell.bytes().any(|byte| b" -/()".contains(&byte));
    let begins = cell.starts_with('+') || (cell.starts_with(['0', '(']) && is_parted());
    begins && is_dialled && (7..=15).contains(&digits)
}

/// `2026-03-29`, `29.3.2026`, `3/29/26`, with or without a time behind it.
fn is_date(cell: &str) -> bool {
    let cell = cell.trim();
    if !cell.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let day = cell.split([' ', 'T']).next().unwrap_or_default();
    ['-', '.', '/'].into_iter().any(|separator| {
        let mut parts = day.split(separator);
        let [Some(first), Some(second), Some(third), None] = [parts.next(), parts.next(), parts.next(), parts.next()]
        else {
            return false;
        };
        let number = |part: &str, longest: usize| {
            let is_number = (1..=longest).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { part.parse::<u32>().ok() } else { None }
        };
        let is_day = |one: &str, other: &str| match (number(one, 2), number(other, 2)) {
            (Some(one), Some(other)) => one.min(other) >= 1 && one.min(other) <= 12 && one.max(other) <= 31,
            _ => false,
        };
        let is_year = |part: &str| part.len() != 3 && part.len() >= 2 && number(part, 4).is_some();
        (first.len() == 4 && is_year(first) && is_day(second, third)) || (is_day(first, second) && is_year(third))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(holds: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        for cell in yes {
            assert!(holds(cell), "{cell:?}");
        }
        for cell in no {
            assert!(!holds(cell), "{cell:?}");
        }
    }

    #[test]
    fn running_text_has_many_words() {
        let long = "ein langer Befund".to_owned() + &"x".repeat(30);
        check(is_free_text, &["a b c d e", &long], &["a b c d", &"x".repeat(60), "", "Innere Medizin"]);
    }

    #[test]
    fn e_mail_is_found_anywhere() {
        let yes = ["ann@example.org", "write to ann.b+c@mail.example.co.uk.", "ü@exämple.de"];
        check(has_e_mail, &yes, &["@", "a@b", "5 @ 3.2", "a@.de", "@handle.de", "a@b.7c", "x@ example.org"]);
    }

    #[test]
    fn telephone_numbers_are_dialled() {
        let yes = ["+49 621 123456", "(0621) 12-34-56", "0621/1234567", "+436641234567"];
        check(is_phone, &yes, &["0621123", "12345678", "1.234.567", "+12", "069 12", "0-1", "0 1234567890123456"]);
    }

    #[test]
    fn dates_fill_their_cell() {
        let yes = ["2026-03-29", "29.3.2026", "3/29/26", "2026-03-29T10:00:00Z", " 19.04.1976 ", "1976/4/1 08:15"];
        check(
            is_date,
            &yes,
            &["1.2.3", "2026-13-40", "10.0.0.1", "12-34", "I50.14", "99.99.9999", "version 1.2.2026", ""],
        );
    }

    #[test]
    fn a_date_is_no_telephone_number() {
        let contents = Contents::in_cell("01-02-2020", &Names::default());
        assert_eq!(contents.kinds().collect::<Vec<_>>(), [Content::Date as usize]);
    }

    #[test]
    fn names_are_found_by_their_words() {
        let mut names = Names::default();
        for cell in ["Anna von Özdemir", "P-200417", "Bo", "one of the five remarks here"] {
            names.take(cell);
        }
        for cell in ["saw ANNA today", "özdemir", "(200417)"] {
            assert!(names.are_in(cell), "{cell}");
        }
        for cell in ["von", "Annalena", "Bo", "200418", "remarks", "Ozdemir", ""] {
            assert!(!names.are_in(cell), "{cell}");
        }
    }
}
