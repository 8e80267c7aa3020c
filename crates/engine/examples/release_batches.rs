//! A release in memory: record batches in, record batches out, nothing on disk.
//!
//! `cargo run --package equanym-engine --example release_batches`

use std::error::Error;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::read::MemoryTable;
use equanym_engine::run::in_memory::{BatchesRequest, release_batches};

const POLICY: &str = r#"
[variables.name]
role = "identifying"

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20] }

[variables.nights]
role = "insensitive"

[[privacy]]
model = "k-anonymity"
k = 2
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let names: ArrayRef = Arc::new(StringArray::from(vec!["Ada", "Ben", "Cleo", "Dan"]));
    let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 34, 47, 49]));
    let nights: ArrayRef = Arc::new(Int64Array::from(vec![2, 3, 1, 4]));
    let batch = RecordBatch::try_from_iter([("name", names), ("age", ages), ("nights", nights)])?;
    let table = MemoryTable::new(batch.schema(), vec![batch])?;

    let policy = Policy::parse(POLICY, &|_| unreachable!("it names no files"))?;
    let release = release_batches(&BatchesRequest {
        data: (&table).into(),
        policy: &policy,
        against: &[],
        resources: Resources::default(),
        show_values: false,
        progress: Arc::new(Silent),
    })?;

    let report = &release.released.report;
    println!("{} of {} records released, audited", report.released, report.records);
    for batch in release.batches()? {
        for field in batch.schema().fields() {
            println!("  {}: {}", field.name(), field.data_type());
        }
    }
    println!("to hand over: {}", release.public().into_keys().collect::<Vec<_>>().join(", "));
    Ok(())
}
