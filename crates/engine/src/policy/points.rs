//! Points of users and intruders: each kind sums to 100.

use equanym_core::balance::Points;

use super::place::at_line;
use super::variable::{POINTS, TOLERANCE, VariablePolicy};
use crate::error::{Error, Result};

/// Refuses points that do not sum to 100, of the user or of the intruder. The complaint is about the line that asks for
/// them, or about the last variable that has some.
pub(super) fn check_points(variables: &[VariablePolicy], asked: Option<usize>) -> Result<()> {
    let given = variables.iter().filter(|variable| variable.points.is_some());
    let last = given.clone().next_back().or(variables.first()).map_or(1, |variable| variable.line);
    // A sum of nothing is −0.
    let sum = |of: fn(Points) -> f64| 0.0 + given.clone().filter_map(|variable| variable.points).map(of).sum::<f64>();
    for (whose, sum) in [("user", sum(|points| points.user)), ("intruder", sum(|points| points.intruder))] {
        if (sum - POINTS).abs() > TOLERANCE {
            return Err(unbalanced(whose, sum, asked.unwrap_or(last)));
        }
    }
    Ok(())
}

fn unbalanced(whose: &str, sum: f64, line: usize) -> Error {
    let hint = format!(
        "share {} more with points = {{ user = …, intruder = … }} of the quasi-identifying variables; a variable without \
         points counts 0",
        POINTS - sum
    );
    at_line(line, format!("the balance needs {whose} points that sum to 100; they sum to {sum}")).hint(hint)
}
