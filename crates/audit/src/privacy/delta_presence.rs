//! δ-presence: `min ≤ |class| / |class in the population| ≤ max`.
//!
//! Where min is above 0 nobody of the population may be known to be absent: each class of the population needs a record.

use super::exact::is_at_most;
use super::{ANY, LeastCounts, Member, Model};

pub(super) const MEMBER: Member = Member {
    name: "delta-presence",
    reads: ANY,
    keys: &["min", "max"],
    takes: "delta-presence takes min and max from 0 to 1, max not below min, and nothing else",
    sentence: "delta-presence with min = {min} and max = {max}",
    claim: "every class is between {min} and {max} of the {unit} that the population has of it",
    model: |given| {
        let (min, max) = (given.share("min")?, given.share("max")?);
        let least = LeastCounts { presence: min.is_positive(), ..LeastCounts::default() };
        let is_range = max.is_below(min) == Some(false);
        let ([min, min_of], [max, max_of]) = (min.ratio()?, max.ratio()?);
        let model = Model::of_population(move |here, population| {
            let (here, population) = (u128::from(here), u128::from(population));
            is_at_most([population, min], [here, min_of]) && is_at_most([here, max_of], [population, max])
        });
        is_range.then_some(Model { least, ..model })
    },
};

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn shares_are_exact() {
        let model = crate::privacy::tests::model(json!({"model": "delta-presence", "min": 0.2, "max": 0.6}));
        let allows = |(here, population)| model.allows_in(here, population);
        assert_eq!([(1, 5), (3, 5), (4, 5), (0, 5), (0, 0)].map(allows), [true, true, false, false, true]);
        assert!(!allows((u64::MAX, u64::MAX)));
    }
}
