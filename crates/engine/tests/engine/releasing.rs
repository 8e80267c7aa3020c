//! What the suites about releases share: tables on disk, policies, and a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::requests;
use equanym_engine::error::Result;
use equanym_engine::mask::StoredMask;
use equanym_engine::policy::Policy;
use equanym_engine::read::Reading;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::apply::apply;
use equanym_engine::run::audit::{AuditRequest, audit};
use equanym_engine::run::release::{ReleaseRequest, release};

/// A policy without hierarchy files.
pub fn policy(text: &str) -> Policy {
    Policy::parse(text, &|_| unreachable!("no hierarchy files")).unwrap()
}

/// Releases with so many threads.
pub fn run(data: &Path, policy: &Policy, out: &Path, threads: usize) -> Result<FinishedRelease> {
    release(&ReleaseRequest { resources: requests::threads(threads), ..requests::release(data, policy, out) })
}

/// The mask of a release.
pub fn mask_of(release: &Path) -> StoredMask {
    StoredMask::from_json(&fs::read_to_string(release.join("private/mask.json")).unwrap()).unwrap()
}

/// Applies the mask of a release.
pub fn apply_again(release: &Path, data: &Path, out: &Path) -> Result<FinishedRelease> {
    apply(requests::apply(data, mask_of(release), out))
}

/// The file of a key that may lie beside a table.
pub const KEY: &str = "key.txt";

/// What an audit finds wrong with the release of a table: by itself, with the table, with the mask and with the key as well.
pub fn faults(data: &Path, reading: &Reading, out: &Path) -> Vec<String> {
    let (public, mask) = (out.join("public"), out.join("private/mask.json"));
    let mut faults = Vec::new();
    let keys = [data.with_file_name(KEY), out.join("private/key")];
    let key = keys.iter().find(|key| key.exists()).map(PathBuf::as_path);
    let table = Some(data);
    let mask = Some(mask.as_path());
    for (original, mask, key) in [(None, None, None), (table, None, None), (table, mask, None), (table, mask, key)] {
        match audit(&AuditRequest { original, reading, mask, key, ..requests::audit(&public) }) {
            Ok(verdict) => faults.extend(verdict.failures().map(|failed| format!("{failed:?}"))),
            Err(error) => faults.push(format!("{error:?}")),
        }
    }
    faults
}

/// Writes a key that only its owner may read.
pub fn write_key(path: &Path, digits: &str) {
    fs::write(path, digits).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// Every file below a folder with its bytes.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// The same with paths relative to the folder.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder).into_iter().map(|(path, bytes)| (path.strip_prefix(folder).unwrap().to_path_buf(), bytes)).collect()
}

/// The folder of benchmark data sets beside the repository, when it is there.
pub fn shared_data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("not checked: the benchmark data sets are not beside the repository");
    None
}

/// The columns of the benchmark data set adult.
pub const ADULT: [&str; 9] =
    ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class"];

/// A policy that takes every column of a benchmark data set for quasi-identifying, with its published ladders.
pub fn benchmark_policy(folder: &Path, columns: &[&str], method: &str) -> Policy {
    let variable = |column: &&str| {
        format!("[variables.\"{column}\"]\nrole = \"quasi-identifying\"\nhierarchy = {{ file = \"{column}\" }}\n")
    };
    let variables: Vec<String> = columns.iter().map(variable).collect();
    let text = format!("[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n{method}{}", variables.concat());
    let read = |name: &str| Ok(fs::read_to_string(folder.join("hierarchies").join(format!("{name}.csv"))).unwrap());
    Policy::parse(&text, &read).unwrap()
}

/// The same records in the opposite order.
pub fn reversed(csv: &str) -> String {
    let (header, rows) = csv.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.reverse();
    format!("{header}\n{}\n", rows.join("\n"))
}
