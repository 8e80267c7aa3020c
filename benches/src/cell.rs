//! One cell of a benchmark: a privacy parameter, a suppression limit and a loss, asked of a table.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::Table;
use equanym_core::loss::{self, Loss};
use equanym_core::privacy::{self, Guard};
use equanym_core::search::{self, Problem, SearchAnswer};
use equanym_core::stop::Stop;
use equanym_engine::policy::share_of;

use crate::failure::Result;

/// What is asked of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchCell {
    /// The smallest class.
    pub k: u32,
    /// The share of records that may be suppressed.
    pub limit: f64,
    /// The name of the loss.
    pub loss: &'static str,
}

/// A cell, ready to be searched again and again.
pub struct PosedCell<'a> {
    /// The table.
    pub table: &'a Table,
    /// The loss.
    pub loss: Box<dyn Loss>,
    guard: Guard,
    budget: u64,
}

/// How a search ended.
#[derive(Debug)]
pub enum SearchRun {
    /// With an answer.
    Done(Box<SearchAnswer>, Duration),
    /// It was left when its time was over.
    OutOfTime(Duration),
    /// It does not take the problem; why.
    Refused(String),
}

/// k-anonymity.
pub fn guard(k: u32) -> Result<Guard> {
    let parameters = Parameters::from([("k".to_owned(), Value::Integer(i64::from(k)))]);
    Ok(Guard::new(vec![privacy::build("k-anonymity", &parameters, &[])?]))
}

/// The loss of that name, with its default parameters.
pub fn measure(table: &Table, name: &str) -> Result<Box<dyn Loss>> {
    let member = loss::find(name).ok_or_else(|| format!("there is no loss {name}"))?;
    Ok(member.build(table, &Parameters::new())?)
}

impl SearchCell {
    /// What is asked where one question must do.
    pub const USUAL: Self = Self { k: 5, limit: 0.05, loss: loss::DEFAULT };

    /// The records that may be suppressed.
    pub fn budget(&self, table: &Table) -> u64 {
        share_of(self.limit, table.records)
    }

    /// Asks the cell of a table.
    pub fn pose<'a>(&self, table: &'a Table) -> Result<PosedCell<'a>> {
        let loss = measure(table, self.loss)?;
        Ok(PosedCell { table, loss, guard: guard(self.k)?, budget: self.budget(table) })
    }
}

/// What a search is left with when its time is over.
struct OutOfTime;

impl PosedCell<'_> {
    /// Searches. One that can answer early does so after `limit`, if there is one, with the gap that is left.
    pub fn search(&self, name: &str, limit: Option<Duration>) -> Result<SearchRun> {
        let start = Instant::now();
        let stop = limit.map(|limit| move || start.elapsed() >= limit);
        self.ask(name, &|_| {}, stop.as_ref().map(|stop| Stop::by_clock(stop)))
    }

    /// Searches, and leaves the search after `cap`. A published search does not ask whether to stop, so it is left by
    /// unwinding out of its progress report.
    pub fn search_capped(&self, name: &str, cap: Duration) -> Result<SearchRun> {
        let start = Instant::now();
        let progress = |_| {
            if start.elapsed() >= cap {
                resume_unwind(Box::new(OutOfTime));
            }
        };
        match catch_unwind(AssertUnwindSafe(|| self.ask(name, &progress, None))) {
            Ok(run) => run,
            Err(reason) if reason.is::<OutOfTime>() => Ok(SearchRun::OutOfTime(start.elapsed())),
            Err(reason) => resume_unwind(reason),
        }
    }

    fn ask(&self, name: &str, progress: &(dyn Fn(u64) + Sync), stop: Option<Stop<'_>>) -> Result<SearchRun> {
        let member = search::find(name).ok_or_else(|| format!("there is no search {name}"))?;
        let problem =
            Problem { progress, stop, ..Problem::new(self.table, &self.guard, self.loss.as_ref(), self.budget) };
        let start = Instant::now();
        let outcome = (member.run)(&problem);
        let time = start.elapsed();
        Ok(outcome
            .map_or_else(|error| SearchRun::Refused(error.to_string()), |found| SearchRun::Done(Box::new(found), time)))
    }
}
