//! A fitted mask as SQL for another engine, with a statement that checks its guarantees there.
//!
//! The table is counted and the best safe node is found here. Two statements come out. The first makes the release from the same
//! table in the other engine: mapping tables inline, withheld keys inline, everything text, the missing value null, rows in the
//! order of all columns. A value that the mask does not know is not released, because its record finds no row to join. The
//! second statement returns a row for each promise that does not hold, and no row when all do.
//!
//! They are written as text, not unparsed from a plan. A mask is joins with inline tables; a few rules of quoting are all that
//! dialects differ in; and whoever has to approve a statement can read it.
//!
//! Limits: the statements fit the rows that were counted; run the check whenever the table has changed. A privacy model
//! that cannot be put into counts is refused, and so are `trim` and `normalise`, which no two engines do alike. A number
//! column that no mapping touches is written as the engine writes it. The text holds values and stays with the owner.

mod check;
pub mod dialect;
mod statement;
mod target;

use equanym_core::privacy::{self, ModelNeeds, SensitiveVariable};
use equanym_core::report::Report;
use equanym_core::variable::Role;
use serde::Serialize;

use crate::count::columns::guarded_variables;
use crate::decide::Decision;
use crate::decide::fitting::guard;
use crate::error::{Error, Result};
use crate::mask::Promise;
use check::Guarantees;
use dialect::Dialect;
pub use target::{StatementForm, Target};

/// The statements, and what was found on the way.
#[derive(Debug, Clone, Serialize)]
pub struct Statements {
    /// The dialect.
    pub dialect: &'static str,
    /// Makes the release.
    pub release: String,
    /// Returns a row for each promise that does not hold.
    pub check: String,
    /// What the release is on the counted table.
    #[serde(flatten)]
    pub report: Report,
}

impl Statements {
    /// Both statements as one script.
    #[must_use]
    pub fn script(&self) -> String {
        let guarantee = match self.report.guarantee {
            Some(_) => "-- Nothing is guaranteed: no privacy model was asked for.\n",
            None => "",
        };
        format!(
            "-- The release. This text holds values of the table: it stays with the owner of the data.\n{guarantee}{}\n\n\
             -- The check: a row for each promise that does not hold, no row when all do.\n{}\n",
            self.release, self.check
        )
    }
}

/// The statements of a fitted release.
pub(crate) fn statements(decision: Decision, dialect: &'static Dialect, target: &Target) -> Result<Statements> {
    let stored = &decision.stored;
    for column in &stored.mask.columns {
        target::check_name(dialect, &column.name, "column")?;
    }
    let models = || stored.privacy.iter().map(|one| (one.model.as_str(), &one.parameters));
    let guarded = guarded_variables(models());
    let columns = stored.mask.columns.iter();
    let sensitive: Vec<String> =
        columns.filter(|one| guarded.contains(one.name.as_str())).map(|one| one.name.clone()).collect();
    let named: Vec<SensitiveVariable> = sensitive.iter().map(|name| SensitiveVariable::named(name)).collect();
    let mut guarantees = Vec::new();
    for (promise, requirements) in stored.privacy.iter().zip(guard(models(), &named)?.requirements()) {
        if requirements.is_empty() {
            return Err(uncountable(promise));
        }
        guarantees.extend(requirements.into_iter().map(|requirement| (promise.model.as_str(), requirement)));
    }
    let recoded = stored.mask.columns.iter().filter(|column| column.role == Role::QuasiIdentifying);
    if recoded.clone().any(|column| column.recoding.is_none()) {
        return Err(Error::input(format!("a release by `{}` cannot be written as SQL", stored.method)));
    }
    let release = statement::release(dialect, target, stored, &decision.values)?;
    let people = statement::people(dialect, target, &decision, &sensitive)?;
    let guarantees = Guarantees { models: &guarantees, sensitive: &sensitive, people };
    let check = check::check(dialect, target, stored, &guarantees);
    Ok(Statements { dialect: dialect.card.name, release, check, report: decision.into_report() })
}

fn uncountable(promise: &Promise) -> Error {
    let needs = privacy::find(&promise.model).map_or(ModelNeeds::Class, |member| (member.needs)(&promise.parameters));
    let why = match needs {
        ModelNeeds::Class => "engines round logarithms and order counts differently",
        ModelNeeds::Classes => "it judges all classes of the release together",
        ModelNeeds::Parts => {
            "it looks at every choice of some quasi-identifiers, and withholds records until all of them hold"
        }
        ModelNeeds::Table => "it compares every class with the spread over the whole table",
        ModelNeeds::Order | ModelNeeds::Ladder => {
            "it looks at the order or the ladder of a variable, which the engine does not have"
        }
        ModelNeeds::Population => "it looks at the population, which the engine does not have",
    };
    let message = format!(
        "the privacy model `{}`, with these parameters, cannot be checked by counting in SQL: {why}",
        promise.model
    );
    Error::input(message).hint("use `equanym release`, which proves it")
}
