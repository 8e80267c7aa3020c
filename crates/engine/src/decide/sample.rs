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

use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Builder, Hierarchy};
use equanym_core::lattice::Node;
use equanym_core::privacy::{self, Sampling};
use equanym_core::random::Stream;
use equanym_core::report::CheckBasis;
use hashbrown::{HashMap, HashSet};

use super::columns::Columns;
use super::{Fitted, ladder_gap, new_values};
use crate::count::Keys;
use crate::count::tabulate::{fit_variables, tabulate};
use crate::error::{Error, Result};
use crate::policy::{Levels, Policy, VariablePolicy};
use crate::read::Source;

/// A counted table from which is drawn.
pub(crate) struct Drawing<'a> {
    pub policy: &'a Policy,
    pub source: &'a Source,
    pub sampling: Sampling,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
}

/// What was drawn.
pub(crate) struct Drawn {
    /// The policy with the levels that were drawn, or that it had.
    pub policy: Policy,
    /// The drawn keys; one record for each person, where one is named.
    pub keys: Keys,
    records: u64,
    persons: Option<u64>,
    sampling: Sampling,
}

impl Drawing<'_> {
    /// Draws levels, if the policy leaves them open, and records.
    pub(crate) fn draw(&self, mut keys: Keys) -> Result<Drawn> {
        let Self { policy, sampling, .. } = self;
        let columns = Columns::of(policy, self.source);
        let seed = new_values::seed(policy)?;
        let records = keys.records();
        let persons = columns.ids(&keys).map(|ids| ids.len() as u64);
        let order = order(&keys, policy.method.seed.is_some());
        if let Some(people) = columns.people(&keys)?.map(<[u32]>::to_vec) {
            one_each(&mut keys, &people, &order, &mut seed.stream(0));
        }
        for (variable, values) in columns.quasi.iter().zip(&mut keys.values) {
            list_domain(variable, values)?;
        }
        let mut policy = (*policy).clone();
        if sampling.draws_levels() {
            let node = self.levels(&columns, &keys, &mut seed.stream(1))?;
            let chosen = columns.quasi.iter().map(|variable| variable.name.as_str()).zip(&node.0);
            chosen.for_each(|(name, &level)| fix(&mut policy, name, level));
        }
        let mut stream = seed.stream(2);
        for place in order {
            keys.counts[place] = sampling.drawn(keys.counts[place], &mut stream);
        }
        keys.drop_empty();
        Ok(Drawn { policy, keys, records, persons, sampling: *sampling })
    }

    /// The levels, drawn by what they are worth on the whole table.
    fn levels(&self, columns: &Columns<'_>, keys: &Keys, stream: &mut Stream) -> Result<Node> {
        let table = self.table(columns, keys)?;
        self.sampling.draw_levels(&table, stream).map_err(|error| {
            Error::input(error.to_string()).hint("narrow the `levels` of some variables, before you look at the table")
        })
    }

    fn table(&self, columns: &Columns<'_>, keys: &Keys) -> Result<Table> {
        let mut keys = keys.clone();
        keys.drop_empty();
        let ladders = fit_variables(&columns.quasi, &keys.values, |place| keys.occurrences(place))
            .map_err(|gap| ladder_gap::explain(&gap, self.source, columns, self.show_values))?;
        tabulate(&columns.quasi, ladders, &[], &keys, None)
    }
}

impl Drawn {
    /// Says what was drawn of what, and what that promises; a seed voids it.
    pub(crate) fn tell(&self, fitted: &mut Fitted) {
        let is_seeded = self.policy.method.seed.is_some();
        let report = &mut fitted.report;
        (report.records, report.persons) = (self.records, self.persons);
        report.suppressed = self.records.saturating_sub(report.released);
        report.persons_suppressed = self.persons.map(|persons| persons.saturating_sub(report.released));
        // What was measured of it was measured on the sample; and nothing was searched for.
        (report.original, report.choice) = (None, None);
        let drawing = |model: &str| privacy::draws(model);
        for held in report.privacy.iter_mut().filter(|held| drawing(&held.model)) {
            held.parameters = self.sampling.claims(is_seeded);
            held.holds = !is_seeded;
            held.checked = CheckBasis::Release;
        }
        for promise in fitted.stored.privacy.iter_mut().filter(|promise| drawing(&promise.model)) {
            promise.parameters = self.sampling.claims(is_seeded);
        }
    }
}

/// The order in which keys are drawn: that of their values, where it matters.
fn order(keys: &Keys, matters: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.counts.len()).collect();
    if matters {
        let ranks: Vec<Vec<u32>> = keys.values.iter().map(|values| ranks(values)).collect();
        let rank = |column: usize, key: usize| ranks[column][keys.columns[column][key] as usize];
        let all = |key: usize| (0..keys.columns.len()).map(move |column| (column, key));
        order.sort_unstable_by(|one, other| {
            let ranks = |key| all(key).map(|(column, key)| rank(column, key));
            ranks(*one).cmp(ranks(*other))
        });
    }
    order
}

/// The place of each value in the order of values.
fn ranks(values: &[String]) -> Vec<u32> {
    let mut sorted: Vec<usize> = (0..values.len()).collect();
    sorted.sort_unstable_by_key(|place| &values[*place]);
    let mut ranks = vec![0; values.len()];
    (0..).zip(sorted).for_each(|(rank, place)| ranks[place] = rank);
    ranks
}

/// Leaves one record of each person, each of them with the same chance.
fn one_each(keys: &mut Keys, people: &[u32], order: &[usize], stream: &mut Stream) {
    let persons = people.iter().max().map_or(0, |most| *most as usize + 1);
    let (mut met, mut taken) = (vec![0_u64; persons], vec![None; persons]);
    for &key in order {
        let (person, count) = (people[key] as usize, keys.counts[key]);
        met[person] += count;
        if (stream.below(usize::try_from(met[person]).unwrap_or(usize::MAX)) as u64) < count {
            taken[person] = Some(key);
        }
    }
    keys.counts.iter_mut().for_each(|count| *count = 0);
    taken.into_iter().flatten().for_each(|key| keys.counts[key] = 1);
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
