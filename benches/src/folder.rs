//! A folder for what a benchmark makes; it goes with its owner.

use std::path::PathBuf;

use crate::failure::Result;

/// A new folder of this process.
pub struct Folder(pub PathBuf);

impl Folder {
    /// One for this purpose.
    pub fn new(purpose: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("equanym-{purpose}-{}", std::process::id()));
        std::fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system that keeps temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
