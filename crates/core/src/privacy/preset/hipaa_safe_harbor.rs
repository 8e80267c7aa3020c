//! Safe Harbor of the HIPAA privacy rule: eighteen kinds of identifiers are not in the release.
//!
//! The rule is about columns: names, numbers and contacts of people go, places are no smaller than a state but for three digits
//! of a ZIP code that more than 20,000 people share, of dates only the year stays, and ages over 89 are one category. A year of
//! birth tells an age over 89, and a token is derived from an id: both break it.
//!
//! Limit: the rule asks besides that the owner knows of no way to identify a person (ii), which nobody can check here. It
//! guarantees no class sizes: it is weaker than it sounds where columns are many, so add a model.

use super::{ColumnContent, ColumnRules, Preset, PresetBreach, ReleasedColumn};
use crate::card::Card;
use crate::hierarchy::decimal::Decimal;
use crate::hierarchy::{DateGrain, LabelRule, library};
use crate::role::Role;
use crate::treatment::Treatment;

pub(super) const PRESET: Preset = Preset {
    card: Card {
        name: "hipaa-safe-harbor",
        summary: "health data in the United States: no released column holds one of the identifiers of Safe Harbor",
        about: "Each released column is looked at: its name, its cells and the finest labels that the policy lets out. Columns that \
                break the rule are named, and nothing is written. It asks for no class sizes and promises nothing about them: \
                add a model. The owner must besides know of no way to identify a person, 45 CFR 164.514(b)(2)(ii). A table \
                without any column that the rule speaks of is refused, because the rule then says nothing.",
        promises: &[],
        parameters: &[],
        source: "45 CFR 164.514(b)(2); US Department of Health and Human Services, Guidance regarding methods for de-identification \
                 of protected health information, 2012",
    },
    models: &[],
    columns: Some(ColumnRules { rules: RULES, breach }),
};

const RULES: &[(ColumnContent, &str)] = &[
    (ColumnContent::Identity, "names, numbers, addresses and codes of people: not released (A, B, G to R)"),
    (ColumnContent::Contact, "telephone numbers and e-mail addresses: not released (D, E, F)"),
    (ColumnContent::FreeText, "running text: not released, since it may hold any of the others"),
    (ColumnContent::Place, "places smaller than a state: not released (B)"),
    (
        ColumnContent::PostalCode,
        "ZIP codes: three digits of areas with more than 20,000 people, by the ladder of the library (B)",
    ),
    (ColumnContent::Date, "dates: the year, or coarser (C)"),
    (ColumnContent::Birth, "dates of birth: an age, because a year of birth tells ages over 89 (C)"),
    (ColumnContent::Age, "ages: 90 and above in one category (C)"),
];

/// From this age on all are one.
const OLD: i64 = 90;

fn breach(column: &ReleasedColumn<'_>) -> Option<PresetBreach> {
    if column.role == Role::Identifying {
        return None;
    }
    let not_released = || "give it role = \"identifying\"".to_owned();
    if column.role == Role::Pseudonym {
        let why = "its tokens are made from an id, and a code must not be derived from one (164.514(c))";
        return Some(PresetBreach { why, remedy: not_released() });
    }
    // What was derived from a date of birth is an age.
    let is_age = column.treatments.iter().any(|one| matches!(one, Treatment::Derive(_)));
    column.holds.iter().find_map(|holds| match holds {
        ColumnContent::Age | ColumnContent::Date | ColumnContent::Birth if is_capped(column.treatments) => None,
        ColumnContent::Identity => fails(column, "it names or numbers people", not_released, |_| false),
        ColumnContent::Contact => {
            fails(column, "it holds telephone numbers or e-mail addresses", not_released, |_| false)
        }
        ColumnContent::FreeText => fails(column, "it holds running text", not_released, |_| false),
        ColumnContent::Place => fails(column, "it tells places smaller than a state", not_released, |_| false),
        ColumnContent::PostalCode => {
            fails(column, "it tells more than three digits of a ZIP code, or a small area", zip, is_area)
        }
        ColumnContent::Date if !is_age => fails(column, "it tells more of a date than the year", date, is_year),
        ColumnContent::Birth if !is_age => {
            fails(column, "it tells the year of birth of people over 89", birth, |_| false)
        }
        ColumnContent::Age | ColumnContent::Date | ColumnContent::Birth => {
            fails(column, "it tells ages over 89", age, is_old_together)
        }
    })
}

/// A breach, unless all labels that may be released are fine; everything is at the top.
fn fails(
    column: &ReleasedColumn<'_>,
    why: &'static str,
    otherwise: impl Fn() -> String,
    is_fine: impl Fn(&LabelRule) -> bool,
) -> Option<PresetBreach> {
    let is_fine = &|rule: &LabelRule| matches!(rule, LabelRule::Top) || is_fine(rule);
    if is_fine(column.finest()) && column.lowest(is_fine) == column.levels.first().map(|(level, _)| *level) {
        return None;
    }
    let tops = column.levels.len() > 1 && column.lowest(is_fine) == column.levels.last().map(|(level, _)| *level);
    let remedy = match column.lowest(is_fine).filter(|_| !tops) {
        Some(level) => format!("its ladder keeps the rule from level {level} on: levels = {{ min = {level} }}"),
        None => otherwise(),
    };
    Some(PresetBreach { why, remedy })
}

fn zip() -> String {
    format!("hierarchy = {{ library = \"{}\" }} and levels = {{ min = 1 }}", library::SAFE_AREAS)
}

fn date() -> String {
    "hierarchy = { date = [\"year\"] } and levels = { min = 1 }".to_owned()
}

fn birth() -> String {
    format!("make an age of it: derive = \"age\" with top = {OLD}")
}

fn age() -> String {
    format!(
        "code it from {OLD} on: top = {OLD} beside its intervals, or the ladder \"{}\" of the library",
        library::SAFE_AGES
    )
}

fn is_area(rule: &LabelRule) -> bool {
    matches!(rule, LabelRule::Library { library, .. } if library == library::SAFE_AREAS)
}

fn is_year(rule: &LabelRule) -> bool {
    matches!(rule, LabelRule::Date { grain: DateGrain::Year | DateGrain::FiveYears | DateGrain::Decade, .. })
}

/// Whether all ages from 90 on have one label.
fn is_old_together(rule: &LabelRule) -> bool {
    let (LabelRule::Ends(ends) | LabelRule::Interval { ends, .. }) = rule else { return false };
    ends.top.as_deref().and_then(Decimal::parse).is_some_and(is_at_most_old)
}

/// Whether no age above 90 is left.
fn is_capped(treatments: &[Treatment]) -> bool {
    treatments.iter().any(|treatment| match treatment {
        Treatment::Top { at } => is_at_most_old(*at),
        Treatment::Derive(age) => age.top.is_some_and(|top| i64::from(top) <= OLD),
        _ => false,
    })
}

fn is_at_most_old(number: Decimal) -> bool {
    Decimal::parse(&OLD.to_string()).is_some_and(|old| number <= old)
}
