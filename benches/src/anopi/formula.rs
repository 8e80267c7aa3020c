//! The simplified formula of the paper's section 6 against the general solver, on a grid of preferences and points.

use equanym_core::balance::{Demand, spend};

use crate::failure::Result;

/// How many markets are compared.
pub const CASES: usize = 9 * 9 * 9;

/// Entropies of three variables; any will do, because the formula knows their sum only.
const INCOME: f64 = 1.35 + 0.52 + 2.04;

/// The largest relative difference of an optimum.
pub fn largest_difference() -> Result<f64> {
    let tenths = || (1..=9).map(|tenth| f64::from(tenth) / 10.0);
    let mut largest = 0.0_f64;
    for (alpha, user, intruder) in tenths().flat_map(|a| tenths().flat_map(move |q| tenths().map(move |r| (a, q, r)))) {
        largest = largest.max(difference(alpha, 100.0 * user, 100.0 * intruder)?);
    }
    Ok(largest)
}

/// Two of the three variables share what the first one leaves, one to three and three to one.
fn difference(alpha: f64, user: f64, intruder: f64) -> Result<f64> {
    let shares = |first: f64| [first, (100.0 - first) / 4.0, (100.0 - first) * 3.0 / 4.0];
    let (user, mut intruder) = (shares(user), shares(intruder));
    intruder.swap(1, 2);
    let weights = user.map(|q| alpha * q / 100.0).into_iter().chain(intruder.map(|r| (1.0 - alpha) * r / 100.0));
    let demands: Vec<Demand> = weights.map(|weight| Demand { weight, least: 0.0, most: f64::INFINITY }).collect();
    let spent = spend(&demands, INCOME).map_err(|_| "the general solver finds no optimum")?;
    let solved = spent.iter().zip(user.iter().chain(&intruder)).map(|(spent, points)| spent * points);
    let formula = user.map(|q| alpha * q * q * INCOME / 100.0).into_iter();
    let formula = formula.chain(intruder.map(|r| (1.0 - alpha) * r * r * INCOME / 100.0));
    Ok(solved.zip(formula).map(|(one, other)| (one - other).abs() / other).fold(0.0, f64::max))
}
