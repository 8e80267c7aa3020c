//! The report that goes with a release, and the sections that the owner's report shares with it.
//!
//! It is written for somebody who did not choose the policy: what holds, what that means, what was done to the data, how
//! the choice was made, and how to check all of it.

use std::collections::BTreeSet;

use equanym_core::privacy;
use equanym_core::report::{CheckBasis, LocalFindings};

use super::findings::{Chosen, Findings, Guaranteed, LossChosen, ReleasedColumn};
use super::measures::{self, Measured};
use super::page::{self, Frame, HeadFigure};
use super::{columns, figure, gallery, in_words, new_values, provenance};
use crate::write::pen::markup::Html;

const FRAME: Frame =
    Frame { title: "About this release", reader: "Public report · goes with the data", class: "public" };

/// The public page.
pub(super) fn page(findings: &Findings<'_>) -> String {
    page::page(&FRAME, findings, |html| {
        html.element("p", &[("class", "lead")], |html| html.text(&lead(findings)));
        page::figures(html, &figures(findings));
        page::section(html, "What is guaranteed", |html| guarantees(html, findings));
        page::section(html, "What was done to the columns", |html| {
            html.paragraph("Columns that name a person by themselves are not part of a release.");
            columns::table(html, findings, &[]);
            let roles: BTreeSet<_> = findings.columns.iter().map(|column| column.role.name()).collect();
            columns::roles(html, &roles);
        });
        if findings.columns.iter().any(|column| column.recoded.is_some()) {
            page::section(html, "How coarse the columns are", |html| coarse(html, findings));
        }
        page::section(html, "How to read the data", |html| page::list(html, "ul", &columns::reading(findings)));
        if !findings.spread.is_empty() {
            page::section(html, "How the records spread", |html| {
                html.paragraph(SPREAD);
                gallery::label_spreads(html, findings);
            });
        }
        page::section(html, "What risk remains", |html| remaining_risk(html, findings));
        provenance::for_anybody(html, findings);
        page::section(html, "How to verify it", |html| verify(html, findings));
        page::appendix(html, "Appendix: technical detail", |html| {
            html.leaf("h3", &[], "How this release was chosen");
            chosen(html, findings);
            if let Some(released) = released(findings).filter(|_| findings.new_values.is_none()) {
                html.leaf("h3", &[], "Classes and risk in numbers");
                measures::table(html, "Measured on the release.", &[released], findings.unit());
            }
        });
    })
}

/// How to read the bars of labels.
const SPREAD: &str = "For each recoded column, the share of the released records that have each of its labels, from the most \
                      frequent label on. The labels themselves stand in the data; what the columns were like before is not told.";

fn coarse(html: &mut Html, findings: &Findings<'_>) {
    html.paragraph(
        "A ladder leads from the value as collected, at its foot, to a single label for all values. The full dot is the rung \
         that is released. Examples are made up from the rules: they are nobody's values.",
    );
    gallery::detail(html, findings, &[]);
    gallery::ladders(html, findings);
}

/// The release in two sentences.
pub(super) fn lead(findings: &Findings<'_>) -> String {
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
pub(super) fn figures(findings: &Findings<'_>) -> Vec<HeadFigure> {
    let Findings { records, released, suppressed, classes, risk, .. } = findings;
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
pub(super) fn guarantees(html: &mut Html, findings: &Findings<'_>) {
    if let Some(found) = &findings.new_values {
        new_values::no_guarantee(html, found);
    }
    if findings.privacy.is_empty() {
        return balanced_only(html, findings);
    }
    html.paragraph(
        "Records that share the labels of all quasi-identifying columns form a class. The privacy models below look at \
         every class of this release.",
    );
    for one in &findings.privacy {
        guarantee(html, one);
    }
    if findings.privacy.iter().any(|one| one.unit.is_some() && one.checked == CheckBasis::Original) {
        html.paragraph(in_words::PEOPLE);
    }
    let known = findings.recoded_names();
    if !known.is_empty() {
        html.element("p", &[], |html| {
            html.text("The models are meant against somebody who knows a person's values in some or all of ");
            names(html, &known);
            html.text(". They do not cover what else somebody may know.");
        });
    }
}

/// That nothing is guaranteed, and how levels were chosen then.
fn balanced_only(html: &mut Html, findings: &Findings<'_>) {
    if findings.recoded_names().is_empty() {
        return;
    }
    html.element("p", &[("class", "claim")], |html| {
        html.element("strong", &[], |html| html.text("No formal guarantee"));
        html.text(" covers this release: no privacy model was asked for.");
    });
    if findings.choice.as_ref().is_none_or(|choice| choice.by_preferences) {
        html.paragraph(
            "The levels of the recoded columns balance what users want to know with what an intruder would want to know, by \
             the preferences of the owner and one column at a time.",
        );
    }
    html.paragraph("A combination of labels that few people share may point to a person.");
}

fn guarantee(html: &mut Html, one: &Guaranteed<'_>) {
    html.element("article", &[], |html| {
        html.element("h3", &[], |html| {
            html.text(one.model);
            html.text(" ");
            let (class, word) = if one.holds { ("holds", "holds") } else { ("fails", "is void") };
            html.leaf("span", &[("class", class)], word);
        });
        if !one.summary.is_empty() {
            html.element("p", &[("class", "claim")], |html| html.prose(&in_words::sentence(&one.summary)));
        }
        for words in privacy::in_words(one.model, one.parameters) {
            html.paragraph(&words);
        }
        if let Some(unit) = one.unit.filter(|_| one.checked == CheckBasis::Original) {
            html.leaf(
                "p",
                &[],
                &format!("Counted in {unit}. Only the original tells them apart: the audit checks it there."),
            );
        }
        html.element("p", &[("class", "parameters")], |html| {
            for (name, value) in one.parameters {
                html.element("span", &[], |html| parameter(html, name, &in_words::value(value)));
            }
        });
        html.paragraph(one.about);
        if let Some(words) = shown_elsewhere(one.checked) {
            html.paragraph(words);
        }
    });
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

fn parameter(html: &mut Html, name: &str, value: &str) {
    html.text(name);
    html.text(" = ");
    html.name(value);
}

fn names(html: &mut Html, names: &[&str]) {
    for (place, name) in names.iter().enumerate() {
        if place > 0 {
            html.text(", ");
        }
        html.name(name);
    }
}

/// Why a release does not tell its risk.
const UNTOLD: &str = "The risk is that of people, and the release does not tell which records belong to one person. The owner \
                      of the data has measured it; what is guaranteed holds for people.";

/// The classes and the risk of the release.
fn remaining_risk(html: &mut Html, findings: &Findings<'_>) {
    if let Some(found) = &findings.new_values {
        return new_values::section(html, found);
    }
    if findings.risk.is_some() {
        html.paragraph(&measures::risk_in_words(findings.unit()));
    } else {
        html.paragraph(UNTOLD);
    }
    gallery::classes_and_risk(html, findings, None);
}

/// The release among measured tables.
pub(super) fn released<'a>(findings: &'a Findings<'_>) -> Option<Measured<'a>> {
    let Findings { shown_from, classes, risk, .. } = findings;
    let risk = risk.as_ref()?;
    Some(Measured { heading: "Release", class: "after", shown_from: *shown_from, classes, risk })
}

/// How the levels were chosen.
pub(super) fn chosen(html: &mut Html, findings: &Findings<'_>) {
    if let Some(card) = findings.method_card() {
        html.paragraph(&format!("Method `{}`: {}. {}", card.name, card.summary, card.about));
    }
    match &findings.choice {
        Some(choice) => {
            html.paragraph(&search_in_words(choice));
            html.paragraph(&proof_in_words(choice, if findings.privacy.is_empty() { "" } else { "safe " }));
            loss(html, &choice.loss);
        }
        None if findings.columns.iter().any(ReleasedColumn::is_local) => lost(html, findings),
        None if findings.privacy.iter().any(|one| privacy::draws(one.model)) => html.paragraph(DRAWN),
        None if findings.new_values.is_some() => {
            html.paragraph("No column is recoded, so there were no levels to choose.");
        }
        None => html.paragraph(
            "The levels were not searched for: they come with a mask that was fitted to an earlier table. The privacy \
             models were judged again on this one.",
        ),
    }
}

const DRAWN: &str = "No level was chosen by looking at the table: the policy fixed each of them, or they were drawn at random with an \
                     epsilon of their own, which the guarantee counts.";

/// What local recoding lost.
fn lost(html: &mut Html, findings: &Findings<'_>) {
    let Some(local) = findings.local else {
        return html.paragraph("The classes were found by the method itself: there were no levels to search for.");
    };
    let caption =
        "The mean share of a column's values, or of its range, that a label covers: 0% as collected, 100% nothing.";
    page::table(html, "measures one", caption, &["Column", "Detail lost"], |html| {
        for lost in &local.lost {
            measures::row(html, &lost.variable, |html| measures::share(html, lost.share, "after", None));
        }
    });
}

fn search_in_words(choice: &Chosen<'_>) -> String {
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

fn proof_in_words(choice: &Chosen<'_>, safe: &str) -> String {
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

fn loss(html: &mut Html, loss: &LossChosen<'_>) {
    html.paragraph(&format!("Loss `{}`: {}. {}", loss.name, loss.summary, loss.about()));
    let Some(amount) = loss.amount else {
        return html.paragraph("Its value is not public: it is computed from values that are not released.");
    };
    let caption =
        "0% would be the table as collected, 100% the same table without any detail in its quasi-identifying columns.";
    page::table(html, "measures one", caption, &["Measure", "Release"], |html| {
        for (name, value) in loss.parameters {
            measures::row(html, &format!("Parameter {name}"), |html| html.leaf("td", &[], &in_words::value(value)));
        }
        measures::row(html, "Loss", |html| html.leaf("td", &[], &figure::decimal(amount.value)));
        measures::row(html, "Share of the highest loss", |html| measures::share(html, amount.share, "after", None));
    });
}

/// How anybody can check the release.
fn verify(html: &mut Html, findings: &Findings<'_>) {
    html.element("pre", &[], |html| html.leaf("code", &[], findings.verify));
    html.paragraph(
        "`DIR/public` is the folder that holds this report. The audit needs no original: it reads the released bytes as a \
         stranger would, counts the classes again with code of its own, and compares each claim of `manifest.json` with \
         what it finds: columns, labels, class sizes, privacy models, hashes. It also writes this report again and compares.",
    );
}
