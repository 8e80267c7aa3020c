//! How much each variable counts in a loss that is a sum or a mean over variables.
//!
//! Alike, unless the policy says `weights = "points"`: then as much as the recipient's user points say, and a variable
//! without points costs nothing. With `weights = "given"` the weight from 0 to 1 counts that stands beside each variable;
//! such weights need not sum to anything. A mean over variables becomes the weighted mean; where the points sum to 100, as they
//! must in a policy, a weight is simply the share of the points.

use crate::card::{Card, Kind, Parameter, Parameters, text};
use crate::frequency::Table;

const NAME: &str = "weights";
const EQUAL: &str = "equal";
const POINTS: &str = "points";
const GIVEN: &str = "given";

/// The parameter of losses that can weigh the variables.
pub(super) const PARAMETER: Parameter = Parameter::defaulting(
    NAME,
    Kind::Choice(&[EQUAL, POINTS, GIVEN]),
    EQUAL,
    "whether all variables count alike, or as much as their user points or their own weights say",
);

/// The parameter of losses that weigh the variables in any case.
pub(super) const ALWAYS: Parameter = Parameter::defaulting(
    NAME,
    Kind::Choice(&[POINTS, GIVEN]),
    POINTS,
    "whether variables count as much as their user points say, or as their own weights from 0 to 1",
);

/// Where the weights of variables come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightSource {
    /// All count alike.
    Equal,
    /// The user points divided by 100.
    Points,
    /// A weight from 0 to 1 beside each variable.
    Given,
}

/// Whether a loss with this card weighs the variables whatever its parameters.
pub(super) fn are_weighed(card: &Card) -> bool {
    card.parameters.iter().any(|parameter| parameter.name == NAME && parameter.default == ALWAYS.default)
}

/// Where the weights come from; losses that take no such parameter weigh nothing.
pub(super) fn source(parameters: &Parameters) -> WeightSource {
    match text(parameters, NAME) {
        POINTS => WeightSource::Points,
        GIVEN => WeightSource::Given,
        _ => WeightSource::Equal,
    }
}

/// The weight of each variable.
pub(super) fn weights(table: &Table, parameters: &Parameters) -> Vec<f64> {
    let is_equal = source(parameters) == WeightSource::Equal;
    table.variables.iter().map(|variable| if is_equal { 1.0 } else { variable.weight }).collect()
}

/// What a weighted sum is divided by to become a mean; never 0.
pub(super) fn total(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { sum } else { 1.0 }
}
