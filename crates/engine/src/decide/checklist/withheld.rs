//! Who was withheld: the share of each group that a release leaves out.
//!
//! Small groups are withheld more often, and a release without them tells something else. Groups are women and men, and ages
//! in bands of our own. They are found by the name of a quasi-identifier and named in our words, whatever the cells say.
//!
//! Limits: records are counted, not people. A column of another role is not counted, so its groups are unknown.

use std::collections::BTreeMap;

use equanym_core::checklist::{Advice, Check, ChecklistLine, ChecklistNumber};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::privacy::Verdict;

use super::{about, percent};
use crate::count::spelling::folded;
use crate::read::column_name::{Group, group};

/// A group is worth a look if so many times its share is withheld as of all, and this much more.
const TIMES: f64 = 2.0;
const MORE: f64 = 0.01;

/// Words for women and men, folded.
const WOMEN: &[&str] = &[
    "f",
    "w",
    "female",
    "woman",
    "women",
    "weiblich",
    "frau",
    "femme",
    "feminin",
    "féminin",
    "mujer",
    "femenino",
    "femmina",
    "donna",
    "feminino",
    "mulher",
    "vrouw",
    "vrouwelijk",
    "v",
];
const MEN: &[&str] = &[
    "m",
    "male",
    "man",
    "men",
    "männlich",
    "maennlich",
    "mann",
    "homme",
    "masculin",
    "hombre",
    "masculino",
    "maschio",
    "uomo",
    "homem",
    "mannelijk",
    "h",
];

const OTHERS: &str = "others";
const UNKNOWN: &str = "people without an age";

/// The records of a group, and how many of them are withheld.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    records: u64,
    withheld: u64,
}

impl Share {
    fn of_itself(self) -> f64 {
        self.withheld as f64 / self.records.max(1) as f64
    }
}

/// What is withheld of each group of the quasi-identifiers that tell sex or age.
#[derive(Debug, Default)]
pub(crate) struct WithheldCounts<'a> {
    columns: Vec<(&'a str, Group, BTreeMap<&'static str, Share>)>,
}

impl<'a> WithheldCounts<'a> {
    /// Adds a quasi-identifier: for each of its values the records, and whether they are withheld.
    pub(crate) fn add(&mut self, name: &'a str, values: impl Iterator<Item = (&'a str, u64, u64)>) {
        let Some(group) = group(name) else { return };
        let mut shares: BTreeMap<&'static str, Share> = BTreeMap::new();
        for (value, records, withheld) in values {
            let share = shares.entry(word(group, value)).or_default();
            share.records += records;
            share.withheld += withheld;
        }
        // Where no value is understood there are no groups.
        if shares.keys().any(|word| ![OTHERS, UNKNOWN].contains(word)) {
            self.columns.push((name, group, shares));
        }
    }

    /// The lines.
    pub(crate) fn lines(&self, records: u64, withheld: u64) -> Vec<ChecklistLine> {
        let all = Share { records, withheld };
        let whole = |line: ChecklistLine| line.count("records", records).count("withheld", withheld);
        if withheld == 0 {
            return vec![whole(ChecklistLine::ok(Check::Withheld, "nobody was withheld"))];
        }
        let mut lines = Vec::new();
        for (name, _, shares) in &self.columns {
            let is_unlike = |share: &Share| {
                let own = share.of_itself();
                own >= TIMES * all.of_itself() && own - all.of_itself() >= MORE
            };
            let lines_of = shares.iter().map(|(word, share)| {
                let more = if is_unlike(share) { ": more than twice as many as of all" } else { "" };
                let advice = if is_unlike(share) { Advice::Look } else { Advice::Ok };
                let own = percent(share.of_itself());
                let what = format!("{own} of the records of {word} were withheld{more}");
                let line = about(Check::Withheld, advice, name, &what).number("group", ChecklistNumber::Word(word));
                line.count("records", share.records).count("withheld", share.withheld).share("share", share.of_itself())
            });
            lines.extend(lines_of);
        }
        let missing: Vec<&str> = [("sex", [Group::Sex, Group::Sex]), ("age", [Group::Age, Group::Birth])]
            .into_iter()
            .filter(|(_, groups)| self.columns.iter().all(|(_, group, _)| !groups.contains(group)))
            .map(|(what, _)| what)
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "{} of all records were withheld; by {} nothing is known: no quasi-identifier of that name was understood",
                percent(all.of_itself()),
                missing.join(" and ")
            );
            lines.push(whole(ChecklistLine::look(Check::Withheld, message)));
        }
        lines
    }
}

/// What is withheld of the groups of a table, given the class of each key and which classes are kept.
pub(crate) fn of_table(table: &Table, class_of: &[u32], verdict: &Verdict) -> Vec<ChecklistLine> {
    let keys = table.keys();
    let mut withheld = WithheldCounts::default();
    for (place, variable) in table.variables.iter().enumerate() {
        let values = variable.hierarchy.values();
        let of_key = |key: usize| {
            let (records, kept) = (keys.sizes[key], verdict.kept[class_of[key] as usize]);
            let value = values.get(table.value(keys, key, place) as usize).map_or("", String::as_str);
            (value, records, if kept { 0 } else { records })
        };
        withheld.add(&variable.name, (0..keys.len()).map(of_key));
    }
    withheld.lines(table.records, verdict.suppressed)
}

/// The word for the group that a value belongs to.
fn word(group: Group, value: &str) -> &'static str {
    match group {
        Group::Sex => {
            let value = folded(value);
            let is_of = |words: &[&str]| words.contains(&value.as_str());
            if is_of(WOMEN) {
                "women"
            } else if is_of(MEN) {
                "men"
            } else {
                OTHERS
            }
        }
        Group::Age => Decimal::parse(value.trim()).and_then(whole).map_or(UNKNOWN, band),
        Group::Birth => year(value).map_or(UNKNOWN, generation),
    }
}

/// The group of that word, from a report that was written before.
pub(crate) fn group_of(word: &str) -> Option<&'static str> {
    let bands = [0, 18, 40, 65, 80].map(band);
    let generations = [1929, 1930, 1950, 1970, 1990, 2010].map(generation);
    let mut all = bands.into_iter().chain(generations).chain(["women", "men", OTHERS, UNKNOWN]);
    all.find(|one| *one == word)
}

fn whole(number: Decimal) -> Option<i128> {
    number.at(0).or_else(|| number.at(3).map(|thousandths| thousandths.div_euclid(1000)))
}

fn band(age: i128) -> &'static str {
    match age {
        ..18 => "people under 18",
        18..40 => "people of 18 to 39",
        40..65 => "people of 40 to 64",
        65..80 => "people of 65 to 79",
        _ => "people of 80 and more",
    }
}

/// The year in a date or by itself: the only number of four digits.
fn year(value: &str) -> Option<u32> {
    let mut years = value.split(|letter: char| !letter.is_ascii_digit()).filter(|part| part.len() == 4);
    let year = years.next()?.parse().ok()?;
    years.next().is_none().then_some(year)
}

fn generation(year: u32) -> &'static str {
    match year {
        ..1930 => "people born before 1930",
        1930..1950 => "people born from 1930 to 1949",
        1950..1970 => "people born from 1950 to 1969",
        1970..1990 => "people born from 1970 to 1989",
        1990..2010 => "people born from 1990 to 2009",
        _ => "people born from 2010 on",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_words_of_our_own() {
        for (group, value, expected) in [
            (Group::Sex, " W ", "women"),
            (Group::Sex, "männlich", "men"),
            (Group::Sex, "divers", "others"),
            (Group::Age, "39.5", "people of 18 to 39"),
            (Group::Age, "*", "people without an age"),
            (Group::Birth, "19.04.1976", "people born from 1970 to 1989"),
            (Group::Birth, "1949", "people born from 1930 to 1949"),
            (Group::Birth, "", "people without an age"),
        ] {
            assert_eq!(word(group, value), expected, "{value}");
        }
    }

    #[test]
    fn a_group_that_loses_more_is_looked_at() {
        let mut withheld = WithheldCounts::default();
        withheld.add("sex", [("f", 500, 5), ("m", 480, 5), ("d", 20, 10)].into_iter());
        withheld.add("alter", [("30", 900, 18), ("85", 100, 2)].into_iter());
        withheld.add("ward", [("a", 1000, 20)].into_iter());
        let lines = withheld.lines(1000, 20);
        let found: Vec<_> = lines.iter().map(|line| (line.column.as_deref().unwrap_or(""), line.advice)).collect();
        let expected = [
            ("sex", Advice::Ok),
            ("sex", Advice::Look),
            ("sex", Advice::Ok),
            ("alter", Advice::Ok),
            ("alter", Advice::Ok),
        ];
        assert_eq!(found, expected);
        assert!(lines[1].message.starts_with("column `sex`: 50% of the records of others"), "{lines:?}");
    }

    #[test]
    fn what_is_not_known_is_said() {
        let mut withheld = WithheldCounts::default();
        withheld.add("sex", [("1", 10, 1), ("2", 10, 1)].into_iter());
        let lines = withheld.lines(20, 2);
        assert!(lines.len() == 1 && lines[0].message.contains("by sex and age nothing is known"), "{lines:?}");
        assert_eq!(withheld.lines(20, 0)[0].advice, Advice::Ok);
    }
}
