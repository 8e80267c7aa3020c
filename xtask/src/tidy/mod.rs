//! `cargo xtask tidy`: the rules of the house that no compiler checks.
//!
//! Files are read from the working folder, leaving out what `.gitignore` names at the root. Each rule is a plain
//! function from files to findings; all rules run, so one call shows all there is to do.

mod content;
pub mod files;
mod glossary;
mod names;
mod panics;
pub mod places;
mod specs;
mod twins;

use std::fmt;
use std::path::Path;

use files::File;

/// A rule that a file breaks.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    path: String,
    /// Counted from 1; 0 when the whole file is meant.
    line: usize,
    message: String,
}

impl Finding {
    fn file(file: &File, message: impl Into<String>) -> Self {
        Self::line(file, 0, message)
    }

    fn line(file: &File, line: usize, message: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Checks the working folder.
pub fn run(root: &Path) -> Result<String, String> {
    let files = files::read(root).map_err(|error| format!("the working folder cannot be read: {error}"))?;
    let findings = check(&files);
    if findings.is_empty() {
        return Ok(format!("{} files are in order", files.len()));
    }
    let list: Vec<String> = findings.iter().map(|finding| format!("  {finding}")).collect();
    Err(format!("{} findings\n{}", findings.len(), list.join("\n")))
}

fn check(files: &[File]) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        files.iter().flat_map(|file| [names::check(file), content::check(file)]).flatten().collect();
    findings.extend(panics::check(files));
    findings.extend(places::check(files));
    findings.extend(specs::check(files));
    findings.extend(glossary::check(files));
    findings.extend(twins::check(files));
    findings.sort();
    findings
}
