//! What a run tells while it works.
//!
//! A face hands in something that hears events; it may draw them or do nothing. Events carry counts only.

/// A step of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reading the table and counting its keys; counts records.
    Count,
    /// Searching the lattice; counts nodes.
    Search,
    /// Writing the release; counts records.
    Write,
    /// Checking the written release.
    Audit,
}

/// Hears how far a step has come.
pub trait Progress: Send + Sync {
    /// The step has done so much so far.
    fn at(&self, step: Step, done: u64);

    /// So many bytes of the table were read in this step, of so many; 0 of what nobody knows.
    fn bytes(&self, _step: Step, _read: u64, _total: u64) {}
}

/// Hears nothing.
pub struct Silent;

impl Progress for Silent {
    fn at(&self, _: Step, _: u64) {}
}
