//! Plain statistics of a column of numbers. A missing value is not a number, and is left out.

/// The values that are there.
pub(crate) fn present(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|value| !value.is_nan()).collect()
}

/// The smallest and the largest value that is there.
pub(crate) fn extremes(values: &[f64]) -> Option<(f64, f64)> {
    let there = || values.iter().copied().filter(|value| !value.is_nan());
    there().reduce(f64::min).zip(there().reduce(f64::max))
}

/// The mean and the standard deviation of the values that are there; zeros when there are none.
pub(crate) fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let there = present(values);
    if there.is_empty() {
        return (0.0, 0.0);
    }
    let count = there.len() as f64;
    let mean = there.iter().sum::<f64>() / count;
    let variance = there.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// The values that are there, the smallest first.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut there = present(values);
    there.sort_unstable_by(f64::total_cmp);
    there
}

/// Two columns over the records in which both are there.
pub(crate) fn complete(left: &[f64], right: &[f64]) -> (Vec<f64>, Vec<f64>) {
    left.iter().zip(right).filter(|(left, right)| !left.is_nan() && !right.is_nan()).unzip()
}

/// The order of two records by their cells, the first that differ.
pub(crate) fn by_cells(one: &[f64], other: &[f64]) -> std::cmp::Ordering {
    let cells = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
    cells.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}
