//! The nearest parameters with which a table could be released, for whoever asked for too much.
//!
//! Each class of the highest node attains something of every parameter: a number of records or values, a distance from the
//! table. Withhold the classes that attain least, as many as may be withheld. What the next class attains is the nearest parameter.
//! A model that few enough classes break stays as it is; the classes that it refuses are withheld first. Where several models ask
//! for too much, all parameters that are named hold together.
//!
//! **Exact where nothing may be withheld.** If unions of allowed classes are allowed, then for every node x
//!
//! > the least that a class of x attains ≤ what a class of the highest node attains,
//!
//! because the classes of the highest node are unions of those of x. The same holds at every limit for models that survive every
//! merge. For other models a lower node may attain more at the same limit; the parameters that are named hold all the same.

use std::cmp::Ordering;
use std::fmt;

use super::whole_table::smallest_first;
use super::{ClassView, Guard, SizedClasses, Unit, Verdict, largest};
use crate::frequency::FrequencySet;

/// The parameter with which a model would just allow a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestParameter {
    /// The name of the model.
    pub model: &'static str,
    /// The name of its parameter.
    pub parameter: &'static str,
    /// What the class attains.
    pub value: f64,
    /// Which side of it the parameter must be on.
    pub side: NumberSide,
}

/// A side of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberSide {
    /// The number or less.
    AtMost,
    /// The number or more.
    AtLeast,
    /// More than the number.
    Above,
}

impl NearestParameter {
    pub(super) fn at_most(model: &'static str, parameter: &'static str, value: f64) -> Self {
        Self { model, parameter, value, side: NumberSide::AtMost }
    }

    pub(super) fn at_least(model: &'static str, parameter: &'static str, value: f64) -> Self {
        Self { model, parameter, value, side: NumberSide::AtLeast }
    }

    pub(super) fn above(model: &'static str, parameter: &'static str, value: f64) -> Self {
        Self { model, parameter, value, side: NumberSide::Above }
    }

    /// Whether another class attains less of the same parameter.
    fn is_easier_than(&self, other: &Self) -> Ordering {
        match self.side {
            NumberSide::AtMost => other.value.total_cmp(&self.value),
            NumberSide::AtLeast | NumberSide::Above => self.value.total_cmp(&other.value),
        }
    }
}

impl fmt::Display for NearestParameter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, parameter, value, side } = self;
        // Rounded to the side that holds; a hair keeps the last digit of a computed number from counting.
        let thousandths = value * 1000.0;
        let (words, shown) = match side {
            NumberSide::AtMost => ("at most with", (thousandths + HAIR).floor()),
            NumberSide::AtLeast => ("at least with", (thousandths - HAIR).ceil()),
            NumberSide::Above => ("only above", (thousandths - HAIR).ceil()),
        };
        write!(formatter, "{model} holds {words} {parameter} = {}", shown / 1000.0)
    }
}

const HAIR: f64 = 1e-9;

/// A class that a parameter of a model refuses: its place, and what it attains.
type RefusedClass = (usize, NearestParameter);

impl Guard {
    /// For each parameter that asks for more than the classes of a set attain when no more is withheld than `allowance`
    /// records, or people: the place of its model, and the nearest that does not. Nothing is told where no parameters would
    /// help.
    #[must_use]
    pub fn nearest(&self, set: &FrequencySet, allowance: u64) -> Vec<(usize, NearestParameter)> {
        let mut budget = WithholdingBudget { set, unit: self.limits, withheld: vec![false; set.len()], allowance };
        let of_model = |model| self.asked(set, model).into_iter().map(move |refused| (model, refused));
        let asked: Vec<(usize, Vec<RefusedClass>)> = (0..self.models.len()).flat_map(of_model).collect();
        let hopeless = (0..set.len()).filter(|&class| self.is_hopeless(set, class));
        budget.withhold(hopeless);
        let (too_much, few): (Vec<_>, Vec<_>) = asked.into_iter().partition(|(_, refused)| budget.is_over(refused));
        let before = budget.withheld.clone();
        budget.withhold(few.iter().flat_map(|(_, refused)| refused).map(|(class, _)| *class));
        let mut failing = too_much;
        if budget.is_overdrawn(&budget.withheld) {
            budget.withheld = before;
            failing.extend(few);
        }
        if budget.is_overdrawn(&budget.withheld) {
            return Vec::new();
        }
        let mut told: Vec<(usize, NearestParameter)> =
            failing.into_iter().filter_map(|(model, refused)| Some((model, budget.nearest(refused)?))).collect();
        for (place, parts) in self.models.iter().enumerate().filter_map(|(place, model)| Some((place, model.parts()?)))
        {
            let mut withheld = budget.withheld.clone();
            let near = parts.nearest(set, &mut withheld, |withheld| budget.is_overdrawn(withheld));
            let Some(near) = near else { return Vec::new() };
            told.extend(near.into_iter().map(|near| (place, near)));
            budget.withheld = withheld;
        }
        let Some(over_table) = self.nearest_over_table(&budget) else { return Vec::new() };
        told.extend(over_table);
        told
    }

    /// The same for models that judge all classes together, where as many smallest classes are withheld besides as may be. None
    /// where no parameter helps.
    fn nearest_over_table(&self, budget: &WithholdingBudget<'_>) -> Option<Vec<(usize, NearestParameter)>> {
        let mut kept: Vec<bool> = budget.withheld.iter().map(|withheld| !withheld).collect();
        let order = smallest_first(budget.set, &kept);
        let is_within = |count: u64| {
            let mut withheld = budget.withheld.clone();
            for &class in order.iter().zip(0..count).map(|(class, _)| class) {
                withheld[class as usize] = true;
            }
            !budget.is_overdrawn(&withheld)
        };
        let models = || self.models.iter().enumerate().filter_map(|(place, model)| Some((place, model.over_table()?)));
        if models().next().is_none() {
            return Some(Vec::new());
        }
        for &class in order.iter().zip(0..largest(order.len() as u64, is_within)).map(|(class, _)| class) {
            kept[class as usize] = false;
        }
        let sizes = SizedClasses::kept(budget.set, &kept);
        let failing = models().filter(|(_, model)| !model.holds(&sizes));
        failing.map(|(place, model)| Some((place, model.nearest(&sizes)?))).collect()
    }

    /// For each parameter of a model the classes that it refuses.
    fn asked(&self, set: &FrequencySet, model: usize) -> Vec<Vec<RefusedClass>> {
        let mut asked: Vec<Vec<RefusedClass>> = Vec::new();
        for class in 0..set.len() {
            for near in self.models[model].nearest(&ClassView::new(set, class)) {
                match asked.iter_mut().find(|one| one.first().is_some_and(|(_, one)| one.parameter == near.parameter)) {
                    Some(refused) => refused.push((class, near)),
                    None => asked.push(vec![(class, near)]),
                }
            }
        }
        asked
    }

    /// Whether a model refuses a class whatever its parameters are.
    fn is_hopeless(&self, set: &FrequencySet, class: usize) -> bool {
        let view = ClassView::new(set, class);
        self.models.iter().any(|model| !model.allows(&view) && model.nearest(&view).is_empty())
    }
}

/// The classes that are withheld, and how many records or people may be.
struct WithholdingBudget<'a> {
    set: &'a FrequencySet,
    unit: Unit,
    withheld: Vec<bool>,
    allowance: u64,
}

impl WithholdingBudget<'_> {
    fn withhold(&mut self, classes: impl Iterator<Item = usize>) {
        classes.for_each(|class| self.withheld[class] = true);
    }

    /// Whether more is withheld than may be, or all.
    fn is_overdrawn(&self, withheld: &[bool]) -> bool {
        let verdict = Verdict::keeping(withheld.iter().map(|withheld| !withheld).collect(), self.set);
        verdict.limited(self.unit) > self.allowance || withheld.iter().all(|withheld| *withheld)
    }

    /// The same with these classes besides.
    fn is_over(&self, refused: &[RefusedClass]) -> bool {
        let mut withheld = self.withheld.clone();
        for (class, _) in refused {
            withheld[*class] = true;
        }
        self.is_overdrawn(&withheld)
    }

    /// The nearest parameter for refused classes, of which those that attain least are withheld as far as may be.
    fn nearest(&mut self, mut refused: Vec<RefusedClass>) -> Option<NearestParameter> {
        refused.retain(|(class, _)| !self.withheld[*class]);
        refused.sort_by(|one, other| other.1.is_easier_than(&one.1));
        // Classes that attain the same are withheld together or not at all.
        for run in refused.chunk_by(|one, other| one.1.is_easier_than(&other.1) == Ordering::Equal) {
            if self.is_over(run) {
                return run.first().map(|(_, near)| *near);
            }
            self.withhold(run.iter().map(|(class, _)| *class));
        }
        None
    }
}
