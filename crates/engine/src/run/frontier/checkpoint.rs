//! A file that keeps the points that are known.
//!
//! The first line says for which program, table and hierarchies it is; each further line has one point, and is written as soon as
//! the point is known. A map that was stopped reads it and computes the rest; one that goes over more values computes those that are
//! new. What was cut off in the middle of a line is dropped. A file for another table is refused, not mended.
//!
//! It holds hashes of the table and of the policies, names of columns with their levels, counts and measures: no cell values.
//! It is made for its owner alone, because counts tell of records that are withheld. It is believed: who can write it can tell the
//! map anything, but a release asks no map.
//!
//! Numbers with a fraction are kept by their bits, so that a map is the same to the last digit however often it was stopped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use arrow_array::{Array, StringArray};
use equanym_core::card::Parameters;
use equanym_core::report::{LossFindings, NamedLevels};
use equanym_core::risk::linkage::{LinkedBy, WorstLinkage};
use equanym_core::risk::{ClassTotals, Risk};
use equanym_core::utility;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Outcome, PointFinding, Prospect, Refusal};
use crate::error::Kind;
use crate::error::{Error, Result};
use crate::read::Source;
use crate::read::cells::{column_as, text};
use crate::words::hex;

/// The most bytes that are read of a file.
const MOST: u64 = 1 << 30;

/// The points that are known, and where new ones are kept.
pub(super) struct Checkpoint {
    file: Option<File>,
    known: HashMap<String, PointFinding>,
}

/// For what a file is.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct CheckpointHead {
    equanym: String,
    table: String,
}

/// A point.
#[derive(Debug, Serialize, Deserialize)]
struct PointLine {
    policy: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    release: Option<KeptRelease>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why_not: Option<(String, Option<String>)>,
    /// Whether that is a matter of use, not of safety.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wrong_use: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    measured: Option<(String, Option<u64>)>,
}

/// A release; numbers with a fraction by their bits.
#[derive(Debug, Serialize, Deserialize)]
struct KeptRelease {
    node: Vec<(String, u8)>,
    loss: Option<(String, Parameters, u64, u64)>,
    detail_lost: Option<u64>,
    released: u64,
    suppressed: u64,
    persons_suppressed: Option<u64>,
    classes: (u64, u64, u64, u64),
    risk: (u64, u64, u64),
    /// How the share is found that the mean risk is, and in which column.
    linked: (LinkedBy, Option<String>),
    guaranteed: bool,
}

impl Checkpoint {
    /// Nothing is known, and nothing is kept.
    pub(super) fn none() -> Self {
        Self { file: None, known: HashMap::new() }
    }

    /// What a file keeps for a table; it is made where there is none.
    pub(super) fn open(path: &Path, source: &Source, hierarchies: &BTreeMap<String, String>) -> Result<Self> {
        let head = CheckpointHead { equanym: env!("CARGO_PKG_VERSION").to_owned(), table: hash(source, hierarchies)? };
        let mut file = opened(path).map_err(|error| refused(&error))?;
        let mut bytes = Vec::new();
        (&file).take(MOST).read_to_end(&mut bytes).map_err(|error| refused(&error))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        bytes.truncate(whole);
        if whole == 0 {
            file.set_len(0).map_err(|error| refused(&error))?;
            append(&mut file, &head)?;
            return Ok(Self { file: Some(file), known: HashMap::new() });
        }
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let first = lines.next().and_then(|line| serde_json::from_slice::<CheckpointHead>(line).ok());
        let is_of_this = first.ok_or_else(strange)? == head;
        if !is_of_this {
            return Err(Error::input(
                "the file of points belongs to another table, hierarchy or version of the program",
            )
            .hint("name another file with --resume, or remove it"));
        }
        let lines = lines.map(|line| serde_json::from_slice::<PointLine>(line).ok().and_then(PointLine::found));
        let known = lines.collect::<Option<HashMap<String, PointFinding>>>().ok_or_else(strange)?;
        // The rest of a line that was cut off.
        file.set_len(whole as u64).map_err(|error| refused(&error))?;
        Ok(Self { file: Some(file), known })
    }

    /// What is known of the point with this policy.
    pub(super) fn known(&self, policy: &str) -> Option<PointFinding> {
        self.known.get(&hash_of(policy)).cloned()
    }

    /// Keeps a point.
    pub(super) fn keep(&mut self, policy: &str, found: &PointFinding) -> Result<()> {
        match &mut self.file {
            Some(file) => append(file, &PointLine::new(policy, found)),
            None => Ok(()),
        }
    }
}

fn append(file: &mut File, line: &impl Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec(line).map_err(|_| Error::internal())?;
    bytes.push(b'\n');
    let write = |file: &mut File| -> io::Result<()> {
        file.seek(SeekFrom::End(0))?;
        file.write_all(&bytes)?;
        file.sync_data()
    };
    write(file).map_err(|error| refused(&error))
}

fn opened(path: &Path) -> io::Result<File> {
    if path.exists() && !path.is_file() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn refused(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            Error::input("the folder of the file of points does not exist").hint("create it first")
        }
        io::ErrorKind::IsADirectory => Error::input("the file of points is no file").hint("name one with --resume"),
        kind => Error::environment(format!("the file of points cannot be used: {kind}")),
    }
}

fn strange() -> Error {
    Error::input("the file of points is none").hint("name another file with --resume; this one is left as it is")
}

fn hash_of(text: &str) -> String {
    hex(Sha256::digest(text.as_bytes()).as_slice())
}

/// The hash of a table, cell by cell in the order of the records, and of the hierarchy files.
fn hash(source: &Source, hierarchies: &BTreeMap<String, String>) -> Result<String> {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    for text in hierarchies.iter().flat_map(|(name, text)| [name, text]).chain(source.columns()) {
        add(text);
    }
    let places: Vec<usize> = (0..source.columns().len()).collect();
    for part in 0..source.parts() {
        for batch in source.read(part, &places)? {
            let batch = batch?;
            let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
            for row in 0..batch.num_rows() {
                for column in &columns {
                    add(if column.is_null(row) { "\0" } else { text(column, row) });
                }
            }
        }
    }
    Ok(hex(hash.finalize().as_slice()))
}

impl PointLine {
    fn new(policy: &str, found: &PointFinding) -> Self {
        let (release, why_not, wrong_use) = match &found.outcome {
            Outcome::Safe(release) => (Some(KeptRelease::new(release)), None, false),
            Outcome::Unsafe(Refusal { why_not, hint, kind }) => {
                (None, Some((why_not.clone(), hint.clone())), *kind == Kind::Input)
            }
        };
        let measured = found.measured.map(|(name, value)| (name.to_owned(), value.map(f64::to_bits)));
        Self { policy: hash_of(policy), release, why_not, wrong_use, measured }
    }

    fn found(self) -> Option<(String, PointFinding)> {
        let outcome = match (self.release, self.why_not) {
            (Some(release), None) => Outcome::Safe(Box::new(release.release())),
            (None, Some((why_not, hint))) => {
                let kind = if self.wrong_use { Kind::Input } else { Kind::Unsafe };
                Outcome::Unsafe(Refusal { why_not, hint, kind })
            }
            _ => return None,
        };
        let measured = match self.measured {
            Some((name, value)) => Some((utility::find(&name)?.card.name, value.map(f64::from_bits))),
            None => None,
        };
        Some((self.policy, PointFinding { outcome, measured }))
    }
}

impl KeptRelease {
    fn new(release: &Prospect) -> Self {
        let Prospect { node, loss, detail_lost, released, suppressed, persons_suppressed, classes, risk, .. } = release;
        let loss = loss.as_ref();
        Self {
            node: node.0.clone(),
            loss: loss.map(|one| (one.name.clone(), one.parameters.clone(), one.value.to_bits(), one.share.to_bits())),
            detail_lost: detail_lost.map(f64::to_bits),
            released: *released,
            suppressed: *suppressed,
            persons_suppressed: *persons_suppressed,
            classes: (classes.count, classes.min, classes.mean.to_bits(), classes.max),
            risk: (risk.prosecutor_max.to_bits(), risk.prosecutor_mean.to_bits(), risk.records_at_risk.to_bits()),
            linked: (release.linkage.by, release.linkage.of.clone()),
            guaranteed: release.guaranteed,
        }
    }

    fn release(self) -> Prospect {
        let loss = self.loss.map(|(name, parameters, value, share)| {
            let [value, share] = [value, share].map(f64::from_bits);
            LossFindings { name, parameters, value, share }
        });
        let (count, min, mean, max) = self.classes;
        let (highest, mean_risk, at_risk) = self.risk;
        Prospect {
            node: NamedLevels(self.node),
            loss,
            detail_lost: self.detail_lost.map(f64::from_bits),
            released: self.released,
            suppressed: self.suppressed,
            persons_suppressed: self.persons_suppressed,
            classes: ClassTotals { count, min, mean: f64::from_bits(mean), max },
            risk: Risk {
                prosecutor_max: f64::from_bits(highest),
                prosecutor_mean: f64::from_bits(mean_risk),
                records_at_risk: f64::from_bits(at_risk),
            },
            linkage: WorstLinkage { share: f64::from_bits(mean_risk), by: self.linked.0, of: self.linked.1 },
            guaranteed: self.guaranteed,
        }
    }
}
