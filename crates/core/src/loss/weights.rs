//! How much each variable counts in a loss that is a sum or a mean over variables.
//!
//! Alike, unless the policy says `weights = "points"`: then as much as the recipient's user points say, and a variable
//! without points costs nothing. A mean over variables becomes the weighted mean; where the points sum to 100, as they
//! must in a policy, a weight is simply the share of the points.

use crate::card::{Kind, Parameter, Parameters, text};
use crate::frequency::Table;

const NAME: &str = "weights";
const POINTS: &str = "points";

/// The parameter of losses that can weigh the variables.
pub(super) const PARAMETER: Parameter = Parameter {
    name: NAME,
    kind: Kind::Choice(&["equal", POINTS]),
    default: Some("equal"),
    summary: "whether all variables count alike, or as much as their user points say",
};

/// Whether the user points count.
pub(super) fn by_points(parameters: &Parameters) -> bool {
    text(parameters, NAME) == POINTS
}

/// The weight of each variable.
pub(super) fn weights(table: &Table, parameters: &Parameters) -> Vec<f64> {
    let by_points = by_points(parameters);
    table.variables.iter().map(|variable| if by_points { variable.weight } else { 1.0 }).collect()
}

/// What a weighted sum is divided by to become a mean; never 0.
pub(super) fn total(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { sum } else { 1.0 }
}
