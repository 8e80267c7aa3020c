//! What a privacy claim says, read strictly: a model takes its own parameters and no others, each within its range.

use serde_json::Number;

use super::closeness::Distance;
use super::diversity::Estimator;
use super::drawn::Drawn;
use super::profit::Amounts;
use super::whole_table::{Law, Population};
use super::{Checked, Promise, Rule, Unit, mapped};
use crate::decimal::Decimal;
use crate::manifest::{Column, Privacy};

const UNKNOWN: &str = "not known to this audit";
const K: &str = "k-anonymity takes k, a whole number from 2, and nothing else";
const L: &str = "l-diversity takes a variable and l, a whole number from 2, and nothing else";
const ENTROPY: &str = "entropy l-diversity takes a variable, l above 1, an estimator that is known, and nothing else";
const RECURSIVE: &str = "recursive l-diversity takes a variable, l, a whole number from 2, c above 0, and nothing else";
const T: &str = "t-closeness takes a variable, t from 0 to 1, a distance that is known, and nothing else";
const DELTA: &str =
    "delta-disclosure takes a variable, delta above 0, what an absent value means, if it is said, and nothing else";
const BETA: &str = "beta-likeness takes a variable, beta above 0, a kind that is known, and nothing else";
const AVERAGE: &str = "average-risk takes max from 0 to 1, and nothing else";
const AT_RISK: &str = "records-at-risk takes highest above 0 and share from 0, both up to 1, and nothing else";
const ALONE: &str = "sample-uniques takes max from 0 to 1, and nothing else";
const POPULATION: &str = "population-uniques takes max, an estimator that is known, a fraction or the size of the population, and nothing else";
const COST: &str = "cost-benefit takes benefit, loss, gain, cost and whether attacks are allowed, and nothing else";
const PRESENCE: &str = "delta-presence takes min and max from 0 to 1, max not below min, and nothing else";
const MAP: &str =
    "k-map takes k, a whole number from 2; or a fraction, an estimator and a significance besides; and nothing else";
const DRAWN: &str = "differential-privacy takes epsilon and delta, beta and k that keep them, epsilon_search and seeded, if they are said, and \
                     nothing else";
const LKC: &str = "lkc takes a variable, l, a whole number from 1 to 4, k, a whole number from 2, c above 0 and up to 1, and nothing else";
const ALPHA: &str = "alpha-k takes a variable, alpha from 0 to 1, k, a whole number from 2, and nothing else";

/// Understands a claim about a table with these columns; otherwise says why not.
pub(super) fn understood(claim: &Privacy, columns: &[Column]) -> Result<Promise, &'static str> {
    let (keys, why, rule) = rule(claim)?;
    if claim.given().into_iter().any(|key| !keys.contains(&key)) {
        return Err(why);
    }
    let rule = rule.ok_or(why)?;
    let column = if keys.contains(&"variable") { Some(sensitive(claim, columns)?) } else { None };
    let name = claim.variable.clone().unwrap_or_default();
    Ok(Promise { model: rule.model(), rule, checked: checked(claim)?, unit: unit(claim)?, column, name })
}

/// The parameters that a model takes, what to say where others are given, and the rule, if they are in range.
type Read = (&'static [&'static str], &'static str, Option<Rule>);

fn rule(claim: &Privacy) -> Result<Read, &'static str> {
    Ok(match (claim.model.as_str(), claim.kind.as_deref()) {
        ("k-anonymity", _) => (&["k"], K, whole(claim.k.as_ref()).map(|k| Rule::Size { k })),
        ("l-diversity", None | Some("distinct")) => {
            (&["variable", "kind", "l"], L, whole(claim.l.as_ref()).map(|l| Rule::Distinct { l }))
        }
        ("l-diversity", Some("entropy")) => (&["variable", "kind", "l", "estimator"], ENTROPY, entropy(claim)),
        ("l-diversity", Some("recursive")) => (&["variable", "kind", "l", "c"], RECURSIVE, recursive(claim)),
        ("l-diversity", Some(_)) => return Err("this kind of l-diversity is not known to this audit"),
        ("t-closeness", _) => (&["variable", "t", "distance"], T, closeness(claim)),
        ("delta-disclosure", _) => (&["variable", "delta", "absent"], DELTA, disclosure(claim)),
        ("beta-likeness", kind) => (&["variable", "beta", "kind"], BETA, likeness(claim, kind)),
        ("lkc", _) => (&["variable", "l", "k", "c"], LKC, lkc(claim)),
        ("alpha-k", _) => (&["variable", "alpha", "k"], ALPHA, alpha_k(claim)),
        ("average-risk", _) => (&["max"], AVERAGE, share(claim.max.as_ref()).map(|max| Rule::AverageRisk { max })),
        ("records-at-risk", _) => (&["highest", "share"], AT_RISK, at_risk(claim)),
        ("sample-uniques", _) => (&["max"], ALONE, share(claim.max.as_ref()).map(|max| Rule::SampleUniques { max })),
        ("population-uniques", _) => {
            (&["max", "estimator", "known", "fraction", "population_size"], POPULATION, population_uniques(claim))
        }
        ("cost-benefit", _) => (&["benefit", "loss", "gain", "cost", "attack"], COST, cost_benefit(claim)),
        ("delta-presence", _) => (&["min", "max"], PRESENCE, presence(claim)),
        ("k-map", _) if claim.fraction.is_none() => (&["k"], MAP, whole(claim.k.as_ref()).map(|k| Rule::Map { k })),
        ("k-map", _) => (&["k", "fraction", "estimator", "significance"], MAP, estimated(claim)),
        ("differential-privacy", _) => {
            (&["epsilon", "epsilon_search", "delta", "beta", "k", "seeded"], DRAWN, drawn(claim))
        }
        _ => return Err(UNKNOWN),
    })
}

fn entropy(claim: &Privacy) -> Option<Rule> {
    let estimator = match claim.estimator.as_deref() {
        None | Some("shannon") => Estimator::Shannon,
        Some("grassberger") => Estimator::Grassberger,
        Some(_) => return None,
    };
    let l = decimal(claim.l.as_ref()).filter(|l| Decimal::ONE.is_below(*l) == Some(true))?;
    Some(Rule::Entropy { l, estimator })
}

fn recursive(claim: &Privacy) -> Option<Rule> {
    Some(Rule::Recursive { l: whole(claim.l.as_ref())?, c: positive(claim.c.as_ref())? })
}

fn closeness(claim: &Privacy) -> Option<Rule> {
    let distance = match claim.distance.as_deref() {
        None | Some("equal") => Distance::Equal,
        Some("ordered") => Distance::Ordered,
        Some("hierarchical") => Distance::Hierarchical,
        Some(_) => return None,
    };
    Some(Rule::Closeness { t: share(claim.t.as_ref())?, distance })
}

fn disclosure(claim: &Privacy) -> Option<Rule> {
    let ignores_absent = match claim.absent.as_deref() {
        None | Some("violates") => false,
        Some("ignored") => true,
        Some(_) => return None,
    };
    Some(Rule::Disclosure { delta: positive(claim.delta.as_ref())?, ignores_absent })
}

fn likeness(claim: &Privacy, kind: Option<&str>) -> Option<Rule> {
    let enhanced = match kind {
        None | Some("basic") => false,
        Some("enhanced") => true,
        Some(_) => return None,
    };
    Some(Rule::Likeness { beta: positive(claim.beta.as_ref())?, enhanced })
}

fn alpha_k(claim: &Privacy) -> Option<Rule> {
    Some(Rule::AlphaK { alpha: share(claim.alpha.as_ref())?, k: whole(claim.k.as_ref())? })
}

fn at_risk(claim: &Privacy) -> Option<Rule> {
    let highest = share(claim.highest.as_ref()).filter(|highest| highest.is_positive())?;
    Some(Rule::RecordsAtRisk { highest, share: share(claim.share.as_ref())? })
}

fn population_uniques(claim: &Privacy) -> Option<Rule> {
    let law = Law::named(claim.estimator.as_deref()?)?;
    let population = match (claim.known.as_deref()?, &claim.fraction, &claim.population_size) {
        ("fraction", Some(fraction), None) => Population::Fraction(share(Some(fraction))?),
        ("population", None, Some(size)) => Population::Size(size.as_u64()?),
        _ => return None,
    };
    Some(Rule::PopulationUniques { max: share(claim.max.as_ref())?, law, population })
}

fn cost_benefit(claim: &Privacy) -> Option<Rule> {
    let attack_may_pay = match claim.attack.as_deref()? {
        "allowed" => true,
        "none" => false,
        _ => return None,
    };
    let [benefit, loss, gain, cost] =
        [&claim.benefit, &claim.loss, &claim.gain, &claim.cost].map(|amount| decimal(amount.as_ref()));
    Some(Rule::CostBenefit(Amounts { attack_may_pay, benefit: benefit?, loss: loss?, gain: gain?, cost: cost? }))
}

fn presence(claim: &Privacy) -> Option<Rule> {
    let (min, max) = (share(claim.min.as_ref())?, share(claim.max.as_ref())?);
    (max.is_below(min)? == false).then_some(Rule::Presence { min, max })
}

fn estimated(claim: &Privacy) -> Option<Rule> {
    let is_truncated = match claim.estimator.as_deref()? {
        "poisson" => false,
        "zero-truncated-poisson" => true,
        _ => return None,
    };
    let within = |number: Option<&Number>| share(number).filter(|number| number.is_positive());
    let (k, fraction) = (whole(claim.k.as_ref())?, within(claim.fraction.as_ref())?);
    let sure = 1.0 - within(claim.significance.as_ref())?.as_float();
    Some(Rule::Estimated { k, least: mapped::least(k, fraction.as_float(), sure, is_truncated) })
}

fn drawn(claim: &Privacy) -> Option<Rule> {
    let number = |number: &Option<Number>| number.as_ref()?.as_f64();
    let drawn = Drawn {
        epsilon: number(&claim.epsilon)?,
        epsilon_search: claim.epsilon_search.as_ref().map_or(Some(0.0), Number::as_f64)?,
        delta: number(&claim.delta)?,
        beta: number(&claim.beta)?,
        k: whole(claim.k.as_ref())?,
        seeded: claim.seeded,
    };
    drawn.is_kept().then_some(Rule::Drawn(drawn))
}

fn lkc(claim: &Privacy) -> Option<Rule> {
    let [l @ 1..=4, 1] = decimal(claim.l.as_ref())?.ratio()? else { return None };
    let c = share(claim.c.as_ref()).filter(|c| c.is_positive())?;
    Some(Rule::Lkc { l: usize::try_from(l).ok()?, k: whole(claim.k.as_ref())?, c })
}

/// The place of the variable, which must be released as collected and sensitive.
fn sensitive(claim: &Privacy, columns: &[Column]) -> Result<usize, &'static str> {
    let column = columns.iter().enumerate().find(|(_, column)| Some(&column.name) == claim.variable.as_ref());
    match column {
        None => Err("its variable is not in the release"),
        Some((_, column)) if column.role != "sensitive" => Err("its variable is not sensitive"),
        Some((place, _)) => Ok(place),
    }
}

/// The release, unless the claim says that it needs the original.
fn checked(claim: &Privacy) -> Result<Checked, &'static str> {
    match claim.checked.as_deref() {
        None | Some("release") => Ok(Checked::Release),
        Some("original") => Ok(Checked::Original),
        Some("population") => Ok(Checked::Population),
        Some(_) => Err("it does not say whether the release, the original or the population shows that it holds"),
    }
}

/// Records, unless the claim says people.
fn unit(claim: &Privacy) -> Result<Unit, &'static str> {
    match claim.unit.as_deref() {
        None | Some("records") => Ok(Unit::Records),
        Some("people") => Ok(Unit::People),
        Some(_) => Err("what it counts is not known to this audit"),
    }
}

/// A number by its digits; no model takes one below 0.
fn decimal(number: Option<&Number>) -> Option<Decimal> {
    Decimal::collected(&number?.to_string()).filter(|number| number.ratio().is_some())
}

fn positive(number: Option<&Number>) -> Option<Decimal> {
    decimal(number).filter(|number| number.is_positive())
}

fn share(number: Option<&Number>) -> Option<Decimal> {
    decimal(number).filter(|number| Decimal::ONE.is_below(*number) == Some(false))
}

/// A class of one record, or with one value, hides nobody.
fn whole(number: Option<&Number>) -> Option<u64> {
    let [number, 1] = decimal(number)?.ratio()? else { return None };
    u64::try_from(number).ok().filter(|number| *number > 1)
}
