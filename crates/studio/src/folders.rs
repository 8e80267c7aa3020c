//! Which files may be read and made.
//!
//! Tables are opened, policies kept and releases written below the folder in which the studio was started; beyond it only the
//! table and the policy that were named at the start. `..` and links that lead out are refused. What browsers hand over lies in a
//! private folder that is removed when the studio ends.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use equanym_engine::error::{Error, Result};
use equanym_engine::write::list_leftover;
use tempfile::TempDir;

/// The most tables that are listed.
const MOST_LISTED: usize = 40;

/// How names of tables end.
const TABLES: [&str; 12] = [
    ".csv",
    ".tsv",
    ".csv.gz",
    ".csv.zst",
    ".tsv.gz",
    ".parquet",
    ".ndjson",
    ".jsonl",
    ".arrow",
    ".feather",
    ".xlsx",
    ".ndjson.gz",
];

/// The folders of a studio.
pub(crate) struct Folders {
    /// Where it was started.
    start: PathBuf,
    /// The table that was named at the start.
    named: Option<PathBuf>,
    private: Mutex<Option<TempDir>>,
    private_path: PathBuf,
    uploads: AtomicUsize,
}

impl Folders {
    pub(crate) fn new(start: Option<&Path>, named: Option<&Path>) -> Result<Self> {
        let start = start.map_or_else(std::env::current_dir, |folder| Ok(folder.to_owned()));
        let start = start.and_then(|folder| folder.canonicalize());
        let start =
            start.map_err(|error| Error::environment(format!("the folder cannot be entered: {}", error.kind())))?;
        let private = private_folder().map_err(|error| {
            Error::environment(format!("a folder for uploads cannot be made: {}", error.kind()))
                .hint("set TMPDIR to a folder that you may write to")
        })?;
        list_leftover(private.path(), None);
        // Links in the way to it are the system's.
        let private_path = private.path().canonicalize().unwrap_or_else(|_| private.path().to_owned());
        Ok(Self {
            start,
            named: named.map(Path::to_owned),
            private: Mutex::new(Some(private)),
            private_path,
            uploads: AtomicUsize::new(0),
        })
    }

    /// Where it was started.
    pub(crate) fn start(&self) -> &Path {
        &self.start
    }

    /// The folder of what is handed over.
    pub(crate) fn private(&self) -> &Path {
        &self.private_path
    }

    /// Removes what was handed over.
    pub(crate) fn remove(&self) {
        drop(self.private.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// A file or folder that is there and may be read.
    pub(crate) fn to_read(&self, text: &str) -> Result<PathBuf> {
        if self.named.as_deref() == Some(Path::new(text)) {
            return Ok(PathBuf::from(text));
        }
        let path = self.plain(text)?;
        let found = path
            .canonicalize()
            .map_err(|error| Error::input(format!("the table cannot be opened: {}", error.kind())))?;
        if found.starts_with(&self.start) { Ok(self.shortest(path)) } else { Err(outside()) }
    }

    /// A file or folder to make; the folder that it is in must be there.
    pub(crate) fn to_write(&self, text: &str) -> Result<PathBuf> {
        let path = self.plain(text)?;
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(outside()) };
        let parent = parent.canonicalize().map_err(|error| {
            Error::input(format!("the folder that it shall lie in cannot be entered: {}", error.kind()))
        })?;
        if !parent.starts_with(&self.start) {
            return Err(outside());
        }
        Ok(self.shortest(parent.join(name)))
    }

    /// A path below the folder of the start, without a step back.
    fn plain(&self, text: &str) -> Result<PathBuf> {
        let given = Path::new(text);
        let is_plain = |part: Component<'_>| {
            matches!(part, Component::Normal(_) | Component::RootDir | Component::CurDir | Component::Prefix(_))
        };
        if text.is_empty() || text.contains('\0') || text.contains("://") || !given.components().all(is_plain) {
            return Err(outside());
        }
        Ok(self.start.join(given))
    }

    /// A path as it is told: from the folder of the start where it lies below.
    fn shortest(&self, path: PathBuf) -> PathBuf {
        path.strip_prefix(&self.start)
            .map(Path::to_owned)
            .ok()
            .filter(|short| !short.as_os_str().is_empty())
            .unwrap_or(path)
    }

    /// A path to be opened, wherever the process is now.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        if path.to_string_lossy().contains("://") { path.to_owned() } else { self.start.join(path) }
    }

    /// The tables in the folder of the start.
    pub(crate) fn tables(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.start).into_iter().flatten().filter_map(std::result::Result::ok);
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        let mut tables: Vec<String> =
            names.filter(|name| TABLES.iter().any(|ending| name.to_lowercase().ends_with(ending))).collect();
        tables.sort_unstable();
        tables.truncate(MOST_LISTED);
        tables
    }

    /// A place for what is handed over under a name.
    pub(crate) fn upload(&self, name: &str) -> Result<PathBuf> {
        let number = self.uploads.fetch_add(1, Ordering::Relaxed);
        let folder = self.private_path.join(format!("upload-{number}"));
        fs::create_dir(&folder).map_err(|error| Error::disk(&error))?;
        Ok(folder.join(plain_name(name)))
    }

    /// Removes what was handed over to this place, if it is one.
    pub(crate) fn forget(&self, path: &Path) {
        let folder = path.parent().filter(|folder| folder.parent() == Some(self.private()));
        if let Some(folder) = folder {
            // What cannot be removed now is removed at the end.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// A name that is nothing but a name: letters, digits, points, dashes.
pub(crate) fn plain_name(name: &str) -> String {
    let is_plain = |character: &char| character.is_ascii_alphanumeric() || ['.', '-', '_'].contains(character);
    let tail: String = name.rsplit(['/', '\\']).next().unwrap_or_default().chars().filter(is_plain).collect();
    let tail = tail.trim_start_matches('.');
    let skipped = tail.len().saturating_sub(MOST_NAME);
    // ASCII: every place is between two characters.
    match tail.get(skipped..).unwrap_or_default() {
        "" => "table.csv".to_owned(),
        tail => tail.to_owned(),
    }
}

/// The most characters of a name.
const MOST_NAME: usize = 80;

fn outside() -> Error {
    Error::input("this path is not below the folder in which the studio was started")
        .hint("start the studio there, or hand the file over by dropping it on the page")
}

fn private_folder() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("equanym-studio-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_is_no_name() {
        assert_eq!(plain_name("../../etc/passwd"), "passwd");
        assert_eq!(plain_name("C:\\data\\My table.csv"), "Mytable.csv");
        assert_eq!(plain_name("..."), "table.csv");
        assert_eq!(plain_name(".hidden.csv"), "hidden.csv");
        assert_eq!(plain_name(&"é".repeat(10)), "table.csv");
        assert_eq!(plain_name(&format!("{}.csv", "a".repeat(200))).len(), MOST_NAME);
    }

    #[test]
    fn what_lies_outside_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("start");
        fs::create_dir(&folder).unwrap();
        fs::write(home.path().join("secret.csv"), "a\n1\n").unwrap();
        fs::write(folder.join("table.csv"), "a\n1\n").unwrap();
        let folders = Folders::new(Some(&folder), None).unwrap();
        assert_eq!(folders.to_read("table.csv").unwrap(), Path::new("table.csv"));
        assert_eq!(folders.tables(), ["table.csv"]);
        let secret = home.path().join("secret.csv");
        for outside in
            ["../secret.csv", "x/../../secret.csv", secret.to_str().unwrap(), "", "s3://bucket/x.csv", "a\0b"]
        {
            assert!(folders.to_read(outside).is_err(), "{outside:?}");
            assert!(folders.to_write(outside).is_err(), "{outside:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&secret, folder.join("link.csv")).unwrap();
            std::os::unix::fs::symlink(home.path(), folder.join("out")).unwrap();
            assert!(folders.to_read("link.csv").is_err() && folders.to_read("out/secret.csv").is_err());
            assert!(folders.to_write("out/release").is_err());
            assert!(!folders.tables().contains(&"link.csv".to_owned()));
        }
        assert_eq!(folders.to_write("release").unwrap(), Path::new("release"));
        let private = folders.private().to_owned();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&private).unwrap().permissions().mode() & 0o777, 0o700);
        }
        let upload = folders.upload("t.csv").unwrap();
        fs::write(&upload, "a").unwrap();
        folders.forget(&folder.join("table.csv"));
        folders.forget(&upload);
        assert!(!upload.parent().unwrap().exists() && folder.join("table.csv").exists());
        fs::write(folders.upload("t.csv").unwrap(), "a").unwrap();
        folders.remove();
        assert!(!private.exists());
    }
}
