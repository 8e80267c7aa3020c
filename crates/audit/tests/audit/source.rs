//! The table that the honest release was made from, and its mask.

use std::path::PathBuf;

use equanym_audit::{AuditError, Options, Original, Verdict};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::release::{HEADER, Release, Rows, options, rows};

/// A table in memory.
pub struct Source {
    pub columns: Vec<String>,
    pub records: Rows,
}

impl Original for Source {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn read(&self, see: &mut dyn FnMut(&[&str])) -> Result<(), AuditError> {
        for record in &self.records {
            see(&record.iter().map(String::as_str).collect::<Vec<_>>());
        }
        Ok(())
    }
}

impl Source {
    /// The 17 records that were collected: those of the honest release before they were recoded, and one that is alone.
    pub fn honest() -> Self {
        let mut records = Rows::new();
        for (place, row) in rows().into_iter().enumerate() {
            let age = match row[0].as_str() {
                "[-5, 0[" => ["-1", "-5", "-2.50", "-5e0", "-0.1"][place % 5],
                "[25, 30[" => ["25", "29", "29.9", "2.7e1", "+26"][place % 5],
                other => other,
            };
            let zip = if row[2] == "123*" { format!("123{:02}", place * 5) } else { row[2].clone() };
            let admitted = format!("{}-{:02}", row[3], place + 1);
            let education = match row[4].as_str() {
                "Higher" => ["Master", "Doctor"][place % 2],
                _ => "School",
            };
            let name = format!("name {place}");
            let race = ["a", "b", ""][place % 3];
            let cells = [&name, &row[1], age, &zip, &admitted, education, race, &row[6], &row[7]];
            records.push(cells.map(str::to_owned).to_vec());
        }
        let alone = ["alone", "f", "99", "55555", "2026-05-05", "School", "c", "I10", "note 9"];
        records.push(alone.map(str::to_owned).to_vec());
        records.reverse();
        let columns = ["name", "sex", "age"].into_iter().chain(HEADER.into_iter().skip(2));
        Self { columns: columns.map(str::to_owned).collect(), records }
    }

    /// The honest table with something changed.
    pub fn changed(change: impl FnOnce(&mut Rows)) -> Self {
        let mut source = Self::honest();
        change(&mut source.records);
        source
    }

    pub fn audit(&self, release: &Release, mask: Option<&Mask>) -> Result<Verdict, AuditError> {
        let mask = mask.map(|mask| mask.path.as_path());
        release.audit_with(&Options { original: Some(self), mask, ..options() })
    }
}

/// A stored mask.
pub struct Mask {
    _folder: TempDir,
    path: PathBuf,
}

impl Mask {
    /// The mask of a release, in its format and with its promises.
    pub fn honest(release: &Release) -> Self {
        let mut mask = mask();
        mask["output"]["format"] = release.manifest["data"]["format"].clone();
        mask["privacy"] = release.manifest["privacy"].clone();
        for promise in mask["privacy"].as_array_mut().unwrap() {
            promise.as_object_mut().unwrap().retain(|key, _| !["unit", "checked"].contains(&key.as_str()));
        }
        for key in ["person", "limit_unit"] {
            if let Some(value) = release.manifest.get(key) {
                mask[key] = value.clone();
            }
        }
        Self::of(&mask)
    }

    pub fn of(mask: &Value) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("mask.json");
        std::fs::write(&path, mask.to_string()).unwrap();
        Self { _folder: folder, path }
    }
}

/// The mask of the honest release.
pub fn mask() -> Value {
    let recoding = |level: u8, levels: u8, rule: Value| json!({"level": level, "levels": levels, "rule": rule});
    let quasi = |name: &str, recoding: Value| json!({"name": name, "role": "quasi-identifying", "recoding": recoding});
    let mut education = recoding(1, 4, json!({"rule": "listed"}));
    education["labels"] = json!({"Doctor": "Higher", "Master": "Higher", "School": "Lower"});
    let mut age = quasi("age", recoding(1, 6, json!({"rule": "interval", "width": "5"})));
    age["number"] = json!(true);
    json!({
        "format": 1, "program": "equanym 0.1.0", "data": {}, "output": {"format": "csv", "order": "canonical"},
        "method": "global-recoding", "suppression_limit": 0.06,
        "privacy": [
            {"model": "k-anonymity", "k": 5},
            {"model": "l-diversity", "kind": "distinct", "variable": "diagnosis", "l": 3}],
        "new_values": "error",
        "meanings": [
            {"variable": "diagnosis", "order": ["I10", "J45"], "ladder": "I10;heart;*\nJ45;lung;*\n"}],
        "mask": {
            "columns": [
                {"name": "name", "role": "identifying"},
                age,
                quasi("sex", recoding(0, 2, json!({"rule": "as-collected"}))),
                quasi("zip", recoding(2, 5, json!({"rule": "prefix", "keep": 3}))),
                quasi("admitted", recoding(1, 5, json!({"rule": "date", "grain": "month", "format": "YYYY-MM-DD"}))),
                quasi("education", education),
                quasi("race", recoding(1, 2, json!({"rule": "top"}))),
                {"name": "diagnosis", "role": "sensitive"},
                {"name": "note", "role": "insensitive"}],
            "suppressed": [["[95, 100[", "f", "555*", "2026-05", "Lower", "*"]]}
    })
}
