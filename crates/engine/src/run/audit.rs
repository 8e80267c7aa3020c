//! The audit of a release, with what it cannot get by itself: an original of any format.
//!
//! The audit judges with code of its own and knows two formats, those of a release. The original is read here as it was
//! read for the release, and handed over as text; what is made of it, and compared, is not this room's business.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use arrow_array::StringArray;
use equanym_audit::{AuditError, Ladder, Options, Original, ReportWriter, ValueMeaning, Verdict};
use equanym_core::hierarchy::Builder;
use equanym_core::variable::Role;

use crate::error::{Error, Result};
use crate::policy::{Policy, VariablePolicy};
use crate::progress::{Progress, Step};
use crate::read::cells::{column_as, text};
use crate::read::{self, Reading, Source};
use crate::write::reports::rebuilt;

/// What is audited, and with what.
pub struct AuditRequest<'a> {
    /// The `public` folder of the release.
    pub public: &'a Path,
    /// The table that it was made from: a file, a folder or an address.
    pub original: Option<&'a Path>,
    /// The population that the table was taken from.
    pub population: Option<&'a Path>,
    /// How these tables are read; the population has a delimiter and a sheet of its own.
    pub reading: &'a Reading,
    /// The stored mask, which has the labels that a list gives.
    pub mask: Option<&'a Path>,
    /// The key of the release, which tells tokens and moved dates.
    pub key: Option<&'a Path>,
    /// What the policy says of the values of sensitive variables; a mask has that, too.
    pub known: &'a [ValueMeaning],
    /// The `public` folders of earlier releases.
    pub against: &'a [PathBuf],
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// Checks each claim of a release.
pub fn audit(request: &AuditRequest<'_>) -> Result<Verdict> {
    let progress = request.progress;
    let table = request.original.map(|path| OpenTable::open(path, request.reading, progress)).transpose()?;
    let own = Reading { delimiter: None, sheet: None, ..request.reading.clone() };
    let population = request.population.map(|path| OpenTable::open(path, &own, progress)).transpose()?;
    let [original, everybody] = [&table, &population].map(|one| one.as_ref().map(|table| table as &dyn Original));
    let heard = |records| progress.at(Step::Audit, records);
    let AuditRequest { mask, key, known, against, .. } = *request;
    let options = Options {
        original,
        mask,
        key,
        known,
        population: everybody,
        stored: None,
        reports: Some(rebuilt as ReportWriter),
        against,
        heard: Some(&heard),
    };
    equanym_audit::audit(request.public, &options).map_err(|error| {
        let failure = [&table, &population].into_iter().flatten().find_map(|table| table.failure.take());
        failure.unwrap_or_else(|| explained(&error))
    })
}

/// What a policy says of the values of sensitive variables.
#[must_use]
pub fn known_by_policy(policy: &Policy) -> Vec<ValueMeaning> {
    let known = |variable: &VariablePolicy| ValueMeaning {
        name: variable.name.clone(),
        order: variable.order.as_ref().map(|words| words.list().to_vec()),
        ladder: Some(&variable.hierarchy).filter(|_| variable.hierarchy_given).and_then(ladder),
    };
    policy.of_role(Role::Sensitive).map(known).collect()
}

/// A ladder as the audit builds it again: by its rules, or by what is listed.
fn ladder(builder: &Builder) -> Option<Ladder> {
    Some(match builder {
        Builder::Intervals { widths, .. } => Ladder::Intervals(widths.clone()),
        Builder::Prefix { keep } => Ladder::Prefix(keep.clone()),
        Builder::Date { grains, format } => {
            let grains = grains.iter().map(|grain| grain.name().to_owned()).collect();
            Ladder::Date { grains, format: format.name().to_owned() }
        }
        Builder::Library(library) => Ladder::Library { name: library.card.name.to_owned(), steps: library.steps.len() },
        // No sensitive variable has one: which values are rare cannot be told without counts.
        builder if builder.goes_by_frequency() => return None,
        _ => {
            // The missing value may have a label, too.
            let ladder = builder.fit(&[String::new()]).ok()?;
            let label = |value, level| ladder.label(level, value).unwrap_or_default().to_owned();
            let row = |(value, text): (u32, &String)| {
                (text.clone(), (1..=usize::from(ladder.height())).map(|level| label(value, level)).collect())
            };
            Ladder::Listed((0..).zip(ladder.values()).map(row).collect())
        }
    })
}

/// A table that the audit looks at, and why it could not be read to its end.
pub(super) struct OpenTable<'a> {
    source: Source,
    progress: &'a dyn Progress,
    failure: RefCell<Option<Error>>,
}

impl<'a> OpenTable<'a> {
    fn open(path: &Path, reading: &Reading, progress: &'a dyn Progress) -> Result<Self> {
        Ok(Self::new(&read::open(path, reading)?, progress))
    }

    pub(super) fn new(source: &Source, progress: &'a dyn Progress) -> Self {
        Self { source: source.clone(), progress, failure: RefCell::default() }
    }

    fn each(&self, see: &mut dyn FnMut(&[&str])) -> Result<()> {
        let places: Vec<usize> = (0..self.source.columns().len()).collect();
        let mut records = 0;
        for part in 0..self.source.parts() {
            for batch in self.source.read(part, &places)? {
                let batch = batch?;
                records += batch.num_rows() as u64;
                self.progress.at(Step::Audit, records);
                let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
                let mut cells = Vec::with_capacity(columns.len());
                for record in 0..batch.num_rows() {
                    cells.clear();
                    cells.extend(columns.iter().map(|column| text(column, record)));
                    see(&cells);
                }
            }
        }
        Ok(())
    }
}

impl Original for OpenTable<'_> {
    fn columns(&self) -> &[String] {
        self.source.columns()
    }

    fn read(&self, see: &mut dyn FnMut(&[&str])) -> std::result::Result<(), AuditError> {
        self.each(see).map_err(|error| {
            let what = error.message.clone();
            self.failure.replace(Some(error));
            AuditError::Original { what }
        })
    }
}

/// An error of the audit as one of the engine.
fn explained(error: &AuditError) -> Error {
    let text = error.to_string();
    let (message, hint) =
        text.split_once("\nhint: ").map_or((text.as_str(), None), |(message, hint)| (message, Some(hint)));
    let made = if error.exit_code() == 2 { Error::input(message) } else { Error::environment(message) };
    match hint {
        Some(hint) => made.hint(hint),
        None => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_of_the_audit_become_hints() {
        let error = explained(&AuditError::NoManifest);
        assert_eq!(error.message, "the folder has no manifest.json");
        assert_eq!(error.hint.as_deref(), Some("give the `public` folder of a release"));
        assert_eq!(error.exit_code(), 2);
    }
}
