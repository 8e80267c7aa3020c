//! People instead of records: what is promised of people is recounted here, from the release and the original.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::releasing;
use crate::requests;
use crate::stage::{Stage, told};
use equanym_engine::error::Kind;
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::progress::{Progress, Silent};
use equanym_engine::read::Reading;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::draft::{Draft, DraftRequest, draft};
use equanym_engine::run::risk::{RiskReport, risk};

/// Whole numbers that look drawn; the same on every machine.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Admissions of patients, of whom nearly half come once and two in a hundred six times or more. Some have moved in between, so
/// that their records have several keys.
fn admissions(patients: usize, seed: u64) -> String {
    let mut drawn = RandomNumbers(seed);
    let mut lines = Vec::new();
    for patient in 0..patients {
        let times = match drawn.below(100) {
            0..45 => 1,
            45..72 => 2,
            72..98 => 3,
            _ => 6 + drawn.below(8),
        };
        let (year, sex) = (1930 + drawn.below(80), ["f", "m"][usize::try_from(drawn.below(2)).unwrap()]);
        let mut zip = 10_000 + drawn.below(40) * drawn.below(40) * 7;
        for _ in 0..times {
            if drawn.below(20) == 0 {
                zip = 10_000 + drawn.below(40) * drawn.below(40) * 7;
            }
            let illness = ["flu", "gout", "mumps", "croup", "angina"][usize::try_from(drawn.below(5)).unwrap()];
            lines.push((drawn.below(1 << 30), format!("p{patient},{year},{sex},{zip},{illness}")));
        }
    }
    lines.sort();
    lines.iter().fold("patient,born,sex,zip,illness\n".to_owned(), |mut text, (_, line)| {
        writeln!(text, "{line}").unwrap();
        text
    })
}

const VARIABLES: &str = "[variables.born]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [3, 2] }\n\
                         [variables.sex]\nrole = \"quasi-identifying\"\n\
                         [variables.zip]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [4, 3, 2] }\n\
                         [variables.illness]\nrole = \"sensitive\"\n\
                         [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";

const BY_RECORDS: &str = "[variables.patient]\nrole = \"identifying\"\n";
const BY_PEOPLE: &str = "[data]\nperson = \"patient\"\n";

fn policy(who: &str, more: &str) -> Policy {
    releasing::policy(&format!("{who}{VARIABLES}{more}"))
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// A value of a column with this ladder of prefixes, at a level.
fn label(value: &str, keep: &[usize], level: u8) -> String {
    match level {
        0 => value.to_owned(),
        level => match keep.get(usize::from(level) - 1) {
            Some(&keep) => value[..keep].to_owned() + "*",
            None => "*".to_owned(),
        },
    }
}

/// What is recounted of a release by levels.
struct Recount {
    /// The people of each class that is in the release.
    people: Vec<BTreeSet<String>>,
    /// Those who lost a record.
    lost: BTreeSet<String>,
}

/// Recounts the people of a release by levels: the labels of each original record are made here, and those whose key stands
/// in the release are in it.
fn recount(stage: &Stage, out: &str, released: &FinishedRelease) -> Recount {
    let levels: BTreeMap<&str, u8> =
        released.report.node.0.iter().map(|(name, level)| (name.as_str(), *level)).collect();
    let key = |row: &[String]| {
        let ladders: [&[usize]; 3] = [&[3, 2], &[], &[4, 3, 2]];
        let values = ["born", "sex", "zip"].into_iter().zip(row).zip(ladders);
        values.map(|((name, value), keep)| label(value, keep, levels[name])).collect::<Vec<_>>()
    };
    let released = rows(&stage.path(out).join("public/data.csv"));
    let keys: BTreeSet<Vec<String>> = released.iter().map(|row| row[..3].to_vec()).collect();
    let mut people: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    let (mut lost, mut kept) = (BTreeSet::new(), 0);
    for row in rows(&stage.data()) {
        let key = key(&row[1..4]);
        if keys.contains(&key) {
            people.entry(key).or_default().insert(row[0].clone());
            kept += 1;
        } else {
            lost.insert(row[0].clone());
        }
    }
    assert_eq!(kept, released.len());
    Recount { people: people.into_values().collect(), lost }
}

fn smallest(people: &[BTreeSet<String>]) -> usize {
    people.iter().map(BTreeSet::len).min().unwrap()
}

#[test]
fn every_class_holds_five_people_and_by_records_it_would_not() {
    let table = admissions(10_000, 1);
    let stage = Stage::with(&table);
    assert!((19_000..21_000).contains(&table.lines().count()), "{}", table.lines().count());
    for limit in ["", "[method]\nsuppression_limit = 0.05\n"] {
        let by_records = stage.release(&policy(BY_RECORDS, limit), "records").unwrap();
        let people = recount(&stage, "records", &by_records).people;
        assert!(smallest(&people) < 5, "{limit}: the table is too easy");
        assert_eq!((by_records.report.persons, by_records.report.persons_suppressed), (None, None));

        let by_people = stage.release(&policy(BY_PEOPLE, limit), "people").unwrap();
        let Recount { people, lost } = recount(&stage, "people", &by_people);
        let report = &by_people.report;
        assert!(smallest(&people) >= 5);
        assert_eq!(report.persons, Some(10_000));
        assert_eq!(report.persons_suppressed, Some(lost.len() as u64));
        assert_eq!((report.classes.count, report.classes.min), (people.len() as u64, smallest(&people) as u64));
        let sum: usize = people.iter().map(BTreeSet::len).sum();
        assert!((report.risk.prosecutor_mean - people.len() as f64 / sum as f64).abs() < 1e-12);
        assert_eq!(report.privacy[0].unit, Some("people"));
        stage.audit("people");
        for out in ["records", "people"] {
            fs::remove_dir_all(stage.path(out)).unwrap();
        }
    }
}

#[test]
fn the_order_of_records_and_the_threads_do_not_matter() {
    let table = admissions(800, 2);
    let asked = policy(BY_PEOPLE, "[method]\nsuppression_limit = 0.1\n");
    let stage = Stage::with(&table);
    stage.release_on(1, &asked, "one").unwrap();
    stage.write("data.csv", releasing::reversed(&table));
    stage.release_on(4, &asked, "two").unwrap();
    assert_eq!(releasing::contents(&stage.path("one")), releasing::contents(&stage.path("two")));
}

#[test]
fn the_limit_may_count_people() {
    let stage = Stage::with(admissions(2000, 3));
    for (unit, limit) in [("records", 0.02), ("persons", 0.02), ("persons", 0.08)] {
        let method = format!("[method]\nsuppression_limit = {limit}\nlimit_unit = \"{unit}\"\n");
        let released = stage.release(&policy(BY_PEOPLE, &method), "out").unwrap();
        let Recount { people, lost } = recount(&stage, "out", &released);
        assert!(smallest(&people) >= 5);
        let (part, whole) = match unit {
            "persons" => (lost.len() as f64, 2000.0),
            _ => (released.report.suppressed as f64, released.report.records as f64),
        };
        assert!(part <= limit * whole, "{unit} {limit}: {part} of {whole}");
        stage.audit("out");
        fs::remove_dir_all(stage.path("out")).unwrap();
    }
}

#[test]
fn what_is_handed_over_tells_no_number_of_people() {
    let stage = Stage::with(admissions(1000, 4));
    let released = stage.release(&policy(BY_PEOPLE, "[method]\nsuppression_limit = 0.05\n"), "out").unwrap();
    let manifest = stage.json("out/public/manifest.json");
    assert_eq!(manifest["person"], "patient");
    assert_eq!(
        (&manifest["privacy"][0]["unit"], &manifest["privacy"][0]["checked"]),
        (&"people".into(), &"original".into())
    );
    // Whoever holds the release counts records.
    let mut sizes: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for row in rows(&stage.path("out/public/data.csv")) {
        *sizes.entry(row[..3].to_vec()).or_default() += 1;
    }
    assert_eq!(manifest["classes"]["min"], *sizes.values().min().unwrap());
    assert_eq!(manifest["classes"]["max"], *sizes.values().max().unwrap());
    let report = stage.json("out/public/report.json");
    assert_eq!((report.get("persons"), report.get("persons_suppressed"), report.get("risk")), (None, None, None));
    assert!(!stage.released("out").contains("patient"));
    let private = stage.json("out/private/report.json");
    assert_eq!(private["persons"], 1000);
    assert_eq!(private["classes"]["min"], released.report.classes.min);
}

#[test]
fn mondrian_cuts_between_people() {
    let stage = Stage::with(admissions(1500, 5));
    let method = "[output]\norder = \"input\"\n[method]\nname = \"mondrian\"\n";
    let people_of = |out: &str| {
        let labels = rows(&stage.path(out).join("public/data.csv"));
        let original = rows(&stage.data());
        assert_eq!(labels.len(), original.len());
        let mut people: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
        for (labels, row) in labels.iter().zip(&original) {
            people.entry(labels[..3].to_vec()).or_default().insert(row[0].clone());
        }
        people.into_values().collect::<Vec<_>>()
    };
    stage.release(&policy(BY_RECORDS, method), "records").unwrap();
    assert!(smallest(&people_of("records")) < 5, "the table is too easy");
    let released = stage.release(&policy(BY_PEOPLE, method), "people").unwrap().report;
    let people = people_of("people");
    assert_eq!((released.classes.count, released.classes.min), (people.len() as u64, smallest(&people) as u64));
    assert!(smallest(&people) >= 5);
}

#[test]
fn a_stored_mask_counts_the_people_of_other_data() {
    let stage = Stage::with(admissions(3000, 6));
    let asked = policy(BY_PEOPLE, "[method]\nsuppression_limit = 0.2\nnew_values = \"top\"\n");
    stage.release(&asked, "first").unwrap();
    stage.write("data.csv", admissions(3200, 7));
    let applied = stage.apply("first", "data.csv", "next").unwrap();
    let Recount { people, lost } = recount(&stage, "next", &applied);
    assert!(smallest(&people) >= 5);
    assert_eq!(applied.report.persons, Some(3200));
    assert_eq!(applied.report.persons_suppressed, Some(lost.len() as u64));
    assert_eq!(applied.report.classes.min, smallest(&people) as u64);

    // As many records, and one person behind all of them.
    let one = admissions(3200, 7).lines().fold(String::new(), |mut text, line| {
        let rest = line.split_once(',').unwrap().1;
        writeln!(text, "{},{rest}", if text.is_empty() { "patient" } else { "p1" }).unwrap();
        text
    });
    stage.write("one.csv", one);
    assert_eq!(stage.apply("first", "one.csv", "refused").unwrap_err().kind, Kind::Unsafe);
    let nobody = "patient,born,sex,zip,illness\n,1950,f,10007,flu\n";
    stage.write("nobody.csv", nobody);
    assert_eq!(stage.apply("first", "nobody.csv", "refused").unwrap_err().kind, Kind::Input);
    assert!(!stage.path("refused").exists());
}

fn measure(table: &str, policy: Option<&Policy>) -> RiskReport {
    let stage = Stage::with(table);
    let progress: Arc<dyn Progress> = Arc::new(Silent);
    risk(&stage.data(), policy, &Reading::default(), &Resources::default(), &progress).unwrap()
}

#[test]
fn risk_is_that_of_people() {
    // Two classes: two people with four records, and one person with three, of whom the first class has a fourth.
    let table = "who,sex\na,f\na,f\nb,f\nc,f\nc,m\nc,m\nc,m\n";
    let asked = releasing::policy("[data]\nperson = \"who\"\n[variables.sex]\nrole = \"quasi-identifying\"\n");
    let found = measure(table, Some(&asked));
    assert_eq!((found.records, found.persons, found.person.as_deref()), (7, Some(3), Some("who")));
    assert_eq!((found.classes.count, found.classes.min, found.classes.max), (2, 1, 3));
    assert_eq!((found.uniques.records, found.uniques.persons), (3, Some(1)));
    assert!((found.uniques.share - 0.25).abs() < 1e-12);
    // Two classes of four people, if whoever is in both counts twice.
    assert!((found.risk.measures.prosecutor_mean - 0.5).abs() < 1e-12);
    assert!((found.risk.measures.prosecutor_max - 1.0).abs() < 1e-12);
    assert_eq!((found.sizes[0].classes, found.sizes[0].persons, found.sizes[0].records), (1, Some(1), 3));
    assert_eq!((found.sizes[2].classes, found.sizes[2].persons, found.sizes[2].records), (1, Some(3), 4));
}

fn drafted(data: &Path) -> Draft {
    let (reading, resources) = (Reading::default(), Resources::default());
    let progress: Arc<dyn Progress> = Arc::new(Silent);
    let (reading, _resources, progress) = (&reading, &resources, &progress);
    draft(&DraftRequest { reading, progress, ..requests::draft(data, data.parent().unwrap()) }).unwrap()
}

#[test]
fn a_draft_finds_the_person_and_can_be_released() {
    let table = admissions(600, 8).replace("patient,", "patient_id,");
    let stage = Stage::with(&table);
    let data = stage.data();
    let first = drafted(&data);
    assert_eq!(first.person.as_deref(), Some("patient_id"));
    assert!(first.policy.contains("[data]\nperson = \"patient_id\"\n"), "{}", first.policy);
    let released = stage.release(&releasing::policy(&first.policy), "out").unwrap();
    assert_eq!(released.report.persons, Some(600));
    assert_eq!(measure(&table, None).persons, Some(600));

    // An id of each record, one that is missing somewhere, and names are no persons.
    let mut number = 0;
    let each = table.lines().fold(String::new(), |mut text, line| {
        let id = if text.is_empty() { "patient_id".to_owned() } else { format!("p{number}") };
        number += 1;
        writeln!(text, "{id},{}", line.split_once(',').unwrap().1).unwrap();
        text
    });
    for table in [each, table.replace("\np7,", "\n,"), table.replace("patient_id,", "name,")] {
        fs::write(&data, table).unwrap();
        assert_eq!(drafted(&data).person, None);
    }
}

/// What is refused, and that nothing is written.
fn refused(table: &str, policy: &str) {
    let stage = Stage::with(table);
    let policy = Policy::parse(policy, &|_| unreachable!("no hierarchy files"));
    stage.refused(policy.and_then(|policy| stage.release(&policy, "out")));
    assert!(!stage.path("out").exists());
}

#[test]
fn a_person_is_in_the_data_in_every_record_and_never_released() {
    let table = admissions(100, 9);
    let all = |who: &str, more: &str| format!("{who}{VARIABLES}{more}");
    let absent = all("[data]\nperson = \"patent\"\n", BY_RECORDS);
    refused(&table, &absent);
    for role in ["quasi-identifying", "sensitive", "insensitive"] {
        let listed = all(BY_PEOPLE, &format!("[variables.patient]\nrole = \"{role}\"\n"));
        refused(&table, &listed);
    }
    let empty = table.replace("\np7,", "\n ,").replace("\np8,", "\n,");
    refused(&empty, &all(BY_PEOPLE, ""));
    let limit = "[method]\nlimit_unit = \"persons\"\n";
    refused(&table, &all(BY_RECORDS, limit));
    refused(&table, &all("[data]\nperson = \"\"\n", BY_RECORDS));
    // Nobody can be one of five where there are four.
    let few = "patient,born,sex,zip,illness\n".to_owned() + &"p1,1950,f,10007,flu\np2,1950,f,10007,flu\n".repeat(10);
    refused(&few, &all(BY_PEOPLE, ""));
}

#[test]
fn ids_that_look_wrong_are_told() {
    let table = "patient,born,sex,zip,illness\n".to_owned()
        + &(0..40).fold(String::new(), |mut text, place| {
            writeln!(text, "{}{},1950,f,10007,flu", ["P", "p", "q"][place % 3], place / 3).unwrap();
            text
        })
        + &"NA,1950,f,10007,flu\n".repeat(2);
    let stage = Stage::with(&table);
    let warned = |policy: &Policy, out: &str| {
        let warnings = stage.release(policy, out).unwrap().report.checklist.warnings().join("\n");
        told(0, &warnings, stage.folder());
    };
    warned(&policy(BY_PEOPLE, ""), "out");
    let alone = "patient,born,sex,zip,illness\n".to_owned()
        + &(0..40).fold(String::new(), |mut text, place| {
            writeln!(text, "p{place},1950,f,10007,flu").unwrap();
            text
        });
    stage.write("data.csv", alone);
    warned(&policy(BY_PEOPLE, ""), "alone");
    // By records, an id that repeats is told, and what to do about it.
    stage.write("data.csv", admissions(300, 10));
    warned(&policy(BY_RECORDS, ""), "records");
    warned(&policy(BY_PEOPLE, ""), "people");
}
