//! The comparison as a text with tables.

use equanym_engine::run::balance::{Solved, VariableFound};

use super::checks::Check;
use crate::markdown;

/// The report.
pub fn text(one: &Solved, two: &Solved, checks: &[Check]) -> String {
    let printed = checks.iter().filter(|check| check.is_printed);
    let same = printed.clone().filter(|check| check.holds()).count();
    format!(
        "# The price-theory paper's examples\n\n\
         Written by `cargo xtask reproduce anopi`: do not edit.\n\n\
         M. Zielinski and M. Olivier (DKE 69(5), 2010) balance the year of birth and the marital status of a table that they \
         do not print. The table in [examples/anopi](../examples/anopi) is reconstructed to match the published entropies. \
         Entropies have base 10 here, as in the paper, and codings count from 1: coding 4 is level 3.\n\n\
         **{same} of {} printed numbers come out.**\n\n\
         ## Levels\n\n{}\n## Optimum and choice\n\n{}\n## How the choice moves\n\n\
         Example 2, from privacy alone (α = 0) to utility alone (α = 1), with β = 1 − α.\n\n{}\n\
         ## Figures\n\n\
         ![Levels, optimum and choice](anopi-levels.svg)\n\n\
         ![The optimum over preferences](anopi-preferences.svg)\n\n\
         ![The optimum over points](anopi-points.svg)\n\n\
         ## Every number\n\n{}",
        printed.count(),
        levels(one, two),
        optima(one, two),
        sweep(two),
        every(checks)
    )
}

/// Both examples with their variables.
fn examples<'a>(one: &'a Solved, two: &'a Solved) -> impl Iterator<Item = (&'static str, &'a VariableFound)> {
    let first = one.report.variables.iter().map(|variable| ("1", variable));
    first.chain(two.report.variables.iter().map(|variable| ("2", variable)))
}

fn levels(one: &Solved, two: &Solved) -> String {
    let row = |(example, variable): (&str, &VariableFound)| {
        let name = variable.name.clone();
        let line = move |level: &equanym_engine::run::balance::LevelFound| {
            let numbers = [level.entropy, level.utility, level.protection];
            let [entropy, utility, protection] =
                [format!("{:.6}", numbers[0]), format!("{:.2}", numbers[1]), format!("{:.2}", numbers[2])];
            vec![example.to_owned(), name.clone(), (level.level + 1).to_string(), entropy, utility, protection]
        };
        variable.levels.iter().map(line).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = examples(one, two).flat_map(row).collect();
    markdown::table(&["example", "variable", "coding", "entropy", "Iu", "Priv"], 2, &rows)
}

fn optima(one: &Solved, two: &Solved) -> String {
    let row = |(example, variable): (&str, &VariableFound)| {
        let reach = if variable.optimum.attainable { "yes" } else { "no" };
        vec![
            example.to_owned(),
            variable.name.clone(),
            format!("{:.0}", variable.points.user),
            format!("{:.0}", variable.points.intruder),
            format!("{:.4}", variable.optimum.x),
            format!("{:.4}", variable.optimum.y),
            reach.to_owned(),
            (variable.level + 1).to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = examples(one, two).map(row).collect();
    markdown::table(&["example", "variable", "q", "r", "x*", "y*", "in reach", "coding"], 2, &rows)
}

fn sweep(two: &Solved) -> String {
    let names = two.report.node.0.iter().map(|(name, _)| name.as_str());
    let head: Vec<&str> = ["from α", "to"].into_iter().chain(names).collect();
    let row = |piece: &equanym_engine::run::balance::SweptPiece| {
        let codings = piece.node.0.iter().map(|(_, level)| (level + 1).to_string());
        [format!("{:.4}", piece.from), format!("{:.4}", piece.to)].into_iter().chain(codings).collect()
    };
    markdown::table(&head, 0, &two.report.sweep.iter().map(row).collect::<Vec<_>>())
}

fn every(checks: &[Check]) -> String {
    let row = |check: &Check| {
        let source = if check.is_printed { "printed" } else { "derived" };
        let verdict = if check.holds() { "same" } else { "**differs**" };
        vec![check.what.clone(), source.to_owned(), verdict.to_owned(), check.expected.clone(), check.found.clone()]
    };
    markdown::table(&["number", "", "", "expected", "found"], 3, &checks.iter().map(row).collect::<Vec<_>>())
}
