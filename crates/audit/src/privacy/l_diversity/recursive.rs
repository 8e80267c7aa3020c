//! Recursive (c, l)-diversity: `n₁ < c · (n_l + … + n_m)`, with the counts of a class's m values in falling order.
//!
//! Whole numbers on both sides.

use crate::decimal::Decimal;
use crate::privacy::exact::is_below;
use crate::privacy::{LeastCounts, Member, Model, ValueCounts};

pub(in crate::privacy) const MEMBER: Member = Member {
    name: "l-diversity",
    reads: |given| given.word("kind") == Some("recursive"),
    keys: &["variable", "kind", "l", "c"],
    takes: "recursive l-diversity takes a variable, l, a whole number from 2, c above 0, and nothing else",
    sentence: "recursive l-diversity of {variable} with l = {l} and c = {c}",
    claim: "every class holds fewer {unit} with the most frequent value of {variable} than {c} times those with values from place \
            {l} on",
    model: |given| {
        let (l, c) = (given.several("l")?, given.positive("c")?);
        let model = Model::of_class(move |class, _| is_recursive(class.values, l, c).unwrap_or(false));
        Some(Model { least: LeastCounts::values(l), ..model })
    },
};

fn is_recursive(class: &ValueCounts, l: u64, c: Decimal) -> Option<bool> {
    let mut counts: Vec<u64> = class.values().copied().collect();
    counts.sort_unstable();
    let most = *counts.last()?;
    let rare = counts.len().checked_sub(usize::try_from(l).ok()?.checked_sub(1)?)?;
    let rest: u128 = counts.iter().take(rare).map(|count| u128::from(*count)).sum();
    let [numerator, denominator] = c.ratio()?;
    Some(rare > 0 && is_below([most.into(), denominator], [numerator, rest]))
}
