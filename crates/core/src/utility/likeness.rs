//! Likeness: how closely new values follow the original ones.
//!
//! Pearson's coefficient of each column after with the same column before, record by record. A coefficient of 1 says that new
//! values are a straight line of the old ones: good for whoever works with them, and little protection. The figure is what
//! is missing to 1. A constant column follows nothing.
//!
//! Source: Xue et al. 2011, who want the correlation of new with original values to be weak. Spec: `specs/utility/likeness.md`.

use super::correlation::of_values;
use super::{Figure, MeasuredColumn, MetricMember};
use crate::card::{Card, Promise};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "likeness",
        summary: "how far new values are from following the original ones in a straight line",
        about: "One less Pearson's coefficient of a column after with the same column before, 0 to 2. 0 means that the new \
                values are the old ones, stretched and shifted at most: of most use, and of least protection. Aligned records.",
        promises: &[Promise::ZeroOnItself],
        parameters: &[],
        source: "M. Xue et al., Utility-driven anonymization in data publishing, CIKM 2011",
    },
    needs_alignment: true,
    in_reports: true,
    measure: |pair, _| {
        let figure = |(before, after): (&MeasuredColumn, &MeasuredColumn)| {
            let coefficient = of_values(&before.values, &after.values);
            // A column without spread on either side is like itself.
            let coefficient = coefficient.unwrap_or(if before.values == after.values { 1.0 } else { 0.0 });
            Figure::of_column("coefficient missing to 1", &before.name, 1.0 - coefficient).between(1.0, coefficient)
        };
        pair.columns().map(figure).collect()
    },
};
