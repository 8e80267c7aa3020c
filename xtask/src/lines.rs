//! `cargo xtask lines`: how large the house is.
//!
//! Lines of Rust and JavaScript in `crates`, `benches` and `xtask` that are neither blank nor comments, and lines of the tests
//! beside them, those in Python too. Of files and functions outside tests the median: half of them are not longer.

use std::collections::BTreeMap;
use std::path::Path;

use crate::source::Source;
use crate::tidy::files::{self, File};

/// Lines of code and of tests.
type Count = (usize, usize);

/// Counts the lines of each crate, and of each room of the engine.
pub fn run(root: &Path) -> Result<String, String> {
    let files = files::read(root).map_err(|error| format!("the working folder cannot be read: {error}"))?;
    let mut rooms: BTreeMap<String, Count> = BTreeMap::new();
    let (mut lengths, mut function_lengths) = (Vec::new(), Vec::new());
    for file in &files {
        let Some((name, text)) = room(file).zip(file.text()) else { continue };
        let source = Source::new(&file.path, text);
        let count = rooms.entry(name).or_default();
        *count = (count.0 + source.code.len(), count.1 + source.tests.len());
        if file.extension() == "rs" && !source.code.is_empty() {
            lengths.push(text.lines().count());
            let opening = (0..source.code.len()).filter(|place| opens_function(source.code[*place].1));
            function_lengths.extend(opening.filter_map(|place| function_length(&source.code[place..])));
        }
    }
    let total = rooms.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let row = |name: &str, (code, tests): Count| format!("{name:28}{code:7}{tests:7}");
    let rows = rooms.iter().map(|(room, count)| row(room, *count)).chain([row("total", total)]);
    let medians = format!(
        "half of the files have at most {} lines, half of the functions at most {}",
        median(&mut lengths),
        median(&mut function_lengths)
    );
    Ok(["code and tests".to_owned()].into_iter().chain(rows).chain([medians]).collect::<Vec<_>>().join("\n"))
}

/// The room that a file counts to; none where it does not count.
fn room(file: &File) -> Option<String> {
    let parts: Vec<&str> = file.path.split('/').collect();
    let is_counted = match file.extension() {
        "rs" | "js" => true,
        "py" => parts.contains(&"tests"),
        _ => false,
    };
    match parts.as_slice() {
        _ if !is_counted => None,
        ["crates", "engine", "src", room, _, ..] => Some(format!("crates/engine/{room}")),
        ["crates", room, ..] => Some(format!("crates/{room}")),
        [room @ ("benches" | "xtask"), ..] => Some((*room).to_owned()),
        _ => None,
    }
}

/// The length of the function that the first line opens, up to its closing brace; none for one without a body.
fn function_length(lines: &[(usize, &str)]) -> Option<usize> {
    let ((first, opening), rest) = lines.split_first()?;
    let indent = &opening[..opening.len() - opening.trim_start().len()];
    let is_outer = |line: &str| line.strip_prefix(indent).is_some_and(|rest| !rest.starts_with(' '));
    let ends = |line: &str| is_outer(line) && line.ends_with(['}', ';']);
    let (last, closing) =
        if ends(opening) { (first, opening) } else { rest.iter().map(|(n, l)| (n, l)).find(|(_, line)| ends(line))? };
    closing.ends_with('}').then_some(last + 1 - first)
}

fn opens_function(line: &str) -> bool {
    let words = line.split_whitespace();
    let is_before = |word: &&str| word.starts_with("pub") || ["const", "async", "unsafe"].contains(word);
    words.skip_while(is_before).take(1).eq(["fn"])
}

fn median(lengths: &mut [usize]) -> usize {
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured_from_the_first_word_to_the_brace() {
        let length = |text: &str| function_length(&Source::new("a.rs", text).code);
        assert_eq!(length("    pub(super) fn a() {}\n"), Some(1));
        assert_eq!(length("fn a(\n    b: u8,\n) {\n    c();\n\n    // d\n}\n"), Some(7));
        assert_eq!(length("    fn a(&self) -> u8;\n"), None);
        assert_eq!(length("    fn a(\n        b: u8,\n    ) -> u8;\n    fn c() {\n    }\n"), None);
        assert!(opens_function("    pub(super) const fn a() {") && !opens_function("let fn_ = a;"));
    }

    #[test]
    fn files_count_to_their_room() {
        let room = |path: &str| room(&File { path: path.to_owned(), bytes: Vec::new() });
        let rooms =
            ["crates/engine/src/decide/a.rs", "crates/engine/src/lib.rs", "benches/a/b.rs", "crates/python/tests/a.py"];
        let names = ["crates/engine/decide", "crates/engine", "benches", "crates/python"];
        assert_eq!(rooms.map(room), names.map(|name| Some(name.to_owned())));
        assert_eq!(["docs/a.rs", "crates/core/a.md", "crates/python/a.py"].map(room), [None, None, None]);
    }
}
