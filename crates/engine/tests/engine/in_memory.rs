//! Releases in memory: the same as on disk, to the last byte; typed; and nothing of what is not released.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::{Int8Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, TimeUnit};
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::progress::{Progress, Silent, Step, stop, until_stopped};
use equanym_engine::read::{Data, MemoryTable};
use equanym_engine::run::audit::{AuditRequest, audit};
use equanym_engine::run::compare::{AfterTable, CompareRequest, compare};
use equanym_engine::run::draft::draft;
use equanym_engine::run::in_memory::{BatchesRequest, ReleaseInMemory, apply_batches, release_batches};
use equanym_engine::run::release::{ReleaseRequest, release};
use equanym_engine::run::risk::risk;
use tempfile::TempDir;

use crate::releasing::{contents, policy, run};
use crate::requests;
use crate::stage::refused;

const POLICY: &str = r#"
[variables.name]
role = "identifying"
[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20] }
levels = { min = 1 }
[variables.ward]
role = "quasi-identifying"
hierarchy = { groups = [{ inside = ["a", "b"], outside = ["c"] }] }
[variables.cost]
role = "insensitive"
[variables.paid]
role = "insensitive"
[variables.day]
role = "insensitive"
[variables.at]
role = "insensitive"
[variables.unit]
role = "insensitive"
[[privacy]]
model = "k-anonymity"
k = 3
[method]
suppression_limit = 0.1
"#;

/// Records of everything that a frame may hold, one of them alone in its class.
fn batch(records: usize) -> RecordBatch {
    let number = |place: usize| i64::try_from(place).unwrap();
    let mut units = StringDictionaryBuilder::<Int8Type>::new();
    let mut wards = StringDictionaryBuilder::<Int8Type>::new();
    for place in 0..records {
        // A value that only the first record has.
        units.append(if place == 0 { "PLANTED unit" } else { ["m", "k"][place % 2] }).unwrap();
        wards.append(["a", "b", "c"][place % 3]).unwrap();
    }
    let names: ArrayRef = Arc::new((0..records).map(|place| Some(format!("PLANTED {place}"))).collect::<StringArray>());
    let ages = (0..records).map(|place| if place == 0 { 117 } else { 20 + number(place * 7 % 40) });
    let costs = (0..records).map(|place| (place % 5 != 0).then(|| place as f64 / 8.0));
    let zone = "Europe/Berlin";
    RecordBatch::try_from_iter([
        ("name", names),
        ("age", Arc::new(Int64Array::from_iter_values(ages)) as _),
        ("ward", Arc::new(wards.finish()) as _),
        ("cost", Arc::new(costs.collect::<Float64Array>()) as _),
        ("paid", Arc::new((0..records).map(|place| Some(place % 2 == 0)).collect::<BooleanArray>()) as _),
        ("day", Arc::new(Date32Array::from_iter_values((19_000..19_009).cycle().take(records))) as _),
        (
            "at",
            Arc::new(
                TimestampMicrosecondArray::from_iter_values((0..records).map(|place| number(place) * 1_500_000))
                    .with_timezone(zone),
            ) as _,
        ),
        ("unit", Arc::new(units.finish()) as _),
    ])
    .unwrap()
}

fn in_memory(data: Data<'_>, policy: &Policy, threads: usize) -> equanym_engine::error::Result<ReleaseInMemory> {
    let resources = requests::threads(threads);
    release_batches(&BatchesRequest { resources, ..requests::release_in_memory(data, policy) })
}

fn table(batch: &RecordBatch) -> MemoryTable {
    MemoryTable::new(batch.schema(), vec![batch.clone()]).unwrap()
}

fn file(folder: &Path, batch: &RecordBatch) -> std::path::PathBuf {
    let path = folder.join("data.arrow");
    let mut writer = FileWriter::try_new(fs::File::create(&path).unwrap(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    path
}

#[test]
fn a_release_in_memory_is_the_one_on_disk() {
    let (folder, batch) = (TempDir::new().unwrap(), batch(900));
    let path = file(folder.path(), &batch);
    for (number, output) in ["", "[output]\nformat = \"parquet\"\ntypes = \"kept\"\n"].iter().enumerate() {
        let policy = policy(&format!("{POLICY}{output}"));
        let (there, saved) = (folder.path().join(format!("a{number}")), folder.path().join(format!("b{number}")));
        run(&path, &policy, &there, 2).unwrap();
        // However the batches are cut, and however many work on them.
        let cut: Vec<RecordBatch> = (0..900).step_by(70).map(|at| batch.slice(at, 70.min(900 - at))).collect();
        for (batches, threads) in [(vec![batch.clone()], 1), (cut, 3)] {
            let table = MemoryTable::new(batch.schema(), batches).unwrap();
            let made = in_memory((&table).into(), &policy, threads).unwrap();
            made.save(&saved).unwrap();
            assert!(contents(&there) == contents(&saved), "{output}");
            assert!(in_memory((&path).into(), &policy, 2).unwrap().public() == made.public());
            fs::remove_dir_all(&saved).unwrap();
        }
    }
    let entries = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(entries, 3, "nothing else was written");
}

#[test]
fn what_is_released_as_collected_keeps_its_type() {
    let (batch, policy) = (batch(900), policy(POLICY));
    let made = in_memory((&table(&batch)).into(), &policy, 2).unwrap();
    let released = made.batches().unwrap();
    assert_eq!(released.iter().map(RecordBatch::num_rows).sum::<usize>() as u64, made.released.report.released);
    let schema = released[0].schema();
    let kind = |name: &str| schema.field_with_name(name).unwrap().data_type().clone();
    let coded = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    for (name, expected) in [
        ("age", DataType::Utf8),
        ("ward", coded.clone()),
        ("cost", DataType::Float64),
        ("paid", DataType::Boolean),
        ("day", DataType::Date32),
        ("at", DataType::Timestamp(TimeUnit::Microsecond, Some("Europe/Berlin".into()))),
        ("unit", coded),
    ] {
        assert_eq!(kind(name), expected, "{name}");
    }
    assert!(schema.field_with_name("name").is_err());
    // The cells are those of the original: as many records withheld as told, and sums that fit.
    let days = |batches: &[RecordBatch], place: usize| -> BTreeMap<i32, usize> {
        let mut counts = BTreeMap::new();
        for batch in batches {
            let cells = batch.column(place).as_any().downcast_ref::<Date32Array>().unwrap();
            cells.values().iter().for_each(|day| *counts.entry(*day).or_default() += 1);
        }
        counts
    };
    let (before, after) = (days(std::slice::from_ref(&batch), 5), days(&released, 4));
    let lost: usize = before.iter().map(|(day, count)| count - after.get(day).unwrap_or(&0)).sum();
    assert_eq!(lost as u64, made.released.report.records - made.released.report.released);
}

#[test]
fn no_buffer_holds_what_is_not_released() {
    let made = in_memory((&table(&batch(900))).into(), &policy(POLICY), 2).unwrap();
    assert!(made.released.report.released < 900, "the first record is withheld");
    let mut left: Vec<_> = made
        .batches()
        .unwrap()
        .iter()
        .flat_map(|batch| batch.columns().to_vec())
        .map(|array| array.to_data())
        .collect();
    while let Some(data) = left.pop() {
        for buffer in data.buffers() {
            assert!(!buffer.as_slice().windows(7).any(|window| window == b"PLANTED"));
        }
        left.extend(data.child_data().iter().cloned());
    }
    for (name, bytes) in made.public() {
        assert!(!bytes.windows(7).any(|window| window == b"PLANTED"), "{name}");
    }
}

#[test]
fn masks_comparisons_drafts_and_risk_take_batches() {
    let (folder, batch, policy) = (TempDir::new().unwrap(), batch(900), policy(POLICY));
    let (path, table, resources) = (file(folder.path(), &batch), table(&batch), Resources::default());
    let made = in_memory((&table).into(), &policy, 2).unwrap();
    let again = apply_batches(requests::apply_in_memory(&table, made.stored().unwrap())).unwrap();
    assert!(again.public()["data.csv"] == made.public()["data.csv"]);

    let out = folder.path().join("out");
    run(&path, &policy, &out, 2).unwrap();
    let compared = |original: Data<'_>, release: AfterTable<'_>| {
        let (reading, target, policy) = (&policy.data, Some("paid"), Some(&policy));
        let common = requests::compare(original, release);
        let request = CompareRequest { policy, reading, target, show_values: true, ..common };
        serde_json::to_value(compare(&request).unwrap()).unwrap()
    };
    assert_eq!(compared((&table).into(), AfterTable::Release(&made)), compared((&path).into(), out.as_path().into()));

    let progress: Arc<dyn Progress> = Arc::new(Silent);
    let drafted = |data: Data<'_>| draft(&requests::draft(data, Path::new(""))).unwrap();
    assert_eq!(drafted((&table).into()), drafted((&path).into()));
    let measured = |data: Data<'_>| risk(data, Some(&policy), &policy.data, &resources, &progress).unwrap();
    assert_eq!(measured((&table).into()), measured((&path).into()));
}

#[test]
fn what_cannot_be_read_is_told_by_name_and_without_a_cell() {
    let of = |columns: Vec<(&str, ArrayRef)>| {
        let fields =
            columns.iter().map(|(name, array)| arrow_schema::Field::new(*name, array.data_type().clone(), true));
        let schema = Arc::new(arrow_schema::Schema::new(fields.collect::<Vec<_>>()));
        let arrays = columns.iter().map(|(_, array)| Arc::clone(array)).collect();
        MemoryTable::new(Arc::clone(&schema), vec![RecordBatch::try_new(schema, arrays).unwrap()]).unwrap()
    };
    let text: ArrayRef = Arc::new(StringArray::from(vec!["secret\0"]));
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let lists: ArrayRef = Arc::new(arrow_array::ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1)])]));
    let one = policy("[variables.a]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2");
    let tables = [vec![("a", Arc::clone(&numbers)), ("a", numbers)], vec![("a", lists)], vec![("a", text)]];
    for table in tables.map(of) {
        let error = refused(in_memory((&table).into(), &one, 1), Path::new("no folder"));
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

/// Stops the run at the first word of a step.
struct StopAt(Step, AtomicU64);

impl Progress for StopAt {
    fn at(&self, step: Step, _: u64) {
        if step == self.0 {
            self.1.fetch_add(1, Ordering::Relaxed);
            stop();
        }
    }
}

#[test]
fn comparisons_and_audits_can_be_stopped() {
    let (folder, batch, policy) = (TempDir::new().unwrap(), batch(900), policy(POLICY));
    let (path, out) = (file(folder.path(), &batch), folder.path().join("out"));
    run(&path, &policy, &out, 2).unwrap();
    for step in [Step::Count, Step::Measure] {
        let compared = until_stopped(|| {
            compare(&CompareRequest {
                policy: Some(&policy),
                reading: &policy.data,
                progress: &StopAt(step, AtomicU64::new(0)),
                ..requests::compare(&path, out.as_path())
            })
        });
        assert!(compared.is_none(), "{step:?}");
    }
    let audited = until_stopped(|| {
        audit(&AuditRequest {
            original: Some(&path),
            reading: &policy.data,
            mask: Some(&out.join("private/mask.json")),
            progress: &StopAt(Step::Audit, AtomicU64::new(0)),
            ..requests::audit(&out.join("public"))
        })
    });
    assert!(audited.is_none());
}

#[test]
fn a_run_that_is_stopped_leaves_nothing() {
    let (folder, batch, policy) = (TempDir::new().unwrap(), batch(900), policy(POLICY));
    let path = file(folder.path(), &batch);
    for step in [Step::Count, Step::Search, Step::Write, Step::Audit] {
        let progress = Arc::new(StopAt(step, AtomicU64::new(0)));
        let given = until_stopped(|| {
            release(&ReleaseRequest {
                resources: requests::threads(3),
                progress: Arc::clone(&progress) as Arc<dyn Progress>,
                ..requests::release(&path, &policy, &folder.path().join("out"))
            })
        });
        assert!(given.is_none() && progress.1.load(Ordering::Relaxed) > 0, "{step:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{step:?}");
    }
}
