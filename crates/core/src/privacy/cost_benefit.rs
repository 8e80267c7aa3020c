//! Cost and benefit: a record is published where that pays although somebody may attack it.
//!
//! Take a class of n. An intruder who attacks one of its records finds the person with a chance of 1/n, and attacks where that pays:
//!
//! > `gain` / n > `cost`.
//!
//! The publisher gains `benefit` from each record, and loses `loss` / n where it is attacked. A class may be released where
//!
//! > `benefit` − `loss` / n > 0, or no attack pays: `gain` / n ≤ `cost`.
//!
//! With `attack = "none"` only the second counts. Both look at the size alone: n > `loss` / `benefit`, or n ≥ ⌈`gain` / `cost`⌉. The
//! smaller of the two is the smallest class, found in whole numbers.
//!
//! Limits: a record is worth the same whatever its labels tell; what generalisation costs is the loss that the search
//! minimises. Everybody is taken to be as interesting as everybody else.
//!
//! Source: Wan et al. 2015, the intruder who knows that the person is in the table. Spec: `specs/privacy/cost-benefit.md`.

use super::ratio::in_units;
use super::smallest_class::SmallestClass;
use super::{ModelError, ModelMember, ModelNeeds, NearestParameter};
use crate::card::{Card, Kind, Parameter, Parameters, Promise, number, text};

const AMOUNT: Kind = Kind::UpTo(1_000_000_000);

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "cost-benefit",
        summary: "publishing each record pays, although an intruder attacks where that pays",
        about: "The publisher gains `benefit` from a record and loses `loss` when its person is recognised; the intruder gains \
                `gain` from recognising somebody, and an attack takes `cost`. In a class of n people an attack succeeds once in \
                n times. With `attack = \"none\"` no attack may pay, and the publisher's amounts do not matter. Any unit of \
                money will do, the same for all.",
        promises: &[Promise::Monotone],
        parameters: &[
            Parameter::defaulting(
                "attack",
                Kind::Choice(&["allowed", "none"]),
                "allowed",
                "whether attacks may pay as long as publishing does, or none may",
            ),
            Parameter::defaulting(
                "benefit",
                AMOUNT,
                "0",
                "what the publisher gains from a record; above 0 where attacks are allowed",
            ),
            Parameter::defaulting(
                "loss",
                AMOUNT,
                "0",
                "what the publisher loses with a recognised record; above 0 where attacks are allowed",
            ),
            Parameter::required("gain", AMOUNT, "what the intruder gains from a recognised record"),
            Parameter::required("cost", AMOUNT, "what an attack on a record takes"),
        ],
        source: "Z. Wan et al., A game theoretic framework for analyzing re-identification risk, PLoS ONE 10(3), 2015",
    },
    needs: |_| ModelNeeds::Class,
    build: |parameters, _| {
        let [benefit, cost] = ["benefit", "cost"].map(|name| amount(parameters, name).0);
        // What is cut off makes nothing safer.
        let [loss, gain] =
            ["loss", "gain"].map(|name| amount(parameters, name)).map(|(cut, rest)| cut + u128::from(rest));
        let is_safe_from = gain.div_ceil(cost.max(1)).max(1);
        let safe = if cost == 0 && gain > 0 { u128::MAX } else { is_safe_from };
        let least = match text(parameters, "attack") {
            "none" => safe,
            _ if benefit == 0 || loss == 0 => {
                let message = "where attacks are allowed, benefit and loss of the publisher must be above 0";
                return Err(ModelError::Unfit(message.to_owned()));
            }
            _ => safe.min(loss / benefit + 1),
        };
        let least = u64::try_from(least).unwrap_or(u64::MAX);
        let gain = number(parameters, "gain");
        let nearest =
            move |people: u64| Some(NearestParameter::at_least(MEMBER.card.name, "cost", gain / people.max(1) as f64));
        Ok(Box::new(SmallestClass { least, nearest }))
    },
};

/// An amount in thousand-millionths, and whether digits beyond the ninth were cut off.
fn amount(parameters: &Parameters, name: &str) -> (u128, bool) {
    in_units(number(parameters, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Value;

    fn least(given: &[(&str, f64)], attack: &str) -> Result<u64, String> {
        let numbers = given.iter().map(|(name, number)| ((*name).to_owned(), Value::Number(*number)));
        let given = numbers.chain([("attack".to_owned(), Value::Text(attack.to_owned()))]).collect();
        let model = super::super::build(MEMBER.card.name, &given, &[]).map_err(|error| error.to_string())?;
        Ok(model.least_size())
    }

    #[test]
    fn the_smallest_class_by_hand() {
        // Where an attack takes 4 and brings 300, it pays up to 74 people.
        assert_eq!(least(&[("gain", 300.0), ("cost", 4.0)], "none"), Ok(75));
        // 1200 from each record and 300 lost by each recognised one: publishing always pays.
        let amounts = |benefit, loss| [("benefit", benefit), ("loss", loss), ("gain", 300.0), ("cost", 4.0)];
        assert_eq!(least(&amounts(1200.0, 300.0), "allowed"), Ok(1));
        // With 10 from each record one of 30 just breaks even, which is not above 0.
        assert_eq!(least(&amounts(10.0, 300.0), "allowed"), Ok(31));
        // Attacks stop before that pays.
        assert_eq!(least(&amounts(1.0, 300.0), "allowed"), Ok(75));
        assert_eq!(least(&[("gain", 0.3), ("cost", 0.1)], "none"), Ok(3));
        assert_eq!(least(&[("gain", 1.0), ("cost", 0.0)], "none"), Ok(u64::MAX));
        assert_eq!(least(&[("gain", 0.0), ("cost", 0.0)], "none"), Ok(1));
    }

    #[test]
    fn amounts_that_make_no_sense_are_refused() {
        let refused = |given: &[(&str, f64)]| least(given, "allowed").unwrap_err();
        assert!(refused(&[("gain", 1.0), ("cost", 1.0)]).contains("must be above 0"));
        for wrong in [-1.0, f64::NAN, f64::INFINITY, 1e10] {
            for name in ["gain", "cost", "benefit", "loss"] {
                let mut given = vec![("gain", 1.0), ("cost", 1.0), ("benefit", 1.0), ("loss", 1.0)];
                given.retain(|(other, _)| *other != name);
                given.push((name, wrong));
                assert!(refused(&given).contains("must be a number from 0"), "{name} = {wrong}");
            }
        }
    }
}
