//! How much memory a released file may take while it is read: a quarter of what the system leaves.
//!
//! A file of some kilobytes may claim gigabytes, and a program that asks for more than there is ends at once. What a file will
//! take is reckoned beforehand, and held against this.

use std::fs;

/// Where the system tells nothing.
const UNKNOWN: u64 = 2 << 30;

/// The bytes that a file may take.
pub(super) fn room() -> u64 {
    let free = number("/proc/meminfo", "MemAvailable:").map(|free| free << 10);
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let space = number("/proc/self/limits", "Max address space");
    [free, group, space].into_iter().flatten().min().unwrap_or(UNKNOWN) / 4
}

/// The number behind these words, in whatever unit the file has.
fn number(file: &str, words: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(words))?;
    rest.split_whitespace().next()?.parse().ok()
}
