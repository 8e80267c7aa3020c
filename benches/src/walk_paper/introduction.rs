//! Figure 1: six patients as collected, generalised, with noise, and walked.
//!
//! The panels are the tables of `specs/pattern/introduction.md`, whose numbers are a test: they are read from that page.

use std::path::Path;

use equanym_engine::write::pen::{Anchor, Mark, Panel, Pen, Picture, Sheet};

use crate::failure::Result;

/// For each record the range of its age and of its weight.
type Patients = Vec<[(f64, f64); 2]>;

const TITLES: [&str; 4] = ["(a) as collected", "(b) generalised, k = 3", "(c) with noise", "(d) walked"];
const AGES: (f64, f64) = (10.0, 80.0);
const WEIGHTS: (f64, f64) = (40.0, 100.0);
const SHEET: Sheet = Sheet { columns: TITLES.len(), width: 190.0, height: 190.0, between: 60.0 };

/// The four tables of the page, plotted.
pub fn plot(page: &Path) -> Result<Picture> {
    let text = std::fs::read_to_string(page)?;
    let [collected, released] = ["csv data.csv", "csv release"].map(|kind| blocks(&text, kind));
    let tables: Vec<Patients> =
        collected.into_iter().take(1).chain(released.into_iter().take(3)).map(records).collect();
    if tables.len() < TITLES.len() || tables.iter().any(Vec::is_empty) {
        return Err("the page of the introduction has no four tables".into());
    }
    let words = ("Figure 1: six patients", "A dot is a patient, a rectangle what a generalised record tells of one.");
    Ok(SHEET.plot(words, [], TITLES.len(), |pen| {
        for (place, (title, table)) in TITLES.into_iter().zip(&tables).enumerate() {
            let panel = SHEET.panel(place, AGES, WEIGHTS);
            panel.frame(pen, title, "age", "weight");
            patients(pen, &panel, table);
        }
    }))
}

fn patients(pen: &mut Pen, panel: &Panel, table: &Patients) {
    for (number, [age, weight]) in (1..).zip(table) {
        let (x, y) = panel.place((age.0, weight.1));
        if age.0 >= age.1 && weight.0 >= weight.1 {
            pen.mark("mark s0", Mark::Dot, (x, y), 3.5);
            pen.text("small", (x + 5.0, y - 4.0), Anchor::Start, &i32::to_string(&number));
        } else {
            let (right, bottom) = panel.place((age.1, weight.0));
            pen.bar("area", (x, y), (right - x, bottom - y));
        }
    }
}

/// The blocks of a page with this heading.
fn blocks<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let opening = format!("```{heading}\n");
    page.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Age and weight of each record of a table that has them as its first two columns.
fn records(table: &str) -> Patients {
    table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let (age, rest) = cell(line)?;
            Some([age, cell(rest)?.0])
        })
        .collect()
}

/// A number, or a range in quotes, and what follows.
fn cell(line: &str) -> Option<((f64, f64), &str)> {
    if let Some(rest) = line.strip_prefix("\"[") {
        let (inner, rest) = rest.split_once("]\"")?;
        let (low, high) = inner.split_once(", ")?;
        return Some(((low.parse().ok()?, high.parse().ok()?), rest.trim_start_matches(',')));
    }
    let (number, rest) = line.split_once(',').unwrap_or((line, ""));
    let number = number.parse().ok()?;
    Some(((number, number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_page_are_read() {
        let page = "```csv data.csv\nage,weight\n20,60\n```\n```csv release\nage,weight\n\"[20, 30]\",60\n```\n";
        assert_eq!(blocks(page, "csv data.csv").len(), 1);
        assert_eq!(records(blocks(page, "csv release")[0]), [[(20.0, 30.0), (60.0, 60.0)]]);
    }
}
