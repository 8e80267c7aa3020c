//! Draws what a release may be made of, where a promise rests on chance.
//!
//! Everything that comes after counting sees drawn records only: keys with fewer records, or none. Since all released columns are
//! recoded value by value, records of a class look alike, and it does not matter which of them were drawn but how many. So the draw is
//! one of counts, and whoever writes takes as many records of a class as were drawn ([`crate::mask::rewrite::quota`]).
//!
//! **People.** Where a person is named, one of their records is drawn first, all alike, and the others count as not there. What
//! is left of a person is one record, or none, whatever becomes of anybody else: so the promise for records is one for people.
//!
//! **Ladders** are fitted to all that the policy lists, so that none depends on which values occur; one that does is refused.
//!
//! The draws come from the system's generator. A seed gives the same sample again at any number of threads and in any order of
//! records: keys are then drawn in the order of their values.

use equanym_core::card::Parameters;
use equanym_core::hierarchy::{Builder, Hierarchy};
use equanym_core::lattice::Node;
use equanym_core::privacy::{self, Sampling};
use equanym_core::random::Stream;
use hashbrown::{HashMap, HashSet};

use super::{Decision, ladder_gap, new_values};
use crate::count::KeyRows;
use crate::count::counted_table::{Case, CountedTable};
use crate::count::parts::KeyParts;
use crate::count::tabulate::{fit_variables, ranks, tabulate};
use crate::error::{Error, Result};
use crate::policy::{Levels, Policy, VariablePolicy};

/// What was drawn, and of what.
pub(crate) struct Sample {
    /// The policy with the levels that were drawn, or that it had.
    pub policy: Policy,
    records: u64,
    persons: Option<u64>,
    sampling: Sampling,
}

/// Draws levels, if the policy leaves them open, and records: the table keeps the keys that were drawn, with one record for each
/// person where one is named.
pub(crate) fn draw(counted: &mut CountedTable<'_>, sampling: Sampling) -> Result<Sample> {
    let CountedTable { case, rows, .. } = counted;
    let seed = new_values::seed(case.policy)?;
    let (records, persons) = (case.records, case.persons());
    let order = order(&case.values, rows, case.policy.method.seed.is_some());
    let rows = rows.to_mut();
    if let Some(people) = rows.codes.person.clone() {
        one_each(&mut rows.counts, &people, &order, &mut seed.stream(0));
    }
    for (variable, values) in case.columns.quasi.iter().zip(&mut case.values.to_mut().quasi) {
        list_domain(variable, values)?;
    }
    let mut policy = case.policy.clone();
    if sampling.draws_levels() {
        let node = levels(case, rows, sampling, &mut seed.stream(1))?;
        let chosen = case.columns.quasi.iter().map(|variable| variable.name.as_str()).zip(&node.0);
        chosen.for_each(|(name, &level)| fix(&mut policy, name, level));
    }
    let mut stream = seed.stream(2);
    for place in order {
        rows.counts[place] = sampling.drawn(rows.counts[place], &mut stream);
    }
    rows.drop_empty();
    Ok(Sample { policy, records, persons, sampling })
}

/// The levels, drawn by what they are worth on the whole table.
fn levels(case: &Case<'_>, rows: &KeyRows, sampling: Sampling, stream: &mut Stream) -> Result<Node> {
    let mut rows = rows.clone();
    rows.drop_empty();
    let (columns, values) = (&case.columns, &case.values);
    let records = |place: usize| rows.occurrences(&rows.codes.quasi[place], values.quasi[place].len());
    let ladders = fit_variables(&columns.quasi, &values.quasi, records)
        .map_err(|gap| ladder_gap::explain(&gap, case.source, columns, case.show_values))?;
    // Who stands behind a key does not matter to what levels are worth.
    rows.codes.person = None;
    let table = tabulate(&columns.quasi, ladders, &[], values, &rows)?;
    sampling.draw_levels(&table, stream).map_err(|error| {
        Error::input(error.to_string()).hint("narrow the `levels` of some variables, before you look at the table")
    })
}

/// The table that a sample was drawn from, and what the draw promises.
#[derive(Debug)]
pub(crate) struct SampleFacts {
    pub records: u64,
    pub persons: Option<u64>,
    pub claims: Parameters,
    /// Whether the draw can be made again, which voids the promise.
    pub is_seeded: bool,
}

impl Sample {
    /// Says what was drawn of what, and what that promises.
    pub(crate) fn tell(self, mut decision: Decision) -> Decision {
        let is_seeded = self.policy.method.seed.is_some();
        let claims = self.sampling.claims(is_seeded);
        for promise in decision.stored.privacy.iter_mut().filter(|promise| privacy::draws(&promise.model)) {
            promise.parameters.clone_from(&claims);
        }
        decision.findings.sample =
            Some(SampleFacts { records: self.records, persons: self.persons, claims, is_seeded });
        decision
    }
}

/// The order in which keys are drawn: that of their values, where it matters.
fn order(values: &KeyParts<Vec<String>>, rows: &KeyRows, matters: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.counts.len()).collect();
    if matters {
        let ranks: Vec<Vec<u32>> = values.iter().map(|values| ranks(values)).collect();
        let rank =
            |key: usize| ranks.iter().zip(rows.codes.iter()).map(move |(ranks, codes)| ranks[codes[key] as usize]);
        order.sort_unstable_by(|one, other| rank(*one).cmp(rank(*other)));
    }
    order
}

/// Leaves one record of each person, each of them with the same chance.
fn one_each(counts: &mut [u64], people: &[u32], order: &[usize], stream: &mut Stream) {
    let persons = people.iter().max().map_or(0, |most| *most as usize + 1);
    let (mut met, mut taken) = (vec![0_u64; persons], vec![None; persons]);
    for &key in order {
        let (person, count) = (people[key] as usize, counts[key]);
        met[person] += count;
        if (stream.below(usize::try_from(met[person]).unwrap_or(usize::MAX)) as u64) < count {
            taken[person] = Some(key);
        }
    }
    counts.fill(0);
    taken.into_iter().flatten().for_each(|key| counts[key] = 1);
}

/// Adds to the values of a column all that its ladder lists. Refuses values that would change the ladder.
fn list_domain(variable: &VariablePolicy, values: &mut Vec<String>) -> Result<()> {
    let listed = variable.hierarchy.domain();
    let known: HashSet<&str> = values.iter().map(String::as_str).collect();
    let added: Vec<String> = listed.iter().filter(|value| !known.contains(value.as_str())).cloned().collect();
    drop(known);
    values.extend(added);
    if is_fixed(&variable.hierarchy, &listed, values) {
        return Ok(());
    }
    let name = variable.name.escape_debug();
    Err(Error::input(format!(
        "column `{name}` holds values that its ladder does not list, and they would change its levels"
    ))
    .hint("list every value that may occur, whether it does or not: the ladder must not depend on the table"))
}

/// Whether a ladder is the same to what it lists, whatever else occurs. What it cannot read is told later.
fn is_fixed(builder: &Builder, listed: &[String], values: &[String]) -> bool {
    let (Ok(alone), Ok(beside)) = (builder.fit(listed), builder.fit(values)) else { return true };
    let places: HashMap<&str, u32> = beside.values().iter().map(String::as_str).zip(0..).collect();
    let label = |ladder: &Hierarchy, level: usize, code: u32| ladder.label(level, code).map(str::to_owned);
    let same = |(code, value): (u32, &String)| {
        let other = places.get(value.as_str());
        (0..alone.levels().len())
            .all(|level| label(&alone, level, code) == other.and_then(|&code| label(&beside, level, code)))
    };
    alone.height() == beside.height() && (0..).zip(alone.values()).all(same)
}

/// One level for a variable.
fn fix(policy: &mut Policy, name: &str, level: u8) {
    let named = policy.variables.iter_mut().filter(|variable| variable.name == name);
    named.for_each(|variable| variable.levels = Some(Levels { min: level, max: Some(level) }));
}
