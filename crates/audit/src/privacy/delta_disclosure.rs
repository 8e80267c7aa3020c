//! δ-disclosure: `|log₂ (p / q)| < δ` for each value, with its share p of the class and its share q of the whole table.
//!
//! A whole δ is compared in whole numbers: `p < 2^δ · q` and `q < 2^δ · p`. No other δ is met exactly by shares of whole numbers, so
//! there both sides are compared up to [`ROUNDED`].
//!
//! Source: Brickell & Shmatikov, KDD 2008.

use super::exact::is_below;
use super::shares::{ROUNDED, SharePair, all_keep};
use super::{ANY, Member, Model, Needs};

pub(super) const MEMBER: Member = Member {
    name: "delta-disclosure",
    reads: ANY,
    keys: &["variable", "delta", "absent"],
    takes: "delta-disclosure takes a variable, delta above 0, what an absent value means, if it is said, and nothing else",
    sentence: "delta-disclosure of {variable} with delta = {delta}{absent}",
    claim: "every class has shares of {variable} within a factor of two to the {delta} of those of the {owner}, by {unit}",
    model: |given| {
        let delta = given.positive("delta")?.ratio()?;
        let absent = [("violates", ""), ("ignored", ", absent values ignored")];
        let absent = given.choice("absent", &absent)?.to_owned();
        let is_closed = absent.is_empty();
        let keeps = move |pair: &SharePair| (!is_closed && pair.here == 0) || is_near(pair, delta);
        let model = Model::of_class(move |class, whole| all_keep(class.values, whole, keeps));
        Some(Model { needs: Needs::Whole, is_closed, words: vec![("absent", absent)], ..model })
    },
};

fn is_near(pair: &SharePair, [numerator, denominator]: [u128; 2]) -> bool {
    let delta = numerator as f64 / denominator as f64;
    match numerator {
        _ if denominator != 1 => pair.here > 0 && pair.ratio().log2().abs() < delta + ROUNDED,
        // More than two to the 127th times as likely is no value of a table.
        128.. => pair.here > 0,
        delta => {
            let factor = 1_u128 << delta;
            is_below([pair.here, 1], [pair.there, factor]) && is_below([pair.there, 1], [pair.here, factor])
        }
    }
}
