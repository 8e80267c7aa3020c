//! What a user waits for: the whole program, from the command to the release that is in place.
//!
//! `equanym release` is started as somebody would start it, five times for each data set, each time in a process and a
//! folder of its own; files may be in the system's cache. The middle of the five counts. The parts are those that the
//! program tells with `--json`; what is left is starting, reading the policy and ending.
//!
//! Every column is a quasi-identifier with its published ladder; k = 5, non-uniform entropy, at most 5 % of the records are
//! withheld. Lattices that no search gets through get a time limit.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use equanym_engine::run::demo;
use serde_json::Value;

use crate::failure::Result;
use crate::figures::{grouped, median, short};
use crate::folder::Folder;
use crate::markdown;
use crate::settings::Settings;

const RUNS: usize = 5;
const PARTS: [&str; 8] = ["load", "read", "count", "fit", "search", "worth", "write", "audit"];

/// The data sets, and a time limit where a search would not come to its end.
const SETS: [(&str, Option<&str>); 10] = [
    ("adult", None),
    ("adult13", None),
    ("cup", None),
    ("fars10pct", None),
    ("ss13acs5", None),
    ("fars-synth", None),
    ("atus-synth", None),
    ("ihis-synth", None),
    ("credit", Some("1s")),
    ("mach2019", Some("1s")),
];

/// Measures and describes.
pub fn report(settings: &Settings) -> Result<String> {
    let folder = Folder::new("release")?;
    let mut rows = Vec::new();
    for (name, limit) in SETS {
        if let Some(table) = published(&settings.data, name, &folder.0)? {
            rows.push(row(name, &table, limit, &folder.0)?);
        }
    }
    rows.push(row("hospital", &hospital(&folder.0)?, None, &folder.0)?);
    let head = [&["data set", "records", "s in all"][..], &PARTS, &["left"]].concat();
    Ok(markdown::table(&head, 1, &rows))
}

/// A table and its policy.
pub struct Question {
    pub data: PathBuf,
    pub policy: PathBuf,
}

/// A published data set whose columns are all quasi-identifiers, if it is there.
pub fn published(data: &Path, name: &str, folder: &Path) -> Result<Option<Question>> {
    let Some(file) = file(data, name) else { return Ok(None) };
    let mut text = String::new();
    for (column, path) in ladders(data, name)? {
        text.push_str(&quasi(&column, &path));
    }
    text.push_str("[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n\n[method]\nsuppression_limit = 0.05\n");
    let policy = folder.join(format!("{name}.toml"));
    std::fs::write(&policy, text)?;
    Ok(Some(Question { data: file, policy }))
}

/// The file of a published data set, if it is there.
pub fn file(data: &Path, name: &str) -> Option<PathBuf> {
    let files = ["csv", "csv.zst"].map(|end| data.join(name).join(format!("{name}.{end}")));
    files.into_iter().find(|file| file.exists())
}

/// The columns of a published data set with their ladders.
pub fn ladders(data: &Path, name: &str) -> Result<Vec<(String, String)>> {
    let mut ladders = Vec::new();
    for entry in std::fs::read_dir(data.join(name).join("hierarchies"))? {
        let path = std::path::absolute(entry?.path())?;
        let column = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        ladders.push((column, path.to_string_lossy().into_owned()));
    }
    Ok(ladders)
}

/// A quasi-identifier with its ladder, in a policy.
pub fn quasi(column: &str, path: &str) -> String {
    format!("[variables.{column:?}]\nrole = \"quasi-identifying\"\nhierarchy = {{ file = {path:?} }}\n\n")
}

/// A hundred thousand admissions of the demo, as its policy asks.
pub fn hospital(folder: &Path) -> Result<Question> {
    let (data, policy) = (folder.join("hospital.csv"), folder.join("hospital.toml"));
    std::fs::write(&data, demo::write_csv(100_000, 1))?;
    std::fs::write(&policy, demo::POLICY)?;
    for (name, text) in demo::HIERARCHIES {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, text)?;
    }
    Ok(Question { data, policy })
}

fn row(name: &str, question: &Question, limit: Option<&str>, folder: &Path) -> Result<Vec<String>> {
    eprintln!("{name}");
    let runs = (0..RUNS).map(|_| once(question, limit, &folder.join("out"))).collect::<Result<Vec<_>>>()?;
    let middle = |of: &dyn Fn(&ReleaseRun) -> f64| median(&runs.iter().map(of).collect::<Vec<_>>()).unwrap_or(f64::NAN);
    let parts = (0..PARTS.len()).map(|part| middle(&|run| run.parts[part]));
    let left = middle(&|run| run.seconds - run.parts.iter().sum::<f64>());
    let name = limit.map_or_else(|| name.to_owned(), |limit| format!("{name} (--time-limit {limit})"));
    let records = runs.first().map_or(0, |run| run.records);
    let numbers = [middle(&|run| run.seconds)].into_iter().chain(parts).chain([left]);
    Ok([name, grouped(records.into())].into_iter().chain(numbers.map(short)).collect())
}

/// One run of the program.
pub struct ReleaseRun {
    pub seconds: f64,
    parts: [f64; PARTS.len()],
    records: u64,
    /// Everything that it told.
    pub told: Value,
}

/// Releases once, and forgets the release.
pub fn once(question: &Question, limit: Option<&str>, out: &Path) -> Result<ReleaseRun> {
    let mut command = Command::new(std::env::current_exe()?.with_file_name("equanym"));
    command.arg("release").arg(&question.data).arg("--policy").arg(&question.policy).arg("--out").arg(out);
    command.args(["--json", "--quiet"]).args(limit.iter().flat_map(|limit| ["--time-limit", limit]));
    let started = Instant::now();
    let output = command.output()?;
    let seconds = started.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("the program failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    std::fs::remove_dir_all(out)?;
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let parts = PARTS.map(|part| told["seconds"][part].as_f64().unwrap_or(f64::NAN));
    Ok(ReleaseRun { seconds, parts, records: told["records"].as_u64().unwrap_or(0), told })
}
