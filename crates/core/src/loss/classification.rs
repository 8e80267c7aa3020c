//! Classification (CM): how many records a class says the wrong thing about.
//!
//! Somebody who learns a target variable from the release predicts the most frequent value of each class. A kept record
//! pays 1 when its own value is another one; a suppressed record teaches nothing and pays 1. The loss is the mean over
//! the records. A class full of one value costs nothing however coarse its labels are: generalisation that does not
//! blur the target is free.
//!
//! A fully generalised table still knows the most frequent value of all, so suppressing a record can cost more than
//! generalising it: a release that withholds everything loses 1, and none loses more.
//!
//! **Bound** of an interval from `lo` to `hi`. Call the records outside the majority of their class its *minority*. Let K and S
//! be the minorities in the classes that `lo` keeps and suppresses, F the records that `hi` suppresses, and M the minority
//! among those F. For every node x of the interval
//!
//! > wrong answers of x ≥ K + F + max(0, S − M).
//!
//! A minority only grows when classes merge: the most frequent value of a union is at most as frequent there as in its parts
//! together. x keeps what `lo` keeps and pays K. The F records pay 1 each. Of the other records that `lo` suppresses, x pays at least
//! the minority, which is S less the part of S in F, and that part is at most M. Before `lo` is counted, K + S is at least the
//! minority of the table as collected.
//!
//! The target is a variable that is released as it is; its spread is counted beside those that the privacy models guard
//! ([`Table::sensitive`]). Missing is a value of its own.
//!
//! Source: Iyengar 2002. Spec: `specs/loss/classification.md`.

use super::{CountedNode, JudgedClasses, Loss, LossGrowth, LossMember, LossShape, LossSummary};
use crate::card::{Card, Kind, Parameter, Promise, text};
use crate::frequency::{FrequencySet, Table};
use crate::lattice::Node;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "classification",
        summary: "share of records that differ from the most frequent target value of their class (CM)",
        about: "For releases from which a target variable is to be predicted. Each record pays 1 when its class's most \
                frequent target value is not its own, or when it is suppressed. Generalising variables that do not \
                tell about the target costs nothing, so they are generalised first, and several nodes may cost the \
                same: the one with fewer suppressed records and lower levels is then chosen.",
        promises: &[Promise::InWords("charges suppression as a wrong prediction"), Promise::ZeroToOne],
        parameters: &[Parameter::required(
            "target",
            Kind::UnrecodedVariable,
            "the variable to be predicted from the quasi-identifiers",
        )],
        source: "V. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002",
    },
    build: |table, parameters| {
        let wanted = text(parameters, "target");
        let target = table.sensitive.iter().position(|name| name == wanted).unwrap_or_default();
        let all = vec![true; table.keys().len()];
        let least = minority(table.keys(), target, &all, true);
        Box::new(Classification { target, least, records: table.records })
    },
};

struct Classification {
    /// The place of the target among the counted spreads.
    target: usize,
    /// The minority of the table as collected.
    least: u128,
    records: u64,
}

impl Loss for Classification {
    fn summarise(&self, _: &Table, count: &JudgedClasses<'_>) -> LossSummary {
        let minority_of = |wanted| minority(count.set, self.target, &count.verdict.kept, wanted);
        let (kept, suppressed) = (minority_of(true), minority_of(false));
        LossSummary { units: kept + u128::from(count.verdict.suppressed), parts: vec![kept, suppressed] }
    }

    fn bound(&self, _: &Node, low: Option<&CountedNode>, high: Option<&CountedNode>) -> u128 {
        let (kept, suppressed) = low.map_or((0, self.least), |low| (low.summary.parts[0], low.summary.parts[1]));
        if let Some(forced) = high.and_then(|high| high.forced.as_ref()) {
            return (kept + suppressed).max(forced.records.into());
        }
        let (wrong, explained) = high.map_or((0, 0), |high| (u128::from(high.suppressed), high.summary.parts[1]));
        kept + wrong + suppressed.saturating_sub(explained)
    }

    fn looks_at_values(&self) -> bool {
        true
    }

    fn shape(&self) -> LossShape<'_> {
        LossShape::ByClass(LossGrowth::Unknown)
    }

    fn units_per_one(&self) -> f64 {
        self.records.max(1) as f64
    }
}

/// The records outside the majority of their class, over the classes that are kept or not, as wanted.
fn minority(set: &FrequencySet, target: usize, kept: &[bool], wanted: bool) -> u128 {
    let of_class = |class: usize| {
        let most = set.contents.sensitive[target].in_class(class).iter().map(|&(_, count)| count).max().unwrap_or(0);
        u128::from(set.sizes[class].saturating_sub(most))
    };
    (0..set.len()).filter(|&class| kept[class] == wanted).map(of_class).sum()
}
