//! Rewritten records on their way into the data file.

use std::sync::Arc;

use arrow_array::{BinaryArray, RecordBatch, UInt64Array};
use arrow_schema::SchemaRef;

use super::sink::Sink;
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::mask::rewrite::Rewriter;
use crate::mask::rewrite::sort_key;
use crate::mask::second_reading::{SecondReading, in_batches};
use crate::policy::RecordOrder;
use crate::read::cells::column_as;

/// Rewrites the records in their order, and writes them so or sorted.
pub(crate) fn write_records(
    reading: &SecondReading<'_>,
    rewriter: &Rewriter,
    order: RecordOrder,
    runtime: &Runtime,
    file: &mut dyn Sink,
    schema: &SchemaRef,
) -> Result<()> {
    if order == RecordOrder::Input {
        return reading.in_record_order(rewriter, |batch| {
            let named = RecordBatch::try_new(Arc::clone(schema), batch.columns().to_vec());
            file.write(&named.map_err(|_| Error::internal())?)
        });
    }
    let sorter = runtime.sorter(1);
    let mut keys = sorter.part();
    reading.in_record_order(rewriter, |batch| sort_key::texts_to_keys(&batch, |key| keys.add(key, 1)))?;
    keys.finish();
    in_batches(sorter, |batch| write_keys(&batch, file, |keys, _| sort_key::keys_to_texts(keys, schema)))
}

/// Writes keys that stand for many records; `unpack` makes a record of each.
pub(crate) fn write_keys(
    batch: &RecordBatch,
    file: &mut dyn Sink,
    unpack: impl Fn(&BinaryArray, &[u64]) -> Result<RecordBatch>,
) -> Result<()> {
    let (keys, times) = (column_as::<BinaryArray>(batch.column(0))?, column_as::<UInt64Array>(batch.column(1))?);
    file.write_repeated(&unpack(keys, times.values())?, times.values())
}
