//! Rules on the content of one file.

use super::{File, Finding};

/// Longer files are more than one thought.
const LINES: usize = 500;

/// Larger files belong into a generator.
const BYTES: usize = 512 * 1024;

/// Files that are damaged on purpose.
const HOSTILE: &str = "fuzz/corpus/";

/// Files that people write and read line by line. Data may hold any white space.
const SOURCES: &[&str] = &["rs", "toml", "md", "sh", "html", "css", "js", "json", "yml", "yaml", "run", "lock"];

/// What stands for work that is not done. Written in two halves, so that this file passes its own rule.
const UNFINISHED: &[&str] = &[
    concat!("to", "do!"),
    concat!("un", "implemented!"),
    concat!("db", "g!("),
    concat!("#[ig", "nore"),
    concat!("FIX", "ME"),
];

/// Places that exist on one machine only; in two halves as above.
const MACHINE_PATHS: &[&str] = &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/")];

/// All rules on one file.
pub fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    if file.bytes.len() > BYTES {
        findings.push(Finding::file(file, format!("larger than {} KiB", BYTES / 1024)));
    }
    if file.path.starts_with(HOSTILE) {
        return findings;
    }
    let Some(text) = file.text() else {
        findings.push(Finding::file(file, "a binary file"));
        return findings;
    };
    findings.extend(check_lines(file, text));
    if file.extension() == "rs" {
        findings.extend(check_rust(file, text));
    }
    if file.path.ends_with("Cargo.toml") {
        findings.extend(check_manifest(file, text));
    }
    findings
}

/// Crates of the house can be packaged: who depends on a path says the version, too.
fn check_manifest(file: &File, text: &str) -> Vec<Finding> {
    let is_bare = |line: &str| line.contains("{ path = ") && !line.contains("version = ");
    let lines = text.lines().enumerate().filter(|(_, line)| is_bare(line));
    lines.map(|(place, _)| Finding::line(file, place + 1, "a path without a version cannot be packaged")).collect()
}

fn check_lines(file: &File, text: &str) -> Vec<Finding> {
    let is_source = SOURCES.contains(&file.extension()) || file.extension().is_empty();
    let mut findings = Vec::new();
    for (number, line) in text.split('\n').enumerate().map(|(place, line)| (place + 1, line)) {
        let mut find = |message: String| findings.push(Finding::line(file, number, message));
        if is_source && line.ends_with('\r') {
            find("a carriage return at the end of the line".to_owned());
        } else if is_source && line.ends_with([' ', '\t']) {
            find("white space at the end of the line".to_owned());
        }
        for path in MACHINE_PATHS.iter().filter(|path| line.contains(**path)) {
            find(format!("`{path}` exists on one machine only"));
        }
    }
    findings
}

fn check_rust(file: &File, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !text.starts_with("//!") {
        findings.push(Finding::line(file, 1, "opens without `//!`: say what the module promises"));
    }
    let lines = text.lines().count();
    if file.is_product() && lines > LINES {
        findings.push(Finding::file(file, format!("{lines} lines; at most {LINES}")));
    }
    for (place, line) in text.lines().enumerate() {
        let marks = UNFINISHED.iter().filter(|mark| line.contains(**mark));
        findings.extend(marks.map(|mark| Finding::line(file, place + 1, format!("`{mark}` is unfinished work"))));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<(usize, String)> {
        let file = File { path: path.to_owned(), bytes: text.as_bytes().to_vec() };
        check(&file).into_iter().map(|finding| (finding.line, finding.message)).collect()
    }

    fn lines(path: &str, text: &str) -> Vec<usize> {
        findings(path, text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_tidy_file_passes() {
        assert_eq!(findings("crates/core/src/a.rs", "//! A.\n\nfn a() {}\n"), []);
        assert_eq!(findings(".ci/run", "#!/bin/bash\n"), []);
    }

    #[test]
    fn modules_open_with_their_promise() {
        assert_eq!(lines("xtask/src/a.rs", "fn a() {}\n"), [1]);
        assert_eq!(lines("a.md", "# A\n"), []);
    }

    #[test]
    fn long_files_are_found_in_crates_only() {
        let text = format!("//! A.\n{}", "\n".repeat(LINES));
        assert_eq!(lines("crates/core/src/a.rs", &text), [0]);
        assert_eq!(lines("crates/core/src/a.rs", &text[1 + "//! A.".len()..]), [1]);
        assert_eq!(lines("crates/core/tests/a.rs", &text), []);
    }

    #[test]
    fn large_and_binary_files_are_found() {
        assert_eq!(findings("a.csv", &"x".repeat(BYTES)), []);
        assert_eq!(lines("a.csv", &"x".repeat(BYTES + 1)), [0]);
        assert_eq!(findings("a.parquet", "PAR1\0"), [(0, "a binary file".to_owned())]);
        assert_eq!(findings("fuzz/corpus/footers/a", "PAR1\0"), []);
        assert_eq!(lines("fuzz/corpus/footers/a", &"x".repeat(BYTES + 1)), [0]);
    }

    #[test]
    fn unfinished_work_is_found() {
        for mark in UNFINISHED {
            assert_eq!(lines("a.rs", &format!("//! A.\n// {mark}\n")), [2], "{mark}");
        }
    }

    #[test]
    fn white_space_at_line_ends_is_found_in_sources() {
        assert_eq!(lines("a.rs", "//! A.\r\nfn a() {} \n\t\n"), [1, 2, 3]);
        assert_eq!(lines("a.csv", "a,b \r\n"), []);
    }

    #[test]
    fn paths_without_a_version_are_found_in_manifests() {
        let text = "a = { path = \"../a\" }\nb = { version = \"1\", path = \"../b\" }\n";
        assert_eq!(lines("crates/x/Cargo.toml", text), [1]);
        assert_eq!(lines("a.toml", text), []);
    }

    #[test]
    fn machine_paths_are_found_everywhere() {
        for path in MACHINE_PATHS {
            assert_eq!(lines("a.csv", &format!("x\ncd {path}somewhere\n")), [2], "{path}");
        }
        assert_eq!(lines("a.md", "frame/works/home\n"), []);
    }
}
