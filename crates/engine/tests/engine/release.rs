//! The main job from end to end: what is written, what is claimed, and that nothing else depends on it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::releasing;
use crate::releasing::{ADULT, benchmark_policy, contents, policy, reversed, run, shared_data};
use crate::stage::Stage;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use equanym_core::card::Value;
use equanym_engine::error::Kind;
use equanym_engine::policy::Policy;
use equanym_engine::run::demo;
use parquet::arrow::ArrowWriter;
use tempfile::tempdir;

fn hospital_policy() -> Policy {
    let file = |name: &str| {
        let found = demo::HIERARCHIES.iter().find(|(path, _)| *path == name);
        Ok(found.map(|(_, text)| (*text).to_owned()).unwrap())
    };
    Policy::parse(demo::POLICY, &file).unwrap()
}

/// A table as Parquet with text columns, missing values null.
fn write_parquet(csv: &str, path: &Path) {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |place: usize| -> ArrayRef {
        let cell = |row: &csv::StringRecord| Some(row[place].to_owned()).filter(|cell| !cell.is_empty());
        Arc::new(rows.iter().map(cell).collect::<StringArray>())
    };
    let columns = header.iter().enumerate().map(|(place, name)| (name.to_owned(), column(place), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut writer = ArrowWriter::try_new(fs::File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn the_hospital_is_released_and_passes_its_audit() {
    let stage = Stage::with(demo::write_csv(demo::RECORDS, demo::SEED));
    let released = stage.release(&hospital_policy(), "out").unwrap();
    let report = &released.report;
    assert_eq!(report.records, 2000);
    assert_eq!(report.released + report.suppressed, 2000);
    assert!(report.suppressed <= 100 && report.classes.min >= 5 && report.choice.as_ref().unwrap().optimal);
    stage.audit("out");
    let csv = stage.released("out");
    assert_eq!(csv.lines().count() as u64, 1 + report.released);
    assert!(!csv.lines().next().unwrap().contains("name,"), "identifying columns are not released");
    assert_eq!(fs::read_dir(stage.folder()).unwrap().count(), 2, "no temporary files are left");
}

#[test]
fn a_loss_that_charges_nothing_is_claimed_and_audited() {
    let stage = Stage::with(demo::write_csv(demo::RECORDS, demo::SEED));
    let mut policy = hospital_policy();
    policy.method.search = "ola".to_owned();
    policy.method.loss_parameters.insert("suppressed".to_owned(), Value::Text("free".to_owned()));
    policy.method.minimal_nodes = true;
    let released = stage.release(&policy, "out").unwrap();
    let choice = released.report.choice.as_ref().unwrap();
    assert!(choice.optimal && released.report.suppressed > 0, "free suppression leaves the published search exact");
    let best = choice.minimal.iter().map(|node| node.loss).fold(f64::INFINITY, f64::min);
    assert_eq!(best.to_bits(), choice.loss.value.to_bits());
    assert!(choice.minimal.iter().any(|node| node.node == released.report.node));
    let manifest = stage.json("out/public/manifest.json");
    assert_eq!(manifest["loss"]["suppressed"], "free");
    stage.audit("out");
    assert!(stage.read("out/private/report.html").contains("The k-minimal nodes"));
}

#[test]
fn the_bytes_do_not_depend_on_order_threads_or_format() {
    let csv = demo::write_csv(demo::RECORDS, demo::SEED);
    let stage = Stage::with(&csv);
    let paths = [stage.data(), stage.write("shuffled.csv", reversed(&csv)), stage.path("table.parquet")];
    write_parquet(&csv, &paths[2]);
    for format in ["csv", "parquet"] {
        let mut policy = hospital_policy();
        if format == "parquet" {
            policy.output.format = equanym_engine::policy::Format::Parquet;
        }
        let mut releases = Vec::new();
        for (number, (data, threads)) in paths.iter().flat_map(|path| [(path, 1), (path, 2), (path, 5)]).enumerate() {
            let out = stage.path(format!("{format}-{number}"));
            run(data, &policy, &out, threads).unwrap();
            releases.push(contents(&out));
        }
        assert!(releases.windows(2).all(|pair| pair[0] == pair[1]), "{format} releases differ");
    }
}

#[test]
fn a_stored_mask_is_applied_again_or_refused() {
    let stage = Stage::with(demo::write_csv(demo::RECORDS, demo::SEED));
    stage.release(&hospital_policy(), "first").unwrap();
    // Next month's data are proved anew.
    stage.write("data.csv", demo::write_csv(3000, 7));
    let released = stage.apply("first", "data.csv", "second").unwrap();
    assert!(released.report.classes.min >= 5 && released.report.choice.is_none());
    stage.audit("second");
    // A handful of records cannot be safe at the stored levels.
    stage.write("few.csv", demo::write_csv(20, 7));
    let refusal = stage.apply("first", "few.csv", "third").unwrap_err();
    assert_eq!(refusal.kind, Kind::Unsafe);
    assert!(!stage.path("third").exists());
}

#[test]
fn the_suppression_limit_is_a_share_in_decimals() {
    // 29 of 100 records stand alone; 0.29 * 100 is below 29 in binary floating point.
    let alone = (0..29).map(|number| format!("a{number}\n"));
    let rows: String = alone.chain((0..71).map(|_| "crowd\n".to_owned())).collect();
    let stage = Stage::with(format!("v\n{rows}"));
    for (limit, level) in [("0.29", 0), ("0.28", 1)] {
        let text = format!(
            "[variables.v]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n\
             [method]\nloss = \"precision\"\nsuppression_limit = {limit}\n"
        );
        let released = stage.release(&policy(&text), limit).unwrap();
        assert_eq!(released.report.node.0, [("v".to_owned(), level)], "limit {limit}");
        assert_eq!(released.report.suppressed, if level == 0 { 29 } else { 0 });
    }
}

#[test]
fn formulas_are_neutralised_and_counted() {
    let stage = Stage::with("group,\"=note\"\na,=1+1\na,-5\nb,@x\nb,'=y\n");
    let text = "[variables.group]\nrole = \"quasi-identifying\"\n[variables.\"=note\"]\nrole = \"insensitive\"\n\
                [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    stage.release(&policy(text), "out").unwrap();
    let csv = stage.released("out");
    assert_eq!(csv, "group,'=note\na,'=1+1\na,-5\nb,''=y\nb,'@x\n");
    let manifest = stage.read("out/public/manifest.json");
    assert!(manifest.contains("\"neutralised_cells\": 3"), "{manifest}");
    for folder_of in ["public", "private"] {
        let report = stage.read(format!("out/{folder_of}/report.json"));
        assert!(report.contains("\"neutralised_cells\": 3"), "{folder_of}: {report}");
    }
}

#[test]
fn a_misspelt_member_of_a_group_is_noticed() {
    let stage = Stage::with("pet\ncat\ncat\ndog\ndog\n");
    let text = "[variables.pet]\nrole = \"quasi-identifying\"\nhierarchy = { groups = [{ animal = [\"cat\", \"dgo\"] }] }\n\
                [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let released = stage.release(&policy(text), "out").unwrap();
    let warning = "column `pet`: 1 member of its groups does not occur in the data; are they spelt alike?";
    assert_eq!(released.report.checklist.warnings(), [warning]);
}

#[test]
fn the_output_does_not_land_among_the_input() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    fs::write(folder.path().join("parts/one.csv"), "v\na\na\n").unwrap();
    let text = "[variables.v]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let parts = folder.path().join("parts");
    let refusal = run(&parts, &policy(text), &parts.join("out"), 1).unwrap_err();
    assert_eq!(refusal.kind, Kind::Input);
    assert_eq!(fs::read_dir(&parts).unwrap().count(), 1);
    run(&parts, &policy(text), &folder.path().join("out"), 1).unwrap();
}

#[test]
fn nothing_raw_is_left_in_parquet() {
    let rows: Vec<String> = (0..40).map(|number| format!("CANARY{number:02},x,SECRET{}", number % 20)).collect();
    let stage = Stage::with(format!("who,group,note\n{}\nalone,LONELY,HIDDEN\n", rows.join("\n")));
    let text = "[variables.who]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [3] }\nlevels = { min = 1 }\n\
                [variables.group]\nrole = \"quasi-identifying\"\n[variables.note]\nrole = \"identifying\"\n\
                [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n\
                [method]\nsuppression_limit = 0.05\n[output]\nformat = \"parquet\"\n";
    let released = stage.release(&policy(text), "out").unwrap();
    assert_eq!(released.report.suppressed, 1);
    for (path, bytes) in releasing::files(&stage.path("out/public")) {
        for canary in ["CANARY", "LONELY", "SECRET", "HIDDEN", "alone"] {
            let found = bytes.windows(canary.len()).any(|window| window == canary.as_bytes());
            assert!(!found, "{canary} in {}", path.display());
        }
    }
}

#[test]
fn the_published_optima_of_adult_come_out() {
    let Some(folder) = shared_data() else { return };
    let folder = folder.join("adult");
    let cases = [
        ("non-uniform-entropy", [1, 2, 1, 1, 3, 2, 2, 1, 1], 407_289.539),
        ("discernibility-star", [1, 1, 1, 2, 3, 2, 2, 1, 1], 33_627_534.0),
    ];
    let scratch = tempdir().unwrap();
    for (loss, levels, value) in cases {
        for search in ["optimal", "ola", "exhaustive"] {
            let method = format!("[method]\nsearch = \"{search}\"\nloss = \"{loss}\"\nsuppression_limit = 0\n");
            let policy = benchmark_policy(&folder, &ADULT, &method);
            let out = scratch.path().join(format!("{loss}-{search}"));
            let report = run(&folder.join("adult.csv"), &policy, &out, 2).unwrap().report;
            assert_eq!(report.node.0.iter().map(|(_, level)| *level).collect::<Vec<_>>(), levels, "{loss} {search}");
            let found = report.choice.unwrap().loss.value;
            assert!((found - value).abs() < 5e-4, "{loss} {search}: {found}");
        }
    }
}
