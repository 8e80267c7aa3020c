//! What LKC-privacy keeps of tables with many quasi-identifiers, beside k-anonymity with the same k.
//!
//! Adult with eight quasi-identifiers and its occupation as the sensitive variable, searched to the end; credit with 23 and whether
//! somebody failed to pay, as far as a minute leads. At most 5 % of the records are withheld.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use crate::failure::Result;
use crate::figures::{grouped, percent, short};
use crate::markdown;
use crate::models::ADULT;
use crate::settings::Settings;
use crate::whole::{self, Question};

/// Tables with their sensitive variable, its largest share, and how long a search may take.
const TABLES: [(&str, &str, &str, Option<&str>); 2] =
    [("adult", "occupation", "0.5", None), ("credit", "default-payment-next-month", "0.95", Some("60s"))];

/// A table in Markdown; nothing where the data sets are not there.
pub fn report(settings: &Settings, folder: &Path) -> Result<String> {
    let mut rows = Vec::new();
    let here = TABLES.into_iter().filter(|(name, ..)| whole::file(&settings.data, name).is_some());
    for (name, sensitive, share, limit) in here {
        let limit = limit.map(|limit| if settings.quick { "4s" } else { limit });
        for known in [None, Some(1), Some(2), Some(3)] {
            let model = known.map_or("model = \"k-anonymity\"\nk = 5".to_owned(), |known| {
                format!("model = \"lkc\"\nvariable = {sensitive:?}\nl = {known}\nk = 5\nc = {share}")
            });
            eprintln!("{name}: {model:?}");
            let question = question(settings, folder, (name, sensitive), &model)?;
            let told = whole::once(&question, limit, &folder.join("out"))?.told;
            let words = known.map_or("k-anonymity, k = 5".to_owned(), |l| format!("lkc, l = {l}, k = 5, c = {share}"));
            rows.push([vec![name.to_owned(), words], cells(&told)].concat());
        }
    }
    let head = ["data", "model", "loss", "of all", "suppressed", "nodes", "search s", "gap"];
    Ok(if rows.is_empty() { String::new() } else { markdown::table(&head, 2, &rows) })
}

fn question(settings: &Settings, folder: &Path, (name, sensitive): (&str, &str), model: &str) -> Result<Question> {
    let data = whole::file(&settings.data, name).ok_or("the data set is not there")?;
    let mut text = String::new();
    for (column, path) in whole::ladders(&settings.data, name)? {
        if column == sensitive {
            writeln!(text, "[variables.{column:?}]\nrole = \"sensitive\"")?;
        } else if name != "adult" || ADULT.contains(&column.as_str()) {
            text.push_str(&whole::quasi(&column, &path));
        }
    }
    writeln!(text, "[[privacy]]\n{model}\n[method]\nsuppression_limit = 0.05")?;
    let policy = folder.join("parts.toml");
    std::fs::write(&policy, text)?;
    Ok(Question { data, policy })
}

fn cells(told: &Value) -> Vec<String> {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let count = |value: &Value| grouped(value.as_u64().unwrap_or(0).into());
    let gap = number(&told["gap"]);
    vec![
        short(number(&told["loss"]["value"])),
        percent(number(&told["loss"]["share"])),
        count(&told["suppressed"]),
        count(&told["evaluated"]),
        short(number(&told["seconds"]["search"])),
        if gap == 0.0 { "0: optimal".to_owned() } else { percent(gap) },
    ]
}
