//! Nothing stands in a manifest that no claim explains: a change makes a check fail, is told in the verdict, or says the same.
//!
//! Every object gets a key more, every text and every number is another one, in manifests of every kind of release. What passes and is
//! not told is listed here, with the reason.

use std::collections::BTreeSet;

use equanym_audit::{Verdict, audit_in_memory};
use serde_json::{Map, Value, json};

use crate::methods::renewed;
use crate::models::Dice;
use crate::release::{HEADER, NOTE, Release, csv_bytes, options, rows, written_manifest};
use crate::source::{Mask, Source};

/// Releases whose manifests together have every key of format 1 in text.
fn kinds() -> Vec<(&'static str, Release)> {
    vec![
        ("recoded", recoded()),
        ("promising", Release::honest().promising()),
        ("in people", Release::honest().promising().of_people()),
        ("tokens", tokens()),
        ("treated", treated()),
        ("parquet", Release::parquet()),
        ("local", Release::local(["-3", "[25, 29]"]).0),
        ("new values", new_values()),
        ("unguarded", unguarded()),
        ("signs", signs()),
    ]
}

fn recoded() -> Release {
    let mut release = Release::honest();
    release.manifest["about"] =
        json!({"title": "Stays", "purpose": "Beds", "recipient": "A ministry", "date": "2026-02-01", "version": "1"});
    release.manifest["loss"] =
        json!({"name": "weighted-non-uniform-entropy", "weights": "points", "suppressed": "free"});
    release.manifest["by_preferences"] = json!(true);
    release.manifest["limit_unit"] = json!("records");
    release
}

/// The notes are tokens, one for each person.
fn tokens() -> Release {
    let mut rows = rows();
    for (number, row) in rows.iter_mut().enumerate() {
        row[NOTE] = format!("p{number:032x}");
    }
    rows.sort();
    let mut release = Release::of(&rows).of_people();
    release.claim("/person", json!("note"));
    release.manifest["columns"][NOTE] =
        json!({"name": "note", "role": "pseudonym", "treatments": [{"treatment": "pseudonym"}]});
    release.manifest["limit_unit"] = json!("persons");
    release
}

fn treated() -> Release {
    let mut release = Release::changed(|rows| rows.iter_mut().for_each(|row| "90".clone_into(&mut row[NOTE])));
    release.manifest["columns"][NOTE]["treatments"] = json!([{"treatment": "derive", "at": "admitted", "at_format": "YYYY-MM-DD", "format": "DD.MM.YYYY", "top": 90}]);
    release.claim("/loss", json!({"name": "classification", "target": "diagnosis"}));
    release
}

fn new_values() -> Release {
    let (mut release, _) = renewed();
    release.manifest["parameters"] = json!({
        "distortion": "free", "distortion_by": "margin", "domain": "segment", "integer": "rounded", "margin": 0.1, "order": true,
        "segment": 100, "segment_order": "record", "selection": "random", "sweeps": "auto", "theta": 1.0, "ties": "free",
        "tolerance": 0.05, "walk": "mixing"
    });
    release
}

fn unguarded() -> Release {
    let mut release = Release::honest();
    release.claim("/privacy", json!([]));
    release.manifest["guarantee"] = json!("none");
    release
}

/// Semicolons and decimal commas, in another encoding.
fn signs() -> Release {
    let mut rows = rows();
    for row in &mut rows {
        "0,5".clone_into(&mut row[NOTE]);
    }
    rows.sort();
    let mut release = Release::honest();
    let text = String::from_utf8(csv_bytes(&HEADER, &rows)).unwrap().replace(", ", "; ");
    let mut lines = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
    for record in csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes()).records() {
        lines.write_record(record.unwrap().iter()).unwrap();
    }
    release.set_data(&lines.into_inner().unwrap());
    for (key, value) in [("delimiter", ";"), ("decimal", ","), ("encoding", "windows-1252")] {
        release.manifest["data"][key] = json!(value);
    }
    for place in [0, NOTE] {
        release.manifest["columns"][place]["number"] = json!(true);
    }
    release
}

/// The places of all values.
fn pointers(value: &Value, here: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(entries) => entries.iter().map(|(key, inner)| (format!("{here}/{key}"), inner)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(key, inner)| (format!("{here}/{key}"), inner)).collect(),
        _ => Vec::new(),
    };
    let below = below.into_iter().flat_map(|(path, inner)| pointers(inner, &path));
    std::iter::once(here.to_owned()).chain(below).collect()
}

/// Other values for one.
fn others(value: &Value, words: &[String], dice: &mut Dice) -> Vec<Value> {
    match value {
        Value::Object(entries) => {
            let known = words[dice.below(words.len())].clone();
            let more = [("any-text", json!(1)), ("remark", json!("any text")), (known.as_str(), json!("any text"))];
            more.into_iter().filter(|(key, _)| !entries.contains_key(*key)).map(|more| with(entries, more)).collect()
        }
        Value::String(text) => {
            let other = words[dice.below(words.len())].clone();
            let mut texts =
                vec!["any text".to_owned(), "any-text".to_owned(), format!("{text} "), text.to_uppercase(), other];
            texts.extend([format!("{text}0"), format!("0{text}"), text.to_lowercase(), String::new()]);
            texts.into_iter().map(Value::String).chain([Value::Null, json!([text])]).collect()
        }
        Value::Number(number) => {
            let float = number.as_f64().unwrap();
            let whole = number.as_u64().map_or(json!(float + 1.0), |number| json!(number + 1));
            vec![whole, json!(float + 0.5), json!(1_000_000_007), json!(-1), json!(number.to_string()), Value::Null]
        }
        Value::Bool(flag) => vec![json!(!flag), json!(u8::from(*flag)), Value::Null],
        Value::Array(items) => {
            let more: Vec<Value> = items.iter().cloned().chain([json!("any text")]).collect();
            vec![json!(more), json!({"any-text": 1})]
        }
        Value::Null => Vec::new(),
    }
}

fn with(entries: &Map<String, Value>, (key, value): (&str, Value)) -> Value {
    let mut entries = entries.clone();
    entries.insert(key.to_owned(), value);
    Value::Object(entries)
}

/// Everything that a verdict says.
fn told(verdict: &Verdict) -> String {
    serde_json::to_string(verdict).unwrap()
}

/// Why a change may pass although no check tells of it. How the release was made leaves no trace: only words and numbers that format 1
/// knows are taken. Nothing else is listed.
fn is_known(place: &str, changed: &Value) -> bool {
    let is_own_word = ["title", "purpose", "recipient", "version"].iter().any(|key| place == format!("/about/{key}"));
    let is_course = ["/optimal", "/by_preferences", "/search", "/method"].contains(&place)
        || ["/loss", "/parameters"].iter().any(|part| place.starts_with(part));
    let is_closed = !changed.to_string().contains("any") && !changed.to_string().contains(' ');
    (is_own_word && changed.is_string()) || (is_course && is_closed)
}

#[test]
fn nothing_stands_in_a_manifest_that_no_claim_explains() {
    let mut words = BTreeSet::new();
    for (_, release) in kinds() {
        collect(&release.manifest, &mut words);
    }
    let words: Vec<String> = words.into_iter().collect();
    let (mut dice, mut changes, mut unexplained) = (Dice::new(7), 0, Vec::new());
    for (kind, release) in kinds() {
        let honest = release.audit();
        assert!(honest.passed(), "{kind}: {:?}", honest.failures().collect::<Vec<_>>());
        let mut files = release.files();
        for place in pointers(&release.manifest, "") {
            let value = release.manifest.pointer(&place).unwrap();
            for other in others(value, &words, &mut dice).into_iter().filter(|other| other != value) {
                // Texts have many others; every third of them is enough.
                if value.is_string() && dice.below(3) > 0 {
                    continue;
                }
                let mut manifest = release.manifest.clone();
                *manifest.pointer_mut(&place).unwrap() = other.clone();
                files.insert("manifest.json".to_owned(), written_manifest(&manifest).into());
                let Ok(verdict) = audit_in_memory(&files, &options()) else { continue };
                changes += 1;
                if verdict.passed() && told(&verdict) == told(&honest) && !is_known(&place, &other) {
                    unexplained.push(format!("{kind}: {place} {value} → {other}"));
                }
            }
        }
    }
    assert!(changes > 2000, "{changes} changes");
    assert!(unexplained.is_empty(), "{} of {changes} changes: {unexplained:#?}", unexplained.len());
}

/// The keys and texts of a manifest.
fn collect(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            words.extend(entries.keys().cloned());
            entries.values().for_each(|inner| collect(inner, words));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(inner, words)),
        Value::String(text) => drop(words.insert(text.clone())),
        _ => {}
    }
}

#[test]
fn the_text_is_written_in_one_way() {
    let release = Release::honest();
    let text = written_manifest(&release.manifest);
    for (what, other, failed) in [
        ("no blanks", release.manifest.to_string() + "\n", &["plain-manifest"][..]),
        ("blanks at the end", text.clone() + " \t \n", &["plain-manifest"]),
        ("no end of line", text.trim_end().to_owned(), &["plain-manifest"]),
        ("other ends of lines", text.replace('\n', "\r\n"), &["plain-manifest"]),
        ("an escape", text.replace("\"age\"", "\"\\u0061ge\""), &["plain-manifest"]),
        ("another number", text.replace("0.06", "6e-2"), &["plain-manifest"]),
        ("a key twice", text.replacen("{\n", "{\n  \"format\": 1,\n", 1), &["manifest-keys"]),
        (
            "the owner's words twice",
            text.replacen("{\n", "{\n  \"about\": {\n    \"title\": \"a\"\n  },\n", 1)
                .replace("\"classes\"", "\"about\": {\n    \"title\": \"b\"\n  },\n  \"classes\""),
            &["manifest-keys"],
        ),
    ] {
        release.add("manifest.json", other.as_bytes());
        match equanym_audit::audit(release.public(), &options()) {
            Ok(verdict) => assert_eq!(crate::release::failures(&verdict), failed, "{what}"),
            Err(error) => assert!(error.to_string().contains("duplicate field"), "{what}: {error}"),
        }
    }
}

#[test]
fn a_mask_and_the_original_explain_nothing_more() {
    // What the manifest of a release claims of its making passes with the original as it does without.
    let mut release = Release::honest();
    let mask = Mask::honest(&release);
    for (key, value) in [("parameters", json!({"any-text": 1})), ("person", json!("any text"))] {
        release.manifest[key] = value;
        assert!(!Source::honest().audit(&release, Some(&mask)).unwrap().passed(), "{key}");
        assert!(!release.audit().passed(), "{key}");
        release.manifest.as_object_mut().unwrap().remove(key);
    }
    assert!(Source::honest().audit(&release, Some(&mask)).unwrap().passed());
}

#[test]
fn the_column_of_people_is_told_and_needs_the_original() {
    let mut release = Release::honest().of_people();
    release.claim("/person", json!("any text"));
    let verdict = release.audit();
    assert!(verdict.passed() && verdict.unchecked().count() > 0);
    assert!(
        verdict.claimed.contains("people told apart by \"any text\", which is not released"),
        "{}",
        verdict.claimed
    );
    let mask = Mask::honest(&release);
    let verdict = Source::honest().audit(&release, Some(&mask)).unwrap();
    assert_eq!(crate::release::failures(&verdict), ["original-people"]);
}
