//! Bombs: small files that claim, or unpack to, more than any machine has. Each run ends by itself, with a verdict, in 2 GiB of
//! address space and ten seconds of the processor: the system ends by a signal whoever asks for more.
//!
//! [`parquet`] goes through every encoding, type and version of a page, with claims drawn by a seeded chance; it also lies in
//! folders that are audited. [`arrow`], [`workbook`] and [`packed`] do the same for their formats. What fails is kept in the
//! build's folder for temporary files.
//!
//! `EQUANYM_BOMBS` says how many claims are drawn for each kind of page, [`BOMBS`] unless it does.

mod arrow;
mod packed;
mod parquet;
mod thrift;
mod workbook;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::run::{PAIRS, QUASI, RunResult, Stage, policy};

const BOMBS: u64 = 1;
/// 2 GiB of address space and ten seconds.
const LIMITS: &str = "ulimit -v 2097152; ulimit -t 10; exec \"$@\"";

/// How many claims are drawn for each kind.
fn draws() -> u64 {
    std::env::var("EQUANYM_BOMBS").map_or(BOMBS, |bombs| bombs.parse().unwrap())
}

/// A folder with a policy for a table of one column, `v`.
fn stage() -> Stage {
    Stage::with("", &policy(&[("v", QUASI)], PAIRS))
}

/// Releases a file; it is released or refused.
#[track_caller]
fn survives(stage: &Stage, name: &str, what: &str, bytes: &[u8]) -> RunResult {
    stage.write(name, bytes);
    let ran = stage.release_under(LIMITS, name, &["--threads", "2"]);
    judge(&ran, name, what, bytes);
    let _ = fs::remove_dir_all(stage.path("out"));
    ran
}

/// The same of a file that must be refused with this code.
#[track_caller]
fn refused(stage: &Stage, name: &str, what: &str, bytes: &[u8], code: i32) {
    let ran = survives(stage, name, what, bytes);
    assert_eq!(ran.code, Some(code), "{what}: {ran:?}");
}

/// A folder with a release in Parquet, to put bombs in.
fn received() -> Stage {
    let rows = "a\nb\n".repeat(20);
    let stage =
        Stage::with(format!("v\n{rows}"), &(policy(&[("v", QUASI)], PAIRS) + "[output]\nformat = \"parquet\"\n"));
    stage.release("data.csv", &[]).placed();
    stage
}

/// Audits a folder whose table is this file; it does not pass.
#[track_caller]
fn fails_audit(stage: &Stage, what: &str, bytes: &[u8]) {
    stage.write("out/public/data.parquet", bytes);
    let ran = stage.finish(&mut stage.shell(LIMITS, &["audit", "out/public"].map(OsStr::new)));
    judge(&ran, "data.parquet", what, bytes);
    assert!(matches!(ran.code, Some(1 | 3)), "{what}: {ran:?}");
}

#[track_caller]
fn judge(ran: &RunResult, name: &str, what: &str, bytes: &[u8]) {
    // A packed page that claims 2 GiB still ends a run by its limit of memory: with a reason and exit 3, and nothing is left.
    let faults = ["panicked", "internal error", "internal step", "overflow"];
    let is_fault = faults.iter().any(|fault| ran.stderr.contains(fault));
    if is_fault || !matches!(ran.code, Some(0..=3)) {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bomb-{name}"));
        fs::write(&kept, bytes).unwrap();
        panic!("{what}, kept in {}: {ran:?}", kept.display());
    }
}
