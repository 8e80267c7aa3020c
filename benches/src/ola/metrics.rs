//! The metrics of the paper, as its appendix prints them, and one that it does not have.

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::Table;
use equanym_core::loss::{self, Loss};

use crate::failure::Result;

/// What is measured.
pub struct Metric {
    /// In tables and sentences.
    pub name: &'static str,
    /// Above a row of panels.
    pub title: &'static str,
    loss: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// Whether it never falls on the way up, whatever is suppressed: where the paper's claim of optimality applies.
    pub grows: bool,
}

/// How many there are.
pub const COUNT: usize = 6;

/// Every metric. Prec, DM, DM* and both entropies are the paper's; the charged entropy is our default.
pub const ALL: [Metric; COUNT] = [
    Metric {
        name: "Prec",
        title: "Prec: share of the ladders climbed",
        loss: "precision",
        parameters: &[],
        grows: true,
    },
    Metric {
        name: "DM",
        title: "DM: share of the fully generalised table",
        loss: "discernibility",
        parameters: &[],
        grows: false,
    },
    Metric {
        name: "DM*",
        title: "DM*: share of the fully generalised table",
        loss: "discernibility-star",
        parameters: &[],
        grows: true,
    },
    Metric {
        name: "entropy",
        title: "Entropy as printed: share of the bits lost",
        loss: "non-uniform-entropy",
        parameters: FREE,
        grows: true,
    },
    Metric {
        name: "weighted entropy",
        title: "Weighted entropy as printed: share of the bits lost",
        loss: "weighted-non-uniform-entropy",
        parameters: FREE,
        grows: true,
    },
    Metric {
        name: "charged entropy",
        title: "Entropy with suppression charged: share of the bits lost",
        loss: "non-uniform-entropy",
        parameters: &[],
        grows: false,
    },
];

const FREE: &[(&str, &str)] = &[("suppressed", "free")];

/// The place of the metric that timed runs minimise: the entropy as printed.
pub const TIMED: usize = 3;

impl Metric {
    /// Ready to measure a table.
    pub fn prepared(&self, table: &Table) -> Result<Box<dyn Loss>> {
        let member = loss::find(self.loss).ok_or_else(|| format!("there is no loss {}", self.loss))?;
        let text = |(name, value): &(&str, &str)| ((*name).to_owned(), Value::Text((*value).to_owned()));
        Ok(member.build(table, &self.parameters.iter().map(text).collect::<Parameters>())?)
    }
}

/// The table with weights for the weighted entropy: of J columns the first counts 1, the next one J-th less, and so on.
pub fn weighted(mut table: Table) -> Table {
    let count = table.variables.len();
    for (place, variable) in table.variables.iter_mut().enumerate() {
        variable.weight = (count - place) as f64 / count as f64;
    }
    table
}
