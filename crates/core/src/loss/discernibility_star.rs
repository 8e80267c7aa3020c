//! Discernibility without charge (DM*): how many records each record looks like.
//!
//! The sum of the squared class sizes over all classes, whether they are suppressed or not: every record pays the size
//! of its class. Merging classes never lowers it, so the count of the lowest node bounds an interval.
//!
//! Source: El Emam et al. 2009, appendix. Spec: `specs/loss/discernibility-star.md`.

use super::{CountedNode, JudgedClasses, Loss, LossGrowth, LossMember, LossShape, LossSummary, square};
use crate::card::{Card, Promise};
use crate::frequency::Table;
use crate::lattice::Node;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "discernibility-star",
        summary: "sum of squared class sizes, suppressed classes included (DM*)",
        about: "Each record pays the size of the class it ends up in. Suppression is not charged: a suppressed record \
                pays for its class as if it were released, so the loss grows with every merge.",
        promises: &[Promise::ChargesNoSuppression, Promise::InWords("never falls on the way up the lattice")],
        parameters: &[],
        source: "K. El Emam et al., A globally optimal k-anonymity method, JAMIA 16(5), 2009, appendix",
    },
    build: |_, _| Box::new(DiscernibilityStar),
};

struct DiscernibilityStar;

impl Loss for DiscernibilityStar {
    fn summarise(&self, _: &Table, count: &JudgedClasses<'_>) -> LossSummary {
        LossSummary { units: count.set.sizes.iter().map(|&size| square(size)).sum(), parts: Vec::new() }
    }

    fn bound(&self, _: &Node, low: Option<&CountedNode>, _: Option<&CountedNode>) -> u128 {
        low.map_or(0, |low| low.summary.units)
    }

    fn shape(&self) -> LossShape<'_> {
        LossShape::ByClass(LossGrowth::Always)
    }
}
