//! Comparing with the original.

use std::fs;
use std::path::{Path, PathBuf};

use equanym_audit::{AuditError, Options};
use serde_json::json;
use tempfile::TempDir;

use crate::release::{HEADER, Release, failures, options, parquet_bytes, plain_properties, rows};

struct Original {
    _folder: TempDir,
    path: PathBuf,
}

fn original(bytes: &[u8]) -> Original {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("original");
    fs::write(&path, bytes).unwrap();
    Original { _folder: folder, path }
}

fn csv(delimiter: &str, records: usize) -> Original {
    let header: Vec<&str> = ["name"].into_iter().chain(HEADER).collect();
    let record = vec!["x"; header.len()].join(delimiter);
    original(format!("{}\n{}", header.join(delimiter), format!("{record}\n").repeat(records)).as_bytes())
}

fn compared(release: &Release, path: &Path) -> Vec<&'static str> {
    let options = Options { original: Some(path), ..options() };
    failures(&release.audit_with(&options).unwrap())
}

fn refused(path: &Path) -> AuditError {
    Release::honest().audit_with(&Options { original: Some(path), ..options() }).unwrap_err()
}

#[test]
fn the_original_it_was_made_from() {
    for delimiter in [",", ";", "\t", "|"] {
        assert_eq!(compared(&Release::honest(), &csv(delimiter, 17).path), [""; 0], "{delimiter:?}");
    }
}

#[test]
fn a_given_delimiter_is_used() {
    let original = csv("~", 17);
    assert_eq!(compared(&Release::honest(), &original.path), ["original-columns"]);
    let options = Options { original: Some(&original.path), delimiter: Some(b'~'), ..options() };
    assert!(Release::honest().audit_with(&options).unwrap().passed());
}

#[test]
fn another_number_of_records() {
    assert_eq!(compared(&Release::honest(), &csv(",", 18).path), ["original-records"]);
}

#[test]
fn a_column_that_the_original_lacks() {
    let original = original(format!("{}\n{}", HEADER[1..].join(","), "x,x,x,x,x,x,x\n".repeat(17)).as_bytes());
    assert_eq!(compared(&Release::honest(), &original.path), ["original-columns"]);
}

#[test]
fn a_parquet_original() {
    let mut release = Release::honest();
    release.claim("/records", json!({"original": 16, "released": 16, "suppressed": 0}));
    let original = original(&parquet_bytes(&rows(), plain_properties(), None));
    assert_eq!(compared(&release, &original.path), [""; 0]);
    assert_eq!(compared(&Release::honest(), &original.path), ["original-records"]);
}

#[test]
fn what_cannot_be_compared_is_wrong_use() {
    let folder = TempDir::new().unwrap();
    let packed = original(&[0x1f, 0x8b, 8, 0]);
    let broken = original(b"PAR1 and nothing else");
    for path in [folder.path(), &folder.path().join("absent"), &packed.path, &broken.path] {
        let error = refused(path);
        assert!(matches!(error, AuditError::Original { .. }), "{error:?}");
        assert_eq!(error.exit_code(), 2);
    }
}
