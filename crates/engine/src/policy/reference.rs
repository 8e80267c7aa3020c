//! The reference of a policy as a page: every table, every key, every parameter of every member.
//!
//! Made from the lists that the reader itself allows keys by, and from the cards. `docs/policy.md` is this page; a test
//! compares them.

use std::fmt::Write;

use equanym_core::card::{Card, Parameter};

use super::POLICY;
use super::keys::{KeyShape, Members, PolicyKey, Section};

/// The page, as Markdown.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(HEAD);
    for section in sections() {
        let _ = write!(page, "\n## {}\n\n{}\n\n", anchorless(section.place), section.about);
        table(&mut page, section.keys.iter().chain(&(section.more)()));
        section.members.iter().for_each(|members| of_members(&mut page, members));
    }
    page
}

const HEAD: &str = "\
# The policy, key by key

A policy is a TOML file that says what is asked of a release. It is read strictly: a key that is not on this page is refused,
with its line and the nearest key that is. `equanym draft` writes a first one. `equanym schema` prints a JSON schema with which
editors complete and check policies. This page is made by `equanym schema --page`.
";

/// Every table, each before those that stand in it.
fn sections() -> Vec<&'static Section> {
    let mut sections = Vec::new();
    collect(&POLICY, &mut sections);
    sections
}

fn collect(section: &'static Section, sections: &mut Vec<&'static Section>) {
    if sections.iter().any(|known| known.place == section.place) {
        return;
    }
    sections.push(section);
    section.keys.iter().for_each(|key| inside(&key.takes, sections));
}

fn inside(takes: &'static KeyShape, sections: &mut Vec<&'static Section>) {
    match takes {
        KeyShape::Table(section) => collect(section, sections),
        KeyShape::List(one) | KeyShape::Named(one) => inside(one, sections),
        KeyShape::Either(some) => some.iter().for_each(|one| inside(one, sections)),
        _ => {}
    }
}

/// A place as a heading: what stands in angle brackets is no markup.
fn anchorless(place: &str) -> String {
    if place.starts_with('[') { format!("`{place}`") } else { place.to_owned() }
}

fn table<'a>(page: &mut String, keys: impl Iterator<Item = &'a PolicyKey>) {
    page.push_str("| Key | Takes | Without it | Meaning |\n|---|---|---|---|\n");
    for key in keys {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            key.name,
            cell(&key.takes.wanted()),
            cell(key.default),
            cell(key.meaning)
        );
    }
}

fn of_members(page: &mut String, members: &Members) {
    let (taking, bare): (Vec<&Card>, Vec<&Card>) =
        (members.cards)().into_iter().partition(|card| !card.parameters.is_empty());
    for card in taking {
        let _ = write!(page, "\nWith `{} = \"{}\"`: {}.\n\n", members.key, card.name, card.summary);
        page.push_str("| Parameter | Takes | Without it | Meaning |\n|---|---|---|---|\n");
        card.parameters.iter().for_each(|parameter| of_parameter(page, parameter));
    }
    if !bare.is_empty() {
        let names: Vec<String> = bare.iter().map(|card| format!("`\"{}\"` ({})", card.name, card.summary)).collect();
        let _ = write!(page, "\nWithout parameters of their own are, for `{}`: {}.\n", members.key, names.join("; "));
    }
}

fn of_parameter(page: &mut String, parameter: &Parameter) {
    let wanted = KeyShape::Parameter(parameter.kind).wanted();
    let default = parameter.default.unwrap_or("compulsory");
    let _ = writeln!(
        page,
        "| `{}` | {} | {} | {} |",
        parameter.name,
        cell(&wanted),
        cell(default),
        cell(parameter.summary)
    );
}

/// A text that can stand in a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
