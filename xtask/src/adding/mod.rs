//! Adding costs what ARCHITECTURE promises: a copy of the house gets a new member of every family, and compiles.
//!
//! For each row of "Where to add what" the files that the table names, and no others, are edited as somebody would who takes the
//! member that the row shows as a pattern: its own file is copied under a new name, and in the other files everything that names
//! it comes a second time for the new one (`elements`). What does not compile then takes more files than the table says.
//!
//! Limit: it shows that the files are enough to build, not that a member is any good. That no file is named in vain is held by
//! [`tidy`](crate::tidy).

mod elements;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::python::target;
use crate::tidy::places::{FamilyRow, PAGE, rows};
use crate::{cargo, succeeds};
use elements::doubled;

/// Adds a member to each family of a copy of the workspace, and checks that it builds.
pub fn run(root: &Path) -> Result<String, String> {
    let copy = target(root).join("adding");
    copy_house(root, &copy).map_err(|error| format!("the house cannot be copied: {error}"))?;
    let page = fs::read_to_string(root.join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    let rows: Vec<FamilyRow> = rows(&page).filter_map(|(_, row)| row.ok()).collect();
    for (number, row) in (1..).zip(&rows) {
        add(&copy, row, number).map_err(|error| format!("{}: {error}", row.what))?;
    }
    let mut check = cargo(&copy);
    check.args(["check", "--package", "equanym", "--locked"]).env("CARGO_TARGET_DIR", target(root));
    if succeeds(check.env("RUSTFLAGS", "-A warnings")) {
        Ok(format!("{} families took a member in the files that {PAGE} names", rows.len()))
    } else {
        Err(format!("a new member of a family needs more than the files that {PAGE} names: see {}", copy.display()))
    }
}

/// The files that git knows, in a folder of their own.
fn copy_house(root: &Path, copy: &Path) -> std::io::Result<()> {
    if copy.exists() {
        fs::remove_dir_all(copy)?;
    }
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?.stdout;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    for path in listed.split('\0').filter(|path| root.join(path).is_file()) {
        let to = copy.join(path);
        fs::create_dir_all(to.parent().unwrap_or(copy))?;
        fs::copy(root.join(path), to)?;
    }
    Ok(())
}

/// A member and the new one, by all the ways in which code spells them.
struct Pair {
    /// Old and new; types that begin with the member's name are among them.
    words: Vec<(String, String)>,
    old: String,
    new: String,
    /// Whether a library has the member's name.
    is_library: bool,
}

fn add(copy: &Path, row: &FamilyRow, number: usize) -> Result<(), String> {
    let crates = &copy.join("crates");
    let name = row.members.first().map(|member| member.name.clone()).ok_or("the row shows no member")?;
    let new = format!("{name}anew{number}");
    let words = spellings(&name).into_iter().zip(spellings(&new)).collect();
    let is_library = read(&copy.join("Cargo.lock"))?.contains(&format!("name = \"{name}\"\n"));
    let mut pair = Pair { words, old: name, new, is_library };
    let (own, lists): (Vec<&String>, Vec<&String>) = row.needed.iter().partition(|path| path.contains("{}"));
    let own = own.into_iter().map(|path| pair.own_files(crates, path)).collect::<Result<Vec<_>, _>>()?.concat();
    pair.find_types(&own)?;
    for (from, to) in &own {
        fs::create_dir_all(to.parent().unwrap_or(crates)).map_err(|error| error.to_string())?;
        fs::write(to, pair.copied(&read(from)?)).map_err(|error| error.to_string())?;
    }
    for path in lists {
        let path = crates.join(path);
        let text = read(&path)?;
        let terms: Vec<&str> = pair.words.iter().map(|(old, _)| old.as_str()).collect();
        let edited = doubled(&text, &terms, |piece| pair.renamed(piece));
        fs::write(&path, edited).map_err(|error| error.to_string())?;
    }
    Ok(())
}

impl Pair {
    /// The files of the member, each with that of the new one.
    fn own_files(&self, crates: &Path, listed: &str) -> Result<Vec<(PathBuf, PathBuf)>, String> {
        let [old, new] = [&self.old, &self.new].map(|name| crates.join(listed.replace("{}", &name.replace('-', "_"))));
        if old.is_file() {
            return Ok(vec![(old, new)]);
        }
        let (old, new) = (old.with_extension(""), new.with_extension(""));
        let files = fs::read_dir(&old).map_err(|error| format!("{}: {error}", old.display()))?;
        let files = files.filter_map(Result::ok).map(|file| file.path()).filter(|path| path.is_file());
        Ok(files.map(|path| (path.clone(), new.join(path.file_name().unwrap_or_default()))).collect())
    }

    /// Types of the member's own files that begin with its name get new names, too.
    fn find_types(&mut self, own: &[(PathBuf, PathBuf)]) -> Result<(), String> {
        let (old, new) = (camel(&self.old), camel(&self.new));
        let mut types = BTreeSet::new();
        for (path, _) in own {
            let text = read(path)?;
            let words: Vec<&str> = text.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
            let named = words.windows(2).filter(|pair| ["struct", "enum", "trait", "type"].contains(&pair[0]));
            types.extend(named.map(|pair| pair[1].to_owned()).filter(|name| name.len() > old.len()));
        }
        let types = types.into_iter().filter_map(|name| {
            let rest = name.strip_prefix(&old)?;
            Some((name.clone(), format!("{new}{rest}")))
        });
        self.words.extend(types);
        Ok(())
    }

    /// Text of a list in which the new member stands for the old one.
    fn renamed(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (old, new)| replaced(&text, old, new))
    }

    /// The member's own file for the new one: its name as a text, its module, and its types. A path that begins with the name of
    /// a library is the library's.
    fn copied(&self, text: &str) -> String {
        let begin = if self.is_library { "::" } else { "" };
        let module = |name: &str| format!("{begin}{}::", name.replace('-', "_"));
        let text = text.replace(&format!("\"{}\"", self.old), &format!("\"{}\"", self.new));
        let text = replaced(&text, &module(&self.old), &module(&self.new));
        let types = self.words.iter().filter(|(old, _)| old.starts_with(char::is_uppercase));
        types.fold(text, |text, (old, new)| replaced(&text, old, new))
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The ways in which code spells the name of a member: `k-map`, `k_map`, `KMap`, `K_MAP`.
fn spellings(name: &str) -> Vec<String> {
    let snake = name.replace('-', "_");
    vec![name.to_owned(), snake.clone(), camel(name), snake.to_uppercase()]
}

fn camel(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split(['-', '_']).filter(|word| !word.is_empty()).map(capital).collect()
}

/// Replaces a word where it is no part of a longer one.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some(start) = elements::position(rest.as_bytes(), old) {
        found.push_str(&rest[..start]);
        found.push_str(new);
        rest = &rest[start + old.len()..];
    }
    found + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelt_in_four_ways_and_replaced_as_words() {
        assert_eq!(spellings("k-map"), ["k-map", "k_map", "KMap", "K_MAP"]);
        assert_eq!(replaced("k_map::KMap, k_maps, my_k_map, k_map", "k_map", "x"), "x::KMap, k_maps, my_k_map, x");
    }
}
