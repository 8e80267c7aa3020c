//! What models cost that look at a population: a third of adult is the table, and adult its population.
//!
//! Eight quasi-identifiers, non-uniform entropy, at most 5 % of the records withheld. The program reads and counts the
//! population besides the table.

use std::fmt::Write;

use crate::failure::Result;
use crate::folder::Folder;
use crate::markdown;
use crate::models::{ADULT, attempts, in_words, told};
use crate::settings::Settings;
use crate::whole::{self, Question};

/// Models in a policy; `everybody` stands for the population.
const MODELS: [&str; 6] = [
    "model = \"delta-presence\"\nmax = 0.5\npopulation = everybody",
    "model = \"delta-presence\"\nmin = 0.2\nmax = 0.5\npopulation = everybody",
    "model = \"k-map\"\nk = 5\npopulation = everybody",
    "model = \"k-map\"\nk = 12\npopulation = everybody",
    "model = \"k-map\"\nk = 12\nfraction = 0.333",
    "model = \"k-map\"\nk = 12\nfraction = 0.333\nestimator = \"zero-truncated-poisson\"",
];

/// Measures and describes; nothing where the data set is not there.
pub fn report(settings: &Settings) -> Result<String> {
    let Some(population) = whole::file(&settings.data, "adult") else { return Ok(String::new()) };
    let (population, folder) = (std::path::absolute(population)?, Folder::new("populations")?);
    let folder = &folder.0;
    let data = folder.join("third.csv");
    let text = std::fs::read_to_string(&population)?;
    let third = text.lines().enumerate().filter(|(line, _)| *line == 0 || line % 3 == 1);
    std::fs::write(&data, third.map(|(_, line)| line).collect::<Vec<_>>().join("\n") + "\n")?;
    let mut rows = Vec::new();
    for model in MODELS {
        eprintln!("{model:?}");
        let mut policy = String::new();
        for (column, path) in whole::ladders(&settings.data, "adult")? {
            if ADULT.contains(&column.as_str()) {
                policy.push_str(&whole::quasi(&column, &path));
            } else {
                writeln!(policy, "[variables.{column:?}]\nrole = \"sensitive\"")?;
            }
        }
        let model_of_all = model.replace("everybody", &format!("{:?}", population.to_string_lossy()));
        writeln!(policy, "[[privacy]]\n{model_of_all}\n[method]\nsuppression_limit = 0.05")?;
        let question = Question { data: data.clone(), policy: folder.join("population.toml") };
        std::fs::write(&question.policy, policy)?;
        let words = in_words(model).replace(", population = everybody", ", counted");
        rows.push([vec![words], told(&attempts(&question, folder)?)].concat());
    }
    let head = ["a third of adult", "levels", "suppressed", "nodes", "search ms", "s in all"];
    Ok(format!("\n{}", markdown::table(&head, 2, &rows)))
}
