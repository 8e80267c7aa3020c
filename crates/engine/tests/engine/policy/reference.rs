//! The reference and the schema of policies: complete, and no stricter than the reader.
//!
//! Every policy of the manual, of the examples and of this file that the reader accepts fits the schema. Together they use every
//! key that the schema has, and the reader knows every word that it offers. A key that the schema lacks cannot be read at all:
//! the reader allows keys by the same lists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use equanym_engine::error::{Error, Result};
use equanym_engine::policy::{Policy, reference, schema};
use serde_json::{Map, Value};

use super::SAMPLE;
use crate::spec_file::{self, POLICY};
use crate::specs::pages;

#[test]
fn the_page_is_the_one_that_the_program_prints() {
    let path = root().join("docs/policy.md");
    if std::env::var_os("EQUANYM_BLESS").is_some() {
        fs::write(&path, reference::page()).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), reference::page(), "EQUANYM_BLESS=1 writes it anew");
}

#[test]
fn what_the_reader_accepts_fits_the_schema() {
    let schema = schema();
    let unfit: Vec<String> = accepted()
        .iter()
        .flat_map(|policy| faults(&schema, policy, "policy"))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    assert!(unfit.is_empty(), "{}", unfit.join("\n"));
}

#[test]
fn the_schema_sees_what_is_wrong() {
    let schema = schema();
    for (policy, wanted) in [
        ("[variables.age]\nrolle = 'sensitive'", "variables.age.rolle: unknown"),
        ("[variables.age]\nrole = 'private'", "variables.age.role: no such word"),
        ("[[privacy]]\nmodel = 'k-anonymity'", "privacy.0.k: absent"),
        ("[[privacy]]\nmodel = 'k-anonymity'\nk = 'five'", "privacy.0.k: wrong type"),
        ("[[privacy]]\nmodel = 't-closeness'\nvariable = 'x'\nt = 2", "privacy.0.t: out of range"),
        ("[method]\nsuppression_limit = 5", "method.suppression_limit: out of range"),
        ("[data]\nmissing = 'NA'", "data.missing: wrong type"),
    ] {
        let found = faults(&schema, &json(policy), "policy");
        let wanted = format!("policy.{wanted}");
        assert!(found.contains(&wanted), "{wanted}: {found:?}");
    }
}

#[test]
fn every_key_is_used_by_a_policy_that_is_accepted() {
    let mut used = BTreeSet::new();
    let schema = schema();
    for policy in accepted() {
        note_keys(&schema, &policy, "", &mut used);
    }
    let mut known = BTreeSet::new();
    list_keys(&schema, "", &mut known);
    let unused: Vec<&String> = known.difference(&used).collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

#[test]
fn the_reader_knows_every_word_of_the_schema() {
    let schema = schema();
    // Some words go with others only: one policy that may say them is enough.
    let (mut offered, mut known) = (BTreeSet::new(), BTreeSet::new());
    for policy in accepted() {
        for Word { way, key, words } in words_of(&schema, &policy, &[], "") {
            for word in words {
                let mut changed = policy.clone();
                *way.iter().fold(&mut changed, |value, step| step.of(value)) = Value::String(word.clone());
                let text = toml::to_string(&changed).unwrap();
                let refusal = Policy::parse(&text, &any_file).err().map(|error| error.to_string()).unwrap_or_default();
                if !refusal.contains(&format!("cannot be `{word}`")) {
                    known.insert((key.clone(), word.clone()));
                }
                offered.insert((key.clone(), word));
            }
        }
    }
    let unknown: Vec<_> = offered.difference(&known).collect();
    assert!(unknown.is_empty() && known.len() > 50, "{} known, unknown: {unknown:?}", known.len());
}

/// Policies that say what the manual does not.
const MORE: &[&str] = &[READ_AND_WALKED, RATIONED, NEW_VALUES, NOISE];

const NEW_VALUES: &str = r#"
[variables.pay]
role = "quasi-identifying"
walk = true
points = { user = 100, intruder = 100 }

[method]
name = "random-walk"
search = "balance"

[preferences.new_values]
by = "theta"
levels = [1, 0.5]
"#;

const NOISE: &str = r#"
[variables.pay]
role = "quasi-identifying"
perturb = true
points = { user = 100, intruder = 100 }

[method]
name = "perturbation"
search = "balance"

[preferences.new_values]
by = "distortion"
levels = [0.1, 0.2]
"#;

const READ_AND_WALKED: &str = r#"
[data]
delimiter = ";"
encoding = "windows-1252"
decimal = ","
thousands = "."
normalise = "NFC"
ragged = "null"
sheet = "2026"
trim = true

[variables.income]
role = "sensitive"
walk = true

[variables.tax]
role = "sensitive"
walk = true

[variables.plz]
role = "insensitive"
width = 5

[output]
types = "kept"
delimiter = ";"
encoding = "windows-1252"
decimal = ","

[method]
name = "random-walk"
domain = "column"
integer = "exact"
order = false
segment_order = "value"
ties = "equal"
tolerance = 0.1
time_limit = "10s"

[[method.property]]
sum = [{ variable = "income", factor = 0.5 }, { variable = "tax" }]
at_least = 0
"#;

const RATIONED: &str = r#"
[data]
person = "patient"

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10] }
points = { user = 100, intruder = 100 }

[variables.sex]
role = "quasi-identifying"

[[privacy]]
model = "k-anonymity"
k = 5

[method]
limit_unit = "persons"
minimal_nodes = true
new_values = "top"
search = "ola"

[preferences]
unit = "digits"
unwanted = "withheld"

[preferences.ration.age]
max_protection = { level = 2 }
max_utility = 3

[preferences.ration.sex]
max_utility = { level = 0 }
max_protection = 1
min_utility = { level = 1 }

[preferences.total]
max_protection = 8
max_utility = 9
min_protection = 0.1

[frontier]
k = [2, 5]
limits = [0, 0.05]
methods = ["global-recoding", "mondrian"]
alpha = [0.3, 0.7]
sweep.k-anonymity.k = [2, 5]
risk = "highest"
loss = "detail"
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[allow(clippy::unnecessary_wraps)] // what the reader asks for may fail
fn any_file(_: &str) -> Result<String> {
    Ok("1;*\n2;*\n".to_owned())
}

fn json(policy: &str) -> Value {
    toml::from_str(policy).unwrap()
}

/// Every policy at hand that the reader accepts.
fn accepted() -> Vec<Value> {
    let manual = pages(&root().join("specs")).unwrap();
    let manual =
        manual.iter().flat_map(|page| spec_file::cases(&fs::read_to_string(page).unwrap()).unwrap_or_default());
    let manual = manual.filter_map(|case| Some((case.files.get(POLICY)?.clone(), case.files)));
    let read = |(text, files): (String, std::collections::BTreeMap<String, String>)| {
        let file = |name: &str| files.get(name).cloned().ok_or_else(|| Error::input("no such file"));
        Policy::parse(&text, &file).ok().map(|_| json(&text))
    };
    let own = std::iter::once(&SAMPLE).chain(MORE).map(|text| {
        Policy::parse(text, &any_file).unwrap_or_else(|error| panic!("{error}\n{text}"));
        json(text)
    });
    manual.filter_map(read).chain(own).collect()
}

/// What a value lacks to fit a schema; as much of JSON schema as the program writes.
fn faults(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fail = |what: &str| faults.push(format!("{place}: {what}"));
    let is_of_type = match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    if !is_of_type {
        fail("wrong type");
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        fail("no such word");
    }
    if schema.get("const").is_some_and(|wanted| wanted != value) {
        fail("another word");
    }
    let number = value.as_f64();
    let limit = |key: &str| number.zip(schema[key].as_f64());
    if limit("minimum").is_some_and(|(number, least)| number < least)
        || limit("maximum").is_some_and(|(number, most)| number > most)
        || limit("exclusiveMinimum").is_some_and(|(number, least)| number <= least)
    {
        fail("out of range");
    }
    if let Some(some) = schema["anyOf"].as_array()
        && !some.iter().any(|one| self::faults(one, value, place).is_empty())
    {
        match some.as_slice() {
            [one] => faults.extend(self::faults(one, value, place)),
            _ => faults.push(format!("{place}: fits none")),
        }
    }
    for one in schema["allOf"].as_array().into_iter().flatten() {
        if self::faults(&one["if"], value, place).is_empty() {
            faults.extend(self::faults(&one["then"], value, place));
        }
    }
    for (number, one) in value.as_array().into_iter().flatten().enumerate() {
        faults.extend(self::faults(&schema["items"], one, &format!("{place}.{number}")));
    }
    let Some(table) = value.as_object() else { return faults };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !table.contains_key(name) {
            faults.push(format!("{place}.{name}: absent"));
        }
    }
    for (name, value) in table {
        let place = format!("{place}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(schema), _) | (None, schema @ Value::Object(_)) => faults.extend(self::faults(schema, value, &place)),
            (None, Value::Bool(false)) => faults.push(format!("{place}: unknown")),
            _ => {}
        }
    }
    faults
}

/// The schemas that a value may be meant by.
fn meant<'s>(schema: &'s Value, value: &Value) -> Vec<&'s Value> {
    match schema["anyOf"].as_array() {
        Some(some) => some.iter().filter(|one| faults(one, value, "").is_empty()).collect(),
        None => vec![schema],
    }
}

/// The keys that a policy uses, as the schema names them: names of the policy's own are `*`.
fn note_keys(schema: &Value, value: &Value, place: &str, used: &mut BTreeSet<String>) {
    for schema in meant(schema, value) {
        value.as_array().into_iter().flatten().for_each(|one| note_keys(&schema["items"], one, place, used));
        for (name, value) in value.as_object().into_iter().flatten() {
            let (schema, name) =
                schema["properties"].get(name).map_or((&schema["additionalProperties"], "*"), |s| (s, name));
            let place = format!("{place}.{name}");
            note_keys(schema, value, &place, used);
            used.insert(place);
        }
    }
}

/// All keys of a schema, named alike.
fn list_keys(schema: &Value, place: &str, known: &mut BTreeSet<String>) {
    let none = Map::new();
    for (name, schema) in schema["properties"].as_object().unwrap_or(&none) {
        let place = format!("{place}.{name}");
        list_keys(schema, &place, known);
        known.insert(place);
    }
    if schema["additionalProperties"].is_object() {
        list_keys(&schema["additionalProperties"], &format!("{place}.*"), known);
    }
    schema["anyOf"].as_array().into_iter().flatten().for_each(|one| list_keys(one, place, known));
    if schema["items"].is_object() {
        list_keys(&schema["items"], place, known);
    }
}

/// A step to a value inside another.
#[derive(Clone)]
enum Step {
    Key(String),
    Place(usize),
}

impl Step {
    fn of<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        match self {
            Self::Key(key) => &mut value[key],
            Self::Place(place) => &mut value[place],
        }
    }
}

/// A word of a policy: the way to it, its key as the schema names it, and the words that could stand there.
struct Word {
    way: Vec<Step>,
    key: String,
    words: Vec<String>,
}

/// The words of a policy.
fn words_of(schema: &Value, value: &Value, way: &[Step], key: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let on = |step: Step| [way, &[step]].concat();
    for schema in meant(schema, value) {
        if let Some(words) = schema["enum"].as_array() {
            let words = words.iter().filter_map(|word| Some(word.as_str()?.to_owned())).collect();
            found.push(Word { way: way.to_vec(), key: key.to_owned(), words });
        }
        for (place, one) in value.as_array().into_iter().flatten().enumerate() {
            found.extend(words_of(&schema["items"], one, &on(Step::Place(place)), key));
        }
        for (name, value) in value.as_object().into_iter().flatten() {
            let own = schema["properties"].get(name);
            let inner = format!("{key}.{}", if own.is_some() { name } else { "*" });
            let schema = own.unwrap_or(&schema["additionalProperties"]);
            found.extend(words_of(schema, value, &on(Step::Key(name.clone())), &inner));
        }
    }
    found
}
