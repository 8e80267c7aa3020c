//! Executors that are killed in the middle, under mutual TLS.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::callers::Guard;
use super::processes::{Cluster, assert_same, wait_until};
use crate::hospital;

/// Two columns that are released and one that only takes time to read.
const POLICY: &str = r#"
[variables.age]
role = "quasi-identifying"
hierarchy = { prefix = [1] }

[variables.sex]
role = "quasi-identifying"

[variables.letter]
role = "identifying"

[[privacy]]
model = "k-anonymity"
k = 5
"#;

/// A table in two files: reading one of them takes much longer, and neither is done before both executors have asked for
/// work, which they do ten times a second.
fn write(folder: &Path) {
    fs::write(folder.join("policy.toml"), POLICY).unwrap();
    fs::create_dir(folder.join("data")).unwrap();
    let letter = "letter ".repeat(60);
    let row = |number: usize| format!("{},{},{letter}\n", number * 7 % 90 + 10, ["f", "m"][number % 2]);
    for (name, numbers) in [("few", 0..FEW), ("many", FEW..5 * FEW)] {
        let text: String = numbers.map(row).collect();
        fs::write(folder.join(format!("data/{name}.csv")), format!("age,sex,letter\n{text}")).unwrap();
    }
}

const FEW: usize = 40_000;

/// The jobs of a release.
const COUNT: usize = 0;
const REWRITE: usize = 1;

/// A release in the moment in which one executor has read its file for a job and the other has not: the release, who has, who
/// has not.
fn halfway(folder: &Path, cluster: &Cluster, job: usize) -> (Child, usize, usize) {
    let mut release = hospital::release(folder, "policy.toml", "data", "there");
    let release = release.args(cluster.flags()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the first file", || cluster.stages(job).first() == Some(&("Running".to_owned(), 1)));
    let name = cluster.job(job).unwrap();
    let done = cluster.executors.iter().position(|executor| executor.has_results(&name)).unwrap();
    (release, done, 1 - done)
}

fn check_same(folder: &Path, release: Child) {
    let output = release.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(hospital::release(folder, "policy.toml", "data", "here").status().unwrap().success());
    assert_same(&folder.join("here"), &folder.join("there"));
}

#[test]
fn an_executor_that_dies_in_the_map_stage_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let mut cluster = Cluster::start(Guard::Certificates, 2, folder);
    let (release, _, reading) = halfway(folder, &cluster, COUNT);
    cluster.lose(reading);
    assert_eq!(cluster.stages(COUNT).first(), Some(&("Running".to_owned(), 1)));
    check_same(folder, release);
}

fn lose_in_the_reduce_stage(job: usize) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let mut cluster = Cluster::start(Guard::Certificates, 2, folder);
    let (release, done, _) = halfway(folder, &cluster, job);
    // It keeps its results to itself, so that the next stage begins and does not end.
    cluster.executors[done].hold();
    let in_reduce = |cluster: &Cluster| {
        let stages = cluster.stages(job);
        let status = |stage: usize| stages.get(stage).map(|(status, _)| status.as_str());
        status(0) == Some("Successful") && status(1) == Some("Running")
    };
    wait_until("the reduce stage", || in_reduce(&cluster));
    cluster.lose(done);
    assert!(in_reduce(&cluster));
    check_same(folder, release);
}

#[test]
fn an_executor_that_dies_in_the_reduce_stage_of_counting_changes_nothing() {
    lose_in_the_reduce_stage(COUNT);
}

#[test]
fn an_executor_that_dies_in_the_reduce_stage_of_rewriting_changes_nothing() {
    lose_in_the_reduce_stage(REWRITE);
}

#[test]
fn without_executors_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let entries =
        || fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<OsString>>();
    let before = entries();
    let mut cluster = Cluster::start(Guard::Certificates, 2, folder);
    let (release, ..) = halfway(folder, &cluster, COUNT);
    cluster.lose(0);
    cluster.lose(0);
    let start = Instant::now();
    let output = release.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("no executor works") && words.contains("cluster executor"), "{words}");
    assert_eq!(entries(), before);
}
