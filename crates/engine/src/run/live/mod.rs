//! A table that is kept at hand: looked at and counted once, asked again and again.
//!
//! Whoever tries one policy after the other, as a page with sliders does, waits for the search alone. Keys are counted anew
//! only where a policy reads other cells or counts other columns; the last few counts are kept, so going back costs nothing. The
//! table that a search sees is kept, too, and ladders are fitted anew only where they changed.
//! Nothing is written here: a release is made by [`release`], from the table itself, with the same policy.
//!
//! Each question hears from [`Progress`] and can be [stopped](crate::progress::stop) by it; what is kept stays whole. Questions that
//! need the same count, or the same fitted table, at once wait for the one that makes it (`counts`, `decide/fitted`).
//!
//! Limits: keys of treated cells are counted with a fixed key, as in `alternatives`; the checklist of a release looks at more
//! columns than are counted here; new values of a moment are drawn anew for a release.

mod bins;
mod changed;
mod counts;
mod ladders;
mod look;
mod map;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use equanym_core::report::Report;

pub use bins::Bin;
pub use changed::{ChangedBar, ChangedSpread, NewValuesLook};
use counts::{CountShape, KeptCount, KeptCounts};
pub use ladders::{LadderLook, RungLook};
pub use look::{ColumnLook, TableLook};

use super::alternatives::Alternatives;
use super::balance::BalanceSolution;
use super::release;
use crate::count::counted_table::{Brief, Look, TableCount};
use crate::decide::alternatives::PricedLevels;
use crate::decide::fitted::FittedTables;
use crate::error::Result;
use crate::inquiry::question::{Goods, Preview, Question, SafeNodes};
use crate::inquiry::{Inquiry, Ladders, TreatedTable, admit};
use crate::machine::stopwatch::Stopwatch;
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::Data;

/// A table at hand.
pub struct Live {
    data: PathBuf,
    resources: Resources,
    runtime: Runtime,
    counts: KeptCounts,
}

impl Live {
    /// A table at a path; nothing is read yet.
    pub fn new(data: &Path, resources: Resources) -> Result<Self> {
        let runtime = Runtime::in_temporary_folder(&resources)?;
        Ok(Self { data: data.to_owned(), resources, runtime, counts: KeptCounts::default() })
    }

    /// Where the table lies.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// What a release by this policy would be. A search that can answer early does so when the policy's time limit says so.
    pub fn best(&self, policy: &Policy, progress: &dyn Progress) -> Result<Report> {
        admit::policy(policy)?;
        self.ask(policy, progress, Preview)
    }

    /// The best safe nodes in their order, and what each level costs; also what one costs that the policy does not permit.
    pub fn alternatives(&self, policy: &Policy, most: usize, progress: &dyn Progress) -> Result<Alternatives> {
        admit::policy(policy)?;
        self.ask(policy, progress, SafeNodes { most, priced: PricedLevels::All })
    }

    /// What the policy's preferences balance, and what guarantees have no say in.
    pub fn balance(&self, policy: &Policy, progress: &dyn Progress) -> Result<BalanceSolution> {
        policy.require_balance()?;
        self.ask(policy, progress, Goods { sweeps: &[] })
    }

    /// What becomes of the columns that get new values.
    pub fn new_values(&self, policy: &Policy, progress: &dyn Progress) -> Result<NewValuesLook> {
        admit::policy(policy)?;
        let kept = self.counted(policy, progress)?;
        let watch = Stopwatch::start(Duration::ZERO);
        let brief = Brief { policy, source: &kept.source, show_values: false, progress, watch: &watch };
        NewValuesLook::new(release::decide(brief, kept.count.under(brief), &self.runtime)?)
    }

    /// The ladder of each quasi-identifier as it fits the values, or why it does not.
    pub fn ladders(&self, policy: &Policy, progress: &dyn Progress) -> Result<Vec<(String, Result<LadderLook>)>> {
        let kept = self.counted(policy, progress)?;
        let watch = Stopwatch::start(Duration::ZERO);
        let brief = Brief { policy, source: &kept.source, show_values: false, progress, watch: &watch };
        Ok(ladders::of_columns(&kept.count.under(brief)))
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

    /// Asks something of the table as a policy has it counted, with ladders that those who ask at once fit once.
    fn ask<Q: Question>(&self, policy: &Policy, progress: &dyn Progress, question: Q) -> Result<Q::Answer> {
        let kept = self.counted(policy, progress)?;
        let watch = Stopwatch::start(Duration::ZERO);
        let brief = Brief { policy, source: &kept.source, show_values: false, progress, watch: &watch };
        let counted = kept.count.under(brief);
        kept.fitted.prepare(&counted, &self.runtime);
        Inquiry::new(counted, Ladders::Policy(Some(&kept.fitted)), &self.runtime)?.ask(question)
    }

    /// The counts that a policy needs.
    fn counted(&self, policy: &Policy, progress: &dyn Progress) -> Result<Arc<KeptCount>> {
        self.counts.get(policy, progress, |progress| self.count(policy, progress))
    }

    fn count(&self, policy: &Policy, progress: &dyn Progress) -> Result<KeptCount> {
        let source = TreatedTable::open_to_ask(Data::At(&self.data), policy)?.source;
        let shape = CountShape::new(policy, &source);
        self.counts.counts(&shape, &source);
        let watch = Stopwatch::start(Duration::ZERO);
        let brief = Brief { policy, source: &source, show_values: false, progress, watch: &watch };
        let count = TableCount::new(brief, Look::ForPresets, &self.runtime)?;
        Ok(KeptCount { shape, source, count, fitted: FittedTables::default() })
    }
}
