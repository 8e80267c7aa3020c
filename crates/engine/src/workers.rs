//! Who works on the records of a table: this machine, or a cluster.
//!
//! Whoever works, the results are the same: keys in no order, rewritten records in theirs, walks by their seed. So a run asks
//! [`Workers`] and does not know who they are. What depends on the order of records is done on this machine in any case.
//!
//! The trait stands behind `count` and `mask`, because it hands out keys and takes a rewriter, and before `decide`, so that
//! whatever decides, writes or asks can be handed workers. A cluster is a crate of its own that implements it.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use equanym_core::mask::Mask;
use equanym_core::method::values::{ChangedColumns, ValueMethod, ValueTask};
use equanym_core::walk::WalkError;

use crate::count::counter::Counter;
use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::mask::rewrite::{Rewriter, Values};
use crate::mask::second_reading::SecondReading;
use crate::read::{Data, Reading};

/// Who works on the records of one table: counts them, and what follows.
pub trait Workers: Counter {
    /// The threads, memory and spill space of this machine.
    fn runtime(&self) -> &Runtime;

    /// Rewrites records by value, and hands them as keys in order to what `begin` makes; it is made anew when the work is
    /// begun anew.
    fn rewrite<'k>(&self, records: &Rewriting<'_>, begin: SinkMaker<'_, 'k>) -> Result<Box<dyn KeySink + 'k>>;

    /// New values for columns.
    fn change(&self, values: &ValueMethod, task: &ValueTask<'_>) -> Result<ChangedColumns>;

    /// The bytes that were written to disk so far because memory ran short.
    fn spilled(&self) -> u64;
}

/// The records that are rewritten, and how.
pub struct Rewriting<'a> {
    /// Where they are read on this machine.
    pub reading: &'a SecondReading<'a>,
    /// The mask, ready for their values.
    pub rewriter: &'a Arc<Rewriter>,
    /// The mask itself.
    pub mask: &'a Mask,
    /// The values of the recoded columns.
    pub values: Values<'a>,
}

/// Takes rewritten records.
pub trait KeySink {
    /// Takes a batch of keys, and how often each stands there.
    fn take(&mut self, keys: RecordBatch) -> Result<()>;

    /// All were taken.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Makes what takes rewritten records.
pub type SinkMaker<'b, 'k> = &'b mut dyn FnMut() -> Result<Box<dyn KeySink + 'k>>;

/// Other machines that may work for a run.
pub trait Cluster: std::fmt::Debug + Sync {
    /// Finds them, and shows them the table. What they cannot do, the runtime of this machine does.
    fn join(&self, table: &Path, reading: &Reading, runtime: Runtime) -> Result<Box<dyn Workers>>;
}

/// The cluster if there is one, and otherwise this machine.
pub(crate) fn hire(
    resources: &Resources,
    spill: &Path,
    cluster: Option<&dyn Cluster>,
    data: Data<'_>,
    reading: &Reading,
) -> Result<Box<dyn Workers>> {
    let runtime = Runtime::start(resources, Some(spill))?;
    let Some(cluster) = cluster else { return Ok(Box::new(runtime)) };
    let in_memory =
        || Error::input("a cluster cannot read what is in this machine's memory").hint("run without a cluster");
    cluster.join(data.path().ok_or_else(in_memory)?, reading, runtime)
}

/// Why there are no new values: the input or the policy does not allow it.
#[must_use]
pub fn no_new_values(error: &WalkError) -> Error {
    // The names of columns are hostile.
    let escaped = |letter: char| if letter.is_control() { letter.escape_default().collect() } else { vec![letter] };
    Error::input(error.to_string().chars().flat_map(escaped).collect::<String>())
}

/// This machine alone.
impl Workers for Runtime {
    fn runtime(&self) -> &Runtime {
        self
    }

    fn rewrite<'k>(&self, records: &Rewriting<'_>, begin: SinkMaker<'_, 'k>) -> Result<Box<dyn KeySink + 'k>> {
        let mut sink = begin()?;
        records.reading.sorted_keys(records.rewriter, self, |keys| sink.take(keys))?;
        Ok(sink)
    }

    fn change(&self, values: &ValueMethod, task: &ValueTask<'_>) -> Result<ChangedColumns> {
        self.side_by_side(|| (values.change)(task)).map_err(|error| no_new_values(&error))
    }

    fn spilled(&self) -> u64 {
        Runtime::spilled(self)
    }
}
