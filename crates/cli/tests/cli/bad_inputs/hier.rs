//! Hierarchy files.

use std::fmt::Write;

use super::run::{CANARY, IDENTIFYING, PAIRS, QUASI, Stage, policy};

/// Pairs of the values `a`, `b` and `c` with this hierarchy file; privacy that only the top of a short ladder gives when
/// `k` is large.
fn stage(ladder: &str, k: usize) -> Stage {
    let file = format!("{QUASI}\nhierarchy = {{ file = \"ladder.csv\" }}");
    let text = policy(&[("name", IDENTIFYING), ("v", &file)], &PAIRS.replace('2', &k.to_string()));
    let mut table = "name,v\n".to_owned();
    for value in ["a", "a", "b", "b", "c", "c"] {
        writeln!(table, "{CANARY},{value}").unwrap();
    }
    let stage = Stage::with(table, &text);
    stage.write("ladder.csv", ladder);
    stage
}

#[test]
fn value_missing_from_hierarchy() {
    let stage = stage("a;x;*\nb;x;*\nc;y;*\n", 2);
    let mut table = "name,v\nx,a\n".to_owned();
    for number in 0..7 {
        writeln!(table, "{CANARY},{CANARY}{number}").unwrap();
    }
    stage.write("data.csv", table);
    let ran = stage.release("data.csv", &[]).refused(2);
    assert!(ran.stderr.contains("--show-values") && !ran.stderr.contains("\"Zq\""), "{ran:?}");
    let ran = stage.release("data.csv", &["--show-values"]).refused(2);
    assert_eq!(ran.stderr.matches("\"Zq\"… (10 characters)").count(), 5, "{ran:?}");
}

#[test]
fn value_with_two_different_parents() {
    stage("a;x;*\nb;x;*\na;y;*\nc;y;*\n", 2).release("data.csv", &[]).refused(2);
}

#[test]
fn missing_common_root() {
    let release = stage("a;x\nb;x\nc;y\n", 6).release("data.csv", &[]).released();
    assert_eq!(release.document["node"]["v"], 2, "the top is added");
    assert_eq!(release.data(), format!("v\n{}", "*\n".repeat(6)));
}

#[test]
fn cycle() {
    stage("a;b;*\nb;a;*\nc;c2;*\n", 2).release("data.csv", &[]).refused(2);
}

#[test]
fn duplicate_leaf_lines() {
    stage("a;x;*\nb;x;*\nc;y;*\nb;x;*\n", 2).release("data.csv", &[]).refused(2);
}

#[test]
fn ragged_hierarchy_rows() {
    stage("a;x;*\nb;x\nc;y;*\n", 2).release("data.csv", &[]).refused(2);
}

#[test]
fn leaf_label_equals_parent_label() {
    let stage = stage("a;a;*\nb;x;*\nc;x;*\n", 2);
    let release = stage.release("data.csv", &[]).released();
    release.warned(&["`v`", "hierarchy file", "1 finding", "hierarchy lint"]);
    let arguments = ["hierarchy", "lint", "ladder.csv"].map(std::ffi::OsStr::new);
    let lint = stage.finish(&mut stage.command(&arguments));
    assert!(lint.code == Some(0) && lint.stdout.contains("same-as-parent"), "{lint:?}");
}

#[test]
fn band_that_ends_below_its_start() {
    let release = stage("a;[20, 22[;*\nb;[24, 22[;*\nc;[22, 24[;*\n", 2).release("data.csv", &[]).released();
    release.warned(&["`v`", "1 finding", "hierarchy lint"]);
}
