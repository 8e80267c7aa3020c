//! Cost and benefit: whether an attack on a class pays, and whether publishing it does.
//!
//! An attack on one of n people brings `gain` / n and takes `cost`. Where it pays, the publisher keeps `benefit` − `loss` / n of
//! each record, which must be above 0. Compared by the digits of the claim, without rounding.

use std::fmt;

use super::Unit;
use super::exact::{is_at_most, is_below};
use crate::decimal::Decimal;

/// What is at stake.
#[derive(Clone, Copy)]
pub(crate) struct Amounts {
    pub attack_may_pay: bool,
    pub benefit: Decimal,
    pub loss: Decimal,
    pub gain: Decimal,
    pub cost: Decimal,
}

impl Amounts {
    /// Whether a class of this size may be released; nothing where the amounts have too many digits.
    pub fn hold(&self, size: u64) -> Option<bool> {
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
    pub fn least(&self) -> Option<u64> {
        let (mut low, mut high) = (0, 1 << 40);
        if !self.hold(high)? {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.hold(middle)? { high = middle } else { low = middle }
        }
        Some(high).filter(|least| *least > 1)
    }

    pub fn claim(&self, unit: Unit) -> String {
        let (gain, cost) = (self.gain, self.cost);
        if !self.attack_may_pay {
            return format!("no attack that brings {gain} and takes {cost} pays on one of the {unit} of a class");
        }
        let (benefit, loss) = (self.benefit, self.loss);
        format!(
            "each class brings its publisher {benefit} for each of its {unit}, and more than what attacks cost that take {loss} \
             from the publisher, bring {gain} and take {cost}"
        )
    }
}

impl fmt::Display for Amounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { benefit, loss, gain, cost, attack_may_pay } = self;
        match attack_may_pay {
            true => write!(out, "benefit = {benefit}, loss = {loss}, gain = {gain} and cost = {cost}"),
            false => write!(out, "no attack, gain = {gain} and cost = {cost}"),
        }
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

    fn amounts(attack_may_pay: bool, texts: [&str; 4]) -> Amounts {
        let [benefit, loss, gain, cost] = texts.map(|text| Decimal::collected(text).unwrap());
        Amounts { attack_may_pay, benefit, loss, gain, cost }
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
            assert_eq!(amounts.least(), least, "{texts:?}");
            if let Some(least) = least {
                assert_eq!([least - 1, least].map(|size| amounts.hold(size)), [Some(false), Some(true)]);
            }
        }
    }
}
