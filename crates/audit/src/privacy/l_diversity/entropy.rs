//! Entropy l-diversity: `H(class) ≥ log l`. The values are as uncertain as l equally frequent ones.
//!
//! Logarithms are rounded, here and wherever releases are made. So an entropy that is short by less than [`SHORT`] bits counts as
//! reached: l equally frequent values pass.
//!
//! Source for the other estimator: Grassberger, Entropy estimates from insufficient samplings, 2003.

use std::f64::consts::LN_2;

use crate::decimal::Decimal;
use crate::privacy::{LeastCounts, Member, Model, ValueCounts};

pub(in crate::privacy) const MEMBER: Member = Member {
    name: "l-diversity",
    reads: |given| given.word("kind") == Some("entropy"),
    keys: &["variable", "kind", "l", "estimator"],
    takes: "entropy l-diversity takes a variable, l above 1, an estimator that is known, and nothing else",
    sentence: "entropy l-diversity of {variable} with l = {l}{estimated}",
    claim: "every class is as uncertain of {variable} as {l} equally frequent values, by {unit}",
    model: |given| {
        let l = given.decimal("l").filter(|l| Decimal::ONE.is_below(*l) == Some(true))?.as_float();
        let estimators = [("shannon", Estimator::Shannon), ("grassberger", Estimator::Grassberger)];
        let estimator = given.choice("estimator", &estimators)?;
        let model = Model::of_class(move |class, _| is_uncertain(class.values, l, estimator));
        // m values have an entropy of at most log m by Shannon's measure, and unions keep it by no other.
        Some(match estimator {
            Estimator::Shannon => {
                Model { least: LeastCounts::values(least(l)), words: vec![("estimated", String::new())], ..model }
            }
            Estimator::Grassberger => Model {
                is_closed: false,
                words: vec![("estimated", ", estimated as Grassberger does".to_owned())],
                ..model
            },
        })
    },
};

/// A billionth of a bit, and what two ways to round may differ by.
const SHORT: f64 = 1.01e-9;

/// How the entropy of a class is told from its counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Estimator {
    Shannon,
    Grassberger,
}

/// Whether a class is as uncertain as `l` equally frequent values.
fn is_uncertain(class: &ValueCounts, l: f64, estimator: Estimator) -> bool {
    let size: u64 = class.values().sum();
    let log = |count: u64| match estimator {
        Estimator::Shannon => (count as f64).ln(),
        Estimator::Grassberger => grassberger(count),
    };
    let told: f64 = sum(class.values().map(|count| *count as f64 * (log(size) - log(*count))));
    size > 0 && told / size as f64 >= l.ln() - SHORT * LN_2
}

/// The fewest distinct values that can be so uncertain by Shannon's measure.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above 1")]
fn least(l: f64) -> u64 {
    (l * (1.0 - 2.0 * SHORT)).ceil() as u64
}

/// G of a count: the digamma function at the middle of its pair, and ln 2.
fn grassberger(count: u64) -> f64 {
    digamma((count / 2) as f64 + 0.5) + LN_2
}

/// The digamma function of a positive number: its series where that is exact, and steps of one up to there.
fn digamma(number: f64) -> f64 {
    let (mut x, mut below) = (number, 0.0);
    while x < 16.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)));
    x.ln() - 0.5 / x - series - below
}

/// A sum that does not lose what it rounds off (Neumaier).
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_counts_share_a_number() {
        // −γ − ln 2, then two more for the first pair, two thirds more for the second.
        let first = -0.577_215_664_901_532_9 - LN_2;
        let mut expected = first;
        for pairs in 0..200_u64 {
            if pairs > 0 {
                expected += 2.0 / (2.0 * pairs as f64 - 1.0);
            }
            for count in [2 * pairs, 2 * pairs + 1] {
                assert!((grassberger(count) - expected).abs() < 1e-12, "{count}");
            }
        }
    }

    #[test]
    fn equally_frequent_values_are_as_many() {
        for l in [2_u32, 3, 7, 100] {
            for count in [1, 3, 1_000_003] {
                let mut class: ValueCounts = (0..l).map(|value| (value, count)).collect();
                assert!(is_uncertain(&class, l.into(), Estimator::Shannon), "{l} {count}");
                class.insert(0, count + 1);
                assert!(!is_uncertain(&class, l.into(), Estimator::Shannon) || count > 1000, "{l} {count}");
            }
        }
        assert_eq!([2.0, 2.000_000_001, 2.1, 3.0].map(least), [2, 2, 3, 3]);
    }
}
