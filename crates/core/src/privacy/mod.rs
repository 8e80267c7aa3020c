//! Which classes may be released: the family of privacy models.
//!
//! A model judges one class at a time from counts. Classes that a model does not allow are suppressed, and a node is
//! safe when no more records are suppressed than the policy permits. Several models guard a table together.
//!
//! Searches prune on the promise [`PrivacyModel::is_monotone`]; the conformance suite in `tests/core/conformance.rs` tries to
//! break the promises of every member of [`ALL`].

mod k_anonymity;
mod l_diversity;

use std::fmt;

use crate::card::{Card, ParameterError, Parameters, integer, text};
use crate::frequency::{FrequencySet, Table};
use crate::hierarchy::Code;
use crate::variable::Role;

/// A rule saying which classes may not be released as they stand.
///
/// It sees counts, never records, so it runs alike on a laptop and on a cluster.
pub trait PrivacyModel: Send + Sync {
    /// Whether this class may be released.
    fn allows(&self, class: &ClassView<'_>) -> bool;

    /// Whether a class once allowed stays allowed when it is merged with any other class.
    fn is_monotone(&self) -> bool;

    /// What would make this model allow the whole table as one class, if it does not.
    fn nearest(&self, whole: &ClassView<'_>) -> Option<Nearest>;

    /// The same rule in terms that any database can count; `None` when it takes more than that.
    fn requirement(&self) -> Option<Requirement> {
        None
    }
}

/// What must hold of every class, in terms that any database can count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// So many records.
    Records {
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
}

/// The parameter with which a model would just allow the whole table as one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearest {
    /// The name of the model.
    pub model: &'static str,
    /// The name of its parameter.
    pub parameter: &'static str,
    /// The largest value of the parameter that the table allows.
    pub value: u64,
}

impl fmt::Display for Nearest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} holds at most with {} = {}", self.model, self.parameter, self.value)
    }
}

/// What a model sees of a class.
#[derive(Debug, Clone, Copy)]
pub struct ClassView<'a> {
    set: &'a FrequencySet,
    class: usize,
}

impl<'a> ClassView<'a> {
    /// A class of a set.
    #[must_use]
    pub fn new(set: &'a FrequencySet, class: usize) -> Self {
        Self { set, class }
    }

    /// The number of records in the class.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.set.sizes[self.class]
    }

    /// The values of a sensitive variable in the class, with their counts.
    #[must_use]
    pub fn sensitive_counts(&self, sensitive: usize) -> &'a [(Code, u64)] {
        self.set.sensitive[sensitive].of(self.class)
    }
}

/// A member of the family.
pub struct Member {
    /// How it introduces itself.
    pub card: Card,
    /// Makes the model from parameters that fit its card, and the names of the sensitive variables.
    build: fn(&Parameters, &[String]) -> Box<dyn PrivacyModel>,
}

/// Every privacy model.
pub const ALL: &[Member] = &[k_anonymity::MEMBER, l_diversity::MEMBER];

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Member> {
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
}

/// Makes the model of that name, guarding a table with these sensitive variables.
pub fn build(name: &str, given: &Parameters, sensitive: &[String]) -> Result<Box<dyn PrivacyModel>, ModelError> {
    let member = find(name).ok_or_else(|| ModelError::Unknown(name.to_owned()))?;
    let is_sensitive = |name: &str| sensitive.iter().any(|one| one == name);
    let checked = member.card.check(given, |name| is_sensitive(name).then_some(Role::Sensitive))?;
    Ok((member.build)(&checked, sensitive))
}

/// The models that guard a table together.
pub struct Guard {
    models: Vec<Box<dyn PrivacyModel>>,
}

/// Which classes of a set may be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// For each class whether it may be released.
    pub kept: Vec<bool>,
    /// The number of records in the others.
    pub suppressed: u64,
}

impl Guard {
    /// Guards with all of these models at once.
    #[must_use]
    pub fn new(models: Vec<Box<dyn PrivacyModel>>) -> Self {
        Self { models }
    }

    /// Judges each class.
    #[must_use]
    pub fn judge(&self, set: &FrequencySet) -> Verdict {
        let allowed = |class| self.models.iter().all(|model| model.allows(&ClassView::new(set, class)));
        let kept: Vec<bool> = (0..set.len()).map(allowed).collect();
        let suppressed = kept.iter().zip(&set.sizes).filter(|(kept, _)| !**kept).map(|(_, size)| size).sum();
        Verdict { kept, suppressed }
    }

    /// The size from which on a class is allowed, if no model looks at anything else.
    #[must_use]
    pub fn least_size(&self) -> Option<u64> {
        self.models.iter().try_fold(0, |most: u64, model| match model.requirement()? {
            Requirement::Records { least } => Some(most.max(least)),
            Requirement::Distinct { .. } => None,
        })
    }

    /// Whether an allowed class stays allowed under every merge, so that suppressed sets shrink upwards.
    #[must_use]
    pub fn is_monotone(&self) -> bool {
        self.models.iter().all(|model| model.is_monotone())
    }

    /// What each model asks of every class, as far as it can be put into counts.
    #[must_use]
    pub fn requirements(&self) -> Vec<Option<Requirement>> {
        self.models.iter().map(|model| model.requirement()).collect()
    }

    /// For each model that refuses even the whole table as one class: the nearest parameter that would not.
    #[must_use]
    pub fn nearest(&self, table: &Table) -> Vec<Nearest> {
        let whole = table.roll_up(table.keys(), &table.fully_generalised()).set;
        let views = (0..whole.len()).map(|class| ClassView::new(&whole, class));
        views.flat_map(|view| self.models.iter().filter_map(move |model| model.nearest(&view))).collect()
    }
}

/// The place of the sensitive variable that a checked parameter names.
fn sensitive_variable(parameters: &Parameters, name: &str, sensitive: &[String]) -> usize {
    let wanted = text(parameters, name);
    sensitive.iter().position(|variable| variable == wanted).unwrap_or(0)
}
