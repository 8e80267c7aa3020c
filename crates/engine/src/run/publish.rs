//! Writes a fitted release into its folder, or memory, has it audited, and puts it in place.
//!
//! The table is read a second time, rewritten, sorted by all released columns and written, provided that it did not change
//! since the first; then come the public reports and the manifest; then the audit reads everything back as a stranger would;
//! then the owner's report, with the verdict. Only a release that passes is renamed into place.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{BinaryArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use equanym_audit::{DIFFERENCE, INTERSECTION, Verdict};
use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::mask::Mask;
use equanym_core::report::Report;
use equanym_core::variable::Role;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::audit::OpenTable;
use crate::count::counted_table::Brief;
use crate::decide::{Decision, WrittenFacts};
use crate::error::{Error, Result};
use crate::machine::stopwatch::Seconds;
use crate::mask::StoredMask;
use crate::mask::rewrite::sort_key::SortKeys;
use crate::mask::rewrite::{Rewriter, quota};
use crate::mask::second_reading::SecondReading;
use crate::policy::{Format, Output, RecordOrder, Types};
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::column_as;
use crate::treat::Treatments;
use crate::treat::key::{self, Key};
use crate::words::{hex, json};
use crate::workers::{KeySink, Rewriting, Workers};
use crate::write::frame::FrameType;
use crate::write::manifest::{ClaimBasis, DataFile, Manifest, ReportFile};
use crate::write::reports::{self, ForOwner, forms};
use crate::write::sink::destination::Destination;
use crate::write::sink::files::{ReleaseFiles, ReleasePart};
use crate::write::sink::typed::KeptType;
use crate::write::sink::{self, FileForm, Sink};
use crate::write::table::{write_keys, write_records};

/// A fitted release on its way out.
pub(super) struct Publication<'a> {
    pub brief: Brief<'a>,
    /// The population that a model looked at.
    pub population: Option<Source>,
    pub treatments: &'a Treatments,
    pub decision: Decision,
    pub destination: Destination,
    pub workers: Box<dyn Workers>,
}

/// A release that is in place.
#[derive(Debug, Clone, Serialize)]
pub struct FinishedRelease {
    /// What was found.
    #[serde(flatten)]
    pub report: Report,
    /// The fitted mask, for whoever shows it; it holds values and stays with the owner.
    #[serde(skip)]
    pub mask: Mask,
    /// What the release claims.
    #[serde(skip)]
    pub manifest: Manifest,
    /// Where the key lies that was made for it, from its folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'static str>,
    /// Bytes that were written to disk on the way because memory ran short.
    pub spilled: u64,
    /// How long each part took.
    pub seconds: Seconds,
}

/// What was made, for whoever keeps it in memory.
pub(super) struct ReleaseProduct {
    pub released: FinishedRelease,
    pub key: Key,
    /// Those of the released columns.
    pub types: Vec<FrameType>,
}

/// What a comparison with earlier releases cannot count.
const AGAINST: &str = "the comparison with earlier releases knows people by their tokens only: without tokens of the same key, who \
                       came or left must be nobody";

/// Writes a fitted release, has it audited and puts it in place.
pub(super) fn publish(publication: Publication<'_>) -> Result<ReleaseProduct> {
    let Publication { brief, population, treatments, mut decision, destination, workers } = publication;
    let Brief { source, progress, watch, show_values, .. } = brief;
    let files = &destination.files;
    decision.stored.output = destination.output(decision.stored.output);
    let counts_people = decision.stored.person.is_some() && !destination.against.is_empty();
    let earlier = counts_people.then(|| ChecklistLine::look(Check::EarlierReleases, AGAINST));
    decision.stored.key_fingerprint = treatments.key().fingerprint();
    treatments.count_anew();
    let written = DataForm::new(&mut decision, source);
    let reading = SecondReading::new(source, &decision.stored.mask, &decision.by_record, progress);
    let neutralised_cells = write_data(&reading, &decision, &written, files, workers.as_ref())?;
    source.check_unchanged()?;
    let told = treatments.warnings().into_iter().map(|message| ChecklistLine::look(Check::Treatments, message));
    let facts = WrittenFacts { neutralised_cells, lines: earlier.into_iter().chain(told).collect() };
    let Decision { stored, labels, findings, .. } = decision;
    let report = findings.report(&stored.method, facts);
    let manifest = write_reports(&stored, &labels, &report, (&written, files))?;
    let key = treatments.key().is_fresh().then_some("private/key");
    if let (Some(_), Some(private)) = (key, files.private()) {
        treatments.key().write_new(&private.join(key::FILE))?;
    }
    watch.lap(|seconds| &mut seconds.write);
    progress.at(Step::Audit, 0);
    let needs_mask = population.is_some() || !destination.against.is_empty();
    let mask = needs_mask.then(|| stored.to_json()).transpose()?;
    let evidence =
        Evidence { population: population.as_ref().map(|source| OpenTable::new(source, progress)), mask, progress };
    let verdict = audit(files, &destination.against, &evidence, show_values)?;
    write_private(&ForOwner { manifest: &manifest, report: &report, stored: &stored, audit: Some(&verdict) }, files)?;
    destination.commit()?;
    watch.lap(|seconds| &mut seconds.audit);
    let mask = stored.mask;
    let types = mask.released().map(|(place, column)| FrameType::new(column, source.column_type(place))).collect();
    let released =
        FinishedRelease { report, mask, manifest, key, spilled: workers.spilled(), seconds: watch.seconds() };
    Ok(ReleaseProduct { released, key: treatments.key().clone(), types })
}

/// How the data file is written.
struct DataForm {
    /// Nothing in it follows the input any more.
    output: Output,
    /// The types that columns of Parquet keep; empty where none does.
    types: Vec<Option<KeptType>>,
}

impl DataForm {
    /// What the input holds as a number is one, and is written in one way.
    fn new(decision: &mut Decision, source: &Source) -> Self {
        let asked = decision.stored.output;
        let output = asked.following(source);
        if (asked.format, asked.types) != (Format::Parquet, Types::Kept) {
            return Self { output, types: Vec::new() };
        }
        let types = KeptType::all(&decision.stored.mask, source);
        let released = decision.stored.mask.columns.iter_mut().filter(|column| column.role != Role::Identifying);
        for (column, kind) in released.zip(&types) {
            column.number |= *kind == Some(KeptType::Number);
        }
        Self { output, types }
    }
}

/// Writes the data file; returns how many cells were neutralised.
fn write_data(
    reading: &SecondReading<'_>,
    decision: &Decision,
    written: &DataForm,
    files: &ReleaseFiles,
    workers: &dyn Workers,
) -> Result<u64> {
    let (mask, output) = (&decision.stored.mask, written.output);
    let form = FileForm::new(output, mask, &written.types);
    let rewriter = Arc::new(Rewriter::new(mask, &decision.values, &decision.by_record, form.guard())?);
    let schema = released_schema(mask);
    let open = || sink::into(&form, files.create(ReleasePart::Public, sink::file_name(output.format))?, &schema);
    if output.order == RecordOrder::Canonical && rewriter.is_by_value() {
        let sort_keys = SortKeys::new(&rewriter)?;
        let quotas = decision.by_record.quotas.as_ref().map(|quotas| quota::GuardedQuotas::new(quotas, form.guard()));
        let (sort_keys, quotas, schema) = (&sort_keys, quotas.as_ref(), &schema);
        let mut begin = || {
            // Work that is begun anew finds what it wrote before.
            rewriter.begin_anew();
            Ok(Box::new(SortedFile { sink: open()?, sort_keys, quotas, schema }) as Box<dyn KeySink>)
        };
        let records = Rewriting { reading, rewriter: &rewriter, mask, values: &decision.values };
        workers.rewrite(&records, &mut begin)?.finish()?;
    } else {
        let mut sink = open()?;
        write_records(reading, &rewriter, output.order, workers.runtime(), sink.as_mut(), &schema)?;
        sink.finish()?;
    }
    Ok(rewriter.neutralised())
}

/// The data file, while keys in order become its records.
struct SortedFile<'a> {
    sink: Box<dyn Sink>,
    sort_keys: &'a SortKeys,
    quotas: Option<&'a quota::GuardedQuotas>,
    schema: &'a SchemaRef,
}

impl KeySink for SortedFile<'_> {
    fn take(&mut self, keys: RecordBatch) -> Result<()> {
        let unpack = |keys: &BinaryArray, times: &[u64]| self.sort_keys.unpack(keys, times, self.schema);
        let Some(quotas) = self.quotas else { return write_keys(&keys, self.sink.as_mut(), unpack) };
        let texts = unpack(column_as(keys.column(0))?, &vec![0; keys.num_rows()])?;
        match quotas.thinned(&keys, &texts)? {
            Some(keys) => write_keys(&keys, self.sink.as_mut(), unpack),
            None => Ok(()),
        }
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.sink.finish()
    }
}

/// Writes what the owner reads, which tells the verdict, too.
fn write_private(owner: &ForOwner<'_>, files: &ReleaseFiles) -> Result<()> {
    for (file, text) in reports::private(owner)? {
        files.write(ReleasePart::Private, file, text.as_bytes())?;
    }
    for (file, text) in forms::chosen(&owner.stored.notes.forms)?.iter().flat_map(|form| form.write(owner)) {
        files.write(ReleasePart::Private, &file, text.as_bytes())?;
    }
    Ok(())
}

/// Writes the public reports, the manifest and the mask.
fn write_reports(
    stored: &StoredMask,
    labels: &[BTreeSet<String>],
    report: &Report,
    (written, files): (&DataForm, &ReleaseFiles),
) -> Result<Manifest> {
    let file = sink::file_name(written.output.format).to_owned();
    let (bytes, hash) = files.digest(&file)?;
    let data = DataFile { file, output: written.output, sha256: hex(&hash), bytes };
    let claimed = ClaimBasis { stored, labels, report };
    let mut manifest = Manifest::new(claimed, data);
    manifest.columns.iter_mut().zip(&written.types).for_each(|(column, kind)| column.kept_type = *kind);
    for (file, text) in reports::public(&manifest, report.by_records, &report.pictured.told)? {
        files.write(ReleasePart::Public, file, text.as_bytes())?;
        let sha256 = hex(&Sha256::digest(text.as_bytes()));
        manifest.reports.push(ReportFile { file: file.to_owned(), sha256 });
    }
    files.write(ReleasePart::Public, "manifest.json", json(&manifest)?.as_bytes())?;
    files.write(ReleasePart::Private, "mask.json", stored.to_json()?.as_bytes())?;
    Ok(manifest)
}

/// What the audit of a written release looks at besides it.
struct Evidence<'a> {
    population: Option<OpenTable<'a>>,
    /// The labels of lists, by which the population is recoded and earlier releases are compared.
    mask: Option<String>,
    progress: &'a dyn Progress,
}

/// Has the written release checked; a failed check is an error.
fn audit(files: &ReleaseFiles, against: &[PathBuf], evidence: &Evidence<'_>, show_values: bool) -> Result<Verdict> {
    let reports = Some(reports::rebuilt as equanym_audit::ReportWriter);
    let population = evidence.population.as_ref().map(|table| table as &dyn equanym_audit::Original);
    let stored = evidence.mask.as_ref().map(String::as_bytes);
    let heard = |records| evidence.progress.at(Step::Audit, records);
    let heard: Option<&dyn Fn(u64)> = Some(&heard);
    let options = equanym_audit::Options { against, reports, population, stored, heard, ..Default::default() };
    let verdict = files.audit(&options).map_err(|error| unaudited(&error))?;
    if verdict.passed() {
        return Ok(verdict);
    }
    let names: Vec<&str> = verdict.failures().map(|check| check.name).collect();
    if names.iter().all(|name| [INTERSECTION, DIFFERENCE].contains(name)) {
        return Err(adds_up(&verdict, show_values));
    }
    Err(Error::unsafe_release(format!("the audit refuses the written release: {}", names.join(", ")))
        .hint("nothing was released; if the input did not change meanwhile, please report this as a bug"))
}

/// The most classes that a message shows.
const MOST_CLASSES: usize = 20;

/// The refusal of a release that singles people out together with an earlier one: by counts, and by labels if that is wanted.
fn adds_up(verdict: &equanym_audit::Verdict, show_values: bool) -> Error {
    let found: Vec<&str> = verdict.failures().map(|check| check.found.as_str()).collect();
    let classes: BTreeSet<&Vec<String>> = verdict.failures().flat_map(|check| &check.singled_out).collect();
    let one = |class: &&Vec<String>| {
        class.iter().map(|label| label.escape_debug().to_string()).collect::<Vec<_>>().join(" | ")
    };
    let shown: Vec<String> = classes.iter().take(MOST_CLASSES).map(one).collect();
    let labels = format!(", by the labels that can be compared: {}", shown.join("; "));
    let singled_out = format!(
        "; {} classes of the new release would be singled out{}",
        classes.len(),
        if show_values { &labels } else { "" }
    );
    let singled_out = if classes.is_empty() { "" } else { &singled_out };
    let message = format!("together with an earlier release: {}{singled_out}", found.join("; "));
    Error::unsafe_release(message).hint(
        "nothing was released: wait until more people have come, release those who came by themselves, or choose coarser \
         levels (`levels = { min = … }`, or `--level` of `equanym apply`); `--show-values` names the classes",
    )
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
