//! How much memory a run may use.
//!
//! Half of what the machine, its control group or the limits of the process leave, unless the user says otherwise. The
//! share is handed to the counting and sorting operators, which write to disk beyond it, and to the check that the
//! counted keys fit.

use std::{fs, thread};

/// Used where the system tells nothing.
const FALLBACK: u64 = 1 << 30;

/// The bytes a run may use when the user does not say.
#[must_use]
pub(super) fn default_limit() -> usize {
    let limits = [available(), control_group(), left_to_process()];
    let smallest = limits.into_iter().flatten().min().unwrap_or(FALLBACK);
    usize::try_from(smallest / 2).unwrap_or(usize::MAX)
}

/// The most threads whose stacks take no more than a quarter of what the limits of the process leave.
#[must_use]
pub(super) fn most_threads() -> usize {
    let fitting = left_to_process().map(|left| (left / 4 / STACK).max(1));
    fitting.and_then(|threads| usize::try_from(threads).ok()).unwrap_or(usize::MAX)
}

/// Bytes that a thread reserves for its stack.
const STACK: u64 = 2 << 20;

/// The bytes that one reader of a table may hold, where each thread has one: what half of the rest leaves to it.
#[must_use]
pub(crate) fn room() -> u64 {
    // Asked by no thread of a pool, rayon would start one for everybody.
    let readers = match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    (default_limit() / 2 / readers.max(1)) as u64
}

fn available() -> Option<u64> {
    number_after(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:").map(|kibibytes| kibibytes * 1024)
}

fn control_group() -> Option<u64> {
    fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

/// What the limits of the process leave, of addresses and of data.
fn left_to_process() -> Option<u64> {
    let (limits, status) =
        (fs::read_to_string("/proc/self/limits").ok()?, fs::read_to_string("/proc/self/status").ok()?);
    let left = |(limit, used)| Some(number_after(&limits, limit)?.saturating_sub(number_after(&status, used)? * 1024));
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")].into_iter().filter_map(left).min()
}

/// The first word after `name`, if it is a number.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_and_words_are_not() {
        let text = "MemTotal:  9 kB\nMemAvailable:   42 kB\nMax address space    unlimited   unlimited bytes\n";
        assert_eq!(number_after(text, "MemAvailable:"), Some(42));
        assert_eq!(number_after(text, "Max address space"), None);
    }
}
