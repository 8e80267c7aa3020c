//! The second opinion: re-reads a written `public` folder as a stranger would and checks each claim of its manifest.
//!
//! A release is trusted because its bytes were read again by code that took no part in making them. This crate therefore
//! shares nothing with the rooms that decide and write: it has its own reading, its own grouping and its own rules for
//! labels. One check is of another kind: the reports are written again by the program's own writer, which shows consistency and no
//! independence (see `reports`). Records are streamed; memory grows with the distinct classes, not with the records.
//!
//! The way of an audit:
//! 1. `folder` lists what really lies there, `manifest` reads the claims, `known_keys` finds those that nobody judges,
//!    `files` compares both, with hashes;
//!    `agreement` holds the claims against each other, `sentence` says which they are;
//! 2. `table` opens the data, `columns` compares its header with the allow-list;
//! 3. `survey` walks once over the records, and each `observer` gives its checks at the end:
//!    `records`, `order`, `formula`, `rewrite`, `labels`, `treatment`, `classes` with `privacy` and `reports`;
//! 4. `original` makes the release again from the original, when there is one, and `population` counts who else could be meant;
//! 5. `against` with each earlier release that is given.
//!
//! A check that cannot be made is absent, and the one that stood in its way is there and failed. No text of a check or an
//! error holds a cell of the data: column names, counts and record numbers only.
//!
//! Limit: the audit judges what is in the folder. How the release was found (method, search, loss) leaves no trace in the
//! bytes and is not judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Serialize, Serializer};

mod against;
mod agreement;
mod calendar;
mod cells;
mod classes;
mod columns;
mod course;
mod decimal;
mod drawn;
mod error;
mod factorial;
mod files;
mod folder;
mod formula;
mod key;
mod known_keys;
mod labels;
mod library;
mod manifest;
mod observer;
mod order;
mod original;
mod parameters;
mod population;
mod privacy;
mod records;
mod reports;
mod rewrite;
mod sentence;
mod spelling;
mod survey;
mod table;
mod treatment;

pub use error::AuditError;
pub use original::{Ladder, Original, ValueMeaning};
use privacy::{Promise, Promises};
pub use reports::{ReleaseCounts, ReportWriter};

/// What an audit may look at besides the folder. New questions become new fields; start from the default.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The table that the release was made from.
    pub original: Option<&'a dyn Original>,
    /// With the original, the population or earlier releases: the mask of the release, which has the labels that a list gives.
    pub mask: Option<&'a Path>,
    /// With the original: the key of the release, without which nobody knows what became of ids and of dates that move.
    pub key: Option<&'a Path>,
    /// With the original, where there is no mask: what the policy says of sensitive values.
    pub known: &'a [ValueMeaning],
    /// The population that the original was taken from, read like an original.
    pub population: Option<&'a dyn Original>,
    /// The mask of the release where it is not in a file.
    pub stored: Option<&'a [u8]>,
    /// What writes the reports again; without it they are not compared, and that is no pass.
    pub reports: Option<ReportWriter>,
    /// The `public` folders of earlier releases of the same people.
    pub against: &'a [PathBuf],
    /// Hears now and then how many released records were read. Whoever hears may unwind: nothing is left behind.
    pub heard: Option<&'a dyn Fn(u64)>,
}

impl Options<'_> {
    /// The mask of the release; nothing where none is given, or that of another one.
    fn own_mask(&self, claims: &manifest::Claims) -> Result<Option<original::StoredMask>, AuditError> {
        let read = self.mask.map(original::StoredMask::read);
        let mask = self.stored.map(original::StoredMask::parse).or(read).transpose()?;
        Ok(mask.filter(|mask| mask.is_of(claims)))
    }
}

/// The name of the check of who can be in this and in an earlier release.
pub const INTERSECTION: &str = "intersection";

/// The name of the check of who came or left since an earlier release.
pub const DIFFERENCE: &str = "difference";

/// One claim and what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was checked; stable, for scripts.
    pub name: &'static str,
    /// Whether the claim holds.
    pub passed: bool,
    /// What the manifest claims.
    pub claim: String,
    /// What the bytes say.
    pub found: String,
    /// The classes that an earlier release singles out, by the labels that can be compared. They are labels, so they are
    /// shown to whoever asks for them and written nowhere.
    #[serde(skip)]
    pub singled_out: BTreeSet<Vec<String>>,
}

/// Some names, each in quotes.
fn quoted<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

impl Check {
    fn new(name: &'static str, passed: bool, claim: impl Into<String>, found: impl Into<String>) -> Self {
        Self { name, passed, claim: claim.into(), found: found.into(), singled_out: BTreeSet::new() }
    }

    /// The same, where these classes are why it fails.
    fn singling_out(self, classes: BTreeSet<Vec<String>>) -> Self {
        Self { singled_out: if self.passed { BTreeSet::new() } else { classes }, ..self }
    }
}

/// What shows whether a promise is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The released bytes.
    Release,
    /// The original.
    Original,
    /// The population.
    Population,
    /// Nothing that was given: the population would.
    NeedsPopulation,
    /// Nothing that was given: the original would.
    NeedsOriginal,
    /// The original would, with the labels of the mask.
    NeedsMask,
    /// The original would, with the key of the release.
    NeedsKey,
    /// The original would, with the ladder or the order of the mask or the policy.
    NeedsPolicy,
    /// Nothing: which original records a class holds cannot be told.
    NotRebuilt,
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Evidence {
    /// What the original showed, or why it did not; what the bytes show they still show.
    fn learn(&mut self, by_original: Option<Self>) {
        match by_original {
            Some(shown @ (Self::Original | Self::Population)) => *self = shown,
            Some(why) if matches!(self, Self::NeedsOriginal | Self::NeedsPopulation) => *self = why,
            _ => {}
        }
    }

    /// As it is written for programs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Original => "original",
            Self::Population => "population",
            Self::NeedsPopulation => "needs --population",
            Self::NeedsOriginal => "needs --original",
            Self::NeedsMask => "needs --mask",
            Self::NeedsKey => "needs --key",
            Self::NeedsPolicy => "needs --mask or --policy",
            Self::NotRebuilt => "cannot be rebuilt",
        }
    }
}

/// A claimed privacy model, and what showed whether it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelVerdict {
    /// The name of the model.
    pub model: &'static str,
    /// The model with its variable, its parameters and what it counts.
    pub promise: String,
    /// What showed whether it holds.
    pub checked: Evidence,
}

impl ModelVerdict {
    /// Whether nothing that was given shows it.
    fn is_open(&self) -> bool {
        !matches!(self.checked, Evidence::Release | Evidence::Original | Evidence::Population)
    }
}

/// All checks of one audit, in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// What is claimed, in one sentence: the roles of the columns and the privacy models.
    pub claimed: String,
    /// `none` where no privacy model is claimed: claims that hold then guarantee nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<&'static str>,
    /// The privacy models, and what of them was checked.
    pub privacy: Vec<ModelVerdict>,
    /// The checks.
    pub checks: Vec<Check>,
}

impl Verdict {
    /// Whether every check passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }

    /// The promises that nothing of what was given shows.
    pub fn unchecked(&self) -> impl Iterator<Item = &ModelVerdict> {
        self.privacy.iter().filter(|one| one.is_open())
    }

    /// The checks that did not pass.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.passed)
    }
}

/// Checks every claim of the release in the folder `public`.
///
/// A claim that does not hold is a failed [`Check`]; an error says that there was nothing to judge.
pub fn audit(public: &Path, options: &Options) -> Result<Verdict, AuditError> {
    judge(&folder::Folder::list(public)?, options)
}

/// The same of a release that is in memory: what would be the files of its folder `public`, by their names.
pub fn audit_in_memory(public: &BTreeMap<String, Bytes>, options: &Options) -> Result<Verdict, AuditError> {
    judge(&folder::Folder::in_memory(public), options)
}

fn judge(folder: &folder::Folder<'_>, options: &Options) -> Result<Verdict, AuditError> {
    let manifest = manifest::read(folder)?;
    let mut checks = known_keys::checks(&manifest)?.to_vec();
    checks.extend([
        agreement::check(&manifest.claims),
        files::check(folder, &manifest),
        files::report_check(folder, &manifest)?,
    ]);
    let claims = &manifest.claims;
    let data = folder.file(&claims.data.file);
    if let Some(file) = &data {
        let digest = folder::digest(file)?;
        checks.extend(files::data_checks(&digest, &claims.data));
        let reports = reports::Reports { folder, manifest: &manifest, writer: options.reports };
        checks.extend(survey::survey(file, &digest.sha256, reports, options.heard)?);
    }
    let promises = Promises::read(claims);
    let mut shown: Vec<Evidence> = promises.understood().map(Promise::evidence).collect();
    let mut limit = claims.limits_people().then_some(Evidence::NeedsOriginal);
    if let Some(table) = options.original {
        let data = data.filter(|_| checks.iter().all(|check| check.passed));
        let given = original::OriginalInputs { table, mask: options.mask, key: options.key, known: options.known };
        let found = original::checks(&given, claims, data.as_ref())?;
        checks.extend(found.checks);
        shown.iter_mut().zip(found.shown).for_each(|(shown, by_original)| shown.learn(by_original));
        if let Some(limit) = &mut limit {
            limit.learn(found.limit);
        }
    }
    if let Some(table) = options.population {
        let data = folder.file(&claims.data.file).filter(|_| checks.iter().all(|check| check.passed));
        let found = population::checks(table, options, claims, data.as_ref())?;
        checks.extend(found.checks);
        shown.iter_mut().zip(found.shown).for_each(|(shown, by_population)| shown.learn(by_population));
    }
    // A release whose own checks fail is not compared: its cells may mean anything.
    if checks.iter().all(|check| check.passed) {
        let mask = if options.against.is_empty() { None } else { options.own_mask(claims)? };
        for earlier in options.against {
            let release = against::ComparedRelease { folder, claims, mask: mask.as_ref() };
            checks.extend(against::checks(release, earlier)?);
        }
    }
    let guarantee = claims.privacy.is_empty().then_some("none");
    let judged =
        |(promise, checked): (&Promise, _)| ModelVerdict { model: promise.name, promise: promise.to_string(), checked };
    let limit = limit.map(|checked| ModelVerdict { model: "suppression", promise: sentence::limit(claims), checked });
    let privacy: Vec<ModelVerdict> = promises.understood().zip(shown).map(judged).chain(limit).collect();
    Ok(Verdict { claimed: sentence::claimed(claims, &privacy), guarantee, privacy, checks })
}
