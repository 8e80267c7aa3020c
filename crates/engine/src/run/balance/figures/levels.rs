//! Levels and optimum: each variable's levels lie on its budget line, from all shown to all withheld.

use equanym_core::balance::{Amount, Goods, Offer};

use super::legend::{OPTIMUM, Sign, legend};
use super::{Grid, Solved, rung};
use crate::write::svg::{Anchor, COLOURS, Canvas, HALO, Mark, Panel, number};

const GRID: Grid = Grid { columns: 3, width: 210.0, height: 190.0, between: 70.0 };

/// Labels of levels that are nearer than this on the page share one.
const NEAR: f64 = 11.0;

/// One panel for each of these variables.
pub(super) fn draw(solved: &Solved, variables: &[usize]) -> String {
    let mut canvas = Canvas::default();
    let balance = &solved.balance;
    let title = "Levels, optimum and choice of each variable";
    canvas.text(20.0, 20.0, Anchor::Start, "font-weight=\"bold\" font-size=\"14\"", title);
    let unit = solved.report.unit;
    let words = format!("Goods are points times {unit}. Every level lies on the budget line of its variable.");
    canvas.text(20.0, 37.0, Anchor::Start, "fill=\"#56626a\"", &words);
    legend(&mut canvas, &LEGEND);
    let node = balance.node();
    for (place, &variable) in variables.iter().enumerate() {
        let offer = &balance.market().offers()[variable];
        let optimum = balance.optimum()[variable];
        let most = |points: f64, optimum: f64| 1.12 * (points * offer.entropy()).max(optimum).max(f64::MIN_POSITIVE);
        let panel = GRID.panel(
            place,
            most(offer.points.user, optimum.utility),
            most(offer.points.intruder, optimum.protection),
        );
        panel.frame(&mut canvas, &offer.name, "utility x", "protection y");
        rations(&mut canvas, &panel, offer);
        budget(&mut canvas, &panel, offer);
        curve(&mut canvas, &panel, solved, variable);
        levels(&mut canvas, &panel, solved, variable);
        let (x, y) = panel.place(optimum.utility, optimum.protection);
        canvas.path(&Mark::Diamond.path(x, y, 7.0), OPTIMUM);
        amounts(&mut canvas, &panel, optimum, offer.goods(node[variable]));
    }
    let (width, height) = GRID.size(variables.len(), 520.0);
    canvas.finish(width, height, title)
}

fn budget(canvas: &mut Canvas, panel: &Panel, offer: &Offer) {
    let ends = [offer.goods_at(offer.entropy()), offer.goods_at(0.0)];
    let ends = ends.map(|goods| panel.place(goods.utility, goods.protection));
    canvas.line(&ends, "stroke=\"#1c2426\" stroke-width=\"1.4\"");
}

/// The goods that satisfy as much as the optimum.
fn curve(canvas: &mut Canvas, panel: &Panel, solved: &Solved, variable: usize) {
    let (market, optimum) = (solved.balance.market(), solved.balance.optimum()[variable]);
    let (alpha, beta) = market.exponents(&market.offers()[variable]);
    if alpha <= 0.0 || beta <= 0.0 || optimum.utility <= 0.0 || optimum.protection <= 0.0 {
        return;
    }
    let protection = |utility: f64| optimum.protection * (optimum.utility / utility).powf(alpha / beta);
    let utilities = (1_u8..=100).map(|step| panel.most_x * f64::from(step) / 100.0);
    let points = utilities.map(|utility| (utility, protection(utility))).filter(|(_, y)| *y <= panel.most_y);
    let points: Vec<(f64, f64)> = points.map(|(x, y)| panel.place(x, y)).collect();
    canvas.line(&points, &format!("stroke=\"{}\" stroke-dasharray=\"2 3\" stroke-width=\"1.2\"", COLOURS[2]));
}

fn levels(canvas: &mut Canvas, panel: &Panel, solved: &Solved, variable: usize) {
    let (offer, chosen) = (&solved.balance.market().offers()[variable], solved.balance.node()[variable]);
    let label = |levels: &[usize]| label(solved, variable, levels);
    let places: Vec<(f64, f64)> = (0..offer.entropies.len())
        .map(|level| offer.goods(level))
        .map(|goods| panel.place(goods.utility, goods.protection))
        .collect();
    let mut order: Vec<usize> = (0..places.len()).filter(|&level| level != chosen).collect();
    order.sort_by(|&one, &other| {
        places[one].0.total_cmp(&places[other].0).then(places[other].1.total_cmp(&places[one].1))
    });
    let mut labelled: Vec<((f64, f64), Vec<usize>)> = Vec::new();
    for level in order {
        let (x, y) = places[level];
        canvas.mark(Mark::Ring, x, y, 3.4, "#1c2426");
        let is_near = |(near_x, near_y): (f64, f64)| (x - near_x).hypot(y - near_y) < NEAR;
        match labelled.last_mut().filter(|(place, _)| is_near(*place)) {
            Some((place, levels)) => {
                *place = (x, y);
                levels.push(level);
            }
            None => labelled.push(((x, y), vec![level])),
        }
    }
    for ((x, y), levels) in labelled {
        beside(canvas, panel, (x, y), HALO, &label(&levels));
    }
    let Some(&(x, y)) = places.get(chosen) else { return };
    canvas.mark(Mark::Square, x, y, 5.0, COLOURS[0]);
    let style = format!("fill=\"{}\" font-weight=\"bold\" font-size=\"12\" {HALO}", COLOURS[0]);
    beside(canvas, panel, (x, y), &style, &label(&[chosen]));
}

/// The label of a place: to its right in the left half of the panel, below the line in the right one, where there is room.
fn beside(canvas: &mut Canvas, panel: &Panel, (x, y): (f64, f64), style: &str, words: &str) {
    if x < panel.left + 0.4 * panel.width {
        return canvas.text(x + 8.0, y - 5.0, Anchor::Start, style, words);
    }
    canvas.text(x - 10.0, (y + 4.0).min(panel.top + panel.height - 4.0), Anchor::End, style, words);
}

/// The most characters of a rung's words.
const LONGEST: usize = 19;

/// A level by its name; several that lie together by their numbers.
fn label(solved: &Solved, variable: usize, levels: &[usize]) -> String {
    match levels {
        [level] => rung(solved, variable, *level, LONGEST),
        several => several.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// What the marks mean.
const LEGEND: [(Sign, &str); 5] = [
    (Sign::Mark(Mark::Square, COLOURS[0]), "chosen level"),
    (Sign::Mark(Mark::Ring, COLOURS[3]), "other levels"),
    (Sign::Outline(Mark::Diamond), "optimum"),
    (Sign::Line("stroke=\"#6b6100\" stroke-dasharray=\"2 3\" stroke-width=\"1.6\""), "as satisfying as the optimum"),
    (Sign::Line("stroke=\"#8a9297\" stroke-dasharray=\"6 3\""), "ration"),
];

/// Utility and protection of the choice and of the optimum, under the name of the variable.
fn amounts(canvas: &mut Canvas, panel: &Panel, optimum: Goods, chosen: Goods) {
    let right = panel.left + panel.width;
    for (place, (goods, colour)) in (0_u8..).zip([(chosen, COLOURS[0]), (optimum, COLOURS[1])]) {
        let style = format!("fill=\"{colour}\" {HALO}");
        let words = format!("{} / {}", number(goods.utility), number(goods.protection));
        canvas.text(right, panel.top - 13.0 + 14.0 * f64::from(place), Anchor::End, &style, &words);
    }
}

/// Bounds as dashed lines.
fn rations(canvas: &mut Canvas, panel: &Panel, offer: &Offer) {
    let ration = offer.ration;
    let amount = |given: Option<Amount>, of: fn(Goods) -> f64| match given? {
        Amount::Of(amount) => Some(amount),
        Amount::Level(level) => Some(of(offer.goods(usize::from(level)))),
    };
    let style = "stroke=\"#8a9297\" stroke-dasharray=\"6 3\"";
    let (right, bottom) = (panel.left + panel.width, panel.top + panel.height);
    for (given, words) in [(ration.min_utility, "at least"), (ration.max_utility, "at most")] {
        if let Some(amount) = amount(given, |goods| goods.utility) {
            let x = panel.place(amount, 0.0).0;
            canvas.line(&[(x, panel.top), (x, bottom)], style);
            canvas.text(x + 3.0, panel.top + 9.0, Anchor::Start, "font-size=\"10\" fill=\"#56626a\"", words);
        }
    }
    for (given, words) in [(ration.min_protection, "at least"), (ration.max_protection, "at most")] {
        if let Some(amount) = amount(given, |goods| goods.protection) {
            let y = panel.place(0.0, amount).1;
            canvas.line(&[(panel.left, y), (right, y)], style);
            canvas.text(right, y - 3.0, Anchor::End, "font-size=\"10\" fill=\"#56626a\"", words);
        }
    }
}
