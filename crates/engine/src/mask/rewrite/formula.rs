//! Cells that a spreadsheet would run when it opens the CSV, and the apostrophe that keeps it from doing so.
//!
//! Which characters part the cells of a file is the reader's choice: a spreadsheet with German settings splits
//! `x;=1+1` at the semicolon, quotes or not, since a quote counts at the start of a cell only; where the delimiter is another,
//! one with English settings does so at commas. So a cell is looked at in
//! pieces, from its start and from behind each character that a spreadsheet may split at. A piece is a formula when it
//! opens with `=`, `+`, `-` or `@` (full-width ones, too), blanks and quotes before them aside, and is not a plain number;
//! so is a cell that opens with a tab or a carriage return.
//!
//! A piece that is guarded already counts, too, so that the guard stays apart from the value: `'=x` is written `''=x`.
//!
//! Source: OWASP, CSV Injection.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::read::missing::is_blank;

/// What a spreadsheet may split a line at, besides the comma.
const SPLITS: [char; 5] = [';', '\t', '|', '\n', '\r'];

/// Guards the cells of a text with some delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// Whether a cell may be split at its commas, too: they stand without quotes where they are no delimiter.
    at_commas: bool,
}

impl Guard {
    /// The guard of a text with this delimiter.
    pub(crate) fn new(delimiter: char) -> Self {
        Self { at_commas: delimiter != ',' }
    }

    /// The cell as it is safe to write; it is borrowed where there is nothing to guard.
    pub(crate) fn guarded(self, text: &str) -> Cow<'_, str> {
        if self.is_plain(text) {
            return Cow::Borrowed(text);
        }
        if !self.pieces(text).any(|(_, is_formula)| is_formula) {
            return Cow::Borrowed(text);
        }
        self.pieces(text).flat_map(|(piece, is_formula)| [if is_formula { "'" } else { "" }, piece]).collect()
    }

    /// The cell as it was before it was guarded; it is borrowed where it was not.
    pub(crate) fn unguarded(self, text: &str) -> Cow<'_, str> {
        let has_guard = |(piece, is_formula): &(&str, bool)| *is_formula && piece.starts_with('\'');
        if !text.contains('\'') || !self.pieces(text).any(|piece| has_guard(&piece)) {
            return Cow::Borrowed(text);
        }
        self.pieces(text).map(|piece| if has_guard(&piece) { &piece.0[1..] } else { piece.0 }).collect()
    }

    /// Whether nothing can be wrong with it, seen at a glance.
    fn is_plain(self, text: &str) -> bool {
        let opens_plainly = text.as_bytes().first().is_none_or(u8::is_ascii_alphanumeric);
        opens_plainly && !text.contains(|letter| self.splits(letter))
    }

    fn splits(self, letter: char) -> bool {
        SPLITS.contains(&letter) || (self.at_commas && letter == ',')
    }

    /// The pieces of a cell, each with the character that it ends with, and whether it is a formula.
    fn pieces(self, text: &str) -> impl Iterator<Item = (&str, bool)> {
        let opens_with_control = text.trim_start_matches('\'').starts_with(['\t', '\r']);
        let pieces = text.split_inclusive(move |letter| self.splits(letter)).enumerate();
        pieces.map(move |(place, piece)| (piece, self.is_formula(piece) || (place == 0 && opens_with_control)))
    }

    fn is_formula(self, piece: &str) -> bool {
        let piece = piece.trim_end_matches(|letter| self.splits(letter)).trim_start_matches('\'');
        let bare = piece.trim_start_matches(|letter| letter == '"' || is_blank(letter));
        bare.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && !is_end(bare.trim_end_matches(is_blank))
    }
}

/// A plain number, or one that ends a range: nothing runs in `-5[`.
fn is_end(text: &str) -> bool {
    is_plain_number(text.strip_suffix(['[', ']']).unwrap_or(text))
}

fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarded(text: &str) -> Cow<'_, str> {
        Guard::new(',').guarded(text)
    }

    fn unguarded(text: &str) -> Cow<'_, str> {
        Guard::new(',').unguarded(text)
    }

    #[test]
    fn commas_part_cells_where_they_are_no_delimiter() {
        let guard = Guard::new(';');
        for (text, safe) in [("x,=cmd", "x,'=cmd"), ("=a,=b;=c", "'=a,'=b;'=c"), ("x, -y", "x,' -y")] {
            assert_eq!((guard.guarded(text).as_ref(), guard.unguarded(safe).as_ref()), (safe, text));
            assert_eq!(guarded("x,=cmd"), "x,=cmd");
        }
        for text in ["[-10, -5[", "-1,5", "1,5", "a, b", "[-2.5, -1]"] {
            assert_eq!((guard.guarded(text).as_ref(), guard.unguarded(text).as_ref()), (text, text));
        }
    }

    #[test]
    fn formulas_are_told_from_numbers() {
        for text in
            ["=1+1", "+cmd", "-a", "@SUM(A1)", "\tx", "-", "-1-1", "\rx", "'=1", " =1", "\u{a0}@x", "＝1", "\"=1\""]
        {
            assert_eq!(guarded(text), format!("'{text}"), "{text:?}");
            assert_eq!(unguarded(&guarded(text)), text);
        }
        for text in
            ["-5", "+3.25", "-0.5", "a=b", "", "5", "[0, 5[", "'", "[-10, -5[", " -5", "x;y", "x;-5", "a|b", "*"]
        {
            assert_eq!((guarded(text).as_ref(), unguarded(text).as_ref()), (text, text));
        }
    }

    #[test]
    fn each_piece_that_a_spreadsheet_may_see_is_guarded() {
        for (text, safe) in [
            ("x;=cmd", "x;'=cmd"),
            ("x;'=cmd", "x;''=cmd"),
            ("x\n=cmd", "x\n'=cmd"),
            ("\r=1", "'\r'=1"),
            ("x|\t=cmd", "x|\t'=cmd"),
            ("=a;=b", "'=a;'=b"),
            ("x; ＝cmd|y", "x;' ＝cmd|y"),
            ("x;\"=cmd\"", "x;'\"=cmd\""),
        ] {
            assert_eq!((guarded(text).as_ref(), unguarded(safe).as_ref()), (safe, text));
        }
    }
}
