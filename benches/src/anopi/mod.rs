//! The two examples of the price-theory paper, through the same door as everybody's tables.
//!
//! The table in `examples/anopi` is reconstructed to match the published entropies. All printed numbers are compared, and
//! so are the optimum, the chosen codings, the claims of the text, and the simplified formula of the paper's section 6 with
//! the general solver. Both examples are also released with their own choice, and audited.
//!
//! Source: Zielinski & Olivier 2010.

mod checks;
mod claims;
mod formula;
mod released;
mod report;

use std::path::Path;

use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::run::balance::{self, BalanceRequest, BalanceSolution, Sweep, plots};

use crate::failure::Result;
use crate::settings::Settings;

/// Everything that is compared.
struct Comparisons {
    /// Both examples, as published and with the default target.
    one: BalanceSolution,
    two: BalanceSolution,
    coupled: BalanceSolution,
    claims: Vec<claims::Claim>,
    releases: Vec<released::PageRelease>,
    checks: Vec<checks::Check>,
}

/// Compares, and writes the report and the figures.
pub fn reproduce(settings: &Settings) -> Result<()> {
    let compared = compare(&settings.home.join("../examples/anopi"))?;
    let text = report::text(&compared);
    println!("{text}");
    let figure_2 = plots::plot(&compared.one).into_iter().filter(|(name, _)| *name == "levels.svg");
    let figure_2 = figure_2.map(|(_, drawing)| ("figure-2.svg", drawing));
    for (name, drawing) in figure_2.chain(plots::plot(&compared.two)) {
        std::fs::write(settings.home.join(format!("anopi-{name}")), drawing)?;
    }
    std::fs::write(settings.home.join("REPRODUCE_ANOPI.md"), text)?;
    match compared.checks.iter().filter(|check| !check.holds()).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} numbers differ", compared.checks.len()).into()),
    }
}

fn compare(folder: &Path) -> Result<Comparisons> {
    let (one, two) = (solve(folder, "one-variable.toml", None)?, solve(folder, "policy.toml", None)?);
    let coupled = solve(folder, "policy.toml", Some("coupled"))?;
    let claims = claims::all(&one, &two, &std::fs::read_to_string(folder.join("people.csv"))?)?;
    let releases = vec![
        released::release_example(folder, "one-variable.toml")?,
        released::release_example(folder, "policy.toml")?,
    ];
    let mut checks = checks::all(&one, &two)?;
    checks.extend(claims.iter().map(claims::Claim::check));
    checks.extend(releases.iter().flat_map(released::PageRelease::checks));
    Ok(Comparisons { one, two, coupled, claims, releases, checks })
}

fn solve(folder: &Path, policy: &str, target: Option<&str>) -> Result<BalanceSolution> {
    let mut policy = Policy::load(&folder.join(policy))?;
    if let (Some(preferences), Some(target)) = (&mut policy.preferences, target) {
        target.clone_into(&mut preferences.target);
    }
    Ok(balance::balance(&BalanceRequest {
        data: (&folder.join("people.csv")).into(),
        policy: &policy,
        memory: 64 << 20,
        show_values: false,
        sweeps: &[Sweep::Alpha, Sweep::Ratio],
        progress: &Silent,
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_published_numbers_and_claims_come_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/anopi");
        let compared = compare(&folder).unwrap();
        let failed: Vec<&checks::Check> = compared.checks.iter().filter(|check| !check.holds()).collect();
        assert!(failed.is_empty(), "{failed:#?}");
        assert_eq!(compared.checks.iter().filter(|check| check.is_printed).count(), 34);
        assert_eq!(compared.releases.len(), 2);
    }
}
