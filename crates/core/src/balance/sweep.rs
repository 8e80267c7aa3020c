//! How the choice moves when utility is worth more and privacy less.
//!
//! α runs from 0 to 1 with β = 1 − α. The choice is taken on a grid; between two neighbours that differ the place of the
//! change is found by halving. A choice that lasts less than one step of the grid can be missed.

use super::{Balance, BalanceError, Market, Preferences};

/// The steps of the grid.
const STEPS: u32 = 200;

/// How exactly the place of a change is found.
const EXACT: f64 = 1e-7;

/// A stretch of α with one choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The level of each variable.
    pub node: Vec<usize>,
}

/// The choices from α = 0 to α = 1.
pub fn sweep(market: &Market, preferences: Preferences) -> Result<Vec<Piece>, BalanceError> {
    let node = |alpha: f64| Ok(Balance::solve(market.with_weights(alpha, 1.0 - alpha)?, preferences)?.node());
    let mut pieces = vec![Piece { from: 0.0, to: 0.0, node: node(0.0)? }];
    for step in 1..=STEPS {
        let (from, to) = (f64::from(step - 1) / f64::from(STEPS), f64::from(step) / f64::from(STEPS));
        advance(&mut pieces, &node, from, to, &node(to)?)?;
    }
    Ok(pieces)
}

/// Goes on to `to`, where the choice is `there`.
fn advance(
    pieces: &mut Vec<Piece>,
    node: &impl Fn(f64) -> Result<Vec<usize>, BalanceError>,
    from: f64,
    to: f64,
    there: &[usize],
) -> Result<(), BalanceError> {
    if let Some(last) = pieces.last_mut().filter(|last| last.node == there) {
        last.to = to;
        return Ok(());
    }
    let middle = f64::midpoint(from, to);
    if to - from <= EXACT {
        if let Some(last) = pieces.last_mut() {
            last.to = middle;
        }
        pieces.push(Piece { from: middle, to, node: there.to_vec() });
        return Ok(());
    }
    let between = node(middle)?;
    advance(pieces, node, from, middle, &between)?;
    advance(pieces, node, middle, to, there)
}
