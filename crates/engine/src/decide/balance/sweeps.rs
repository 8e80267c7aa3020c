//! What optimum and choice become when preferences or points are varied.
//!
//! - `alpha`: from privacy alone to utility alone, with β = 1 − α, as stretches of one choice with the optimum at both ends.
//! - `ratio`: the same for fixed ratios of α to β, from 1 : 9 to 9 : 1.
//! - `points`: for each variable its user points against its intruder points, in steps of ten; the other variables share the
//!   remaining points as before.
//!
//! Source: Zielinski & Olivier 2010, section 5, whose tables and graphs vary these.

use equanym_core::balance::{Balance, BalanceError, Goods, Market, POINTS, Points, Preferences, sweep};
use equanym_core::report::{GoodsAmounts, NamedLevels};
use serde::Serialize;

use super::market::{levels, number};

/// What is varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// α, with β = 1 − α.
    Alpha,
    /// The ratio of α to β.
    Ratio,
    /// The points of each variable.
    Points,
}

/// What was varied, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Sweeps {
    /// The choices from alpha 0 to 1, with beta the rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sweep: Vec<SweptPiece>,
    /// Optimum and choice for ratios of alpha to beta.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<SweptRatio>,
    /// Optimum and choice of each variable over its points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<SweptPoints>,
}

/// A stretch of alpha with one choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweptPiece {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The level of each variable.
    pub node: NamedLevels,
    /// The optimum of each variable where it begins.
    pub optimum_from: Vec<GoodsAmounts>,
    /// The optimum of each variable where it ends.
    pub optimum_to: Vec<GoodsAmounts>,
}

/// Optimum and choice for a ratio of alpha to beta.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweptRatio {
    /// The weight of utility.
    pub alpha: f64,
    /// The weight of privacy.
    pub beta: f64,
    /// The variables, in the order of the data.
    pub variables: Vec<SweptVariable>,
    /// What the chosen levels give in all.
    pub total: GoodsAmounts,
    /// What the optimum gives in all.
    pub optimum: GoodsAmounts,
}

/// Optimum and choice of a variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweptVariable {
    /// Its name.
    pub name: String,
    /// The optimum.
    pub optimum: GoodsAmounts,
    /// The chosen level.
    pub level: u8,
    /// What that level gives.
    #[serde(flatten)]
    pub goods: GoodsAmounts,
}

/// Optimum and choice of a variable over its points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweptPoints {
    /// The variable.
    pub variable: String,
    /// Its user points and its intruder points, and what comes of them.
    pub cells: Vec<PointsCell>,
}

/// What comes of points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointsCell {
    /// The user points.
    pub user: f64,
    /// The intruder points.
    pub intruder: f64,
    /// The optimum; absent where rations cannot be met with these points, and so is the level.
    pub optimum: Option<GoodsAmounts>,
    /// The chosen level.
    pub level: Option<u8>,
    /// The share of its entropy that this level shows.
    pub shown: Option<f64>,
}

/// Steps of ten points.
const STEPS: u8 = 10;

/// Varies what is asked for.
pub(super) fn vary(market: &Market, sought: Preferences, asked: &[Sweep]) -> Result<Sweeps, BalanceError> {
    let mut sweeps = Sweeps::default();
    if asked.contains(&Sweep::Alpha) {
        sweeps.sweep = over_alpha(market, sought)?;
    }
    if asked.contains(&Sweep::Ratio) {
        sweeps.ratios = (1..STEPS).map(|tenths| at_ratio(market, sought, tenths)).collect::<Result<_, _>>()?;
    }
    if asked.contains(&Sweep::Points) {
        let all = market.offers().iter().enumerate();
        let swept = |(place, offer): (usize, &equanym_core::balance::Offer)| SweptPoints {
            variable: offer.name.clone(),
            cells: over_points(market, sought, place),
        };
        // A variable that is alone has all points.
        sweeps.points = if market.offers().len() > 1 { all.map(swept).collect() } else { Vec::new() };
    }
    Ok(sweeps)
}

fn over_alpha(market: &Market, sought: Preferences) -> Result<Vec<SweptPiece>, BalanceError> {
    let at = |alpha: f64| Balance::solve(market.with_weights(alpha, 1.0 - alpha)?, sought);
    let optimum = |alpha: f64| Ok(at(alpha)?.optimum().iter().map(|&goods| goods.into()).collect());
    let names = at(0.5)?;
    let mut pieces = Vec::new();
    for piece in sweep(market, sought)? {
        pieces.push(SweptPiece {
            node: levels(&names, &piece.node),
            optimum_from: optimum(piece.from)?,
            optimum_to: optimum(piece.to)?,
            from: piece.from,
            to: piece.to,
        });
    }
    Ok(pieces)
}

fn at_ratio(market: &Market, sought: Preferences, tenths: u8) -> Result<SweptRatio, BalanceError> {
    let (alpha, beta) = (f64::from(tenths) / f64::from(STEPS), f64::from(STEPS - tenths) / f64::from(STEPS));
    let balance = Balance::solve(market.with_weights(alpha, beta)?, sought)?;
    let node = balance.node();
    let goods = balance.goods(&node);
    let variable = |(place, name): (usize, String)| SweptVariable {
        name,
        optimum: balance.optimum()[place].into(),
        level: number(node[place]),
        goods: goods[place].into(),
    };
    let names = market.offers().iter().map(|offer| offer.name.clone()).enumerate();
    Ok(SweptRatio {
        alpha,
        beta,
        variables: names.map(variable).collect(),
        total: goods.iter().copied().sum::<Goods>().into(),
        optimum: balance.optimum().iter().copied().sum::<Goods>().into(),
    })
}

/// User points against intruder points of a variable, row by row.
pub(crate) fn over_points(market: &Market, sought: Preferences, variable: usize) -> Vec<PointsCell> {
    let steps = || (0..=STEPS).map(|step| POINTS * f64::from(step) / f64::from(STEPS));
    let pairs = steps().flat_map(|intruder| steps().map(move |user| Points { user, intruder }));
    pairs.map(|points| cell(market, sought, variable, points)).collect()
}

fn cell(market: &Market, sought: Preferences, variable: usize, points: Points) -> PointsCell {
    let Points { user, intruder } = points;
    let solved = market.with_points(variable, points).and_then(|market| Balance::solve(market, sought));
    let Ok(balance) = solved else { return PointsCell { user, intruder, optimum: None, level: None, shown: None } };
    let level = balance.node()[variable];
    let offer = &balance.market().offers()[variable];
    let shown = if offer.entropy() > 0.0 { offer.entropies[level] / offer.entropy() } else { 0.0 };
    PointsCell {
        user,
        intruder,
        optimum: Some(balance.optimum()[variable].into()),
        level: Some(number(level)),
        shown: Some(shown),
    }
}
