//! What attacks find, against numbers that are computed here in another way.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use equanym_core::attack::AttackFinding;
use equanym_core::risk::linkage::Linkage;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::progress::{Progress, Silent, Step, stop, until_stopped};
use equanym_engine::read::{Data, Reading};
use equanym_engine::run::attack::{AttackReport, AttackRequest, attack};

use crate::releasing::{policy, reversed};
use crate::requests;
use crate::stage::Stage;

const POLICY: &str = "
    [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [10, 20] }
    [variables.town]\nrole = \"quasi-identifying\"
    [variables.illness]\nrole = \"sensitive\"
    [[privacy]]\nmodel = \"k-anonymity\"\nk = 4
    [method]\nsuppression_limit = 0.1";

/// People of whom age and town tell something of the illness.
fn people(from: u64, count: u64) -> String {
    let mut text = "age,town,illness\n".to_owned();
    for person in from..from + count {
        let (age, town) = (20 + person * 37 % 50, ["Ayr", "Bath", "Cork"][(person * person % 7 % 3) as usize]);
        let illness = if age > 50 && person % 5 > 0 { "gout" } else { ["flu", "gout", "none"][(person % 3) as usize] };
        writeln!(text, "{age},{town},{illness}").unwrap();
    }
    text
}

/// A release of people in `out`, and others beside it.
fn stage() -> Stage {
    let stage = Stage::with(people(0, 400));
    stage.write("others.csv", people(4000, 300));
    stage.release(&policy(POLICY), "out").unwrap();
    stage
}

fn attacked(stage: &Stage, release: &str, control: Option<&str>) -> Result<AttackReport> {
    attacked_with(stage, release, control, None, &Silent)
}

fn attacked_with(
    stage: &Stage,
    release: &str,
    control: Option<&str>,
    policy: Option<&Policy>,
    progress: &dyn Progress,
) -> Result<AttackReport> {
    let control = control.map(|control| stage.path(control));
    attack(&AttackRequest {
        release: stage.path(release).as_path().into(),
        original: (&stage.data()).into(),
        control: control.as_ref().map(Data::from),
        policy,
        reading: &Reading::default(),
        resources: requests::threads(2),
        progress,
    })
}

/// Whether a label of the release fits a value, by its form.
fn fits(label: &str, value: &str) -> bool {
    let band = label.strip_prefix('[').and_then(|rest| rest.strip_suffix('['));
    match band.and_then(|band| band.split_once(", ")) {
        Some((low, high)) => {
            let number = |text: &str| text.parse::<f64>().unwrap();
            number(low) <= number(value) && number(value) < number(high)
        }
        None => label == "*" || label == value,
    }
}

/// Each attack by looking at all pairs of records: right guesses about targets.
fn by_hand(released: &[Vec<String>], targets: &[Vec<String>]) -> [f64; 3] {
    let mut alike: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
    for target in targets {
        alike.entry(&target[..2]).or_default().push(&target[2]);
    }
    let commonest = |illnesses: &[&str]| {
        let count = |one: &str| illnesses.iter().filter(|other| **other == one).count();
        let counts: BTreeSet<(Reverse<usize>, &str)> =
            illnesses.iter().map(|one| (Reverse(count(one)), *one)).collect();
        counts.first().map(|(_, illness)| (*illness).to_owned())
    };
    let all: Vec<&str> = released.iter().map(|record| record[2].as_str()).collect();
    let [mut found, mut linked, mut inferred] = [0.0; 3];
    for (knowledge, illnesses) in alike {
        let is_candidate = |record: &&Vec<String>| (0..2).all(|place| fits(&record[place], &knowledge[place]));
        let candidates: Vec<&str> = released.iter().filter(is_candidate).map(|record| record[2].as_str()).collect();
        if !candidates.is_empty() {
            found += illnesses.len() as f64;
            linked += illnesses.len().min(candidates.len()) as f64 / candidates.len() as f64;
        }
        let guess = commonest(&candidates).or_else(|| commonest(&all)).unwrap();
        inferred += illnesses.iter().filter(|illness| **illness == guess).count() as f64;
    }
    [found, linked, inferred].map(|right| right / targets.len() as f64)
}

fn rate(found: &AttackReport, attack: &str, of: impl Fn(&AttackFinding) -> Option<f64>) -> f64 {
    found.attacks.iter().find(|one| one.attack == attack).and_then(of).unwrap()
}

#[test]
fn rates_are_those_of_looking_at_all_pairs() {
    let stage = stage();
    let found = attacked(&stage, "out/public", Some("others.csv")).unwrap();
    assert_eq!((found.knowledge.join(" "), found.secrets.join(" ")), ("age town".to_owned(), "illness".to_owned()));
    let released = records(&stage.path("out/public/data.csv"));
    for (file, of) in [
        ("data.csv", (|one: &AttackFinding| Some(one.original.rate)) as fn(&AttackFinding) -> Option<f64>),
        ("others.csv", |one| one.control.map(|control| control.rate)),
    ] {
        let expected = by_hand(&released, &records(&stage.path(file)));
        for (attack, expected) in ["membership", "linkage", "inference"].into_iter().zip(expected) {
            let found = rate(&found, attack, of);
            assert!((found - expected).abs() < 1e-9, "{attack} of {file}: {found} instead of {expected}");
        }
    }
    assert!(rate(&found, "singling-out", |one| Some(one.original.rate)) < 1e-12);
    // Classes of four: nobody is found more often than that.
    assert!(rate(&found, "linkage", |one| Some(one.original.rate)) <= 0.25);
}

/// Reads delimited text with quotes around ranges.
fn records(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    let cells = |line: &str| {
        let mut cells = vec![String::new()];
        let mut is_quoted = false;
        for character in line.chars() {
            match character {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                other => cells.last_mut().unwrap().push(other),
            }
        }
        cells
    };
    text.lines().skip(1).map(cells).collect()
}

#[test]
fn a_table_that_was_not_changed_gives_everybody_away() {
    let stage = stage();
    let found = attacked_with(&stage, "data.csv", None, Some(&policy(POLICY)), &Silent).unwrap();
    let original = records(&stage.path("data.csv"));
    let [_, linked, inferred] = by_hand(&original, &original);
    assert!((rate(&found, "linkage", |one| Some(one.original.rate)) - linked).abs() < 1e-9);
    assert!((rate(&found, "inference", |one| Some(one.original.rate)) - inferred).abs() < 1e-9);
    let alone: BTreeMap<&[String], u32> = original.iter().fold(BTreeMap::new(), |mut counts, record| {
        *counts.entry(&record[..2]).or_default() += 1;
        counts
    });
    let alone = alone.values().filter(|count| **count == 1).count() as f64 / 400.0;
    assert!((rate(&found, "singling-out", |one| Some(one.original.rate)) - alone).abs() < 1e-9);
}

#[test]
fn the_order_of_records_does_not_matter() {
    let stage = stage();
    let found = attacked(&stage, "out", Some("others.csv")).unwrap();
    for file in ["data.csv", "others.csv"] {
        stage.write(file, reversed(&stage.read(file)));
    }
    assert_eq!(attacked(&stage, "out", Some("others.csv")).unwrap(), found);
}

#[test]
fn what_cannot_be_attacked_is_refused() {
    let stage = stage();
    stage.write("short.csv", "age,illness\n30,flu\n");
    stage.write("empty.csv", "age,town,illness\n");
    for (release, control) in [("data.csv", None), ("out", Some("short.csv")), ("out", Some("empty.csv"))] {
        stage.refused(attacked(&stage, release, control));
    }
}

/// Ends a run at its first word.
struct FirstStop;

impl Progress for FirstStop {
    fn at(&self, step: Step, _: u64) {
        assert_eq!(step, Step::Count);
        stop();
    }
}

#[test]
fn an_attack_can_be_stopped() {
    let stage = stage();
    assert!(until_stopped(|| attacked_with(&stage, "out", None, None, &FirstStop)).is_none());
}

/// Ages get new values in segments of 50, towns stay.
fn walked(more: &str) -> Policy {
    let text = POLICY.replace("hierarchy = { intervals = [10, 20] }", "walk = true").replace("0.1", more);
    policy(&text.replace("[method]\n", "[method]\nname = \"random-walk\"\nseed = 3\nsegment = 50\nmargin = 1.0\n"))
}

/// What the attacks on new values found, in their order.
fn rates(found: &AttackReport) -> Vec<(&'static str, Option<&str>, f64)> {
    let own = found.attacks.iter().filter(|one| one.attack.starts_with("rank") || one.attack == "distance");
    own.map(|one| (one.attack, one.of.as_deref(), one.original.rate)).collect()
}

#[test]
fn new_values_are_attacked_by_rank_and_by_distance() {
    let stage = Stage::with(people(0, 300));
    let as_reported = |found: &AttackReport, linkage: &Linkage| {
        let column = &linkage.columns[0];
        let wanted = [
            ("rank", Some("age"), column.rank),
            ("rank in its segment", Some("age"), column.rank_within_segments.unwrap()),
            ("distance", None, linkage.distance.share),
        ];
        let rates = rates(found);
        assert_eq!(rates.len(), wanted.len());
        for (one, other) in rates.iter().zip(wanted) {
            assert_eq!((one.0, one.1), (other.0, other.1));
            assert!((one.2 - other.2).abs() < 1e-9, "{one:?} {other:?}");
        }
        assert!(rates[1].2 > 0.5, "{rates:?}");
        assert_eq!(found.new_values, ["age"]);
    };
    // In canonical order nobody can tell who was who but the owner's report, which lies beside.
    let released = stage.release(&walked("0.1"), "canonical").unwrap();
    let found = attacked(&stage, "canonical/public", None).unwrap();
    as_reported(&found, &released.report.new_values.unwrap().linkage);
    fs::remove_dir_all(stage.path("canonical/private")).unwrap();
    let found = attacked(&stage, "canonical/public", None).unwrap();
    assert_eq!((rates(&found).len(), found.unknown.as_slice()), (0, ["age".to_owned()].as_slice()));
    // In the order of the input anybody can, by what the release itself tells.
    let released = stage.release(&walked("0\n[output]\norder = \"input\""), "ordered").unwrap();
    fs::remove_dir_all(stage.path("ordered/private")).unwrap();
    let found = attacked(&stage, "ordered/public", None).unwrap();
    as_reported(&found, &released.report.new_values.unwrap().linkage);
}
