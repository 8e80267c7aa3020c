//! Columns as numbers: what cells mean before and after.
//!
//! A number is a number, a [`LabelBand`] is a range, the missing value and `*` are none.

use equanym_core::hierarchy::TOP;
use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::utility::MeasuredColumn;
use equanym_core::utility::band::LabelBand;
use equanym_core::walk::ColumnScale;

use super::cells::CodedColumn;

/// No number.
const NONE: f64 = f64::NAN;

/// A column as numbers before and as numbers or ranges after, if it is that.
pub(super) fn numbers(
    name: &str,
    before: &CodedColumn,
    after: &CodedColumn,
) -> Option<(MeasuredColumn, MeasuredColumn)> {
    let number = |cell: &String| if is_unknown(cell) { Some(NONE) } else { float(cell) };
    let values = before.texts.iter().map(number).collect::<Option<Vec<f64>>>()?;
    let there = || values.iter().copied().filter(|value| !value.is_nan());
    let whole = (there().reduce(f64::min)?, there().reduce(f64::max)?);
    let ranges = after.texts.iter().map(|cell| range(cell, whole)).collect::<Option<Vec<(f64, f64)>>>()?;
    // A column that tells no number at all has nothing to compare.
    ranges.iter().find(|(low, _)| !low.is_nan())?;
    let is_exact = ranges.iter().all(|(low, high)| low.total_cmp(high).is_eq());
    let after = if is_exact {
        MeasuredColumn::exact(name, after.each(&ranges).into_iter().map(|(low, _)| low).collect())
    } else {
        MeasuredColumn::ranges(name, after.each(&ranges))
    };
    Some((MeasuredColumn::exact(name, before.each(&values)), after))
}

/// A column of dates or ordered words before and after, as positions.
pub(super) fn positions(
    name: &str,
    scale: &ColumnScale,
    before: &CodedColumn,
    after: &CodedColumn,
) -> Option<(MeasuredColumn, MeasuredColumn)> {
    let float = |cell: &String| match scale.position(cell) {
        _ if is_unknown(cell) => Some(NONE),
        position => Some(position?.mantissa() as f64),
    };
    let column = |column: &CodedColumn| {
        let values = column.texts.iter().map(float).collect::<Option<Vec<f64>>>()?;
        Some(MeasuredColumn { has_zero: false, ..MeasuredColumn::exact(name, column.each(&values)) })
    };
    Some((column(before)?, column(after)?))
}

fn is_unknown(cell: &str) -> bool {
    cell.is_empty() || cell == TOP
}

fn float(text: &str) -> Option<f64> {
    Decimal::parse(text)?;
    text.parse().ok()
}

/// What a released cell says about a number.
fn range(cell: &str, whole: (f64, f64)) -> Option<(f64, f64)> {
    if is_unknown(cell) {
        return Some((NONE, NONE));
    }
    float(cell).map(|number| (number, number)).or_else(|| Some(LabelBand::read(cell)?.ends(whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_mean_numbers_or_ranges_and_a_star_neither() {
        let whole = (0.0, 99.0);
        assert_eq!(range("[20, 30[", whole), Some((20.0, 30.0)));
        assert_eq!(range("[-2.5, 3]", whole), Some((-2.5, 3.0)));
        assert_eq!((range("7", whole), range("20-24", whole)), (Some((7.0, 7.0)), Some((20.0, 24.0))));
        assert_eq!((range(">= 60", whole), range("under 15", whole)), (Some((60.0, 99.0)), Some((0.0, 15.0))));
        assert_eq!((range("young", whole), range("NaN", whole)), (None, None));
        for cell in ["", "*"] {
            assert!(range(cell, whole).is_some_and(|(low, high)| low.is_nan() && high.is_nan()));
        }
    }

    #[test]
    fn a_column_of_stars_is_no_column_of_numbers() {
        let column = |texts: &[&str]| CodedColumn {
            cells: (0..).zip(texts).map(|(code, _)| code).collect(),
            texts: texts.iter().map(ToString::to_string).collect(),
        };
        assert!(numbers("x", &column(&["1", "2"]), &column(&["*"])).is_none());
        let (_, after) = numbers("x", &column(&["1", "2"]), &column(&["*", "2"])).unwrap();
        assert!(after.ranges.is_none_or(|ranges| ranges[0].0.is_nan()));
    }
}
