//! Discernibility (DM): how many records each record looks like, a suppressed one like all of them.
//!
//! A kept record pays the size of its class, a suppressed one the size n of the table. Not monotone: a merge that rescues
//! records can lower it.
//!
//! **Bound** of an interval from `lo` to `hi`. Let A be what the records that `lo` keeps pay at `lo`, F the records that `hi`
//! suppresses, and S those that `lo` suppresses. For every node x of the interval
//!
//! > DM(x) ≥ max(A + n F + (S − F), DM* of `lo`).
//!
//! Classes only grow upwards, so kept records of `lo` pay A or more. The F records pay n each, and the other S − F at least 1
//! each. Whatever is suppressed, a record pays at least its class at `lo`: that is DM*.
//!
//! Source: Bayardo & Agrawal 2005; El Emam et al. 2009, appendix. Spec: `specs/loss/discernibility.md`.

use super::{CountedNode, JudgedClasses, Loss, LossGrowth, LossMember, LossShape, LossSummary, square};
use crate::card::{Card, Promise};
use crate::frequency::Table;
use crate::lattice::Node;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "discernibility",
        summary: "sum of squared class sizes; a suppressed record costs as much as the whole table (DM)",
        about: "Each kept record pays the size of its class, each suppressed record the number of records in the \
                table, as if it were fully generalised.",
        promises: &[Promise::ChargesAsFullGeneralisation],
        parameters: &[],
        source: "R. Bayardo, R. Agrawal, Data privacy through optimal k-anonymization, ICDE 2005; K. El Emam et al., \
                 JAMIA 16(5), 2009, appendix",
    },
    build: |table, _| Box::new(Discernibility { records: table.records }),
};

struct Discernibility {
    records: u64,
}

impl Loss for Discernibility {
    fn summarise(&self, _: &Table, count: &JudgedClasses<'_>) -> LossSummary {
        let squares = |wanted: bool| -> u128 {
            let classes = count.set.sizes.iter().zip(&count.verdict.kept);
            classes.filter(|(_, kept)| **kept == wanted).map(|(&size, _)| square(size)).sum()
        };
        let (kept, suppressed) = (squares(true), squares(false));
        let largest = count.set.sizes.iter().copied().max().unwrap_or(0);
        let parts = vec![kept, kept + suppressed, largest.into()];
        LossSummary { units: kept + self.charge(count.verdict.suppressed), parts }
    }

    fn bound(&self, _: &Node, low: Option<&CountedNode>, high: Option<&CountedNode>) -> u128 {
        let charged = high.map_or(0, CountedNode::forced_records);
        let Some(low) = low else { return self.charge(charged) };
        if high.is_some_and(|high| high.forced.is_some()) {
            // Whichever they are: each pays for the whole table, and would have paid for the largest class at most.
            return low.summary.parts[1] + u128::from(charged) * (u128::from(self.records) - low.summary.parts[2]);
        }
        let rest = u128::from(low.suppressed.saturating_sub(charged));
        (low.summary.parts[0] + self.charge(charged) + rest).max(low.summary.parts[1])
    }

    fn shape(&self) -> LossShape<'_> {
        LossShape::ByClass(LossGrowth::UnlessSuppressing)
    }
}

impl Discernibility {
    fn charge(&self, suppressed: u64) -> u128 {
        u128::from(suppressed) * u128::from(self.records)
    }
}
