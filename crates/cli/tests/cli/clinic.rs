//! A clinic's messy table, from its file to a release without an edit, whatever the format of the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::stage::Stage;

#[path = "../../../../examples/clinic/file.rs"]
pub mod file;
#[path = "../../../../examples/clinic/table.rs"]
pub mod table;
#[path = "../../../../examples/clinic/words.rs"]
mod words;

/// Fewer than the example has, for speed.
const RECORDS: usize = 6000;

/// The seed of the example.
pub const SEED: u64 = 18;

/// The records of a released file, sorted, whatever its delimiter, encoding and decimal sign.
fn released(path: &Path) -> Vec<Vec<String>> {
    let bytes = fs::read(path).unwrap();
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect());
    let delimiter = if text.lines().next().unwrap().contains(';') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(text.as_bytes());
    let with_points = |cell: &str| {
        let is_range = delimiter == b';' && cell.starts_with('[');
        if is_range { cell.replace(',', ".").replace("; ", ", ") } else { cell.to_owned() }
    };
    let mut rows: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(with_points).collect()).collect();
    rows[1..].sort();
    rows
}

/// Drafts a policy for a file and releases it with that policy.
fn draft_and_release(stage: &Stage, format: &str) -> (Value, Value, Vec<Vec<String>>) {
    let (data, policy, out) = (format!("clinic.{format}"), format!("{format}.toml"), format!("out-{format}"));
    let drafted = stage.run(["draft", &data, "--out", &policy, "--json"]).done().json();
    let report = stage.run(["release", &data, "--policy", &policy, "--out", &out, "--json"]).done().json();
    (drafted, report, released(&stage.path(format!("{out}/public/data.csv"))))
}

fn roles(drafted: &Value) -> BTreeMap<&str, &str> {
    let columns = drafted["columns"].as_array().unwrap().iter();
    columns.map(|column| (column["name"].as_str().unwrap(), column["role"].as_str().unwrap())).collect()
}

#[test]
fn a_clinic_is_drafted_and_released_without_an_edit() {
    let stage = Stage::empty();
    let records = table::admissions(RECORDS, SEED);
    for format in ["csv", "xlsx", "parquet"] {
        file::write(&stage.path(format!("clinic.{format}")), &records).unwrap();
    }
    let (drafted, report, rows) = draft_and_release(&stage, "csv");

    let of = |role: &str| -> Vec<&str> {
        roles(&drafted).into_iter().filter(|(_, found)| *found == role).map(|(name, _)| name).collect()
    };
    assert_eq!(of("identifying"), ["Bemerkung", "Fallnummer", "Nachname", "Versichertennr", "Vorname"]);
    assert_eq!(of("sensitive"), ["Hauptdiagnose"]);
    assert_eq!(of("insensitive"), [""; 0]);
    assert_eq!(drafted["person"], "Versichertennr");
    let policy = stage.read("csv.toml");
    for line in ["encoding = \"windows-1252\"", "decimal = \",\"", "delimiter = \";\"", "missing = [\"NA\", \"leer\"]"]
    {
        assert!(policy.contains(line), "{line}\n{policy}");
    }
    assert!(policy.contains("[variables.PLZ]") && policy.contains("width = 5"), "{policy}");
    for cell in records.iter().flatten() {
        if let table::Cell::Text(text) = cell {
            assert!(text.chars().count() < 4 || !policy.contains(text.as_str()), "{text}\n{policy}");
        }
    }

    // People are counted, and few columns end as `*`.
    assert!(report["persons"].as_u64().unwrap() < report["records"].as_u64().unwrap(), "{report}");
    let is_star = |place: usize| rows[1..].iter().all(|row| row[place] == "*");
    let stars = (0..rows[0].len()).filter(|place| is_star(*place)).count();
    assert!(stars * 3 <= of("quasi-identifying").len(), "{stars} of {:?}", of("quasi-identifying"));

    // Nothing that people wrote freely is in it, nor a name.
    assert!(!rows[0].iter().any(|name| name == "Bemerkung"));
    for name in words::LAST_NAMES {
        assert!(!rows.iter().flatten().any(|cell| cell.contains(name)), "{name}");
    }

    // Nothing forbids to hand it over, and what is looked at is all there is.
    let checklist = report["checklist"].as_array().unwrap();
    for line in checklist {
        assert!(["ok", "look"].map(Value::from).contains(&line["verdict"]), "{line}");
    }
    let verdict = |check: &str| checklist.iter().find(|line| line["check"] == check).map(|line| &line["verdict"]);
    for check in ["guarantee", "people", "repeated-id", "free-text", "e-mail", "phone", "names", "unguarded", "detail"]
    {
        assert_eq!(verdict(check), Some(&Value::from("ok")), "{check}: {checklist:#?}");
    }
    let people = checklist.iter().find(|line| line["check"] == "people").unwrap();
    assert_eq!((&people["records"], &people["people"]), (&report["records"], &report["persons"]));

    // The same from cells with types.
    for format in ["xlsx", "parquet"] {
        let (other, _, same) = draft_and_release(&stage, format);
        assert_eq!(roles(&other), roles(&drafted), "{format}");
        assert!(same == rows, "{format}: other rows");
    }
}

#[test]
fn the_clinic_is_made_by_its_seed() {
    let text = |records, seed| file::text(&table::admissions(records, seed));
    assert_eq!(text(200, 18), text(200, 18));
    assert_ne!(text(200, 18), text(200, 19));
    let (short, long) = (text(50, 18), text(200, 18));
    assert!(long.starts_with(&short));
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[0], table::COLUMNS.join(";"));
    assert!(lines.iter().all(|line| line.split(';').count() == table::COLUMNS.len()));
    for mess in [";NA;", ";leer;", ";;", ",5;", "ü"] {
        assert!(long.contains(mess), "{mess}");
    }
    let postal = |line: &&str| line.split(';').nth(6).unwrap().len();
    assert!(lines.iter().any(|line| postal(line) == 4) && lines.iter().any(|line| postal(line) == 5));
}
