//! The regions that samplers are measured on: uniform draws as data, their localities, order, and a domain.

use std::fmt::Write;

use equanym_core::random::Seed;
use equanym_core::walk::locality::{self, Locality, NeighbourSide};
use equanym_core::walk::region::{Block, Region};

/// The sizes that are measured.
pub const SIZES: [usize; 3] = [20, 100, 900];
/// The shares of localities that are measured.
pub const SHARES: [f64; 2] = [0.1, 1.0];

/// Data without structure, of nine digits.
pub fn values(size: usize) -> Vec<i128> {
    let mut stream = Seed::from(2011).stream(size as u64);
    let mut values: Vec<i128> = (0..size).map(|_| stream.below(1_000_000_000) as i128).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The region of so many values with this share of their localities.
pub fn region(size: usize, share: f64) -> Region {
    let values = values(size);
    let (first, last) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(1));
    let data = values.iter().map(|value| (value - first) as f64 / (last - first) as f64).collect();
    let block = Block { data, localities: kept(&values, share), order: true, low: -0.1, high: 1.1 };
    Region { blocks: vec![block], ..Region::default() }
}

/// All localities as the short list that implies them, or a share of the published list.
fn kept(values: &[i128], share: f64) -> Vec<Locality> {
    if share >= 1.0 {
        return locality::staircase(values);
    }
    let mut list = locality::neighbours(values);
    let mut stream = Seed::from(2012).stream(values.len() as u64);
    list.retain(|_| stream.unit() < share);
    list
}

/// The region as text for another program: the size, the domain, the data, and a line for each locality.
pub fn text(region: &Region) -> String {
    let Some(block) = region.only_block() else { return String::new() };
    let mut text = format!("{}\n{} {}\n", block.data.len(), block.low, block.high);
    text += &block.data.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    text.push('\n');
    for one in &block.localities {
        let sign = if one.nearer == NeighbourSide::Left { 1 } else { -1 };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{} {} {} {sign}", one.left, one.middle, one.right);
    }
    text
}
