//! The comparison as a text with tables.

use equanym_engine::run::balance::{BalanceSolution, MarketVariable, SweptRatio, SweptVariable, Totals};

use super::Comparisons;
use super::checks::Check;
use super::claims::Claim;
use super::released::PageRelease;
use crate::markdown;

/// The report.
pub fn text(compared: &Comparisons) -> String {
    let Comparisons { one, two, coupled, claims, releases, checks } = compared;
    let printed = checks.iter().filter(|check| check.is_printed);
    let same = printed.clone().filter(|check| check.holds()).count();
    format!(
        "# The price-theory paper's examples\n\n\
         Written by `cargo xtask reproduce anopi`: do not edit.\n\n\
         M. Zielinski and M. Olivier (DKE 69(5), 2010) balance the year of birth and the marital status of a table that they \
         do not print. The table in [examples/anopi](../examples/anopi) is reconstructed to match the published entropies. \
         Entropies have base 10 here, as in the paper, and codings count from 1: coding 4 is level 3.\n\n\
         **{same} of {} printed numbers come out.**\n\n\
         ## Settings\n\n{SETTINGS}\n\
         ## Claims\n\n{}\n\
         ## Levels (steps 3 and 4)\n\n{}\n\
         ## Optimum and choice (step 7 and the anonymising function)\n\n{}\n\
         Total utility and total protection (sections 3.3 and 3.4):\n\n{}\n\
         The same with the default target `coupled`, which the paper does not have: one budget for each variable, so that each \
         optimum can be reached.\n\n{}\n\
         ![Figure 2: levels, optimum and choice of the first example](anopi-figure-2.svg)\n\n\
         ![Levels, optimum and choice of the second example](anopi-levels.svg)\n\n\
         ## Example 1 with other preferences\n\n\
         Optimum and coding for ratios of α to β, and the stretches of α on which a coding is chosen, with β = 1 − α.\n\n{}\n{}\n\
         ## Example 2 with other preferences and points\n\n{}\n{}\n\
         ![The optimum over preferences](anopi-preferences.svg)\n\n\
         Figures 3 to 7: x and y over the points of a variable, one panel for each ratio of α to β, from 9 : 1 to 1 : 9. For the \
         first row the curves are x₁, y₁ and, of the other variable, x₂, y₂.\n\n\
         ![Figures 3 to 7: the optimum over points at five ratios](anopi-ratios.svg)\n\n\
         The tables of user points against intruder points, at the same ratios, with the level that is released. A level is one \
         less than the number of its coding.\n\n\
         ![User points against intruder points at five ratios](anopi-heat.svg)\n\n\
         ![The optimum over points, as shares of what can be reached](anopi-points.svg)\n\n\
         ## The release\n\n\
         The paper's process ends in a released table. Both examples were released with their own choice and audited with the \
         original at hand. No privacy model was asked for, so none is claimed: the manifest, the reports, the summary and the \
         audit say that nothing is guaranteed.\n\n{}\n\
         ## Every number\n\n{}",
        printed.count(),
        claimed(claims),
        levels(one, two),
        optima(one, two),
        totals(one, two),
        coupled_optima(coupled),
        ratios(one),
        sweep(one),
        ratios(two),
        sweep(two),
        released(releases),
        every(checks)
    )
}

/// What the paper sets, and what is set here where the copies that are known do not tell.
const SETTINGS: &str = "\
| | the paper | here |
| --- | --- | --- |
| table | an appendix that is not legible | 60 records, reconstructed to have the same entropies |
| logarithms | base 10 | base 10 (`unit = \"digits\"`); bits by default |
| optimum | one budget for all variables | the same (`target = \"paper\"`); `coupled` by default, shown apart |
| nearest coding | a rule that is not legible | `distance = \"weighted\"`, the reading that uses all its symbols |
| ratios of α to β in figures 3 to 7 | five, not legible | 9 : 1, 7 : 3, 5 : 5, 3 : 7, 1 : 9 |
| points in figures 3 to 7 | not legible | from 0 to 100 |
| suppression | none | none |
| guarantee | none | none (`guarantee = \"none\"`) |
";

fn claimed(claims: &[Claim]) -> String {
    let row = |claim: &Claim| {
        let verdict = if claim.holds { "holds" } else { "**does not hold**" };
        vec![claim.section.to_owned(), claim.words.to_owned(), verdict.to_owned(), claim.found.clone()]
    };
    markdown::table(&["section", "claim", "", "looked at"], 4, &claims.iter().map(row).collect::<Vec<_>>())
}

fn released(releases: &[PageRelease]) -> String {
    let row = |one: &PageRelease| {
        let codings: Vec<String> = one.codings.iter().map(ToString::to_string).collect();
        vec![
            format!("`{}`", one.policy),
            codings.join(", "),
            one.records.0.to_string(),
            one.records.1.to_string(),
            one.smallest.to_string(),
            one.guarantee.clone().unwrap_or_default(),
            format!("{} checks, {}", one.checks, if one.passed { "all passed" } else { "not all passed" }),
            one.claimed.clone(),
        ]
    };
    let head =
        ["policy", "codings", "released", "withheld", "smallest class", "guarantee", "audit", "what the audit says"];
    markdown::table(&head, 8, &releases.iter().map(row).collect::<Vec<_>>())
}

fn totals(one: &BalanceSolution, two: &BalanceSolution) -> String {
    let row = |(example, solved): (&str, &BalanceSolution)| {
        let Totals { chosen, optimum, as_collected, .. } = solved.report.total;
        let amounts = [chosen.utility, optimum.utility, chosen.protection, optimum.protection, as_collected.utility];
        std::iter::once(example.to_owned()).chain(amounts.map(|amount| format!("{amount:.2}"))).collect()
    };
    let rows: Vec<Vec<String>> = [("1", one), ("2", two)].into_iter().map(row).collect();
    let head =
        ["example", "Iu of the choice", "at the optimum", "Priv of the choice", "at the optimum", "most of either"];
    markdown::table(&head, 1, &rows)
}

fn coupled_optima(coupled: &BalanceSolution) -> String {
    let row = |variable: &MarketVariable| {
        vec![
            variable.name.clone(),
            format!("{:.4}", variable.optimum.x),
            format!("{:.4}", variable.optimum.y),
            (variable.level + 1).to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = coupled.report.variables.iter().map(row).collect();
    markdown::table(&["variable", "x*", "y*", "coding"], 1, &rows)
}

/// Optimum, coding and goods for each ratio of α to β.
fn ratios(solved: &BalanceSolution) -> String {
    let rows = |ratio: &SweptRatio| {
        let words = format!("{:.0} : {:.0}", 10.0 * ratio.alpha, 10.0 * ratio.beta);
        let row = move |variable: &SweptVariable| {
            let amounts = [
                variable.optimum.utility,
                variable.optimum.protection,
                variable.goods.utility,
                variable.goods.protection,
            ];
            let [x, y, utility, protection] = amounts.map(|amount| format!("{amount:.2}"));
            vec![words.clone(), variable.name.clone(), x, y, (variable.level + 1).to_string(), utility, protection]
        };
        ratio.variables.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = solved.report.sweeps.ratios.iter().flat_map(rows).collect();
    markdown::table(&["α : β", "variable", "x*", "y*", "coding", "Iu", "Priv"], 2, &rows)
}

/// Both examples with their variables.
fn examples<'a>(
    one: &'a BalanceSolution,
    two: &'a BalanceSolution,
) -> impl Iterator<Item = (&'static str, &'a MarketVariable)> {
    let first = one.report.variables.iter().map(|variable| ("1", variable));
    first.chain(two.report.variables.iter().map(|variable| ("2", variable)))
}

fn levels(one: &BalanceSolution, two: &BalanceSolution) -> String {
    let row = |(example, variable): (&str, &MarketVariable)| {
        let name = variable.name.clone();
        let line = move |level: &equanym_engine::run::balance::MarketLevel| {
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

fn optima(one: &BalanceSolution, two: &BalanceSolution) -> String {
    let row = |(example, variable): (&str, &MarketVariable)| {
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

fn sweep(solved: &BalanceSolution) -> String {
    let names = solved.report.node.0.iter().map(|(name, _)| name.as_str());
    let head: Vec<&str> = ["from α", "to"].into_iter().chain(names).collect();
    let row = |piece: &equanym_engine::run::balance::SweptPiece| {
        let codings = piece.node.0.iter().map(|(_, level)| (level + 1).to_string());
        [format!("{:.4}", piece.from), format!("{:.4}", piece.to)].into_iter().chain(codings).collect()
    };
    markdown::table(&head, 0, &solved.report.sweeps.sweep.iter().map(row).collect::<Vec<_>>())
}

fn every(checks: &[Check]) -> String {
    let row = |check: &Check| {
        let source = if check.is_printed { "printed" } else { "derived" };
        let verdict = if check.holds() { "same" } else { "**differs**" };
        vec![check.what.clone(), source.to_owned(), verdict.to_owned(), check.expected.clone(), check.found.clone()]
    };
    markdown::table(&["number", "", "", "expected", "found"], 3, &checks.iter().map(row).collect::<Vec<_>>())
}
