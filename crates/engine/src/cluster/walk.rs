//! Walks on a cluster: each row of the plan is a parcel of segments.
//!
//! A parcel has streams of its own, so the values are those that one machine would draw from the same seed.

use arrow_array::BinaryArray;
use equanym_core::method::values::{ChangedColumns, ParcelMethod, ValueTask};
use equanym_core::walk::SegmentOutcome;

use super::work::{Work, pack, unpack};
use super::{Cluster, plan};
use crate::decide::new_values::unchanged;
use crate::error::Result;
use crate::read::cells::column_as;

/// The most parcels.
const PARCELS: usize = 64;

impl Cluster {
    /// New values, found by executors.
    pub(crate) fn change(&self, elsewhere: &ParcelMethod, task: &ValueTask<'_>) -> Result<ChangedColumns> {
        let parcels = (elsewhere.parcels)(task, PARCELS).map_err(|error| unchanged(&error))?;
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
        (elsewhere.changed)(task, &outcomes).map_err(|error| unchanged(&error))
    }
}
