//! Formula-like cells: what a spreadsheet would run when it opens the CSV.
//!
//! A cell that starts with `=`, `+`, `-`, `@`, a tab or a carriage return and is no number must stand behind an
//! apostrophe. A cell of apostrophes followed by such a text counts as guarded, and one apostrophe is taken off before its
//! label is judged; so `'=x` that was collected with its apostrophe is written `''=x`, and no two values meet.
//!
//! Limit: numbers with an exponent or without digits on one side of the point are accepted with and without a guard.

use crate::Check;
use crate::observer::{Observer, Record};

/// Counts guarded cells and finds those that lack the guard.
pub(crate) struct FormulaObserver {
    claimed: u64,
    csv: bool,
    guarded: u64,
    dangerous: u64,
    first: Option<(u64, usize)>,
}

impl FormulaObserver {
    pub fn new(claimed: u64, csv: bool) -> Self {
        Self { claimed, csv, guarded: 0, dangerous: 0, first: None }
    }
}

impl Observer for FormulaObserver {
    fn see(&mut self, record: &Record<'_>) {
        if !self.csv {
            return;
        }
        for (column, cell) in record.cells.iter().enumerate() {
            if is_guarded(cell) {
                self.guarded += record.times;
            } else if is_dangerous(cell) {
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

/// Whether a spreadsheet would run this cell.
pub(crate) fn is_dangerous(cell: &str) -> bool {
    starts_formula(cell) && !is_number(cell, true)
}

/// Whether the cell stands behind an apostrophe that neutralises it.
pub(crate) fn is_guarded(cell: &str) -> bool {
    let bare = cell.trim_start_matches('\'');
    bare.len() < cell.len() && starts_formula(bare) && !is_number(bare, false)
}

/// The cell without its guard, if it has one.
pub(crate) fn unguarded(cell: &str) -> &str {
    if is_guarded(cell) { cell.strip_prefix('\'').unwrap_or(cell) } else { cell }
}

fn starts_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r'])
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

    #[test]
    fn numbers_are_not_formulas() {
        for cell in ["-5", "+5", "-0.25", "-1e5", "-.5", "-5.", "5", "", "a=b"] {
            assert!(!is_dangerous(cell), "{cell}");
        }
        for cell in ["=1", "+a", "-", "--5", "-1,5", "@x", "\tx", "\rx", "-1e", "-.", "-5 5", "+1+1"] {
            assert!(is_dangerous(cell), "{cell}");
        }
    }

    #[test]
    fn a_guard_is_an_apostrophe_before_a_formula() {
        assert_eq!(unguarded("'=1"), "=1");
        assert_eq!(unguarded("''=1"), "'=1");
        assert_eq!(unguarded("'-"), "-");
        for cell in ["'-5", "'a", "'", "''", "=1", "'+0.5"] {
            assert!(!is_guarded(cell), "{cell}");
        }
    }
}
