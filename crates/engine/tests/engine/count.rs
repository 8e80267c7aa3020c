//! Counting keys: in memory, beyond it, and when keys do not fit in a word.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use equanym_engine::count::parts::KeyParts;
use equanym_engine::count::{Keys, count};
use equanym_engine::machine::{Resources, Runtime};
use equanym_engine::progress::Silent;
use equanym_engine::read::{Reading, open};
use tempfile::tempdir;

type Counts = BTreeMap<Vec<String>, u64>;

/// Two files of rows with so many columns; `value` gives the cells.
fn write(folder: &Path, rows: usize, columns: usize, value: impl Fn(usize, usize) -> usize) -> Counts {
    let mut counts = Counts::new();
    for file in 0..2 {
        let header: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
        let mut text = header.join(",") + "\n";
        for row in (0..rows).filter(|row| row % 2 == file) {
            let cells: Vec<String> = (0..columns).map(|column| value(row, column).to_string()).collect();
            writeln!(text, "{}", cells.join(",")).unwrap();
            *counts.entry(cells).or_default() += 1;
        }
        fs::write(folder.join(format!("{file}.csv")), text).unwrap();
    }
    counts
}

fn counted(folder: &Path, memory: usize) -> (Counts, u64) {
    let source = open(folder, &Reading::default()).unwrap();
    let spill = tempdir().unwrap();
    let resources = Resources { threads: 2, memory, ..Resources::default() };
    let runtime = Runtime::start(&resources, Some(spill.path())).unwrap();
    let Keys { values, rows, .. } =
        count(&source, &KeyParts::first(source.columns().len()), &runtime, &Silent).unwrap();
    let columns = || rows.codes.quasi.iter().zip(&values.quasi);
    let key = |row: usize| columns().map(move |(codes, values)| values[codes[row] as usize].clone());
    let mut found = Counts::new();
    for (row, times) in rows.counts.iter().enumerate() {
        assert_eq!(found.insert(key(row).collect(), *times), None, "a key is there twice");
    }
    (found, runtime.spilled())
}

#[test]
fn memory_changes_nothing_that_is_counted() {
    let folder = tempdir().unwrap();
    // 60,000 keys, each of which is in both files and most twice.
    let expected =
        write(folder.path(), 150_000, 3, |row, column| [row % 400, (row / 2) % 60_000 % 150, row % 7][column]);
    assert_eq!(counted(folder.path(), 1 << 30), (expected.clone(), 0));
    let (found, _) = counted(folder.path(), 6 << 20);
    assert!(found == expected, "with little memory the counts differ");
}

#[test]
fn keys_longer_than_a_word_are_counted_too() {
    let folder = tempdir().unwrap();
    let mixed = |row: usize, column: usize| (row * (2 * column + 7919) + row * row % 31) % 700;
    let expected = write(folder.path(), 20_000, 8, |row, column| mixed(row % 9000, column));
    assert_eq!(counted(folder.path(), 1 << 30).0, expected);
}
