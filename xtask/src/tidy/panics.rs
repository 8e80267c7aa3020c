//! The product does not panic: no `unwrap`, `expect` or `panic!` outside tests.
//!
//! Test code is a module marked `#[cfg(test)]`, inline or in a file of its own. Comments, and with them the examples
//! of the documentation, are left alone.

use super::{File, Finding};
use crate::source::Source;

/// An `expect` of the standard library is given a text; a method of our own of that name is not.
const PANICS: &[&str] = &[".unwrap()", ".expect(\"", ".expect(&", "panic!("];

/// Checks the Rust files that go into the program.
pub fn check(files: &[File]) -> Vec<Finding> {
    let product = || files.iter().filter(|file| file.is_product());
    let test_modules: Vec<String> = product().flat_map(test_modules).collect();
    let is_test = |file: &File| test_modules.iter().any(|module| belongs(&file.path, module));
    product().filter(|file| !is_test(file)).flat_map(check_file).collect()
}

/// Whether a path is the file of a module, or lies in its folder.
fn belongs(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// The test modules that lie in files of their own, as paths without the extension.
fn test_modules(file: &File) -> Vec<String> {
    let folder = match file.path.strip_suffix(".rs") {
        Some(stem) => ["/mod", "/lib", "/main"].iter().find_map(|name| stem.strip_suffix(name)).unwrap_or(stem),
        None => return Vec::new(),
    };
    let headings = marked_headings(file.text().unwrap_or_default());
    headings.filter_map(|name| name.strip_suffix(';')).map(|name| format!("{folder}/{name}")).collect()
}

/// What follows the word `mod` in each line that stands under `#[cfg(test)]`.
fn marked_headings(text: &str) -> impl Iterator<Item = &str> {
    let mut marked = false;
    text.lines().filter_map(move |line| {
        let heading = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ").strip_prefix("mod ");
        let found = heading.filter(|_| marked);
        marked = line == "#[cfg(test)]" || (marked && line.starts_with("#["));
        found
    })
}

fn check_file(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in Source::new(&file.path, file.text().unwrap_or_default()).code {
        let panics = PANICS.iter().filter(|panic| line.contains(**panic));
        findings.extend(panics.map(|panic| Finding::line(file, number, format!("`{panic}` outside tests"))));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: format!("crates/core/src/{path}"), bytes: text.as_bytes().to_vec() }
    }

    fn lines(files: &[File]) -> Vec<usize> {
        check(files).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn each_panic_is_found() {
        assert_eq!(lines(&[file("a.rs", "let a = b.unwrap();\nlet c = d.expect(\"e\");\npanic!(\"f\")\n")]), [1, 2, 3]);
        assert_eq!(lines(&[file("a.rs", "let a = b.unwrap_or(1);\n/// c.unwrap();\n    // panic!(d)\n")]), []);
        assert_eq!(lines(&[file("a.rs", "parser.expect(Token::Comma)?;\n")]), []);
    }

    #[test]
    fn an_inline_test_module_is_left_alone() {
        let text = "#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn a() {\n        b.unwrap();\n    }\n}\nc.unwrap();\n";
        assert_eq!(lines(&[file("a.rs", text)]), [8]);
    }

    #[test]
    fn only_a_marked_module_counts_as_tests() {
        assert_eq!(lines(&[file("a.rs", "#[cfg(test)]\nuse a::b;\nmod c {\n    d.unwrap();\n}\n")]), [4]);
        assert_eq!(lines(&[file("a.rs", "mod tests {\n    d.unwrap();\n}\n")]), [2]);
    }

    #[test]
    fn a_test_module_in_its_own_file_is_left_alone() {
        let door = file("loss/mod.rs", "#[cfg(test)]\nmod conformance;\n");
        let panicking = |path| file(path, "a.unwrap();\n");
        assert_eq!(lines(&[door, panicking("loss/conformance.rs"), panicking("loss/conformance/b.rs")]), []);
        let door = file("loss.rs", "#[cfg(test)]\nmod conformance;\n");
        assert_eq!(lines(&[door, panicking("loss/conformance.rs"), panicking("conformance.rs")]), [1]);
        let door = file("lib.rs", "#[cfg(test)]\npub(crate) mod tests;\n");
        assert_eq!(lines(&[door, panicking("tests.rs"), panicking("tests_of_a.rs")]), [1]);
    }

    #[test]
    fn other_folders_are_left_alone() {
        let file = File { path: "xtask/src/a.rs".to_owned(), bytes: b"a.unwrap();\n".to_vec() };
        assert_eq!(check(&[file]), []);
    }
}
