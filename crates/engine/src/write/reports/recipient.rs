//! The report that goes with a release, and the sections that the owner's report shares with it.
//!
//! It is written for somebody who did not choose the policy: what holds, what that means, what was done to the data, how
//! the choice was made, and how to check all of it.

use std::collections::BTreeSet;

use equanym_core::privacy;
use equanym_core::report::{CheckBasis, DetailLoss, LocalFindings};

use maud::{Markup, html};

use super::findings::{ChoiceFindings, ChosenLoss, GuaranteeWords, ReleaseFindings, ReleasedColumn};
use super::measures::{self, MeasuredClasses};
use super::page::{self, Frame, HeadFigure, section};
use super::{columns, figure, gallery, in_words, new_values, provenance};
use crate::write::pen::markup::{name, paragraph, prose};

const FRAME: Frame =
    Frame { title: "About this release", reader: "Public report · goes with the data", class: "public", style: "" };

/// The public page.
pub(super) fn page(findings: &ReleaseFindings<'_>) -> String {
    let roles: BTreeSet<_> = findings.columns.iter().map(|column| column.role.name()).collect();
    let done = html! {
        (paragraph("Columns that name a person by themselves are not part of a release."))
        (columns::table(findings, &[]))
        (columns::roles(&roles))
    };
    let inside = html! {
        p class="lead" { (lead(findings)) }
        (page::figures(&figures(findings)))
        (section("What is guaranteed", &guarantees(findings)))
        (section("What was done to the columns", &done))
        @if findings.columns.iter().any(|column| column.recoded.is_some()) {
            (section("How coarse the columns are", &coarse(findings)))
        }
        (section("How to read the data", &html! { ul { (page::items(&columns::reading(findings))) } }))
        @if !findings.spread.is_empty() {
            (section("How the records spread", &html! { (paragraph(SPREAD)) (gallery::label_spreads(findings)) }))
        }
        (section("What risk remains", &remaining_risk(findings)))
        (provenance::for_anybody(findings))
        (section("How to verify it", &html! { pre { code { (findings.verify) } } (paragraph(VERIFY)) }))
        (page::appendix("Appendix: technical detail", &appendix(findings)))
    };
    page::page(&FRAME, findings, &inside)
}

/// What only specialists look for.
fn appendix(findings: &ReleaseFindings<'_>) -> Markup {
    let measured = released(findings).filter(|_| findings.new_values.is_none());
    html! {
        (page::part("How this release was chosen", &chosen(findings)))
        @if let Some(measured) = measured {
            (page::part(
                "Classes and risk in numbers",
                &measures::table("Measured on the release.", &[measured], findings.unit()),
            ))
        }
    }
}

/// How anybody can check the release.
const VERIFY: &str = "`DIR/public` is the folder that holds this report. The audit needs no original: it reads the released bytes as \
                      a stranger would, counts the classes again with code of its own, and compares each claim of `manifest.json` \
                      with what it finds: columns, labels, class sizes, privacy models, hashes. It also writes this report again \
                      and compares.";

/// What the privacy models look at.
const CLASSES: &str = "Records that share the labels of all quasi-identifying columns form a class. The privacy models below look at \
                       every class of this release.";

/// How to read the ladders.
const LADDERS: &str = "A ladder leads from the value as collected, at its foot, to a single label for all values. The full dot is the \
                       rung that is released. Examples are made up from the rules: they are nobody's values.";

/// How to read the bars of labels.
const SPREAD: &str = "For each recoded column, the share of the released records that have each of its labels, from the most \
                      frequent label on. The labels themselves stand in the data; what the columns were like before is not told.";

fn coarse(findings: &ReleaseFindings<'_>) -> Markup {
    html! { (paragraph(LADDERS)) (gallery::detail(findings, &[])) (gallery::ladders(findings)) }
}

/// The release in two sentences.
pub(super) fn lead(findings: &ReleaseFindings<'_>) -> String {
    let released = figure::count(findings.released);
    let holds = match findings.records {
        Some(records) => format!("{released} of the {} records of a table", figure::count(records)),
        None => format!("{released} records that were drawn at random from a table"),
    };
    let others = findings.classes.min.unwrap_or(0).saturating_sub(1);
    let which = if findings.new_values.is_some() {
        "the labels of its recoded columns"
    } else {
        "all its quasi-identifying values"
    };
    let alike = format!(" Each of them shares {which} with at least {}.", figure::counted(others, "other", "others"));
    let alike = if others > 0 && !findings.recoded_names().is_empty() { alike.as_str() } else { "" };
    let unguarded = if findings.guarantee.is_some() { " It comes without a privacy guarantee." } else { "" };
    format!("This release holds {holds} about people.{alike}{unguarded}")
}

/// The figures that a reader looks for first.
pub(super) fn figures(findings: &ReleaseFindings<'_>) -> Vec<HeadFigure> {
    let ReleaseFindings { records, released, suppressed, classes, risk, .. } = findings;
    let counted = |term, part: u64| {
        let share = records.map(|records| format!(", {} of all", figure::percent(figure::share(part, records))));
        HeadFigure { term, number: figure::count(part), note: format!("records{}", share.unwrap_or_default()) }
    };
    let mut figures = vec![counted("Released", *released)];
    figures.extend(suppressed.map(|suppressed| counted("Withheld", suppressed)));
    if !findings.recoded_names().is_empty() {
        figures.push(HeadFigure {
            term: "Smallest class",
            number: figure::shown(classes.min, findings.shown_from),
            note: format!(
                "{} that look alike; on average {}",
                findings.unit(),
                figure::shown_as(classes.mean, figure::decimal)
            ),
        });
    }
    match (&findings.new_values, risk) {
        (Some(found), _) => figures.extend(new_values::figures(found)),
        (None, Some(risk)) => figures.push(HeadFigure {
            term: "Highest risk",
            number: figure::shown_as(risk.prosecutor_max, figure::percent),
            note: format!("of recognition; on average {}", figure::shown_as(risk.prosecutor_mean, figure::percent)),
        }),
        (None, None) => {}
    }
    figures.extend(findings.detail.map(|detail| HeadFigure {
        term: "Detail kept",
        number: format!("{} of {}", detail.kept, detail.of),
        note: "steps of the ladders".to_owned(),
    }));
    figures.extend(findings.local.map(|local| HeadFigure {
        term: "Detail lost",
        number: figure::percent(mean(local)),
        note: "of the values or of the range, on average over the columns".to_owned(),
    }));
    let amount = findings.choice.as_ref().and_then(|choice| choice.loss.amount);
    figures.extend(amount.map(|amount| HeadFigure {
        term: "Detail lost",
        number: figure::percent(amount.share),
        note: "of what a release without any detail loses".to_owned(),
    }));
    figures
}

fn mean(local: &LocalFindings) -> f64 {
    let sum: f64 = local.lost.iter().map(|lost| lost.share).sum();
    if local.lost.is_empty() { 0.0 } else { sum / local.lost.len() as f64 }
}

/// What each privacy model means.
pub(super) fn guarantees(findings: &ReleaseFindings<'_>) -> Markup {
    let counts_people = |one: &GuaranteeWords<'_>| one.unit.is_some() && one.checked == CheckBasis::Original;
    let known = findings.recoded_names();
    html! {
        @if let Some(found) = &findings.new_values { (new_values::no_guarantee(found)) }
        @if findings.privacy.is_empty() { (balanced_only(findings)) } @else {
            (paragraph(CLASSES))
            @for one in &findings.privacy { (guarantee(one)) }
            @if findings.privacy.iter().any(counts_people) { (paragraph(in_words::PEOPLE)) }
            @if !known.is_empty() {
                p {
                    "The models are meant against somebody who knows a person's values in some or all of "
                    @for (place, column) in known.iter().enumerate() { @if place > 0 { ", " } (name(column)) }
                    ". They do not cover what else somebody may know."
                }
            }
        }
    }
}

/// That nothing is guaranteed, and how levels were chosen then.
fn balanced_only(findings: &ReleaseFindings<'_>) -> Markup {
    if findings.recoded_names().is_empty() {
        return Markup::default();
    }
    html! {
        p class="claim" {
            strong { "No formal guarantee" } " covers this release: no privacy model was asked for."
        }
        @if findings.choice.as_ref().is_none_or(|choice| choice.by_preferences) {
            (paragraph(
                "The levels of the recoded columns balance what users want to know with what an intruder would want to know, by \
                 the preferences of the owner and one column at a time.",
            ))
        }
        (paragraph("A combination of labels that few people share may point to a person."))
    }
}

fn guarantee(one: &GuaranteeWords<'_>) -> Markup {
    let (class, word) = if one.holds { ("holds", "holds") } else { ("fails", "is void") };
    html! {
        article {
            h3 { (one.model) " " span class=(class) { (word) } }
            @if !one.summary.is_empty() { p class="claim" { (prose(&in_words::sentence(&one.summary))) } }
            @for words in privacy::in_words(one.model, one.parameters) { (paragraph(&words)) }
            @if let Some(unit) = one.unit.filter(|_| one.checked == CheckBasis::Original) {
                p { "Counted in " (unit) ". Only the original tells them apart: the audit checks it there." }
            }
            p class="parameters" {
                @for (parameter, value) in one.parameters {
                    span { (parameter) " = " (name(&in_words::value(value))) }
                }
            }
            (paragraph(one.about))
            @if let Some(words) = shown_elsewhere(one.checked) { (paragraph(words)) }
        }
    }
}

/// What shows a promise that the release alone does not.
fn shown_elsewhere(checked: CheckBasis) -> Option<&'static str> {
    match checked {
        CheckBasis::Release => None,
        CheckBasis::Original => Some(
            "It compares this release with the table that it came from. The release alone does not show that; the \
             program checked it before it wrote the release, and the owner of the table can check it again.",
        ),
        CheckBasis::Population => Some(
            "It compares this release with the population that the table was taken from. The release alone does not show \
             that; the program checked it before it wrote the release, and whoever has the population can check it again.",
        ),
    }
}

/// Why a release does not tell its risk.
const UNTOLD: &str = "The risk is that of people, and the release does not tell which records belong to one person. The owner \
                      of the data has measured it; what is guaranteed holds for people.";

/// The classes and the risk of the release.
fn remaining_risk(findings: &ReleaseFindings<'_>) -> Markup {
    if let Some(found) = &findings.new_values {
        return new_values::section(found);
    }
    let words = findings.risk.as_ref().map(|_| measures::risk_in_words(findings.unit()));
    html! { (paragraph(words.as_deref().unwrap_or(UNTOLD))) (gallery::classes_and_risk(findings, None)) }
}

/// The release among measured tables.
pub(super) fn released<'a>(findings: &'a ReleaseFindings<'_>) -> Option<MeasuredClasses<'a>> {
    let ReleaseFindings { shown_from, classes, risk, .. } = findings;
    let risk = risk.as_ref()?;
    Some(MeasuredClasses { heading: "Release", class: "after", shown_from: *shown_from, classes, risk })
}

/// How the levels were chosen.
pub(super) fn chosen(findings: &ReleaseFindings<'_>) -> Markup {
    html! {
        @if let Some(card) = findings.method_card() {
            (paragraph(&format!("Method `{}`: {}. {}", card.name, card.summary, card.about)))
        }
        @match &findings.choice {
            Some(choice) => {
                (paragraph(&search_in_words(choice)))
                (paragraph(&proof_in_words(choice, if findings.privacy.is_empty() { "" } else { "safe " })))
                (loss(&choice.loss))
            }
            None if findings.columns.iter().any(ReleasedColumn::is_local) => (lost(findings)),
            None => (paragraph(unsearched(findings))),
        }
    }
}

const DRAWN: &str = "No level was chosen by looking at the table: the policy fixed each of them, or they were drawn at random with an \
                     epsilon of their own, which the guarantee counts.";

/// Why no levels were searched for.
fn unsearched(findings: &ReleaseFindings<'_>) -> &'static str {
    if findings.privacy.iter().any(|one| privacy::draws(one.model)) {
        return DRAWN;
    }
    if findings.new_values.is_some() {
        return "No column is recoded, so there were no levels to choose.";
    }
    "The levels were not searched for: they come with a mask that was fitted to an earlier table. The privacy models were judged \
     again on this one."
}

/// What local recoding lost.
fn lost(findings: &ReleaseFindings<'_>) -> Markup {
    let Some(local) = findings.local else {
        return paragraph("The classes were found by the method itself: there were no levels to search for.");
    };
    let caption =
        "The mean share of a column's values, or of its range, that a label covers: 0% as collected, 100% nothing.";
    let row = |lost: &DetailLoss| measures::row(&lost.variable, &measures::share(lost.share, "after", None));
    page::table("measures one", caption, &["Column", "Detail lost"], local.lost.iter().map(row))
}

fn search_in_words(choice: &ChoiceFindings<'_>) -> String {
    let (name, summary) = (choice.search, choice.search_summary());
    let Some(course) = choice.course else {
        return format!(
            "The levels of the quasi-identifying columns were found by the search `{name}`. What it promises: {summary}."
        );
    };
    let nodes = figure::count(course.lattice);
    let counted = match (u128::from(course.evaluated) < course.lattice, choice.optimal) {
        (true, true) => {
            format!("{} of them and could judge the others without counting", figure::count(course.evaluated))
        }
        (true, false) => format!("{} of them", figure::count(course.evaluated)),
        (false, _) => "each of them".to_owned(),
    };
    format!(
        "The ladders of the quasi-identifying columns leave {nodes} combinations of levels (nodes) to choose from. The search \
         `{name}` counted the classes of {counted}. What it promises: {summary}."
    )
}

fn proof_in_words(choice: &ChoiceFindings<'_>, safe: &str) -> String {
    if choice.by_preferences {
        let proven = format!(
            "No {safe}combination of levels balances utility and privacy better by the owner's preferences: that is proven."
        );
        let open = "A better balance of utility and privacy may exist: the search was told to stop.".to_owned();
        let words = if choice.optimal { proven } else { open };
        let measured = if choice.loss.amount.is_some() { " The loss below was measured, not minimised." } else { "" };
        return format!("{words}{measured}");
    }
    if choice.optimal {
        return "No safe combination of levels loses less than this one: that is proven.".to_owned();
    }
    match choice.course {
        None => "A better combination may exist: the search did not prove that there is none.".to_owned(),
        Some(course) => {
            let gap = figure::percent(course.gap.unwrap_or(1.0));
            format!("A better combination may exist, but it is proven that at most {gap} of the loss could be avoided.")
        }
    }
}

fn loss(loss: &ChosenLoss<'_>) -> Markup {
    let words = paragraph(&format!("Loss `{}`: {}. {}", loss.name, loss.summary, loss.about()));
    let Some(amount) = loss.amount else {
        return html! { (words) (paragraph("Its value is not public: it is computed from values that are not released.")) };
    };
    let caption =
        "0% would be the table as collected, 100% the same table without any detail in its quasi-identifying columns.";
    let parameters = loss.parameters.iter();
    let parameters =
        parameters.map(|(name, value)| measures::text_row(&format!("Parameter {name}"), [in_words::value(value)]));
    let amounts = [
        measures::text_row("Loss", [figure::decimal(amount.value)]),
        measures::row("Share of the highest loss", &measures::share(amount.share, "after", None)),
    ];
    html! { (words) (page::table("measures one", caption, &["Measure", "Release"], parameters.chain(amounts))) }
}
