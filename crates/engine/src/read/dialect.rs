//! Which delimiter a text uses: `,` `;` tab or `|`.
//!
//! Each candidate splits a sample. It must split the header; the one that gives most records as many fields as the header
//! wins, then the one with more columns, then the order above. A table of one column has no delimiter to find.
//! A delimiter that is set is used without a question; the search then only serves as a suspicion for messages.

use std::io::Cursor;

use super::encoding::Text;
use super::records::Records;
use crate::error::{Error, Result};

/// The delimiters that are looked for, in order of preference.
pub(super) const CANDIDATES: [u8; 4] = *b",;\t|";
/// How much text is looked at.
pub(super) const SAMPLE: usize = 64 << 10;
/// How many records are looked at.
const RECORDS: usize = 200;

/// The delimiter that splits the sample best; `None` when no candidate splits its header.
pub(super) fn detect(sample: &[u8], complete: bool) -> Option<u8> {
    let fits = CANDIDATES.iter().filter_map(|delimiter| Some((fit(sample, complete, *delimiter)?, *delimiter)));
    fits.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, delimiter)| delimiter)
}

/// Refuses delimiters that mean something else.
pub(super) fn check(delimiter: u8) -> Result<u8> {
    if !delimiter.is_ascii() || matches!(delimiter, 0 | b'"' | b'\n' | b'\r') {
        return Err(Error::input("a delimiter is one ASCII character, and no quote, line end or NUL"));
    }
    Ok(delimiter)
}

/// Records (in thousandths) that have as many fields as the header, and the fields of the header.
fn fit(sample: &[u8], complete: bool, delimiter: u8) -> Option<(usize, usize)> {
    let counts = field_counts(sample, complete, delimiter);
    let (header, records) = counts.split_first()?;
    let alike = records.iter().filter(|count| *count == header).count();
    let share = if records.is_empty() { 1000 } else { alike * 1000 / records.len() };
    (*header > 1).then_some((share, *header))
}

fn field_counts(sample: &[u8], complete: bool, delimiter: u8) -> Vec<usize> {
    let text = Text { bytes: Box::new(Cursor::new(sample.to_vec())), encoding: "UTF-8", skipped: 0 };
    let mut records = Records::new("sample", text, delimiter, SAMPLE);
    let mut counts = Vec::new();
    while counts.len() < RECORDS && records.advance().unwrap_or(false) {
        counts.push(records.found());
    }
    // The sample may end in the middle of a record.
    if !complete && counts.len() > 1 && counts.len() < RECORDS {
        counts.pop();
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_candidate() {
        for delimiter in CANDIDATES {
            let text = "a,b,c\n1,2,3\n4,\"5\n,;\t|\",6\n".replace(',', char::from(delimiter).encode_utf8(&mut [0; 4]));
            assert_eq!(detect(text.as_bytes(), true), Some(delimiter));
        }
    }

    #[test]
    fn decimal_commas_do_not_mislead() {
        assert_eq!(detect(b"a;b\n1,5;2,5\n3,5;4,5\n", true), Some(b';'));
        assert_eq!(detect(b"\"last, first\";age\nx;1\n", true), Some(b';'));
    }

    #[test]
    fn one_column_has_no_delimiter() {
        assert_eq!(detect(b"a\n1\n2\n", true), None);
        assert_eq!(detect(b"", true), None);
    }

    #[test]
    fn a_cut_record_does_not_count() {
        assert_eq!(detect(b"a,b;c\n1,2;2\n1,2;2\n1,2", false), Some(b','));
        assert_eq!(detect(b"a;b\n1;2\n3;\"4", false), Some(b';'));
    }
}
