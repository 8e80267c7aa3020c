//! The optimum over points: a variable gets from none to all of a kind, the others share the rest as before.

use equanym_core::balance::{Balance, Goods, Offer, POINTS, Points};

use super::{ALONE, BalanceSolution, PROTECTION, UTILITY, here, is_alone, share};
use crate::write::pen::{Panel, Pen, Picture, Sheet, Sign};

/// Two panels for each variable: user points, intruder points.
const SHEET: Sheet = Sheet { columns: 2, width: 250.0, height: 130.0, between: 76.0 };
const STEPS: u8 = 50;

/// What the marks mean.
const LEGEND: [(Sign, &str); 3] = [UTILITY, PROTECTION, (Sign::Line("here"), "the points of the policy")];

/// Two panels for each of these variables.
pub(super) fn plot(solved: &BalanceSolution, variables: &[usize]) -> Picture {
    let title = "The optimum as a variable gets more points";
    if is_alone(solved) {
        return SHEET.plot((title, ALONE), [], 0, |_| ());
    }
    let note = "Shares of the most that the variable can give; beyond 1 is out of reach. The others share the remaining points as before.";
    SHEET.plot((title, note), LEGEND, 2 * variables.len(), |pen| {
        for (row, &variable) in variables.iter().enumerate() {
            for (column, kind) in [PointsKind::User, PointsKind::Intruder].into_iter().enumerate() {
                let panel = SHEET.panel(2 * row + column, (0.0, POINTS), (0.0, 1.0));
                curves(pen, &panel, solved, variable, kind);
            }
        }
    })
}

#[derive(Clone, Copy)]
enum PointsKind {
    User,
    Intruder,
}

impl PointsKind {
    fn amount(self, points: &mut Points) -> &mut f64 {
        match self {
            Self::User => &mut points.user,
            Self::Intruder => &mut points.intruder,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::User => "user points of it",
            Self::Intruder => "intruder points of it",
        }
    }
}

fn curves(pen: &mut Pen, panel: &Panel, solved: &BalanceSolution, variable: usize, kind: PointsKind) {
    let offer = &solved.balance.market().offers()[variable];
    panel.frame(pen, &offer.name, kind.words(), "share");
    let mut points = offer.points;
    here(pen, panel, *kind.amount(&mut points));
    let (mut utility, mut protection) = (Vec::new(), Vec::new());
    for step in 0..=STEPS {
        let points = POINTS * f64::from(step) / f64::from(STEPS);
        let Some((offer, optimum)) = optimum_at(solved, variable, kind, points) else { continue };
        utility.push((points, share(optimum.utility, offer.points.user, &offer)));
        protection.push((points, share(optimum.protection, offer.points.intruder, &offer)));
    }
    panel.curve(pen, 1, &utility);
    panel.curve(pen, 2, &protection);
}

/// The variable and its optimum when it has so many points of a kind.
fn optimum_at(solved: &BalanceSolution, variable: usize, kind: PointsKind, points: f64) -> Option<(Offer, Goods)> {
    let market = solved.balance.market();
    let mut given = market.offers()[variable].points;
    *kind.amount(&mut given) = points;
    let balance = Balance::solve(market.with_points(variable, given).ok()?, solved.sought).ok()?;
    Some((balance.market().offers()[variable].clone(), balance.optimum()[variable]))
}
