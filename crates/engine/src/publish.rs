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

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use datafusion::prelude::col;
use equanym_core::mask::Mask;
use equanym_core::report::Report;
use sha2::{Digest, Sha256};

use crate::apply::Rewriter;
use crate::error::{Error, Result};
use crate::manifest::{DataFile, Manifest, ReportFile};
use crate::policy::{Format, Order, Output};
use crate::progress::{Progress, Step};
use crate::release::{Clock, Released, Seconds};
use crate::reports;
use crate::runtime::{Open, Runtime, from_datafusion};
use crate::sink::destination::Destination;
use crate::sink::staging::{Staging, write_file};
use crate::sink::{self, failed};
use crate::source::{Batches, Source};
use crate::stored::{StoredMask, json};

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
}

/// Writes a fitted release, has it audited and puts it in place.
pub fn publish(
    source: &Arc<Source>,
    mut fitted: Fitted,
    destination: Destination,
    runtime: Runtime,
    against: &[PathBuf],
    progress: &Arc<dyn Progress>,
    mut seconds: Seconds,
    mut clock: Clock,
) -> Result<Released> {
    let staging = &destination.staging;
    fitted.stored.output = destination.output(fitted.stored.output);
    fitted.report.neutralised_cells = write_data(source, &fitted, staging, &runtime, progress)?;
    // Its threads may still hold spill files.
    drop(runtime);
    write_reports(&fitted, staging)?;
    seconds.write = clock.lap();
    audit(staging, against, progress.as_ref())?;
    destination.commit()?;
    seconds.audit = clock.lap();
    Ok(Released { report: fitted.report, mask: fitted.stored.mask, seconds })
}

/// Writes the data file; returns how many cells were neutralised.
fn write_data(
    source: &Arc<Source>,
    fitted: &Fitted,
    staging: &Staging,
    runtime: &Runtime,
    progress: &Arc<dyn Progress>,
) -> Result<u64> {
    let (mask, output) = (&fitted.stored.mask, fitted.stored.output);
    let rewriter = Arc::new(Rewriter::new(mask, &fitted.values, output.format == Format::Csv)?);
    let (partitions, open) = rewritten(source, mask, &rewriter, output.order, progress);
    let table = runtime.table(rewriter.schema(), partitions, &open)?;
    let by_all = (0..rewriter.schema().fields().len()).map(|place| col(place.to_string()).sort(true, true));
    let plan = match output.order {
        Order::Canonical => table.sort(by_all.collect()).map_err(|error| from_datafusion(&error))?,
        Order::Input => table,
    };
    let schema = released_schema(mask);
    let mut file = sink::create(output.format, &staging.public().join(sink::file_name(output.format)), &schema)?;
    runtime.for_each(plan, |batch| {
        let named = RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec());
        file.write(&named.map_err(|_| Error::environment("an internal step failed"))?)
    })?;
    file.finish()?;
    Ok(rewriter.neutralised())
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

/// The partitions of the rewritten table. To keep the order of the input it is read as one.
fn rewritten(
    source: &Arc<Source>,
    mask: &Mask,
    rewriter: &Arc<Rewriter>,
    order: Order,
    progress: &Arc<dyn Progress>,
) -> (usize, Open) {
    let places: Vec<usize> = mask.released().map(|(place, _)| place).collect();
    let (source, rewriter, progress) = (Arc::clone(source), Arc::clone(rewriter), Arc::clone(progress));
    let partitions = source.partitions();
    let read = Arc::new(AtomicU64::new(0));
    let open_one = move |partition: usize| -> Result<Batches> {
        let (rewriter, progress, read) = (Arc::clone(&rewriter), Arc::clone(&progress), Arc::clone(&read));
        Ok(Box::new(source.read(partition, &places)?.map(move |batch| {
            let batch = batch?;
            let rows = batch.num_rows() as u64;
            progress.at(Step::Write, read.fetch_add(rows, Ordering::Relaxed) + rows);
            rewriter.rewrite(&batch)
        })))
    };
    match order {
        Order::Canonical => (partitions, Arc::new(open_one)),
        Order::Input => {
            let open_one = Arc::new(open_one);
            let open_all = move |_| -> Result<Batches> {
                let open_one = Arc::clone(&open_one);
                let each =
                    move |partition| open_one(partition).unwrap_or_else(|error| Box::new(std::iter::once(Err(error))));
                Ok(Box::new((0..partitions).flat_map(each)))
            };
            (1, Arc::new(open_all))
        }
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

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
