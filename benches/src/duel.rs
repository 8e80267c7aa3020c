//! Searches side by side: the same question to all, in turns, within moments.
//!
//! A machine is faster now and slower then, so a baseline is compared with a run of the exact search that ended right
//! before it started, and what counts is the median of these ratios. A short run of the exact search is the middle one of
//! several in a row: a single one is mostly about what ran before it.

use std::time::Duration;

use equanym_core::search::{self, Found};

use crate::cell::{Posed, Run};
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
    pub found: Found,
    /// The seconds of each of its runs.
    pub seconds: Vec<f64>,
    /// The others.
    pub others: Vec<Other>,
}

/// How a baseline did.
pub struct Other {
    name: &'static str,
    /// Its time divided by that of the exact search, for each run.
    ratios: Vec<f64>,
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

/// The exact search is repeated where it takes less, …
const SHORT: Duration = Duration::from_millis(20);
/// … so often.
const RUNS: usize = 5;

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
        Self { rounds: 3, multiple: 22, least: Duration::from_millis(500), most: Duration::from_secs(2) };

    fn cap(&self, exact: Duration) -> Duration {
        (exact * self.multiple).clamp(self.least, self.most)
    }
}

/// Lets all searches answer.
pub fn duel(posed: &Posed<'_>, patience: &Patience) -> Result<Duel> {
    let (found, first) = exact(posed)?;
    let other = |name| Other { name, ratios: Vec::new(), end: End::NotYet, again: true };
    let mut duel = Duel { found, seconds: vec![first.as_secs_f64()], others: baselines().map(other).collect() };
    let mut last = first;
    for _ in 0..patience.rounds {
        for place in (0..duel.others.len()).filter(|&place| duel.others[place].again).collect::<Vec<_>>() {
            if last < LONG || place == 0 {
                last = exact(posed)?.1;
                duel.seconds.push(last.as_secs_f64());
            }
            let run = posed.search_capped(duel.others[place].name, patience.cap(last))?;
            duel.others[place].take(&run, last, &duel.found);
        }
    }
    Ok(duel)
}

fn exact(posed: &Posed<'_>) -> Result<(Found, Duration)> {
    let (found, first) = exact_once(posed)?;
    let mut times = vec![first];
    while times.len() < RUNS && first < SHORT {
        times.push(exact_once(posed)?.1);
    }
    times.sort_unstable();
    Ok((found, times[times.len() / 2]))
}

fn exact_once(posed: &Posed<'_>) -> Result<(Found, Duration)> {
    match posed.search(search::DEFAULT, None)? {
        Run::Done(found, time) => Ok((found, time)),
        Run::Refused(reason) => Err(reason.into()),
        Run::OutOfTime(_) => Err("the exact search was left".into()),
    }
}

impl Duel {
    /// The median of the exact search's times, in milliseconds.
    pub fn milliseconds(&self) -> f64 {
        median(&self.seconds).unwrap_or_default() * 1e3
    }

    /// The ratio of a baseline, if it found the optimum or was left before it could.
    pub fn ratio_where_exact(&self, name: &str) -> Option<f64> {
        let other = self.others.iter().find(|other| other.name == name)?;
        if matches!(other.end, End::Exact | End::OutOfTime) { median(&other.ratios) } else { None }
    }
}

impl Other {
    fn take(&mut self, run: &Run, exact: Duration, optimum: &Found) {
        let end = match run {
            Run::Done(found, _) if found.best.summary.units == optimum.best.summary.units => End::Exact,
            Run::Done(..) => End::Worse,
            Run::OutOfTime(_) => End::OutOfTime,
            Run::Refused(_) => End::Refused,
        };
        self.end = end;
        self.again = matches!(run, Run::Done(_, time) if *time < LONG);
        if let Run::Done(_, time) | Run::OutOfTime(time) = run {
            self.ratios.push(time.as_secs_f64() / exact.as_secs_f64());
        }
    }

    /// The ratio as it stands in a table: `*` where the answer loses more, `>` where the search was left.
    pub fn cell(&self) -> String {
        let ratio = median(&self.ratios).map_or_else(|| "–".to_owned(), short);
        match self.end {
            End::NotYet | End::Refused => "–".to_owned(),
            End::Exact => ratio,
            End::Worse => format!("{ratio} *"),
            End::OutOfTime => format!("> {ratio}"),
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
    fn a_cell_tells_how_a_baseline_ended() {
        let cell = |end| Other { name: "any", ratios: vec![4.0, 2.0, 3.0], end, again: true }.cell();
        let ends = [End::Exact, End::Worse, End::OutOfTime, End::Refused].map(cell);
        assert_eq!(ends, ["3.00", "3.00 *", "> 3.00", "–"]);
    }
}
