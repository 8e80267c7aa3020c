//! What the suites ask of core again and again: parameters, guards, losses, the classes of a node, a search by its name.

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::lattice::Node;
use equanym_core::loss::{self, CountedNode, JudgedClasses, Loss};
use equanym_core::privacy::{self, Guard, PrivacyModel, SensitiveVariable, Unit, Verdict};
use equanym_core::search::{self, Problem, SearchAnswer, SearchError};

use crate::tables::SECRET;

pub fn given(parameters: &[(&str, Value)]) -> Parameters {
    parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

pub fn word(text: &str) -> Value {
    Value::Text(text.to_owned())
}

pub fn k_anonymity(k: i64) -> Box<dyn PrivacyModel> {
    privacy::build("k-anonymity", &given(&[("k", Value::Integer(k))]), &[]).unwrap()
}

/// Distinct l-diversity of the secret, among these sensitive variables.
pub fn l_diversity(l: i64, known: &[SensitiveVariable]) -> Box<dyn PrivacyModel> {
    privacy::build("l-diversity", &given(&[("l", Value::Integer(l)), ("variable", word(SECRET))]), known).unwrap()
}

/// k-anonymity, and l-diversity of the secret, as far as they ask for more than one.
pub fn guard(k: i64, l: i64) -> Guard {
    let size = (k > 1).then(|| k_anonymity(k));
    let values = (l > 1).then(|| l_diversity(l, &[SensitiveVariable::named(SECRET)]));
    Guard::new(size.into_iter().chain(values).collect())
}

/// The loss of this name, with the parameters that nobody gives.
pub fn measure(table: &Table, name: &str) -> Box<dyn Loss> {
    loss::find(name).unwrap().build(table, &Parameters::new()).unwrap()
}

pub fn run(search: &str, problem: &Problem<'_>) -> Result<SearchAnswer, SearchError> {
    (search::find(search).unwrap().run)(problem)
}

/// The classes of a node, counted from the keys.
pub fn classes(table: &Table, node: &Node) -> FrequencySet {
    table.roll_up(table.keys(), node).set
}

pub fn units(table: &Table, loss: &dyn Loss, set: &FrequencySet, verdict: &Verdict) -> u128 {
    loss.summarise(table, &JudgedClasses::new(set, verdict)).units
}

/// A node counted by definition; nothing is said of the nodes below.
pub fn counted(problem: &Problem<'_>, node: &Node) -> CountedNode {
    let set = classes(problem.table, node);
    let verdict = problem.guard.judge(&set);
    let summary = problem.loss.summarise(problem.table, &JudgedClasses::new(&set, &verdict));
    let limited = verdict.limited(problem.guard.limits());
    CountedNode { node: node.clone(), suppressed: verdict.suppressed, limited, summary, forced: None }
}

/// The labels of a class.
pub fn class_labels<'a>(table: &'a Table, set: &FrequencySet, class: usize) -> Vec<&'a str> {
    (0..table.variables.len()).map(|variable| table.label(set, class, variable)).collect()
}

/// The labels of a record at a node.
pub fn record_labels<'a>(table: &'a Table, node: &Node, record: &[u32]) -> Vec<&'a str> {
    let label = |(variable, &code): (usize, &u32)| {
        let level = &table.variables[variable].hierarchy.levels()[usize::from(node.0[variable])];
        level.labels[level.of[code as usize] as usize].as_str()
    };
    record.iter().enumerate().map(label).collect()
}

/// What a limit counts.
pub fn unit(limits_people: bool) -> Unit {
    if limits_people { Unit::People } else { Unit::Records }
}
