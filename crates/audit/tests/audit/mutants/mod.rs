//! Mutants: the honest release with one thing changed, and its hashes put right. None that contradicts a claim or the
//! format may pass, in either format.
//!
//! What nobody can see in the bytes, whether the search proved its answer, is no mutant.

mod bytes;
mod footers;
mod manifest;
mod records;

use std::fs;

use serde_json::json;

use crate::release::{HEADER, Release, csv_bytes, hash, parquet_bytes};
use crate::source::{Mask, Source};

/// What was changed, and the release with the change.
type Mutant = (String, Release);

#[test]
fn every_mutant_of_a_csv_is_caught() {
    let mut mutants = manifest::mutants(Release::honest);
    mutants.extend(records::mutants(|rows| csv_bytes(&HEADER, rows), false));
    mutants.extend(bytes::of_csv());
    mutants.extend(of_files(Release::honest));
    all_caught(&mutants, &Release::honest());
}

#[test]
fn every_mutant_of_a_parquet_is_caught() {
    let mut mutants = manifest::mutants(Release::parquet);
    mutants.extend(records::mutants(parquet_bytes, true));
    mutants.extend(bytes::of_parquet());
    mutants.extend(footers::mutants());
    mutants.extend(of_files(Release::parquet));
    all_caught(&mutants, &Release::parquet());
}

#[test]
fn every_mutant_of_a_promise_is_caught() {
    let promising: [fn() -> Release; 2] =
        [|| Release::honest().promising(), || Release::parquet().promising().of_people()];
    for honest in promising {
        let mut mutants = manifest::mutants(honest);
        // The others are those of the release with two promises.
        mutants.retain(|(name, _)| name.starts_with("/privacy") || name.starts_with("/person"));
        all_caught(&mutants, &honest());
    }
}

#[track_caller]
fn all_caught(mutants: &[Mutant], honest: &Release) {
    let (source, mask) = (Source::honest(), Mask::honest(honest));
    let passes = |release: &Release| source.audit(release, Some(&mask)).is_ok_and(|verdict| verdict.passed());
    assert!(passes(honest));
    assert!(mutants.len() >= 150, "{} mutants", mutants.len());
    let alive: Vec<&String> = mutants.iter().filter(|(_, release)| passes(release)).map(|(name, _)| name).collect();
    assert!(alive.is_empty(), "{} of {} mutants pass: {alive:#?}", alive.len(), mutants.len());
}

/// The files beside the data.
fn of_files(honest: impl Fn() -> Release) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for name in ["mask.json", "data.csv.bak", ".hidden", "REPORT.HTML", "data.parquet2"] {
        let release = honest();
        release.add(name, b"x");
        mutants.push((format!("{name} besides"), release));
    }
    for name in ["names.csv", "report.pdf", "report.html.js", "mask.json", "index.html"] {
        let mut release = honest();
        release.add(name, b"x");
        let report = json!({"file": name, "sha256": hash(b"x")});
        release.manifest["reports"].as_array_mut().unwrap().push(report);
        mutants.push((format!("{name} as a report"), release));
    }
    for name in ["report.json", "report.html"] {
        let release = honest();
        release.add(name, b"another");
        mutants.push((format!("another {name}"), release));
        let release = honest();
        fs::remove_file(release.public().join(name)).unwrap();
        mutants.push((format!("{name} absent"), release));
    }
    mutants
}
