//! What the paper prints, and what follows from it, beside what comes out.

use equanym_engine::run::balance::{BalanceSolution, MarketVariable};

use super::formula;
use crate::failure::Result;

/// A number beside the one it should be, both as they are printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What is compared.
    pub what: String,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub found: String,
    /// Whether the paper prints it; otherwise it was derived.
    pub is_printed: bool,
}

impl Check {
    /// Whether both are the same.
    pub fn holds(&self) -> bool {
        self.expected == self.found
    }

    /// A number that follows from what the paper prints.
    pub(super) fn derived(what: &str, expected: &str, found: String) -> Self {
        Self { what: what.to_owned(), expected: expected.to_owned(), found, is_printed: false }
    }
}

const UTILITY_100: [&str; 7] = ["135.03", "112.27", "94.21", "75.08", "47.60", "30.01", "0.00"];
const PROTECTION_100: [&str; 7] = ["0.00", "22.76", "40.81", "59.95", "87.43", "105.02", "135.03"];
const UTILITY_60: [&str; 7] = ["81.02", "67.36", "56.53", "45.05", "28.56", "18.00", "0.00"];
const PROTECTION_60: [&str; 7] = ["0.00", "13.65", "24.49", "35.97", "52.46", "63.01", "81.02"];
const UTILITY_40: [&str; 3] = ["20.85", "8.69", "0.00"];
const PROTECTION_40: [&str; 3] = ["0.00", "12.16", "20.85"];

/// Every comparison.
pub fn all(one: &BalanceSolution, two: &BalanceSolution) -> Result<Vec<Check>> {
    let [year] = one.report.variables.as_slice() else { return Err("the first example has one variable".into()) };
    let [born, marital] = two.report.variables.as_slice() else { return Err("the second example has two".into()) };
    let mut checks = printed("Example 1, year of birth", year, &UTILITY_100, &PROTECTION_100);
    checks.extend(printed("Example 2, year of birth", born, &UTILITY_60, &PROTECTION_60));
    checks.extend(printed("Example 2, marital status", marital, &UTILITY_40, &PROTECTION_40));
    checks.extend(optima(year, born, marital));
    checks.push(Check::derived("Example 1: satisfaction with C4", "67.088", format!("{:.3}", one.report.satisfaction)));
    checks.push(Check::derived(
        "Example 2: satisfaction at the optimum",
        "24.356",
        format!("{:.3}", two.report.optimum_satisfaction),
    ));
    checks.push(Check::derived(
        "Example 2: satisfaction with C4 and D2",
        "23.318",
        format!("{:.3}", two.report.satisfaction),
    ));
    let largest = formula::largest_difference()?;
    let found = if largest < 1e-9 { "below 1e-9".to_owned() } else { format!("{largest:e}") };
    let what = format!(
        "Section 6: largest relative difference between formula and general solver in {} cases",
        formula::CASES
    );
    checks.push(Check::derived(&what, "below 1e-9", found));
    Ok(checks)
}

/// What both goods are at each level, to two decimals.
fn printed(title: &str, variable: &MarketVariable, utility: &[&str], protection: &[&str]) -> Vec<Check> {
    let both = utility.iter().zip(protection).zip(&variable.levels);
    let check = |good: &str, level: u8, expected: &str, found: f64| Check {
        what: format!("{title}, coding {}, {good}", level + 1),
        expected: expected.to_owned(),
        found: format!("{found:.2}"),
        is_printed: true,
    };
    both.flat_map(|((x, y), level)| {
        [check("Iu", level.level, x, level.utility), check("Priv", level.level, y, level.protection)]
    })
    .collect()
}

fn optima(year: &MarketVariable, born: &MarketVariable, marital: &MarketVariable) -> Vec<Check> {
    let goods = |variable: &MarketVariable| format!("{:.4} / {:.4}", variable.optimum.x, variable.optimum.y);
    let coding = |variable: &MarketVariable| (variable.level + 1).to_string();
    vec![
        Check::derived("Example 1: optimum", "67.5133 / 67.5133", goods(year)),
        Check { is_printed: false, ..Check::derived("Example 1: chosen coding (published)", "4", coding(year)) },
        Check::derived("Example 2: optimum of the year of birth", "33.6887 / 33.6887", goods(born)),
        Check::derived("Example 2: optimum of the marital status", "14.9728 / 14.9728", goods(marital)),
        Check::derived("Example 2: chosen codings", "4 and 2", format!("{} and {}", coding(born), coding(marital))),
    ]
}
