//! What the paper says in words, looked at on its examples and on grids of preferences and points.

use std::collections::BTreeMap;

use equanym_core::balance::{Amount, Balance, Goods, Market, Points, Preferences, Ration};
use equanym_engine::run::balance::BalanceSolution;

use super::checks::Check;
use crate::failure::Result;

/// A claim, and whether it was found.
pub struct Claim {
    /// Where it stands.
    pub section: &'static str,
    /// What is claimed.
    pub words: &'static str,
    /// What was looked at, with numbers.
    pub found: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Claim {
    /// The claim as a comparison, so that one that fails stops the command.
    pub fn check(&self) -> Check {
        let verdict = if self.holds { "holds" } else { "does not hold" };
        Check::derived(&format!("Section {}: {}", self.section, self.words), "holds", verdict.to_owned())
    }
}

/// Every claim.
pub fn all(one: &BalanceSolution, two: &BalanceSolution, table: &str) -> Result<Vec<Claim>> {
    Ok(vec![
        spends_the_income(two),
        joint_is_less(two, table),
        worth_follows_the_weights(two)?,
        goods_follow_their_points(two)?,
        rations(one, two)?,
    ])
}

fn nodes(market: &Market) -> Vec<Vec<usize>> {
    market.offers().iter().fold(vec![Vec::new()], |nodes, offer| {
        let levels = 0..offer.entropies.len();
        let longer =
            |node: &Vec<usize>| levels.clone().map(|level| [node.as_slice(), &[level]].concat()).collect::<Vec<_>>();
        nodes.iter().flat_map(longer).collect()
    })
}

fn spends_the_income(two: &BalanceSolution) -> Claim {
    let market = two.balance.market();
    let nodes = nodes(market);
    let off = |node: &Vec<usize>| (market.cost(&two.balance.goods(node)) - market.income()).abs();
    let largest = nodes.iter().map(off).fold(0.0, f64::max);
    Claim {
        section: "4.2, step 6",
        words: "whatever codings are released, the whole income is spent",
        found: format!("all {} pairs of codings cost the income of {:.4}", nodes.len(), market.income()),
        holds: largest < 1e-9,
    }
}

/// The entropy of whole records, to base 10; the first line names the columns.
fn joint_is_less(two: &BalanceSolution, table: &str) -> Claim {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for record in table.lines().skip(1) {
        *counts.entry(record).or_default() += 1.0;
    }
    let records: f64 = counts.values().sum();
    let joint: f64 = counts.values().map(|count| count / records * (records / count).log10()).sum();
    let income = two.balance.market().income();
    Claim {
        section: "4.2, step 6",
        words: "the entropy of the variables together is at most the sum of their entropies, so it would be too small an income",
        found: format!("{joint:.4} of the reconstructed table, and a sum of {income:.4}"),
        holds: joint <= income,
    }
}

/// The optimum of the market with other weights and with other points of its first variable.
fn optimum(market: &Market, sought: Preferences, alpha: f64, points: Points) -> Result<Vec<Goods>> {
    let fail = |error: equanym_core::balance::BalanceError| error.to_string();
    let market = market.with_weights(alpha, 1.0 - alpha).map_err(fail)?.with_points(0, points).map_err(fail)?;
    Ok(Balance::solve(market, sought).map_err(fail)?.optimum().to_vec())
}

fn tenths() -> impl Iterator<Item = f64> + Clone {
    (1..=9).map(|tenth| f64::from(tenth) / 10.0)
}

fn worth_follows_the_weights(two: &BalanceSolution) -> Result<Claim> {
    let (market, sought) = (two.balance.market(), two.sought);
    let mut holds = true;
    let mut last: Option<Vec<Goods>> = None;
    let mut places = 0;
    for points in tenths().map(|share| Points { user: 100.0 * share, intruder: 100.0 * share }) {
        for alpha in tenths() {
            let goods = optimum(market, sought, alpha, points)?;
            let even = |goods: &Goods| (goods.utility > goods.protection) == (alpha > 0.5 + 1e-9);
            let is_even = (alpha - 0.5).abs() < 1e-9;
            holds &= is_even || goods.iter().all(even);
            let falls =
                |(now, before): (&Goods, &Goods)| now.utility > before.utility && now.protection < before.protection;
            let follows = last.as_ref().is_none_or(|before| goods.iter().zip(before).all(falls));
            holds &= alpha < 0.15 || follows;
            last = Some(goods);
            places += 1;
        }
    }
    Ok(Claim {
        section: "6",
        words: "utility exceeds privacy where α exceeds β, and falls as β grows, while privacy rises",
        found: format!("{places} markets of the second example, equal user and intruder points"),
        holds,
    })
}

fn goods_follow_their_points(two: &BalanceSolution) -> Result<Claim> {
    let (market, sought) = (two.balance.market(), two.sought);
    let mut holds = true;
    let mut places = 0;
    for (alpha, fixed) in tenths().flat_map(|alpha| tenths().map(move |fixed| (alpha, 100.0 * fixed))) {
        let mut last: Option<(Vec<Goods>, Vec<Goods>)> = None;
        for points in tenths().map(|share| 100.0 * share) {
            let by_user = optimum(market, sought, alpha, Points { user: points, intruder: fixed })?;
            let by_intruder = optimum(market, sought, alpha, Points { user: fixed, intruder: points })?;
            if let Some((users, intruders)) = &last {
                holds &= by_user[0].utility > users[0].utility && by_user[1].utility < users[1].utility;
                holds &= (by_user[0].protection - users[0].protection).abs() < 1e-9;
                holds &= by_intruder[0].protection > intruders[0].protection;
                holds &= by_intruder[1].protection < intruders[1].protection;
                holds &= (by_intruder[0].utility - intruders[0].utility).abs() < 1e-9;
            }
            last = Some((by_user, by_intruder));
            places += 2;
        }
    }
    Ok(Claim {
        section: "6",
        words: "x of a variable grows with its user points alone, y with its intruder points alone",
        found: format!("{places} markets of the second example"),
        holds,
    })
}

/// Section 7 asks for minima; the numbers follow from the conditions of the optimum.
fn rations(one: &BalanceSolution, two: &BalanceSolution) -> Result<Claim> {
    let mut offers = two.balance.market().offers().to_vec();
    let Some(born) = offers.first_mut() else { return Err("the second example has no variable".into()) };
    born.ration = Ration { min_protection: Some(Amount::Of(52.455)), ..Ration::default() };
    let market = Market::new(0.5, 0.5, offers).map_err(|error| error.to_string())?;
    let balance = Balance::solve(market, two.sought).map_err(|error| error.to_string())?;
    let [born, marital] = balance.optimum() else { return Err("the second example has two variables".into()) };
    let found =
        [born.utility, born.protection, marital.utility, marital.protection].map(|amount| format!("{amount:.3}"));
    let holds = found == ["25.646", "52.455", "11.398", "11.398"] && one.report.variables.len() == 1;
    Ok(Claim {
        section: "7",
        words: "a minimum privacy level of a variable changes the optimum of all goods",
        found: format!(
            "y₁ ≥ 52.455 in the second example: x₁ {}, y₁ {}, x₂ {}, y₂ {}",
            found[0], found[1], found[2], found[3]
        ),
        holds,
    })
}
