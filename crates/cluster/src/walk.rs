//! Walks on a cluster: each row of the plan is a parcel of segments.
//!
//! A parcel has streams of its own, so the values are those that one machine would draw from the same seed.

use arrow_array::BinaryArray;
use equanym_core::method::values::{ChangedColumns, ParcelMethod, ValueTask};
use equanym_core::walk::SegmentOutcome;
use equanym_engine::error::Result;
use equanym_engine::read::cells::column_as;
use equanym_engine::workers::no_new_values;

use super::work::{Work, pack, unpack};
use super::{ClusterWorkers, plan};

/// The most parcels.
const PARCELS: usize = 64;

impl ClusterWorkers {
    /// New values, found by executors.
    pub(super) fn walk(&self, elsewhere: &ParcelMethod, task: &ValueTask<'_>) -> Result<ChangedColumns> {
        let parcels = (elsewhere.parcels)(task, PARCELS).map_err(|error| no_new_values(&error))?;
        let rows = parcels.iter().map(pack).collect::<Result<Vec<_>>>()?;
        let outcomes = self.run(
            plan::each(pack(&Work::Walk)?, &rows),
            || Ok(Vec::new()),
            |outcomes, batch| {
                for row in column_as::<BinaryArray>(batch.column(0))?.iter().flatten() {
                    outcomes.extend(unpack::<Vec<SegmentOutcome>>(row)?);
                }
                Ok(())
            },
        )?;
        (elsewhere.changed)(task, &outcomes).map_err(|error| no_new_values(&error))
    }
}
