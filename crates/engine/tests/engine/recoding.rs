//! Ladders end to end: released, audited with the original by code of its own, applied again, written as SQL.

use std::fmt::Write;

use equanym_core::hierarchy::library;

use crate::releasing::{faults, policy};
use crate::stage::Stage;

const NAMES: &str = include_str!("../../../core/src/hierarchy/library/countries.txt");

/// Every code of a classification, and every spelling that is read.
fn codes(library: &str) -> Vec<String> {
    match library {
        "icd-10" => {
            let categories = ('A'..='Z').flat_map(|letter| {
                (0..10).flat_map(move |ten| "0123456789A".chars().map(move |last| format!("{letter}{ten}{last}")))
            });
            let spelt = ["i50.14", "I5014", "I50.-", "S52.521A", "I50.14 G", "E10.20+"].map(String::from);
            categories.chain(spelt).collect()
        }
        "hipaa-zip3" => (0..1000).map(|area| format!("{area:03}01-1234")).collect(),
        "country-region" => {
            let countries = NAMES.lines().filter(|line| !line.starts_with('#'));
            let spelt = countries.flat_map(|line| {
                [line[..2].to_owned(), line[3..6].to_owned()]
                    .into_iter()
                    .chain(line[7..].split(" | ").map(String::from))
            });
            spelt.collect()
        }
        "isco-08" => (0..10_000).map(|code| format!("{code:04}")).collect(),
        "nace-2" => {
            (0..100).flat_map(|one| (0..100).step_by(7).map(move |more| format!("{one:02}.{more:02}"))).collect()
        }
        _ => (0..120).map(|age| age.to_string()).collect(),
    }
}

/// What a ladder reads of these.
fn readable(library: &library::Library, codes: Vec<String>) -> Vec<String> {
    let reads = |code: &String| {
        equanym_core::hierarchy::Builder::Library(find(library)).fit(std::slice::from_ref(code)).is_ok()
    };
    codes.into_iter().filter(reads).collect()
}

fn find(library: &library::Library) -> &'static library::Library {
    library::find(library.card.name).unwrap()
}

fn cell(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The audit has tables of its own: both must say the same of every code, at every step.
#[test]
fn the_audit_recodes_every_code_alike() {
    for library in library::ALL {
        let name = library.card.name;
        let codes = readable(library, codes(name));
        assert!(codes.len() > 100, "{name}");
        let rows = codes.iter().fold(String::new(), |rows, code| rows + &cell(code) + "\n");
        let stage = Stage::with(format!("code\n{rows}{rows}"));
        for level in 0..=library.steps.len() + 1 {
            let policy = policy(&format!(
                "[variables.code]\nrole = \"quasi-identifying\"\nhierarchy = {{ library = \"{name}\" }}\n\
                 levels = {{ min = {level}, max = {level} }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n"
            ));
            let out = format!("{name}-{level}");
            stage.release(&policy, &out).unwrap();
            stage.audit(&out);
        }
    }
}

const POLICY: &str = "[data]\nmissing = [\"NA\"]\n\
    [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [10, 20], top = 80, bottom = 25 }\n\
    [variables.icd]\nrole = \"quasi-identifying\"\nhierarchy = { library = \"icd-10\" }\nlevels = { min = 2, max = 3 }\n\
    [variables.born]\nrole = \"quasi-identifying\"\nlevels = { min = 1, max = 2 }\n\
    hierarchy = { date = [\"5 years\", \"decade\"], format = \"D.M.YYYY\" }\n\
    [variables.zip]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [3] }\nlevels = { min = 1, max = 1 }\n\
    [variables.job]\nrole = \"quasi-identifying\"\nhierarchy = { rare = [20, 40] }\nlevels = { min = 1, max = 2 }\n\
    [variables.ward]\nrole = \"sensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n\
    [method]\nsuppression_limit = 0.3\nnew_values = \"suppress\"\n";

/// Patients, with codes of different length, dates with and without zeros, and jobs of which two are rare.
fn patients(count: usize) -> String {
    let mut text = "age,icd,born,zip,job,ward\n".to_owned();
    for place in 0..count {
        let icd = ["I50", "I50.1", "i5014", "NA"][place % 4];
        let job = if place % 40 == 7 { ["smith", "diver"][place % 80 / 40] } else { ["cook", "nurse"][place / 3 % 2] };
        let (day, month) = (place % 28 + 1, place % 12 + 1);
        let born =
            if place % 2 == 0 { format!("{day}.{month}.1968") } else { format!("{day:02}.{month:02}.1966 10:30") };
        let age = [20, 24, 31, 35, 82, 97][place % 6];
        writeln!(text, "{age},{icd},{born},691{},{job},east", place % 3 * 10 + place % 2).unwrap();
    }
    text
}

#[test]
fn ladders_of_each_kind_are_released_audited_and_applied_again() {
    let stage = Stage::with(patients(400));
    let policy = policy(POLICY);
    stage.release(&policy, "out").unwrap();
    let reading = &policy.data;
    stage.audit_read(reading, "out");
    let text = stage.released("out");
    for label in ["80+", "under 25", "1965-1969", "691*", "other"] {
        assert!(text.contains(label), "{label} is missing from {}", text.lines().take(5).collect::<String>());
    }
    assert!(!text.contains("smith") && !text.contains("97,"));
    // Values that the ladders never saw: rules read them, a list does not.
    let more = "103,I50.19,31.12.1969,69199,cook,east\n".repeat(5) + "40,I50,1.1.1967,69100,baker,east\n";
    stage.write("data.csv", patients(400) + &more);
    stage.apply("out", "data.csv", "again").unwrap();
    stage.audit_read(reading, "again");
    assert!(!stage.released("again").contains("baker") && !stage.released("again").contains("103"));
}

#[test]
fn a_label_that_its_step_does_not_make_is_found() {
    let stage = Stage::with(patients(400));
    let policy = policy(POLICY);
    stage.release(&policy, "out").unwrap();
    let honest = stage.released("out");
    for (label, other) in
        [("80+", "85+"), ("under 25", "24"), ("1965-1969", "1966-1970"), ("691*", "6911"), ("I50", "I50.1")]
    {
        assert!(honest.contains(label), "{label}");
        stage.write("out/public/data.csv", honest.replace(label, other));
        let found = faults(&stage.data(), &policy.data, &stage.path("out")).concat();
        assert!(found.contains("\"labels\""), "{label} as {other}: {found}");
    }
}

#[test]
fn mondrian_divides_numbers_with_ends_along_their_ladder() {
    let stage = Stage::with(patients(400));
    let text = "[variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [10, 20], top = 80, bottom = 25 }\n\
        [variables.icd]\nrole = \"identifying\"\n[variables.born]\nrole = \"identifying\"\n\
        [variables.zip]\nrole = \"identifying\"\n[variables.job]\nrole = \"quasi-identifying\"\nhierarchy = { rare = [20] }\n\
        [variables.ward]\nrole = \"sensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n\
        [method]\nname = \"mondrian\"\n";
    let policy = policy(text);
    stage.release(&policy, "out").unwrap();
    stage.audit_read(&policy.data, "out");
    assert!(stage.released("out").contains("80+") && !stage.released("out").contains("97"));
}
