//! The release as SQL for another engine: counted and decided here, made there.

use std::path::Path;
use std::sync::Arc;

use crate::count::counted_table::{Brief, Look, TableCount};
use crate::error::{Error, Result};
use crate::inquiry::question::Best;
use crate::inquiry::{Inquiry, Ladders, TreatedTable, admit};
use crate::machine::stopwatch::Stopwatch;
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::{ColumnForm, Reading};
use crate::sql::dialect::Dialect;
use crate::sql::{Statements, Target, statements};

/// What is asked.
pub struct SqlRequest<'a> {
    /// The table to count: a file or a folder.
    pub data: &'a Path,
    /// What is asked of the release.
    pub policy: &'a Policy,
    /// Which engine shall run the statements.
    pub dialect: &'static Dialect,
    /// What the tables are called there.
    pub target: Target,
    /// Threads and memory.
    pub resources: Resources,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// Finds the best safe release of a table and writes it as SQL.
pub fn sql(request: &SqlRequest<'_>) -> Result<Statements> {
    let policy = request.policy;
    admit::policy(policy)?;
    let source = TreatedTable::open_to_ask(request.data.into(), policy)?.source;
    let runtime = Runtime::start(&request.resources, None)?;
    let (progress, watch) = (request.progress.as_ref(), Stopwatch::start(policy.loading));
    let brief = Brief { policy, source: &source, show_values: false, progress, watch: &watch };
    let counted = TableCount::new(brief, Look::ForReport, &runtime)?.into_table(brief);
    let inquiry = Inquiry::new(counted, Ladders::Policy(None), &runtime)?;
    policy.refuse_sampling("no release can be written as SQL")?;
    refuse_cleaning(&policy.data)?;
    refuse_treatments(policy)?;
    request.target.check(request.dialect)?;
    statements(inquiry.ask(Best)?, request.dialect, &request.target)
}

/// Treatments happen before anything is counted; an engine would have to do the same.
fn refuse_treatments(policy: &Policy) -> Result<()> {
    let first = policy.treatments().find_map(|(name, treatments)| Some((name, treatments.first()?)));
    let Some((name, treatment)) = first else { return Ok(()) };
    let message = format!("`{}` of column `{}` cannot be written as SQL", treatment.card().name, name.escape_debug());
    Err(Error::input(message).hint("use `equanym release`; `--out postgres://…` puts the release into a database"))
}

fn refuse_cleaning(reading: &Reading) -> Result<()> {
    let has_widths = reading.forms.values().any(|form| matches!(form, ColumnForm::Code(_)));
    let cleaned = [(reading.trim, "trim"), (reading.normalise, "normalise"), (!reading.notation.is_usual(), "decimal")];
    if has_widths {
        return Err(Error::input("`width` of a variable cannot be written as SQL")
            .hint("write the codes with their zeros first, and let the policy read them as they are"));
    }
    match cleaned.into_iter().find(|(set, _)| *set) {
        Some((_, key)) => Err(Error::input(format!("[data] {key} cannot be written as SQL"))
            .hint("clean the table first, and let the policy read it as it is")),
        None => Ok(()),
    }
}
