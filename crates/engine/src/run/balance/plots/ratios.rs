//! The optimum over points at several ratios of α to β: a variable gets from none to all points of both kinds, the others
//! share the rest as before.
//!
//! With two variables and the published target these are the curves x₁, x₂, y₁ and y₂ of the paper's figures 3 to 7, because
//! there utility depends on user points alone and protection on intruder points alone.

use equanym_core::balance::{Balance, Goods, POINTS, Points};

use super::{ALONE, BalanceSolution, MOST_AT_RATIOS, RATIOS, at_ratio, is_alone};
use crate::write::pen::{Pen, Picture, Sheet, Sign};

const SHEET: Sheet = Sheet { columns: RATIOS.len(), width: 190.0, height: 150.0, between: 72.0 };
const STEPS: u8 = 50;

/// The curves: where α and β are even two of them lie upon each other.
const LEGEND: [(Sign, &str); 4] = [
    (Sign::Curve(0), "utility x of it"),
    (Sign::Curve(1), "protection y of it"),
    (Sign::Curve(2), "x of the others"),
    (Sign::Curve(3), "y of the others"),
];

/// A row of panels for each of these variables.
pub(super) fn plot(solved: &BalanceSolution, variables: &[usize]) -> Picture {
    let title = "The optimum over the points of a variable, user points for x and intruder points for y";
    if is_alone(solved) {
        return SHEET.plot((title, ALONE), [], 0, |_| ());
    }
    let unit = solved.report.unit;
    let note = format!(
        "Goods are points times {unit}. The others share the remaining points as before; their goods are added."
    );
    let variables = &variables[..variables.len().min(MOST_AT_RATIOS)];
    SHEET.plot((title, &note), LEGEND, RATIOS.len() * variables.len(), |pen| {
        for (row, &variable) in variables.iter().enumerate() {
            for (column, ratio) in RATIOS.into_iter().enumerate() {
                panel(pen, solved, variable, ratio, row * RATIOS.len() + column);
            }
        }
    })
}

/// The goods of a variable, and of the others together.
struct Both {
    points: f64,
    own: Goods,
    others: Goods,
}

fn panel(pen: &mut Pen, solved: &BalanceSolution, variable: usize, ratio: (f64, f64), place: usize) {
    let steps = (0..=STEPS).map(|step| POINTS * f64::from(step) / f64::from(STEPS));
    let found: Vec<Both> = steps.filter_map(|points| both(solved, variable, ratio, points)).collect();
    let amounts =
        found.iter().flat_map(|one| [one.own.utility, one.own.protection, one.others.utility, one.others.protection]);
    let most = amounts.fold(f64::MIN_POSITIVE, f64::max);
    let panel = SHEET.panel(place, (0.0, POINTS), (0.0, 1.05 * most));
    let name = &solved.balance.market().offers()[variable].name;
    panel.frame(pen, &at_ratio(name, ratio), "points of it", "optimum");
    let series = |amount: fn(&Both) -> f64| found.iter().map(|one| (one.points, amount(one))).collect::<Vec<_>>();
    let all = [
        series(|one| one.own.utility),
        series(|one| one.own.protection),
        series(|one| one.others.utility),
        series(|one| one.others.protection),
    ];
    for (series, values) in all.iter().enumerate() {
        panel.curve(pen, series, values);
    }
}

fn both(solved: &BalanceSolution, variable: usize, (alpha, beta): (f64, f64), points: f64) -> Option<Both> {
    let market = solved.balance.market().with_weights(alpha / 10.0, beta / 10.0).ok()?;
    let market = market.with_points(variable, Points { user: points, intruder: points }).ok()?;
    let balance = Balance::solve(market, solved.sought).ok()?;
    let own = balance.optimum()[variable];
    let all: Goods = balance.optimum().iter().copied().sum();
    let others = Goods { utility: all.utility - own.utility, protection: all.protection - own.protection };
    Some(Both { points, own, others })
}
