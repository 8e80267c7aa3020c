//! A first policy for a table that nobody has described yet.
//!
//! Each column is profiled on its own; its name and its values suggest a role and a ladder; the rest is a common
//! starting point. The draft is a policy as it stands: whenever the table with all its quasi-identifiers at the top is
//! safe, a release with the draft succeeds without an edit. Whether it is *right* only a person can say, so each
//! proposal comes with its reason and with what to check.
//!
//! No cell of the table stands in a draft, comments included, because policies are stored and shared: ladders are
//! widths, numbers of characters and parts of dates.
//!
//! Limit: columns are judged one by one; that two of them together name a person is for the release to find.

mod effort;
mod person;
mod profile;
mod role;
mod write;

use std::path::Path;
use std::sync::Arc;

use equanym_core::hierarchy::Builder;
use equanym_core::variable::Role;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::machine::Resources;
use crate::progress::Progress;
use crate::read::{self, Reading, Source};
pub use profile::ColumnKind;
use profile::Profile;
use role::Decision;

/// A first policy, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// The number of records that were read.
    pub records: u64,
    /// The column that tells people apart, where one person has several records.
    pub person: Option<String>,
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
pub fn draft(data: &Path, reading: &Reading, resources: &Resources, progress: &Arc<dyn Progress>) -> Result<Draft> {
    let source = read::open(data, reading)?;
    let columns = study(&source, resources, progress.as_ref())?;
    let records = columns.first().map_or(0, |column| column.profile.records);
    Ok(Draft {
        records,
        person: person::propose(&columns).map(|column| column.name.clone()),
        policy: write::policy(records, &columns, reading)?,
        columns: columns.into_iter().map(DraftColumn::proposal).collect(),
    })
}

/// What a draft would take for what.
pub(crate) struct Proposed {
    /// The quasi-identifying columns: place, name, and whether the values are numbers.
    pub quasi: Vec<(usize, String, bool)>,
    /// The column that tells people apart.
    pub person: Option<String>,
}

/// The columns that a draft would propose for counting.
pub(crate) fn proposed(source: &Source, resources: &Resources, progress: &dyn Progress) -> Result<Proposed> {
    let columns = study(source, resources, progress)?;
    let quasi = columns.iter().enumerate().filter(|(_, column)| column.decision.role == Role::QuasiIdentifying);
    let is_number = |column: &DraftColumn| matches!(column.decision.ladder, Builder::Intervals { .. });
    let quasi = quasi.map(|(place, column)| (place, column.name.clone(), is_number(column))).collect();
    Ok(Proposed { quasi, person: person::propose(&columns).map(|column| column.name.clone()) })
}

/// A column, what it holds, and what it is taken for.
struct DraftColumn {
    name: String,
    profile: Profile,
    decision: Decision,
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

fn study(source: &Source, resources: &Resources, progress: &dyn Progress) -> Result<Vec<DraftColumn>> {
    let profiles = profile::profiles(source, resources.memory, progress)?;
    if profiles.first().is_none_or(|profile| profile.records == 0) {
        return Err(Error::unsafe_release("0 records: values are needed to tell what the columns hold"));
    }
    let mut decisions = role::decide(source.columns(), &profiles);
    effort::hold(&profiles, &mut decisions);
    let columns = source.columns().iter().zip(profiles).zip(decisions);
    Ok(columns.map(|((name, profile), decision)| DraftColumn { name: name.clone(), profile, decision }).collect())
}
