//! How long each part of a run took.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

/// How long each part of a run took, in seconds.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Seconds {
    /// Reading the hierarchy files that the policy names.
    pub load: f64,
    /// Opening the table and looking at its header.
    pub read: f64,
    /// Reading all records and counting their keys.
    pub count: f64,
    /// Fitting the ladders to the values, and the keys to the ladders; and the mask to the node that was found.
    pub fit: f64,
    /// Searching the lattice, dividing the keys or finding new values.
    pub search: f64,
    /// Finding out what more detail would take, and what neighbours of the release would risk and lose.
    pub worth: f64,
    /// Reading again, rewriting, sorting and writing.
    pub write: f64,
    /// Checking what was written.
    pub audit: f64,
}

/// Takes the time of the parts of a run.
pub(crate) struct Stopwatch(Mutex<(Instant, Seconds)>);

impl Stopwatch {
    /// Begins, given how long it took to read the policy.
    pub(crate) fn start(loading: Duration) -> Self {
        let seconds = Seconds { load: loading.as_secs_f64(), ..Seconds::default() };
        Self(Mutex::new((Instant::now(), seconds)))
    }

    /// Adds the time since the last lap to a part.
    pub(crate) fn lap(&self, part: impl FnOnce(&mut Seconds) -> &mut f64) {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (lap, seconds) = &mut *taken;
        *part(seconds) += lap.elapsed().as_secs_f64();
        *lap = Instant::now();
    }

    /// The time of each part so far.
    pub(crate) fn seconds(&self) -> Seconds {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}
