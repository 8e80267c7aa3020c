//! Average class size (`C_AVG`): records per class, in units of `k`.
//!
//! Records / classes / `k`: 1 is the best that classes of `k` could do. All suppressed records together count as one class, so
//! a release that withholds everything costs as much as a fully generalised one.
//!
//! **Bound.** Let `lo` have K kept and R refused classes. For a node x above it
//!
//! > classes(x) ≤ K + ⌈R / 2⌉.
//!
//! A kept class of x holds a kept class of `lo`, or at least two refused ones: a refused class that did not grow is still refused.
//! If x suppresses anything, its one class of suppressed records holds a refused class of `lo` that no kept class has. Where a model
//! looks beyond the class that it judges, a refused class may be allowed further up as it is, and classes(x) ≤ K + R. Before `lo` is
//! counted, x has no more classes than the table has keys, or the lowest node has combinations of labels. Fewer classes never
//! cost less, because one division rounds all of them; `k` scales the number and decides nothing.
//!
//! Source: the paper on Mondrian, ICDE 2006. Spec: `specs/loss/average-class-size.md`.

use super::{CountedNode, JudgedClasses, Loss, LossGrowth, LossMember, LossShape, LossSummary};
use crate::card::{Card, Kind, Parameter, Promise, integer};
use crate::frequency::Table;
use crate::lattice::Node;

pub(super) const MEMBER: LossMember = LossMember {
    card: Card {
        name: "average-class-size",
        summary: "mean number of records in a class, divided by k (C_AVG)",
        about: "Counts the classes: the more there are, the finer the release. It looks at class sizes only, not at \
                what the labels say, and the suppressed records together make one class. Give it the k of the privacy \
                model to read the result as a multiple of what is asked; the best node is the same for every k.",
        promises: &[Promise::ChargesAsFullGeneralisation],
        parameters: &[Parameter::defaulting("k", Kind::Integer { min: 1 }, "1", "the class size that counts as 1")],
        source: "K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006",
    },
    build: |table, parameters| Box::new(AverageClassSize::new(table, integer(parameters, "k"))),
};

struct AverageClassSize {
    records: u64,
    keys: u128,
    /// For each variable and level the number of labels.
    labels: Vec<Vec<u128>>,
    k: u64,
}

impl AverageClassSize {
    fn new(table: &Table, k: u64) -> Self {
        let levels = table.variables.iter().map(|variable| variable.hierarchy.levels());
        let labels = levels.map(|levels| levels.iter().map(|level| level.labels.len() as u128).collect()).collect();
        Self { records: table.records, keys: table.keys().len() as u128, labels, k: k.max(1) }
    }

    /// Records per class. With fewer than 2³² classes no two numbers of classes cost the same.
    fn units(&self, classes: u128) -> u128 {
        (u128::from(self.records) << 40) / classes.max(1)
    }

    /// How many classes the nodes from `lowest` upwards have at most.
    fn most_classes(&self, lowest: &Node) -> u128 {
        let labels = self.labels.iter().zip(&lowest.0).map(|(levels, &level)| levels[level as usize]);
        labels.fold(1_u128, u128::saturating_mul).min(self.keys)
    }
}

impl Loss for AverageClassSize {
    fn summarise(&self, _: &Table, count: &JudgedClasses<'_>) -> LossSummary {
        let kept = count.verdict.kept.iter().filter(|kept| **kept).count() as u128;
        let refused = count.set.len() as u128 - kept;
        // A class that is refused here may be kept further up, as it is, unless classes are judged by what is in them alone.
        let judged_alone = count.verdict.judged_alone && !count.set.contents.has_population();
        let rescued = if judged_alone { refused.div_ceil(2) } else { refused };
        LossSummary { units: self.units(kept + refused.min(1)), parts: vec![kept, rescued] }
    }

    fn bound(&self, lowest: &Node, low: Option<&CountedNode>, _: Option<&CountedNode>) -> u128 {
        let counted = |low: &CountedNode| low.summary.parts[0] + low.summary.parts[1];
        self.units(low.map_or_else(|| self.most_classes(lowest), counted))
    }

    fn shape(&self) -> LossShape<'_> {
        LossShape::ByClass(LossGrowth::UnlessSuppressing)
    }

    fn units_per_one(&self) -> f64 {
        super::FIXED_POINT * self.k as f64
    }
}
