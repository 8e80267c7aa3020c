//! A table that is kept at hand: looked at and counted once, asked again and again.
//!
//! Whoever tries one policy after the other, as a page with sliders does, waits for the search alone. Keys are counted anew
//! only where a policy reads other cells or counts other columns; the last few counts are kept, so going back costs nothing. The
//! table that a search sees is kept, too, and ladders are fitted anew only where they changed.
//! Nothing is written here: a release is made by [`release`](super::release), from the table itself, with the same policy.
//!
//! Each question hears from [`Progress`] and can be [stopped](crate::progress::stop) by it; what is kept stays whole.
//!
//! Limits: keys of treated cells are counted with a fixed key, as in `alternatives`; the checklist of a release looks at more
//! columns than are counted here; new values are made when a release is.

mod bins;
mod ladders;
mod look;
mod map;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use equanym_core::method;
use equanym_core::report::Report;
use equanym_core::treatment::Treatment;

pub use bins::Bin;
pub use ladders::{LadderLook, RungLook};
pub use look::{ColumnLook, Look};

use super::alternatives::Alternatives;
use super::balance::{self, Solved};
use super::population;
use crate::count::population::Population;
use crate::count::{Keys, count};
use crate::decide::alternatives::Priced;
use crate::decide::columns::Columns;
use crate::decide::live::answer;
use crate::decide::{Counted, FittedTables, Looked, alternatives};
use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::{Data, Reading, Source};
use crate::treat;
use crate::treat::key::Key;
use crate::write::reports::few;

/// The most counts of one table that are kept.
const MOST_KEPT: usize = 4;

/// A table at hand.
pub struct Live {
    data: PathBuf,
    resources: Resources,
    runtime: Runtime,
    kept: Mutex<Vec<Arc<Kept>>>,
    /// Held by whoever counts: two counts at once could take each other the threads that read for them.
    counting: Mutex<()>,
}

/// A counted table, and what it was counted by.
struct Kept {
    reading: Reading,
    treatments: Vec<(String, Vec<Treatment>)>,
    places: Vec<usize>,
    source: Source,
    keys: Keys,
    /// The population that a model looks at, and where it lies.
    population: Option<(PathBuf, Population)>,
    /// How many of the counted columns are quasi-identifiers: by these the population is counted.
    quasi: usize,
    /// Tables that were made of the keys.
    fitted: FittedTables,
}

impl Live {
    /// A table at a path; nothing is read yet.
    pub fn new(data: &Path, resources: Resources) -> Result<Self> {
        let runtime = Runtime::in_temporary_folder(&resources)?;
        Ok(Self { data: data.to_owned(), resources, runtime, kept: Mutex::default(), counting: Mutex::default() })
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
        self.ask(policy, progress, |counted| answer(counted, &self.runtime))
    }

    /// The best safe nodes in their order, and what each level costs; also what one costs that the policy does not permit.
    pub fn alternatives(&self, policy: &Policy, most: usize, progress: &dyn Progress) -> Result<Alternatives> {
        policy.require_release()?;
        policy.refuse_sampling("there is nothing to look at before it is released")?;
        if !policy.method.has_nodes() {
            return Err(Error::input("this method gives each class labels of its own: it has no nodes")
                .hint(format!("use name = \"{}\"", method::DEFAULT)));
        }
        self.ask(policy, progress, |counted| {
            if counted.columns.quasi.is_empty() || counted.keys.counts.is_empty() {
                return Err(Error::input("there is nothing to choose"));
            }
            alternatives::alternatives(counted, &self.runtime, most, Priced::All)
        })
    }

    /// What the policy's preferences balance, and what guarantees have no say in.
    pub fn balance(&self, policy: &Policy, progress: &dyn Progress) -> Result<Solved> {
        policy.require_balance()?;
        self.ask(policy, progress, balance::of_counted)
    }

    /// The ladder of each quasi-identifier as it fits the values, or why it does not.
    pub fn ladders(&self, policy: &Policy, progress: &dyn Progress) -> Result<Vec<(String, Result<LadderLook>)>> {
        self.ask(policy, progress, |counted| Ok(ladders::of(counted)))
    }

    /// Whether the keys that a policy needs are counted already.
    #[must_use]
    pub fn is_counted(&self, policy: &Policy) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().any(|one| one.serves(policy, &Columns::of(policy, &one.source)))
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
        let population = kept.population.as_ref().map(|(_, population)| Cow::Borrowed(population));
        let (fitted, show_values) = (Some(&kept.fitted), false);
        ask(&Counted { policy, source, columns, keys, population, fitted, looked, show_values, progress })
    }

    /// The counts that a policy needs; the newest are kept.
    fn counted(&self, policy: &Policy, progress: &dyn Progress) -> Result<Arc<Kept>> {
        let known = |kept: &[Arc<Kept>]| {
            kept.iter().find(|one| one.serves(policy, &Columns::of(policy, &one.source))).map(Arc::clone)
        };
        if let Some(kept) = known(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(kept);
        }
        let _one_at_a_time = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = known(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(kept);
        }
        let kept = Arc::new(self.count(policy, progress)?);
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(0, Arc::clone(&kept));
        all.truncate(MOST_KEPT);
        Ok(kept)
    }

    fn count(&self, policy: &Policy, progress: &dyn Progress) -> Result<Kept> {
        let source = Data::At(&self.data).open(&policy.data)?;
        policy.check_columns(source.columns())?;
        let (source, _) = treat::treated(source, policy.treatments(), Key::fixed()?)?;
        let columns = Columns::of(policy, &source);
        let keys = count(&source, columns.to_count(), &self.runtime, progress)?;
        let (reading, treatments, places) = (policy.data.clone(), treatments(policy), columns.places.clone());
        let population = population::of_policy(policy, &source, &self.runtime, progress)?;
        let population = policy.population().zip(population);
        let (quasi, fitted) = (columns.quasi.len(), FittedTables::default());
        Ok(Kept { reading, treatments, places, source, keys, population, quasi, fitted })
    }
}

impl Kept {
    /// Whether it is what a policy would count.
    fn serves(&self, policy: &Policy, columns: &Columns<'_>) -> bool {
        let population = self.population.as_ref().map(|(path, _)| path);
        self.reading == policy.data
            && self.places == columns.places
            && self.treatments == treatments(policy)
            && population == policy.population().as_ref()
            && (population.is_none() || self.quasi == columns.quasi.len())
    }
}

fn treatments(policy: &Policy) -> Vec<(String, Vec<Treatment>)> {
    policy.treatments().filter(|(_, all)| !all.is_empty()).map(|(name, all)| (name.to_owned(), all.to_vec())).collect()
}
