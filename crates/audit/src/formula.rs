//! Formula-like cells: what a spreadsheet would run when it opens the CSV.
//!
//! Spreadsheets do not agree on what parts cells: one with German settings splits a comma-separated line at semicolons,
//! inside quotes, too. So each stretch of a cell that could become a cell of its own is judged: the beginning, and what
//! follows a semicolon, a bar, a tab, a line break, or a comma where the delimiter is another. A stretch that begins with `=`, `+`, `-` or `@`, also in full
//! width, behind blanks or quotes, and is no number must stand behind an apostrophe; so must a cell that begins with a
//! tab or a carriage return. A stretch of apostrophes followed by such a text counts as guarded, and one apostrophe is
//! taken off before its label is judged; so `'=x` that was collected with its apostrophe is written `''=x`, and no two
//! values meet.
//!
//! Limit: numbers with an exponent or without digits on one side of the point are accepted with and without a guard.

use std::borrow::Cow;

use crate::Check;
use crate::manifest::Claims;
use crate::observer::{Observer, Record};

/// What guards the cells of a text.
#[derive(Clone, Copy)]
pub(crate) struct Guard {
    /// Whether a comma parts cells for some spreadsheets although it is not the delimiter.
    at_commas: bool,
}

/// Counts guarded cells and finds those that lack the guard.
pub(crate) struct FormulaObserver {
    claimed: u64,
    guard: Option<Guard>,
    guarded: u64,
    dangerous: u64,
    first: Option<(u64, usize)>,
}

impl FormulaObserver {
    pub fn new(claims: &Claims) -> Self {
        Self {
            claimed: claims.neutralised_cells,
            guard: Guard::for_release(claims),
            guarded: 0,
            dangerous: 0,
            first: None,
        }
    }
}

impl Observer for FormulaObserver {
    fn see(&mut self, record: &Record<'_>) {
        let Some(guard) = self.guard else { return };
        for (column, cell) in record.cells.iter().enumerate() {
            if guard.is_guarded(cell) {
                self.guarded += record.times;
            } else if guard.is_dangerous(cell) {
                self.dangerous += record.times;
                self.first.get_or_insert((record.number, column + 1));
            }
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let place = self.first.map(|(record, column)| format!(", the first in record {record}, column {column}"));
        vec![Check::new(
            "formula-cells",
            self.guarded == self.claimed && self.dangerous == 0,
            format!("{} neutralised cells, no other formula-like cell", self.claimed),
            format!("{} neutralised, {} not neutralised{}", self.guarded, self.dangerous, place.unwrap_or_default()),
        )]
    }
}

/// The cell without its guards, where there are any.
pub(crate) fn bare(guard: Option<Guard>, cell: &str) -> Cow<'_, str> {
    guard.map_or(Cow::Borrowed(cell), |guard| guard.unguarded(cell))
}

impl Guard {
    /// That of a release; none where it is no text.
    pub fn for_release(claims: &Claims) -> Option<Self> {
        let at_commas = claims.data.delimiter.is_some();
        (claims.data.format == "csv").then_some(Self { at_commas })
    }

    /// Whether a spreadsheet would run some stretch of this cell.
    pub fn is_dangerous(self, cell: &str) -> bool {
        // Most cells are a word or a number: seen at a glance.
        let opens_plainly =
            cell.as_bytes().first().is_none_or(|byte| byte.is_ascii_alphanumeric() || b"[*".contains(byte));
        if opens_plainly && !cell.contains(|sign| self.parts(sign)) {
            return false;
        }
        let is_open = |(place, stretch): (usize, &str)| self.runs(stretch, true) || (place == 0 && is_control(cell));
        self.stretches(cell).any(is_open)
    }

    /// Whether an apostrophe neutralises some stretch of the cell, and none is open.
    pub fn is_guarded(self, cell: &str) -> bool {
        cell.contains('\'')
            && self.stretches(cell).any(|(place, stretch)| self.has_guard(cell, place, stretch))
            && !self.is_dangerous(cell)
    }

    /// The cell without its guards.
    pub fn unguarded(self, cell: &str) -> Cow<'_, str> {
        if !self.is_guarded(cell) {
            return Cow::Borrowed(cell);
        }
        let bare = |(place, stretch)| if self.has_guard(cell, place, stretch) { &stretch[1..] } else { stretch };
        self.stretches(cell).map(bare).collect()
    }

    /// Whether a spreadsheet may part cells at this sign, quotes or not.
    fn parts(self, sign: char) -> bool {
        matches!(sign, ';' | '|' | '\t' | '\n' | '\r') || (sign == ',' && self.at_commas)
    }

    /// The parts of a cell that a spreadsheet may take for cells, with what ends them.
    fn stretches(self, cell: &str) -> impl Iterator<Item = (usize, &str)> {
        cell.split_inclusive(move |sign| self.parts(sign)).enumerate()
    }

    /// Whether a stretch begins with apostrophes before what would run.
    fn has_guard(self, cell: &str, place: usize, stretch: &str) -> bool {
        let bare = stretch.trim_start_matches('\'');
        let opens_cell = place == 0 && is_control(cell.trim_start_matches('\''));
        bare.len() < stretch.len() && (self.runs(bare, false) || opens_cell)
    }

    /// Whether a stretch is a formula. A number that ends a range, as in `-5[`, is none.
    fn runs(self, stretch: &str, loose: bool) -> bool {
        let is_gap =
            |letter: char| letter.is_whitespace() || "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}".contains(letter);
        let end = |letter: char| is_gap(letter) || self.parts(letter);
        let bare = stretch.trim_start_matches(|letter| letter == '"' || is_gap(letter)).trim_end_matches(end);
        let number = bare.strip_suffix(['[', ']']).unwrap_or(bare);
        bare.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && !is_number(number, loose)
    }
}

fn is_control(cell: &str) -> bool {
    cell.starts_with('\t') || cell.starts_with('\r')
}

/// A decimal number; `loose` also takes `.5`, `5.` and exponents.
fn is_number(text: &str, loose: bool) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) if loose => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        _ => (unsigned, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, if loose { "" } else { "0" }));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let enough =
        if loose { !(whole.is_empty() && fraction.is_empty()) } else { !whole.is_empty() && !fraction.is_empty() };
    enough && !exponent.is_empty() && digits(whole) && digits(fraction) && digits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARD: Guard = Guard { at_commas: false };

    fn is_dangerous(cell: &str) -> bool {
        GUARD.is_dangerous(cell)
    }

    fn is_guarded(cell: &str) -> bool {
        GUARD.is_guarded(cell)
    }

    fn unguarded(cell: &str) -> Cow<'_, str> {
        GUARD.unguarded(cell)
    }

    #[test]
    fn commas_part_cells_where_the_delimiter_is_another() {
        let guard = Guard { at_commas: true };
        for cell in ["x,=1", "x, -y", "-1,-a"] {
            assert!(guard.is_dangerous(cell) && !guard.is_guarded(cell), "{cell}");
        }
        for cell in ["[-10, -5[", "-1,5", "x,y", "[-2.5, -1]"] {
            assert!(!guard.is_dangerous(cell), "{cell}");
        }
        assert_eq!(guard.unguarded("x,'=1"), "x,=1");
        assert!(!is_dangerous("x,=1"), "inside the quotes of its cell");
    }

    #[test]
    fn numbers_are_not_formulas() {
        for cell in ["-5", "+5", "-0.25", "-1e5", "-.5", "-5.", "5", "", "a=b", "[-9, -5[", "x;-5|y", "x;'=1", " -5"] {
            assert!(!is_dangerous(cell), "{cell}");
        }
        for cell in [
            "=1", "+a", "-", "--5", "-1,5", "@x", "\tx", "\rx", "-1e", "-.", "-5 5", "+1+1", "x;=1", "x\n@y", " =1",
            "＝1", "x;\"=1", "'=1|+a",
        ] {
            assert!(is_dangerous(cell), "{cell}");
        }
    }

    #[test]
    fn a_guard_is_an_apostrophe_before_a_formula() {
        assert_eq!(unguarded("'=1"), "=1");
        assert_eq!(unguarded("''=1"), "'=1");
        assert_eq!(unguarded("'-"), "-");
        assert_eq!(unguarded("x;'=1"), "x;=1");
        assert_eq!(unguarded("'=1;''=1|'a"), "=1;'=1|'a");
        assert_eq!(unguarded("'\t'=1"), "\t=1");
        for cell in ["'-5", "'a", "'", "''", "=1", "'+0.5"] {
            assert!(!is_guarded(cell), "{cell}");
        }
    }
}
