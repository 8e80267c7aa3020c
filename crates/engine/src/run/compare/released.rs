//! Where the released table is, and what is known about it besides.

use std::fs;
use std::path::{Path, PathBuf};

use equanym_core::mask::ColumnMask;
use equanym_core::variable::Role;

use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::read::{Data, MemoryTable, Reading, Source, text_file};
use crate::run::in_memory::ReleaseInMemory;
use crate::write::manifest::reading_of;

/// A table after it was released.
#[derive(Debug, Clone, Copy)]
pub enum AfterTable<'a> {
    /// The folder of a release, its `public` folder, or a table.
    At(&'a Path),
    /// A release in memory.
    Release(&'a ReleaseInMemory),
    /// A table in memory.
    Table(&'a MemoryTable),
}

impl<'a> From<&'a Path> for AfterTable<'a> {
    fn from(path: &'a Path) -> Self {
        Self::At(path)
    }
}

/// Where the records are.
enum Place {
    At(PathBuf),
    Memory(MemoryTable),
}

/// A release as `compare` finds it.
pub(in crate::run) struct ReleasedTable {
    place: Place,
    /// The claimed order; nothing where there is no manifest.
    pub order: Option<String>,
    /// How it is read.
    pub reading: Reading,
    /// What the owner's mask says about the columns; nothing where it is not beside the release.
    pub masked: Vec<ColumnMask>,
    /// The released columns with their roles, and whether their cells were neither treated nor given new values; nothing where
    /// there is no manifest.
    pub roles: Option<Vec<(String, Role, bool)>>,
}

impl ReleasedTable {
    /// Finds the released table.
    pub(in crate::run) fn find(after: AfterTable<'_>) -> Result<Self> {
        match after {
            AfterTable::At(path) => Self::at(path),
            AfterTable::Release(release) => {
                let (table, reading) = release.table()?;
                let manifest = serde_json::to_value(&release.released.manifest).ok();
                let order = manifest.as_ref().and_then(|manifest| claim(manifest, "order"));
                let masked = release.released.mask.columns.clone();
                let roles = manifest.as_ref().and_then(roles);
                Ok(Self { place: Place::Memory(table), order, reading, masked, roles })
            }
            AfterTable::Table(table) => Ok(Self::plain(Place::Memory(table.clone()))),
        }
    }

    /// Opens it.
    pub(in crate::run) fn open(&self) -> Result<Source> {
        let data = match &self.place {
            Place::At(path) => Data::At(path),
            Place::Memory(table) => Data::Memory(table),
        };
        data.open(&self.reading)
    }

    /// A table of which nothing else is known.
    fn plain(place: Place) -> Self {
        Self { place, order: None, reading: Reading::default(), masked: Vec::new(), roles: None }
    }

    /// Finds the table of a release folder; anything else is a table itself.
    fn at(path: &Path) -> Result<Self> {
        let folders = [path.join("public"), path.to_path_buf()];
        let Some(folder) = folders.iter().find(|folder| folder.join("manifest.json").is_file()) else {
            return Ok(Self::plain(Place::At(path.to_path_buf())));
        };
        let broken = || Error::input("the manifest of the release cannot be read").hint("`equanym audit` tells more");
        let manifest = fs::read(folder.join("manifest.json")).map_err(|_| broken())?;
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).map_err(|_| broken())?;
        let file = claim(&manifest, "file")
            .filter(|file| matches!(file.as_str(), "data.csv" | "data.parquet"))
            .ok_or_else(broken)?;
        let reading = reading_of(&manifest).ok_or_else(broken)?;
        Ok(Self {
            place: Place::At(folder.join(file)),
            order: claim(&manifest, "order"),
            reading,
            masked: masked(folder)?,
            roles: roles(&manifest),
        })
    }
}

/// What a manifest says of its data.
fn claim(manifest: &serde_json::Value, key: &str) -> Option<String> {
    manifest.get("data")?.get(key)?.as_str().map(str::to_owned)
}

/// The columns of a manifest with their roles, and whether their cells are neither treated nor new.
fn roles(manifest: &serde_json::Value) -> Option<Vec<(String, Role, bool)>> {
    let role = |column: &serde_json::Value| {
        let is_plain = ["treatments", "new_values"].iter().all(|key| column.get(key).is_none());
        let role = Role::ALL
            .into_iter()
            .find(|role| column.get("role").and_then(|given| given.as_str()) == Some(role.name()))?;
        Some((column.get("name")?.as_str()?.to_owned(), role, is_plain))
    };
    manifest.get("columns")?.as_array()?.iter().map(role).collect()
}

/// The columns of the mask that lies beside a public folder.
fn masked(public: &Path) -> Result<Vec<ColumnMask>> {
    let mask = public.parent().map(|folder| folder.join("private").join("mask.json"));
    match mask.filter(|mask| mask.is_file()) {
        Some(mask) => Ok(StoredMask::from_json(&text_file::read(&mask)?)?.mask.columns),
        None => Ok(Vec::new()),
    }
}
