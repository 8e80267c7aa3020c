//! The main job from end to end: what is written, what is claimed, and that nothing else depends on it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::releasing;
use crate::releasing::{benchmark_policy, contents, faults, policy, reversed, run, shared_data};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use equanym_core::card::Value;
use equanym_engine::error::Kind;
use equanym_engine::policy::Policy;
use equanym_engine::read::Reading;
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
    let folder = tempdir().unwrap();
    let data = folder.path().join("admissions.csv");
    fs::write(&data, demo::write_csv(demo::RECORDS, demo::SEED)).unwrap();
    let out = folder.path().join("release");
    let released = run(&data, &hospital_policy(), &out, 2).unwrap();
    let report = &released.report;
    assert_eq!(report.records, 2000);
    assert_eq!(report.released + report.suppressed, 2000);
    assert!(report.suppressed <= 100 && report.classes.min >= 5 && report.choice.as_ref().unwrap().optimal);
    assert_eq!(faults(&data, &Reading::default(), &out), [""; 0]);
    let csv = fs::read_to_string(out.join("public/data.csv")).unwrap();
    assert_eq!(csv.lines().count() as u64, 1 + report.released);
    assert!(!csv.lines().next().unwrap().contains("name,"), "identifying columns are not released");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary files are left");
}

#[test]
fn a_loss_that_charges_nothing_is_claimed_and_audited() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("admissions.csv");
    fs::write(&data, demo::write_csv(demo::RECORDS, demo::SEED)).unwrap();
    let mut policy = hospital_policy();
    policy.method.search = "ola".to_owned();
    policy.method.loss_parameters.insert("suppressed".to_owned(), Value::Text("free".to_owned()));
    policy.method.minimal_nodes = true;
    let out = folder.path().join("release");
    let released = run(&data, &policy, &out, 2).unwrap();
    let choice = released.report.choice.as_ref().unwrap();
    assert!(choice.optimal && released.report.suppressed > 0, "free suppression leaves the published search exact");
    let best = choice.minimal.iter().map(|node| node.loss).fold(f64::INFINITY, f64::min);
    assert_eq!(best.to_bits(), choice.loss.value.to_bits());
    assert!(choice.minimal.iter().any(|node| node.node == released.report.node));
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("public/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["loss"]["suppressed"], "free");
    assert_eq!(faults(&data, &Reading::default(), &out), [""; 0]);
    assert!(fs::read_to_string(out.join("private/report.html")).unwrap().contains("The k-minimal nodes"));
}

#[test]
fn the_bytes_do_not_depend_on_order_threads_or_format() {
    let folder = tempdir().unwrap();
    let csv = demo::write_csv(demo::RECORDS, demo::SEED);
    let paths = ["plain.csv", "shuffled.csv", "table.parquet"].map(|name| folder.path().join(name));
    fs::write(&paths[0], &csv).unwrap();
    fs::write(&paths[1], reversed(&csv)).unwrap();
    write_parquet(&csv, &paths[2]);
    for format in ["csv", "parquet"] {
        let mut policy = hospital_policy();
        if format == "parquet" {
            policy.output.format = equanym_engine::policy::Format::Parquet;
        }
        let mut releases = Vec::new();
        for (number, (data, threads)) in paths.iter().flat_map(|path| [(path, 1), (path, 2), (path, 5)]).enumerate() {
            let out = folder.path().join(format!("{format}-{number}"));
            run(data, &policy, &out, threads).unwrap();
            releases.push(contents(&out));
        }
        assert!(releases.windows(2).all(|pair| pair[0] == pair[1]), "{format} releases differ");
    }
}

#[test]
fn a_stored_mask_is_applied_again_or_refused() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("admissions.csv");
    fs::write(&data, demo::write_csv(demo::RECORDS, demo::SEED)).unwrap();
    let first = folder.path().join("first");
    run(&data, &hospital_policy(), &first, 2).unwrap();
    let apply = |data: &Path, out: &Path| releasing::apply_again(&first, data, out);
    // Next month's data are proved anew.
    let next = folder.path().join("next.csv");
    fs::write(&next, demo::write_csv(3000, 7)).unwrap();
    let released = apply(&next, &folder.path().join("second")).unwrap();
    assert!(released.report.classes.min >= 5 && released.report.choice.is_none());
    assert_eq!(faults(&next, &Reading::default(), &folder.path().join("second")), [""; 0]);
    // A handful of records cannot be safe at the stored levels.
    let few = folder.path().join("few.csv");
    fs::write(&few, demo::write_csv(20, 7)).unwrap();
    let refusal = apply(&few, &folder.path().join("third")).unwrap_err();
    assert_eq!(refusal.kind, Kind::Unsafe);
    assert!(!folder.path().join("third").exists());
}

#[test]
fn the_suppression_limit_is_a_share_in_decimals() {
    // 29 of 100 records stand alone; 0.29 * 100 is below 29 in binary floating point.
    let folder = tempdir().unwrap();
    let data = folder.path().join("data.csv");
    let alone = (0..29).map(|number| format!("a{number}\n"));
    let rows: String = alone.chain((0..71).map(|_| "crowd\n".to_owned())).collect();
    fs::write(&data, format!("v\n{rows}")).unwrap();
    for (limit, level) in [("0.29", 0), ("0.28", 1)] {
        let text = format!(
            "[variables.v]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n\
             [method]\nloss = \"precision\"\nsuppression_limit = {limit}\n"
        );
        let released = run(&data, &policy(&text), &folder.path().join(limit), 2).unwrap();
        assert_eq!(released.report.node.0, [("v".to_owned(), level)], "limit {limit}");
        assert_eq!(released.report.suppressed, if level == 0 { 29 } else { 0 });
    }
}

#[test]
fn formulas_are_neutralised_and_counted() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data.csv");
    fs::write(&data, "group,\"=note\"\na,=1+1\na,-5\nb,@x\nb,'=y\n").unwrap();
    let text = "[variables.group]\nrole = \"quasi-identifying\"\n[variables.\"=note\"]\nrole = \"insensitive\"\n\
                [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    run(&data, &policy(text), &folder.path().join("out"), 1).unwrap();
    let csv = fs::read_to_string(folder.path().join("out/public/data.csv")).unwrap();
    assert_eq!(csv, "group,'=note\na,'=1+1\na,-5\nb,''=y\nb,'@x\n");
    let manifest = fs::read_to_string(folder.path().join("out/public/manifest.json")).unwrap();
    assert!(manifest.contains("\"neutralised_cells\": 3"), "{manifest}");
    for folder_of in ["public", "private"] {
        let report = fs::read_to_string(folder.path().join("out").join(folder_of).join("report.json")).unwrap();
        assert!(report.contains("\"neutralised_cells\": 3"), "{folder_of}: {report}");
    }
}

#[test]
fn a_misspelt_member_of_a_group_is_noticed() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data.csv");
    fs::write(&data, "pet\ncat\ncat\ndog\ndog\n").unwrap();
    let text = "[variables.pet]\nrole = \"quasi-identifying\"\nhierarchy = { groups = [{ animal = [\"cat\", \"dgo\"] }] }\n\
                [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let released = run(&data, &policy(text), &folder.path().join("out"), 1).unwrap();
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
    let folder = tempdir().unwrap();
    let data = folder.path().join("data.csv");
    let rows: Vec<String> = (0..40).map(|number| format!("CANARY{number:02},x,SECRET{}", number % 20)).collect();
    fs::write(&data, format!("who,group,note\n{}\nalone,LONELY,HIDDEN\n", rows.join("\n"))).unwrap();
    let text = "[variables.who]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [3] }\nlevels = { min = 1 }\n\
                [variables.group]\nrole = \"quasi-identifying\"\n[variables.note]\nrole = \"identifying\"\n\
                [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n\
                [method]\nsuppression_limit = 0.05\n[output]\nformat = \"parquet\"\n";
    let out = folder.path().join("out");
    let released = run(&data, &policy(text), &out, 2).unwrap();
    assert_eq!(released.report.suppressed, 1);
    for (path, bytes) in releasing::files(&out.join("public")) {
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
    let columns = [
        "sex",
        "age",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
        "occupation",
        "salary-class",
    ];
    let cases = [
        ("non-uniform-entropy", [1, 2, 1, 1, 3, 2, 2, 1, 1], 407_289.539),
        ("discernibility-star", [1, 1, 1, 2, 3, 2, 2, 1, 1], 33_627_534.0),
    ];
    let scratch = tempdir().unwrap();
    for (loss, levels, value) in cases {
        for search in ["optimal", "ola", "exhaustive"] {
            let method = format!("[method]\nsearch = \"{search}\"\nloss = \"{loss}\"\nsuppression_limit = 0\n");
            let policy = benchmark_policy(&folder, &columns, &method);
            let out = scratch.path().join(format!("{loss}-{search}"));
            let report = run(&folder.join("adult.csv"), &policy, &out, 2).unwrap().report;
            assert_eq!(report.node.0.iter().map(|(_, level)| *level).collect::<Vec<_>>(), levels, "{loss} {search}");
            let found = report.choice.unwrap().loss.value;
            assert!((found - value).abs() < 5e-4, "{loss} {search}: {found}");
        }
    }
}
