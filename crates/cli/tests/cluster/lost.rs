//! Executors that are killed in the middle.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use equanym_engine::demo::write_csv;

use crate::hospital;
use crate::processes::{Cluster, Executor, assert_same, wait_until};

/// The hospital in two files: one with few records, one with many.
fn write(folder: &Path) {
    hospital::write_policy(folder);
    fs::create_dir(folder.join("data")).unwrap();
    let text = write_csv(60_000, 3);
    let split = text.match_indices('\n').nth(200).unwrap().0 + 1;
    let header = text.split_inclusive('\n').next().unwrap();
    fs::write(folder.join("data/few.csv"), &text[..split]).unwrap();
    fs::write(folder.join("data/many.csv"), header.to_owned() + &text[split..]).unwrap();
}

fn release(folder: &Path, cluster: &Cluster) -> Child {
    let mut release = hospital::release(folder, "policy.toml", "data", "there");
    release.args(["--cluster", &cluster.url]).stderr(Stdio::piped()).spawn().unwrap()
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
    let mut cluster = Cluster::start(2, folder);
    // It is given a part of the table and does not get anywhere.
    cluster.executors[0].hold();
    let release = release(folder, &cluster);
    wait_until("the other part", || cluster.stages(0).first() == Some(&("Running".to_owned(), 1)));
    cluster.lose(0);
    check_same(folder, release);
}

#[test]
fn an_executor_that_dies_in_the_reduce_stage_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let mut cluster = Cluster::start(2, folder);
    let release = release(folder, &cluster);
    // Who read the few records waits with its results for the other, and then nobody gets them any more.
    wait_until("the first part", || cluster.stages(0).first() == Some(&("Running".to_owned(), 1)));
    let first = cluster.executors.iter().position(Executor::has_results).unwrap();
    cluster.executors[first].hold();
    wait_until("the reduce stage", || {
        let stages = cluster.stages(0);
        let status = |stage: usize| stages.get(stage).map(|(status, _)| status.as_str());
        status(0) == Some("Successful") && status(1) == Some("Running")
    });
    cluster.lose(first);
    check_same(folder, release);
}

#[test]
fn without_executors_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let entries =
        || fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<OsString>>();
    let before = entries();
    let mut cluster = Cluster::start(2, folder);
    cluster.executors.iter().for_each(Executor::hold);
    let release = release(folder, &cluster);
    wait_until("the map stage", || cluster.stages(0).first().is_some_and(|(status, _)| status == "Running"));
    cluster.lose(0);
    cluster.lose(0);
    let start = Instant::now();
    let output = release.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("no executor is left") && words.contains("cluster executor"), "{words}");
    assert_eq!(entries(), before);
}
