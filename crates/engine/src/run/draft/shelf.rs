//! Ladders that lie in a folder `hierarchies` beside the data.
//!
//! A file belongs to the column that it is called by: `age.csv`, or `adult_hierarchy_age.csv` as other tools have it; case,
//! accents and what separates words do not matter. It is used if it lists every value of the column and each of its levels is
//! coarser than the one below. What is wrong with one that is not used is told with numbers, never with a value.

use std::path::{Path, PathBuf};
use std::{fs, io};

use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::{Builder, HierarchyError};

use crate::read::column_name::words;
use crate::read::{address, text_file};

/// The folder beside the data.
const FOLDER: &str = "hierarchies";

/// The most files that are looked at.
const MOST_FILES: usize = 10_000;

/// The files beside a table.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    files: Vec<PathBuf>,
}

/// A file for a column, as the policy names it, and the ladder in it or why there is none.
pub(super) struct Volume {
    pub(super) file: String,
    pub(super) ladder: Result<(Builder, u64), String>,
}

impl Shelf {
    /// What lies beside a table; nothing beside one that is no file.
    pub(super) fn beside(data: &Path) -> Self {
        let is_file = address::parse(data).is_ok_and(|address| address.is_none());
        let folder = if is_file { data.parent().map(|parent| parent.join(FOLDER)) } else { None };
        let listed = folder.and_then(|folder| list(&folder).ok());
        Self { files: listed.unwrap_or_default() }
    }

    /// The ladder for a column with these values.
    pub(super) fn take(&self, column: &str, values: &[String], policy_folder: &Path) -> Option<Volume> {
        let path = self.files.iter().find(|path| is_called(path, column))?;
        Some(Volume { file: named_from(path, policy_folder), ladder: ladder(path, values) })
    }
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_table = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let entries = fs::read_dir(folder)?.take(MOST_FILES).flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_table).collect();
    // Which of two that fit is taken must not depend on the file system.
    files.sort_unstable();
    Ok(files)
}

/// Whether a file is called like a column: all its words, or those after `hierarchy`.
fn is_called(path: &Path, column: &str) -> bool {
    let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { return false };
    let (stem, column) = (words(stem), words(column));
    let is_mark = |word: &String| word.starts_with("hierarch");
    let after = stem.iter().rposition(is_mark).and_then(|place| stem.get(place + 1..)).unwrap_or_default();
    !column.is_empty() && (stem.concat() == column.concat() || after.concat() == column.concat())
}

fn ladder(path: &Path, values: &[String]) -> Result<(Builder, u64), String> {
    let text = text_file::read(path).map_err(|_| "it cannot be read as text in UTF-8".to_owned())?;
    let file = HierarchyFile::parse(&text).map_err(|error| error.to_string())?;
    let fitted = file.fit(values).map_err(|error| match error {
        HierarchyError::Unlisted { count, .. } => format!("{count} value(s) of the column are not in it"),
        error => error.to_string(),
    })?;
    if !fitted.is_nested() {
        return Err("a level of it splits a label of the level below".to_owned());
    }
    Ok((Builder::File(file), fitted.height().into()))
}

/// A path as a policy in that folder names it: from there where it can be, otherwise in full.
fn named_from(path: &Path, policy_folder: &Path) -> String {
    let here = if policy_folder.as_os_str().is_empty() { Path::new(".") } else { policy_folder };
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (path, folder) = (full(path), full(here));
    path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_like_columns() {
        for (file, column) in [
            ("age.csv", "AGE"),
            ("adult_hierarchy_age.csv", "age"),
            ("adult_hierarchy_marital-status.csv", "marital-status"),
            ("Marital status.csv", "marital_status"),
            ("maritalStatus.csv", "MARITAL STATUS"),
            ("Größe.csv", "grosse"),
        ] {
            assert!(is_called(Path::new(file), column), "{file} {column}");
        }
        for (file, column) in [("age.csv", "stage"), ("hierarchy.csv", "…"), ("adult_age.csv", "age"), (".csv", "")] {
            assert!(!is_called(Path::new(file), column), "{file} {column}");
        }
    }

    #[test]
    fn what_does_not_fit_is_counted_not_quoted() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(FOLDER).join(name), text).unwrap();
        write("good.csv", "a;x;*\nb;x;*\n");
        write("short.csv", "a;x;*\n");
        write("torn.csv", "a;x;p\nb;x;q\n");
        write("ragged.csv", "a;x;*\nb\n");
        fs::write(folder.path().join(FOLDER).join("latin.csv"), b"\xe4;x\n").unwrap();
        let shelf = Shelf::beside(&folder.path().join("data.csv"));
        let values = ["a", "b"].map(String::from);
        let found = |column: &str| shelf.take(column, &values, folder.path()).unwrap();
        let good = found("good");
        assert_eq!((good.file.as_str(), good.ladder.unwrap().1), ("hierarchies/good.csv", 2));
        assert_eq!(found("short").ladder.unwrap_err(), "1 value(s) of the column are not in it");
        for column in ["torn", "ragged", "latin"] {
            let why = found(column).ladder.unwrap_err();
            assert!(!why.contains("`a`") && !why.contains("`b`"), "{why}");
        }
        assert!(shelf.take("other", &values, folder.path()).is_none());
        assert!(Shelf::beside(Path::new("s3://bucket/data.csv")).files.is_empty());
    }
}
