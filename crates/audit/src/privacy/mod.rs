//! Privacy models: what each claim says about a class.
//!
//! A model that this audit does not know, or a parameter that it cannot read, is a failed check: an unjudged promise must
//! not look like a kept one. A class of one record, or with one value, hides nobody: k and l begin with 2.
//!
//! **What shows that a promise is kept.** Most models look at a class alone: the released bytes show it. t-closeness,
//! β-likeness and δ-disclosure compare with all records of the original, which are not published. Where none is
//! withheld, the release has all of them, and the bytes show it. Otherwise, and where a ladder, an order or people are
//! needed, only the original does: the claim says so (`checked`), and [`crate::original`] judges it. Of people the bytes
//! show what is necessary: as many records, and all distinct values. δ-presence and k-map compare with the population, which
//! [`crate::population`] reads; estimated k-map asks for a size, which the bytes show.
//!
//! Some models look at all released classes together ([`whole_table`]). The bytes show them, too: withheld records do not count.
//!
//! LKC-privacy is no promise about classes but about parts of their keys: see [`parts`].
//!
//! Each kind of rule has a file of its own; [`claim`] says which rule a claim stands for.

mod claim;
mod class;
mod closeness;
mod diversity;
mod drawn;
mod exact;
mod in_words;
mod likeness;
mod mapped;
mod parts;
mod profit;
mod whole;
mod whole_table;

use crate::decimal::Decimal;
use crate::manifest::Claims;
use crate::{Check, Evidence};
pub(crate) use class::{Class, Counts, Values};
pub(crate) use closeness::Distance;
pub(crate) use diversity::Estimator;
use drawn::Drawn;
pub(crate) use parts::{Labels, of_people};
use profit::Amounts;
pub(crate) use whole::{Whole, numeric, places};
use whole_table::{Law, Population};

/// Every privacy claim of a manifest, as far as it is understood, and the variables that they look at.
pub(crate) struct Promises {
    /// One for each claim; or why it cannot be judged.
    pub models: Vec<Result<Promise, &'static str>>,
    pub variables: Vec<Variable>,
}

/// A variable that models look at.
pub(crate) struct Variable {
    /// Its place among the released columns.
    pub column: usize,
    /// How many distinct values are enough, where nobody asks how often they occur.
    pub enough: Option<u64>,
}

/// A privacy claim.
pub(crate) struct Promise {
    /// The name of its model.
    pub model: &'static str,
    pub rule: Rule,
    pub checked: Checked,
    pub unit: Unit,
    /// The place of its variable among the released columns.
    pub column: Option<usize>,
    /// The name of its variable.
    pub name: String,
}

/// What every class must keep.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Size {
        k: u64,
    },
    Distinct {
        l: u64,
    },
    Entropy {
        l: Decimal,
        estimator: Estimator,
    },
    Recursive {
        l: u64,
        c: Decimal,
    },
    Closeness {
        t: Decimal,
        distance: Distance,
    },
    Disclosure {
        delta: Decimal,
        ignores_absent: bool,
    },
    Likeness {
        beta: Decimal,
        enhanced: bool,
    },
    AlphaK {
        alpha: Decimal,
        k: u64,
    },
    Lkc {
        l: usize,
        k: u64,
        c: Decimal,
    },
    CostBenefit(Amounts),
    // What all classes together must keep.
    AverageRisk {
        max: Decimal,
    },
    RecordsAtRisk {
        highest: Decimal,
        share: Decimal,
    },
    SampleUniques {
        max: Decimal,
    },
    PopulationUniques {
        max: Decimal,
        law: Law,
        population: Population,
    },
    // What the population must have of every class.
    Presence {
        min: Decimal,
        max: Decimal,
    },
    Map {
        k: u64,
    },
    /// So many of the table that k of the population are likely.
    Estimated {
        k: u64,
        least: u64,
    },
    /// A class of a random sample.
    Drawn(Drawn),
}

/// What shows that a promise is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Release,
    Original,
    Population,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Records,
    People,
}

/// What a rule needs besides a class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Whole,
    Order,
    Ladder,
    Population,
}

impl Promises {
    /// Understands the claims of a manifest.
    pub fn of(claims: &Claims) -> Self {
        let models: Vec<_> = claims.privacy.iter().map(|claim| claim::understood(claim, &claims.columns)).collect();
        let mut variables: Vec<Variable> = Vec::new();
        for promise in models.iter().flatten() {
            let Some(column) = promise.column else { continue };
            let enough = match promise.rule {
                Rule::Distinct { l } => Some(l),
                _ => None,
            };
            match variables.iter_mut().find(|variable| variable.column == column) {
                Some(known) => known.enough = known.enough.zip(enough).map(|(one, other)| one.max(other)),
                None => variables.push(Variable { column, enough }),
            }
        }
        Self { models, variables }
    }

    pub fn understood(&self) -> impl Iterator<Item = &Promise> {
        self.models.iter().flatten()
    }

    /// The place of a promise's variable among those that are watched.
    pub fn place(&self, promise: &Promise) -> Option<usize> {
        self.variables.iter().position(|variable| Some(variable.column) == promise.column)
    }

    /// Whether parts of keys are looked at.
    pub fn look_at_parts(&self) -> bool {
        self.understood().any(|promise| matches!(promise.rule, Rule::Lkc { .. }))
    }

    /// What the released classes show, whose labels are given where somebody looks at parts of keys; `texts` are the values of
    /// each variable by their numbers.
    pub fn checks(&self, classes: &[&Class], labels: &Labels, texts: &[Vec<&str>]) -> Vec<Check> {
        let check = |promise: &Promise| {
            let shown = promise.shown_by_bytes()?;
            let variable = self.place(promise);
            if let Rule::Lkc { .. } = shown.rule {
                let share = |cell_of: &[usize], cells: usize| parts::of_records(classes, cell_of, cells);
                return Some(shown.check_parts(variable, labels, share));
            }
            let texts = variable.and_then(|place| Some((place, texts.get(place)?)));
            let whole = texts.map(|(place, texts)| Whole::of(classes, place, texts));
            Some(shown.check(variable, classes, &whole.unwrap_or_default(), "release"))
        };
        let unknown = |place: usize, why: &str| {
            Check::new("privacy-model", false, format!("privacy model {} of the manifest", place + 1), why)
        };
        let models = self.models.iter().enumerate();
        models
            .filter_map(|(place, model)| match model {
                Ok(promise) => check(promise),
                Err(why) => Some(unknown(place, why)),
            })
            .collect()
    }
}

impl Promise {
    /// Whether the released bytes show all of it. Distinct values are the same, whether records or people have them.
    pub fn is_shown_by_bytes(&self) -> bool {
        self.rule.needs() != Needs::Population
            && (self.checked == Checked::Release || matches!(self.rule, Rule::Distinct { .. }))
    }

    /// The part of it that the released bytes show.
    fn shown_by_bytes(&self) -> Option<Self> {
        let rule = if self.is_shown_by_bytes() { self.rule } else { self.rule.necessary()? };
        Some(Self {
            rule,
            checked: Checked::Release,
            unit: Unit::Records,
            model: self.model,
            column: self.column,
            name: self.name.clone(),
        })
    }

    /// What shows it, as long as nothing but the release is given.
    pub fn shown(&self) -> Evidence {
        match self.rule.needs() {
            Needs::Population => Evidence::NeedsPopulation,
            _ if self.is_shown_by_bytes() => Evidence::Release,
            _ => Evidence::NeedsOriginal,
        }
    }

    /// Whether what is said to show it can. An order may be that of numbers, which the bytes show, or a given one.
    pub fn is_said_right(&self, claims: &Claims) -> bool {
        let has_person = claims.person.is_some();
        if self.checked == Checked::Population || self.rule.needs() == Needs::Population {
            let is_both = self.checked == Checked::Population && self.rule.needs() == Needs::Population;
            return is_both && (self.unit == Unit::People) == has_person;
        }
        // One record of each person was drawn: the bytes show how many people there are.
        if matches!(self.rule, Rule::Drawn(_)) {
            return self.checked == Checked::Release && (self.unit == Unit::People) == has_person;
        }
        let by_original = match self.rule.needs() {
            _ if has_person => true,
            Needs::Nothing => false,
            Needs::Whole => claims.records.suppressed != Some(0),
            Needs::Order if claims.records.suppressed == Some(0) => return self.unit == Unit::Records,
            Needs::Order | Needs::Ladder | Needs::Population => true,
        };
        (self.checked == Checked::Original) == by_original && (self.unit == Unit::People) == has_person
    }

    /// Judges all classes; `variable` is its place among those that are watched, and `owner` has the whole table.
    pub fn check(&self, variable: Option<usize>, classes: &[&Class], whole: &Whole, owner: &str) -> Check {
        let (name, claim) = (self.model, self.claim(owner));
        let lacks = match self.rule.needs() {
            Needs::Order if whole.order.is_none() => {
                Some("its values have no order that is known; not all are numbers")
            }
            Needs::Ladder if whole.ladder.is_none() => Some("its values have no ladder that is known and nested"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            return Check::new(name, false, claim, lacks);
        }
        let sizes = || classes.iter().map(|class| class.size);
        if let Some((passed, found)) = whole_table::judged(&self.rule, sizes, self.unit) {
            return Check::new(name, passed, claim, found);
        }
        let none = Counts::new();
        let (total, mut failing, mut smallest) = (classes.len(), 0_u64, u64::MAX);
        for class in classes {
            let counts = variable.and_then(|place| class.counts.get(place)).unwrap_or(&none);
            if !self.rule.holds(class.size, counts, whole) {
                failing += 1;
                let is_distinct = matches!(self.rule, Rule::Distinct { .. });
                smallest = smallest.min(if is_distinct { counts.len() as u64 } else { class.size });
            }
        }
        let found = match self.rule {
            _ if failing == 0 => format!("all of {total} classes do"),
            Rule::Size { .. } | Rule::Estimated { .. } | Rule::Drawn(_) => {
                format!("{failing} of {total} classes hold fewer, down to {smallest} {}", self.unit)
            }
            Rule::Distinct { .. } => {
                format!("{failing} of {total} classes hold fewer, down to {smallest} distinct values")
            }
            _ => format!("{failing} of {total} classes do not"),
        };
        Check::new(name, failing == 0, claim, found)
    }

    /// What it says of every class.
    pub fn claim(&self, owner: &str) -> String {
        let (name, unit) = (&self.name, self.unit);
        match self.rule {
            Rule::Size { k } => format!("every class holds {k} {unit} or more"),
            Rule::Drawn(Drawn { k, .. }) => format!("every class holds {k} drawn {unit} or more"),
            Rule::Distinct { l } => format!("every class holds {l} distinct values of {name:?} or more"),
            Rule::Entropy { l, .. } => {
                format!("every class is as uncertain of {name:?} as {l} equally frequent values, by {unit}")
            }
            Rule::Recursive { l, c } => format!(
                "every class holds fewer {unit} with the most frequent value of {name:?} than {c} times those with \
                 values from place {l} on"
            ),
            Rule::Closeness { t, distance } => format!(
                "every class is at most {t} from the {owner}, by {distance} distance, in how {name:?} spreads over {unit}"
            ),
            Rule::Disclosure { delta, .. } => format!(
                "every class has shares of {name:?} within a factor of two to the {delta} of those of the {owner}, by {unit}"
            ),
            Rule::Likeness { beta, .. } => format!(
                "every class has no share of {name:?} above that of the {owner} by more than {beta} times, by {unit}"
            ),
            Rule::CostBenefit(amounts) => amounts.claim(unit),
            Rule::AverageRisk { max } => format!("classes are at most {max} of all {unit} in them"),
            Rule::RecordsAtRisk { highest, share } => {
                format!("at most {share} of all {unit} are in classes smaller than 1 / {highest}")
            }
            Rule::SampleUniques { max } => format!("at most {max} of all {unit} are alone in their class"),
            Rule::PopulationUniques { max, law, population } => {
                format!(
                    "at most {max} of a population {population} is alone with its key, as {law} estimates it by {unit}"
                )
            }
            Rule::Lkc { l, k, c } => format!(
                "whoever knows at most {l} of the recoded columns finds {k} {unit} or more, none of the values of {name:?} above {c} of them"
            ),
            Rule::AlphaK { alpha, k } => {
                format!("every class holds {k} {unit} or more, none of the values of {name:?} above {alpha} of them")
            }
            Rule::Presence { min, max } => {
                format!("every class is between {min} and {max} of the {unit} that the population has of it")
            }
            Rule::Map { k } => format!("every class holds {k} {unit} of the population or more"),
            Rule::Estimated { k, least } => {
                format!("every class holds {least} {unit} or more, so that {k} of the population are likely")
            }
        }
    }
}

impl Rule {
    /// The name of its model.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Size { .. } => "k-anonymity",
            Self::Distinct { .. } | Self::Entropy { .. } | Self::Recursive { .. } => "l-diversity",
            Self::Closeness { .. } => "t-closeness",
            Self::Disclosure { .. } => "delta-disclosure",
            Self::Likeness { .. } => "beta-likeness",
            Self::AlphaK { .. } => "alpha-k",
            Self::CostBenefit(_) => "cost-benefit",
            Self::AverageRisk { .. } => "average-risk",
            Self::RecordsAtRisk { .. } => "records-at-risk",
            Self::SampleUniques { .. } => "sample-uniques",
            Self::PopulationUniques { .. } => "population-uniques",
            Self::Presence { .. } => "delta-presence",
            Self::Map { .. } | Self::Estimated { .. } => "k-map",
            Self::Drawn(_) => "differential-privacy",
            Self::Lkc { .. } => "lkc",
        }
    }

    pub fn needs(&self) -> Needs {
        match self {
            Self::Closeness { distance: Distance::Ordered, .. } => Needs::Order,
            Self::Closeness { distance: Distance::Hierarchical, .. } => Needs::Ladder,
            Self::Closeness { .. } | Self::Disclosure { .. } | Self::Likeness { .. } => Needs::Whole,
            Self::Presence { .. } | Self::Map { .. } => Needs::Population,
            _ => Needs::Nothing,
        }
    }

    /// Whether a class keeps it; what cannot be compared exactly is not kept.
    pub fn holds(&self, size: u64, counts: &Counts, whole: &Whole) -> bool {
        match *self {
            Self::Size { k } | Self::Drawn(Drawn { k, .. }) => size >= k,
            Self::Distinct { l } => counts.len() as u64 >= l,
            Self::Entropy { l, estimator } => diversity::is_uncertain(counts, l.as_float(), estimator),
            Self::Recursive { l, c } => diversity::is_recursive(counts, l, c).unwrap_or(false),
            Self::Closeness { t, distance } => closeness::holds(counts, whole, t, distance).unwrap_or(false),
            Self::Disclosure { delta, ignores_absent } => {
                likeness::is_near(counts, whole, delta, ignores_absent).unwrap_or(false)
            }
            Self::Likeness { beta, enhanced } => likeness::is_like(counts, whole, beta, enhanced).unwrap_or(false),
            Self::Estimated { least, .. } => size >= least,
            Self::AlphaK { alpha, k } => size >= k && likeness::is_spread(counts, alpha).unwrap_or(false),
            Self::CostBenefit(amounts) => amounts.hold(size).unwrap_or(false),
            // A class alone does not show it.
            Self::Presence { .. }
            | Self::Map { .. }
            | Self::Lkc { .. }
            | Self::AverageRisk { .. }
            | Self::RecordsAtRisk { .. }
            | Self::SampleUniques { .. }
            | Self::PopulationUniques { .. } => false,
        }
    }

    /// Whether a class keeps it that has so many of the population.
    pub fn holds_in(&self, people: u64, population: u64) -> bool {
        match *self {
            Self::Presence { min, max } => mapped::is_within(people, population, min, max),
            Self::Map { k } => population >= k,
            _ => false,
        }
    }

    /// Whether nobody of the population may be known to be absent.
    pub fn hides_absence(&self) -> bool {
        matches!(self, Self::Presence { min, .. } if min.is_positive())
    }

    /// What follows from it for records, if it holds for people, whatever the whole table is.
    pub fn necessary(&self) -> Option<Self> {
        match *self {
            Self::Size { k }
            | Self::AlphaK { k, .. }
            | Self::Estimated { least: k, .. }
            | Self::Drawn(Drawn { k, .. }) => Some(Self::Size { k }),
            Self::Distinct { l } | Self::Recursive { l, .. } => Some(Self::Distinct { l }),
            Self::CostBenefit(amounts) => amounts.least().map(|k| Self::Size { k }),
            // A class has as many records as people, or more.
            Self::AverageRisk { max } => Some(Self::AverageRisk { max }),
            Self::Lkc { l, k, .. } => Some(Self::Lkc { l, k, c: Decimal::ONE }),
            Self::Entropy { l, estimator: Estimator::Shannon } => {
                Some(Self::Distinct { l: diversity::least(l.as_float()) })
            }
            _ => None,
        }
    }

    /// Whether it looks at the size of classes alone.
    pub fn is_size(&self) -> bool {
        matches!(self, Self::Size { .. } | Self::Drawn(_))
    }

    /// Whether two classes that keep it keep it together; a class alone keeps nothing where parts of keys are judged.
    pub fn is_closed(&self) -> bool {
        !matches!(
            self,
            Self::Entropy { estimator: Estimator::Grassberger, .. }
                | Self::Disclosure { ignores_absent: true, .. }
                | Self::AverageRisk { .. }
                | Self::RecordsAtRisk { .. }
                | Self::SampleUniques { .. }
                | Self::PopulationUniques { .. }
                | Self::Lkc { .. }
        )
    }
}
