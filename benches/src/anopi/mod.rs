//! The two examples of the price-theory paper, through the same door as everybody's tables.
//!
//! The table in `examples/anopi` is reconstructed to match the published entropies. All printed numbers are compared, and
//! so are the optimum, the chosen codings, and the simplified formula of the paper's section 6 with the general solver.
//!
//! Source: Zielinski & Olivier 2010.

mod checks;
mod formula;
mod report;

use std::path::Path;

use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::run::balance::{self, BalanceRequest, Solved, figures};

use crate::failure::Result;
use crate::settings::Settings;

/// Compares, and writes the report and the figures.
pub fn reproduce(settings: &Settings) -> Result<()> {
    let folder = settings.home.join("../examples/anopi");
    let (one, two) = (solve(&folder, "one-variable.toml")?, solve(&folder, "policy.toml")?);
    let checks = checks::all(&one, &two)?;
    let text = report::text(&one, &two, &checks);
    println!("{text}");
    for (name, drawing) in figures::draw(&two) {
        std::fs::write(settings.home.join(format!("anopi-{name}")), drawing)?;
    }
    std::fs::write(settings.home.join("REPRODUCE_ANOPI.md"), text)?;
    match checks.iter().filter(|check| !check.holds()).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} numbers differ", checks.len()).into()),
    }
}

fn solve(folder: &Path, policy: &str) -> Result<Solved> {
    let policy = Policy::load(&folder.join(policy))?;
    Ok(balance::balance(&BalanceRequest {
        data: &folder.join("people.csv"),
        policy: &policy,
        memory: 64 << 20,
        show_values: false,
        sweep: true,
        progress: &Silent,
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_published_numbers_come_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/anopi");
        let (one, two) = (solve(&folder, "one-variable.toml").unwrap(), solve(&folder, "policy.toml").unwrap());
        let checks = checks::all(&one, &two).unwrap();
        let failed: Vec<&checks::Check> = checks.iter().filter(|check| !check.holds()).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        assert_eq!(checks.iter().filter(|check| check.is_printed).count(), 34);
    }
}
