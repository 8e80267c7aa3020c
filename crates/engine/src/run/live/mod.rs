//! A table that is kept at hand: looked at and counted once, asked again and again.
//!
//! Whoever tries one policy after the other, as a page with sliders does, waits for the search alone. Keys are counted anew
//! only where a policy reads other cells or counts other columns; the last few counts are kept, so going back costs nothing. The
//! table that a search sees is kept, too, and ladders are fitted anew only where they changed.
//! Nothing is written here: a release is made by [`release`](super::release), from the table itself, with the same policy.
//!
//! Each question hears from [`Progress`] and can be [stopped](crate::progress::stop) by it; what is kept stays whole. Questions that
//! need the same count, or the same fitted table, at once wait for the one that makes it (`counts`, `decide/fitted`).
//!
//! Limits: keys of treated cells are counted with a fixed key, as in `alternatives`; the checklist of a release looks at more
//! columns than are counted here; new values are made when a release is.

mod bins;
mod counts;
mod ladders;
mod look;
mod map;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_core::method;
use equanym_core::report::Report;

pub use bins::Bin;
use counts::{Counts, Kept, Shape};
pub use ladders::{LadderLook, RungLook};
pub use look::{ColumnLook, Look};

use super::alternatives::Alternatives;
use super::balance::{self, Solved};
use super::population;
use crate::count::count;
use crate::decide::alternatives::Priced;
use crate::decide::columns::Columns;
use crate::decide::live::answer;
use crate::decide::{Counted, FittedTables, Looked, alternatives};
use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::Data;
use crate::treat;
use crate::treat::key::Key;
use crate::write::reports::few;

/// A table at hand.
pub struct Live {
    data: PathBuf,
    resources: Resources,
    runtime: Runtime,
    counts: Counts,
}

impl Live {
    /// A table at a path; nothing is read yet.
    pub fn new(data: &Path, resources: Resources) -> Result<Self> {
        let runtime = Runtime::in_temporary_folder(&resources)?;
        Ok(Self { data: data.to_owned(), resources, runtime, counts: Counts::default() })
    }

    /// Where the table lies.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// What a release by this policy would be. A search that can answer early does so when the policy's time limit says so.
    pub fn best(&self, policy: &Policy, progress: &dyn Progress) -> Result<Report> {
        policy.require_release()?;
        policy.refuse_sampling("there is nothing to look at before it is released")?;
        self.ask_fitted(policy, progress, |counted| answer(counted, &self.runtime))
    }

    /// The best safe nodes in their order, and what each level costs; also what one costs that the policy does not permit.
    pub fn alternatives(&self, policy: &Policy, most: usize, progress: &dyn Progress) -> Result<Alternatives> {
        policy.require_release()?;
        policy.refuse_sampling("there is nothing to look at before it is released")?;
        if !policy.method.has_nodes() {
            return Err(Error::input("this method gives each class labels of its own: it has no nodes")
                .hint(format!("use name = \"{}\"", method::DEFAULT)));
        }
        self.ask_fitted(policy, progress, |counted| {
            if counted.columns.quasi.is_empty() || counted.keys.counts.is_empty() {
                return Err(Error::input("there is nothing to choose"));
            }
            alternatives::alternatives(counted, &self.runtime, most, Priced::All)
        })
    }

    /// What the policy's preferences balance, and what guarantees have no say in.
    pub fn balance(&self, policy: &Policy, progress: &dyn Progress) -> Result<Solved> {
        policy.require_balance()?;
        self.ask_fitted(policy, progress, balance::of_counted)
    }

    /// The ladder of each quasi-identifier as it fits the values, or why it does not.
    pub fn ladders(&self, policy: &Policy, progress: &dyn Progress) -> Result<Vec<(String, Result<LadderLook>)>> {
        self.ask(policy, progress, |counted| Ok(ladders::of(counted)))
    }

    /// Whether the keys that a policy needs are counted already.
    #[must_use]
    pub fn is_counted(&self, policy: &Policy) -> bool {
        self.counts.known(policy).is_some()
    }

    /// Ends what is being counted: nobody will ask again.
    pub fn let_go(&self) {
        self.counts.let_go();
    }

    /// Asks something of the table as a policy has it counted.
    fn ask<T>(
        &self,
        policy: &Policy,
        progress: &dyn Progress,
        ask: impl FnOnce(&Counted<'_>) -> Result<T>,
    ) -> Result<T> {
        let kept = self.counted(policy, progress)?;
        let columns = Columns::of(policy, &kept.source);
        let few = few(policy.privacy.iter().map(|model| &model.parameters));
        let mut looked = Looked::nothing(few, columns.person.is_some());
        looked.look_at_guarded(&kept.keys, columns.quasi.len(), columns.sensitive.len());
        let (source, keys) = (&kept.source, Cow::Borrowed(&kept.keys));
        let population = kept.population.as_ref().map(Cow::Borrowed);
        let (fitted, show_values) = (Some(&kept.fitted), false);
        ask(&Counted { policy, source, columns, keys, population, fitted, looked, show_values, progress })
    }

    /// The same with ladders fitted, which those who ask at once do once.
    fn ask_fitted<T>(
        &self,
        policy: &Policy,
        progress: &dyn Progress,
        ask: impl FnOnce(&Counted<'_>) -> Result<T>,
    ) -> Result<T> {
        self.ask(policy, progress, |counted| {
            FittedTables::prepare(counted, &self.runtime);
            ask(counted)
        })
    }

    /// The counts that a policy needs.
    fn counted(&self, policy: &Policy, progress: &dyn Progress) -> Result<Arc<Kept>> {
        self.counts.get(policy, progress, |progress| self.count(policy, progress))
    }

    fn count(&self, policy: &Policy, progress: &dyn Progress) -> Result<Kept> {
        let source = Data::At(&self.data).open(&policy.data)?;
        policy.check_columns(source.columns())?;
        let (source, _) = treat::treated(source, policy.treatments(), Key::fixed()?)?;
        let shape = Shape::of(policy, &source);
        self.counts.counts(&shape, &source);
        let keys = count(&source, Columns::of(policy, &source).to_count(), &self.runtime, progress)?;
        let population = population::of_policy(policy, &source, &self.runtime, progress)?;
        Ok(Kept { shape, source, keys, population, fitted: FittedTables::default() })
    }
}
