//! Four searches on one question.

use std::time::Duration;

use equanym_core::frequency::Table;
use equanym_core::lattice::Node;
use equanym_core::loss::{self, Count, Loss};
use equanym_core::privacy::Guard;
use equanym_core::search::{self, Found};
use rayon::prelude::*;

use crate::cell::{Cell, Run, guard, measure};
use crate::failure::Result;

/// The metrics of the paper: Prec, DM and entropy.
pub const METRICS: [&str; 3] = ["precision", "discernibility", "non-uniform-entropy"];
/// The searches, from the loosest to the one that is looked at.
pub const ALGORITHMS: [&str; 4] = ["datafly", "samarati", "incognito", "ola"];

/// The metric that the timed runs minimise.
const TIMED: &str = METRICS[2];
/// A search is left after this long.
const CAP: Duration = Duration::from_mins(2);

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// The smallest class.
    pub k: u32,
    /// The share of records that may be suppressed.
    pub limit: f64,
}

/// What the searches made of a question.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The data set.
    pub data: String,
    /// The question.
    pub question: Question,
    /// The nodes of the lattice.
    pub lattice: u128,
    /// For each of the [`ALGORITHMS`].
    pub answers: Vec<Answer>,
}

/// What a search made of a question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// For each of the [`METRICS`] its loss as a share of that of the fully generalised table; none if it was left.
    pub shares: Option<[f64; 3]>,
    /// How long it took.
    pub seconds: f64,
    /// How many nodes it counted; none if it was left.
    pub nodes: Option<u64>,
}

impl Trial {
    /// What a search made of it.
    pub fn of(&self, algorithm: &str) -> Option<&Answer> {
        self.answers.get(ALGORITHMS.iter().position(|name| *name == algorithm)?)
    }
}

/// Lets all four answer.
pub fn compare(data: &str, table: &Table, question: Question) -> Result<Trial> {
    let judge = Judge::new(table, question)?;
    let answer = |name: &&str| judge.ask(name);
    let answers = ALGORITHMS.iter().map(answer).collect::<Result<_>>()?;
    Ok(Trial { data: data.to_owned(), question, lattice: table.lattice().size(), answers })
}

struct Judge<'a> {
    table: &'a Table,
    question: Question,
    guard: Guard,
    most: u64,
    /// Each metric with the loss of the fully generalised table.
    metrics: Vec<(Box<dyn Loss>, u128)>,
}

impl<'a> Judge<'a> {
    fn new(table: &'a Table, question: Question) -> Result<Self> {
        let metric = |name: &&str| -> Result<_> {
            let loss = measure(table, name)?;
            let nothing = loss::units_of_full_generalisation(loss.as_ref(), table);
            Ok((loss, nothing))
        };
        let metrics = METRICS.iter().map(metric).collect::<Result<_>>()?;
        let most = cell(question, TIMED).budget(table).min(table.records.saturating_sub(1));
        Ok(Self { table, question, guard: guard(question.k)?, most, metrics })
    }

    fn ask(&self, name: &str) -> Result<Answer> {
        match cell(self.question, TIMED).pose(self.table)?.search_capped(name, CAP)? {
            Run::Done(found, time) => {
                let shares = if name == "incognito" {
                    self.least(&found)?
                } else {
                    self.best_of(&choices(self.table, name, &found))
                };
                Ok(Answer { shares: Some(shares), seconds: time.as_secs_f64(), nodes: Some(found.evaluated) })
            }
            Run::OutOfTime(time) => Ok(Answer { shares: None, seconds: time.as_secs_f64(), nodes: None }),
            Run::Refused(reason) => Err(reason.into()),
        }
    }

    /// The least loss of all safe nodes in each metric; that of the timed one must be what the search found.
    fn least(&self, found: &Found) -> Result<[f64; 3]> {
        let mut shares = [0.0; 3];
        for ((share, name), (_, nothing)) in shares.iter_mut().zip(METRICS).zip(&self.metrics) {
            let posed = cell(self.question, name).pose(self.table)?;
            let Run::Done(best, _) = posed.search(search::DEFAULT, None)? else {
                return Err("the exact search does not answer".into());
            };
            if name == TIMED && best.best.summary.units != found.best.summary.units {
                return Err("the exact search and Incognito differ".into());
            }
            *share = best.best.summary.units as f64 / *nothing as f64;
        }
        Ok(shares)
    }

    /// The least loss of the safe ones of these nodes in each metric.
    fn best_of(&self, nodes: &[Node]) -> [f64; 3] {
        let losses = |node: &Node| {
            let set = self.table.roll_up(self.table.keys(), node).set;
            let verdict = self.guard.judge(&set);
            let count = Count { set: &set, verdict: &verdict, finer: None };
            let share = |(loss, nothing): &(Box<dyn Loss>, u128)| {
                loss.summarise(self.table, &count).units as f64 / *nothing as f64
            };
            let shares: Vec<f64> = self.metrics.iter().map(share).collect();
            if verdict.suppressed <= self.most { [shares[0], shares[1], shares[2]] } else { [f64::INFINITY; 3] }
        };
        let least = |one: [f64; 3], other: [f64; 3]| [0, 1, 2].map(|place| one[place].min(other[place]));
        nodes.par_iter().map(losses).reduce(|| [f64::INFINITY; 3], least)
    }
}

fn cell(question: Question, loss: &'static str) -> Cell {
    Cell { k: question.k, limit: question.limit, loss }
}

/// The nodes among which a search chooses by loss.
fn choices(table: &Table, name: &str, found: &Found) -> Vec<Node> {
    match name {
        "ola" => found.minimal.iter().map(|counted| counted.node.clone()).collect(),
        "samarati" => table.lattice().nodes_at(found.best.node.height()),
        _ => vec![found.best.node.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hospital::{Detail, table};

    #[test]
    fn nobody_beats_the_best_of_all_safe_nodes() {
        let table = table(400, Detail::ALL[0]).unwrap();
        let trial = compare("hospital", &table, Question { k: 3, limit: 0.1 }).unwrap();
        let best = trial.of("incognito").unwrap().shares.unwrap();
        for answer in &trial.answers {
            let shares = answer.shares.unwrap();
            assert!(shares.iter().zip(best).all(|(share, best)| *share >= best && *share <= 1.1), "{trial:?}");
        }
        assert!(trial.of("nobody").is_none());
    }
}
