//! (α, k)-anonymity: `|class| ≥ k`, and `count(value) ≤ α · |class|` for each value.

use super::exact::is_at_most;
use super::{ANY, ClassView, LeastCounts, Member, Model};
use crate::decimal::Decimal;

pub(super) const MEMBER: Member = Member {
    name: "alpha-k",
    reads: ANY,
    keys: &["variable", "alpha", "k"],
    takes: "alpha-k takes a variable, alpha from 0 to 1, k, a whole number from 2, and nothing else",
    sentence: "alpha-k of {variable} with alpha = {alpha} and k = {k}",
    claim: "every class holds {k} {unit} or more, none of the values of {variable} above {alpha} of them",
    model: |given| {
        let (alpha, k) = (given.share("alpha")?, given.several("k")?);
        let model = Model::of_class(move |class, _| class.size >= k && class.is_spread(alpha));
        Some(Model { least: LeastCounts::size(k), ..model })
    },
};

impl ClassView<'_> {
    /// Whether no value makes up more than a share.
    pub(super) fn is_spread(self, share: Decimal) -> bool {
        let size = u128::from(self.values.values().sum::<u64>());
        let is_rare = |[part, whole]: [u128; 2], count: u64| is_at_most([count.into(), whole], [part, size]);
        !self.values.is_empty()
            && share.ratio().is_some_and(|share| self.values.values().all(|count| is_rare(share, *count)))
    }
}
