//! β-likeness: `p ≤ (1 + β) · q` for each value, with its share p of the class and its share q of the whole table.
//!
//! *Enhanced*: `p ≤ (1 + min(β, −ln q)) · q`. β is compared in whole numbers; the logarithm is not, and never met exactly but by q = 1,
//! so there both sides are compared up to [`ROUNDED`].
//!
//! Source: Cao & Karras, PVLDB 5(11), 2012.

use super::exact::is_at_most;
use super::shares::{ROUNDED, SharePair, all_keep};
use super::{ANY, Member, Model, Needs};

pub(super) const MEMBER: Member = Member {
    name: "beta-likeness",
    reads: ANY,
    keys: &["variable", "beta", "kind"],
    takes: "beta-likeness takes a variable, beta above 0, a kind that is known, and nothing else",
    sentence: "{kind} beta-likeness of {variable} with beta = {beta}",
    claim: "every class has no share of {variable} above that of the {owner} by more than {beta} times, by {unit}",
    model: |given| {
        let [beta, one] = given.positive("beta")?.ratio()?;
        let factor = beta.checked_add(one)?;
        let (kind, enhanced) =
            given.choice("kind", &[("basic", ("basic", false)), ("enhanced", ("enhanced", true))])?;
        let is_within = move |pair: &SharePair| is_at_most([pair.here, one], [pair.there, factor]);
        let is_expected = |pair: &SharePair| pair.ratio() - 1.0 <= -pair.of_whole.ln() + ROUNDED * pair.ratio();
        let keeps = move |pair: &SharePair| is_within(pair) && (!enhanced || is_expected(pair));
        let model = Model::of_class(move |class, whole| all_keep(class.values, whole, keeps));
        Some(Model { needs: Needs::Whole, words: vec![("kind", kind.to_owned())], ..model })
    },
};
