//! Two executors, and nothing happens to them: under mutual TLS, and with a secret.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use equanym_engine::run::demo::{POLICY, RECORDS, SEED, write_csv};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use super::callers::Guard;
use super::processes::{Cluster, assert_same, files, program, wait_until};
use crate::hospital;

/// The hospital as one file and in parts, one of which has short rows.
fn write(folder: &Path) {
    hospital::write_policy(folder);
    let text = write_csv(RECORDS, SEED);
    fs::write(folder.join("one.csv"), &text).unwrap();
    fs::create_dir(folder.join("parts")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    for (number, rows) in rows.chunks(rows.len().div_ceil(5)).enumerate() {
        let mut part = format!("{header}\n{}\n", rows.join("\n"));
        if number == 1 {
            let short = part.trim_end().rsplit_once(',').unwrap().0.to_owned();
            part = short + "\n";
        }
        fs::write(folder.join(format!("parts/{number}.csv")), part).unwrap();
    }
}

/// The hospital as a Parquet file of several row groups, which are read by whoever asks first.
fn write_parquet(folder: &Path) {
    let text = write_csv(RECORDS, SEED);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |place: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| Some(row[place]).filter(|cell| !cell.is_empty())).collect::<StringArray>())
    };
    let columns = header.iter().enumerate().map(|(place, name)| (name, column(place), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(300)).build();
    let file = fs::File::create(folder.join("groups.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    assert!(writer.close().unwrap().row_groups().len() > 5);
}

/// Releases with and without the cluster.
fn check(cluster: &Cluster, folder: &Path, policy: &str, data: &str, more: &[&str]) {
    for (out, there) in [("here", Vec::new()), ("there", cluster.flags())] {
        let mut release = hospital::release(folder, policy, data, out);
        release.args(more).args(there);
        let output = release.output().unwrap();
        assert!(output.status.success(), "{policy} {data}: {output:?}");
    }
    assert_same(&folder.join("here"), &folder.join("there"));
    for out in ["here", "there"] {
        fs::remove_dir_all(folder.join(out)).unwrap();
    }
}

/// Applies a mask with and without the cluster.
fn check_applied(cluster: &Cluster, folder: &Path) {
    assert!(hospital::release(folder, "policy.toml", "one.csv", "march").status().unwrap().success());
    for (out, there) in [("here", Vec::new()), ("there", cluster.flags())] {
        let mut apply = program(&["apply", "one.csv", "--mask", "march/private/mask.json", "--out", out, "--quiet"]);
        apply.args(there);
        let output = apply.current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_same(&folder.join("here"), &folder.join("there"));
}

#[test]
fn a_cluster_releases_what_one_machine_releases() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    fs::write(folder.join("parquet.toml"), format!("{POLICY}\n[output]\nformat = \"parquet\"\n")).unwrap();
    fs::write(folder.join("input.toml"), format!("{POLICY}\n[output]\norder = \"input\"\n")).unwrap();
    write_parquet(folder);
    let mut cluster = Cluster::start(Guard::Certificates, 2, folder);
    check(&cluster, folder, "policy.toml", "one.csv", &[]);
    check(&cluster, folder, "policy.toml", "parts", &["--ragged", "null"]);
    check(&cluster, folder, "parquet.toml", "parts", &["--ragged", "null"]);
    check(&cluster, folder, "policy.toml", "groups.parquet", &[]);
    check(&cluster, folder, "input.toml", "one.csv", &[]);
    check_applied(&cluster, folder);
    // What executors passed on to each other is gone, and so are their folders when they end.
    let executor = cluster.executors.pop().unwrap();
    let scratch = executor.folder.clone();
    wait_until("shuffle files to go", || files(&scratch).iter().all(|file| file.ends_with("lock")));
    assert_eq!(executor.end("-INT"), Some(0));
    assert!(!scratch.exists());
}

#[test]
fn a_cluster_walks_as_one_machine_walks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    fs::write(folder.join("walk.toml"), include_str!("../../../../../examples/hospital/walk.toml")).unwrap();
    let cluster = Cluster::start(Guard::Secret, 2, folder);
    check(&cluster, folder, "walk.toml", "one.csv", &["--seed", "7"]);
}

/// A population in another format, and a preset that looks at cells.
#[test]
fn a_cluster_counts_the_population_and_keeps_presets() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    write_parquet(folder);
    let k_map = "[[privacy]]\nmodel = \"k-map\"\nk = 4\npopulation = \"groups.parquet\"\n";
    fs::write(folder.join("map.toml"), format!("{POLICY}\n{k_map}")).unwrap();
    let safe = "preset = \"hipaa-safe-harbor\"\n[variables.age]\nrole = \"quasi-identifying\"\n\
                hierarchy = { intervals = [10, 30], top = 90 }\nlevels = { min = 1 }\n\
                [variables.remark]\nrole = \"insensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    fs::write(folder.join("safe.toml"), safe).unwrap();
    let rows = |remark: &str| (0..40).map(|one| format!("{},{remark}\n", 30 + one % 20)).collect::<Vec<_>>().concat();
    fs::write(folder.join("safe.csv"), format!("age,remark\n{}", rows("well"))).unwrap();
    fs::write(folder.join("unsafe.csv"), format!("age,remark\n{}", rows("anna@example.org"))).unwrap();
    let cluster = Cluster::start(Guard::Secret, 2, folder);
    check(&cluster, folder, "map.toml", "one.csv", &[]);
    assert!(cluster.job(2).is_some(), "the population is a job beside counting and rewriting");
    check(&cluster, folder, "safe.toml", "safe.csv", &[]);
    let output = hospital::release(folder, "safe.toml", "unsafe.csv", "out").args(cluster.flags()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && told.contains("column `remark`"), "{told}");
    assert!(!folder.join("out").exists());
}
