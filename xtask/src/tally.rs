//! Counts tests from what `cargo nextest` and `cargo test` print.
//!
//! The counts feed the last line of `cargo xtask test`; whether tests passed is judged by exit codes alone.

/// Tests that passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    /// Adds the counts of a line such as `test result: ok. 3 passed; 0 failed; …` or
    /// `Summary [ 0.1s] 3 tests run: 3 passed, 0 skipped`; other lines count nothing.
    pub fn add(&mut self, line: &str) {
        let counts = line.split_once("test result:").or_else(|| line.split_once("tests run:"));
        if let Some((_, counts)) = counts {
            self.passed += before(counts, "passed");
            self.failed += before(counts, "failed");
        }
    }
}

/// The number in front of a word.
fn before(counts: &str, word: &str) -> usize {
    let words: Vec<&str> = counts.split([' ', ',', ';']).filter(|part| !part.is_empty()).collect();
    let place = words.iter().position(|part| *part == word);
    place.and_then(|place| words.get(place.checked_sub(1)?)?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lines: &[&str]) -> (usize, usize) {
        let mut tally = Tally::default();
        for line in lines {
            tally.add(line);
        }
        (tally.passed, tally.failed)
    }

    #[test]
    fn both_runners_are_understood() {
        let nextest = "     Summary [   2.034s] 15 tests run: 13 passed (1 slow), 2 failed, 4 skipped";
        let cargo = "test result: FAILED. 7 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s";
        assert_eq!(tally(&[nextest]), (13, 2));
        assert_eq!(tally(&["running 8 tests", "test a ... ok", cargo, "", cargo]), (14, 2));
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(tally(&["", "passed", "tests run:", "test result: ok.", "3 passed"]), (0, 0));
    }
}
