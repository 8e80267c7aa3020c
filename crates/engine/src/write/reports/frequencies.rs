//! What became of the values of each counted column: paired bars, before and after.
//!
//! The bars of a column have one scale. What the release does not tell (`*`, withheld records) has a hatched bar of its own,
//! so that nobody takes it for a value. The page shows values, so it is the owner's.

use equanym_core::utility::Figure;
use equanym_core::utility::bars::{Bar, ColumnFrequencies};

use super::findings::OwnerFindings;
use super::html::Html;
use super::{figure, measures, page};

const WORDS: &str = "Shares of all records of the original, of the quasi-identifying columns and of the sensitive ones that a model \
                     guards. A label that stands for several values counts evenly for each of them, as for a reader who does not \
                     know better. The distance says which share of the records would have to change to make one of the other; \
                     `*` and withheld records count as changed. `equanym compare` tells the same about all columns, and with \
                     `--target` how well a model learns from the release.";

const PAIRS: &str = "Pairs of quasi-identifying columns whose association changed most: Cramér's V, 0 to 1, by the values before and \
                     the labels after. It is not corrected for bias: many values and few records make it larger, and where that explains most of it the pair \
                     is left out. Records with `*` \
                     or a missing value are left out; a dash means that nothing of the association is to be seen.";

/// The section with its bars.
pub(super) fn section(html: &mut Html, findings: &OwnerFindings<'_>) {
    html.paragraph(WORDS);
    legend(html);
    for column in findings.frequencies {
        values(html, column);
    }
    if !findings.pairs.is_empty() {
        pairs(html, findings.pairs);
    }
}

fn values(html: &mut Html, column: &ColumnFrequencies) {
    html.element("details", &[("class", "values"), ("open", "")], |html| {
        html.element("summary", &[], |html| {
            html.name(&column.column);
            html.leaf("small", &[], &in_short(column));
        });
        let headings = ["Value", "", "Before", "After"];
        html.element("table", &[("class", "bars")], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for heading in headings {
                        html.leaf("th", &[("scope", "col")], heading);
                    }
                });
            });
            html.element("tbody", &[], |html| bars(html, column));
        });
    });
}

fn in_short(column: &ColumnFrequencies) -> String {
    format!(
        "{}, {}; distance {}",
        figure::counted(column.values as u64, "value", "values"),
        figure::counted(column.labels as u64, "label", "labels"),
        figure::percent(column.total_variation)
    )
}

fn bars(html: &mut Html, column: &ColumnFrequencies) {
    let untold = [("* (unknown)", column.unknown), ("unmatched", column.unmatched), ("withheld", column.withheld)];
    let untold = untold.into_iter().filter(|(_, share)| *share > 0.0);
    let shares = column.bars.iter().flat_map(|bar| [bar.original, bar.released]);
    let most = shares.chain(untold.clone().map(|(_, share)| share)).fold(0.0, f64::max);
    for bar in &column.bars {
        let shares = [figure::percent(bar.original), figure::percent(bar.released)];
        row(html, &label(bar), &shares, |html| pair(html, bar.original / most, bar.released / most));
    }
    for (name, share) in untold {
        row(html, name, &[String::new(), figure::percent(share)], |html| hatched(html, share / most));
    }
}

fn label(bar: &Bar) -> String {
    match (&bar.value, &bar.to) {
        (None, _) => figure::counted(bar.values as u64, "other value", "other values"),
        (Some(value), None) if value.is_empty() => "missing".to_owned(),
        (Some(value), None) => short(value),
        (Some(from), Some(to)) => format!("{} – {}", short(from), short(to)),
    }
}

/// The most characters of a value that are shown.
const LONGEST: usize = 40;

fn short(value: &str) -> String {
    if value.chars().count() <= LONGEST {
        return value.to_owned();
    }
    value.chars().take(LONGEST - 1).chain(['…']).collect()
}

fn row(html: &mut Html, label: &str, shares: &[String; 2], drawing: impl FnOnce(&mut Html)) {
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", "row")], |html| html.leaf("bdi", &[], label));
        html.element("td", &[], drawing);
        for share in shares {
            html.leaf("td", &[], share);
        }
    });
}

fn pair(html: &mut Html, before: f64, after: f64) {
    html.element("svg", &[("class", "pair"), HIDDEN], |svg| {
        for (class, top, share) in [("before", "0", before), ("after", "50%", after)] {
            let place = [("class", class), ("y", top), ("width", &width(share)), ("height", "42%")];
            svg.element("rect", &place, |_| ());
        }
    });
}

fn hatched(html: &mut Html, share: f64) {
    let style = format!("width:{}", width(share));
    html.element("span", &[("class", "hatched"), ("style", &style), HIDDEN], |_| ());
}

const HIDDEN: (&str, &str) = ("aria-hidden", "true");

/// What is more than nothing shows.
fn width(share: f64) -> String {
    let width = if share > 0.0 { (share * 100.0).clamp(0.4, 100.0) } else { 0.0 };
    format!("{width:.1}%")
}

fn legend(html: &mut Html) {
    html.element("p", &[("class", "legend")], |html| {
        for class in ["before", "after"] {
            html.element("span", &[], |html| {
                html.element("svg", &[("class", "pair"), HIDDEN], |svg| {
                    svg.element("rect", &[("class", class), ("width", "100%"), ("height", "100%")], |_| ());
                });
                html.text(class);
            });
        }
        html.element("span", &[], |html| {
            html.element("span", &[("class", "hatched"), HIDDEN], |_| ());
            html.text("not told: * or withheld");
        });
    });
}

fn pairs(html: &mut Html, pairs: &[Figure]) {
    page::table(html, "measures", PAIRS, &["Columns", "Before", "After", "Change"], |html| {
        for pair in pairs {
            measures::row(html, pair.of.as_deref().unwrap_or_default(), |html| {
                for number in [pair.original, pair.released, Some(pair.value)] {
                    html.leaf("td", &[], &figure::shown_as(number, figure::decimal));
                }
            });
        }
    });
}
