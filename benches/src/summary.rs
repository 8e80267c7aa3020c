//! What the grid shows, in sentences made from its numbers.

use crate::duel::{Duel, baselines};
use crate::figures::short;
use crate::grid::Row;
use crate::optima::{self, Optimum};
use crate::single::levels;

/// One sentence on correctness, one on published optima, one on the speed of each data set.
pub fn text(rows: &[Row]) -> String {
    let mut sets: Vec<&str> = rows.iter().map(|row| row.data.as_str()).collect();
    sets.dedup();
    let of_set = |data: &str| rows.iter().filter(|row| row.data == data).collect::<Vec<_>>();
    let speeds = sets.iter().map(|data| speed(data, &of_set(data)));
    [checked(rows), published(rows)].into_iter().chain(speeds).collect()
}

fn checked(rows: &[Row]) -> String {
    let checked: Vec<bool> = rows.iter().filter_map(|row| row.checked).collect();
    let good = checked.iter().filter(|good| **good).count();
    format!("- {good} of {} checked cells have the optimum of every node looked at.\n", checked.len())
}

fn published(rows: &[Row]) -> String {
    let known: Vec<(&Row, &Optimum)> =
        rows.iter().filter_map(|row| Some((row, optima::published(&row.data, &row.cell)?))).collect();
    let is_met = |row: &Row, optimum: &Optimum| optimum.is(&levels(&row.duel.found.best.node.0), row.value);
    let met = known.iter().filter(|(row, optimum)| is_met(row, optimum)).count();
    let counted = known.iter().filter_map(|(row, one)| Some((row.duel.found.evaluated, u64::from(one.arx_counted?))));
    let (fewer, more): (Vec<_>, Vec<_>) = counted.partition(|(ours, theirs)| ours < theirs);
    let (all, cells) = (known.len(), fewer.len() + more.len());
    format!(
        "- {met} of {all} published optima are met (levels and loss, as far as published). Of {cells} cells with a \
         count of ARX, `optimal` counts fewer nodes in {}.\n",
        fewer.len()
    )
}

fn speed(data: &str, rows: &[&Row]) -> String {
    let below = |time: fn(&Duel) -> f64| rows.iter().filter(|row| time(&row.duel) < 50.0).count();
    let slowest = |time: fn(&Duel) -> f64| short(rows.iter().map(|row| time(&row.duel)).fold(0.0, f64::max));
    let ratios: Vec<String> = baselines().filter_map(|name| range(name, rows)).collect();
    format!(
        "- {data}: {} of {} cells below 50 ms, the slowest takes {} ms ({} cells and {} ms by the median). Times of the \
         others where they find the optimum or are left, as multiples: {}.\n",
        below(Duel::fastest),
        rows.len(),
        slowest(Duel::fastest),
        below(Duel::middle),
        slowest(Duel::middle),
        ratios.join("; ")
    )
}

/// From which to which multiple of the exact search a baseline takes.
fn range(name: &str, rows: &[&Row]) -> Option<String> {
    let mut ratios: Vec<f64> = rows.iter().filter_map(|row| row.duel.ratio_where_exact(name)).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, most) = (short(*ratios.first()?), short(*ratios.last()?));
    let many = ratios.iter().filter(|ratio| **ratio >= 20.0).count();
    Some(format!("`{name}` {least} to {most} (20 or more in {many} of {})", ratios.len()))
}
