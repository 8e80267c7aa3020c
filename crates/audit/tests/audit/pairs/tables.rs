//! Random people, and releases of them as a folder with its mask.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::intruder::Class;
use super::ladders::{Domain, LEVELS, Level};
use crate::models::Dice;
use crate::release::{hash, written_manifest};

/// A person: the values of the quasi-identifiers by their places, then what both releases hold as collected.
#[derive(Clone, PartialEq)]
pub struct Person {
    pub values: Vec<usize>,
    pub cells: [String; 2],
}

/// What is promised.
#[derive(Clone, Copy)]
pub struct Promised {
    pub k: u64,
    pub l: u64,
    pub of_people: bool,
}

/// A few people with these columns; their notes name them, or not.
pub fn people(domains: &[&Domain], dice: &mut Dice) -> Vec<Person> {
    // Few values of each column, so that classes are large enough.
    let used: Vec<Vec<usize>> = domains
        .iter()
        .map(|domain| (0..2 + dice.below(3)).map(|_| dice.below(domain.values.len())).collect())
        .collect();
    let is_named = dice.below(3) > 0;
    let count = 16 + dice.below(40);
    (0..count).map(|number| person(&used, is_named.then_some(number), dice)).collect()
}

fn person(used: &[Vec<usize>], number: Option<usize>, dice: &mut Dice) -> Person {
    let values = used.iter().map(|values| dice.one_of(values)).collect();
    let note = number.map_or("x".to_owned(), |number| format!("n{number}"));
    Person { values, cells: [dice.one_of(&["flu", "gout", "mumps"]).to_owned(), note] }
}

/// The same people later on: some left, some came, some moved or fell ill.
pub fn later(people: &[Person], dice: &mut Dice) -> Vec<Person> {
    let mut later = people.to_vec();
    let some = |dice: &mut Dice| dice.one_of(&[1, 1, 2, 3, 6]);
    let (leave, come, change, move_on) = match dice.below(7) {
        0 | 1 => (0, 0, 0, 0),
        2 => (some(dice), 0, 0, 0),
        3 => (0, some(dice), 0, 0),
        4 => (1, 1, 0, 0),
        5 => (0, 0, some(dice), dice.below(2)),
        _ => (some(dice), some(dice), 0, dice.below(2)),
    };
    for _ in 0..leave {
        later.remove(dice.below(later.len()));
    }
    for number in 0..come {
        let like = later[dice.below(later.len())].clone();
        let note = if like.cells[1] == "x" { "x".to_owned() } else { format!("new {number}") };
        later.push(Person { cells: [dice.one_of(&["flu", "gout", "mumps"]).to_owned(), note], ..like });
    }
    for _ in 0..change {
        let place = dice.below(later.len());
        dice.one_of(&["flu", "gout", "mumps"]).clone_into(&mut later[place].cells[0]);
    }
    for _ in 0..move_on {
        let (place, other) = (dice.below(later.len()), dice.below(later.len()));
        let values = later[other].values.clone();
        later[place].values = values;
    }
    later
}

/// A release on the disk, and what an intruder reads in it.
pub struct Written {
    folder: TempDir,
    pub mask: Vec<u8>,
    pub classes: Vec<Class>,
    pub withheld: usize,
}

impl Written {
    pub fn public(&self) -> PathBuf {
        self.folder.path().join("public")
    }

    /// Releases people at these levels: classes that break the promises are withheld. Nothing where nobody is left.
    pub fn new(people: &[Person], domains: &[&Domain], levels: &[&Level], promised: Promised) -> Option<Self> {
        let key = |person: &Person| -> Vec<String> {
            person.values.iter().zip(levels).map(|(value, level)| level.labels[*value].clone()).collect()
        };
        let mut by_key: BTreeMap<Vec<String>, Vec<&Person>> = BTreeMap::new();
        for person in people {
            by_key.entry(key(person)).or_default().push(person);
        }
        by_key.retain(|_, class| {
            let ill: BTreeSet<&String> = class.iter().map(|person| &person.cells[0]).collect();
            class.len() as u64 >= promised.k && ill.len() as u64 >= promised.l
        });
        let released: usize = by_key.values().map(Vec::len).sum();
        if released == 0 {
            return None;
        }
        let mut rows: Vec<Vec<String>> = by_key
            .iter()
            .flat_map(|(key, class)| class.iter().map(|person| key.iter().chain(&person.cells).cloned().collect()))
            .collect();
        rows.sort();
        let names: Vec<&str> = domains.iter().map(|domain| domain.name).chain(["ill", "note"]).collect();
        let data = crate::release::csv_bytes(&names, &rows);
        let sizes: Vec<usize> = by_key.values().map(Vec::len).collect();
        let claims = claims(&rows, domains, levels);
        let mut manifest = json!({
            "format": 1, "program": "equanym 0.1.0",
            "data": {"file": "data.csv", "format": "csv", "sha256": hash(&data), "bytes": data.len(), "order": "canonical"},
            "reports": [{"file": "report.json", "sha256": hash(b"{}")}, {"file": "report.html", "sha256": hash(b"<p>")}],
            "records": {"original": people.len(), "released": released, "suppressed": people.len() - released},
            "person": promised.of_people.then_some("name"),
            "suppression_limit": 1, "columns": claims,
            "classes": {"count": sizes.len(), "min": sizes.iter().min(), "max": sizes.iter().max()},
            "privacy": privacy(promised, true),
            "neutralised_cells": 0, "method": "global-recoding", "search": "optimal", "optimal": true,
            "loss": {"name": "non-uniform-entropy"}
        });
        if !promised.of_people {
            manifest.as_object_mut().unwrap().remove("person");
        }
        let mask = mask(domains, levels, promised).to_string().into_bytes();
        let folder = TempDir::new().unwrap();
        let public = folder.path().join("public");
        fs::create_dir(&public).unwrap();
        for (name, bytes) in [
            ("data.csv", data.as_slice()),
            ("report.json", b"{}"),
            ("report.html", b"<p>"),
            ("manifest.json", written_manifest(&manifest).as_bytes()),
        ] {
            fs::write(public.join(name), bytes).unwrap();
        }
        let classes = by_key.iter().map(|(key, class)| Class::new(key, class, domains, levels)).collect();
        Some(Self { folder, mask, classes, withheld: people.len() - released })
    }

    /// Puts the mask where a release has it.
    pub fn keep_mask(&self) {
        let private = self.folder.path().join("private");
        fs::create_dir(&private).unwrap();
        fs::write(private.join("mask.json"), &self.mask).unwrap();
    }
}

fn claims(rows: &[Vec<String>], domains: &[&Domain], levels: &[&Level]) -> Vec<Value> {
    let recoded = domains.iter().zip(levels).enumerate().map(|(place, (domain, level))| {
        let mut labels = level.claim.clone();
        if level.is_listed {
            let seen: BTreeSet<&String> =
                rows.iter().map(|row| &row[place]).filter(|label| !label.is_empty()).collect();
            labels["values"] = json!(seen);
        }
        json!({"name": domain.name, "role": "quasi-identifying", "level": level.place, "levels": LEVELS, "labels": labels})
    });
    let common = [json!({"name": "ill", "role": "sensitive"}), json!({"name": "note", "role": "insensitive"})];
    recoded.chain(common).collect()
}

fn privacy(promised: Promised, is_claim: bool) -> Vec<Value> {
    let mut models = vec![json!({"model": "k-anonymity", "k": promised.k})];
    if promised.l > 1 {
        models.push(json!({"model": "l-diversity", "kind": "distinct", "variable": "ill", "l": promised.l}));
    }
    for model in models.iter_mut().filter(|_| is_claim) {
        model["checked"] = json!(if promised.of_people { "original" } else { "release" });
        if promised.of_people {
            model["unit"] = json!("people");
        }
    }
    models
}

fn mask(domains: &[&Domain], levels: &[&Level], promised: Promised) -> Value {
    let column = |(domain, level): (&&Domain, &&Level)| {
        let recoding = json!({"level": level.place, "levels": LEVELS, "rule": level.claim});
        json!({"name": domain.name, "role": "quasi-identifying", "recoding": recoding})
    };
    let common = [json!({"name": "ill", "role": "sensitive"}), json!({"name": "note", "role": "insensitive"})];
    let columns: Vec<Value> = domains.iter().zip(levels).map(column).chain(common).collect();
    let ladders: Vec<Value> = domains.iter().zip(levels).map(|(domain, level)| domain.rungs(level)).collect();
    let mut mask = json!({
        "format": 3, "program": "equanym 0.1.0", "data": {}, "output": {"format": "csv", "order": "canonical"},
        "method": "global-recoding", "privacy": privacy(promised, false), "suppression_limit": 1,
        "ladders": ladders, "mask": {"columns": columns, "suppressed": []}
    });
    if promised.of_people {
        mask["person"] = json!("name");
    }
    mask
}
