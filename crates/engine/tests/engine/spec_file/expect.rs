//! What a case says must come out, and how what came out differs.

use std::collections::BTreeMap;
use std::fmt::Debug;

use equanym_core::report::NodeChoice;
use equanym_engine::error::Error;
use equanym_engine::run::FinishedRelease;
use serde::Deserialize;

use super::fence::{Block, Fault};

/// Losses, shares and gaps are compared to three decimals: so many can be worked out by hand.
const TOLERANCE: f64 = 5e-4;

/// What must come out: a release, or a refusal.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The level of each quasi-identifier.
    pub node: Option<BTreeMap<String, u8>>,
    /// Records released.
    pub released: Option<u64>,
    /// Records withheld.
    pub suppressed: Option<u64>,
    /// The loss.
    pub loss: Option<f64>,
    /// Its share of the fully generalised table's.
    pub share: Option<f64>,
    /// Whether no safe node is better.
    pub optimal: Option<bool>,
    /// How much of the loss might be avoidable.
    pub gap: Option<f64>,
    /// A part of the message.
    pub error: Option<String>,
    /// The exit code of the program.
    pub exit: Option<u8>,
}

impl Expect {
    /// Reads an expectation that says enough to fail.
    pub fn read(block: &Block) -> Result<Self, Fault> {
        let expect: Self = toml::from_str(&block.text).map_err(|error| block.fault(error.to_string().trim_end()))?;
        let speaks_of_release = expect.released.is_some()
            || expect.suppressed.is_some()
            || expect.loss.is_some()
            || expect.share.is_some()
            || expect.optimal.is_some()
            || expect.gap.is_some();
        match (&expect.error, expect.exit, &expect.node) {
            (Some(_), Some(1..), None) if !speaks_of_release => Ok(expect),
            (None, None, Some(_)) => Ok(expect),
            _ => Err(block.fault("a release is expected by its `node`, a refusal by `error` and `exit` alone")),
        }
    }

    /// What came out otherwise, one line each.
    pub fn differences(&self, outcome: &Result<FinishedRelease, Error>) -> Vec<String> {
        match (outcome, &self.error) {
            (Ok(released), None) => self.unlike_release(released),
            (Err(error), Some(fragment)) => self.unlike_refusal(error, fragment),
            (Ok(released), Some(_)) => {
                vec![format!("expected a refusal, found a release at {:?}", released.report.node.0)]
            }
            (Err(error), None) => vec![format!("expected a release, found: {error}")],
        }
    }

    fn unlike_release(&self, released: &FinishedRelease) -> Vec<String> {
        let report = &released.report;
        let choice = report.choice.as_ref();
        let number = |name, expected: Option<f64>, found: fn(&NodeChoice) -> f64| {
            let found = choice.map_or(f64::NAN, found);
            let same = |expected: f64| (found - expected).abs() <= TOLERANCE;
            expected.filter(|expected| !same(*expected)).map(|expected| unlike(name, &expected, &found))
        };
        let node: BTreeMap<String, u8> = report.node.0.iter().cloned().collect();
        let differences = [
            exactly("node", self.node.as_ref(), &node),
            exactly("released", self.released.as_ref(), &report.released),
            exactly("suppressed", self.suppressed.as_ref(), &report.suppressed),
            number("loss", self.loss, |choice| choice.loss.value),
            number("share", self.share, |choice| choice.loss.share),
            exactly("optimal", self.optimal.as_ref(), &choice.is_some_and(|choice| choice.optimal)),
            number("gap", self.gap, |choice| choice.gap.unwrap_or(f64::NAN)),
        ];
        differences.into_iter().flatten().collect()
    }

    fn unlike_refusal(&self, error: &Error, fragment: &str) -> Vec<String> {
        let message = error.to_string();
        let other = !message.contains(fragment);
        let text = other.then(|| format!("error: expected \"… {fragment} …\", found \"{message}\""));
        text.into_iter().chain(exactly("exit", self.exit.as_ref(), &error.exit_code())).collect()
    }
}

fn exactly<T: PartialEq + Debug>(name: &str, expected: Option<&T>, found: &T) -> Option<String> {
    expected.filter(|expected| *expected != found).map(|expected| unlike(name, expected, found))
}

fn unlike(name: &str, expected: &impl Debug, found: &impl Debug) -> String {
    format!("{name}: expected {expected:?}, found {found:?}")
}

/// The lines in which two tables differ, with what stands around the difference left out.
pub fn unlike_tables(expected: &str, found: &str) -> Vec<String> {
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let same_start = expected.iter().zip(&found).take_while(|(left, right)| left == right).count();
    let (expected, found) = (&expected[same_start..], &found[same_start..]);
    let same_end = expected.iter().rev().zip(found.iter().rev()).take_while(|(left, right)| left == right).count();
    let lines = |sign: char, lines: &[&str]| -> Vec<String> {
        lines[..lines.len() - same_end].iter().map(|line| format!("  {sign} {line}")).collect()
    };
    let (lost, added) = (lines('-', expected), lines('+', found));
    if lost.is_empty() && added.is_empty() {
        return Vec::new();
    }
    let heading = format!("release: from line {} on (- expected, + found)", same_start + 1);
    std::iter::once(heading).chain(lost).chain(added).collect()
}
