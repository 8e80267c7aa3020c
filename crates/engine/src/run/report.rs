//! Forms about a finished release.
//!
//! The release is audited first: a form about one that does not hold would mislead. Where the private part lies beside it, the form
//! is the one that the release itself could have written. From the public part alone, what only the owner knows is
//! left open and marked.
//!
//! Limit: the release must be of this version of the program, because its words are read again. Nothing in its files is trusted but
//! as text: what a private report says of the original cannot be checked without the original.

use std::path::{Path, PathBuf};

use equanym_audit::Verdict;
use equanym_core::checklist::{Advice, Check, Checklist, ChecklistLine, ChecklistNumber};
use equanym_core::report::{ClassFindings, PublicCounts, Worth};
use equanym_core::utility::bars::ColumnFrequencies;
use serde::Deserialize;

use super::audit::{AuditRequest, audit};
use crate::decide::checklist::group_of;
use crate::error::{Error, Result};
use crate::policy::day_of;
use crate::progress::Progress;
use crate::read::{Reading, text_file};
use crate::write::manifest::Manifest;
use crate::write::reports::pictures::SizeStep;
use crate::write::reports::{KeptShare, OwnerFindings, ReleaseFindings, ShownClasses, ShownRisk, Small, forms};
use crate::write::sink::staging::{Staging, write_file};

/// What is asked.
pub struct ReportRequest<'a> {
    /// The folder of a release, or its public part.
    pub release: &'a Path,
    /// The forms to fill in.
    pub forms: &'a [String],
    /// The day, where the release does not tell it.
    pub date: Option<&'a str>,
    /// The folder to make.
    pub out: &'a Path,
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// What was written.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ReportFiles {
    /// The files, in their folder.
    pub files: Vec<String>,
    /// Whether the private part was at hand.
    pub private: bool,
}

/// Fills in forms about a release.
pub fn report(request: &ReportRequest<'_>) -> Result<ReportFiles> {
    let forms = forms::chosen(request.forms)?;
    if forms.is_empty() {
        return Err(Error::input("no form is named").hint("`equanym list form` shows them"));
    }
    let (public, private) = parts_of(request.release);
    let verdict = checked(&public, request.progress)?;
    let mut manifest = manifest_of(&public)?;
    if let Some(date) = request.date {
        manifest.about.date = Some(day_of(date)?);
    }
    let at_hand = private.join(REPORT).is_file();
    let written = WrittenReport::read(&if at_hand { private } else { public.clone() }.join(REPORT))?;
    if written.released != manifest.records.released {
        return Err(Error::input("the private report belongs to another release").hint("keep both parts together"));
    }
    let known = ReportFacts::new(written);
    let findings = known.findings(&manifest, &verdict, !at_hand);
    let staging = Staging::plain(request.out, &public)?;
    let mut files = Vec::new();
    for (name, text) in forms.iter().flat_map(|form| form.filled(&findings)) {
        write_file(&staging.folder().join(&name), text.as_bytes())?;
        files.push(name);
    }
    staging.commit()?;
    Ok(ReportFiles { files, private: at_hand })
}

const REPORT: &str = "report.json";

/// The public and the private part of a release; whoever names the public one means the whole.
fn parts_of(release: &Path) -> (PathBuf, PathBuf) {
    let inside = release.join("public");
    if inside.is_dir() {
        return (inside, release.join("private"));
    }
    let private = release.canonicalize().ok().and_then(|whole| Some(whole.parent()?.join("private")));
    (release.to_owned(), private.unwrap_or_else(|| release.join("private")))
}

fn checked(public: &Path, progress: &dyn Progress) -> Result<Verdict> {
    let verdict = audit(&AuditRequest {
        public,
        original: None,
        population: None,
        reading: &Reading::default(),
        mask: None,
        key: None,
        known: &[],
        against: &[],
        progress,
    })?;
    if verdict.passed() {
        return Ok(verdict);
    }
    let names: Vec<&str> = verdict.failures().map(|check| check.name).collect();
    Err(Error::unsafe_release(format!("the release does not pass its audit: {}", names.join(", ")))
        .hint("there is no form about it; `equanym audit` tells more"))
}

fn manifest_of(public: &Path) -> Result<Manifest> {
    let text = text_file::read(&public.join("manifest.json"))?;
    let manifest: Option<Manifest> = serde_json::from_str(&text).ok();
    manifest.filter(Manifest::is_of_this_version).ok_or_else(|| {
        Error::input("the release was written by another version of the program")
            .hint("fill in its forms with that version, or release it again")
    })
}

/// What a written report tells.
#[derive(Deserialize)]
struct WrittenReport {
    released: u64,
    records: Option<u64>,
    suppressed: Option<u64>,
    persons: Option<u64>,
    persons_suppressed: Option<u64>,
    shown_from: Option<u64>,
    classes: ShownClasses,
    risk: Option<ShownRisk>,
    original: Option<ClassFindings>,
    #[serde(default)]
    frequencies: Vec<Distance>,
    #[serde(default)]
    kept: Vec<KeptBits>,
    #[serde(default)]
    dropped_columns: Vec<String>,
    worth: Option<Sentence>,
    #[serde(default)]
    checklist: Vec<WrittenLine>,
    table: Option<String>,
    sizes: Vec<SizeStep>,
}

#[derive(Deserialize)]
struct Distance {
    column: String,
    values: usize,
    labels: usize,
    total_variation: f64,
}

#[derive(Deserialize)]
struct KeptBits {
    column: String,
    share: f64,
}

#[derive(Deserialize)]
struct Sentence {
    sentence: String,
}

#[derive(Deserialize)]
struct WrittenLine {
    check: String,
    verdict: Advice,
    message: String,
    group: Option<String>,
    records: Option<u64>,
    share: Option<f64>,
}

impl WrittenReport {
    fn read(path: &Path) -> Result<Self> {
        let name = path.to_string_lossy().escape_debug().to_string();
        serde_json::from_str(&text_file::read(path)?)
            .map_err(|_| Error::input(format!("`{name}` is no report of this version of the program")))
    }
}

/// What is known of a release, in the program's own terms.
struct ReportFacts {
    written: WrittenReport,
    frequencies: Vec<ColumnFrequencies>,
    checklist: Checklist,
    worth: Option<Worth>,
}

impl ReportFacts {
    fn new(mut written: WrittenReport) -> Self {
        let frequencies = std::mem::take(&mut written.frequencies).into_iter().map(distance).collect();
        let checklist = written.checklist.iter().filter_map(line).collect();
        let worth = written.worth.take();
        let worth = worth.map(|one| Worth { sentence: one.sentence, ..Worth::of_levels(std::iter::empty()) });
        Self { written, frequencies, checklist, worth }
    }

    fn findings<'a>(&'a self, manifest: &'a Manifest, verdict: &'a Verdict, of_public: bool) -> OwnerFindings<'a> {
        let Self { written, frequencies, checklist, worth } = self;
        // Classes and risk are those that were written, not counted again.
        let mut release =
            ReleaseFindings::new(manifest, ClassFindings::from_sizes(&[]), &PublicCounts::default(), Small::Shown);
        (release.classes, release.risk, release.shown_from) = (written.classes, written.risk, written.shown_from);
        (release.records, release.suppressed) = (written.records, written.suppressed);
        (release.persons, release.persons_suppressed) = (written.persons, written.persons_suppressed);
        release.sizes.clone_from(&written.sizes);
        OwnerFindings {
            release,
            original: written.original.as_ref(),
            frequencies,
            pairs: &[],
            suppressed_keys: 0,
            dropped_columns: written.dropped_columns.iter().map(String::as_str).collect(),
            balance: None,
            minimal: None,
            new_value_facts: None,
            worth: worth.as_ref(),
            checklist,
            population: None,
            next_steps: Vec::new(),
            table: written.table.as_deref(),
            policy_sha256: None,
            ladders: Vec::new(),
            kept: written.kept.iter().map(|one| KeptShare { column: &one.column, share: one.share }).collect(),
            audit: Some(verdict),
            of_public,
        }
    }
}

fn distance(one: Distance) -> ColumnFrequencies {
    ColumnFrequencies {
        column: one.column,
        values: one.values,
        labels: one.labels,
        exact: 0.0,
        grouped: 0.0,
        unknown: 0.0,
        unmatched: 0.0,
        withheld: 0.0,
        total_variation: one.total_variation,
        bars: Vec::new(),
    }
}

/// A line of the checklist; what this version does not know is left out.
fn line(written: &WrittenLine) -> Option<ChecklistLine> {
    let mut line = ChecklistLine::new(Check::named(&written.check)?, written.verdict, &written.message);
    if let (Some(group), Some(records), Some(share)) = (&written.group, written.records, written.share) {
        line = line
            .number("group", ChecklistNumber::Word(group_of(group)?))
            .count("records", records)
            .share("share", share);
    }
    Some(line)
}
