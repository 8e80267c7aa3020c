//! What a comparison of two tables must find, and how what was found differs.

use std::collections::BTreeMap;

use equanym_engine::run::compare::ComparisonReport;
use serde::Deserialize;

use super::fence::{Block, Fault};

/// Numbers are compared to three decimals: so many can be worked out by hand.
const TOLERANCE: f64 = 5e-4;

/// How two tables are compared, and for each metric the figures that the page names.
#[derive(Debug, Deserialize)]
pub struct Comparison {
    /// The column to be predicted.
    pub target: Option<String>,
    /// Whether both tables have the same records in the same order.
    #[serde(default = "usual")]
    pub same_order: bool,
    #[serde(flatten)]
    figures: BTreeMap<String, Vec<ExpectedMeasure>>,
}

fn usual() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedMeasure {
    of: Option<String>,
    measure: String,
    value: f64,
}

impl Comparison {
    /// Reads a block.
    pub fn read(block: &Block) -> Result<Self, Fault> {
        let comparison: Self =
            toml::from_str(&block.text).map_err(|error| block.fault(error.to_string().trim_end()))?;
        if comparison.figures.values().all(Vec::is_empty) {
            return Err(block.fault("a comparison names at least one figure"));
        }
        Ok(comparison)
    }

    /// What was found otherwise, one line each.
    pub fn differences(&self, found: &ComparisonReport) -> Vec<String> {
        let expected = self.figures.iter().flat_map(|(metric, figures)| figures.iter().map(move |one| (metric, one)));
        expected.filter_map(|(metric, one)| unlike(metric, one, found)).collect()
    }
}

fn unlike(metric: &str, expected: &ExpectedMeasure, found: &ComparisonReport) -> Option<String> {
    let figures = found.metrics.iter().filter(|one| one.metric == metric).flat_map(|one| &one.figures);
    let mut fitting = figures.filter(|figure| figure.of == expected.of && figure.name == expected.measure);
    let name = format!("{metric}, {}, {}", expected.of.as_deref().unwrap_or("all"), expected.measure);
    match fitting.next() {
        None => Some(format!("{name}: not found")),
        Some(figure) if (figure.value - expected.value).abs() <= TOLERANCE => None,
        Some(figure) => Some(format!("{name}: expected {}, found {}", expected.value, figure.value)),
    }
}
