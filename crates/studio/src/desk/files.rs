//! Hierarchy files that a policy names, and the policy file itself.
//!
//! Files that the first policy names, or the draft found beside the data, are read as the command line would. Others must lie
//! below the folder of the start. What was handed over as a file lies in the private folder under the name that the policy uses,
//! and is put beside the policy when that is kept, and so is the made-up hospital: the command that is shown works without the studio. No file is overwritten but the policy that the studio itself read or wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use equanym_engine::error::{Error, Result};
use equanym_engine::policy::Policy;
use equanym_engine::read::text_file;
use equanym_engine::write::list_leftover;

use super::history::Version;
use crate::folders::{Folders, plain_name};

/// The folder of files that were handed over, beside a policy.
const BESIDE: &str = "hierarchies";

/// Where the files of a policy are.
#[derive(Debug, Clone)]
pub(crate) struct PolicyFiles {
    /// The folder in which the policy lies, or will.
    pub(crate) folder: PathBuf,
    /// Files that were handed over, by the names that the policy uses.
    private: PathBuf,
    /// The folder of the start.
    start: PathBuf,
    /// Names that the first policy uses.
    trusted: BTreeSet<String>,
    /// A table of the studio's own, by the name that it gets beside the policy, and where it lies.
    pub(crate) table: Option<(String, PathBuf)>,
}

impl PolicyFiles {
    pub(crate) fn new(folders: &Folders, folder: PathBuf, private: PathBuf) -> Self {
        Self { folder, private, start: folders.start().to_owned(), trusted: BTreeSet::new(), table: None }
    }

    /// Reads the first policy: whatever it names is trusted.
    pub(crate) fn first(&mut self, text: String) -> Result<Version> {
        let named = std::cell::RefCell::new(BTreeSet::new());
        let policy = Policy::parse(&text, &|name| {
            named.borrow_mut().insert(name.to_owned());
            self.own(name).unwrap_or_else(|| text_file::read(&self.folder.join(name)))
        })?;
        self.trusted = named.into_inner();
        let policy = Policy { folder: self.folder.clone(), ..policy };
        self.trusted.extend(policy.population().map(|path| path.to_string_lossy().into_owned()));
        Ok(Version { text, policy })
    }

    /// Reads a policy.
    pub(crate) fn parse(&self, text: String) -> Result<Version> {
        let policy = Policy::parse(&text, &|name| self.read(name))?;
        let policy = Policy { folder: self.folder.clone(), ..policy };
        match policy.population() {
            Some(path) if !self.trusted.contains(path.to_string_lossy().as_ref()) && !self.is_inside(&path) => {
                Err(Error::input("the population is not below the folder in which the studio was started")
                    .hint("start the studio with a policy that names it, or in a folder above it"))
            }
            _ => Ok(Version { text, policy }),
        }
    }

    /// Whether a file lies below the folder in which the studio was started.
    fn is_inside(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|found| found.starts_with(&self.start))
    }

    /// A file that was handed over.
    fn own(&self, name: &str) -> Option<Result<String>> {
        let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let path = self.private.join(name);
        (is_plain && path.is_file()).then(|| text_file::read(&path))
    }

    pub(crate) fn read(&self, name: &str) -> Result<String> {
        if let Some(own) = self.own(name) {
            return own;
        }
        let path = self.folder.join(name);
        if self.trusted.contains(name) || self.is_inside(&path) {
            return text_file::read(&path);
        }
        Err(Error::input("a hierarchy file is not below the folder in which the studio was started")
            .hint("hand it over on the page of its column"))
    }

    /// Takes a file that was handed over; gives the name for the policy.
    pub(crate) fn take(&self, name: &str, bytes: &[u8]) -> Result<String> {
        let stem = plain_name(name);
        let stem = stem.strip_suffix(".csv").unwrap_or(&stem).to_owned();
        let names = std::iter::once(format!("{BESIDE}/{stem}.csv"));
        let mut names = names.chain((2..1000).map(|number| format!("{BESIDE}/{stem}-{number}.csv")));
        let is_free = |name: &String| !self.private.join(name).exists() && !self.folder.join(name).exists();
        let name = names.find(is_free).ok_or_else(Error::internal)?;
        fs::create_dir_all(self.private.join(BESIDE)).map_err(|error| Error::disk(&error))?;
        fs::write(self.private.join(&name), bytes).map_err(|error| Error::disk(&error))?;
        Ok(name)
    }

    /// Keeps a policy, and beside it the files that were handed over; `known` is what the studio knows to lie there.
    pub(crate) fn keep(&self, path: &Path, text: &str, known: Option<&str>) -> Result<()> {
        let lies_there = fs::read_to_string(path).ok();
        if path.symlink_metadata().is_ok()
            && lies_there.is_none_or(|there| there != text && Some(there.as_str()) != known)
        {
            return Err(Error::input("the policy file was changed by somebody else meanwhile")
                .hint("keep it under another name"));
        }
        for (name, content) in self.handed_over()? {
            self.put_beside(&name, &content)?;
        }
        put(path, text.as_bytes())
    }

    /// Puts a file beside the policy, unless it lies there.
    fn put_beside(&self, name: &str, content: &[u8]) -> Result<()> {
        let beside = self.folder.join(name);
        match fs::read(&beside) {
            Ok(there) if there == content => return Ok(()),
            Err(_) if beside.symlink_metadata().is_err() => {}
            _ => {
                return Err(Error::input(format!("{name} lies beside the policy already and is another file"))
                    .hint("move it, or keep the policy elsewhere"));
            }
        }
        if let Some(folder) = beside.parent() {
            fs::create_dir_all(folder).map_err(|error| Error::disk(&error))?;
            self.refuse_elsewhere(folder)?;
        }
        put(&beside, content)
    }

    /// Refuses a folder beside the policy that is a link to somewhere else.
    fn refuse_elsewhere(&self, folder: &Path) -> Result<()> {
        let [folder, here] = [folder, &self.folder].map(Path::canonicalize);
        match (folder, here) {
            (Ok(folder), Ok(here)) if folder.starts_with(&here) => Ok(()),
            _ => Err(Error::input(format!("the folder {BESIDE} beside the policy is a link that leads out"))
                .hint("put a folder of that name in its place")),
        }
    }

    fn handed_over(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.private.join(BESIDE)).into_iter().flatten().filter_map(std::result::Result::ok) {
            let name = format!("{BESIDE}/{}", entry.file_name().to_string_lossy());
            found.push((name, fs::read(entry.path()).map_err(|error| Error::disk(&error))?));
        }
        found.sort();
        if let Some((name, path)) = &self.table {
            found.push((name.clone(), fs::read(path).map_err(|error| Error::disk(&error))?));
        }
        Ok(found)
    }
}

/// Puts a file in its place in one step: whoever ends the studio meanwhile leaves no half of it.
fn put(path: &Path, content: &[u8]) -> Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))
        .map_err(|error| Error::disk(&error))?;
    list_leftover(file.path(), None);
    std::io::Write::write_all(&mut file, content).map_err(|error| Error::disk(&error))?;
    file.persist(path).map_err(|error| Error::disk(&error.error))?;
    Ok(())
}
