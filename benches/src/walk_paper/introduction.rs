//! Figure 1: six patients as collected, generalised, with noise, and walked.
//!
//! The panels are the tables of `specs/pattern/introduction.md`, whose numbers are a test: they are read from that page.

use std::fmt::Write;
use std::path::Path;

use crate::failure::Result;

/// One panel: its title, and for each record the range of its age and of its weight.
struct Panel {
    title: &'static str,
    records: Vec<[(f64, f64); 2]>,
}

const TITLES: [&str; 4] = ["(a) as collected", "(b) generalised, k = 3", "(c) with noise", "(d) walked"];
const AGES: (f64, f64) = (10.0, 80.0);
const WEIGHTS: (f64, f64) = (40.0, 100.0);
const SIDE: f64 = 190.0;

/// Draws the four panels of the page.
pub fn svg(page: &Path) -> Result<String> {
    let text = std::fs::read_to_string(page)?;
    let tables = ["csv data.csv", "csv release"].map(|kind| blocks(&text, kind));
    let [collected, released] = tables;
    let tables: Vec<&str> = collected.into_iter().take(1).chain(released.into_iter().take(3)).collect();
    let panels = TITLES.into_iter().zip(&tables).map(|(title, table)| Panel { title, records: records(table) });
    let panels: Vec<Panel> = panels.collect();
    if panels.len() < TITLES.len() || panels.iter().any(|panel| panel.records.is_empty()) {
        return Err("the page of the introduction has no four tables".into());
    }
    let width = 60.0 + TITLES.len() as f64 * (SIDE + 50.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} 290\" width=\"{width:.0}\" height=\"290\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\" fill=\"#444\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (place, panel) in panels.iter().enumerate() {
        text += &draw(panel, 60.0 + place as f64 * (SIDE + 50.0));
    }
    Ok(text + "</svg>\n")
}

/// The blocks of a page with this heading.
fn blocks<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let opening = format!("```{heading}\n");
    page.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Age and weight of each record of a table that has them as its first two columns.
fn records(table: &str) -> Vec<[(f64, f64); 2]> {
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

fn draw(panel: &Panel, left: f64) -> String {
    const TOP: f64 = 40.0;
    let at = |value: f64, (low, high): (f64, f64)| SIDE * (value - low) / (high - low);
    let (x, y) = (|age: f64| left + at(age, AGES), |weight: f64| TOP + SIDE - at(weight, WEIGHTS));
    let mut text = format!(
        "<text x=\"{left}\" y=\"26\" font-size=\"12\" font-weight=\"bold\">{}</text>\n\
         <rect x=\"{left}\" y=\"{TOP}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#bbb\"/>\n",
        panel.title
    );
    let (middle, below, beside) = (left + SIDE / 2.0, TOP + SIDE + 32.0, left - 30.0);
    let _ = writeln!(text, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#777\">age</text>");
    let _ = writeln!(
        text,
        "<text transform=\"translate({beside} {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#777\">weight</text>",
        TOP + SIDE / 2.0
    );
    for tick in [20.0, 40.0, 60.0, 80.0] {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            x(tick),
            TOP + SIDE + 14.0
        );
    }
    for tick in [40.0, 60.0, 80.0, 100.0] {
        let (beside, y) = (left - 5.0, y(tick) + 3.5);
        let _ = writeln!(text, "<text x=\"{beside}\" y=\"{y:.1}\" text-anchor=\"end\">{tick}</text>");
    }
    for (number, [age, weight]) in panel.records.iter().enumerate() {
        let is_point = age.0 >= age.1 && weight.0 >= weight.1;
        if is_point {
            let (x, y) = (x(age.0), y(weight.0));
            let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#0072b2\"/>");
            let _ = writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 5.0, y - 4.0, number + 1);
        } else {
            let _ = writeln!(
                text,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#0072b2\" \
                 fill-opacity=\"0.12\" stroke=\"#0072b2\"/>",
                x(age.0),
                y(weight.1),
                x(age.1) - x(age.0),
                y(weight.0) - y(weight.1)
            );
        }
    }
    text
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
