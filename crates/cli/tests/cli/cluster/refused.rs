//! What a cluster does not do.

use std::fs;

use equanym_engine::run::demo::write_csv;

use super::processes::{Cluster, program};
use crate::hospital;

#[test]
fn other_machines_are_kept_out_unless_asked_in() {
    let executor = ["cluster", "executor", "--scheduler", "http://127.0.0.1:9", "--data", ".", "--bind", "0.0.0.0"];
    for arguments in [&["cluster", "scheduler", "--bind", "0.0.0.0"][..], &executor] {
        let output = program(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("--insecure-network"), "{output:?}");
    }
}

#[test]
fn executors_read_what_they_were_given_and_nothing_else() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hospital::write_policy(folder.path());
    fs::write(folder.path().join("data.csv"), write_csv(300, 1)).unwrap();
    let cluster = Cluster::start(1, other.path());
    let mut release = hospital::release(folder.path(), "policy.toml", "data.csv", "out");
    let output = release.args(["--cluster", &cluster.url]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--data"), "{output:?}");
    assert!(!folder.path().join("out").exists());
}
