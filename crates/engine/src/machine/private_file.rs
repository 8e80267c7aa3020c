//! Files that only their owner may read: keys and secrets.
//!
//! They are made so, never widened later, and nothing that exists is overwritten. A file that others may read, or that
//! somebody else owns, is refused: who can write it chose what is in it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// The most bytes of a key, a certificate or a secret.
const MOST: u64 = 1 << 20;

/// Reads a file of a limited size.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let failed = |error: io::Error| Error::input(format!("{}: {}", shown(path), error.kind()));
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(MOST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST {
        return Err(Error::input(format!("{}: too large for a key, a certificate or a secret", shown(path))));
    }
    Ok(bytes)
}

/// Reads a file that nobody else may read.
pub fn read_private(path: &Path) -> Result<Vec<u8>> {
    check_owner(path)?;
    read(path)
}

/// Writes a new file; a private one is its owner's alone from the beginning.
pub fn write_new(path: &Path, bytes: &[u8], is_private: bool) -> Result<()> {
    let written = create_new(path, is_private).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::input(format!("{}: exists already and is never overwritten", shown(path)))
                .hint("move it away, or name another folder")
        }
        kind => Error::environment(format!("{}: {kind}", shown(path))),
    })
}

#[cfg(unix)]
fn create_new(path: &Path, is_private: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mode = if is_private { 0o600 } else { 0o644 };
    fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

#[cfg(not(unix))]
fn create_new(path: &Path, _: bool) -> io::Result<File> {
    File::create_new(path)
}

#[cfg(unix)]
fn check_owner(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let kind = fs::metadata(path).map_err(|error| Error::input(format!("{}: {}", shown(path), error.kind())))?;
    if kind.mode() & 0o077 != 0 {
        return Err(Error::input(format!("{}: others may read this file", shown(path)))
            .hint("chmod 600, and make a new one if others could read it"));
    }
    // Where the system does not say who we are, the mode has to do.
    let owner = fs::metadata("/proc/self").map(|own| own.uid());
    if owner.is_ok_and(|owner| owner != kind.uid()) {
        return Err(Error::input(format!("{}: somebody else owns this file", shown(path))));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_owner(_: &Path) -> Result<()> {
    Ok(())
}

/// A path as messages show it.
#[must_use]
pub fn shown(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_files_are_private_and_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        write_new(&path, b"one", true).unwrap();
        assert_eq!(write_new(&path, b"two", true).unwrap_err().exit_code(), 2);
        assert_eq!(read_private(&path).unwrap(), b"one");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            assert!(read_private(&path).unwrap_err().to_string().contains("others may read"));
        }
    }

    #[test]
    fn large_files_are_no_keys() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        File::create(&path).unwrap().set_len(MOST + 1).unwrap();
        assert!(read(&path).is_err());
    }
}
