//! Writes a fitted release into its folder, has it audited, and puts it in place.
//!
//! The table is read a second time, rewritten, sorted by all released columns and written; then come the reports and the
//! manifest; then the audit reads everything back as a stranger would. Only a release that passes is renamed into place.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{BinaryArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use datafusion::prelude::col;
use equanym_core::mask::Mask;
use equanym_core::report::Report;
use sha2::{Digest, Sha256};

use crate::apply::coded::{Coded, Rewriting};
use crate::apply::gather;
use crate::apply::{Beside, Rewriter};
use crate::count::typed;
use crate::error::{Error, Result};
use crate::manifest::{DataFile, Manifest, ReportFile};
use crate::policy::{Format, Order, Output};
use crate::progress::{Progress, Step};
use crate::release::{Clock, Released, Seconds};
use crate::reports;
use crate::runtime::{Open, Runtime, from_datafusion};
use crate::sink::destination::Destination;
use crate::sink::staging::{Staging, write_file};
use crate::sink::{self, Sink, failed};
use crate::source::{Batches, Source};
use crate::stored::{StoredMask, json};
use crate::workers::Workers;

/// A release that is fitted but not written.
pub struct Fitted {
    /// The mask with what is needed to apply it again.
    pub stored: StoredMask,
    /// The raw values of the recoded columns.
    pub values: Vec<Vec<String>>,
    /// The labels that occur in each recoded column of the release.
    pub labels: Vec<BTreeSet<String>>,
    /// What was found.
    pub report: Report,
    /// What the mask does not say about single records.
    pub beside: Beside,
}

/// Writes a fitted release, has it audited and puts it in place.
pub fn publish(
    source: &Arc<Source>,
    mut fitted: Fitted,
    destination: Destination,
    workers: Workers,
    progress: &Arc<dyn Progress>,
    mut seconds: Seconds,
    mut clock: Clock,
) -> Result<Released> {
    let staging = &destination.staging;
    fitted.stored.output = destination.output(fitted.stored.output);
    fitted.report.neutralised_cells = write_data(source, &fitted, staging, &workers, progress)?;
    let spilled = workers.spilled();
    // Its threads may still hold spill files.
    drop(workers);
    write_reports(&fitted, staging)?;
    seconds.write = clock.lap();
    audit(staging, &destination.against, progress.as_ref())?;
    destination.commit()?;
    seconds.audit = clock.lap();
    Ok(Released { report: fitted.report, mask: fitted.stored.mask, spilled, seconds })
}

/// Writes the data file; returns how many cells were neutralised.
fn write_data(
    source: &Arc<Source>,
    fitted: &Fitted,
    staging: &Staging,
    workers: &Workers,
    progress: &Arc<dyn Progress>,
) -> Result<u64> {
    let (mask, output) = (&fitted.stored.mask, fitted.stored.output);
    let neutralise = output.format == Format::Csv;
    let rewriter = Arc::new(Rewriter::new(mask, &fitted.values, &fitted.beside, neutralise)?);
    let schema = released_schema(mask);
    let path = staging.public().join(sink::file_name(output.format));
    let reading = Arc::new(Reading::of(source, mask, progress));
    let file = if output.order == Order::Canonical && rewriter.is_by_value() {
        let coded = Coded::new(&rewriter)?;
        // Work that is begun anew finds what it wrote before.
        let begin = || {
            rewriter.begin_anew();
            sink::create_anew(output.format, &path, &schema)
        };
        let take = |file: &mut Box<dyn Sink>, batch| in_portions(&coded, &batch, &schema, file.as_mut());
        workers.rewrite((fitted, &rewriter, neutralise), &reading, begin, take)?
    } else {
        let mut file = sink::create(output.format, &path, &schema)?;
        in_one_stream(&reading, &rewriter, output.order, &schema, file.as_mut(), &workers.runtime)?;
        file
    };
    file.finish()?;
    Ok(rewriter.neutralised())
}

/// Rewrites the rows and sorts them by all columns, in few bytes.
pub(crate) fn rewrite_here(
    reading: &Arc<Reading>,
    rewriter: &Arc<Rewriter>,
    runtime: &Runtime,
    take: impl FnMut(RecordBatch) -> Result<()>,
) -> Result<()> {
    let (shared, reader) = (Arc::new(Coded::new(rewriter)?), Arc::clone(reading));
    let partitions = reading.source.partitions();
    let room = runtime.memory / 8 / partitions.max(1);
    let open: Open = Arc::new(move |partition| {
        let reading = Arc::clone(&reader);
        let batches = reading.source.read_coded(partition, &reading.places)?;
        let told = batches.map(move |batch| batch.map(|batch| reading.told(batch)));
        Ok(gather::gathered(Box::new(told), Rewriting::new(&shared), room))
    });
    let table = runtime.table(&gather::schema(), partitions, &open)?;
    let plan = table.sort(vec![col(gather::KEY).sort(true, true)]).map_err(|error| from_datafusion(&error))?;
    runtime.for_each(&plan, take)
}

/// Writes rows that stand for many records.
fn in_portions(coded: &Coded, batch: &RecordBatch, schema: &SchemaRef, file: &mut dyn Sink) -> Result<()> {
    let (keys, times) = (typed::<BinaryArray>(batch.column(0))?, typed::<UInt64Array>(batch.column(1))?);
    portions(times.values())
        .into_iter()
        .try_for_each(|(first, times)| file.write(&coded.unpack(&keys.slice(first, times.len()), &times, schema)?))
}

/// Records that are written at once when rows stand for many.
const PORTION: u64 = 8192;

/// Rows that stand for so many records, in portions of about as many records: the first row of each, and how often it
/// and those after it are written.
fn portions(times: &[u64]) -> Vec<(usize, Vec<u64>)> {
    let mut portions: Vec<(usize, Vec<u64>)> = Vec::new();
    let mut room = 0;
    for (row, &times) in times.iter().enumerate() {
        let mut left = times;
        while left > 0 {
            if room == 0 {
                portions.push((row, Vec::new()));
                room = PORTION;
            }
            let now = left.min(room);
            if let Some((_, portion)) = portions.last_mut() {
                portion.push(now);
            }
            (left, room) = (left - now, room - now);
        }
    }
    portions
}

/// Rewrites the rows as they come, for who counts on their order, and writes them so or sorted as texts.
fn in_one_stream(
    reading: &Arc<Reading>,
    rewriter: &Arc<Rewriter>,
    order: Order,
    schema: &SchemaRef,
    file: &mut dyn Sink,
    runtime: &Runtime,
) -> Result<()> {
    let (rewriting, reader) = (Arc::clone(rewriter), Arc::clone(reading));
    let open: Open = Arc::new(move |_| {
        let (rewriter, reading) = (Arc::clone(&rewriting), Arc::clone(&reader));
        let each = move |partition| {
            let (rewriter, reading) = (Arc::clone(&rewriter), Arc::clone(&reading));
            let batches = reading.source.read(partition, &reading.places);
            let batches = batches.unwrap_or_else(|error| Box::new(std::iter::once(Err(error))));
            batches.map(move |batch| rewriter.rewrite(&reading.told(batch?)))
        };
        Ok(Box::new((0..reader.source.partitions()).flat_map(each)) as Batches)
    });
    let table = runtime.table(rewriter.schema(), 1, &open)?;
    let by_all = (0..rewriter.schema().fields().len()).map(|place| col(place.to_string()).sort(true, true));
    let plan = match order {
        Order::Canonical => table.sort(by_all.collect()).map_err(|error| from_datafusion(&error))?,
        Order::Input => table,
    };
    runtime.for_each(&plan, |batch| {
        let named = RecordBatch::try_new(Arc::clone(schema), batch.columns().to_vec());
        file.write(&named.map_err(|_| Error::environment("an internal step failed"))?)
    })
}

/// The second reading of the table.
pub(crate) struct Reading {
    source: Arc<Source>,
    /// The released columns.
    places: Vec<usize>,
    progress: Arc<dyn Progress>,
    records: AtomicU64,
    /// Bytes that were read of the table before, and bytes it has.
    before: u64,
    total: u64,
}

impl Reading {
    fn of(source: &Arc<Source>, mask: &Mask, progress: &Arc<dyn Progress>) -> Self {
        Self {
            source: Arc::clone(source),
            places: mask.released().map(|(place, _)| place).collect(),
            progress: Arc::clone(progress),
            records: AtomicU64::new(0),
            before: source.bytes_read(),
            total: source.bytes(),
        }
    }

    /// The batch, told of.
    fn told(&self, batch: RecordBatch) -> RecordBatch {
        let rows = batch.num_rows() as u64;
        self.progress.at(Step::Write, self.records.fetch_add(rows, Ordering::Relaxed) + rows);
        self.progress.bytes(Step::Write, self.source.bytes_read().saturating_sub(self.before), self.total);
        batch
    }
}

/// Writes the reports, the manifest and the mask.
fn write_reports(fitted: &Fitted, staging: &Staging) -> Result<()> {
    let Output { format, .. } = fitted.stored.output;
    let mut listed = Vec::new();
    for (file, text) in reports::public(&fitted.report, &fitted.stored.mask)? {
        write_file(&staging.public().join(file), text.as_bytes())?;
        listed.push(ReportFile { file, sha256: hex(&Sha256::digest(text.as_bytes())) });
    }
    for (file, text) in reports::private(&fitted.report, &fitted.stored.mask)? {
        write_file(&staging.private().join(file), text.as_bytes())?;
    }
    let data = describe(&staging.public(), sink::file_name(format), fitted.stored.output)?;
    let limit = fitted.stored.suppression_limit;
    let manifest = Manifest::new(&fitted.stored.mask, &fitted.labels, &fitted.report, limit, data, listed);
    write_file(&staging.public().join("manifest.json"), json(&manifest)?.as_bytes())?;
    write_file(&staging.private().join("mask.json"), fitted.stored.to_json()?.as_bytes())
}

/// Has the written release checked; a failed check is an error.
fn audit(staging: &Staging, against: &[PathBuf], progress: &dyn Progress) -> Result<()> {
    progress.at(Step::Audit, 0);
    let options = equanym_audit::Options { against, ..equanym_audit::Options::default() };
    let verdict = equanym_audit::audit(&staging.public(), &options).map_err(|error| unaudited(&error))?;
    let failed: Vec<&str> = verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::unsafe_release(format!("the audit refuses the written release: {}", failed.join(", ")))
        .hint(if failed == [equanym_audit::INTERSECTION] {
            "nothing was released: who holds both releases would learn too much; `equanym release` may find other levels"
        } else {
            "nothing was released; if the input did not change meanwhile, please report this as a bug"
        }))
}

/// An earlier release that cannot be read is the user's turn; one of ours is not.
fn unaudited(error: &equanym_audit::AuditError) -> Error {
    match error {
        equanym_audit::AuditError::Earlier { .. } => Error::input(error.to_string()),
        _ => Error::environment(format!("the written release cannot be audited: {error}")),
    }
}

fn released_schema(mask: &Mask) -> SchemaRef {
    let fields = mask.released().map(|(_, column)| Field::new(&column.name, DataType::Utf8, true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn describe(folder: &Path, file: &'static str, output: Output) -> Result<DataFile> {
    let path = folder.join(file);
    let hash = || -> io::Result<(u64, String)> {
        let mut hasher = HashWriter(Sha256::new());
        let bytes = io::copy(&mut File::open(&path)?, &mut hasher)?;
        Ok((bytes, hex(&hasher.0.finalize())))
    };
    let (bytes, sha256) = hash().map_err(|error| failed(&error))?;
    Ok(DataFile { file, output, sha256, bytes })
}

struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_hold_every_record_once() {
        assert_eq!(portions(&[1, 2, 3]), [(0, vec![1, 2, 3])]);
        assert_eq!(portions(&[PORTION - 1, 3, 1]), [(0, vec![PORTION - 1, 1]), (1, vec![2, 1])]);
        let many = portions(&[2 * PORTION + 5]);
        assert_eq!(many, [(0, vec![PORTION]), (0, vec![PORTION]), (0, vec![5])]);
        assert_eq!(portions(&[]), []);
    }
}
