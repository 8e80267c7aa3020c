//! Columns with new values: what they risk beside what they keep.
//!
//! No privacy model covers them, and a reader must not be able to miss that. The numbers are shares and differences; none of
//! them is a value of the data.

use equanym_core::report::UtilityFindings;
use equanym_core::risk::linkage::{ColumnLinkage, INTERVAL};

use super::findings::NewValueFindings;
use super::page::{self, HeadFigure};
use super::{figure, measures};
use crate::write::pen::markup::Html;

/// The figures that a reader looks for first.
pub(super) fn figures(found: &NewValueFindings<'_>) -> Vec<HeadFigure> {
    let Some(linkage) = found.linkage else { return Vec::new() };
    let rank = linkage.columns.iter().map(highest_rank).fold(0.0, f64::max);
    vec![
        HeadFigure {
            term: "Linked by rank",
            number: figure::percent(rank),
            note: "of the values of a column, by somebody who knows the original".to_owned(),
        },
        HeadFigure {
            term: "Linked by distance",
            number: figure::percent(linkage.distance.share),
            note: "of the records, from all columns with new values".to_owned(),
        },
    ]
}

fn highest_rank(column: &ColumnLinkage) -> f64 {
    column.rank.max(column.rank_within_segments.unwrap_or(0.0))
}

/// That nothing is guaranteed, in plain words.
pub(super) fn no_guarantee(html: &mut Html, found: &NewValueFindings<'_>) {
    html.element("p", &[("class", "claim")], |html| {
        html.element("strong", &[], |html| html.text("No formal guarantee"));
        html.text(" covers ");
        for (place, name) in found.columns.iter().enumerate() {
            html.text(if place > 0 { ", " } else { "" });
            html.name(name);
        }
        html.text(".");
    });
    html.paragraph(found.guarantee);
}

/// Risk beside utility, where the reader may know them.
pub(super) fn section(html: &mut Html, found: &NewValueFindings<'_>) {
    let Some(linkage) = found.linkage else {
        return html.paragraph(
            "No privacy model bounds what columns with new values give away. What somebody who knows the original finds \
             again was measured by the owner of the data; the numbers are not public, since they tell about the original.",
        );
    };
    html.paragraph(&format!(
        "Suppose an intruder knows the original values of a column. By rank, he sorts both and matches them place by place; \
         within segments, he also knows which records were treated together. An interval is disclosed when the original lies \
         within {INTERVAL} standard deviations of the new value. By distance, he takes the nearest record in all columns: {} \
         of {} records tried are then their own nearest.",
        figure::percent(linkage.distance.share),
        figure::count(linkage.distance.tried),
    ));
    let headings = ["Column", "By rank", "Within segments", "Interval", "Unchanged"];
    page::table(html, "measures", "What somebody who knows the original finds again.", &headings, |html| {
        for column in &linkage.columns {
            measures::row(html, &column.name, |html| {
                measures::share(html, column.rank, "after", None);
                match column.rank_within_segments {
                    Some(rank) => measures::share(html, rank, "after", None),
                    None => html.leaf("td", &[], "–"),
                }
                measures::share(html, column.interval, "after", None);
                measures::share(html, column.unchanged, "after", None);
            });
        }
    });
}

/// What the columns are still good for, in numbers.
pub(super) fn utility(html: &mut Html, measured: &[UtilityFindings]) {
    let headings = ["Metric", "Column", "Measure", "Value"];
    page::table(html, "measures", "What the new values are still good for; 0 is no difference.", &headings, |html| {
        for one in measured {
            for figure in &one.figures {
                measures::row(html, one.metric, |html| {
                    html.leaf("td", &[], figure.of.as_deref().unwrap_or("all"));
                    html.leaf("td", &[], figure.name);
                    html.leaf("td", &[], &figure::decimal(figure.value));
                });
            }
        }
    });
}
