//! A table in memory, read whole, column by column and in parts.

use arrow_array::cast::AsArray;
use equanym_engine::error::{Kind, Result};
use equanym_engine::read::{MemoryTable, Reading, Source, open_in_parts};

/// What was read.
#[derive(Debug, PartialEq)]
pub struct ReadTable {
    pub columns: Vec<String>,
    pub records: u64,
    /// The cells of each column, behind each other.
    pub cells: Vec<Vec<Option<String>>>,
}

/// Cells that are compared one by one; a table with more is counted.
const CELLS: usize = 1 << 16;

/// Reads a file in all ways, which must agree. Nothing where it cannot be read, which is never the machine's fault.
pub fn read(name: &str, bytes: &[u8]) -> Option<ReadTable> {
    let table = MemoryTable::file(name, bytes.to_vec().into());
    let small = Reading { batch_records: 3, ..Reading::default() };
    let open = |reading: &Reading, parts: usize| open_in_parts(&table, reading, parts, None);
    let source = open(&Reading::default(), 1).map_err(blame).ok()?;
    let every: Vec<usize> = (0..source.columns().len()).collect();
    let whole = cells(&source, &every).map_err(blame).ok()?;
    if whole.cells.iter().map(Vec::len).sum::<usize>() > CELLS {
        return Some(whole);
    }
    let parted = open(&small, 3).and_then(|source| cells(&source, &every));
    assert_eq!(parted.as_ref(), Ok(&whole), "in parts");
    for place in every {
        let alone = cells(&source, &[place]);
        let column = alone.map(|mut alone| (alone.records, alone.cells.pop()));
        assert_eq!(column, Ok((whole.records, whole.cells.get(place).cloned())), "column {place} alone");
    }
    Some(whole)
}

/// A damaged file is a fault of the input; one that is larger than it may be, of the machine.
fn blame(error: equanym_engine::error::Error) {
    assert!(error.kind == Kind::Input || error.message.contains("size cap reached"), "{error}");
}

fn cells(source: &Source, projection: &[usize]) -> Result<ReadTable> {
    let mut cells = vec![Vec::new(); projection.len()];
    let mut records = 0;
    for part in 0..source.parts() {
        for batch in source.read(part, projection)? {
            let batch = batch?;
            assert_eq!(batch.num_columns(), projection.len(), "columns of a batch");
            records += batch.num_rows() as u64;
            for (cells, column) in cells.iter_mut().zip(batch.columns()) {
                let texts = column.as_string::<i32>().iter();
                let left = CELLS.saturating_sub(cells.len()) + 1;
                cells.extend(texts.take(left).map(|text| text.map(str::to_owned)));
            }
        }
    }
    Ok(ReadTable { columns: source.columns().to_vec(), records, cells })
}
