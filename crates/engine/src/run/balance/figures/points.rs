//! The optimum over points: a variable gets from none to all of a kind, the others share the rest as before.

use equanym_core::balance::{Balance, Offer, POINTS, Points};

use super::legend::{HERE, Sign, legend};
use super::{Grid, Solved, share};
use crate::write::svg::{Anchor, COLOURS, Canvas, DASHES, Mark, Panel};

/// Two panels for each variable: user points, intruder points.
const GRID: Grid = Grid { columns: 2, width: 250.0, height: 130.0, between: 76.0 };
const STEPS: u8 = 50;

/// Two panels for each of these variables.
pub(super) fn draw(solved: &Solved, variables: &[usize]) -> String {
    let mut canvas = Canvas::default();
    let title = "The optimum as a variable gets more points";
    canvas.text(20.0, 20.0, Anchor::Start, "font-weight=\"bold\" font-size=\"14\"", title);
    let alone = solved.balance.market().offers().len() < 2;
    let note = if alone {
        "With a single variable there is nothing to share: it has all points."
    } else {
        "Shares of the most that the variable can give; beyond 1 is out of reach. The others share the remaining points as before."
    };
    canvas.text(20.0, 37.0, Anchor::Start, "fill=\"#56626a\"", note);
    if !alone {
        legend(&mut canvas, &LEGEND);
    }
    let variables = if alone { &[][..] } else { variables };
    for (row, &variable) in variables.iter().enumerate() {
        for (column, kind) in [PointsKind::User, PointsKind::Intruder].into_iter().enumerate() {
            let panel = GRID.panel(2 * row + column, POINTS, 1.0);
            draw_panel(&mut canvas, &panel, solved, variable, kind);
        }
    }
    let (width, height) = GRID.size(2 * variables.len(), 700.0);
    canvas.finish(width, if alone { 60.0 } else { height }, title)
}

/// What the marks mean.
const LEGEND: [(Sign, &str); 3] = [
    (Sign::Curve(1, Mark::Triangle), "utility x at the optimum"),
    (Sign::Curve(2, Mark::Dot), "protection y at the optimum"),
    (Sign::Line(HERE), "the points of the policy"),
];

#[derive(Clone, Copy)]
enum PointsKind {
    User,
    Intruder,
}

impl PointsKind {
    fn of(self, points: &mut Points) -> &mut f64 {
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

fn draw_panel(canvas: &mut Canvas, panel: &Panel, solved: &Solved, variable: usize, kind: PointsKind) {
    let offer = &solved.balance.market().offers()[variable];
    panel.frame(canvas, &offer.name, kind.words(), "share");
    let mut points = offer.points;
    let here = panel.place(*kind.of(&mut points), 0.0);
    canvas.line(&[(here.0, panel.top), here], HERE);
    let (mut utility, mut protection) = (Vec::new(), Vec::new());
    for step in 0..=STEPS {
        let points = POINTS * f64::from(step) / f64::from(STEPS);
        let Some((offer, optimum)) = optimum_at(solved, variable, kind, points) else { continue };
        utility.push((points, share(optimum.utility, offer.points.user, &offer)));
        protection.push((points, share(optimum.protection, offer.points.intruder, &offer)));
    }
    curve(canvas, panel, &utility, 1, Mark::Triangle);
    curve(canvas, panel, &protection, 2, Mark::Dot);
}

/// The variable and its optimum when it has so many points of a kind.
fn optimum_at(
    solved: &Solved,
    variable: usize,
    kind: PointsKind,
    points: f64,
) -> Option<(Offer, equanym_core::balance::Goods)> {
    let market = solved.balance.market();
    let mut given = market.offers()[variable].points;
    *kind.of(&mut given) = points;
    let balance = Balance::solve(market.with_points(variable, given).ok()?, solved.sought).ok()?;
    Some((balance.market().offers()[variable].clone(), balance.optimum()[variable]))
}

/// A curve with its own colour, dashes and marks, which the legend names. What is beyond reach is drawn at the edge.
pub(super) fn curve(canvas: &mut Canvas, panel: &Panel, values: &[(f64, f64)], series: usize, mark: Mark) {
    let places: Vec<(f64, f64)> = values.iter().map(|&(x, y)| panel.place(x, y)).collect();
    let (colour, dashes) = (COLOURS[series % COLOURS.len()], DASHES[series % DASHES.len()]);
    canvas.line(&places, &format!("stroke=\"{colour}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\""));
    for (x, y) in places.iter().step_by((values.len() / 5).max(1)) {
        canvas.mark(mark, *x, *y, 3.2, colour);
    }
}
