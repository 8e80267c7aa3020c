//! A first policy for a table that nobody has described yet.
//!
//! Each column is profiled on its own; its name and its values suggest a role and a ladder; the rest is a common
//! starting point. The draft is a policy as it stands: whenever the table with all its quasi-identifiers at the top is
//! safe, a release with the draft succeeds without an edit. Whether it is *right* only a person can say, so each
//! proposal comes with its reason and with what to check.
//!
//! The table is read as it was written (`habits`): what is learnt about that becomes part of the policy. Ladders that lie
//! beside the data are used (`shelf`). The draft is tried on the table before it is shown (`trial`): columns that can keep
//! something are bound to do so, because a search might give many of them up for more detail in a few.
//!
//! No cell of the table stands in a draft, comments included, because policies are stored and shared: ladders are
//! widths, numbers of characters and parts of dates. Words for missing are the exception: they mean nothing.
//!
//! Limit: columns are judged one by one. Two harmless columns may name a person together; the release finds that out.

mod effort;
mod habits;
mod ladder;
mod notes;
mod person;
mod profile;
mod role;
mod shelf;
mod trial;
mod values;
mod write;

use std::path::Path;
use std::sync::Arc;

use equanym_core::hierarchy::Builder;
use equanym_core::variable::Role;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::machine::Resources;
use crate::progress::Progress;
use crate::read::{self, Data, Encoding, Reading};
use ladder::ColumnLadder;
use profile::Profile;
use role::RoleDecision;
use shelf::Shelf;
pub use values::ColumnKind;
use values::{TableValues, ValueCounts};

/// What a draft is asked.
pub struct DraftRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// How it is read, as far as that is known.
    pub reading: &'a Reading,
    /// The folder in which the policy will lie: files that it names are named from there.
    pub folder: &'a Path,
    /// Threads and memory.
    pub resources: &'a Resources,
    /// Hears how far it has come.
    pub progress: &'a Arc<dyn Progress>,
}

/// A first policy, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// The number of records that were read.
    pub records: u64,
    /// The column that tells people apart, where one person has several records.
    pub person: Option<String>,
    /// How the table was written, where that is not as usual: sentences.
    pub notes: Vec<String>,
    /// What each column was taken for, in the order of the data.
    pub columns: Vec<Proposal>,
    /// The policy file, with comments.
    pub policy: String,
}

/// What a column was taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proposal {
    /// The column.
    pub name: String,
    /// What its values look like.
    pub kind: ColumnKind,
    /// The proposed role.
    pub role: Role,
    /// Its distinct values; the missing value counts as one.
    pub distinct: u64,
    /// Whether there are more: beyond a limit of memory they are not counted.
    pub more: bool,
    /// Records without a value.
    pub missing: u64,
    /// Why this role.
    pub reason: String,
}

/// Drafts a policy for a table.
pub fn draft(request: &DraftRequest<'_>) -> Result<Draft> {
    let (mut study, _) = study(request)?;
    let policy = trial::settle(request, &mut study)?;
    Ok(finished(study, policy))
}

fn finished(study: Study, policy: String) -> Draft {
    Draft {
        records: study.records,
        person: person::propose(&study.columns).map(|column| column.name.clone()),
        notes: notes::sentences(&study),
        policy,
        columns: study.columns.into_iter().map(DraftColumn::proposal).collect(),
    }
}

/// A draft, and the table that it was made from.
pub(crate) struct DraftTable {
    /// The draft.
    pub draft: Draft,
    /// The way of reading that suits the table.
    pub reading: Reading,
    /// For each column its values with their records, and its ladder.
    pub columns: Vec<(Vec<(String, u64)>, DraftLadder)>,
}

/// A ladder that suits a column, whatever its role.
pub(crate) struct DraftLadder {
    /// How it is made.
    pub builder: Builder,
    /// The same as a policy writes it; none where values become `*` at once.
    pub written: Option<String>,
}

/// Drafts a policy and keeps what was seen on the way.
pub(crate) fn with_values(request: &DraftRequest<'_>) -> Result<DraftTable> {
    let (mut study, seen) = study(request)?;
    let policy = trial::settle(request, &mut study)?;
    let ladders = study.columns.iter().map(|column| {
        let ladder = &column.profile.ladder;
        Ok(DraftLadder { builder: ladder.builder.clone(), written: write::ladder(ladder)? })
    });
    let ladders = ladders.collect::<Result<Vec<_>>>()?;
    let columns = seen.columns.into_iter().map(|column| column.counts.sorted()).zip(ladders).collect();
    let reading = study.reading.clone();
    Ok(DraftTable { draft: finished(study, policy), reading, columns })
}

/// What a draft would take for what.
pub(crate) struct RoleGuess {
    /// The way of reading that suits the table.
    pub reading: Reading,
    /// The quasi-identifying columns: place, name, and whether the values are numbers.
    pub quasi: Vec<(usize, String, bool)>,
    /// The column that tells people apart.
    pub person: Option<String>,
}

/// The columns that a draft would propose for counting.
pub(crate) fn proposed(request: &DraftRequest<'_>) -> Result<RoleGuess> {
    let (Study { reading, columns, .. }, _) = study(request)?;
    let quasi = columns.iter().enumerate().filter(|(_, column)| column.decision.role == Role::QuasiIdentifying);
    let is_number = |column: &DraftColumn| column.profile.kind == ColumnKind::Number;
    let quasi = quasi.map(|(place, column)| (place, column.name.clone(), is_number(column))).collect();
    Ok(RoleGuess { reading, quasi, person: person::propose(&columns).map(|column| column.name.clone()) })
}

/// A table, looked at.
struct Study {
    records: u64,
    /// The way of reading that suits it.
    reading: Reading,
    columns: Vec<DraftColumn>,
    /// Whether the draft was tried: then columns without a bound are those that were given up.
    is_tried: bool,
}

/// A column, what it holds, and what it is taken for.
struct DraftColumn {
    name: String,
    profile: Profile,
    decision: RoleDecision,
}

impl DraftColumn {
    fn proposal(self) -> Proposal {
        Proposal {
            name: self.name,
            kind: self.profile.kind,
            role: self.decision.role,
            distinct: self.profile.distinct,
            more: self.profile.capped,
            missing: self.profile.missing,
            reason: self.decision.reason.to_owned(),
        }
    }
}

/// Looks at a table. A text that is no UTF-8 says nothing about what it is: most of them are of one kind.
fn study(request: &DraftRequest<'_>) -> Result<(Study, TableValues)> {
    let found = study_as(request, request.reading);
    match &found {
        Err(error) if request.reading.encoding == Encoding::Auto && read::is_other_encoding(error) => {
            study_as(request, &Reading { encoding: Encoding::western(), ..request.reading.clone() })
        }
        _ => found,
    }
}

fn study_as(request: &DraftRequest<'_>, reading: &Reading) -> Result<(Study, TableValues)> {
    let (memory, progress) = (request.resources.memory, request.progress.as_ref());
    let mut source = request.data.open(reading)?;
    let mut seen = values::look(&source, memory, progress)?;
    if seen.records == 0 {
        return Err(Error::unsafe_release("0 records: values are needed to tell what the columns hold"));
    }
    let shelf = request.data.path().map(Shelf::beside).unwrap_or_default();
    let ladder = |(name, values): (&String, &ValueCounts)| ColumnLadder::best(name, values, &shelf, request.folder);
    let is_known: Vec<bool> =
        source.columns().iter().zip(&seen.columns).map(|both| ladder(both).file.is_some()).collect();
    let learnt = habits::learn(reading, source.columns(), &seen, &is_known);
    if learnt != *reading {
        source = request.data.open(&learnt)?;
        seen = values::look(&source, memory, progress)?;
    }
    let profile = |both: (&String, &ValueCounts)| Profile::new(both.1, seen.records, ladder(both));
    let profiles: Vec<Profile> = source.columns().iter().zip(&seen.columns).map(profile).collect();
    let mut decisions = role::decide(source.columns(), &profiles);
    effort::hold(&profiles, &mut decisions);
    let columns = source.columns().iter().zip(profiles).zip(decisions);
    let columns = columns.map(|((name, profile), decision)| DraftColumn { name: name.clone(), profile, decision });
    // Commas go without saying.
    let found =
        source.delimiter().filter(|delimiter| *delimiter != ',').and_then(|delimiter| delimiter.try_into().ok());
    let delimiter = learnt.delimiter.or(found);
    let reading = Reading { delimiter, ..learnt };
    let study = Study { records: seen.records, columns: columns.collect(), reading, is_tried: false };
    Ok((study, seen))
}
