//! `equanym demo`: the main job on a made-up hospital, explained step by step.
//!
//! It does what the user will do with a table of their own, with the same functions, and shows the commands for it.
//! The folder appears with all its input files or not at all; an existing one is never touched.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use equanym_audit::Verdict;
use equanym_engine::error::{Error, Result};
use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::audit::AuditRequest;
use equanym_engine::run::demo::{HIERARCHIES, POLICY, RECORDS, SEED, write_csv};
use equanym_engine::run::release::ReleaseRequest;
use equanym_engine::run::risk::{self, RiskReport};
use equanym_engine::write;
use serde_json::json;

use super::{Ending, audit};
use crate::console::Console;
use crate::flags::SharedFlags;
use crate::{progress, show, summary};

/// The folder that is made when none is named.
const FOLDER: &str = "equanym-demo";

/// Do the main job on a made-up hospital and explain each step
///
/// Writes a table of invented admissions with a policy, measures its risk, releases it and audits the release.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 done · 1 no safe release, or a check failed · 2 the folder exists · 3 environment

Example:
  equanym demo --out hospital --records 10000"
)]
pub struct Demo {
    /// The folder to make [default: equanym-demo, or the next free equanym-demo-2 …]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many admissions to invent
    #[arg(long, value_name = "N", default_value_t = RECORDS as u32, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    records: u32,
    /// Which admissions to invent: the same number gives the same table
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
}

impl Demo {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let folder = self.prepare()?;
        let places = Places::below(&folder);
        console.story(|| introduction(&places, self.records))?;

        let policy = Policy::load(&places.policy)?;
        let measured = measure(&places, &policy, shared, console)?;
        console.story(|| risk_step(&places, &measured))?;

        let released = release(&places, &policy, shared, console)?;
        console.story(|| release_step(&places, &released))?;

        let verdict = run_audit(&places, &policy)?;
        console.story(|| audit_step(&places, &released, &verdict))?;
        console.document(&json!({
            "folder": folder.display().to_string(),
            "risk": measured,
            "release": released,
            "audit": audit::document(&verdict),
        }))?;
        Ok(if verdict.passed() { Ending::Done } else { Ending::CheckFailed })
    }

    /// Makes the folder with the table, the policy and its hierarchies.
    fn prepare(&self) -> Result<PathBuf> {
        let table = write_csv(self.records as usize, self.seed);
        match &self.out {
            Some(folder) => place_inputs(folder, &table).map_err(|error| refused(&error)).map(|()| folder.clone()),
            None => place_anywhere(&table),
        }
    }
}

/// Where the parts of the demo lie.
struct Places {
    data: PathBuf,
    policy: PathBuf,
    release: PathBuf,
    public: PathBuf,
    mask: PathBuf,
}

impl Places {
    fn below(folder: &Path) -> Self {
        let release = folder.join("release");
        let (public, mask) = (release.join("public"), release.join("private/mask.json"));
        Self { data: folder.join("admissions.csv"), policy: folder.join("policy.toml"), release, public, mask }
    }
}

fn measure(places: &Places, policy: &Policy, shared: &SharedFlags, console: Console) -> Result<RiskReport> {
    risk::risk(&places.data, Some(policy), &policy.data, &shared.resources(), &progress::listen(console))
}

fn release(places: &Places, policy: &Policy, shared: &SharedFlags, console: Console) -> Result<FinishedRelease> {
    equanym_engine::run::release::release(&ReleaseRequest {
        data: &places.data,
        policy,
        out: &places.release,
        folder: None,
        against: &[],
        cluster: None,
        resources: shared.resources(),
        show_values: false,
        progress: progress::listen(console),
    })
}

fn run_audit(places: &Places, policy: &Policy) -> Result<Verdict> {
    equanym_engine::run::audit::audit(&AuditRequest {
        population: None,
        public: &places.public,
        original: Some(&places.data),
        reading: &policy.data,
        mask: Some(&places.mask),
        key: None,
        known: &[],
        against: &[],
        progress: &Silent,
    })
}

/// Takes the first name that is free.
fn place_anywhere(table: &str) -> Result<PathBuf> {
    for number in 1..1000 {
        let folder = if number == 1 { PathBuf::from(FOLDER) } else { PathBuf::from(format!("{FOLDER}-{number}")) };
        match place_inputs(&folder, table) {
            Ok(()) => return Ok(folder),
            Err(error) if is_taken(&error) => {}
            Err(error) => return Err(refused(&error)),
        }
    }
    Err(Error::input("all names for the folder are taken").hint("name one with --out"))
}

/// Writes the inputs beside the folder and renames them into place, so that they appear together.
fn place_inputs(folder: &Path, table: &str) -> io::Result<()> {
    if folder.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut partial = folder.as_os_str().to_owned();
    partial.push(format!(".partial-{}", std::process::id()));
    let partial = PathBuf::from(partial);
    write::list_leftover(&partial, None);
    fs::create_dir(&partial)?;
    let placed = write_inputs(&partial, table).and_then(|()| fs::rename(&partial, folder));
    if placed.is_err() {
        // What went wrong is told already; a second failure adds nothing.
        let _ = fs::remove_dir_all(&partial);
    }
    placed
}

fn write_inputs(folder: &Path, table: &str) -> io::Result<()> {
    let places = Places::below(folder);
    fs::write(places.data, table)?;
    fs::write(places.policy, POLICY)?;
    for (name, text) in HIERARCHIES {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Whether somebody else has a folder of that name, seen before or only at the rename.
fn is_taken(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory};
    matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory)
}

fn refused(error: &io::Error) -> Error {
    match error.kind() {
        _ if is_taken(error) => Error::input("the folder exists already and is never overwritten")
            .hint("name one that does not exist, or leave out --out"),
        io::ErrorKind::NotFound => {
            Error::input("the folder that shall hold the demo does not exist").hint("create it first")
        }
        kind => Error::environment(format!("the demo cannot be written: {kind}")),
    }
}

fn introduction(places: &Places, records: u32) -> String {
    let title = show::strong("1. A table and a policy");
    let table = format!(
        "{} holds {} to a hospital. Nobody in it exists. Most patients came once, some again and again: people are counted, \
         not records. The names must go; but birth date, sex, postal code and the day \
         of admission together recognise people just as well.",
        show::path(&places.data),
        show::counted(records.into(), "admission", "admissions")
    );
    let policy = format!(
        "{} says which part each column plays, how far it may be coarsened, and what makes a release safe. It is \
         commented; read it next.",
        show::path(&places.policy)
    );
    format!("{title}\n{}{}\n", show::paragraph(&table, 3), show::paragraph(&policy, 3))
}

fn risk_step(places: &Places, report: &RiskReport) -> String {
    let words = format!(
        "Whoever knows the {} quasi-identifiers of a patient finds the record: in {} of {} classes a patient stands alone, \
         so a guess is right with a probability of {} on average.",
        report.quasi_identifiers.len(),
        show::count(report.uniques.persons.unwrap_or(report.uniques.records)),
        show::count(report.classes.count),
        show::percent(report.risk.measures.prosecutor_mean)
    );
    let command =
        format!("equanym risk {} --policy {}", show::shell_word(&places.data), show::shell_word(&places.policy));
    step("2. The risk as it is", &command, &words) + "\n"
}

fn release_step(places: &Places, released: &FinishedRelease) -> String {
    let words = "Each quasi-identifier is generalised to one level of its ladder, and records that would still stand out \
                 are withheld. Of all ways to do so, the one that keeps most information is chosen; the audit reads the \
                 written files before the folder appears.";
    let command = format!(
        "equanym release {} --policy {} --out {}",
        show::shell_word(&places.data),
        show::shell_word(&places.policy),
        show::shell_word(&places.release)
    );
    let findings = summary::findings(released);
    format!("{}\n{findings}\n", step("3. The best safe release", &command, words))
}

fn audit_step(places: &Places, released: &FinishedRelease, verdict: &Verdict) -> String {
    let [public, data, mask] = [&places.public, &places.data, &places.mask].map(|path| show::shell_word(path));
    let words = "Code that took no part in making the release reads it as a stranger would, and checks each claim. It makes \
                 the release a second time from the table, and compares every record.";
    let files = summary::files(&places.release, &released.mask, released.key.is_some());
    let audit = step("4. The audit", &format!("equanym audit {public} --original {data} --mask {mask}"), words);
    let next = show::command("equanym draft YOUR.csv --out policy.toml");
    format!("{audit}   {}\n\n{files}\nYour own table: {next}\n", audit::sentence(verdict))
}

fn step(title: &str, command: &str, words: &str) -> String {
    format!("{}\n   {}\n{}", show::strong(title), show::command(&format!("$ {command}")), show::paragraph(words, 3))
}
