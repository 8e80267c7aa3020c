//! What the program refuses, with its whole message and exit code: pages that are run as those of the manual are ([`docs`]).
//!
//! Each page begins in a folder with `people.csv`, its policy `base.toml` and a release of both in `released`. A refusal leaves
//! everything as it was and shows no cell. `EQUANYM_BLESS=1` writes the messages anew: read what changed.

use std::fs;
use std::path::Path;

use crate::docs::{self, Session};
use crate::program::stage::{POLICY, people};

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/refusals").join(name);
    let page = fs::read_to_string(&path).unwrap();
    let mut session = Session::empty();
    session.write("people.csv", people(120));
    session.write("base.toml", POLICY.to_owned());
    session.run("```console\n$ equanym release people.csv --policy base.toml --out released --quiet\n```\n", &path);
    session.refuses = true;
    docs::compare(&path, &page, session.run(&page, &path));
}

#[test]
fn releases() {
    check("release.md");
}

#[test]
fn policies() {
    check("policy.md");
}

#[test]
fn balances() {
    check("balance.md");
}

#[test]
fn maps_and_alternatives() {
    check("choice.md");
}

#[test]
fn other_commands() {
    check("others.md");
}
