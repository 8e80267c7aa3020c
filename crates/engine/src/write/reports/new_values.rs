//! Columns with new values: what they risk beside what they keep.
//!
//! No privacy model covers them, and a reader must not be able to miss that. The numbers are shares and differences; none of
//! them is a value of the data.

use equanym_core::report::UtilityFindings;
use equanym_core::risk::linkage::{ColumnLinkage, INTERVAL};

use maud::{Markup, html};

use super::findings::NewValueFindings;
use super::page::{self, HeadFigure};
use super::{figure, measures};
use crate::write::pen::markup::{name, paragraph};

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
pub(super) fn no_guarantee(found: &NewValueFindings<'_>) -> Markup {
    html! {
        p class="claim" {
            strong { "No formal guarantee" } " covers "
            @for (place, column) in found.columns.iter().enumerate() { (if place > 0 { ", " } else { "" }) (name(column)) }
            "."
        }
        (paragraph(found.guarantee))
    }
}

/// Risk beside utility, where the reader may know them.
pub(super) fn section(found: &NewValueFindings<'_>) -> Markup {
    let Some(linkage) = found.linkage else {
        return paragraph(
            "No privacy model bounds what columns with new values give away. What somebody who knows the original finds \
             again was measured by the owner of the data; the numbers are not public, since they tell about the original.",
        );
    };
    let words = format!(
        "Suppose an intruder knows the original values of a column. By rank, he sorts both and matches them place by place; \
         within segments, he also knows which records were treated together. An interval is disclosed when the original lies \
         within {INTERVAL} standard deviations of the new value. By distance, he takes the nearest record in all columns: {} \
         of {} records tried are then their own nearest.",
        figure::percent(linkage.distance.share),
        figure::count(linkage.distance.tried),
    );
    let headings = ["Column", "By rank", "Within segments", "Interval", "Unchanged"];
    let share = |share: f64| measures::share(share, "after", None);
    let rows = linkage.columns.iter().map(|column| {
        let cells = html! {
            (share(column.rank))
            @match column.rank_within_segments { Some(rank) => (share(rank)), None => td { "–" } }
            (share(column.interval))
            (share(column.unchanged))
        };
        measures::row(&column.name, &cells)
    });
    let caption = "What somebody who knows the original finds again.";
    html! { (paragraph(&words)) (page::table("measures", caption, &headings, rows)) }
}

/// What the columns are still good for, in numbers.
pub(super) fn utility(measured: &[UtilityFindings]) -> Markup {
    let headings = ["Metric", "Column", "Measure", "Value"];
    let figures = measured.iter().flat_map(|one| one.figures.iter().map(|figure| (one.metric, figure)));
    let rows = figures.map(|(metric, one)| {
        let value = figure::decimal(one.value);
        measures::text_row(metric, [one.of.as_deref().unwrap_or("all"), one.name, &value])
    });
    page::table("measures", "What the new values are still good for; 0 is no difference.", &headings, rows)
}
