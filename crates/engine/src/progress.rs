//! What a run tells while it works.
//!
//! A face hands in something that hears events; it may draw them or do nothing. Events carry counts only. Whoever hears one may
//! [`stop`] the run there: what it holds is let go on the way out as at any error, its threads end, and nothing is left behind.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A step of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reading the table and counting its keys; counts records.
    Count,
    /// Searching the lattice; counts nodes.
    Search,
    /// Finding new values; counts segments of records.
    Walk,
    /// Writing the release; counts records.
    Write,
    /// Checking a release; counts records.
    Audit,
    /// Measuring what a release is still good for; counts metrics.
    Measure,
    /// Computing the points of a map; counts points.
    Map,
}

impl Step {
    /// Every step.
    pub const ALL: [Self; 7] =
        [Self::Count, Self::Search, Self::Walk, Self::Write, Self::Audit, Self::Measure, Self::Map];

    /// Its name, for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Search => "search",
            Self::Walk => "walk",
            Self::Write => "write",
            Self::Audit => "audit",
            Self::Measure => "measure",
            Self::Map => "map",
        }
    }

    /// Its place among all, from 1 on.
    #[must_use]
    pub fn place(self) -> u8 {
        self as u8 + 1
    }

    /// The step at a place; 0 is none.
    #[must_use]
    pub fn at(place: u8) -> Option<Self> {
        usize::from(place).checked_sub(1).and_then(|place| Self::ALL.get(place)).copied()
    }
}

/// Hears how far a step has come.
pub trait Progress: Send + Sync {
    /// The step has done so much so far.
    fn at(&self, step: Step, done: u64);

    /// So many bytes of the table were read in this step, of so many; 0 of what nobody knows.
    fn bytes(&self, _step: Step, _read: u64, _total: u64) {}

    /// There will be so much of a step in all.
    fn whole(&self, _step: Step, _total: u64) {}
}

/// What unwinds from a run that is stopped.
struct StopSignal;

/// Ends the run that asks; to be called from [`Progress`] within [`until_stopped`]. No panic hook hears of it.
pub fn stop() -> ! {
    resume_unwind(Box::new(StopSignal))
}

/// What a run gives; nothing if it was [stopped](stop).
///
/// ```
/// use equanym_engine::progress::{stop, until_stopped};
///
/// assert_eq!(until_stopped(|| 1), Some(1));
/// assert_eq!(until_stopped(|| -> i32 { stop() }), None);
/// ```
pub fn until_stopped<T>(run: impl FnOnce() -> T) -> Option<T> {
    // Nothing that the run could have left half done outlives it.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(given) => Some(given),
        Err(payload) if payload.is::<StopSignal>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// Hears nothing.
pub struct Silent;

impl Progress for Silent {
    fn at(&self, _: Step, _: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_stands_at_its_place() {
        for step in Step::ALL {
            assert_eq!(Step::at(step.place()), Some(step));
        }
        assert_eq!([0, u8::MAX].map(Step::at), [None; 2]);
    }
}
