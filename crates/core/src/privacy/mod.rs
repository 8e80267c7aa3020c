//! Which classes may be released: the family of privacy models.
//!
//! A model judges one class at a time, from counts. Classes that it refuses are suppressed. A node is safe when no more
//! records are suppressed than the policy permits. Several models guard a table together. Some models judge all classes
//! together, after the others have withheld theirs: [`TableModel`].
//!
//! Models see how the sensitive variables spread over the whole table when they are built ([`SensitiveVariable`]).
//!
//! **People.** Where the table knows whose records are whose, models count people, and each person once per value of a
//! sensitive variable. A class has at least as many records as people, so
//!
//! > records < [`PrivacyModel::least_size`] ⇒ refused
//!
//! holds in both cases.
//!
//! **What a search may prune.** Let C be a class of the highest node, and P₁, P₂, … the parts of C that a node below keeps.
//! Write |X| for what a model counts in X. Where unions of allowed classes are allowed ([`Closure`]):
//!
//! > P₁ ∪ P₂ ∪ … is allowed ⇒ |P₁| + |P₂| + … ≤ most(C), the largest |A| over the allowed A ⊆ C.
//!
//! So every node below suppresses at least |C| − most(C) of C ([`PrivacyModel::most`], [`Guard::forced`]). Any larger number
//! than the largest |A| is a valid `most`.
//!
//! **Where people have several keys**, pairs of a person and a value do not add up over classes. Triples of a key, a person
//! and a value do. Let p be the pairs of C, and `most` be taken over its triples. Each pair that a node keeps has one of its
//! triples kept, so
//!
//! > pairs kept ≤ triples kept ≤ most ⇒ at least p − most pairs lose all their records, each of them one or more.
//!
//! **Population.** A table may know the population that it was taken from ([`crate::contents`]). Models then see how many
//! people of it are in a class, and whether it has classes without a record of the table.
//!
//! The conformance suite in `tests/core/conformance.rs` attacks closures and bounds of every member of [`ALL`].

mod alpha_k;
mod average_risk;
mod beta_likeness;
mod caps;
mod class_view;
mod cost_benefit;
mod delta_disclosure;
mod delta_presence;
mod differential_privacy;
mod k_anonymity;
mod k_map;
mod l_diversity;
mod lkc;
mod nearest;
mod of_keys;
mod population_uniques;
pub mod preset;
pub mod propose;
mod ratio;
mod records_at_risk;
mod sample_uniques;
mod sensitive;
mod smallest_class;
mod t_closeness;
mod whole_table;

use std::sync::{Arc, OnceLock};

use crate::card::{Card, Kind, Parameter, ParameterError, Parameters, integer, text};
use crate::frequency::FrequencySet;
use crate::variable::Role;

pub use class_view::ClassView;
pub use differential_privacy::{Chance, MOST_NODES, Sampling, TooManyNodes, draws, in_words, is_void, least_class};
pub use lkc::PartsRule;
pub(crate) use lkc::{GroupFault, LabelPair, PairMemory, Rung};
pub use nearest::{NearestParameter, NumberSide};
use of_keys::most_alike;
pub use population_uniques::{UniquesEstimator, estimate};
pub use sensitive::SensitiveVariable;
pub use whole_table::{BoundedClasses, SizedClasses, TableModel};

/// A rule saying which classes may not be released as they stand.
///
/// It sees counts, never records, so it runs alike on a laptop and on a cluster.
pub trait PrivacyModel: Send + Sync {
    /// Whether this class may be released.
    fn allows(&self, class: &ClassView<'_>) -> bool;

    /// Which merges keep allowed classes allowed.
    fn closure(&self) -> Closure;

    /// The sensitive variable that it takes shares of, by its place.
    fn sensitive(&self) -> Option<usize> {
        None
    }

    /// Whether it looks at sensitive values at all.
    fn looks_at_values(&self) -> bool {
        self.sensitive().is_some()
    }

    /// What it asks of keys alone beyond [`Self::least_size`], if it looks at sensitive values, too.
    fn of_keys(&self) -> Option<Box<dyn PrivacyModel>> {
        None
    }

    /// Whether it allows every group of so many people of this class or of more, whichever they are; false where that is not known.
    /// It sees how the class spreads in records ([`ClassView::record_counts`]).
    fn allows_any(&self, _class: &ClassView<'_>, _people: u64) -> bool {
        !self.looks_at_values()
    }

    /// How much of what it counts a class has, where it counts more than whether anything may be kept.
    fn whole(&self, class: &ClassView<'_>) -> Option<u64> {
        self.sensitive().map(|variable| class.whole(variable))
    }

    /// No way to divide this class keeps more of what it counts in allowed classes. A model that takes no shares counts
    /// nothing but whether anything may be kept.
    fn most(&self, class: &ClassView<'_>) -> u64 {
        if self.closure() == Closure::Any && !self.allows(class) { 0 } else { u64::MAX }
    }

    /// No class with fewer records is allowed.
    fn least_size(&self) -> u64 {
        0
    }

    /// What it asks of parts of keys: then a node is judged as a whole, after its classes.
    fn parts(&self) -> Option<&PartsRule> {
        None
    }

    /// What a class that is refused attains of each parameter that is out of its reach. None where no parameter would help.
    fn nearest(&self, _class: &ClassView<'_>) -> Vec<NearestParameter> {
        Vec::new()
    }

    /// The same rule in terms that any database can count; none when it takes more than that.
    fn requirements(&self) -> Vec<Requirement> {
        Vec::new()
    }

    /// What it asks of all kept classes together, if it judges these and not single ones.
    fn over_table(&self) -> Option<&dyn TableModel> {
        None
    }

    /// What is drawn of the table before anything is judged, where the promise rests on chance.
    fn sampling(&self) -> Option<Sampling> {
        None
    }
}

/// What must hold of every class, in terms that any database can count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Requirement {
    /// So many people; records, where people are not counted.
    People {
        /// At least.
        least: u64,
    },
    /// So many distinct values of a sensitive variable; the missing value counts as one.
    Distinct {
        /// The place of the variable among the sensitive ones.
        sensitive: usize,
        /// At least.
        least: u64,
    },
    /// No value of a sensitive variable has more than a share of the records; the missing value is one.
    Share {
        /// The place of the variable among the sensitive ones.
        sensitive: usize,
        /// At most.
        most: f64,
    },
}

/// What a model looks at besides the class that it judges. Each kind of the first four includes those before it but for the last two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelNeeds {
    /// Nothing.
    Class,
    /// The other classes that are released.
    Classes,
    /// Other classes that share a part of its key.
    Parts,
    /// How the values spread over the whole table.
    Table,
    /// And their order.
    Order,
    /// And their ladder.
    Ladder,
    /// How many people of the population are in it.
    Population,
}

/// Which merges keep allowed classes allowed. Each kind includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closure {
    /// None is promised.
    None,
    /// With other allowed classes.
    Union,
    /// With any class.
    Any,
}

type ModelBuilder = fn(&Parameters, &[SensitiveVariable]) -> Result<Box<dyn PrivacyModel>, ModelError>;

/// A member of the family.
pub struct ModelMember {
    /// How it introduces itself.
    pub card: Card,
    /// What it looks at besides a class, given checked parameters.
    pub needs: fn(&Parameters) -> ModelNeeds,
    /// Makes the model from parameters that fit its card, and the sensitive variables.
    build: ModelBuilder,
}

/// Every privacy model.
pub const ALL: &[ModelMember] = &[
    k_anonymity::MEMBER,
    l_diversity::MEMBER,
    t_closeness::MEMBER,
    delta_disclosure::MEMBER,
    beta_likeness::MEMBER,
    alpha_k::MEMBER,
    average_risk::MEMBER,
    records_at_risk::MEMBER,
    sample_uniques::MEMBER,
    population_uniques::MEMBER,
    cost_benefit::MEMBER,
    delta_presence::MEMBER,
    k_map::MEMBER,
    differential_privacy::MEMBER,
    lkc::MEMBER,
];

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static ModelMember> {
    ALL.iter().find(|member| member.card.name == name)
}

/// Why a model cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No member has this name.
    #[error("there is no privacy model `{0}`")]
    Unknown(String),
    /// A parameter does not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// Parameters do not fit each other or the table.
    #[error("{0}")]
    Unfit(String),
}

/// Makes the model of that name, guarding a table with these sensitive variables.
pub fn build(
    name: &str,
    given: &Parameters,
    sensitive: &[SensitiveVariable],
) -> Result<Box<dyn PrivacyModel>, ModelError> {
    let member = find(name).ok_or_else(|| ModelError::Unknown(name.to_owned()))?;
    let is_sensitive = |name: &str| sensitive.iter().any(|one| one.name == name);
    let checked = member.card.check(given, |name| is_sensitive(name).then_some(Role::Sensitive))?;
    (member.build)(&checked, sensitive)
}

/// The models that guard a table together.
pub struct Guard {
    models: Vec<Arc<dyn PrivacyModel>>,
    limits: Unit,
    /// What searches found out about parts of the keys of the first table that they were asked about.
    memory: OnceLock<Arc<PairMemory>>,
}

/// What a suppression limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Suppressed records.
    #[default]
    Records,
    /// People of whom a record is suppressed.
    People,
}

/// Which classes of a set may be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// For each class whether it may be released.
    pub kept: Vec<bool>,
    /// The number of records in the others.
    pub suppressed: u64,
    /// The number of people in the others; of records, where people are not counted.
    pub people_suppressed: u64,
    /// Whether each class was judged by what is in it alone, so that the same class is refused at every node.
    pub judged_alone: bool,
}

impl Verdict {
    /// Keeps these classes of a set.
    #[must_use]
    pub fn keeping(kept: Vec<bool>, set: &FrequencySet) -> Self {
        let suppressed = kept.iter().zip(&set.sizes).filter(|(kept, _)| !**kept).map(|(_, size)| size).sum();
        let people_suppressed = set.people_in(|class| !kept[class]);
        Self { kept, suppressed, people_suppressed, judged_alone: true }
    }

    /// How much of what a suppression limit counts is suppressed.
    #[must_use]
    pub fn limited(&self, unit: Unit) -> u64 {
        match unit {
            Unit::Records => self.suppressed,
            Unit::People => self.people_suppressed,
        }
    }
}

impl Guard {
    /// Guards with all of these models at once.
    #[must_use]
    pub fn new(models: Vec<Box<dyn PrivacyModel>>) -> Self {
        Self { models: models.into_iter().map(Arc::from).collect(), limits: Unit::Records, memory: OnceLock::new() }
    }

    /// The same, where the suppression limit counts this.
    #[must_use]
    pub fn limiting(self, unit: Unit) -> Self {
        Self { limits: unit, ..self }
    }

    /// What the suppression limit counts.
    #[must_use]
    pub fn limits(&self) -> Unit {
        self.limits
    }

    /// Judges each class, then parts of keys, and then all that are left together.
    #[must_use]
    pub fn judge(&self, set: &FrequencySet) -> Verdict {
        self.judge_among(set, |_| true)
    }

    /// The same where other classes than these are withheld anyway.
    #[must_use]
    pub fn judge_among(&self, set: &FrequencySet, may_be_kept: impl Fn(usize) -> bool) -> Verdict {
        self.judge_together(set, self.allowed(set, may_be_kept), u64::MAX)
    }

    /// The same as [`Self::judge`], but where more than so many records are withheld, it may say that even more are.
    pub(crate) fn judge_within(&self, set: &FrequencySet, most: u64) -> Verdict {
        self.judge_together(set, self.allowed(set, |_| true), most)
    }

    /// Judges each class, and not all together: no more are withheld than by [`Self::judge`].
    pub(crate) fn judge_classes(&self, set: &FrequencySet) -> Verdict {
        Verdict { judged_alone: false, ..Verdict::keeping(self.allowed(set, |_| true), set) }
    }

    /// For each class whether it may be kept, and every model allows it.
    fn allowed(&self, set: &FrequencySet, may_be_kept: impl Fn(usize) -> bool) -> Vec<bool> {
        let class_wise: Vec<_> = self.class_wise().collect();
        let allows = |class| class_wise.iter().all(|model| model.allows(&ClassView::new(set, class)));
        (0..set.len()).map(|class| may_be_kept(class) && allows(class)).collect()
    }

    fn judge_together(&self, set: &FrequencySet, mut kept: Vec<bool>, most: u64) -> Verdict {
        // What one model withholds may break another: until all of them hold together.
        let over_table: Vec<_> = self.over_table().collect();
        loop {
            let withheld = self.parts().map(|parts| u64::from(parts.withhold(set, &mut kept))).sum::<u64>();
            if withheld > 0 {
                continue;
            }
            if !whole_table::withhold(&over_table, set, &mut kept, most) {
                break;
            }
        }
        let judged_alone = over_table.is_empty() && self.parts().next().is_none();
        Verdict { judged_alone, ..Verdict::keeping(kept, set) }
    }

    /// The models that judge single classes: the others allow each.
    fn class_wise(&self) -> impl Iterator<Item = &dyn PrivacyModel> {
        self.models.iter().map(AsRef::as_ref).filter(|model| model.over_table().is_none())
    }

    /// The models that judge all classes together.
    pub fn over_table(&self) -> impl Iterator<Item = &dyn TableModel> {
        self.models.iter().filter_map(|model| model.over_table())
    }

    /// Whether some models do, and none looks at parts of keys.
    pub(crate) fn judges_sizes(&self) -> bool {
        self.over_table().next().is_some() && self.parts().next().is_none()
    }

    /// Whether these hold of what a verdict keeps, which may be less than they allowed.
    #[must_use]
    pub fn holds_over_table(&self, set: &FrequencySet, verdict: &Verdict) -> bool {
        let sizes = SizedClasses::kept(set, &verdict.kept);
        sizes.classes() == 0 || self.over_table().all(|model| model.holds(&sizes))
    }

    /// The models that cannot say anything of all classes that the others allow: they count as broken, and smallest classes go.
    #[must_use]
    pub fn silent_over_table(&self, set: &FrequencySet) -> Vec<&'static str> {
        let sizes = SizedClasses::kept(set, &self.allowed(set, |_| true));
        self.over_table().filter(|model| model.is_silent(&sizes)).map(TableModel::name).collect()
    }

    /// What the only model there is asks of parts of keys.
    fn only_parts(&self) -> Option<&PartsRule> {
        if let [only] = self.models.as_slice() { only.parts() } else { None }
    }

    /// What models ask of parts of keys.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &PartsRule> {
        self.models.iter().filter_map(|model| model.parts())
    }

    /// Which merges keep classes allowed that all models allow.
    #[must_use]
    pub fn closure(&self) -> Closure {
        self.models.iter().map(|model| model.closure()).min().unwrap_or(Closure::Any)
    }

    /// For each class of a judged set the records that are suppressed at every node below. There is nothing to tell beyond
    /// the verdict where an allowed class stays allowed under every merge: then it is all records of refused classes.
    #[must_use]
    pub fn forced(&self, set: &FrequencySet, verdict: &Verdict) -> Option<Vec<u64>> {
        if self.closure() == Closure::Any && self.parts().next().is_none() {
            return None;
        }
        let (necessary, class_wise) = (self.necessary_size(), self.class_wise().collect::<Vec<_>>());
        if class_wise.is_empty() {
            return Some(vec![0; set.len()]);
        }
        let forced = |(class, kept): (usize, &bool)| {
            let (view, size) = (ClassView::new(set, class), set.sizes[class]);
            let of_model = |model: &dyn PrivacyModel| match model.most(&view.additive()) {
                most if most < necessary.max(1) => size,
                most => model.whole(&view).map_or(0, |whole| whole.saturating_sub(most)),
            };
            match size {
                _ if *kept => 0,
                size if size < necessary => size,
                _ => class_wise.iter().map(|model| of_model(*model)).max().unwrap_or(0),
            }
        };
        let mut forced: Vec<u64> = verdict.kept.iter().enumerate().map(forced).collect();
        if verdict.suppressed > 0 {
            self.parts().for_each(|parts| parts.force(set, &mut forced));
        }
        Some(forced)
    }

    /// How many records are suppressed at every node below, whichever they are, given those of each class that are.
    #[must_use]
    pub fn forced_records(&self, set: &FrequencySet, forced: &[u64]) -> u64 {
        let classes = BoundedClasses { people: set.people(), records: &set.sizes, forced };
        self.over_table().map(|model| model.forced(&classes)).fold(forced.iter().sum(), u64::max)
    }

    /// What each model asks of every class, as far as it can be put into counts; nothing where it cannot.
    #[must_use]
    pub fn requirements(&self) -> Vec<Vec<Requirement>> {
        self.models.iter().map(|model| model.requirements()).collect()
    }
}

/// The parameter of a model that looks at the population.
const POPULATION: Parameter = Parameter::required(
    "population",
    Kind::Table,
    "a table of everybody whom the data could be about, from the policy's folder; it has the quasi-identifying columns",
);

/// The parameter of a model that guards a sensitive variable.
const VARIABLE: Parameter =
    Parameter::required("variable", Kind::SensitiveVariable, "the sensitive variable that must stay uncertain");

/// The place of the sensitive variable that checked parameters name.
fn sensitive_variable(parameters: &Parameters, sensitive: &[SensitiveVariable]) -> usize {
    let wanted = text(parameters, VARIABLE.name);
    sensitive.iter().position(|variable| variable.name == wanted).unwrap_or(0)
}

/// The largest number up to `most` for which something holds that holds for 0 and, once it does not, never again.
fn largest(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    low
}
