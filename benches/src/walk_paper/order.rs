//! The default walk with and without the order: what `order = false` gives and takes, measured once.

use equanym_core::random::Seed;
use equanym_core::risk::linkage::linkage;
use equanym_core::utility::distortion::distortion;
use equanym_core::utility::{localities, ranking};
use equanym_core::walk::{WalkSettings, walk};

use super::data::{Data, floats};
use crate::failure::Result;

/// One walk; shares are means over the columns.
pub struct OrderTrial {
    pub data: &'static str,
    pub records: usize,
    pub theta: f64,
    pub order: bool,
    pub distortion: f64,
    /// Pairs of records of a segment whose order came out the other way.
    pub turned: f64,
    /// Comparisons of distances that came out the other way.
    pub broken: f64,
    /// Values that are found again by their rank in the segment.
    pub linked: f64,
}

/// Walks with the order and without it, with all localities and with some.
pub fn measure(data: &Data) -> Result<Vec<OrderTrial>> {
    let ways = [1.0, 0.2, 0.02].into_iter().flat_map(|theta| [(theta, true), (theta, false)]);
    ways.map(|(theta, order)| trial(data, theta, order)).collect()
}

fn trial(data: &Data, theta: f64, order: bool) -> Result<OrderTrial> {
    let settings = WalkSettings { theta, order, ..WalkSettings::default() };
    let walked = walk(&data.columns, &[], &settings, Seed::from(71))?;
    let old: Vec<Vec<f64>> = data.columns.iter().map(|column| floats(&column.values)).collect();
    let new: Vec<Vec<f64>> = walked.columns.iter().map(|column| floats(&column.values)).collect();
    let [before, after] = [&old, &new].map(|columns| columns.iter().map(Vec::as_slice).collect::<Vec<&[f64]>>());
    let names: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    let linked = linkage(&names, &before, &after, Some(settings.segment));
    let mean = |share: &dyn Fn(usize) -> f64| (0..old.len()).map(share).sum::<f64>() / old.len().max(1) as f64;
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let turned = |place: usize| {
        let segments = old[place].chunks(settings.segment).zip(new[place].chunks(settings.segment));
        let counts = segments.map(|(old, new)| ranking::compare(old, new));
        let (pairs, turned) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        share(turned, pairs)
    };
    let broken = |place: usize| {
        let counts = localities::compare(&old[place], &new[place], settings.segment, settings.segments);
        share(counts.broken, counts.all)
    };
    Ok(OrderTrial {
        data: data.name,
        records: data.records(),
        theta,
        order,
        distortion: distortion(&before, &after),
        turned: mean(&turned),
        broken: mean(&broken),
        linked: mean(&|place| linked.columns.get(place).and_then(|one| one.rank_within_segments).unwrap_or(0.0)),
    })
}
