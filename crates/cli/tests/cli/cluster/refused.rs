//! What a cluster does not do.

use std::fs;

use equanym_engine::run::demo::write_csv;

use super::callers::Guard;
use super::processes::Cluster;
use crate::hospital;

#[test]
fn executors_read_what_they_were_given_and_nothing_else() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hospital::write_policy(folder.path());
    fs::write(folder.path().join("data.csv"), write_csv(300, 1)).unwrap();
    // A folder that may be read, with a link to a file that may not.
    let parts = other.path().join("parts");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("a.csv"), write_csv(300, 2)).unwrap();
    std::os::unix::fs::symlink(folder.path().join("data.csv"), parts.join("b.csv")).unwrap();
    let cluster = Cluster::start(Guard::Secret, 1, other.path());
    for data in ["data.csv", parts.to_str().unwrap()] {
        let mut release = hospital::release(folder.path(), "policy.toml", data, "out");
        let output = release.args(cluster.flags()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("--data"), "{output:?}");
        assert!(!folder.path().join("out").exists());
    }
}
