//! Which lines of a source are code, and which are tests.
//!
//! Blank lines and comments are neither. Tests are what stands in folders `tests`, in files `tests.rs` and in modules marked
//! `#[cfg(test)]`.

/// The lines of a source, each with its number from 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Source<'t> {
    pub code: Vec<(usize, &'t str)>,
    pub tests: Vec<(usize, &'t str)>,
}

impl<'t> Source<'t> {
    /// The lines of a file, by its path from the root.
    pub fn new(path: &str, text: &'t str) -> Self {
        let is_python = path.rsplit('.').next() == Some("py");
        let lines = telling_lines(text, if is_python { "#" } else { "//" });
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        if name == "tests.rs" || folders.split('/').any(|folder| folder == "tests") {
            return Self { tests: lines, ..Self::default() };
        }
        Self::without_test_modules(lines)
    }

    fn without_test_modules(lines: Vec<(usize, &'t str)>) -> Self {
        let mut source = Self::default();
        let mut attributes = Vec::new();
        let mut end: Option<String> = None;
        for (number, line) in lines {
            let start = line.trim_start();
            if end.is_some() {
                source.tests.push((number, line));
                end = end.filter(|closing| line != closing);
            } else if is_test_mark(start) || (!attributes.is_empty() && start.starts_with("#[")) {
                attributes.push((number, line));
            } else {
                let is_test_module = !attributes.is_empty() && opens_module(start);
                let part = if is_test_module { &mut source.tests } else { &mut source.code };
                part.append(&mut attributes);
                part.push((number, line));
                end = is_test_module.then(|| format!("{}}}", &line[..line.len() - start.len()]));
            }
        }
        source
    }
}

/// Lines that are neither blank nor comments.
fn telling_lines<'t>(text: &'t str, comment: &str) -> Vec<(usize, &'t str)> {
    let mut in_comment = false;
    let tells = |(_, line): &(usize, &str)| {
        let line = line.trim();
        let was_comment = in_comment || line.starts_with("/*");
        in_comment = was_comment && !line.contains("*/");
        !was_comment && !line.is_empty() && !line.starts_with(comment)
    };
    (1..).zip(text.lines()).filter(tells).collect()
}

fn is_test_mark(line: &str) -> bool {
    line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test")
}

fn opens_module(line: &str) -> bool {
    let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
    line.starts_with("mod ") && line.ends_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(path: &str, text: &str) -> (Vec<usize>, Vec<usize>) {
        let Source { code, tests } = Source::new(path, text);
        let numbers = |lines: Vec<(usize, &str)>| lines.into_iter().map(|(number, _)| number).collect();
        (numbers(code), numbers(tests))
    }

    #[test]
    fn blank_lines_and_comments_do_not_count() {
        assert_eq!(numbers("a/src/a.rs", "//! A.\n\nfn a() {}\n/* b\nc\n*/\nfn d() {} // e\n"), (vec![3, 7], vec![]));
        assert_eq!(numbers("a/tests/a.py", "# a\nb = 1\n"), (vec![], vec![2]));
    }

    #[test]
    fn test_modules_are_told_from_code() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n";
        assert_eq!(numbers("a/src/a.rs", text), (vec![1, 7], vec![2, 3, 4, 5, 6]));
        assert_eq!(numbers("a/src/a.rs", "#[cfg(test)]\nuse a::b;\nmod c {\n}\n"), (vec![1, 2, 3, 4], vec![]));
        assert_eq!(
            numbers("a/src/a.rs", "mod a {\n    #[cfg(test)]\n    mod b {\n    }\n}\n"),
            (vec![1, 5], vec![2, 3, 4])
        );
        assert_eq!(numbers("a/src/a/tests.rs", "fn a() {}\n"), (vec![], vec![1]));
    }
}
