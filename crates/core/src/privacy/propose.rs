//! Which model suits a sensitive variable, going by how its values spread over the table.
//!
//! Distinct values in every class are a good start while no value is much more frequent than the others. Where one value has
//! more than half of the records, a class may hold several values and still give nearly everybody away: then the entropy of
//! a class counts, or, where the whole table has too little of it, that a class spreads as the table does. A proposal always
//! holds for the table as one class.
//!
//! Limit: shares are those of records. Where people are counted they may differ a little.

use super::{VARIABLE, l_diversity, t_closeness};
use crate::card::{Parameters, Value};

/// A model for a sensitive variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The model.
    pub model: &'static str,
    /// Its parameters.
    pub parameters: Parameters,
    /// Why this one.
    pub why: &'static str,
}

/// The model to start with for a variable whose values occur so often; none where there is nothing to guard.
#[must_use]
pub fn propose(variable: &str, counts: &[u64]) -> Option<Proposal> {
    if is_skewed(counts) { Some(against_skew(variable, counts)) } else { plain(variable, counts) }
}

/// The same without a look at how often each value occurs.
#[must_use]
pub fn plain(variable: &str, counts: &[u64]) -> Option<Proposal> {
    let distinct = counts.iter().filter(|count| **count > 0).count();
    // Few values, of which one may be rare: asking for many of them in each class would cost too much.
    let least = if distinct >= 6 { 3 } else { 2 };
    let diversity = l_diversity::MEMBER.card.name;
    (distinct >= 2).then(|| {
        proposal(diversity, variable, [("l", Value::Integer(least))], "no value is much more frequent than all others")
    })
}

/// The fewest equally frequent values that the table must be worth for entropy to be asked of classes.
const WORTH: f64 = 3.0;

fn against_skew(variable: &str, counts: &[u64]) -> Proposal {
    if worth(counts) >= WORTH {
        let parameters = [("l", Value::Integer(2)), ("kind", Value::Text("entropy".to_owned()))];
        let why = "one value has more than half of the records: it must not fill a class";
        return proposal(l_diversity::MEMBER.card.name, variable, parameters, why);
    }
    let why = "one value has most of the records: a class must not differ much from the table";
    proposal(t_closeness::MEMBER.card.name, variable, [("t", Value::Number(0.3))], why)
}

/// How many equally frequent values would be as uncertain.
fn worth(counts: &[u64]) -> f64 {
    let all: u64 = counts.iter().sum();
    let share = |count: &u64| *count as f64 / all.max(1) as f64;
    let bits: f64 = counts.iter().map(share).filter(|share| *share > 0.0).map(|share| -share * share.log2()).sum();
    bits.exp2()
}

/// Whether one of several values has more than half of the records.
fn is_skewed(counts: &[u64]) -> bool {
    let most = counts.iter().max().copied().unwrap_or(0);
    let all: u64 = counts.iter().sum();
    most < all && most > all / 2
}

fn proposal<const N: usize>(
    model: &'static str,
    variable: &str,
    parameters: [(&str, Value); N],
    why: &'static str,
) -> Proposal {
    let named = [(VARIABLE.name, Value::Text(variable.to_owned()))].into_iter().chain(parameters);
    Proposal { model, parameters: named.map(|(name, value)| (name.to_owned(), value)).collect(), why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::Distribution;
    use crate::frequency::FrequencySet;
    use crate::privacy::{Guard, SensitiveVariable, build};
    use proptest::prelude::*;

    fn model(counts: &[u64]) -> Option<(&'static str, Option<Value>)> {
        propose("v", counts).map(|found| (found.model, found.parameters.get("kind").cloned()))
    }

    #[test]
    fn skew_decides() {
        assert_eq!(model(&[]), None);
        assert_eq!(model(&[9, 0]), None);
        assert_eq!(model(&[5, 5]), Some(("l-diversity", None)));
        assert_eq!(model(&[51, 10, 10, 10, 10, 9]), Some(("l-diversity", Some(Value::Text("entropy".into())))));
        assert_eq!(model(&[95, 5]), Some(("t-closeness", None)));
        assert_eq!(propose("v", &[1; 6]).unwrap().parameters["l"], Value::Integer(3));
        assert_eq!(propose("v", &[1; 5]).unwrap().parameters["l"], Value::Integer(2));
    }

    proptest! {
        #[test]
        fn the_table_as_one_class_is_allowed(counts in prop::collection::vec(0_u64..1000, 0..12)) {
            if let Some(found) = propose("v", &counts) {
                let present: Vec<(u32, u64)> = (0..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
                let all = SensitiveVariable { counts: counts.clone(), ..SensitiveVariable::named("v") };
                let guard = Guard::new(vec![build(found.model, &found.parameters, &[all]).unwrap()]);
                let size = counts.iter().sum();
                let set = FrequencySet::without_keys(vec![size], vec![Distribution::from_lists([present])]);
                prop_assert_eq!(guard.judge(&set).suppressed, 0);
            }
        }
    }
}
