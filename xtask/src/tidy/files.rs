//! The files of the repository and what kind each is.

use std::io;
use std::path::Path;

/// A file with its path from the root of the repository, parted by `/`.
pub struct File {
    pub path: String,
    pub bytes: Vec<u8>,
}

impl File {
    /// The text, unless the file is binary.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|text| !text.contains('\0'))
    }

    /// What follows the last dot of the name.
    pub fn extension(&self) -> &str {
        self.name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit_once('/').map_or(&self.path, |(_, name)| name)
    }

    /// Whether this is Rust that goes into the program: `crates/*/src/**.rs`.
    pub fn is_product(&self) -> bool {
        let mut parts = self.path.split('/');
        self.extension() == "rs" && parts.next() == Some("crates") && parts.nth(1) == Some("src")
    }
}

/// Reads all files under the root, except those that Git keeps for itself or ignores.
pub fn read(root: &Path) -> io::Result<Vec<File>> {
    let mut ignored = vec![".git".to_owned()];
    let list = std::fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
    ignored.extend(
        list.lines().filter_map(|line| line.trim().strip_prefix('/')).map(|name| name.trim_end_matches('/').to_owned()),
    );
    let mut files = Vec::new();
    walk(root, "", &ignored, &mut files)?;
    Ok(files)
}

fn walk(root: &Path, folder: &str, ignored: &[String], files: &mut Vec<File>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if ignored.contains(&path) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            walk(root, &path, ignored, files)?;
        } else {
            files.push(File { bytes: std::fs::read(entry.path())?, path });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> File {
        File { path: path.to_owned(), bytes: Vec::new() }
    }

    #[test]
    fn paths_tell_what_a_file_is() {
        assert!(file("crates/core/src/loss/mod.rs").is_product());
        for other in ["crates/core/tests/a.rs", "xtask/src/main.rs", "crates/core/src/a.md", "src/crates/src/a.rs"] {
            assert!(!file(other).is_product(), "{other}");
        }
        assert_eq!((file("a/b.tar.gz").extension(), file("a/b.tar.gz").name()), ("gz", "b.tar.gz"));
        assert_eq!((file("LICENSE").extension(), file("LICENSE").name()), ("", "LICENSE"));
    }

    #[test]
    fn binary_files_have_no_text() {
        let text = |bytes: &[u8]| File { path: String::new(), bytes: bytes.to_vec() }.text().map(str::to_owned);
        assert_eq!(text(b"abc"), Some("abc".to_owned()));
        assert_eq!(text(b"a\0c"), None);
        assert_eq!(text(&[0xff, 0xfe]), None);
    }
}
