//! Searches side by side: the same question to all, in turns, within moments.
//!
//! A machine is faster now and slower then, and a neighbour can only slow a search down, so what counts is the fastest run
//! of each. The exact search runs right before each run of a baseline, so that all meet the same quiet moments.

use std::time::Duration;

use equanym_core::search::{self, SearchAnswer};

use crate::cell::{PosedCell, SearchRun};
use crate::failure::Result;
use crate::figures::{median, short};

/// The searches that are compared with the exact one.
pub fn baselines() -> impl Iterator<Item = &'static str> {
    let by_loss = search::ALL.iter().filter(|member| !member.by_preferences);
    by_loss.map(|member| member.card.name).filter(|name| *name != search::DEFAULT)
}

/// How the searches did.
pub struct Duel {
    /// What the exact search found.
    pub found: SearchAnswer,
    /// The seconds of each of its runs.
    pub seconds: Vec<f64>,
    /// The others.
    pub others: Vec<Baseline>,
}

/// How a baseline did.
pub struct Baseline {
    name: &'static str,
    /// The seconds of its fastest run.
    fastest: f64,
    end: End,
    /// Whether it is repeated.
    again: bool,
}

/// How a baseline ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It has not run yet.
    NotYet,
    /// With the optimum.
    Exact,
    /// With a node that loses more.
    Worse,
    /// It was left.
    OutOfTime,
    /// It does not take such problems.
    Refused,
}

/// What takes longer is not repeated.
const LONG: Duration = Duration::from_millis(100);

/// How often a baseline runs, and when it is left.
pub struct Patience {
    rounds: usize,
    /// A baseline is left when it takes this many times as long as the exact search, …
    multiple: u32,
    /// … but not before this …
    least: Duration,
    /// … and in any case after this.
    most: Duration,
}

impl Patience {
    /// For a minute in all.
    pub const SHORT: Self =
        Self { rounds: 1, multiple: 22, least: Duration::from_millis(200), most: Duration::from_millis(500) };
    /// For some minutes in all.
    pub const LONG: Self =
        Self { rounds: 5, multiple: 22, least: Duration::from_millis(500), most: Duration::from_secs(2) };

    fn cap(&self, exact: Duration) -> Duration {
        (exact * self.multiple).clamp(self.least, self.most)
    }
}

/// Lets all searches answer.
pub fn duel(posed: &PosedCell<'_>, patience: &Patience) -> Result<Duel> {
    let (found, first) = exact(posed)?;
    let other = |name| Baseline { name, fastest: f64::INFINITY, end: End::NotYet, again: true };
    let mut duel = Duel { found, seconds: vec![first.as_secs_f64()], others: baselines().map(other).collect() };
    let mut last = first;
    for _ in 0..patience.rounds {
        for place in (0..duel.others.len()).filter(|&place| duel.others[place].again).collect::<Vec<_>>() {
            if last < LONG || place == 0 {
                last = exact(posed)?.1;
                duel.seconds.push(last.as_secs_f64());
            }
            let run = posed.search_capped(duel.others[place].name, patience.cap(last))?;
            duel.others[place].take(&run, &duel.found);
        }
    }
    Ok(duel)
}

fn exact(posed: &PosedCell<'_>) -> Result<(SearchAnswer, Duration)> {
    match posed.search(search::DEFAULT, None)? {
        SearchRun::Done(found, time) => Ok((*found, time)),
        SearchRun::Refused(reason) => Err(reason.into()),
        SearchRun::OutOfTime(_) => Err("the exact search was left".into()),
    }
}

impl Duel {
    /// The fastest run of the exact search, in milliseconds.
    pub fn fastest(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min) * 1e3
    }

    /// The middle run of the exact search, in milliseconds.
    pub fn middle(&self) -> f64 {
        median(&self.seconds).unwrap_or_default() * 1e3
    }

    /// The ratio of a baseline, if it found the optimum or was left before it could.
    pub fn ratio_where_exact(&self, name: &str) -> Option<f64> {
        let other = self.others.iter().find(|other| other.name == name)?;
        matches!(other.end, End::Exact | End::OutOfTime).then(|| self.ratio(other))
    }

    fn ratio(&self, other: &Baseline) -> f64 {
        other.fastest * 1e3 / self.fastest()
    }

    /// The ratios as they stand in a table: `*` where the answer loses more, `>` where the search was left.
    pub fn ratios(&self) -> impl Iterator<Item = String> {
        self.others.iter().map(|other| {
            let ratio = short(self.ratio(other));
            match other.end {
                End::NotYet | End::Refused => "–".to_owned(),
                End::Exact => ratio,
                End::Worse => format!("{ratio} *"),
                End::OutOfTime => format!("> {ratio}"),
            }
        })
    }
}

impl Baseline {
    fn take(&mut self, run: &SearchRun, optimum: &SearchAnswer) {
        self.end = match run {
            SearchRun::Done(found, _) if found.best.summary.units == optimum.best.summary.units => End::Exact,
            SearchRun::Done(..) => End::Worse,
            SearchRun::OutOfTime(_) => End::OutOfTime,
            SearchRun::Refused(_) => End::Refused,
        };
        self.again = matches!(run, SearchRun::Done(_, time) if *time < LONG);
        if let SearchRun::Done(_, time) | SearchRun::OutOfTime(time) = run {
            self.fastest = self.fastest.min(time.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_follows_the_exact_search_within_bounds() {
        let cap = |milliseconds| Patience::LONG.cap(Duration::from_millis(milliseconds)).as_millis();
        assert_eq!([1, 50, 1000].map(cap), [500, 1100, 2000]);
    }

    #[test]
    fn the_fastest_runs_count_and_cells_tell_how_a_baseline_ended() -> Result<()> {
        let table = crate::table::named(std::path::Path::new("nowhere"), "hospital-1000")?;
        let posed = crate::cell::SearchCell::USUAL.pose(&table)?;
        let other = |end| Baseline { name: "any", fastest: 0.06, end, again: true };
        let others = [End::Exact, End::Worse, End::OutOfTime, End::Refused].map(other);
        let duel = Duel { found: exact(&posed)?.0, seconds: vec![0.04, 0.02, 0.03], others: others.into() };
        assert_eq!(duel.ratios().collect::<Vec<_>>(), ["3.00", "3.00 *", "> 3.00", "–"]);
        assert_eq!([duel.fastest(), duel.middle()].map(short), ["20.0", "30.0"]);
        Ok(())
    }
}
