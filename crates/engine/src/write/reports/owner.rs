//! The report for the owner of the data: all that was found, and what to do next.
//!
//! It shows values and the risk of the original, and the names of the columns that were dropped, so it stays in `private/`.

use equanym_core::checklist::{Advice, Checklist, ChecklistLine};
use equanym_core::report::{
    BalanceFindings, ClassFindings, GoodsAmounts, MinimalNode, PopulationFindings, RationFindings, Worth,
};
use equanym_core::variable::Role;

use super::findings::{Findings, OwnerFindings};
use super::measures::{self, Measured};
use super::page::{self, Frame};
use super::small::{ShownClasses, ShownRisk, Small};
use super::{
    columns, figure, frequencies, gallery, in_words, new_values, provenance, recipient, surroundings, verdict,
};
use crate::write::pen::markup::Html;

const FRAME: Frame =
    Frame { title: "Report to the data owner", reader: "Private report · not to be handed over", class: "private" };

/// The owner's page.
pub(super) fn page(findings: &OwnerFindings<'_>) -> String {
    let release = &findings.release;
    page::page(&FRAME, release, |html| {
        html.element("p", &[("class", "lead")], |html| html.text(&recipient::lead(release)));
        page::figures(html, &recipient::figures(release));
        checklist(html, findings.checklist);
        if let Some(worth) = findings.worth {
            page::section(html, "What it is worth", |html| worth_in_words(html, worth));
        }
        page::section(html, "What to do next", |html| page::list(html, "ol", &findings.next_steps));
        page::section(html, "Before and after", |html| before_and_after(html, release, findings.original));
        if !findings.frequencies.is_empty() {
            page::section(html, "What became of the values", |html| frequencies::section(html, findings));
        }
        if let Some(balance) = findings.balance {
            page::section(html, "The balance of utility and privacy", |html| {
                gallery::scales(html, findings, balance);
                if !release.privacy.is_empty() {
                    cost(html, balance);
                }
            });
        }
        if release.columns.iter().any(|column| column.recoded.is_some()) {
            page::section(html, "How coarse the columns are", |html| {
                gallery::detail(html, release, &findings.kept);
                html.paragraph(LADDERS);
                gallery::owners_ladders(html, findings);
            });
        }
        if let Some(around) = findings.worth.and_then(|worth| worth.surroundings.as_ref()) {
            page::section(html, "Where it stands among other releases", |html| {
                surroundings::section(html, around, release);
            });
        }
        page::section(html, "What was withheld", |html| {
            page::list(html, "ul", &withheld(findings));
            gallery::groups(html, findings);
        });
        page::section(html, "What was done to the columns", |html| {
            columns::table(html, release, &findings.dropped_columns);
            columns::roles(html, &Role::ALL.map(Role::name).into_iter().collect());
        });
        page::section(html, "What is guaranteed", |html| {
            recipient::guarantees(html, release);
            if let Some(population) = findings.population {
                html.paragraph(&population_in_words(population));
            }
        });
        if let Some(found) = findings.audit {
            page::section(html, "What the audit found", |html| verdict::section(html, found));
        }
        provenance::for_owner(html, findings);
        page::appendix(html, "Appendix: technical detail", |html| appendix(html, findings));
    })
}

/// How to read the ladders.
const LADDERS: &str = "A ladder leads from the value as collected, at its foot, to a single label for all values. The full dot is \
                       the rung that is released. Examples are made up from the rules: no value of the table is among them.";

/// What only specialists look for.
fn appendix(html: &mut Html, findings: &OwnerFindings<'_>) {
    let release = &findings.release;
    html.leaf("h3", &[], "How this release was chosen");
    recipient::chosen(html, release);
    if release.new_values.is_none() && release.risk.is_some() {
        html.leaf("h3", &[], "Classes and risk in numbers");
        measured(html, release, findings.original);
    }
    if let Some(measured) = release.new_values.as_ref().and_then(|found| found.utility) {
        html.leaf("h3", &[], "What the new values are good for");
        new_values::utility(html, measured);
    }
    if !findings.pairs.is_empty() {
        html.leaf("h3", &[], "Associations of pairs of columns");
        frequencies::pairs(html, findings.pairs);
    }
    if let Some(balance) = findings.balance {
        html.leaf("h3", &[], "The balance in numbers");
        balanced(html, release, balance);
    }
    if let Some(nodes) = findings.minimal {
        html.leaf("h3", &[], "The k-minimal nodes");
        minimal(html, release, nodes);
    }
}

/// The population that a model looked at.
fn population_in_words(population: &PopulationFindings) -> String {
    let PopulationFindings { records, persons, keys, sha256 } = population;
    let people =
        persons.map(|persons| format!(" of {}", figure::counted(persons, "person", "people"))).unwrap_or_default();
    let records = figure::counted(*records, "record", "records");
    let keys = figure::counted(*keys, "distinct key", "distinct keys");
    format!("The population has {records}{people} with {keys}. The hash of its keys with their counts is {sha256}.")
}

/// The lines that ask for something first; what is in order comes after them.
fn checklist(html: &mut Html, checklist: &Checklist) {
    let (ok, open): (Vec<&ChecklistLine>, Vec<&ChecklistLine>) =
        checklist.lines().iter().partition(|line| line.advice == Advice::Ok);
    let class = if open.is_empty() { "checklist" } else { "checklist warnings" };
    html.element("section", &[("class", class)], |html| {
        html.leaf("h2", &[], "Before you hand it over");
        if open.iter().any(|line| line.advice == Advice::Stop) {
            html.paragraph("Do not hand it over before each line that says stop is dealt with.");
        } else if open.is_empty() {
            html.paragraph("There is nothing to warn of.");
        }
        if !open.is_empty() {
            checks(html, "Each line is `look` or `stop`; `docs/checklist.md` explains the checks.", &open);
        }
        if !ok.is_empty() {
            html.element("details", &[], |html| {
                let found = figure::counted(ok.len() as u64, "line is", "lines are");
                html.element("summary", &[], |html| html.text(&format!("{found} in order")));
                checks(html, "", &ok);
            });
        }
    });
}

fn checks(html: &mut Html, caption: &str, lines: &[&ChecklistLine]) {
    page::table(html, "checks", caption, &["Check", "Verdict", "What was found"], |html| {
        for line in lines {
            check(html, line);
        }
    });
}

fn check(html: &mut Html, line: &ChecklistLine) {
    html.element("tr", &[], |html| {
        html.leaf("th", &[("scope", "row")], line.check.name());
        html.leaf("td", &[], line.advice.word());
        html.element("td", &[], |html| html.prose(&in_words::sentence(&line.message)));
    });
}

/// How much detail is kept, and what more would take.
fn worth_in_words(html: &mut Html, worth: &Worth) {
    html.paragraph(&in_words::sentence(&worth.sentence));
    if !worth.regain.is_empty() {
        html.paragraph("One more level of detail would take:");
        page::list(html, "ul", &worth.regain.iter().map(|one| in_words::sentence(&one.sentence)).collect::<Vec<_>>());
    }
    if let Some(why) = worth.not_looked_at {
        html.paragraph(&format!("Not all of it was looked at: {why}."));
    }
}

/// What each variable gives, and what the preferences would have chosen beside what is safe.
fn balanced(html: &mut Html, release: &Findings<'_>, balance: &BalanceFindings) {
    html.paragraph(&format!(
        "Target `{}`, distance `{}`, suppression `{}`.",
        balance.target, balance.distance, balance.suppression
    ));
    if let Some(records) = balance.left_out {
        let records = figure::counted(records, "record", "records");
        html.paragraph(&format!("{records} in rare groups left out because that suits the preferences better."));
    }
    let caption = "What a user learns and an intruder does not, in entropy times points, beside the optimum.";
    let headings = ["Variable", "Level", "Utility", "Optimum", "Protection", "Optimum"];
    page::table(html, "measures", caption, &headings, |html| {
        for (one, (_, level)) in balance.variables.iter().zip(&release.node.0) {
            goods(html, &one.name, &level.to_string(), one.goods, one.optimum);
        }
        goods(html, "all", "", balance.total, balance.optimum);
    });
    levels(html, balance);
    if !balance.rations.is_empty() {
        rations(html, &balance.rations);
    }
}

fn goods(html: &mut Html, name: &str, level: &str, found: GoodsAmounts, optimum: GoodsAmounts) {
    measures::row(html, name, |html| {
        html.leaf("td", &[], level);
        for amount in [found.utility, optimum.utility, found.protection, optimum.protection] {
            html.leaf("td", &[], &figure::decimal(amount));
        }
    });
}

/// What there was to choose from.
fn levels(html: &mut Html, balance: &BalanceFindings) {
    let caption = "What each level gives where nothing is suppressed.";
    page::table(html, "measures", caption, &["Variable", "Level", "Utility", "Protection"], |html| {
        for one in &balance.variables {
            for (level, goods) in one.levels.iter().enumerate() {
                measures::row(html, &one.name, |html| {
                    html.leaf("td", &[], &level.to_string());
                    html.leaf("td", &[], &figure::decimal(goods.utility));
                    html.leaf("td", &[], &figure::decimal(goods.protection));
                });
            }
        }
    });
}

/// What rations cost at the optimum.
fn rations(html: &mut Html, rations: &[RationFindings]) {
    let caption = "What each ration costs at the optimum: the satisfaction without it, and the share of the satisfaction that is \
                   gained when it is loosened by one unit (its shadow price).";
    page::table(html, "measures", caption, &["Ration", "Bound", "Amount", "Without it", "Price"], |html| {
        for ration in rations {
            measures::row(html, ration.variable.as_deref().unwrap_or("all"), |html| {
                html.leaf("td", &[], &ration.bound);
                html.leaf("td", &[], &figure::decimal(ration.amount));
                html.leaf("td", &[], &figure::decimal(ration.satisfaction_without));
                html.leaf("td", &[], &ration.price.map_or_else(|| "–".to_owned(), figure::percent));
            });
        }
    });
}

/// What the guarantees cost: what the preferences would have chosen without them.
fn cost(html: &mut Html, balance: &BalanceFindings) {
    let free = &balance.unconstrained;
    let [before, after] = [free.off_optimum, balance.off_optimum].map(figure::decimal);
    html.paragraph(&format!(
        "Without guarantees the preferences would choose levels that lie {before} off the optimum, with {} of utility and {} of \
         protection; those of the release lie {after} off.",
        figure::decimal(free.total.utility),
        figure::decimal(free.total.protection)
    ));
    // A level that shows all or nothing makes the product vanish, with and without guarantees.
    if free.satisfaction > 0.0 {
        let [before, after] = [free.satisfaction, balance.satisfaction].map(figure::decimal);
        html.paragraph(&format!("The satisfaction falls from {before} to {after}."));
    }
}

/// Every safe combination of levels below which none is safe.
fn minimal(html: &mut Html, release: &Findings<'_>, nodes: &[MinimalNode]) {
    let count = figure::counted(nodes.len() as u64, "combination of levels is", "combinations of levels are");
    html.paragraph(&format!(
        "{count} safe and would not be with any variable a level lower. Everything above one of them is safe, too."
    ));
    let names = release.node.0.iter().map(|(name, _)| name.as_str());
    let headings: Vec<&str> = ["Node"].into_iter().chain(names).chain(["Withheld", "Loss"]).collect();
    page::table(
        html,
        "measures",
        "The level of each variable, the records withheld, and the loss.",
        &headings,
        |html| {
            for (number, node) in (1_u64..).zip(nodes) {
                measures::row(html, &figure::count(number), |html| {
                    for (_, level) in &node.node.0 {
                        html.leaf("td", &[], &level.to_string());
                    }
                    html.leaf("td", &[], &figure::count(node.suppressed));
                    html.leaf("td", &[], &figure::decimal(node.loss));
                });
            }
        },
    );
}

fn withheld(findings: &OwnerFindings<'_>) -> Vec<String> {
    let (records, suppressed) = (findings.release.records.unwrap_or(0), findings.release.suppressed.unwrap_or(0));
    let share = figure::percent(figure::share(suppressed, records));
    let keys = figure::counted(findings.suppressed_keys as u64, "key", "keys");
    let columns = figure::counted(findings.dropped_columns.len() as u64, "column", "columns");
    let records =
        format!("{} of {} ({share})", figure::counted(suppressed, "record", "records"), figure::count(records));
    let people = findings.release.persons_suppressed.zip(findings.release.persons);
    let people = people.map(|(some, all)| {
        format!("; {} of {} lost a record by that", figure::count(some), figure::counted(all, "person", "people"))
    });
    vec![
        format!("{records}{}.", people.unwrap_or_default()),
        format!("{keys}: combinations of labels whose records may not be released. They are listed in `mask.json`."),
        format!("{columns} with the role identifying."),
    ]
}

fn before_and_after(html: &mut Html, release: &Findings<'_>, original: Option<&ClassFindings>) {
    if let Some(found) = &release.new_values {
        return new_values::section(html, found);
    }
    html.paragraph(&measures::risk_in_words(release.unit()));
    gallery::classes_and_risk(html, release, original);
}

/// Classes and risk in numbers, of the original and of the release.
fn measured(html: &mut Html, release: &Findings<'_>, original: Option<&ClassFindings>) {
    let Some(released) = recipient::released(release) else { return };
    let Some(ClassFindings { classes, risk }) = original else {
        return measures::table(
            html,
            "Measured on the release; the original was not measured.",
            &[released],
            release.unit(),
        );
    };
    let (classes, risk) = (ShownClasses::of(*classes, Small::Shown), ShownRisk::of(*risk, *classes, Small::Shown));
    let before = Measured { heading: "Original", class: "before", shown_from: None, classes: &classes, risk: &risk };
    measures::table(
        html,
        "The quasi-identifying columns as collected, and as released.",
        &[before, released],
        release.unit(),
    );
}
