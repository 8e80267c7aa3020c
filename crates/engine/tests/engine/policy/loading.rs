//! Policies as files.

use std::fs;

use equanym_core::hierarchy::Builder;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;

use super::EDUCATION;

fn load(files: &[(&str, &[u8])]) -> Result<Policy> {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    Policy::load(&folder.path().join("sub/policy.toml"))
}

const WITH_FILE: &[u8] = b"[variables.e]\nrole = \"quasi-identifying\"\nhierarchy = { file = \"../e.csv\" }";

#[test]
fn hierarchy_files_stand_beside_the_policy() {
    let policy = load(&[("sub/policy.toml", WITH_FILE), ("e.csv", EDUCATION.as_bytes())]).unwrap();
    assert!(matches!(policy.variables[0].hierarchy, Builder::File(_)));
    let error = load(&[("sub/policy.toml", WITH_FILE)]).unwrap_err().to_string();
    assert!(error.starts_with("policy line 3: there is no file"), "{error}");
}

#[test]
fn byte_order_marks_and_windows_lines_are_fine() {
    let text = "\u{feff}[variables.x]\r\nrole = \"sensitive\"\r\n";
    assert_eq!(load(&[("sub/policy.toml", text.as_bytes())]).unwrap().variables.len(), 1);
    let error = load(&[("sub/policy.toml", format!("{text}rolle = 1\r\n").as_bytes())]).unwrap_err();
    assert!(error.message.starts_with("policy line 3: unknown key `rolle`"), "{error}");
}

#[test]
fn files_that_are_no_text() {
    let refused = |bytes: &[u8]| load(&[("sub/policy.toml", bytes)]).unwrap_err();
    assert!(refused(b"# fine\n# \xe9\n").message.ends_with("is not UTF-8 on line 2"));
    assert!(refused(b"\xff\xfe[\0d\0").message.ends_with("is UTF-16"));
    let missing = load(&[]).unwrap_err();
    assert!(missing.message.starts_with("there is no file") && missing.exit_code() == 2);
    let folder = Policy::load(&std::env::temp_dir()).unwrap_err();
    assert!(folder.message.ends_with("is a folder, not a file") && folder.exit_code() == 2, "{folder}");
}
