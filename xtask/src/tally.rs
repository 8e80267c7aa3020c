//! Counts tests from what `cargo nextest` and `cargo test` print, and remembers which failed.
//!
//! The counts feed the last line of `cargo xtask test`; whether tests passed is judged by exit codes alone.

use std::collections::BTreeSet;

/// Tests that passed and failed.
#[derive(Debug, Default)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    /// The names of those that failed.
    pub failures: BTreeSet<String>,
}

impl Tally {
    /// Adds the counts of a line such as `test result: ok. 3 passed; 0 failed; …` or
    /// `Summary [ 0.1s] 3 tests run: 3 passed, 0 skipped`, and the name on a line that tells of one failed test; other
    /// lines count nothing.
    pub fn add(&mut self, line: &str) {
        // What a failed test printed is repeated further in, and was counted already.
        let of_cargo = line.strip_prefix("test result:");
        let of_nextest = || ["tests run:", "test run:"].iter().find_map(|words| line.split_once(words));
        if let Some(counts) = of_cargo.or_else(|| of_nextest().map(|(_, counts)| counts)) {
            self.passed += before(counts, "passed");
            self.failed += before(counts, "failed");
        }
        self.failures.extend(failure(line));
    }
}

/// The number in front of a word.
fn before(counts: &str, word: &str) -> usize {
    let words: Vec<&str> = counts.split([' ', ',', ';']).filter(|part| !part.is_empty()).collect();
    let place = words.iter().position(|part| *part == word);
    place.and_then(|place| words.get(place.checked_sub(1)?)?.parse().ok()).unwrap_or(0)
}

/// The name of the test that a line calls failed: `test NAME ... FAILED` or, with nextest, `FAIL [ 0.1s] BINARY NAME`.
fn failure(line: &str) -> Option<String> {
    if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
        return Some(name.to_owned());
    }
    let (verdict, rest) = line.trim_start().split_once(" [")?;
    let is_failure = ["FAIL", "TIMEOUT", "ABORT"].contains(&verdict) || verdict.starts_with("SIG");
    let name = rest.rsplit([']', ')']).next()?.trim();
    (is_failure && !name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        for line in lines {
            tally.add(line);
        }
        tally
    }

    #[track_caller]
    fn check(lines: &[&str], (passed, failed): (usize, usize), failures: &[&str]) {
        let tally = tally(lines);
        assert_eq!((tally.passed, tally.failed), (passed, failed));
        assert!(tally.failures.iter().eq(failures), "{:?}", tally.failures);
    }

    #[test]
    fn both_runners_are_understood() {
        let nextest = "     Summary [   2.034s] 15 tests run: 13 passed (1 slow), 2 failed, 4 skipped";
        let cargo = "test result: FAILED. 7 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s";
        check(&[nextest], (13, 2), &[]);
        check(&["     Summary [   0.034s] 1 test run: 1 passed, 4 skipped"], (1, 0), &[]);
        check(&["running 8 tests", "test a ... ok", cargo, "", cargo], (14, 2), &[]);
        check(&[&format!("    {cargo}"), nextest], (13, 2), &[]);
    }

    #[test]
    fn failures_are_named_once() {
        let nextest = "        FAIL [   0.034s] (1/2) equanym::cli docs::fits";
        let killed = "     SIGABRT [   0.034s] equanym::cli kill::killed";
        check(&[nextest, killed, nextest], (0, 0), &["equanym::cli docs::fits", "equanym::cli kill::killed"]);
        check(&["test docs::fits ... FAILED", "test docs::more ... ok"], (0, 0), &["docs::fits"]);
    }

    #[test]
    fn other_lines_count_nothing() {
        let passed = "        PASS [   0.034s] equanym::cli docs::fits";
        check(&["", "passed", "tests run:", "test result: ok.", "3 passed", passed], (0, 0), &[]);
    }
}
