//! Where the released table is, and what is known about it besides.

use std::fs;
use std::path::{Path, PathBuf};

use equanym_core::mask::ColumnMask;

use crate::error::{Error, Result};
use crate::read::{Reading, text_file};
use crate::write::manifest::reading_of;
use crate::write::mask_file::StoredMask;

/// A release as `compare` finds it.
pub(super) struct ReleasedTable {
    pub data: PathBuf,
    /// The claimed order; nothing where there is no manifest.
    pub order: Option<String>,
    /// How it is read.
    pub reading: Reading,
    /// What the owner's mask says about the columns; nothing where it is not beside the release.
    pub masked: Vec<ColumnMask>,
}

impl ReleasedTable {
    /// Finds the table of a release folder; anything else is a table itself.
    pub(super) fn find(path: &Path) -> Result<Self> {
        let folders = [path.join("public"), path.to_path_buf()];
        let Some(folder) = folders.iter().find(|folder| folder.join("manifest.json").is_file()) else {
            return Ok(Self { data: path.to_path_buf(), order: None, reading: Reading::default(), masked: Vec::new() });
        };
        let broken = || Error::input("the manifest of the release cannot be read").hint("`equanym audit` tells more");
        let manifest = fs::read(folder.join("manifest.json")).map_err(|_| broken())?;
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).map_err(|_| broken())?;
        let claim = |key: &str| manifest.get("data")?.get(key)?.as_str().map(str::to_owned);
        let file =
            claim("file").filter(|file| matches!(file.as_str(), "data.csv" | "data.parquet")).ok_or_else(broken)?;
        let reading = reading_of(&manifest).ok_or_else(broken)?;
        Ok(Self { data: folder.join(file), order: claim("order"), reading, masked: masked(folder)? })
    }
}

/// The columns of the mask that lies beside a public folder.
fn masked(public: &Path) -> Result<Vec<ColumnMask>> {
    let mask = public.parent().map(|folder| folder.join("private").join("mask.json"));
    match mask.filter(|mask| mask.is_file()) {
        Some(mask) => Ok(StoredMask::from_json(&text_file::read(&mask)?)?.mask.columns),
        None => Ok(Vec::new()),
    }
}
