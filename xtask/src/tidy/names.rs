//! Rules on names: a name says what is inside.

use super::{File, Finding};

/// Names for things that were not thought through.
const EMPTY_WORDS: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"];

/// Each folder and file of the path has a name that says something.
pub fn check(file: &File) -> Vec<Finding> {
    let parts = file.path.split('/').map(|part| part.split_once('.').map_or(part, |(stem, _)| stem));
    let empty = parts.flat_map(|stem| stem.split(['_', '-'])).filter(|word| EMPTY_WORDS.contains(word));
    empty.map(|word| Finding::file(file, format!("a name with `{word}` says nothing about what is inside"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str) -> usize {
        check(&File { path: path.to_owned(), bytes: Vec::new() }).len()
    }

    #[test]
    fn empty_words_are_found_in_files_and_folders() {
        for path in ["crates/core/src/utils.rs", "crates/cli/tests/common/mod.rs", "a/csv_helpers.rs", "misc"] {
            assert_eq!(findings(path), 1, "{path}");
        }
    }

    #[test]
    fn other_words_pass() {
        for path in ["crates/core/src/lattice.rs", "a/commonest.rs", "utility/mod.rs", ".ci/run"] {
            assert_eq!(findings(path), 0, "{path}");
        }
    }
}
