//! The safe nodes to choose from, and what each level of each variable would cost.
//!
//! Both are exact: the order is that of all safe nodes, and a price is that of the best safe node with the variable at that
//! level. They are computed from the table before its release, and are for the owner's eyes.

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::loss;
use equanym_core::options;
use equanym_core::privacy::Verdict;
use equanym_core::report::{ClassFindings, NamedLevels};
use equanym_core::search::{self, Problem, SearchError};
use serde::Serialize;

use super::balance::SoughtBalance;
use super::fit::{levels, released};
use super::fitting::Fitting;
use super::search::{ask, exact};
use crate::count::counted_table::Case;
use crate::error::Result;
use crate::words::{grouped, rule_in_words};

/// Safe nodes to choose from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alternatives {
    /// The number of records.
    pub records: u64,
    /// The number of people, where a person is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// What is minimised: the loss, or the search by preferences.
    pub minimised: String,
    /// How many nodes there are.
    pub lattice: u128,
    /// The best safe nodes, the best first.
    pub alternatives: Vec<Alternative>,
    /// What the levels of each variable cost.
    pub variables: Vec<VariablePrices>,
}

/// A safe node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alternative {
    /// Its levels.
    pub node: NamedLevels,
    /// What it loses.
    pub loss: f64,
    /// That as a share of what the best node loses; none where ratios mean nothing, or the best loses nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_best: Option<f64>,
    /// The records that it withholds.
    pub suppressed: u64,
    /// Its classes and their risk; only told of nodes in the order.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub found: Option<ClassFindings>,
}

/// What the levels of a variable cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariablePrices {
    /// The variable.
    pub name: String,
    /// Its levels, as far as the policy permits them.
    pub levels: Vec<LevelPrice>,
}

/// What it costs to have a variable at a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelPrice {
    /// The level.
    pub level: u8,
    /// How its labels come about.
    pub labels: String,
    /// The best safe node with the variable at this level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Alternative>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// Which levels have a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PricedLevels {
    /// Those that the policy permits.
    Permitted,
    /// All of them: what if this one level were permitted?
    All,
}

/// The best safe nodes of a table, at most so many, and the price of each level.
pub(crate) fn alternatives(
    case: &Case<'_>,
    fitting: &Fitting,
    count: usize,
    priced: PricedLevels,
) -> Result<Alternatives> {
    let (found, sought) = ask(case, fitting, |problem, search, sought| {
        SafeOrder::new(&LatticeQuestion { problem, search: exact(search), sought }, count, priced)
    })?;
    let method = &case.policy.method;
    Ok(Alternatives {
        records: fitting.table.records,
        persons: fitting.table.persons(),
        minimised: if sought.is_some() { method.search.clone() } else { method.loss.clone() },
        lattice: fitting.table.lattice().size(),
        alternatives: found.nodes,
        variables: found.variables,
    })
}

/// What is asked of the core.
struct LatticeQuestion<'a> {
    problem: &'a Problem<'a>,
    search: &'static search::SearchMember,
    sought: Option<&'a SoughtBalance>,
}

/// What the core answers.
struct SafeOrder {
    nodes: Vec<Alternative>,
    variables: Vec<VariablePrices>,
}

impl SafeOrder {
    fn new(asked: &LatticeQuestion<'_>, count: usize, which: PricedLevels) -> std::result::Result<Self, SearchError> {
        let LatticeQuestion { problem, search, .. } = *asked;
        let nodes = options::alternatives(problem, search, count.max(1))?;
        let best = nodes.first().map_or(0, |best| best.summary.units);
        let teller = NodeTeller { asked, best };
        let priced_at = |variable: usize, level: u8, found: std::result::Result<loss::CountedNode, SearchError>| {
            let labels = rule_in_words(&problem.table.variables[variable].hierarchy.levels()[usize::from(level)].rule);
            match found {
                Ok(node) => Ok(LevelPrice { level, labels, best: Some(teller.tell(&node)), why_not: None }),
                Err(error @ (SearchError::NoSafeNode { .. } | SearchError::Forbidden)) => {
                    Ok(LevelPrice { level, labels, best: None, why_not: Some(why_not(&error)) })
                }
                Err(error) => Err(error),
            }
        };
        let price = |variable: usize, level: u8| {
            // The first of the order that stands there is the best that does.
            let known = nodes.iter().find(|node| node.node.0[variable] == level).cloned().map(Ok);
            priced_at(variable, level, known.unwrap_or_else(|| options::at_level(problem, search, variable, level)))
        };
        let prices = |(variable, one): (usize, &equanym_core::variable::Variable)| {
            let permitted = problem.lattice.bottom.0[variable]..=problem.lattice.top.0[variable];
            // What preferences seek was weighed for the levels that are permitted.
            let is_meant = which == PricedLevels::All && !search.by_preferences;
            let others = (0..=one.hierarchy.height()).filter(|level| is_meant && !permitted.contains(level));
            let others: Vec<u8> = others.collect();
            let all = (!others.is_empty()).then(|| freed(problem, variable));
            let beyond = |level: u8| {
                let table = all.as_ref().unwrap_or(problem.table);
                options::at_level(
                    &Problem { table, lattice: problem.lattice.clone(), ..*problem },
                    search,
                    variable,
                    level,
                )
            };
            let others: Vec<(u8, _)> = others.into_iter().map(|level| (level, beyond(level))).collect();
            let levels = permitted.map(|level| price(variable, level));
            let levels = levels.chain(others.into_iter().map(|(level, found)| priced_at(variable, level, found)));
            let mut levels: Vec<LevelPrice> = levels.collect::<std::result::Result<_, _>>()?;
            levels.sort_by_key(|price| price.level);
            Ok(VariablePrices { name: one.name.clone(), levels })
        };
        let variables = problem.table.variables.iter().enumerate().map(prices);
        let variables = variables.collect::<std::result::Result<_, _>>()?;
        Ok(Self { nodes: nodes.iter().map(|node| teller.tell_with_classes(node)).collect(), variables })
    }
}

/// The table with all levels of a variable permitted.
fn freed(problem: &Problem<'_>, variable: usize) -> Table {
    let mut table = problem.table.clone();
    if let Some(one) = table.variables.get_mut(variable) {
        (one.min_level, one.max_level) = (0, one.hierarchy.height());
    }
    table
}

/// The nodes as they are told.
struct NodeTeller<'a> {
    asked: &'a LatticeQuestion<'a>,
    /// What the best of them loses.
    best: u128,
}

impl NodeTeller<'_> {
    fn tell(&self, node: &loss::CountedNode) -> Alternative {
        let LatticeQuestion { problem, sought, .. } = self.asked;
        let [loss, best] = [node.summary.units, self.best].map(|units| loss::as_number(problem.loss, units));
        let has_ratio = problem.loss.shape().has_ratios() && best > 0.0;
        let chooses = sought.is_some_and(|sought| sought.imbalance.chooses());
        Alternative {
            node: levels(problem.table, &node.node),
            loss,
            of_best: has_ratio.then(|| loss / best),
            suppressed: if chooses { self.classes(node).1.suppressed } else { node.suppressed },
            found: None,
        }
    }

    fn tell_with_classes(&self, node: &loss::CountedNode) -> Alternative {
        let (set, verdict) = self.classes(node);
        let sizes = set.people().iter().zip(verdict.kept);
        let sizes: Vec<u64> = sizes.filter(|(_, kept)| *kept).map(|(size, _)| *size).collect();
        Alternative { found: Some(ClassFindings::from_sizes(&sizes)), ..self.tell(node) }
    }

    /// The classes of a node, and what is released of them.
    fn classes(&self, node: &loss::CountedNode) -> (FrequencySet, Verdict) {
        let LatticeQuestion { problem, sought, .. } = self.asked;
        let set = problem.table.roll_up(problem.table.keys(), &node.node).set;
        let verdict = released(problem.table, &set, &problem.guard.judge(&set), *sought);
        (set, verdict)
    }
}

fn why_not(error: &SearchError) -> String {
    match error {
        SearchError::NoSafeNode { failing, records } => {
            let [failing, records] = [*failing, *records].map(grouped);
            format!("{failing} of {records} records fail even with all others at their highest level")
        }
        _ => "the rations forbid it".to_owned(),
    }
}
