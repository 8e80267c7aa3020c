//! A release in words.
//!
//! What was released, how coarse, what that cost, what is guaranteed and what to do next: on one screen. The words for
//! levels and guarantees are those of the reports; no value of the data is among them.

use std::path::Path;

use equanym_core::checklist::{Advice, Check, Checklist};
use equanym_core::mask::Mask;
use equanym_core::privacy;
use equanym_core::report::{BalanceFindings, ClassFindings, NewValuesReport, Report, Worth};
use equanym_core::risk::ClassTotals;
use equanym_core::risk::linkage::ColumnLinkage;
use equanym_engine::run::FinishedRelease;
use equanym_engine::write::manifest::Manifest;
use equanym_engine::write::reports::ReleasedColumn;

use crate::show;

/// What counting people leaves open.
pub const SEVERAL_RECORDS: &str = "Whoever knows several records of one person knows more than one class and may find the \
                                   person where they meet.";

/// The summary of a release that lies in `out`, with the next step.
pub fn text(released: &FinishedRelease, out: &Path) -> String {
    let next = show::command(&format!("equanym audit {}", show::shell_word(&out.join("public"))));
    let files = files(out, &released.mask, released.key.is_some());
    format!("{}\n{files}\nAnybody can check it: {next}\n", findings(released))
}

/// The same for a release that may have gone to a database, with or without a folder.
pub fn placed(released: &FinishedRelease, out: &Path, folder: Option<&Path>) -> String {
    let is_address = out.to_str().is_some_and(|out| out.contains("://"));
    match folder {
        _ if !is_address => text(released, out),
        Some(folder) => text(released, folder),
        None => format!("{}\nThe table is in the database; the release passed its audit.\n", findings(released)),
    }
}

/// What was released and what is known about it.
pub fn findings(released: &FinishedRelease) -> String {
    let report = &released.report;
    let mut text = headline(report) + &node(&released.manifest);
    text += &facts(report);
    text += &report.worth.as_ref().map(worth).unwrap_or_default();
    text + &checklist(&report.checklist)
}

fn headline(report: &Report) -> String {
    let Report { records, released, suppressed, .. } = report;
    let withheld = match suppressed {
        0 => "none withheld".to_owned(),
        _ => format!("{} withheld ({})", show::count(*suppressed), show::percent(share(*suppressed, *records))),
    };
    let withheld = match report.persons_suppressed {
        Some(people) if people > 0 => {
            format!("{withheld}, those of {}", show::counted(people, "person", "people"))
        }
        _ => withheld,
    };
    let of_people = report.persons.map(|persons| format!(" of {}", show::counted(persons, "person", "people")));
    let words = format!(
        "Released {} of {}{}",
        show::count(*released),
        show::counted(*records, "record", "records"),
        of_people.unwrap_or_default()
    );
    format!("{}, {withheld}.\n\n", show::strong(&words))
}

/// How coarse each quasi-identifier is.
fn node(manifest: &Manifest) -> String {
    let rows: Vec<Vec<String>> =
        manifest.columns.iter().map(ReleasedColumn::new).filter_map(|column| row(&column)).collect();
    let header = ["variable", "level", "what is released"];
    show::table(&header, &rows) + "\n"
}

fn row(column: &ReleasedColumn<'_>) -> Option<Vec<String>> {
    let level = match &column.recoded {
        Some(recoded) => format!("{} of {}", recoded.level, recoded.levels.saturating_sub(1)),
        None if column.change.is_some() || !column.treatments.is_empty() => "–".to_owned(),
        None => return None,
    };
    Some(vec![show::name(column.name), level, show::plain(&column.words())])
}

fn facts(report: &Report) -> String {
    let mut facts: Vec<(&str, String)> = Vec::new();
    facts.extend(loss(report).map(|words| ("loss", words)));
    facts.extend(proof(report).map(|words| ("optimal", words)));
    facts.extend(balance(report).map(|words| ("balance", words)));
    facts.extend(goods(report));
    facts.extend(detail(report).map(|words| ("detail lost", words)));
    if !report.node.0.is_empty() || !report.privacy.is_empty() {
        facts.push(("classes", classes(report)));
    }
    if report.guarantee.is_some() && !report.node.0.is_empty() {
        facts.push((
            "no guarantee",
            show::alarm("no privacy model was asked for: rare combinations may point to people"),
        ));
    }
    match &report.new_values {
        Some(found) => facts.extend(linkage(found)),
        None => facts.push(("risk", risk(report))),
    }
    facts.extend(report.privacy.iter().map(|guarantee| {
        let is_void = privacy::is_void(&guarantee.model, &guarantee.parameters);
        let broken = if is_void { "is void: a seed was given" } else { "does not hold" };
        let holds = if guarantee.holds { show::good("holds") } else { show::alarm(broken) };
        let parameters = guarantee.parameters.iter().map(|(name, value)| format!("{name} = {}", parameter(value)));
        let words = format!("{} ({})", guarantee.model, parameters.collect::<Vec<_>>().join(", "));
        let unit = guarantee.unit.map(|unit| format!(", counted in {unit}")).unwrap_or_default();
        ("guarantee", format!("{words} {holds}{unit}"))
    }));
    if report.persons.is_some() && !report.privacy.iter().any(|one| privacy::draws(&one.model)) {
        facts.push(("not covered", SEVERAL_RECORDS.to_owned()));
    }
    if report.neutralised_cells > 0 {
        let cells = show::counted(report.neutralised_cells, "cell", "cells");
        facts.push(("guarded", format!("{cells} that a spreadsheet would take for a formula, by a leading '")));
    }
    show::facts(&facts)
}

fn loss(report: &Report) -> Option<String> {
    let loss = &report.choice.as_ref()?.loss;
    let share = show::percent(loss.share);
    Some(format!("{} {}, {share} of what the fully generalised table loses", loss.name, show::measure(loss.value)))
}

fn proof(report: &Report) -> Option<String> {
    let choice = report.choice.as_ref()?;
    let (nodes, counted) = (show::count(choice.lattice), show::count(choice.evaluated));
    let by_preferences = choice.balance.is_some();
    if let Some(place) = choice.place.filter(|_| !choice.optimal) {
        let less = choice.gap.map_or_else(String::new, |gap| format!("; the best loses {} less", show::percent(gap)));
        return Some(format!("number {} of the safe nodes, as chosen{less}", show::count(place as u128)));
    }
    if let Some(best) = &choice.best {
        let spared = show::percent(choice.gap.unwrap_or_default());
        let (loss, left_out) = (show::measure(best.loss), show::counted(best.suppressed, "record", "records"));
        return Some(format!(
            "not sought, because that tells: the best safe release loses {loss}, {spared} less, and withholds {left_out}"
        ));
    }
    Some(if choice.optimal && by_preferences && report.privacy.is_empty() {
        format!("yes: no other of {nodes} nodes suits the preferences better ({counted} counted)")
    } else if choice.optimal && by_preferences {
        format!("yes: no other of {nodes} nodes is safe and suits the preferences better ({counted} counted)")
    } else if by_preferences {
        format!("not proven: a better balance may exist ({counted} of {nodes} nodes counted)")
    } else if choice.optimal {
        format!("yes: no other of {nodes} nodes is safe and loses less ({counted} counted)")
    } else {
        format!(
            "not proven: up to {} of the loss may be avoidable ({counted} of {nodes} nodes counted)",
            show::percent(choice.gap.unwrap_or(1.0))
        )
    })
}

/// What the guarantees cost the balance of utility and privacy.
fn balance(report: &Report) -> Option<String> {
    let balance = report.choice.as_ref()?.balance.as_ref()?;
    if report.privacy.is_empty() {
        return Some(unguarded(balance));
    }
    let Some(free) = &balance.unconstrained else {
        let off = show::measure(balance.off_optimum);
        return Some(format!(
            "{} target: only by withholding are the rations met; off the optimum {off}",
            balance.target
        ));
    };
    let pairs = report.node.0.iter().zip(&free.node.0);
    let moved: Vec<String> = pairs
        .filter(|((_, safe), (_, preferred))| safe != preferred)
        .map(|((name, safe), (_, preferred))| format!("{} {preferred} → {safe}", show::name(name)))
        .collect();
    let moved = if moved.is_empty() { "moved no level".to_owned() } else { format!("moved {}", moved.join(", ")) };
    let mut words = format!("{} target: the guarantees {moved}", balance.target);
    // A level that shows all or nothing makes the product vanish, with and without guarantees.
    if free.satisfaction > 0.0 {
        let [before, after] = [free.satisfaction, balance.satisfaction].map(show::measure);
        words.extend(["; satisfaction ", &before, " → ", &after]);
    }
    let [before, after] = [free.off_optimum, balance.off_optimum].map(show::measure);
    Some(words + &format!("; off the optimum {before} → {after}"))
}

/// A balance that no guarantee moved.
fn unguarded(balance: &BalanceFindings) -> String {
    let [off, satisfaction] = [balance.off_optimum, balance.satisfaction].map(show::measure);
    let by_choice = match balance.left_out {
        Some(records) if records > 0 => {
            let records = show::counted(records, "record", "records");
            let with = match &balance.unconstrained {
                Some(free) => format!("satisfaction {} with them", show::measure(free.satisfaction)),
                None => "the rations are not met with them".to_owned(),
            };
            format!("; {records} in rare groups left out by choice ({with})")
        }
        _ => String::new(),
    };
    format!("{} target: off the optimum {off}; satisfaction {satisfaction}{by_choice}", balance.target)
}

/// What users learn and intruders do not, over all variables.
fn goods(report: &Report) -> Vec<(&'static str, String)> {
    let Some(balance) = report.choice.as_ref().and_then(|choice| choice.balance.as_ref()) else { return Vec::new() };
    let of = |found: f64, optimum: f64| {
        format!("{} in all, {} at the optimum", show::measure(found), show::measure(optimum))
    };
    vec![
        ("utility", of(balance.total.utility, balance.optimum.utility)),
        ("protection", of(balance.total.protection, balance.optimum.protection)),
    ]
}

/// How much detail local recoding lost.
fn detail(report: &Report) -> Option<String> {
    let local = report.local.as_ref()?;
    let each = local.lost.iter().map(|lost| format!("{} {}", show::name(&lost.variable), show::percent(lost.share)));
    Some(each.collect::<Vec<_>>().join(", "))
}

/// What new values risk, and how far they moved.
fn linkage(found: &NewValuesReport) -> Vec<(&'static str, String)> {
    let columns = |of: fn(&ColumnLinkage) -> f64| {
        let each =
            found.linkage.columns.iter().map(|one| format!("{} {}", show::name(&one.name), show::percent(of(one))));
        each.collect::<Vec<_>>().join(", ")
    };
    let mut facts = vec![("no guarantee", "no privacy model covers the columns with new values".to_owned())];
    facts.push(("rank linkage", columns(|one| one.rank)));
    if found.linkage.columns.iter().any(|one| one.rank_within_segments.is_some()) {
        facts.push(("  in segments", columns(|one| one.rank_within_segments.unwrap_or(0.0))));
    }
    let distance = &found.linkage.distance;
    let tried = show::counted(distance.tried, "record", "records");
    facts.push((
        "distance linkage",
        format!("{} of {tried} are nearest to their own original", show::percent(distance.share)),
    ));
    facts.push(("interval", format!("{} within a twentieth of a standard deviation", columns(|one| one.interval))));
    facts.push(("unchanged", columns(|one| one.unchanged)));
    let figures = found.utility.iter().flat_map(|one| one.figures.iter().map(move |figure| (one.metric, figure)));
    let whole = figures.filter(|(_, figure)| figure.of.is_none());
    facts.extend(whole.map(|(metric, figure)| (metric, format!("{} {}", show::percent(figure.value), figure.name))));
    facts
}

fn classes(report: &Report) -> String {
    let ClassTotals { count, min, mean, max } = report.classes;
    let unit = if report.persons.is_some() { "people" } else { "records" };
    format!("{} of {} to {} {unit}, {mean:.1} on average", show::count(count), show::count(min), show::count(max))
}

/// The risk, next to what it was before where that is known.
fn risk(report: &Report) -> String {
    let before = report.original.as_ref();
    let part = |words: &str, of: fn(&ClassFindings) -> f64, after: f64| {
        let before = before.map(|original| format!("{} → ", show::percent(of(original)))).unwrap_or_default();
        format!("{words} {before}{}", show::percent(after))
    };
    let risk = &report.risk;
    let at_risk = if report.persons.is_some() { "people at risk" } else { "records at risk" };
    [
        part("highest", |original| original.risk.prosecutor_max, risk.prosecutor_max),
        part("mean", |original| original.risk.prosecutor_mean, risk.prosecutor_mean),
        part(at_risk, |original| original.risk.records_at_risk, risk.records_at_risk),
    ]
    .join("; ")
}

/// Warnings, one after the other.
pub fn warnings(warnings: &[String]) -> String {
    let shown = warnings.iter().map(|words| format!("\n{} {}", show::accent("warning:"), show::lines(words)));
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { String::new() } else { shown.concat() + "\n" }
}

/// What the release is worth, and what one more level of detail in each column would take.
fn worth(worth: &Worth) -> String {
    let mut text = format!("\n{}", show::paragraph(&show::plain(&format!("{}.", worth.sentence)), 0));
    if !worth.regain.is_empty() {
        text += "One more level of detail would take:\n";
        text.extend(worth.regain.iter().map(|one| item("  - ", &one.sentence)));
    }
    text + &worth
        .not_looked_at
        .map(|why| item("  ", &format!("not all of it was looked at: {why}")))
        .unwrap_or_default()
}

/// A paragraph of which only the first line begins with its mark: no line can pose as another.
fn item(mark: &str, text: &str) -> String {
    let indent = mark.len();
    let words = show::paragraph(&show::plain(text), indent);
    format!("{mark}{}", words.get(indent..).unwrap_or_default())
}

/// The lines that ask for something, and which checks ask for nothing.
fn checklist(checklist: &Checklist) -> String {
    let mut text = format!("\n{}\n", show::strong("Before you hand it over"));
    let (ok, open): (Vec<_>, Vec<_>) = checklist.lines().iter().partition(|line| line.advice == Advice::Ok);
    for line in &open {
        let word = line.advice.word();
        let shown = item(&format!("  {word:<4}  "), &format!("{}: {}", line.check.name(), line.message));
        text += &shown.replacen(word, &show::accent(word), 1);
    }
    let is_open = |check: Check| open.iter().any(|line| line.check == check);
    let mut names: Vec<&str> = ok.iter().filter(|line| !is_open(line.check)).map(|line| line.check.name()).collect();
    names.dedup();
    if !names.is_empty() {
        text += &item("  ok    ", &names.join(", "));
    }
    if open.iter().any(|line| line.advice == Advice::Stop) {
        text += "  ";
        text += &show::strong("Do not hand it over before each stop is dealt with.");
        text += "\n";
    }
    text
}

/// Where the files are.
pub fn files(out: &Path, mask: &Mask, has_key: bool) -> String {
    let mask = if mask.fits_other_tables() { ", and the mask for next time" } else { "" };
    let key = if has_key { "; the key of its tokens and dates: whoever has it can undo them" } else { "" };
    let [public, private] = ["public", "private"].map(|folder| show::path(&out.join(folder)));
    show::facts(&[
        (&public, "to hand over: data, manifest and report; it passed its audit".to_owned()),
        (&private, format!("for your eyes: the full report{mask}{key}")),
    ])
}

fn parameter(value: &equanym_core::card::Value) -> String {
    use equanym_core::card::Value;
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => show::name(text),
        Value::Bool(is_so) => is_so.to_string(),
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
