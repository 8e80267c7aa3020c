//! The safe releases to choose from: the best nodes in their order, and the price of each level of each variable.
//!
//! The table is counted once, and nothing is released. What is found depends on records that a release withholds: it is for
//! the owner. `choose` in the policy, or `--choose`, takes one of them.

use std::borrow::Cow;
use std::sync::Arc;

use equanym_core::method;

pub use crate::decide::alternatives::{Alternative, Alternatives, LevelPrice, VariablePrices};

use super::population;
use crate::count::count;
use crate::decide::alternatives::{Priced, alternatives as of};
use crate::decide::columns::Columns;
use crate::decide::{Counted, Looked};
use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::Data;
use crate::treat;
use crate::treat::key::Key;

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
    let policy = request.policy;
    policy.require_release()?;
    policy.refuse_sampling("there is nothing to choose from")?;
    if !policy.method.has_nodes() {
        let name = &policy.method.name;
        return Err(Error::input(format!("the method `{name}` gives each class labels of its own: it has no nodes"))
            .hint(format!("use name = \"{}\"", method::DEFAULT)));
    }
    let source = request.data.open(&policy.data)?;
    policy.check_columns(source.columns())?;
    let (source, _) = treat::treated(source, policy.treatments(), Key::fixed()?)?;
    let columns = Columns::of(policy, &source);
    if columns.quasi.is_empty() {
        return Err(Error::input("the policy has no quasi-identifying variable: there is nothing to choose"));
    }
    let runtime = Runtime::in_temporary_folder(request.resources)?;
    let progress = request.progress.as_ref();
    let keys = count(&source, columns.to_count(), &runtime, progress)?;
    if keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: there is nothing to choose"));
    }
    let (looked, show_values) = (Looked::default(), request.show_values);
    let population = population::of_policy(policy, &source, &runtime, progress)?.map(Cow::Owned);
    let (keys, fitted) = (Cow::Owned(keys), None);
    let counted = Counted { policy, source: &source, columns, keys, population, fitted, looked, show_values, progress };
    of(&counted, &runtime, request.count, Priced::Permitted)
}
