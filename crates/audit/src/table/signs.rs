//! What a release in text claims about its signs: delimiter, encoding, decimal sign.
//!
//! What goes without saying must not be said: commas, UTF-8 and decimal points. So there is one way to claim a text, and one way
//! to write it. Where the decimal sign is a comma, the numbers of the claimed columns, alone or in ranges, are read with points;
//! everything that judges cells then judges plain decimals. The exchange of signs leads back to the same cell, so no two cells
//! become one.

use std::borrow::Cow;

use csv::StringRecord;
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};

use super::ReadFailure;
use crate::decimal::Decimal;
use crate::manifest::Claims;

/// The signs of a text.
#[derive(Clone)]
pub(crate) struct Signs {
    pub delimiter: u8,
    pub encoding: &'static Encoding,
    /// For each column whether its numbers have decimal commas; empty where none has.
    commas: Vec<bool>,
}

impl Signs {
    /// The claimed ones.
    pub fn claimed(claims: &Claims) -> Result<Self, ReadFailure> {
        let data = &claims.data;
        let unknown = |what| ReadFailure::Content { what, record: None };
        let has_commas = match data.decimal.as_deref() {
            None => false,
            Some(",") => true,
            Some(_) => return Err(unknown("a decimal sign not known to this audit")),
        };
        let commas: Vec<bool> = claims.columns.iter().map(|column| column.number).collect();
        if !has_commas && commas.contains(&true) {
            return Err(unknown("a column of numbers is claimed, and no decimal sign"));
        }
        let said = data.delimiter.is_some() || data.encoding.is_some() || has_commas;
        if said && data.format != "csv" {
            return Err(unknown("signs of text are claimed of another format"));
        }
        Ok(Self {
            delimiter: delimiter(data.delimiter.as_deref()).ok_or_else(|| unknown("a delimiter that is none"))?,
            encoding: encoding(data.encoding.as_deref())
                .ok_or_else(|| unknown("an encoding not known to this audit"))?,
            commas: if has_commas { commas } else { Vec::new() },
        })
    }

    /// Whether some cells are read otherwise than they are written.
    pub fn has_commas(&self) -> bool {
        !self.commas.is_empty()
    }

    /// The cells of a record with plain decimals.
    pub fn plain(&self, written: &StringRecord) -> StringRecord {
        let is_number = |place: usize| self.commas.get(place).copied().unwrap_or(false);
        let cells = written.iter().enumerate();
        cells.map(|(place, cell)| if is_number(place) { with_points(cell) } else { cell.into() }).collect()
    }
}

fn delimiter(claimed: Option<&str>) -> Option<u8> {
    match claimed.map(str::as_bytes) {
        None => Some(b','),
        Some([b',' | b'"' | b'\r' | b'\n' | 0]) => None,
        Some([sign]) => Some(*sign).filter(|sign| sign.is_ascii() && !sign.is_ascii_alphanumeric()),
        Some(_) => None,
    }
}

/// An encoding by the one name that a manifest may give it.
fn encoding(claimed: Option<&str>) -> Option<&'static Encoding> {
    let Some(label) = claimed else { return Some(UTF_8) };
    let found = Encoding::for_label(label.as_bytes()).filter(|found| found.name().to_ascii_lowercase() == label)?;
    let is_unfit = [UTF_8, UTF_16LE, UTF_16BE, REPLACEMENT, X_USER_DEFINED].contains(&found);
    (!is_unfit).then_some(found)
}

/// A number or a range with decimal commas, read with points; one with points with commas, so that both stay apart.
fn with_points(cell: &str) -> Cow<'_, str> {
    let other = exchanged(cell);
    if is_numeric(&other) || is_numeric(cell) { Cow::Owned(other) } else { Cow::Borrowed(cell) }
}

fn exchanged(cell: &str) -> String {
    let bytes = cell.as_bytes();
    let digit = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_some_and(u8::is_ascii_digit);
    let signs = cell.char_indices().map(|(place, sign)| {
        let between_digits = digit(place.checked_sub(1)) && digit(Some(place + 1));
        let before_blank = bytes.get(place + 1) == Some(&b' ');
        match (sign, between_digits, before_blank) {
            ('.', true, _) | (';', _, true) => ',',
            (',', true, _) => '.',
            (',', _, true) => ';',
            _ => sign,
        }
    });
    signs.collect()
}

/// A number, two of them in brackets, or an end that is open.
fn is_numeric(cell: &str) -> bool {
    let is_number = |text: &str| Decimal::collected(text).is_some();
    let is_bracket = |sign: char| sign == '[' || sign == ']';
    let inner = cell.strip_prefix(is_bracket).and_then(|rest| rest.strip_suffix(is_bracket));
    match inner.and_then(|inner| inner.split_once(", ")) {
        Some((low, high)) => is_number(low) && is_number(high),
        None => is_number(cell.strip_suffix('+').or_else(|| cell.strip_prefix("under ")).unwrap_or(cell)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_points_and_stay_apart() {
        for (written, plain) in [
            ("1,5", "1.5"),
            ("1.5", "1,5"),
            ("[10,5; 20[", "[10.5, 20["),
            ("[-10; -5]", "[-10, -5]"),
            ("90,5+", "90.5+"),
            ("under 1,5", "under 1.5"),
            ("*", "*"),
            ("", ""),
            ("12", "12"),
            ("1,5 kg", "1,5 kg"),
            ("a; b", "a; b"),
        ] {
            assert_eq!(with_points(written), plain);
            assert_eq!(with_points(plain), written, "and back");
        }
    }

    #[test]
    fn what_goes_without_saying_must_not_be_said() {
        assert_eq!(
            (delimiter(None), delimiter(Some(";")), delimiter(Some("\t"))),
            (Some(b','), Some(b';'), Some(b'\t'))
        );
        for unfit in [",", "", ";;", "a", "7", "\"", "\n", "é"] {
            assert_eq!(delimiter(Some(unfit)), None, "{unfit}");
        }
        assert_eq!(encoding(Some("windows-1252")).map(Encoding::name), Some("windows-1252"));
        for unfit in ["utf-8", "UTF-8", "Windows-1252", "latin1", "utf-16le", "replacement", "x-user-defined", "x"] {
            assert!(encoding(Some(unfit)).is_none(), "{unfit}");
        }
    }
}
