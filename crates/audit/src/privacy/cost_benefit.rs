//! Cost and benefit: an attack on a class does not pay, or publishing the class pays all the same.
//!
//! `gain / n ≤ cost`, or `benefit > loss / n`, for a class of n. An attack on one of n people brings `gain / n` and takes `cost`. Where
//! it pays, the publisher keeps `benefit − loss / n` of each record. Compared by the digits of the claim, without rounding.

use super::exact::{is_at_most, is_below};
use super::{LeastCounts, Member, Model};
use crate::decimal::Decimal;
use crate::parameters::Parameters;

const KEYS: &[&str] = &["benefit", "loss", "gain", "cost", "attack"];
const TAKES: &str = "cost-benefit takes benefit, loss, gain, cost and whether attacks are allowed, and nothing else";

pub(super) const MEMBER: Member = Member {
    name: "cost-benefit",
    reads: |given| given.word("attack") != Some("none"),
    keys: KEYS,
    takes: TAKES,
    sentence: "cost-benefit with benefit = {benefit}, loss = {loss}, gain = {gain} and cost = {cost}",
    claim: "each class brings its publisher {benefit} for each of its {unit}, and more than what attacks cost that take {loss} \
            from the publisher, bring {gain} and take {cost}",
    model,
};

pub(super) const NO_ATTACK: Member = Member {
    reads: |given| given.word("attack") == Some("none"),
    sentence: "cost-benefit with no attack, gain = {gain} and cost = {cost}",
    claim: "no attack that brings {gain} and takes {cost} pays on one of the {unit} of a class",
    ..MEMBER
};

fn model(given: &Parameters) -> Option<Model> {
    let amounts = CostBenefit {
        attack_may_pay: given.said_choice("attack", &[("allowed", true), ("none", false)])?,
        benefit: given.decimal("benefit")?,
        loss: given.decimal("loss")?,
        gain: given.decimal("gain")?,
        cost: given.decimal("cost")?,
    };
    let least = LeastCounts { size: amounts.least_size(), ..LeastCounts::default() };
    Some(Model { least, ..Model::of_class(move |class, _| amounts.allows_size(class.size).unwrap_or(false)) })
}

/// What is at stake.
struct CostBenefit {
    attack_may_pay: bool,
    benefit: Decimal,
    loss: Decimal,
    gain: Decimal,
    cost: Decimal,
}

impl CostBenefit {
    /// Whether a class of this size may be released; nothing where the amounts have too many digits.
    fn allows_size(&self, size: u64) -> Option<bool> {
        // gain / size ≤ cost, and benefit > loss / size.
        let [gain, cost] = [sides(self.gain, self.cost, size)?.0, sides(self.gain, self.cost, size)?.1];
        let is_safe = is_at_most(gain, cost);
        if !self.attack_may_pay {
            return Some(is_safe);
        }
        let (loss, benefit) = sides(self.loss, self.benefit, size)?;
        Some(if is_safe { self.benefit.is_positive() } else { is_below(loss, benefit) })
    }

    /// The smallest class that may be released, if there is one of two or more.
    fn least_size(&self) -> Option<u64> {
        let (mut low, mut high) = (0, 1 << 40);
        if !self.allows_size(high)? {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.allows_size(middle)? { high = middle } else { low = middle }
        }
        Some(high).filter(|least| *least > 1)
    }
}

/// An amount, and another times a size, as products over the same denominator.
fn sides(amount: Decimal, other: Decimal, size: u64) -> Option<([u128; 2], [u128; 2])> {
    let [[one, by], [two, other_by]] = [amount.ratio()?, other.ratio()?];
    Some(([one, other_by], [two.checked_mul(size.into())?, by]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(attack_may_pay: bool, texts: [&str; 4]) -> CostBenefit {
        let [benefit, loss, gain, cost] = texts.map(|text| Decimal::collected(text).unwrap());
        CostBenefit { attack_may_pay, benefit, loss, gain, cost }
    }

    #[test]
    fn the_smallest_class_by_hand() {
        for (allowed, texts, least) in [
            (false, ["0", "0", "300", "4"], Some(75)),
            (true, ["10", "300", "300", "4"], Some(31)),
            (true, ["1", "300", "300", "4"], Some(75)),
            (true, ["1200", "300", "300", "4"], None),
            (false, ["0", "0", "0.3", "0.1"], Some(3)),
            (false, ["0", "0", "1", "0"], None),
        ] {
            let amounts = amounts(allowed, texts);
            assert_eq!(amounts.least_size(), least, "{texts:?}");
            if let Some(least) = least {
                assert_eq!([least - 1, least].map(|size| amounts.allows_size(size)), [Some(false), Some(true)]);
            }
        }
    }
}
