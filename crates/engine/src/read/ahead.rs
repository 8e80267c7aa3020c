//! Reading ahead: a table of one part is read on a thread while another works on what was read.

use std::sync::mpsc::sync_channel;

use arrow_array::RecordBatch;

use super::Batches;
use crate::error::Result;

/// Batches that are read ahead.
const AHEAD: usize = 4;

/// Hands the batches of one of so many parts to `take`. Where the table has one part only, another thread of the run reads ahead.
pub(crate) fn read_ahead(
    parts: usize,
    batches: Batches,
    mut take: impl FnMut(RecordBatch) -> Result<()> + Send,
) -> Result<()> {
    let mut all = batches;
    if parts > 1 || rayon::current_num_threads() < 2 {
        return all.try_for_each(|batch| take(batch?));
    }
    let (sender, receiver) = sync_channel(AHEAD);
    rayon::in_place_scope(move |scope| {
        scope.spawn(move |_| {
            // Nobody listens any more when `take` has failed.
            let _ = all.try_for_each(|batch| sender.send(batch));
        });
        receiver.into_iter().try_for_each(|batch| take(batch?))
    })
}
