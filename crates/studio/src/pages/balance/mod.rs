//! Balance: what users want against what intruders are after, as points that keep their sum.

mod firmness;
mod rations;

use std::collections::BTreeMap;
use std::sync::Arc;

use equanym_core::balance::{distance, target};
use equanym_core::report::{RationFindings, Report};
use equanym_core::variable::Role;
use equanym_engine::policy::VariablePolicy;
use equanym_engine::run::balance::{BalanceReport, BalanceSolution, MarketVariable};
use equanym_engine::write::reports::pictures::{RungGoods, Scales};
use maud::{Markup, html};

use crate::desk::{Answer, Ladders, Moment};
use crate::number::{count, measure, percent};
use crate::parts::answer::{failed, waiting};
use crate::parts::figures::figure;
use crate::parts::forms::Slider;
use crate::parts::text::name;

/// What the page shows.
pub(crate) struct BalanceAnswers {
    pub(crate) balance: Answer<Arc<BalanceSolution>>,
    /// The release that is nearest to the optimum among those that are safe.
    pub(crate) safe: Answer<Arc<Report>>,
    pub(crate) ladders: Answer<Arc<Ladders>>,
    /// Whether it is asked how firm the balance is.
    pub(crate) plots: bool,
}

pub(crate) use rations::BOUNDS;

/// The page.
pub(crate) fn page(now: &Moment, shown: Option<&BalanceAnswers>) -> Markup {
    let policy = &now.version.policy;
    let quasi: Vec<&VariablePolicy> =
        policy.of_role(Role::QuasiIdentifying).filter(|one| one.marked.is_none()).collect();
    let has_points = quasi.iter().all(|one| one.points.is_some()) && !quasi.is_empty();
    html! {
        p class="lead" { "Users have 100 points to say what they want to know, intruders have 100 points for what they are after. Prices and an optimum follow; guarantees have no say in it until the release is asked for." }
        @if quasi.is_empty() { p { "No column is quasi-identifying." } }
        @else if !has_points {
            form method="post" action="/edit" data-live-form {
                input type="hidden" name="what" value="even-points"; input type="hidden" name="back" value="/balance";
                button type="submit" id="even" { "Share the points evenly" }
            }
        } @else {
            (weights(now))
            (points(now, &quasi))
            (rations::rations(now, &quasi, costs(shown)))
            section id="answer" data-live aria-label="The balance now" {
                @match shown.map(|shown| (&shown.balance, shown)) {
                    Some((Answer::Here(solved), shown)) => (found(now, solved, shown)),
                    Some((Answer::Failed(error), _)) => (failed(error)),
                    Some((Answer::Waiting(heard), _)) => (waiting(&heard.told())),
                    None => {},
                }
            }
        }
    }
}

/// What each ration costs, once the balance is there.
fn costs(shown: Option<&BalanceAnswers>) -> &[RationFindings] {
    match shown.map(|shown| &shown.balance) {
        Some(Answer::Here(solved)) => &solved.report.rations,
        _ => &[],
    }
}

/// How much utility weighs, which optimum is sought, and how near is measured.
fn weights(now: &Moment) -> Markup {
    let usual = equanym_engine::policy::Preferences::default();
    let preferences = now.version.policy.preferences.as_ref().unwrap_or(&usual);
    let alpha = preferences.alpha / (preferences.alpha + preferences.beta).max(f64::MIN_POSITIVE);
    html! {
        form method="post" action="/edit" class="controls" data-live-form {
            input type="hidden" name="what" value="preferences"; input type="hidden" name="back" value="/balance";
            div class="control" {
                label for="alpha" { "α: the weight of utility; privacy has the rest" }
                (Slider { id: "alpha", name: "alpha", bounds: (0.01, 0.99, 0.01), value: (alpha * 100.0).round() / 100.0, told: percent(alpha) }.draw())
            }
            div class="control" {
                label for="target" { "Which optimum" }
                select id="target" name="target" data-live-input {
                    @for member in target::ALL { option value=(member.card.name) selected[member.card.name == preferences.target] title=(member.card.summary) { (member.card.name) } }
                }
            }
            div class="control" {
                label for="distance" { "Which level is nearest to it" }
                select id="distance" name="distance" data-live-input {
                    @for member in distance::ALL { option value=(member.card.name) selected[member.card.name == preferences.distance] title=(member.card.summary) { (member.card.name) } }
                }
            }
            noscript { button type="submit" { "Set" } }
        }
    }
}

/// What the points of a side are for.
const WANTED: &str = "users want to know";
const SOUGHT: &str = "intruders are after";

fn points(now: &Moment, quasi: &[&VariablePolicy]) -> Markup {
    let slider = |place: usize, one: &VariablePolicy, kind: &str, value: f64| {
        let id = format!("points-{place}-{kind}");
        let words = if kind == "user" { WANTED } else { SOUGHT };
        html! {
            form method="post" action="/edit" data-live-form {
                input type="hidden" name="what" value="points"; input type="hidden" name="column" value=(place);
                input type="hidden" name="kind" value=(kind); input type="hidden" name="back" value="/balance";
                span class="narrow" aria-hidden="true" { (words) }
                label class="unseen" for=(id) { (kind) " points of " (name(&one.name)) }
                (Slider { id: &id, name: "points", bounds: (0.0, 100.0, 1.0), value, told: measure(value) }.draw())
            }
        }
    };
    html! {
        div class="points" id="points" {
            div class="points-head" aria-hidden="true" { span {} span { (WANTED) } span { (SOUGHT) } }
            @for one in quasi {
                @let place = now.table.look.columns.iter().position(|column| column.name == one.name).unwrap_or_default();
                @let points = one.points.unwrap_or_default();
                div class="points-row" {
                    span class="points-name" { (name(&one.name)) }
                    (slider(place, one, "user", points.user)) (slider(place, one, "intruder", points.intruder))
                }
            }
        }
    }
}

fn found(now: &Moment, solved: &BalanceSolution, shown: &BalanceAnswers) -> Markup {
    let report = &solved.report;
    let released: BTreeMap<&str, u8> = match &shown.safe {
        Answer::Here(best) => best.node.0.iter().map(|(name, level)| (name.as_str(), *level)).collect(),
        _ => BTreeMap::new(),
    };
    html! {
        (summary(report, &shown.safe))
        h2 { "Prices and levels" }
        div class="scroll" tabindex="0" role="region" aria-label="Prices and levels" {
            table class="order" {
                thead { tr { th scope="col" { "column" } th scope="col" { "price of utility" } th scope="col" { "price of protection" } th scope="col" { "optimum utility" } th scope="col" { "optimum protection" } th scope="col" { "nearest level" } th scope="col" { "safe level" } } }
                tbody {
                    @for one in &report.variables {
                        tr {
                            th scope="row" { (name(&one.name)) }
                            td { (one.price.utility.map_or_else(|| "–".to_owned(), measure)) }
                            td { (one.price.protection.map_or_else(|| "–".to_owned(), measure)) }
                            td { (measure(one.optimum.x)) } td { (measure(one.optimum.y)) }
                            td { (one.level) }
                            td { @if let Some(level) = released.get(one.name.as_str()) { (level) } @else { "–" } }
                        }
                    }
                }
            }
        }
        (taking(now, &shown.safe))
        h2 { "On the scales" }
        p class="facts" { "What each level gives to a user, and what it keeps from an intruder; the lines are the optimum." }
        div class="gallery" {
            @for one in &report.variables { (figure(&name(&one.name), &scales(one, &shown.ladders, released.get(one.name.as_str()).copied()).picture())) }
        }
        (firmness::firmness(solved, shown.plots))
    }
}

fn summary(report: &BalanceReport, safe: &Answer<Arc<Report>>) -> Markup {
    html! {
        dl class="numbers" {
            div { dt { "satisfaction" } dd id="number-satisfaction" { (measure(report.satisfaction)) } dd class="more" { "the optimum would give " (measure(report.optimum_satisfaction)) } }
            div { dt { "income" } dd { (measure(report.income)) } dd class="more" { (report.unit) } }
            @match safe {
                Answer::Here(best) => div { dt { "safe and nearest" } dd { (count(best.suppressed)) " withheld" } dd class="more" { "highest risk " (percent(best.risk.prosecutor_max)) } },
                Answer::Waiting(heard) => div { dt { "safe and nearest" } dd { "…" } dd class="more" { span data-progress { (heard.told()) } } },
                Answer::Failed(error) => div { dt { "safe and nearest" } dd { "–" } dd class="more" { (error.message) } },
            }
        }
    }
}

/// Takes the search by preferences for the release.
fn taking(now: &Moment, safe: &Answer<Arc<Report>>) -> Markup {
    let chosen =
        equanym_core::search::find(&now.version.policy.method.search).is_some_and(|member| member.by_preferences);
    html! {
        @if chosen { p class="done" { "The release is chosen by these preferences." } }
        @else if matches!(safe, Answer::Here(_)) {
            form method="post" action="/edit" class="by-preferences" data-live-form {
                input type="hidden" name="what" value="by-preferences"; input type="hidden" name="back" value="/balance";
                button type="submit" id="by-preferences" { "Choose the release by these preferences" }
            }
        }
    }
}

fn scales<'a>(one: &'a MarketVariable, ladders: &Answer<Arc<Ladders>>, released: Option<u8>) -> Scales<'a> {
    let most_utility = one.levels.iter().map(|level| level.utility).fold(f64::MIN_POSITIVE, f64::max);
    let most_protection = one.levels.iter().map(|level| level.protection).fold(f64::MIN_POSITIVE, f64::max);
    let words = |level: u8| match ladders {
        Answer::Here(ladders) => {
            let look = ladders.iter().find(|(name, _)| *name == one.name).and_then(|(_, look)| look.as_ref().ok());
            look.and_then(|look| look.rungs.get(usize::from(level))).map(|rung| rung.words.clone())
        }
        _ => None,
    };
    let rungs = one.levels.iter().map(|level| RungGoods {
        words: words(level.level).or_else(|| level.setting.clone()).unwrap_or_else(|| format!("level {}", level.level)),
        utility: level.utility / most_utility,
        protection: level.protection / most_protection,
    });
    let optimum = RungGoods {
        words: String::new(),
        utility: one.optimum.x / most_utility,
        protection: one.optimum.y / most_protection,
    };
    let preferred = usize::from(one.level);
    Scales {
        name: &one.name,
        rungs: rungs.collect(),
        optimum,
        preferred,
        released: released.map_or(preferred, usize::from),
    }
}
