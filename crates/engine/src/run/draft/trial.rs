//! A draft is tried before it is shown.
//!
//! The table is counted as the drafted policy says. The core finds out which columns must be allowed to become `*`; all others
//! are bound to stay below. The bounds leave a safe release by construction. Where the models that suit a sensitive column ask
//! too much, the plain ones are taken: one class of all records always satisfies them.
//!
//! A trial that fails takes nothing away: the draft has no bounds then, and the release says what is wrong.

use crate::count::counted_table::{Brief, Look, TableCount};
use crate::error::Result;
use crate::inquiry::question::Ceiling;
use crate::inquiry::{Inquiry, Ladders, TreatedTable};
use crate::machine::Runtime;
use crate::machine::stopwatch::Stopwatch;
use crate::policy::Policy;
use crate::read::text_file;

use super::write::{self, Models};
use super::{DraftRequest, Study};

/// The policy for a table, with the bounds that it can bear.
pub(super) fn settle(request: &DraftRequest<'_>, study: &mut Study) -> Result<String> {
    let policy = write::policy(study, Models::Suited)?;
    let Ok(Some(highest)) = try_out(request, &policy) else {
        return write::policy(study, Models::Plain);
    };
    for (name, level) in highest {
        if let Some(column) = study.columns.iter_mut().find(|column| column.name == name) {
            let is_spared = u64::from(level) < column.decision.ladder.top;
            column.decision.highest = is_spared.then_some(level);
        }
    }
    study.is_tried = true;
    write::policy(study, Models::Suited)
}

/// For each quasi-identifying column the level to which it must be allowed to climb.
fn try_out(request: &DraftRequest<'_>, policy: &str) -> Result<Option<Vec<(String, u8)>>> {
    let policy = Policy::parse(policy, &|name| text_file::read(&request.folder.join(name)))?;
    let source = TreatedTable::open_to_ask(request.data, &policy)?.source;
    let runtime = Runtime::in_temporary_folder(request.resources)?;
    let (progress, watch) = (request.progress.as_ref(), Stopwatch::start(policy.loading));
    let brief = Brief { policy: &policy, source: &source, show_values: false, progress, watch: &watch };
    let counted = TableCount::new(brief, Look::ForPresets, &runtime)?.into_table(brief);
    Inquiry::new(counted, Ladders::Policy(None), &runtime)?.ask(Ceiling)
}
