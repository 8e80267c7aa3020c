//! Policy and data, policy and release.

use std::path::Path;

use equanym_engine::error::Error;
use equanym_engine::policy::Policy;

use super::{columns, read};
use crate::stage::refused;

fn listing(names: &[&str]) -> Policy {
    let table = |name: &&str| format!("[variables.\"{name}\"]\nrole = \"insensitive\"\n");
    read(&names.iter().map(table).collect::<String>())
}

fn mismatch(listed: &[&str], found: &[&str]) -> Error {
    refused(listing(listed).check_columns(&columns(found)), Path::new("no folder"))
}

#[test]
fn columns_match_in_any_order() {
    listing(&["a", "b"]).check_columns(&columns(&["b", "a"])).unwrap();
    listing(&[]).check_columns(&[]).unwrap();
}

#[test]
fn an_unlisted_column_is_never_released() {
    mismatch(&["age"], &["age", "name", "phone"]);
    let many: Vec<String> = (0..100).map(|number| format!("column{number}")).collect();
    refused(listing(&["column0"]).check_columns(&many), Path::new("no folder"));
}

#[test]
fn a_listed_column_exists() {
    mismatch(&["age", "zipcode"], &["age", "zip_code"]);
    mismatch(&["age", "zip"], &["age"]);
    mismatch(&["age"], &["Age"]);
    mismatch(&["age"], &[]);
}

#[test]
fn a_single_column_raises_suspicion() {
    for header in ["name;age;zip", "name,age,zip", "name\tage\tzip", "name|\"age\"|zip"] {
        mismatch(&["name", "age", "zip"], &[header]);
    }
}

#[test]
fn a_file_without_a_header_tells_no_values() {
    let message = mismatch(&["name", "age"], &["Smith", "44"]);
    assert!(!message.to_string().contains("Smith"), "{message}");
}

#[test]
fn a_release_needs_something_to_do() {
    for role in ["sensitive", "quasi-identifying"] {
        refused(read(&format!("[variables.x]\nrole = {role:?}")).require_release(), Path::new("no folder"));
    }
}
