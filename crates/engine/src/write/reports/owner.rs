//! The report for the owner of the data: all that was found, and what to do next.
//!
//! It shows values and the risk of the original, and the names of the columns that were dropped, so it stays in `private/`.

use equanym_core::checklist::{Advice, Checklist, ChecklistLine};
use equanym_core::report::{
    BalanceFindings, ClassFindings, GoodsAmounts, MinimalNode, PopulationFindings, RationFindings, Worth,
};
use equanym_core::variable::Role;

use maud::{Markup, html};

use super::findings::{OwnerFindings, ReleaseFindings};
use super::measures::{self, MeasuredClasses};
use super::page::{self, Frame, part, section};
use super::small::{ShownClasses, ShownRisk, Small};
use super::{
    columns, figure, frequencies, gallery, in_words, new_values, provenance, recipient, surroundings, verdict,
};
use crate::write::pen::markup::{paragraph, prose};

const FRAME: Frame = Frame {
    title: "Report to the data owner",
    reader: "Private report · not to be handed over",
    class: "private",
    style: "",
};

/// The owner's page.
pub(super) fn page(findings: &OwnerFindings<'_>) -> String {
    let release = &findings.release;
    let every_role = Role::ALL.map(Role::name).into_iter().collect();
    let done = html! { (columns::table(release, &findings.dropped_columns)) (columns::roles(&every_role)) };
    let inside = html! {
        p class="lead" { (recipient::lead(release)) }
        (page::figures(&recipient::figures(release)))
        (checklist(findings.checklist))
        @if let Some(worth) = findings.worth { (section("What it is worth", &worth_in_words(worth))) }
        (section("What to do next", &html! { ol { (page::items(&findings.next_steps)) } }))
        (section("Before and after", &before_and_after(release, findings.original)))
        @if !findings.frequencies.is_empty() {
            (section("What became of the values", &frequencies::section(findings)))
        }
        @if let Some(balance) = findings.balance {
            (section("The balance of utility and privacy", &balance_and_cost(findings, balance)))
        }
        @if release.columns.iter().any(|column| column.recoded.is_some()) {
            (section("How coarse the columns are", &coarse(findings)))
        }
        @if let Some(around) = findings.worth.and_then(|worth| worth.surroundings.as_ref()) {
            (section("Where it stands among other releases", &surroundings::section(around, release)))
        }
        (section("What was withheld", &html! { ul { (page::items(&withheld(findings))) } (gallery::groups(findings)) }))
        (section("What was done to the columns", &done))
        (section("What is guaranteed", &guarantees(findings)))
        @if let Some(found) = findings.audit { (section("What the audit found", &verdict::section(found))) }
        (provenance::for_owner(findings))
        (page::appendix("Appendix: technical detail", &appendix(findings)))
    };
    page::page(&FRAME, release, &inside)
}

/// What the preferences would have chosen, and what the guarantees cost them.
fn balance_and_cost(findings: &OwnerFindings<'_>, balance: &BalanceFindings) -> Markup {
    html! {
        (gallery::scales(findings, balance))
        @if !findings.release.privacy.is_empty() { (cost(balance)) }
    }
}

fn coarse(findings: &OwnerFindings<'_>) -> Markup {
    html! {
        (gallery::detail(&findings.release, &findings.kept))
        (paragraph(LADDERS))
        (gallery::owners_ladders(findings))
    }
}

fn guarantees(findings: &OwnerFindings<'_>) -> Markup {
    html! {
        (recipient::guarantees(&findings.release))
        @if let Some(population) = findings.population { (paragraph(&population_in_words(population))) }
    }
}

/// How to read the ladders.
const LADDERS: &str = "A ladder leads from the value as collected, at its foot, to a single label for all values. The full dot is \
                       the rung that is released. Examples are made up from the rules: no value of the table is among them.";

/// What only specialists look for.
fn appendix(findings: &OwnerFindings<'_>) -> Markup {
    let release = &findings.release;
    let measured_values = release.new_values.as_ref().and_then(|found| found.utility);
    html! {
        (part("How this release was chosen", &recipient::chosen(release)))
        @if release.new_values.is_none() && release.risk.is_some() {
            (part("Classes and risk in numbers", &measured(release, findings.original)))
        }
        @if let Some(measured) = measured_values {
            (part("What the new values are good for", &new_values::utility(measured)))
        }
        @if !findings.pairs.is_empty() {
            (part("Associations of pairs of columns", &frequencies::pairs(findings.pairs)))
        }
        @if let Some(balance) = findings.balance { (part("The balance in numbers", &balanced(release, balance))) }
        @if let Some(nodes) = findings.minimal { (part("The k-minimal nodes", &minimal(release, nodes))) }
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
fn checklist(checklist: &Checklist) -> Markup {
    let (ok, open): (Vec<&ChecklistLine>, Vec<&ChecklistLine>) =
        checklist.lines().iter().partition(|line| line.advice == Advice::Ok);
    let class = if open.is_empty() { "checklist" } else { "checklist warnings" };
    html! {
        section class=(class) {
            h2 { "Before you hand it over" }
            @if open.iter().any(|line| line.advice == Advice::Stop) {
                (paragraph("Do not hand it over before each line that says stop is dealt with."))
            } @else if open.is_empty() {
                (paragraph("There is nothing to warn of."))
            }
            @if !open.is_empty() {
                (checks("Each line is `look` or `stop`; `docs/checklist.md` explains the checks.", &open))
            }
            @if !ok.is_empty() {
                details {
                    summary { (figure::counted(ok.len() as u64, "line is", "lines are")) " in order" }
                    (checks("", &ok))
                }
            }
        }
    }
}

fn checks(caption: &str, lines: &[&ChecklistLine]) -> Markup {
    let row = |line: &&ChecklistLine| {
        let words = prose(&in_words::sentence(&line.message));
        html! { tr { th scope="row" { (line.check.name()) } td { (line.advice.word()) } td { (words) } } }
    };
    page::table("checks", caption, &["Check", "Verdict", "What was found"], lines.iter().map(row))
}

/// How much detail is kept, and what more would take.
fn worth_in_words(worth: &Worth) -> Markup {
    let regain: Vec<String> = worth.regain.iter().map(|one| in_words::sentence(&one.sentence)).collect();
    html! {
        (paragraph(&in_words::sentence(&worth.sentence)))
        @if !regain.is_empty() {
            (paragraph("One more level of detail would take:"))
            ul { (page::items(&regain)) }
        }
        @if let Some(why) = worth.not_looked_at { (paragraph(&format!("Not all of it was looked at: {why}."))) }
    }
}

/// What each variable gives, and what the preferences would have chosen beside what is safe.
fn balanced(release: &ReleaseFindings<'_>, balance: &BalanceFindings) -> Markup {
    let settings =
        format!("Target `{}`, distance `{}`, suppression `{}`.", balance.target, balance.distance, balance.suppression);
    let caption = "What a user learns and an intruder does not, in entropy times points, beside the optimum.";
    let headings = ["Variable", "Level", "Utility", "Optimum", "Protection", "Optimum"];
    let variables = balance.variables.iter().zip(&release.node.0);
    let rows = variables.map(|(one, (_, level))| goods(&one.name, &level.to_string(), one.goods, one.optimum));
    let all = goods("all", "", balance.total, balance.optimum);
    html! {
        (paragraph(&settings))
        @if let Some(records) = balance.left_out {
            @let records = figure::counted(records, "record", "records");
            (paragraph(&format!("{records} in rare groups left out because that suits the preferences better.")))
        }
        (page::table("measures", caption, &headings, rows.chain([all])))
        (levels(balance))
        @if !balance.rations.is_empty() { (rations(&balance.rations)) }
    }
}

fn goods(name: &str, level: &str, found: GoodsAmounts, optimum: GoodsAmounts) -> Markup {
    let amounts = [found.utility, optimum.utility, found.protection, optimum.protection].map(figure::decimal);
    measures::text_row(name, [level.to_owned()].into_iter().chain(amounts))
}

/// What there was to choose from.
fn levels(balance: &BalanceFindings) -> Markup {
    let caption = "What each level gives where nothing is suppressed.";
    let rows = balance.variables.iter().flat_map(|one| {
        one.levels.iter().enumerate().map(|(level, goods)| {
            let amounts = [goods.utility, goods.protection].map(figure::decimal);
            measures::text_row(&one.name, [level.to_string()].into_iter().chain(amounts))
        })
    });
    page::table("measures", caption, &["Variable", "Level", "Utility", "Protection"], rows)
}

/// What rations cost at the optimum.
fn rations(rations: &[RationFindings]) -> Markup {
    let caption = "What each ration costs at the optimum: the satisfaction without it, and the share of the satisfaction that is \
                   gained when it is loosened by one unit (its shadow price).";
    let rows = rations.iter().map(|ration| {
        let [amount, without] = [ration.amount, ration.satisfaction_without].map(figure::decimal);
        let price = ration.price.map_or_else(|| "–".to_owned(), figure::percent);
        measures::text_row(ration.variable.as_deref().unwrap_or("all"), [&ration.bound, &amount, &without, &price])
    });
    page::table("measures", caption, &["Ration", "Bound", "Amount", "Without it", "Price"], rows)
}

/// What the guarantees cost: what the preferences would have chosen without them.
fn cost(balance: &BalanceFindings) -> Markup {
    let Some(free) = &balance.unconstrained else {
        return paragraph(
            "No levels meet the rations as they stand; those of the release do, for what is withheld is charged.",
        );
    };
    let [before, after] = [free.off_optimum, balance.off_optimum].map(figure::decimal);
    let words = format!(
        "Without guarantees the preferences would choose levels that lie {before} off the optimum, with {} of utility and {} of \
         protection; those of the release lie {after} off.",
        figure::decimal(free.total.utility),
        figure::decimal(free.total.protection)
    );
    let [before, after] = [free.satisfaction, balance.satisfaction].map(figure::decimal);
    html! {
        (paragraph(&words))
        // A level that shows all or nothing makes the product vanish, with and without guarantees.
        @if free.satisfaction > 0.0 { (paragraph(&format!("The satisfaction falls from {before} to {after}."))) }
    }
}

/// Every safe combination of levels below which none is safe.
fn minimal(release: &ReleaseFindings<'_>, nodes: &[MinimalNode]) -> Markup {
    let count = figure::counted(nodes.len() as u64, "combination of levels is", "combinations of levels are");
    let words = format!(
        "{count} safe and would not be with any variable a level lower. Everything above one of them is safe, too."
    );
    let names = release.node.0.iter().map(|(name, _)| name.as_str());
    let headings: Vec<&str> = ["Node"].into_iter().chain(names).chain(["Withheld", "Loss"]).collect();
    let caption = "The level of each variable, the records withheld, and the loss.";
    let rows = (1_u64..).zip(nodes).map(|(number, node)| {
        let levels = node.node.0.iter().map(|(_, level)| level.to_string());
        let costs = [figure::count(node.suppressed), figure::decimal(node.loss)];
        measures::text_row(&figure::count(number), levels.chain(costs))
    });
    html! { (paragraph(&words)) (page::table("measures", caption, &headings, rows)) }
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

fn before_and_after(release: &ReleaseFindings<'_>, original: Option<&ClassFindings>) -> Markup {
    if let Some(found) = &release.new_values {
        return new_values::section(found);
    }
    html! {
        (paragraph(&measures::risk_in_words(release.unit())))
        (gallery::classes_and_risk(release, original))
    }
}

/// Classes and risk in numbers, of the original and of the release.
fn measured(release: &ReleaseFindings<'_>, original: Option<&ClassFindings>) -> Markup {
    let Some(released) = recipient::released(release) else { return Markup::default() };
    let Some(ClassFindings { classes, risk }) = original else {
        let caption = "Measured on the release; the original was not measured.";
        return measures::table(caption, &[released], release.unit());
    };
    let (classes, risk) = (ShownClasses::new(*classes, Small::Shown), ShownRisk::new(*risk, *classes, Small::Shown));
    let before =
        MeasuredClasses { heading: "Original", class: "before", shown_from: None, classes: &classes, risk: &risk };
    let caption = "The quasi-identifying columns as collected, and as released.";
    measures::table(caption, &[before, released], release.unit())
}
