//! Rounded numbers: the nearest multiple of a number.

use super::numbers::of_numbers;
use super::{TreatmentMember, UNFIT, number};
use crate::decimal::Decimal;

pub(super) const MEMBER: TreatmentMember = TreatmentMember {
    name: "round",
    keys: &["to"],
    treatment: |given| {
        let to = number(given, "to")?;
        let is_multiple = move |number: Decimal| to.band_of(number).is_some_and(|(low, _)| low == number);
        let treatment = of_numbers(format!("multiples of {to}"), is_multiple, move |number| rounded(number, to));
        to.is_positive().then_some(treatment).ok_or(UNFIT)
    },
};

/// The nearest multiple; of two that are equally near, the even one.
fn rounded(number: Decimal, to: Decimal) -> Option<Decimal> {
    let (low, high) = to.band_of(number)?;
    let [below, above] = [number.minus(low)?, high.minus(number)?];
    Some(match (below.is_below(above)?, above.is_below(below)?) {
        (true, _) => low,
        (_, true) => high,
        _ => {
            let (even, _) = to.plus(to)?.band_of(low)?;
            if even == low { low } else { high }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_even_multiple() {
        let round = |number: &str, to: &str| {
            rounded(Decimal::collected(number)?, Decimal::collected(to)?).map(|number| number.to_string())
        };
        for (number, to, expected) in [
            ("150", "100", "200"),
            ("250", "100", "200"),
            ("-250", "100", "-200"),
            ("0.3", "0.25", "0.25"),
            ("149.9", "100", "100"),
        ] {
            assert_eq!(round(number, to).as_deref(), Some(expected), "{number}");
        }
    }
}
