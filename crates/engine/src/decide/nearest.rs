//! The nearest parameters that a release attains, for whoever asked for too much.
//!
//! What the highest node attains is known at once ([`Guard::nearest`]), and where it decides that is all. Where records may be
//! withheld under models that are only closed under unions, a lower node may attain more. Then each parameter in turn is moved
//! from what the highest node attains towards what was asked, as far as some node stays safe: by bisection, with a search that
//! ends at the first safe node. All that is told holds together, and none of it can be nearer while the rest stays.
//!
//! Limit: thousandths, where a parameter may have a fraction.

use equanym_core::card::{Parameters, Value};
use equanym_core::loss;
use equanym_core::privacy::{self, Closure, Guard, NearestParameter, NumberSide};
use equanym_core::search::{self, Problem};
use equanym_core::stop::Stop;

use super::fitting::{Fitting, guard};
use crate::error::{Error, Result};
use crate::policy::PrivacyPolicy;

/// What was asked of a table, and how much of it may be withheld.
pub(super) struct NearestQuery<'a> {
    pub fitting: &'a Fitting,
    pub models: &'a [PrivacyPolicy],
    pub allowance: u64,
}

impl NearestQuery<'_> {
    /// Whether no node attains more than the highest one.
    pub(super) fn top_decides(&self) -> bool {
        match self.fitting.guard.closure() {
            Closure::Any => true,
            Closure::Union => self.allowance == 0 && self.fitting.table.keys().is_additive(),
            Closure::None => false,
        }
    }

    /// What the highest node attains.
    pub(super) fn at_the_top(&self) -> Vec<(usize, NearestParameter)> {
        let table = &self.fitting.table;
        let highest = table.roll_up(table.keys(), &table.lattice().top).set;
        self.fitting.guard.nearest(&highest, self.allowance)
    }

    /// What some node attains.
    pub(super) fn anywhere(&self) -> Result<Vec<(usize, NearestParameter)>> {
        let mut told = self.at_the_top();
        if self.top_decides() {
            return Ok(told);
        }
        let mut models: Vec<(&str, Parameters)> =
            self.models.iter().map(|model| (model.model.as_str(), model.parameters.clone())).collect();
        let scales: Vec<i64> = told.iter().map(|(place, near)| self.scale(&models[*place], near)).collect();
        for ((place, near), &scale) in told.iter().zip(&scales) {
            set(&mut models[*place].1, near.parameter, attained(near, scale), scale);
        }
        for ((place, near), scale) in told.iter_mut().zip(scales) {
            let asked = asked(&self.models[*place].parameters, near.parameter).map_or(0, |asked| whole(asked, scale));
            let (mut good, mut bad) = (attained(near, scale), asked);
            while (good - bad).abs() > 1 {
                let middle = good.midpoint(bad);
                set(&mut models[*place].1, near.parameter, middle, scale);
                if self.is_attained(&models)? { good = middle } else { bad = middle }
            }
            set(&mut models[*place].1, near.parameter, good, scale);
            near.value = good as f64 / scale as f64;
            near.side = if near.side == NumberSide::AtMost { NumberSide::AtMost } else { NumberSide::AtLeast };
        }
        Ok(told)
    }

    /// How many steps make one: a parameter of whole numbers refuses a half.
    fn scale(&self, (name, parameters): &(&str, Parameters), near: &NearestParameter) -> i64 {
        let mut half = parameters.clone();
        half.insert(near.parameter.to_owned(), Value::Number(near.value.floor() + 0.5));
        if privacy::build(name, &half, &self.fitting.sensitive).is_ok() { THOUSANDTHS } else { 1 }
    }

    /// Whether some node is safe under these models.
    fn is_attained(&self, models: &[(&str, Parameters)]) -> Result<bool> {
        let table = &self.fitting.table;
        let guard: Guard = guard(models.iter().map(|(name, parameters)| (*name, parameters)), &self.fitting.sensitive)?
            .limiting(self.fitting.guard.limits());
        let unknown = || Error::environment("the default search or loss is not there");
        let measure = loss::find(loss::DEFAULT).ok_or_else(unknown)?.build(table, &Parameters::new());
        let measure = measure.map_err(|error| Error::input(error.to_string()))?;
        let search = search::find(search::DEFAULT).ok_or_else(unknown)?;
        let found = (search.run)(&Problem {
            table,
            guard: &guard,
            loss: measure.as_ref(),
            allowance: self.allowance,
            lattice: table.lattice(),
            progress: &|_| {},
            // The first one will do.
            stop: Some(Stop::after_work(&|| true)),
        });
        Ok(found.is_ok())
    }
}

const THOUSANDTHS: i64 = 1000;

/// The steps that a parameter may be at, as the highest node attains it.
#[allow(clippy::cast_possible_truncation)] // parameters are small
fn attained(near: &NearestParameter, scale: i64) -> i64 {
    let steps = near.value * scale as f64;
    match near.side {
        NumberSide::AtMost => (steps + HAIR).floor() as i64,
        NumberSide::AtLeast => (steps - HAIR).ceil() as i64,
        NumberSide::Above => (steps + HAIR).floor() as i64 + 1,
    }
}

/// Keeps the last digit of a computed number from counting.
const HAIR: f64 = 1e-9;

#[allow(clippy::cast_possible_truncation)] // parameters are small
fn whole(number: f64, scale: i64) -> i64 {
    (number * scale as f64).round() as i64
}

fn asked(parameters: &Parameters, name: &str) -> Option<f64> {
    match parameters.get(name)? {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

fn set(parameters: &mut Parameters, name: &str, steps: i64, scale: i64) {
    let value = if scale == 1 { Value::Integer(steps) } else { Value::Number(steps as f64 / scale as f64) };
    parameters.insert(name.to_owned(), value);
}
