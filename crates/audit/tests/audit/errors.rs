//! When there is nothing to judge.

use std::fs;

use equanym_audit::{AuditError, Options, audit};
use serde_json::json;

use crate::release::Release;

fn refused(manifest: &[u8]) -> AuditError {
    let release = Release::honest();
    release.add("manifest.json", manifest);
    let error = audit(release.public(), &Options::default()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    error
}

#[test]
fn no_folder_and_no_manifest() {
    let release = Release::honest();
    let options = Options::default();
    assert_eq!(audit(&release.public().join("absent"), &options), Err(AuditError::NoFolder));
    assert_eq!(audit(&release.data(), &options), Err(AuditError::NoFolder));
    assert_eq!(audit(release.public(), &options), Err(AuditError::NoManifest));
    fs::create_dir(release.public().join("manifest.json")).unwrap();
    assert_eq!(audit(release.public(), &options), Err(AuditError::ManifestKind));
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_a_link() {
    let (elsewhere, release) = (Release::honest(), Release::honest());
    assert!(elsewhere.audit().passed());
    std::os::unix::fs::symlink(elsewhere.public().join("manifest.json"), release.public().join("manifest.json"))
        .unwrap();
    assert_eq!(audit(release.public(), &Options::default()), Err(AuditError::ManifestKind));
}

#[test]
fn not_json() {
    assert_eq!(refused(b"{\"format\": 1,\n oops}"), AuditError::Malformed { line: 2, column: 2 });
    for bytes in [b"".as_slice(), b"\xff\xfe", b"{\"format\": 1", &b"[".repeat(100_000)] {
        assert!(matches!(refused(bytes), AuditError::Malformed { .. }));
    }
}

#[test]
fn another_format() {
    for text in ["{}", "[]", "null", "{\"format\": 2}", "{\"format\": \"1\"}"] {
        assert_eq!(refused(text.as_bytes()), AuditError::Format, "{text}");
    }
    assert_eq!(
        Release::claiming("/data/format", json!("xlsx")).audit_with(&Options::default()),
        Err(AuditError::DataFormat)
    );
}

#[test]
fn a_claim_that_is_absent_repeated_or_of_the_wrong_type() {
    let mut release = Release::honest();
    release.manifest.as_object_mut().unwrap().remove("records");
    let error = release.audit_with(&Options::default()).unwrap_err();
    assert!(error.to_string().contains("missing field `records`"), "{error}");

    let twice = Release::honest().manifest.to_string().replace("\"released\":16", "\"released\":16,\"released\":17");
    assert!(refused(twice.as_bytes()).to_string().contains("duplicate field `released`"));

    for (pointer, value) in [("/records/released", json!(-1)), ("/columns", json!({})), ("/data/bytes", json!("1"))] {
        assert!(
            matches!(Release::claiming(pointer, value).audit_with(&Options::default()), Err(AuditError::Shape { .. })),
            "{pointer}"
        );
    }
}
