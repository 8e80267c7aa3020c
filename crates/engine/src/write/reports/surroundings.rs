//! Where a release stands among its neighbours: a small risk–utility map, and what each point of it is.

use equanym_core::report::{NearRelease, Surroundings};

use maud::{Markup, html};

use super::findings::ReleaseFindings;
use super::pictures::{NearbyPicture, NearbyPlace};
use super::{figure, measures, page};
use crate::write::pen::markup::paragraph;

/// How to read the map.
const MAP: &str = "Point 1 is this release. Each other point is a release of the same table with another `k` or another limit on what \
                   is withheld: where that permits more, the best one with no column coarser and none more than a level finer; where it \
                   permits less, the best one with no column finer. Down and to the left is better.";

/// The map with its table, or why there is none.
pub(super) fn section(around: &Surroundings, release: &ReleaseFindings<'_>) -> Markup {
    let places = around.releases.iter().map(|one| NearbyPlace { risk: one.risk, loss: one.loss }).collect();
    html! {
        @if around.releases.len() > 1 {
            (paragraph(MAP))
            (page::figure(
                "Risk and utility",
                "the dashed line leads through releases that none beats in both",
                &NearbyPicture { places }.picture(),
            ))
            (table(&around.releases, release.records.unwrap_or(release.released)))
        }
        (paragraph(&beyond(around)))
    }
}

fn table(releases: &[NearRelease], records: u64) -> Markup {
    let headings = ["Point", "Mean risk", "Detail lost", "Withheld"];
    let rows = (1_u64..).zip(releases).map(|(number, one)| {
        let heading = format!("{number} · {}", settings(one, number == 1));
        let shares = [one.risk, one.loss, figure::share(one.suppressed, records)];
        measures::text_row(&heading, shares.map(figure::percent))
    });
    page::table("measures", "The points of the map.", &headings, rows)
}

fn settings(one: &NearRelease, is_own: bool) -> String {
    let k = one.k.map(|k| format!("k {}, ", figure::count(k))).unwrap_or_default();
    let own = if is_own { " (this release)" } else { "" };
    format!("{k}limit {}{own}", figure::percent(one.suppression_limit))
}

/// What is not on the map, and where more of it is.
fn beyond(around: &Surroundings) -> String {
    let without = match around.unsafe_settings {
        0 => String::new(),
        1 => "For one more setting there is no safe release. ".to_owned(),
        many => format!("For {} more settings there is no safe release. ", figure::count(many as u64)),
    };
    let untold = match around.not_looked_at {
        Some(why) if around.releases.is_empty() => format!("No other release was looked at: {why}. "),
        Some(why) => format!("Not every point was looked at: {why}. "),
        None => String::new(),
    };
    format!("{without}{untold}`equanym frontier` draws the whole map.")
}
