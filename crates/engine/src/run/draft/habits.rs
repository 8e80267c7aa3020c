//! How a table was written: its words for missing, its decimal sign, and codes that lost the zeros in front.
//!
//! Each column is looked at once more without the words that commonly mean missing. If it now holds numbers, dates or codes,
//! the words do mean missing, in the whole table: one `NA` shall not make text of birth dates. A column that stays text proves
//! nothing: there such a word may be a value like any other.
//!
//! A comma is a decimal sign where some number says so (`72,5`); `1,234` does not. A table that has points and commas for
//! the same thing is left as it is. What is learnt becomes part of the policy, so a release reads the table alike.

use equanym_core::hierarchy::auto;
use equanym_core::hierarchy::decimal::Decimal;

use super::values::{ColumnKind, TableValues, kind};
use crate::read::column_name::is_postal;
use crate::read::missing::means_missing;
use crate::read::notation::Notation;
use crate::read::{ColumnForm, Reading};

/// The way of reading that suits the table; `is_known` are columns whose values all have a place on a ladder that somebody
/// wrote.
pub(super) fn learn(reading: &Reading, names: &[String], seen: &TableValues, is_known: &[bool]) -> Reading {
    let columns: Vec<RawColumn<'_>> = names
        .iter()
        .zip(&seen.columns)
        .zip(is_known)
        .map(|((name, values), is_known)| RawColumn { name, values: values.counts.values(), is_known: *is_known })
        .collect();
    let missing = missing(reading, &columns);
    let columns: Vec<RawColumn<'_>> = columns.into_iter().map(|column| column.without(&missing)).collect();
    let notation = if reading.notation.is_usual() { notation(&columns) } else { reading.notation };
    let mut forms = reading.forms.clone();
    for column in columns.iter().filter(|column| !column.is_known && !column.values.is_empty()) {
        if let Some(width) = column.lost_zeros() {
            forms.insert(column.name.to_owned(), ColumnForm::Code(width));
        } else if !notation.is_usual() && column.all_read(notation) {
            forms.insert(column.name.to_owned(), ColumnForm::Number);
        }
    }
    Reading { missing, notation, forms, ..reading.clone() }
}

/// A column and its values.
struct RawColumn<'a> {
    name: &'a str,
    values: Vec<String>,
    is_known: bool,
}

impl RawColumn<'_> {
    fn without(mut self, words: &[String]) -> Self {
        self.values.retain(|value| !words.contains(value));
        self
    }

    /// Whether it holds numbers, dates or codes.
    fn is_more_than_text(&self) -> bool {
        !self.values.is_empty()
            && (kind(&auto::propose(&self.values), &self.values) != ColumnKind::Text
                || NOTATIONS.into_iter().any(|notation| self.shows(notation))
                || self.lost_zeros().is_some())
    }

    fn all_read(&self, notation: Notation) -> bool {
        self.values.iter().all(|value| notation.number(value).is_some())
    }

    /// Whether it holds numbers that are written so, and one of them can only be.
    fn shows(&self, notation: Notation) -> bool {
        let can_only = |value: &String| Decimal::parse(value).is_none() && !is_ambiguous(value);
        self.values.iter().any(can_only) && self.all_read(notation)
    }

    /// Whether it holds plain numbers that would not be read so.
    fn contradicts(&self, notation: Notation) -> bool {
        let is_plain = |value: &String| Decimal::parse(value).is_some();
        !self.is_known && !self.all_read(notation) && self.values.iter().all(is_plain)
    }

    /// How many digits its codes had before some of them lost the zeros in front.
    fn lost_zeros(&self) -> Option<u8> {
        let is_code = |value: &String| value.bytes().all(|byte| byte.is_ascii_digit());
        let longest = self.values.iter().map(String::len).max()?;
        let shortest = self.values.iter().map(String::len).min()?;
        let shows_zeros = self.values.iter().any(|value| value.len() == longest && value.starts_with('0'));
        let no_zeros = |value: &String| value.len() == longest || !value.starts_with('0');
        // Postal codes of five digits are known to begin with a zero in some regions, seen or not.
        let is_plausible = (shows_zeros && longest >= FEWEST_DIGITS) || (is_postal(self.name) && longest == 5);
        let is_short = shortest < longest && longest - shortest <= MOST_ZEROS;
        let fits = is_plausible && is_short && self.values.iter().all(|value| is_code(value) && no_zeros(value));
        u8::try_from(longest).ok().filter(|_| fits)
    }
}

/// With fewer digits, numbers of different length are numbers.
const FEWEST_DIGITS: usize = 4;

/// The most zeros that a code may have lost.
const MOST_ZEROS: usize = 2;

/// The ways of writing numbers that are looked for.
const NOTATIONS: [Notation; 3] = [
    Notation { decimal: ',', thousands: None },
    Notation { decimal: ',', thousands: Some('.') },
    Notation { decimal: '.', thousands: Some(',') },
];

/// The notation in which most columns turn out to be numbers; plain decimals where none does, or one would be misread.
fn notation(columns: &[RawColumn<'_>]) -> Notation {
    let shown = |notation: Notation| columns.iter().filter(|column| !column.is_known && column.shows(notation)).count();
    let fitting = NOTATIONS.into_iter().filter(|one| !columns.iter().any(|column| column.contradicts(*one)));
    let best = fitting.map(|one| (shown(one), one)).filter(|(shown, _)| *shown > 0);
    best.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, one)| one).unwrap_or_default()
}

/// `1,234`: a thousand and more, or a little more than one.
fn is_ambiguous(value: &str) -> bool {
    Notation { decimal: '.', thousands: Some(',') }.number(value).is_some() && !value.contains('.')
}

/// The words for missing: those that were named, and those that keep a column from being more than text.
fn missing(reading: &Reading, columns: &[RawColumn<'_>]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for column in columns.iter().filter(|column| !column.is_known) {
        let (words, values): (Vec<String>, Vec<String>) =
            column.values.iter().cloned().partition(|value| means_missing(value));
        let rest = RawColumn { values, ..*column };
        if !words.is_empty() && rest.is_more_than_text() && !column.is_more_than_text() {
            found.extend(words);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|word| !reading.missing.contains(word));
    reading.missing.iter().cloned().chain(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column<'a>(name: &'a str, values: &str) -> RawColumn<'a> {
        RawColumn { name, values: values.split(' ').map(String::from).collect(), is_known: false }
    }

    fn found(columns: &[RawColumn<'_>]) -> Vec<String> {
        missing(&Reading::default(), columns)
    }

    #[test]
    fn words_for_missing_are_proved_by_what_is_left() {
        assert_eq!(found(&[column("age", "17 NA 45")]), ["NA"]);
        assert_eq!(found(&[column("born", "19.04.1976 leer 01.02.1950")]), ["leer"]);
        assert_eq!(found(&[column("weight", "72,5 NA 80,1"), column("n", "1 ? 2")]), ["?", "NA"]);
        // Text proves nothing: `NA` may be a country.
        assert_eq!(found(&[column("country", "DE NA FR")]), [""; 0]);
        assert_eq!(found(&[column("age", "17 45"), column("mixed", "a NA 5")]), [""; 0]);
        assert_eq!(found(&[RawColumn { is_known: true, ..column("age", "17 NA 45") }]), [""; 0]);
    }

    #[test]
    fn a_decimal_comma_is_proved_by_one_number() {
        let check = |columns: &[&str], expected: (char, Option<char>)| {
            let columns: Vec<RawColumn<'_>> = columns.iter().map(|values| column("x", values)).collect();
            let found = notation(&columns);
            assert_eq!((found.decimal, found.thousands), expected);
        };
        check(&["72,5 80,1 3"], (',', None));
        check(&["72,5 80,1", "1.234,50 12,00"], (',', Some('.')));
        check(&["1,234.50 12.00"], ('.', Some(',')));
        check(&["1,234 5,678"], ('.', None));
        check(&["72,5 80,1", "1.5 2.5"], ('.', None));
        check(&["72,5 80,1", "a b"], (',', None));
        check(&["1.5 2"], ('.', None));
    }

    #[test]
    fn lost_zeros_are_noticed() {
        assert_eq!(column("x", "01067 1069 69115").lost_zeros(), Some(5));
        assert_eq!(column("plz", "1067 69115").lost_zeros(), Some(5));
        for unlike in ["1067 69115", "01067 69115", "01067 A1069", "01067 7", "01067 0106", "007 8", "1 2 3"] {
            assert_eq!(column("x", unlike).lost_zeros(), None, "{unlike}");
        }
        assert_eq!(column("plz", "1067 9115").lost_zeros(), None);
    }
}
