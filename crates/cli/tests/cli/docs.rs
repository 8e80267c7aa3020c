//! The README, the pages in `docs/` and the examples' own are run: files are written, commands typed, and what comes out is
//! what the page shows.
//!
//! ```` ```toml NAME ```` is a file, ```` ```toml NAME more ```` is added to one, ```` ```toml NAME from OTHER ```` is added to
//! a copy of another, and ```` ```console ```` holds commands after `$ `, each with its output; a line `…` stands for any
//! number of lines. In ```` ```replace NAME from OTHER ```` each line `OLD => NEW` is a change of a copy. A picture
//! `![…](NAME "FILE")` is the file that a command of the page made. A page is a session: its commands run one after the
//! other in one folder, in which the examples of the repository lie as `examples/`. After a change of what the program
//! prints, `EQUANYM_BLESS=1` writes the outputs anew, except those with a `…`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::clinic;
use crate::program::stage::SECRET;

#[test]
fn every_page_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = 0;
    let entries = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages_of_docs = entries.filter(|path| path.extension().is_some_and(|end| end == "md"));
    for path in pages_of_docs.chain(["README.md", "examples/clinic/README.md"].map(|page| root.join(page))) {
        let page = fs::read_to_string(&path).unwrap();
        compare(&path, &page, Session::new(&root).run(&page, &path));
        pages += 1;
    }
    assert!(pages > 0, "there is no page");
}

/// Compares a page with what it would be now, or writes that.
pub fn compare(path: &Path, page: &str, shown: String) {
    if std::env::var_os("EQUANYM_BLESS").is_some() {
        fs::write(path, shown).unwrap();
    } else {
        assert_eq!(shown, page, "{}", path.display());
    }
}

/// A folder in which a page's commands run.
pub struct Session {
    folder: TempDir,
    /// Whether each output ends with the exit code, and a refusal must leave everything as it was.
    pub refuses: bool,
}

impl Session {
    pub fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), refuses: false }
    }

    fn new(root: &Path) -> Self {
        let session = Self::empty();
        copy(&root.join("examples"), &session.folder.path().join("examples"));
        session
    }

    /// The page with the output of each command as it is.
    pub fn run(&self, page: &str, path: &Path) -> String {
        let mut shown = String::new();
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            shown.extend([line, "\n"]);
            if let Some((name, file)) = picture(line) {
                self.compare_picture(file, &path.with_file_name(name));
            }
            let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = block.join("\n") + "\n";
            shown += &match info.split(' ').collect::<Vec<_>>().as_slice() {
                ["toml" | "csv", name] => self.write(name, block),
                ["replace", name, "from", other] => self.replace(name, other, block),
                ["toml", name, "more"] => self.add(name, name, block),
                ["toml", name, "from", other] => self.add(name, other, block),
                ["console"] => self.type_in(&block, path),
                _ => block,
            };
            shown += "```\n";
        }
        shown
    }

    /// A picture of a page is the one that a command of the page made.
    fn compare_picture(&self, made: &str, shown: &Path) {
        let made = fs::read(self.folder.path().join(made)).unwrap();
        if std::env::var_os("EQUANYM_BLESS").is_some() {
            fs::write(shown, made).unwrap();
        } else {
            assert!(fs::read(shown).unwrap() == made, "{} is another picture now", shown.display());
        }
    }

    pub fn write(&self, name: &str, text: String) -> String {
        fs::write(self.folder.path().join(name), &text).unwrap();
        text
    }

    /// Writes a file that is another one with something added.
    fn add(&self, name: &str, other: &str, block: String) -> String {
        let before = fs::read_to_string(self.folder.path().join(other)).unwrap();
        self.write(name, before + "\n" + &block);
        block
    }

    /// Writes a file that is another one with some things otherwise.
    fn replace(&self, name: &str, other: &str, block: String) -> String {
        let mut text = fs::read_to_string(self.folder.path().join(other)).unwrap();
        for line in block.lines() {
            let (old, new) = line.split_once(" => ").unwrap_or_else(|| panic!("no change: {line}"));
            let [old, new] = [old, new].map(|text| text.replace("\\n", "\n"));
            assert!(text.contains(&old), "{other} has no {old:?}");
            text = text.replace(&old, &new);
        }
        self.write(name, text);
        block
    }

    fn type_in(&self, block: &str, path: &Path) -> String {
        let mut shown = String::new();
        for part in block.split_inclusive('\n').fold(Vec::<String>::new(), by_command) {
            let (command, expected) = part.split_once('\n').unwrap_or((&part, ""));
            let found = self.output(command, path);
            let output = if fits(expected, &found) { expected } else { &found };
            assert!(output == expected || !expected.contains("…\n"), "{}: {command}\n{found}", path.display());
            shown.extend([command, "\n", output]);
        }
        shown
    }

    /// What the program prints: its result, or why there is none.
    fn output(&self, command: &str, path: &Path) -> String {
        let words: Vec<&str> = command.trim_start_matches("$ ").split(' ').collect();
        if let ["cargo", "run", "--example", "clinic", "--", name, records] = words.as_slice() {
            let made = clinic::table::admissions(records.parse().unwrap(), clinic::SEED);
            clinic::file::write(&self.folder.path().join(name), &made).unwrap();
            return format!("{records} admissions in {name}\n");
        }
        let Some(("equanym", arguments)) = words.split_first().map(|(program, rest)| (*program, rest)) else {
            panic!("{}: not a command of the program: {command}", path.display())
        };
        let before = self.entries();
        let mut program = Command::new(env!("CARGO_BIN_EXE_equanym"));
        let output = program.current_dir(self.folder.path()).args(arguments).env("NO_COLOR", "1").output().unwrap();
        let words = if output.status.success() { output.stdout } else { output.stderr };
        let words = String::from_utf8(words).unwrap();
        if !self.refuses {
            return words;
        }
        let is_done = output.status.success();
        assert!(is_done || self.entries() == before, "{command} leaves something behind: {words}");
        assert!(!words.contains(SECRET), "{command} shows a cell: {words}");
        format!("{words}exit {}\n", output.status.code().unwrap())
    }

    /// The names in the folder, hidden ones too.
    fn entries(&self) -> BTreeSet<OsString> {
        fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }
}

/// The name of a picture, and the file that it was made as.
fn picture(line: &str) -> Option<(&str, &str)> {
    let (name, file) = line.strip_prefix("![")?.split_once("](")?.1.strip_suffix("\")")?.split_once(" \"")?;
    Some((name, file))
}

/// Cuts a block before each command.
fn by_command(mut parts: Vec<String>, line: &str) -> Vec<String> {
    match parts.last_mut() {
        Some(last) if !line.starts_with("$ ") => last.push_str(line),
        _ => parts.push(line.to_owned()),
    }
    parts
}

/// Whether the output is the expected one, in which a line `…` stands for any lines.
fn fits(expected: &str, found: &str) -> bool {
    let pieces: Vec<&str> = expected.split("…\n").collect();
    let [only] = pieces.as_slice() else {
        let mut rest = found;
        for (place, piece) in pieces.iter().enumerate() {
            let at = if place == 0 { rest.starts_with(piece).then_some(0) } else { rest.find(piece) };
            let Some(at) = at else { return false };
            rest = &rest[at + piece.len()..];
        }
        return rest.is_empty() || pieces.last().is_some_and(|last| last.is_empty());
    };
    *only == found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_line_of_dots_stands_for_any_lines() {
    assert!(fits("a\nb\n", "a\nb\n") && !fits("a\n", "a\nb\n"));
    assert!(fits("a\n…\nc\n", "a\nb\nb\nc\n") && fits("a\n…\n", "a\nb\n") && fits("…\nb\n", "a\nb\n"));
    assert!(!fits("a\n…\nc\n", "a\nb\n") && !fits("b\n…\n", "a\nb\n") && !fits("…\na\n", "a\nb\n"));
}
