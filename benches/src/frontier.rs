//! What choosing costs: the risk–utility map beside a release for each of its points, and the ten best safe nodes.
//!
//! `equanym frontier`, `equanym alternatives` and `equanym release` are started as somebody would start them, each in a process of
//! its own; files may be in the system's cache. The middle of five runs counts; the releases are made once, one after the other.
//! Every point must tell what its release tells: node, loss and suppressed records. Without the published data sets the demo's
//! hospital stands in.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::failure::Result;
use crate::figures::{grouped, median, short};
use crate::folder::Folder;
use crate::markdown;
use crate::settings::Settings;
use crate::whole::{self, Question};

const RUNS: usize = 5;
const K: [u32; 6] = [2, 3, 5, 10, 20, 50];
const LIMITS: [&str; 4] = ["0", "0.01", "0.05", "0.1"];

/// Measures and describes.
pub fn report(settings: &Settings) -> Result<String> {
    let folder = Folder::new("frontier")?;
    let adult = whole::published(&settings.data, "adult", &folder.0)?;
    let (name, question) = match adult {
        Some(question) => ("adult", question),
        None => ("hospital", whole::hospital(&folder.0)?),
    };
    let (map, seconds) = middle(&question, "frontier", &["--k", "2,3,5,10,20,50", "--limits", "0,0.01,0.05,0.1"])?;
    let (_, by_search) = middle(&question, "alternatives", &["--count", "10"])?;
    let points = map["points"].as_array().cloned().unwrap_or_default();
    let mut releasing = 0.0;
    let (mut agreeing, mut safe) = (0, 0);
    for point in points.iter().filter(|point| point["safe"] == true) {
        let (told, took) = release(&question, point, &folder.0)?;
        releasing += took;
        safe += 1;
        agreeing += u32::from(["node", "loss", "suppressed"].iter().all(|key| point[key] == told[key]));
    }
    if agreeing != safe {
        return Err(format!("{} of {safe} points differ from their releases", safe - agreeing).into());
    }
    let rows = [
        vec![format!("map of {} points", points.len()), short(seconds)],
        vec![format!("{safe} releases, one after the other"), short(releasing)],
        vec!["ten best safe nodes, and the price of each level".to_owned(), short(by_search)],
    ];
    let records = grouped(map["records"].as_u64().unwrap_or(0).into());
    Ok(format!(
        "{name}, {records} records; k of {K:?}, limits of {}.\n\n{}\nAll {safe} points tell what their releases tell.\n",
        LIMITS.join(", "),
        markdown::table(&["what", "s in all"], 1, &rows)
    ))
}

/// What a command tells, and the seconds of the middle one of some runs.
fn middle(question: &Question, command: &str, flags: &[&str]) -> Result<(Value, f64)> {
    let runs = (0..RUNS).map(|_| told(question, command, flags)).collect::<Result<Vec<_>>>()?;
    let seconds = median(&runs.iter().map(|(_, seconds)| *seconds).collect::<Vec<_>>()).unwrap_or(f64::NAN);
    let first = runs.into_iter().next().map(|(told, _)| told);
    Ok((first.unwrap_or_default(), seconds))
}

fn told(question: &Question, command: &str, flags: &[&str]) -> Result<(Value, f64)> {
    let mut program = Command::new(std::env::current_exe()?.with_file_name("equanym"));
    program
        .arg(command)
        .arg(&question.data)
        .arg("--policy")
        .arg(&question.policy)
        .args(flags)
        .args(["--json", "--quiet"]);
    let started = Instant::now();
    let output = program.output()?;
    let seconds = started.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("the program failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok((serde_json::from_slice(&output.stdout)?, seconds))
}

/// The release of a point.
fn release(question: &Question, point: &Value, folder: &Path) -> Result<(Value, f64)> {
    let text = std::fs::read_to_string(&question.policy)?;
    let lines = text.lines().map(|line| match line.split('=').next().map(str::trim) {
        Some("k") => format!("k = {}", point["k"]),
        Some("suppression_limit") => format!("suppression_limit = {}", point["suppression_limit"]),
        _ => line.to_owned(),
    });
    let policy = question.policy.with_file_name("point.toml");
    std::fs::write(&policy, lines.collect::<Vec<_>>().join("\n"))?;
    let run = whole::once(&Question { data: question.data.clone(), policy }, None, &folder.join("out"))?;
    Ok((run.told, run.seconds))
}
