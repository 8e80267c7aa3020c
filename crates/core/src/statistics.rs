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
