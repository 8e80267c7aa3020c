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
pub struct AlphaPiece {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The level of each variable.
    pub node: Vec<usize>,
}

/// The choices from α = 0 to α = 1.
pub fn sweep(market: &Market, preferences: Preferences) -> Result<Vec<AlphaPiece>, BalanceError> {
    let choose = |alpha: f64| {
        let node = Balance::solve(market.with_weights(alpha, 1.0 - alpha)?, preferences)?.node();
        Ok(AlphaChoice { alpha, node })
    };
    let mut last = choose(0.0)?;
    let mut pieces = vec![AlphaPiece { from: 0.0, to: 0.0, node: last.node.clone() }];
    for step in 1..=STEPS {
        let next = choose(f64::from(step) / f64::from(STEPS))?;
        advance(&mut pieces, &choose, &last, &next)?;
        last = next;
    }
    Ok(pieces)
}

/// The choice at a place.
struct AlphaChoice {
    alpha: f64,
    node: Vec<usize>,
}

/// Goes on from one choice to another.
fn advance(
    pieces: &mut Vec<AlphaPiece>,
    choose: &impl Fn(f64) -> Result<AlphaChoice, BalanceError>,
    from: &AlphaChoice,
    to: &AlphaChoice,
) -> Result<(), BalanceError> {
    if let Some(last) = pieces.last_mut().filter(|last| last.node == to.node) {
        last.to = to.alpha;
        return Ok(());
    }
    let middle = f64::midpoint(from.alpha, to.alpha);
    if to.alpha - from.alpha <= EXACT {
        if let Some(last) = pieces.last_mut() {
            last.to = middle;
        }
        pieces.push(AlphaPiece { from: middle, to: to.alpha, node: to.node.clone() });
        return Ok(());
    }
    let between = choose(middle)?;
    advance(pieces, choose, from, &between)?;
    advance(pieces, choose, &between, to)
}
