//! What a process of its own found out, as lines `name=value`.
//!
//! Peak memory belongs to a process, so what is asked for with its memory runs in a child: this program again.

use std::collections::BTreeMap;
use std::fmt;
use std::process::{Command, Stdio};

use crate::failure::Result;

/// Named findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<String, String>);

impl Facts {
    /// Adds a finding.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.0.insert(name.to_owned(), value.to_string());
        self
    }

    /// Adds the most memory that this process has used so far, in KiB, where the system tells.
    #[must_use]
    pub fn with_peak(self) -> Self {
        match std::fs::read_to_string("/proc/self/status").ok().as_deref().and_then(peak_of) {
            Some(peak) => self.with("peak", peak),
            None => self,
        }
    }

    /// A finding, or a dash.
    pub fn text(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| "–".to_owned())
    }

    /// A finding that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.parse().ok()
    }

    /// A number as written by `write`, or a dash.
    pub fn written(&self, name: &str, write: impl Fn(f64) -> String) -> String {
        self.number(name).map_or_else(|| "–".to_owned(), write)
    }

    /// Peak memory in MiB, or a dash.
    pub fn peak(&self) -> String {
        self.written("peak", |kib| format!("{:.0}", kib / 1024.0))
    }

    /// Reads what a process said.
    pub fn parse(text: &str) -> Self {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        Self(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, value)| writeln!(f, "{name}={value}"))
    }
}

/// Runs this program with other arguments and takes what it finds.
pub fn ask_child(arguments: &[String]) -> Result<Facts> {
    let output = Command::new(std::env::current_exe()?).args(arguments).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("`{}` failed: {}", arguments.join(" "), output.status).into());
    }
    Ok(Facts::parse(&String::from_utf8_lossy(&output.stdout)))
}

/// The peak in the system's description of a process.
pub fn peak_of(status: &str) -> Option<&str> {
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_the_way_through_text() {
        let facts = Facts::default().with("nodes", 12).with("levels", "0-1").with("seconds", 0.5);
        assert_eq!(Facts::parse(&facts.to_string()), facts);
        assert_eq!((facts.number("seconds"), facts.text("levels").as_str()), (Some(0.5), "0-1"));
        assert_eq!((facts.number("levels"), facts.text("peak").as_str()), (None, "–"));
    }

    #[test]
    fn the_peak_is_read() {
        assert_eq!(peak_of("VmPeak:\t 9 kB\nVmHWM:\t  1234 kB\nVmRSS:\t 7 kB\n"), Some("1234"));
        assert_eq!(peak_of("VmRSS:\t 7 kB\n"), None);
    }
}
