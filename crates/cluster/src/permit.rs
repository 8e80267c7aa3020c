//! What an executor may read.
//!
//! Whoever is let in can name any file. An executor reads below the folders that it was given, after links were followed,
//! and from addresses that begin with one that it was given; nothing else. Each file of a folder is looked at when it is
//! opened, and it is the place found that is opened.
//!
//! Limit: who may write to these folders can put another folder in the place of one between the look and the opening.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use equanym_engine::error::{Error, Result};
use equanym_engine::read::{Gate, address};

/// What an executor may read, and how much memory a part of its work may use.
#[derive(Debug, Clone)]
pub(crate) struct Permit {
    folders: Vec<PathBuf>,
    addresses: Vec<String>,
    /// Bytes in which the keys of a part are counted.
    pub(crate) room: usize,
}

impl Permit {
    /// What lies below these folders and addresses.
    pub(crate) fn new(given: &[PathBuf], room: usize) -> Result<Self> {
        let (mut folders, mut addresses) = (Vec::new(), Vec::new());
        for place in given {
            if let Some(address) = address::parse(place)? {
                addresses.push(address.text().to_owned());
            } else {
                let folder = place.canonicalize().map_err(|error| {
                    Error::input(format!("{:?}: {}", place.to_string_lossy(), error.kind()))
                        .hint("--data names a folder that exists, or the beginning of an address")
                })?;
                folders.push(folder);
            }
        }
        Ok(Self { folders, addresses, room })
    }

    /// Whether this may be read.
    pub(crate) fn check(&self, data: &Path) -> Result<()> {
        let Some(address) = address::parse(data).map_err(|_| unreadable())? else {
            return self.resolve(data).map(|_| ());
        };
        // Ways up are resolved, however they are written; what is left must not merely begin alike.
        let is_below =
            |start: &String| address.text().strip_prefix(start.as_str()).is_some_and(|rest| is_rest(start, rest));
        if self.addresses.iter().any(is_below) { Ok(()) } else { Err(unreadable()) }
    }

    /// Where a path leads, links followed, if that may be read.
    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        let found = path.canonicalize().map_err(|_| unreadable())?;
        if self.folders.iter().any(|folder| found.starts_with(folder)) { Ok(found) } else { Err(unreadable()) }
    }

    /// Asks this permit about each file that is opened: one in a folder may be a link.
    #[must_use]
    pub(crate) fn gate(&self) -> Gate {
        let permit = self.clone();
        Arc::new(move |path| permit.resolve(path))
    }
}

fn is_rest(start: &str, rest: &str) -> bool {
    rest.is_empty() || start.ends_with('/') || rest.starts_with('/')
}

/// The same for what is not there and what may not be read: who asks learns nothing of other folders.
fn unreadable() -> Error {
    Error::input("an executor does not find the table among what it may read")
        .hint("every executor needs the table at the same address, and `--data` with a folder that holds it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use equanym_engine::read::{Reading, open_in_parts};

    #[test]
    fn only_what_lies_below_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("in-no"));
        for one in [&inside, &outside] {
            std::fs::create_dir(one).unwrap();
            std::fs::write(one.join("a.csv"), "x\n").unwrap();
        }
        let permit = Permit::new(&[inside.clone(), "s3://bucket/data".into()], 1).unwrap();
        let may = |path: &Path| permit.check(path).is_ok();
        assert!(may(&inside.join("a.csv")) && may(&inside));
        assert!(!may(&outside.join("a.csv")) && !may(&inside.join("../in-no/a.csv")) && !may(&inside.join("b.csv")));
        assert!(may(Path::new("s3://bucket/data/a.csv")) && may(Path::new("s3://bucket/data")));
        for other in [
            "s3://bucket/database.csv",
            "s3://bucket/data/../x.csv",
            "s3://bucket/data/%2e%2E/x.csv",
            "s3://bucket/data/.\t./x.csv",
            "s3://bucket/data\\..\\x.csv",
            "s3://me@bucket/data/a.csv",
            "s3://other/data/a.csv",
            "/etc/passwd",
        ] {
            assert!(!may(Path::new(other)), "{other}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.join("a.csv"), inside.join("link.csv")).unwrap();
            assert!(!may(&inside.join("link.csv")));
            // The folder may be read, and still not all that is in it.
            let open = || open_in_parts(&inside, &Reading::default(), 4, Some(&permit.gate()));
            assert_eq!(open().unwrap_err(), unreadable());
            std::fs::remove_file(inside.join("link.csv")).unwrap();
            let source = open().unwrap();
            std::fs::remove_file(inside.join("a.csv")).unwrap();
            std::os::unix::fs::symlink(outside.join("a.csv"), inside.join("a.csv")).unwrap();
            assert_eq!(source.read(0, &[0]).err(), Some(unreadable()));
        }
        assert!(Permit::new(&[folder.path().join("none")], 1).is_err());
    }
}
