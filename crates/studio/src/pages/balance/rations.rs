//! Rations: what must not be traded, of each column and of all together.
//!
//! A bound is written as people say it, `level 2` or an amount; an empty field is no bound. What a bound costs stands beside
//! it, as the balance found it.

use equanym_core::balance::{Amount, Ration};
use equanym_core::report::RationFindings;
use equanym_engine::policy::{Preferences, VariablePolicy};
use maud::{Markup, html};

use crate::desk::Moment;
use crate::number::{measure, percent};
use crate::parts::text::name;

/// A bound: its key in the policy, and what it asks for.
type Bound = (&'static str, &'static str, fn(&Ration) -> Option<Amount>);

/// The bounds in the order in which they are asked for.
pub(crate) const BOUNDS: [Bound; 4] = [
    ("min_utility", "users see at least", |ration| ration.min_utility),
    ("max_utility", "users see at most", |ration| ration.max_utility),
    ("min_protection", "intruders miss at least", |ration| ration.min_protection),
    ("max_protection", "intruders miss at most", |ration| ration.max_protection),
];

/// The rations as forms, and what each costs.
pub(super) fn rations(now: &Moment, quasi: &[&VariablePolicy], costs: &[RationFindings]) -> Markup {
    let usual = Preferences::default();
    let preferences = now.version.policy.preferences.as_ref().unwrap_or(&usual);
    html! {
        details class="rations" id="rations" open[preferences.rations()] {
            summary { "What must not be traded" }
            p class="facts" { "Write " code { "level 2" } " for what a level gives, or an amount. An empty field is no bound." }
            div class="rations-head" aria-hidden="true" { span {} @for (_, words, _) in BOUNDS { span { (words) } } }
            @for one in quasi {
                @let place = now.table.look.columns.iter().position(|column| column.name == one.name);
                @let ration = preferences.ration.get(&one.name).copied().unwrap_or_default();
                (row(place, &one.name, &ration, costs))
            }
            (row(None, ALL, &preferences.total, costs))
        }
    }
}

/// What all columns together are called.
const ALL: &str = "all together";

/// The bounds of a column, or of all together where there is no place.
fn row(place: Option<usize>, title: &str, ration: &Ration, costs: &[RationFindings]) -> Markup {
    let id = place.map_or_else(|| "total".to_owned(), |place| format!("ration-{place}"));
    let is_here = |cost: &&RationFindings| cost.variable.as_deref() == place.map(|_| title);
    let costs: Vec<&RationFindings> = costs.iter().filter(is_here).collect();
    html! {
        form method="post" action="/edit" class="rations-row" data-live-form {
            input type="hidden" name="what" value="ration"; input type="hidden" name="back" value="/balance";
            @if let Some(place) = place { input type="hidden" name="column" value=(place); }
            span class="points-name" { @if place.is_some() { (name(title)) } @else { (title) } }
            @for (key, words, bound) in BOUNDS {
                @let id = format!("{id}-{key}");
                span {
                    label class="narrow" for=(id) { (words) }
                    input type="text" id=(id) name=(key) value=(bound(ration).map(written).unwrap_or_default()) autocomplete="off" aria-label={ (title) ": " (words) } data-live-input;
                    @if let Some(cost) = costs.iter().find(|cost| cost.bound == key) { small class="facts" { (price(cost)) } }
                }
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

/// A bound as people write it.
fn written(amount: Amount) -> String {
    match amount {
        Amount::Level(level) => format!("level {level}"),
        Amount::Of(amount) => amount.to_string(),
    }
}

/// What a ration costs.
fn price(cost: &RationFindings) -> String {
    match cost.price {
        Some(price) if price > 0.0 => {
            let without = measure(cost.satisfaction_without);
            let looser = if cost.bound.starts_with("min") { "less" } else { "more" };
            format!("a unit {looser} gains {} of satisfaction; {without} without it", percent(price))
        }
        Some(_) => "costs nothing".to_owned(),
        None => format!("{} of satisfaction without it", measure(cost.satisfaction_without)),
    }
}
