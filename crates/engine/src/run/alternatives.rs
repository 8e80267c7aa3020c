//! The safe releases to choose from: the best nodes in their order, and the price of each level of each variable.
//!
//! The table is counted once, and nothing is released. What is found depends on records that a release withholds: it is for
//! the owner. `choose` in the policy, or `--choose`, takes one of them.

use std::sync::Arc;

pub use crate::decide::alternatives::{Alternative, Alternatives, LevelPrice, VariablePrices};

use crate::count::counted_table::{Brief, Look, TableCount};
use crate::decide::alternatives::PricedLevels;
use crate::error::Result;
use crate::inquiry::question::SafeNodes;
use crate::inquiry::{Inquiry, Ladders, TreatedTable, admit};
use crate::machine::stopwatch::Stopwatch;
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::Data;

/// What is asked.
pub struct AlternativesRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// What is asked of a release.
    pub policy: &'a Policy,
    /// How many nodes of the order are named, at least one.
    pub count: usize,
    /// Threads and memory.
    pub resources: &'a Resources,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: &'a Arc<dyn Progress>,
}

/// Finds the safe releases to choose from.
pub fn alternatives(request: &AlternativesRequest<'_>) -> Result<Alternatives> {
    let AlternativesRequest { data, policy, count, resources, show_values, progress } = *request;
    admit::policy(policy)?;
    let source = TreatedTable::open_to_ask(data, policy)?.source;
    let runtime = Runtime::in_temporary_folder(resources)?;
    let watch = Stopwatch::start(policy.loading);
    let brief = Brief { policy, source: &source, show_values, progress: progress.as_ref(), watch: &watch };
    let counted = TableCount::new(brief, Look::ForPresets, &runtime)?.into_table(brief);
    let question = SafeNodes { most: count, priced: PricedLevels::Permitted };
    Inquiry::new(counted, Ladders::Policy(None), &runtime)?.ask(question)
}
