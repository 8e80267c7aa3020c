//! Four searches on one question.

use std::time::Duration;

use equanym_core::frequency::Table;
use equanym_core::lattice::Node;
use equanym_core::loss::{self, JudgedClasses, Loss};
use equanym_core::privacy::Guard;
use equanym_core::search::{self, CountingCost, SearchAnswer};
use rayon::prelude::*;

use super::metrics::{self, COUNT, TIMED};
use crate::cell::{PosedCell, SearchCell, SearchRun, guard};
use crate::failure::Result;

/// The searches, from the loosest to the one that is looked at.
pub const ALGORITHMS: [&str; 4] = ["datafly", "samarati", "incognito", "ola"];

/// A search is left after this long.
const CAP: Duration = Duration::from_mins(2);

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KAndLimit {
    /// The smallest class.
    pub k: u32,
    /// The share of records that may be suppressed.
    pub limit: f64,
}

/// What the searches made of a question.
#[derive(Debug, Clone)]
pub struct SetTrial {
    /// The data set.
    pub data: String,
    /// The question.
    pub question: KAndLimit,
    /// The nodes of the lattice.
    pub lattice: u128,
    /// For each of the [`ALGORITHMS`].
    pub answers: Vec<AlgorithmAnswer>,
    /// How long the exact search took for each metric.
    pub exact: [f64; COUNT],
}

/// What a search made of a question.
#[derive(Debug, Clone)]
pub struct AlgorithmAnswer {
    /// For each metric its loss as a share of that of the fully generalised table; none if it was left.
    pub shares: Option<[f64; COUNT]>,
    /// How long it took.
    pub seconds: f64,
    /// How many nodes it counted; none if it was left.
    pub nodes: Option<u64>,
    /// What counting them took, where the search says so.
    pub cost: Option<CountingCost>,
}

impl SetTrial {
    /// What a search made of it.
    pub fn of(&self, algorithm: &str) -> Option<&AlgorithmAnswer> {
        self.answers.get(ALGORITHMS.iter().position(|name| *name == algorithm)?)
    }
}

/// Lets all four answer.
pub fn compare(data: &str, table: &Table, question: KAndLimit) -> Result<SetTrial> {
    let judge = Judge::new(table, question)?;
    let (least, exact) = judge.least()?;
    let answer = |name: &&str| judge.ask(name, least);
    let answers = ALGORITHMS.iter().map(answer).collect::<Result<_>>()?;
    Ok(SetTrial { data: data.to_owned(), question, lattice: table.lattice().size(), answers, exact })
}

struct Judge<'a> {
    table: &'a Table,
    question: KAndLimit,
    guard: Guard,
    most: u64,
    /// Each metric with the loss of the fully generalised table.
    metrics: Vec<(Box<dyn Loss>, u128)>,
}

impl<'a> Judge<'a> {
    fn new(table: &'a Table, question: KAndLimit) -> Result<Self> {
        let metric = |metric: &metrics::Metric| -> Result<_> {
            let loss = metric.prepared(table)?;
            let nothing = loss::units_of_full_generalisation(loss.as_ref(), table);
            Ok((loss, nothing))
        };
        let metrics = metrics::ALL.iter().map(metric).collect::<Result<_>>()?;
        let most = cell(question).budget(table).min(table.records.saturating_sub(1));
        Ok(Self { table, question, guard: guard(question.k)?, most, metrics })
    }

    /// The question with a metric to minimise.
    fn pose(&self, metric: usize) -> Result<PosedCell<'a>> {
        let mut posed = cell(self.question).pose(self.table)?;
        posed.loss = metrics::ALL[metric].prepared(self.table)?;
        Ok(posed)
    }

    /// Asks a search, given the least loss of all safe nodes in each metric.
    fn ask(&self, name: &str, least: [f64; COUNT]) -> Result<AlgorithmAnswer> {
        match self.pose(TIMED)?.search_capped(name, CAP)? {
            SearchRun::Done(found, time) => {
                let shares = if name == "incognito" {
                    // It lists all safe nodes: its answer in the timed metric must be the best, and in the others it can be.
                    if self.share(TIMED, &found).to_bits() != least[TIMED].to_bits() {
                        return Err("the exact search and Incognito differ".into());
                    }
                    least
                } else {
                    self.best_of(&choices(self.table, name, &found))
                };
                let seconds = time.as_secs_f64();
                Ok(AlgorithmAnswer { shares: Some(shares), seconds, nodes: Some(found.evaluated), cost: found.cost })
            }
            SearchRun::OutOfTime(time) => {
                Ok(AlgorithmAnswer { shares: None, seconds: time.as_secs_f64(), nodes: None, cost: None })
            }
            SearchRun::Refused(reason) => Err(reason.into()),
        }
    }

    /// What was found as a share of the fully generalised table.
    fn share(&self, metric: usize, found: &SearchAnswer) -> f64 {
        found.best.summary.units as f64 / self.metrics[metric].1 as f64
    }

    /// The least loss of all safe nodes in each metric, and how long the exact search takes.
    fn least(&self) -> Result<([f64; COUNT], [f64; COUNT])> {
        let (mut shares, mut seconds) = ([0.0; COUNT], [0.0; COUNT]);
        for metric in 0..COUNT {
            let SearchRun::Done(best, time) = self.pose(metric)?.search(search::DEFAULT, None)? else {
                return Err("the exact search does not answer".into());
            };
            (shares[metric], seconds[metric]) = (self.share(metric, &best), time.as_secs_f64());
        }
        Ok((shares, seconds))
    }

    /// The least loss of the safe ones of these nodes in each metric.
    fn best_of(&self, nodes: &[Node]) -> [f64; COUNT] {
        let losses = |node: &Node| {
            let set = self.table.roll_up(self.table.keys(), node).set;
            let verdict = self.guard.judge(&set);
            let count = JudgedClasses { set: &set, verdict: &verdict, finer: None };
            let share = |(loss, nothing): &(Box<dyn Loss>, u128)| {
                loss.summarise(self.table, &count).units as f64 / *nothing as f64
            };
            let is_safe = verdict.suppressed <= self.most;
            std::array::from_fn(|metric| if is_safe { share(&self.metrics[metric]) } else { f64::INFINITY })
        };
        let least = |one: [f64; COUNT], other: [f64; COUNT]| std::array::from_fn(|place| one[place].min(other[place]));
        nodes.par_iter().map(losses).reduce(|| [f64::INFINITY; COUNT], least)
    }
}

fn cell(question: KAndLimit) -> SearchCell {
    SearchCell { k: question.k, limit: question.limit, loss: loss::DEFAULT }
}

/// The nodes among which a search chooses by loss.
fn choices(table: &Table, name: &str, found: &SearchAnswer) -> Vec<Node> {
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
        let table = metrics::weighted(table(400, Detail::ALL[0]).unwrap());
        let trial = compare("hospital", &table, KAndLimit { k: 3, limit: 0.1 }).unwrap();
        let best = trial.of("incognito").unwrap().shares.unwrap();
        for answer in &trial.answers {
            let shares = answer.shares.unwrap();
            assert!(shares.iter().zip(best).all(|(share, best)| *share >= best && *share <= 1.1), "{trial:?}");
        }
        let ola = trial.of("ola").unwrap();
        for (metric, (share, best)) in metrics::ALL.iter().zip(ola.shares.unwrap().iter().zip(best)) {
            assert!(!metric.grows || share.to_bits() == best.to_bits(), "{}: {trial:?}", metric.name);
        }
        assert!(ola.cost.is_some_and(|cost| 0.0 < cost.shared && cost.shared <= cost.alone), "{trial:?}");
        assert!(trial.of("nobody").is_none());
    }
}
