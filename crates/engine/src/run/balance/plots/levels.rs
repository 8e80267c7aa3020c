//! Levels and optimum: each variable's levels lie on its budget line, from all shown to all withheld.

use equanym_core::balance::{Amount, Goods, Offer};

use super::{BalanceSolution, rung};
use crate::write::pen::{Anchor, Mark, Panel, Pen, Picture, Sheet, Sign, number};

const SHEET: Sheet = Sheet { columns: 3, width: 210.0, height: 190.0, between: 70.0 };

/// Labels of levels that are nearer than this on the page share one.
const NEAR: f64 = 11.0;

/// The series of the chosen level, of the optimum and of the other levels.
const CHOSEN: usize = 0;
const OTHERS: usize = 3;

/// What the marks mean.
const LEGEND: [(Sign, &str); 5] = [
    (Sign::Series(CHOSEN), "chosen level"),
    (Sign::Series(OTHERS), "other levels"),
    (Sign::Mark("optimum", Mark::Diamond), "optimum"),
    (Sign::Line("alike"), "as satisfying as the optimum"),
    (Sign::Line("ration"), "ration"),
];

/// One panel for each of these variables.
pub(super) fn plot(solved: &BalanceSolution, variables: &[usize]) -> Picture {
    let title = "Levels, optimum and choice of each variable";
    let unit = solved.report.unit;
    let has_new_values = solved.balance.market().offers().iter().any(Offer::gets_new_values);
    let place = if has_new_values {
        "Every level lies on the budget line of its variable, those of new values below it."
    } else {
        "Every level lies on the budget line of its variable."
    };
    let note = format!("Goods are points times {unit}. {place}");
    SHEET.plot((title, &note), LEGEND, variables.len(), |pen| {
        for (place, &variable) in variables.iter().enumerate() {
            panel(pen, solved, variable, place);
        }
    })
}

fn panel(pen: &mut Pen, solved: &BalanceSolution, variable: usize, place: usize) {
    let offer = &solved.balance.market().offers()[variable];
    let optimum = solved.balance.optimum()[variable];
    let most = |points: f64, optimum: f64| 1.12 * (points * offer.entropy()).max(optimum).max(f64::MIN_POSITIVE);
    let most_utility = most(offer.points.user, optimum.utility);
    let most_protection = most(offer.points.intruder, optimum.protection);
    let panel = SHEET.panel(place, (0.0, most_utility), (0.0, most_protection));
    panel.frame(pen, &offer.name, "utility x", "protection y");
    rations(pen, &panel, offer);
    budget(pen, &panel, offer);
    curve(pen, &panel, solved, variable);
    levels(pen, &panel, solved, variable);
    pen.mark("optimum", Mark::Diamond, panel.place((optimum.utility, optimum.protection)), 7.0);
    amounts(pen, &panel, optimum, offer.goods(solved.balance.node()[variable]));
}

fn budget(pen: &mut Pen, panel: &Panel, offer: &Offer) {
    let ends = [offer.goods_at(offer.entropy()), offer.goods_at(0.0)];
    let ends = ends.map(|goods| panel.place((goods.utility, goods.protection)));
    pen.path("budget", &ends);
}

/// The goods that satisfy as much as the optimum.
fn curve(pen: &mut Pen, panel: &Panel, solved: &BalanceSolution, variable: usize) {
    let (market, optimum) = (solved.balance.market(), solved.balance.optimum()[variable]);
    let (alpha, beta) = market.exponents(&market.offers()[variable]);
    if alpha <= 0.0 || beta <= 0.0 || optimum.utility <= 0.0 || optimum.protection <= 0.0 {
        return;
    }
    let protection = |utility: f64| optimum.protection * (optimum.utility / utility).powf(alpha / beta);
    let utilities = (1_u8..=100).map(|step| panel.x.high * f64::from(step) / 100.0);
    let points = utilities.map(|utility| (utility, protection(utility))).filter(|(_, y)| *y <= panel.y.high);
    let points: Vec<(f64, f64)> = points.map(|pair| panel.place(pair)).collect();
    if points.len() > 1 {
        pen.path("alike", &points);
    }
}

fn levels(pen: &mut Pen, panel: &Panel, solved: &BalanceSolution, variable: usize) {
    let (offer, chosen) = (&solved.balance.market().offers()[variable], solved.balance.node()[variable]);
    let label = |levels: &[usize]| label(solved, variable, levels);
    let places: Vec<(f64, f64)> = (0..offer.entropies.len())
        .map(|level| offer.goods(level))
        .map(|goods| panel.place((goods.utility, goods.protection)))
        .collect();
    let mut order: Vec<usize> = (0..places.len()).filter(|&level| level != chosen).collect();
    order.sort_by(|&one, &other| {
        places[one].0.total_cmp(&places[other].0).then(places[other].1.total_cmp(&places[one].1))
    });
    let mut labelled: Vec<((f64, f64), Vec<usize>)> = Vec::new();
    for level in order {
        let (x, y) = places[level];
        pen.mark_of(OTHERS, (x, y), 3.4);
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
        beside(pen, panel, (x, y), "halo", &label(&levels));
    }
    let Some(&(x, y)) = places.get(chosen) else { return };
    pen.mark_of(CHOSEN, (x, y), 5.0);
    beside(pen, panel, (x, y), "strong halo s0", &label(&[chosen]));
}

/// The label of a place: to its right in the left half of the panel, below the line in the right one, where there is room.
fn beside(pen: &mut Pen, panel: &Panel, (x, y): (f64, f64), class: &str, words: &str) {
    if x < panel.x.from + 0.4 * (panel.x.to - panel.x.from) {
        return pen.text(class, (x + 8.0, y - 5.0), Anchor::Start, words);
    }
    pen.text(class, (x - 10.0, (y + 4.0).min(panel.y.from - 4.0)), Anchor::End, words);
}

/// The most characters of a rung's words.
const LONGEST: usize = 19;

/// A level by its name; several that lie together by their numbers.
fn label(solved: &BalanceSolution, variable: usize, levels: &[usize]) -> String {
    match levels {
        [level] => rung(solved, variable, *level, LONGEST),
        several => several.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Utility and protection of the choice and of the optimum, under the name of the variable.
fn amounts(pen: &mut Pen, panel: &Panel, optimum: Goods, chosen: Goods) {
    for (line, (goods, class)) in (0_u8..).zip([(chosen, "halo s0"), (optimum, "halo s1")]) {
        let words = format!("{} / {}", number(goods.utility), number(goods.protection));
        pen.text(class, (panel.x.to, panel.y.to - 12.0 + 14.0 * f64::from(line)), Anchor::End, &words);
    }
}

/// Bounds as dashed lines.
fn rations(pen: &mut Pen, panel: &Panel, offer: &Offer) {
    let ration = offer.ration;
    let amount = |given: Option<Amount>, good: fn(Goods) -> f64| match given? {
        Amount::Of(amount) => Some(amount),
        Amount::Level(level) => Some(good(offer.goods(usize::from(level)))),
    };
    for (given, words) in [(ration.min_utility, "at least"), (ration.max_utility, "at most")] {
        if let Some(amount) = amount(given, |goods| goods.utility) {
            let x = panel.x.place(amount);
            pen.line("ration", (x, panel.y.to), (x, panel.y.from));
            pen.text("small quiet", (x + 3.0, panel.y.to + 9.0), Anchor::Start, words);
        }
    }
    for (given, words) in [(ration.min_protection, "at least"), (ration.max_protection, "at most")] {
        if let Some(amount) = amount(given, |goods| goods.protection) {
            let y = panel.y.place(amount);
            pen.line("ration", (panel.x.from, y), (panel.x.to, y));
            pen.text("small quiet", (panel.x.to, y - 3.0), Anchor::End, words);
        }
    }
}
