//! Policy and data, policy and release.

use equanym_engine::policy::Policy;

use super::{columns, read};

fn listing(names: &[&str]) -> Policy {
    let table = |name: &&str| format!("[variables.\"{name}\"]\nrole = \"insensitive\"\n");
    read(&names.iter().map(table).collect::<String>())
}

fn mismatch(listed: &[&str], found: &[&str]) -> String {
    let error = listing(listed).check_columns(&columns(found)).expect_err("columns differ");
    assert_eq!(error.exit_code(), 2);
    error.to_string()
}

#[test]
fn columns_match_in_any_order() {
    listing(&["a", "b"]).check_columns(&columns(&["b", "a"])).unwrap();
    listing(&[]).check_columns(&[]).unwrap();
}

#[test]
fn an_unlisted_column_is_never_released() {
    let message = mismatch(&["age"], &["age", "name", "phone"]);
    assert!(message.contains("`name`, `phone`; never released by default"), "{message}");
    let many: Vec<String> = (0..100).map(|number| format!("column{number}")).collect();
    let message = listing(&["column0"]).check_columns(&many).unwrap_err().to_string();
    assert!(message.contains("`column10` and 89 more"), "{message}");
}

#[test]
fn a_listed_column_exists() {
    let message = mismatch(&["age", "zipcode"], &["age", "zip_code"]);
    assert!(message.starts_with("policy line 3: the data has no column `zipcode`"), "{message}");
    assert!(message.contains("did you mean `zip_code`?"), "{message}");
    let message = mismatch(&["age", "zip"], &["age"]);
    assert!(message.contains("no column `zip`") && message.contains("remove it from the policy"), "{message}");
    assert!(mismatch(&["age"], &["Age"]).contains("did you mean `Age`?"));
    assert!(mismatch(&["age"], &[]).contains("no column `age`"));
}

#[test]
fn a_single_column_raises_suspicion() {
    for (header, shown) in
        [("name;age;zip", ";"), ("name,age,zip", ","), ("name\tage\tzip", "\\t"), ("name|\"age\"|zip", "|")]
    {
        let message = mismatch(&["name", "age", "zip"], &[header]);
        let start = format!("1 column found, the policy names 3; delimiter `{shown}` suspected");
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains(&format!("delimiter = \"{shown}\"")), "{message}");
    }
}

#[test]
fn a_file_without_a_header_tells_no_values() {
    let message = mismatch(&["name", "age"], &["Smith", "44"]);
    assert!(message.contains("2 columns found, the policy names 2, and no name is in both"), "{message}");
    assert!(message.contains("header") && !message.contains("Smith"), "{message}");
}

#[test]
fn a_release_needs_something_to_do() {
    let lacking = |text: &str| read(text).require_release().unwrap_err().to_string();
    assert!(lacking("[variables.x]\nrole = \"sensitive\"").contains("no quasi-identifying variable"));
    let message = lacking("[variables.x]\nrole = \"quasi-identifying\"");
    assert!(message.contains("no [[privacy]]") && message.contains("k-anonymity"), "{message}");
}
