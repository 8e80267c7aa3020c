//! What must go when this process dies without a chance to tidy up.
//!
//! Where memory fails, or a limit of the system is reached, a process ends there and then. Whoever expects that runs it as a child
//! and gives it a file for a list. The child lists a folder before it makes it; when the child is gone, the parent removes what is
//! listed. What has a lock stays where another run holds it.
//!
//! Limit: nothing is taken off the list. What has no lock must have a name that nobody takes again.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

static LIST: OnceLock<File> = OnceLock::new();

/// From now on what must go is listed in this file.
pub fn keep_leftovers_in(file: File) {
    // One process has one parent: there is no second file.
    let _ = LIST.set(file);
}

/// Lists a folder or file that must go, with its lock if it has one.
pub fn list_leftover(path: &Path, lock: Option<&Path>) {
    let Some(mut file) = LIST.get() else { return };
    let lock = lock.map_or(&[][..], |lock| lock.as_os_str().as_encoded_bytes());
    let line = [path.as_os_str().as_encoded_bytes(), b"\0", lock, b"\0"].concat();
    // Without it the next run to the same target cleans up.
    let _ = file.write_all(&line);
}

/// Removes what a process listed that is gone.
#[cfg(unix)]
pub fn remove_leftovers(list: &[u8]) {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let mut paths = list.split(|byte| *byte == 0).map(|path| Path::new(OsStr::from_bytes(path)));
    while let (Some(path), Some(lock)) = (paths.next(), paths.next()) {
        let held = super::lock::left(lock);
        if held.is_some() || lock.as_os_str().is_empty() {
            let _ = fs::remove_dir_all(path).or_else(|_| fs::remove_file(path));
            let _ = fs::remove_file(lock);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_others_hold_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let mut list = Vec::new();
        let mut prepare = |name: &str, lock: &str| {
            fs::create_dir(place(name)).unwrap();
            fs::write(place(name).join("file"), "x").unwrap();
            let lock = if lock.is_empty() { Vec::new() } else { place(lock).into_os_string().into_encoded_bytes() };
            list.extend([place(name).into_os_string().into_encoded_bytes(), lock].join(&0));
            list.push(0);
        };
        prepare("dead", "dead.lock");
        prepare("alive", "alive.lock");
        prepare("committed", "no.lock");
        prepare("alone", "");
        File::create(place("dead.lock")).unwrap();
        let alive = File::create(place("alive.lock")).unwrap();
        alive.lock().unwrap();
        remove_leftovers(&list);
        remove_leftovers(b"");
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["alive", "alive.lock", "committed"]);
    }
}
