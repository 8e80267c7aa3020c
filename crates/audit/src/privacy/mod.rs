//! Privacy models: what each claim promises, and whether it is kept. One file for each model.
//!
//! A model that this audit does not know, or a parameter that it cannot read, is a failed check: an unjudged promise must
//! not look like a kept one.
//!
//! **What shows that a promise is kept** ([`Needs`]). Most models look at a class alone: the released bytes show it. t-closeness,
//! β-likeness and δ-disclosure compare a class with all records of the original. Where no record is withheld, the release has
//! all of them, and the bytes show it. Otherwise, and for ladders, given orders and people, only the original does: the claim
//! says so (`checked`), and [`crate::original`] judges it. δ-presence and k-map need the population: see [`crate::population`].
//!
//! **People.** A class has at least as many records as people, and the same distinct values:
//! `records(class) ≥ people(class)`, `values by records = values by people`. So the bytes show a necessary part of a promise in
//! people ([`Model::least`]). Where the tokens of people are released, people are counted by them: see [`people`].

mod alpha_k;
mod average_risk;
mod beta_likeness;
mod class;
mod cost_benefit;
mod delta_disclosure;
mod delta_presence;
mod differential_privacy;
mod exact;
mod k_anonymity;
mod k_map;
mod l_diversity;
mod lkc;
mod people;
mod population_uniques;
mod promise;
mod records_at_risk;
mod sample_uniques;
mod shares;
mod t_closeness;
mod whole;

use crate::parameters::Parameters;
pub(crate) use class::{Class, ClassView, ValueCounts, ValueNumbers};
use lkc::Lkc;
pub(crate) use lkc::{KeyLabels, people_by_group};
pub(crate) use people::{People, TokenPeople};
pub(crate) use promise::{Promise, Promises, ReleasedClasses, Unit, Variable};
pub(crate) use whole::{WholeTable, numeric_places, places};

/// The models that this audit knows.
const ALL: [&Member; 19] = [
    &k_anonymity::MEMBER,
    &l_diversity::distinct::MEMBER,
    &l_diversity::entropy::MEMBER,
    &l_diversity::recursive::MEMBER,
    &t_closeness::MEMBER,
    &delta_disclosure::MEMBER,
    &beta_likeness::MEMBER,
    &alpha_k::MEMBER,
    &lkc::MEMBER,
    &average_risk::MEMBER,
    &records_at_risk::MEMBER,
    &sample_uniques::MEMBER,
    &population_uniques::MEMBER,
    &cost_benefit::MEMBER,
    &cost_benefit::NO_ATTACK,
    &delta_presence::MEMBER,
    &k_map::MEMBER,
    &k_map::ESTIMATED,
    &differential_privacy::MEMBER,
];

/// A model that this audit knows: how it is claimed, and how it is told.
pub(crate) struct Member {
    name: &'static str,
    /// Which of the claims with this name it reads.
    reads: fn(&Parameters) -> bool,
    keys: &'static [&'static str],
    /// What it takes, in words.
    takes: &'static str,
    /// The model as readers know it. `{k}` stands for the parameter k, or for a word of the model.
    sentence: &'static str,
    /// What is true where it is kept; `{unit}` is counted, and `{owner}` has the whole table.
    claim: &'static str,
    /// What holds, if the parameters are there and in range.
    model: fn(&Parameters) -> Option<Model>,
}

/// Every claim with its name.
const ANY: fn(&Parameters) -> bool = |_| true;

/// Every key that some model reads.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|member| member.keys).copied()
}

/// What a model asks for, with its parameters.
pub(crate) struct Model {
    pub rule: Rule,
    pub needs: Needs,
    pub measure: Measure,
    pub least: LeastCounts,
    /// What follows for records if it holds for people, where `least` does not say it: other parameters of the same model.
    in_records: Option<Parameters>,
    /// Whether two classes that keep it keep it together.
    pub is_closed: bool,
    /// Whether it rests on records that were drawn at random.
    pub is_of_sample: bool,
    /// What its texts say besides parameters.
    words: Vec<(&'static str, String)>,
}

/// What must hold. What cannot be compared exactly does not.
pub(crate) enum Rule {
    /// Of each class, given the whole table.
    Class(Box<ClassRule>),
    /// Of all classes together, by their sizes; with what was found.
    Together(Box<SizesRule>),
    /// Of each class, by its people here and in the population.
    Population(Box<PopulationRule>),
    /// Of parts of keys.
    Parts(Lkc),
}

type ClassRule = dyn Fn(ClassView<'_>, &WholeTable) -> bool;
type SizesRule = dyn Fn(&[u64], Unit) -> (bool, String);
type PopulationRule = dyn Fn(u64, u64) -> bool;

impl Model {
    fn new(rule: Rule) -> Self {
        Self {
            needs: if matches!(rule, Rule::Population(_)) { Needs::Population } else { Needs::Nothing },
            measure: Measure::Spread,
            least: LeastCounts::default(),
            in_records: None,
            is_closed: matches!(rule, Rule::Class(_)),
            is_of_sample: false,
            words: Vec::new(),
            rule,
        }
    }

    fn of_class(allows: impl Fn(ClassView<'_>, &WholeTable) -> bool + 'static) -> Self {
        Self::new(Rule::Class(Box::new(allows)))
    }

    /// Each class has this size at least.
    fn of_size(size: u64) -> Self {
        Self {
            measure: Measure::Size,
            least: LeastCounts::size(size),
            ..Self::of_class(move |class, _| class.size >= size)
        }
    }

    fn of_all(judge: impl Fn(&[u64], Unit) -> (bool, String) + 'static) -> Self {
        Self::new(Rule::Together(Box::new(judge)))
    }

    fn of_population(allows: impl Fn(u64, u64) -> bool + 'static) -> Self {
        Self::new(Rule::Population(Box::new(allows)))
    }

    /// Whether a class keeps it; a class alone shows no promise about a whole.
    pub fn allows(&self, class: ClassView<'_>, whole: &WholeTable) -> bool {
        matches!(&self.rule, Rule::Class(allows) if allows(class, whole))
    }

    /// Whether a class keeps it that has so many of the population.
    pub fn allows_in(&self, here: u64, population: u64) -> bool {
        matches!(&self.rule, Rule::Population(allows) if allows(here, population))
    }
}

/// What shows a promise besides a class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Whole,
    Order,
    Ladder,
    Population,
}

/// What a model looks at in a class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// How many there are.
    Size,
    /// How many distinct values they have.
    Values,
    /// How often each value occurs.
    Spread,
}

/// The smallest class, or the fewest distinct values in one.
#[derive(Default)]
pub(crate) struct LeastCounts {
    pub size: Option<u64>,
    pub values: Option<u64>,
    /// A share of the population that each of its classes needs in the table: nobody may be known to be absent.
    pub presence: bool,
}

impl LeastCounts {
    fn size(size: u64) -> Self {
        Self { size: Some(size), ..Self::default() }
    }

    fn values(values: u64) -> Self {
        Self { values: Some(values), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The model of a claim.
    pub(super) fn model(claim: serde_json::Value) -> Model {
        promise::read_model(&serde_json::from_value(claim).unwrap()).unwrap().1
    }

    /// Whether classes of these sizes keep a promise about all of them.
    pub(super) fn holds_together(claim: serde_json::Value, sizes: &[u64]) -> bool {
        matches!(model(claim).rule, Rule::Together(judge) if judge(sizes, Unit::Records).0)
    }

    #[test]
    fn shares_of_all_classes_hold_up_to_the_last_digit() {
        // Three classes of ten; 0.3 is three tenths here, although no binary number is.
        for (claim, is_kept) in [
            (json!({"model": "average-risk", "max": 0.3}), true),
            (json!({"model": "average-risk", "max": 0.299_999_99}), false),
            (json!({"model": "records-at-risk", "highest": 0.5, "share": 0.1}), true),
            (json!({"model": "records-at-risk", "highest": 0.49, "share": 0.1}), false),
            (json!({"model": "records-at-risk", "highest": 0.49, "share": 0.3}), true),
            (json!({"model": "sample-uniques", "max": 0.1}), true),
            (json!({"model": "sample-uniques", "max": 0.09}), false),
        ] {
            assert_eq!(holds_together(claim.clone(), &[1, 2, 7]), is_kept, "{claim}");
        }
    }

    #[test]
    fn a_name_stands_for_one_model() {
        for (place, member) in ALL.iter().enumerate() {
            let alike = ALL.iter().filter(|other| other.name == member.name).count();
            let is_any = (member.reads)(&Parameters::default()) || alike > 1;
            assert!(is_any && member.takes.contains(member.name) && member.takes.ends_with("nothing else"), "{place}");
        }
    }
}
