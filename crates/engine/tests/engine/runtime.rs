//! Sorting in little memory: whichever thread is faster, it ends well.

use std::sync::Arc;

use arrow::array::{BinaryArray, RecordBatch, UInt64Array};
use datafusion::prelude::col;
use equanym_engine::apply::gather;
use equanym_engine::runtime::{Open, Resources, Runtime};
use equanym_engine::source::Batches;

const BATCHES: u64 = 40;
const ROWS: u64 = 8192;

/// Keys of 40 bytes in no order.
fn batch(number: u64) -> RecordBatch {
    let key = |row: u64| {
        let words =
            (0..5).map(|word| (number * ROWS + row + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(word * 7));
        words.flat_map(u64::to_be_bytes).collect::<Vec<u8>>()
    };
    let keys: BinaryArray = (0..ROWS).map(|row| Some(key(row))).collect();
    let times = UInt64Array::from(vec![1; usize::try_from(ROWS).unwrap()]);
    RecordBatch::try_new(gather::schema(), vec![Arc::new(keys), Arc::new(times)]).unwrap()
}

#[test]
fn a_sort_in_little_memory_writes_to_disk_and_loses_nothing() {
    let spill = tempfile::tempdir().unwrap();
    let resources = Resources { threads: 2, memory: 24 << 20, ..Resources::default() };
    let runtime = Runtime::start(&resources, Some(spill.path())).unwrap();
    let open: Open = Arc::new(|part| {
        let numbers = (0..BATCHES).map(move |number| number * 2 + part as u64);
        Ok(Box::new(numbers.map(|number| Ok(batch(number)))) as Batches)
    });
    let table = runtime.table(&gather::schema(), 2, &open).unwrap();
    let plan = table.sort(vec![col(gather::KEY).sort(true, true)]).unwrap();
    let (mut rows, mut last) = (0, Vec::new());
    runtime
        .for_each(&plan, |batch| {
            let keys = batch.column(0).as_any().downcast_ref::<BinaryArray>().unwrap().clone();
            for key in keys.iter().flatten() {
                assert!(last.as_slice() <= key);
                last = key.to_vec();
            }
            rows += batch.num_rows() as u64;
            Ok(())
        })
        .unwrap();
    assert_eq!(rows, 2 * BATCHES * ROWS);
    assert!(runtime.spilled() > 0);
}
