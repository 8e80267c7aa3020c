//! Figure 3a: what listing the localities costs.

use std::hint::black_box;
use std::time::Instant;

use equanym_core::walk::{WalkColumn, locality};

use super::data::Data;

/// The sizes of a segment in Figure 3a.
pub const SIZES: [usize; 9] = [100, 200, 300, 400, 500, 600, 700, 800, 900];

/// One measurement of Figure 3a.
pub struct Extraction {
    pub data: &'static str,
    /// Records of a segment.
    pub size: usize,
    /// Distinct values of a segment, on average.
    pub distinct: f64,
    /// Localities listed for a segment, on average.
    pub listed: f64,
    /// The least time of a segment, on average over the columns.
    pub seconds: f64,
}

/// Lists the localities of segments of each size.
pub fn extraction(data: &Data, segments: usize) -> Vec<Extraction> {
    SIZES.iter().map(|&size| extract(data, size, segments)).collect()
}

fn extract(data: &Data, size: usize, segments: usize) -> Extraction {
    let mut found = Extraction { data: data.name, size, distinct: 0.0, listed: 0.0, seconds: 0.0 };
    let columns = data.columns.len().max(1) as f64;
    for column in &data.columns {
        let parts: Vec<Vec<i128>> = parts(column, size, segments).collect();
        let share = 1.0 / (parts.len().max(1) as f64 * columns);
        let mut least = f64::INFINITY;
        for values in &parts {
            let start = Instant::now();
            let listed = black_box(locality::neighbours(black_box(values))).len();
            least = least.min(start.elapsed().as_secs_f64());
            found.listed += listed as f64 * share;
            found.distinct += values.len() as f64 * share;
        }
        found.seconds += least / columns;
    }
    found
}

/// The distinct values of the first segments of a column.
fn parts(column: &WalkColumn, size: usize, segments: usize) -> impl Iterator<Item = Vec<i128>> {
    column.values.chunks_exact(size).take(segments).map(|records| {
        let mut values: Vec<i128> = records.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        values
    })
}

/// A straight line through points: slope, value at 0, and the share of the variance that it explains.
pub fn fit(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|point| f(point.0 - x, point.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    (xy / xx, y - xy / xx * x, xy * xy / (xx * yy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_again() {
        let (slope, start, explained) = fit(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]);
        assert!((slope - 2.0).abs() < 1e-12 && (start - 3.0).abs() < 1e-12 && (explained - 1.0).abs() < 1e-12);
    }
}
