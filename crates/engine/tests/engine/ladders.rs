//! Hierarchy files: made, checked and shown.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_core::hierarchy::Severity;
use equanym_engine::error::{Kind, Result};
use equanym_engine::machine::Resources;
use equanym_engine::progress::{Progress, Silent};
use equanym_engine::read::Reading;
use equanym_engine::run::hierarchy::{
    Builder, ColumnValues, build, climb, column_values, library, lint, propose, show,
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::stage::refused;

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn file(text: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("ladder.csv");
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// Values of which each occurs once.
fn once(values: &[&str]) -> ColumnValues {
    ColumnValues { values: texts(values), records: vec![1; values.len()] }
}

fn values_of(table: &str, column: &str, memory: usize) -> Result<ColumnValues> {
    let (_folder, path) = file(table.as_bytes());
    let progress: Arc<dyn Progress> = Arc::new(Silent);
    column_values(
        &path,
        &Reading::default(),
        column,
        &Resources { threads: 1, memory, ..Resources::default() },
        &progress,
    )
}

#[test]
fn a_column_becomes_a_file() {
    let column = values_of("name,zip\na,69115\nb,69117\nc,\nd,69115\n", "zip", 1 << 20).unwrap();
    assert_eq!(column, ColumnValues { values: texts(&["", "69115", "69117"]), records: vec![1, 2, 1] });
    let made = build(&Builder::Prefix { keep: vec![4, 2] }, &column).unwrap();
    assert_eq!(made, ";;;*\n69115;6911*;69*;*\n69117;6911*;69*;*\n");
    assert_eq!(build(&propose(&column.values), &column).unwrap().lines().count(), 3);
    let rare = Builder::Rare { below: vec![2], label: "other".into() };
    assert_eq!(build(&rare, &column).unwrap(), ";;*\n69115;69115;*\n69117;other;*\n");
}

#[test]
fn what_cannot_be_built_is_refused_without_values() {
    for (builder, values) in [
        (Builder::intervals(texts(&["5"])), once(&["17", "secret"])),
        (Builder::None, once(&[])),
        (Builder::None, once(&["secret\0"])),
    ] {
        assert!(!refused(build(&builder, &values), Path::new("no folder")).to_string().contains("secret"));
    }
}

#[test]
fn a_value_climbs_a_ladder_of_the_library() {
    let icd = library::find("icd-10").unwrap();
    let labels = |value: &str| climb(icd, value).unwrap().levels.into_iter().map(|one| one.label).collect::<Vec<_>>();
    assert_eq!(labels("I50.14"), ["I50.14", "I50.1", "I50", "I30-I52", "I00-I99", "*"]);
    for value in ["heart", ""] {
        assert!(!refused(climb(icd, value), Path::new("no folder")).to_string().contains("heart"));
    }
    let ages = Builder::Library(library::find("age-hipaa").unwrap());
    refused(build(&ages, &once(&["17"])), Path::new("no folder"));
}

#[test]
fn a_column_that_is_not_there_is_named() {
    let error = values_of("name,zip\na,1\n", "zipp", 1 << 20).unwrap_err();
    assert_eq!(error.to_string(), "the data has no column `zipp`\nhint: did you mean `zip`?");
}

#[test]
fn too_many_values_are_refused() {
    let table = (0..1000).fold("id\n".to_owned(), |text, number| text + &format!("{number}\n"));
    assert_eq!(values_of(&table, "id", 1000).unwrap_err().kind, Kind::Environment);
    assert_eq!(values_of(&table, "id", 1 << 20).unwrap().values.len(), 1000);
}

#[test]
fn lint_lists_findings() {
    let (_folder, path) = file(b"a;x;*\nb;y;*\na;y;*\n");
    let found = lint(&path, None).unwrap();
    assert_eq!(
        found.iter().map(|one| (one.code, one.lines.clone())).collect::<Vec<_>>(),
        [("two-parents", vec![1, 3])]
    );
    let (_folder, path) = file(b"a;x;*\nb;y;*\n");
    assert_eq!(lint(&path, None).unwrap(), []);
    let found = lint(&path, Some(&texts(&["a", "secret"]))).unwrap();
    assert_eq!(found.iter().map(|one| one.code).collect::<Vec<_>>(), ["unlisted"]);
    assert!(!serde_json::to_string(&found).unwrap().contains("secret"));
}

#[test]
fn a_file_that_is_no_table_has_one_finding() {
    for (text, line) in [(&b"a;x\n\"b;y\n"[..], 2), (b"a;x\nb;\"y\"z\n", 2), (b"a;x\nb\0;y\n", 2)] {
        let (_folder, path) = file(text);
        let found = lint(&path, None).unwrap();
        assert_eq!((found.len(), found[0].code, found[0].severity), (1, "unreadable", Severity::Error));
        assert_eq!(found[0].lines, [line]);
        assert_eq!(show(&path).unwrap_err().kind, Kind::Input);
    }
}

#[test]
fn show_counts_labels_and_shows_no_value() {
    let (_folder, path) = file(b"Single;Never;*\nMarried;Ever;*\nWidowed;Ever;*\nOther;Other;*\n");
    let view = show(&path).unwrap();
    assert_eq!((view.separator, view.values, view.nested), (';', 4, true));
    assert_eq!(view.levels.iter().map(|level| level.labels).collect::<Vec<_>>(), [4, 3, 1]);
    assert_eq!(view.levels[0].examples, texts(&[]));
    assert_eq!(view.levels[1].examples, texts(&["Never", "Ever"]));
    assert_eq!(view.levels[2].examples, texts(&["*"]));
    let json = serde_json::to_string(&view).unwrap();
    assert!(!json.contains("Widowed"));
    assert!(json.contains("\"first_unnested\":null"));
}

#[test]
fn show_finds_levels_that_split() {
    let (_folder, path) = file(b"a;x;p\nb;x;q\nc;y;q\n");
    let view = show(&path).unwrap();
    assert_eq!((view.nested, view.first_unnested, view.levels.len()), (false, Some(2), 4));
}

#[test]
fn files_that_cannot_be_read_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let missing = show(&folder.path().join("none.csv")).unwrap_err();
    assert!(missing.kind == Kind::Input && missing.message.starts_with("there is no file"), "{missing}");
    let no_file = lint(folder.path(), None).unwrap_err();
    assert!(no_file.kind == Kind::Input && no_file.message.ends_with("is a folder, not a file"), "{no_file}");
    let (_folder, path) = file(b"a;x\nb\xff;y\n");
    assert!(show(&path).unwrap_err().message.ends_with("is not UTF-8 on line 2"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_built_is_clean_and_lists_all(values in prop::collection::btree_set("[ab1-3;,\"\t ]{0,4}", 1..12)) {
        let values: Vec<String> = values.into_iter().collect();
        let column = ColumnValues { values: values.clone(), records: vec![1; values.len()] };
        let (_folder, path) = file(build(&propose(&values), &column).unwrap().as_bytes());
        let found = lint(&path, Some(&values)).unwrap();
        prop_assert!(found.iter().all(|one| one.severity == Severity::Warning), "{:?}", found);
    }
}
