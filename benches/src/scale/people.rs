//! A made-up table of any size, as Parquet: nine variables of text, the same rows for the same size.
//!
//! Everybody is like one of ten million profiles, a few of which are common and most rare, so the number of distinct keys
//! grows more slowly than that of records, as it does in life: about 40 % of ten million records, 10 % of a hundred.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::failure::Result;

/// A variable: its name, how many values it has, and the letter they start with.
struct Variable {
    name: &'static str,
    values: u64,
    letter: &'static str,
    width: usize,
}

const fn variable(name: &'static str, values: u64, letter: &'static str, width: usize) -> Variable {
    Variable { name, values, letter, width }
}

const VARIABLES: [Variable; 9] = [
    variable("age", 90, "", 2),
    variable("zip", 1000, "4", 4),
    variable("sex", 2, "s", 1),
    variable("education", 16, "e", 2),
    variable("marital", 7, "m", 1),
    variable("occupation", 14, "o", 2),
    variable("country", 40, "c", 2),
    variable("diagnosis", 50, "d", 2),
    variable("ward", 12, "w", 2),
];

/// The policy of a release: seven variables are quasi-identifying, the diagnosis is sensitive.
pub const POLICY: &str = "
[variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [5, 10, 20] }
[variables.zip]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [4, 3, 2] }
[variables.sex]\nrole = \"quasi-identifying\"
[variables.education]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [2] }
[variables.marital]\nrole = \"quasi-identifying\"
[variables.occupation]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [2] }
[variables.country]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [2] }
[variables.diagnosis]\nrole = \"sensitive\"
[variables.ward]\nrole = \"insensitive\"
[[privacy]]\nmodel = \"k-anonymity\"\nk = 5
[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"diagnosis\"\nl = 2
[method]\nsuppression_limit = 0.05
[output]\nformat = \"parquet\"
";

const PROFILES: f64 = 10_000_000.0;
const GROUP: usize = 1 << 20;
const BATCH: usize = 1 << 16;

/// Writes a table of so many records.
pub fn write(path: &Path, records: u64) -> Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(File::create(path)?, schema(), options)?;
    let dictionaries = VARIABLES.each_ref().map(texts);
    let mut record = 0;
    while record < records {
        let rows = (records - record).min(BATCH as u64);
        writer.write(&batch(&dictionaries, record..record + rows)?)?;
        record += rows;
    }
    writer.close()?;
    Ok(())
}

fn schema() -> SchemaRef {
    let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    Arc::new(Schema::new(VARIABLES.iter().map(|one| Field::new(one.name, kind.clone(), true)).collect::<Vec<_>>()))
}

fn texts(variable: &Variable) -> ArrayRef {
    let Variable { values, letter, width, .. } = variable;
    Arc::new(StringArray::from_iter_values((0..*values).map(|value| format!("{letter}{value:0width$}"))))
}

fn batch(dictionaries: &[ArrayRef; 9], records: std::ops::Range<u64>) -> Result<RecordBatch> {
    let mut keys: [Vec<i32>; 9] = Default::default();
    for record in records {
        let profile = profile(record);
        let mut state = profile;
        for (variable, keys) in VARIABLES.iter().zip(&mut keys) {
            state = mixed(state);
            // Small values are more common.
            let share = unit(state) * unit(mixed(state));
            keys.push(i32::try_from(whole(share * variable.values as f64)).unwrap_or_default());
        }
    }
    let column = |(keys, values): (Vec<i32>, &ArrayRef)| -> Result<ArrayRef> {
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(Int32Array::from(keys), Arc::clone(values))?))
    };
    let columns = keys.into_iter().zip(dictionaries).map(column).collect::<Result<Vec<_>>>()?;
    Ok(RecordBatch::try_new(schema(), columns)?)
}

/// Whom a record is like: the first profiles are common.
fn profile(record: u64) -> u64 {
    whole(PROFILES * unit(mixed(record ^ 0x5EED)).powi(3))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small and not negative by construction
fn whole(number: f64) -> u64 {
    number as u64
}

/// A number from 0 to below 1.
fn unit(state: u64) -> f64 {
    (state >> 11) as f64 / (1_u64 << 53) as f64
}

/// The next state of `SplitMix64` (Steele, Lea, Flood 2014).
fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ (state >> 31)
}
