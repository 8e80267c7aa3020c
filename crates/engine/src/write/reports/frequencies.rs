//! What became of the values of each counted column: paired bars, before and after.
//!
//! The bars of a column have one scale. What the release does not tell (`*`, withheld records) has a dashed bar of its own,
//! so that nobody takes it for a value. The page shows values, so it is the owner's.

use equanym_core::utility::Figure;
use equanym_core::utility::bars::{Bar, ColumnFrequencies};

use maud::{Markup, html};

use super::findings::OwnerFindings;
use super::pictures::{Distribution, LabelShares};
use super::{figure, measures, page};
use crate::write::pen::markup::{paragraph, short};

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
pub(super) fn section(findings: &OwnerFindings<'_>) -> Markup {
    html! { (paragraph(WORDS)) (legend()) (page::gallery(findings.frequencies.iter().map(picture))) }
}

fn picture(column: &ColumnFrequencies) -> Markup {
    let untold = [("* (unknown)", column.unknown), ("unmatched", column.unmatched), ("withheld", column.withheld)];
    let untold = untold.into_iter().filter(|(_, share)| *share > 0.0);
    let shares = column.bars.iter().map(|bar| LabelShares {
        label: label(bar),
        before: Some(bar.original),
        after: bar.released,
    });
    let spread = Distribution {
        name: &column.column,
        shares: shares.collect(),
        untold: untold.map(|(words, share)| (words.to_owned(), share)).collect(),
    };
    page::named_figure(&column.column, &in_short(column), &spread.picture())
}

fn in_short(column: &ColumnFrequencies) -> String {
    format!(
        "{}, {}; distance {}",
        figure::counted(column.values as u64, "value", "values"),
        figure::counted(column.labels as u64, "label", "labels"),
        figure::percent(column.total_variation)
    )
}

fn label(bar: &Bar) -> String {
    match (&bar.value, &bar.to) {
        (None, _) => figure::counted(bar.values as u64, "other value", "other values"),
        (Some(value), None) if value.is_empty() => "missing".to_owned(),
        (Some(value), None) => short(value).into_owned(),
        (Some(from), Some(to)) => format!("{} – {}", short(from), short(to)),
    }
}

fn legend() -> Markup {
    html! {
        p class="legend" {
            @for (class, words) in [("before", "before"), ("after", "after"), ("untold", "not told: * or withheld")] {
                span { i class=(class) aria-hidden="true" {} (words) }
            }
        }
    }
}

/// The pairs of columns whose association changed most.
pub(super) fn pairs(pairs: &[Figure]) -> Markup {
    let rows = pairs.iter().map(|pair| {
        let numbers = [pair.original, pair.released, Some(pair.value)];
        let written = numbers.map(|number| figure::shown_as(number, figure::decimal));
        measures::text_row(pair.of.as_deref().unwrap_or_default(), written)
    });
    page::table("measures", PAIRS, &["Columns", "Before", "After", "Change"], rows)
}
