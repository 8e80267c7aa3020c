//! Each cell and each record, changed, added or taken away.

use serde_json::json;

use super::Mutant;
use crate::release::{Release, Rows, rows};

/// One cell, or one record, is another; the order is canonical again.
pub fn mutants(written: impl Fn(&Rows) -> Vec<u8>, is_parquet: bool) -> Vec<Mutant> {
    let release = |rows: &Rows| {
        let mut release = if is_parquet { Release::parquet() } else { Release::honest() };
        release.set_data(&written(rows));
        release
    };
    let mut mutants = Vec::new();
    let mut push = |name: String, mut rows: Rows, sorted: bool| {
        if sorted {
            rows.sort();
        }
        mutants.push((name, release(&rows)));
    };
    let honest = rows();
    for (record, row) in honest.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            let elsewhere = honest.iter().map(|row| &row[column]).find(|other| *other != cell);
            for (what, value) in [("strange", Some("x1")), ("of another", elsewhere.map(String::as_str))] {
                let mut rows = honest.clone();
                let Some(value) = value else { continue };
                value.clone_into(&mut rows[record][column]);
                push(format!("cell {record} {column} {what}"), rows, true);
            }
        }
        let mut absent = honest.clone();
        absent.remove(record);
        push(format!("record {record} absent"), absent, true);
        let mut twice = honest.clone();
        twice.push(row.clone());
        push(format!("record {record} twice"), twice, true);
        if record > 0 && honest[record - 1] != *row {
            let mut swapped = honest.clone();
            swapped.swap(record - 1, record);
            push(format!("record {record} too early"), swapped, false);
        }
    }
    push("no records".to_owned(), Rows::new(), false);
    mutants.extend((10..16).map(|record| {
        let mut rows = honest.clone();
        rows.remove(record);
        let mut release = release(&rows);
        // Every count is put right: only the original tells that a class was torn apart.
        release.claim("/records", json!({"original": 17, "released": 15, "suppressed": 2}));
        release.claim("/suppression_limit", json!(0.12));
        release.claim("/classes/max", json!(5));
        (format!("record {record} withheld"), release)
    }));
    mutants
}
