//! `[data] person`: the column that tells the people of a table apart.
//!
//! One person may have several records. Where a policy names this column, everything that counts counts people. The column
//! is identifying whether it is listed or not, unless it is listed as a pseudonym: then tokens of its ids are released.
//!
//! Tokens show which records belong together. Records that share one must not count as several people, so the column of a
//! policy's only pseudonym tells people apart unless another one is named.
//!
//! Ids are compared as they are read: whether `P7` and `p7` are one person is not for a program to guess.

use equanym_core::privacy::Unit;
use equanym_core::variable::Role;
use serde::{Deserialize, Serialize};

use super::keys::Word;
use super::place::{at_line, quoted};
use super::table::PolicyTable;
use super::variable::VariablePolicy;
use crate::error::Result;

/// The key of `[data]`.
pub(super) const PERSON: &str = "person";
/// The key of `[method]`.
pub(super) const LIMIT_UNIT: &str = "limit_unit";

/// What the suppression limit is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitUnit {
    /// The records of the table.
    #[default]
    Records,
    /// Its people: each counts who lost a record.
    Persons,
}

impl Word for LimitUnit {
    const WORDS: &'static [(&'static str, Self)] = &[("records", Self::Records), ("persons", Self::Persons)];
}

impl LimitUnit {
    /// Whether it goes without saying.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::Records
    }

    /// The same word of the core.
    #[must_use]
    pub(crate) fn unit(self) -> Unit {
        match self {
            Self::Records => Unit::Records,
            Self::Persons => Unit::People,
        }
    }

    /// What is counted, in a sentence.
    #[must_use]
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Persons => "people",
        }
    }
}

/// The column that names the person, if there is one. It joins the variables unless it is listed.
pub(super) fn person(
    table: &PolicyTable<'_>,
    variables: &mut Vec<VariablePolicy>,
    is_guarded: bool,
) -> Result<Option<String>> {
    let Some(item) = table.get(PERSON) else { return of_pseudonym(variables, is_guarded) };
    let name = item.text()?;
    if name.is_empty() {
        return Err(item.fail("must name a column"));
    }
    match variables.iter().find(|variable| variable.name == name) {
        None => variables.push(VariablePolicy::identifying(name, item.line())),
        Some(variable) if matches!(variable.role, Role::Identifying | Role::Pseudonym) => {}
        Some(variable) => {
            let (name, role) = (quoted(name), variable.role.name());
            let message =
                format!("{name} names the person (`[data] person`) and cannot be {role}: its ids are never released");
            return Err(at_line(variable.line, message)
                .hint("give it role = \"identifying\" or leave it out of [variables]; role = \"pseudonym\" releases tokens in its place"));
        }
    }
    Ok(Some(name.to_owned()))
}

/// Whoever shares a token is one person, unless the policy says who is.
fn of_pseudonym(variables: &[VariablePolicy], is_guarded: bool) -> Result<Option<String>> {
    let pseudonyms: Vec<&VariablePolicy> = variables.iter().filter(|one| one.role == Role::Pseudonym).collect();
    match pseudonyms.as_slice() {
        [only] if is_guarded => Ok(Some(only.name.clone())),
        [_, second, ..] if is_guarded => {
            let message = format!("{} is the second pseudonym: nothing says whose records count", quoted(&second.name));
            Err(at_line(second.line, message).hint("name the column that tells people apart: [data] person = \"…\""))
        }
        _ => Ok(None),
    }
}
