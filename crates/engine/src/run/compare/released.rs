//! Where the released table is, and what is known about it besides.

use std::fs;
use std::path::{Path, PathBuf};

use equanym_core::card::Parameters;
use equanym_core::mask::ColumnMask;
use equanym_core::risk::linkage::Linkage;
use equanym_core::utility;
use equanym_core::variable::Role;

use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::policy::Policy;
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
    /// The released columns; nothing where there is no manifest.
    pub columns: Option<Vec<ColumnFate>>,
    /// The parameters of the method that made it; empty where there is no manifest.
    method: Parameters,
    /// What was found again of new values when they were made, where the owner's report is beside the release.
    pub linkage: Option<Linkage>,
}

/// A released column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::run) struct ColumnFate {
    pub name: String,
    pub role: Role,
    pub cells: CellFate,
}

/// What became of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::run) enum CellFate {
    /// They are labels, or as collected.
    Labels,
    /// They were treated.
    Treated,
    /// They have new values.
    New,
}

impl ReleasedTable {
    /// Finds the released table.
    pub(in crate::run) fn find(after: AfterTable<'_>) -> Result<Self> {
        match after {
            AfterTable::At(path) => Self::at(path),
            AfterTable::Release(release) => {
                let (table, reading) = release.table()?;
                let manifest = serde_json::to_value(&release.released.manifest).ok();
                let masked = release.released.mask.columns.clone();
                let linkage = release.released.report.new_values.as_ref().map(|found| found.linkage.clone());
                let own = Self { reading, masked, linkage, ..Self::plain(Place::Memory(table)) };
                Ok(match manifest {
                    Some(manifest) => own.claimed(&manifest),
                    None => own,
                })
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
        let (reading, masked, method) = (Reading::default(), Vec::new(), Parameters::new());
        Self { place, order: None, reading, masked, columns: None, method, linkage: None }
    }

    /// The same with what its manifest says of it.
    fn claimed(self, manifest: &serde_json::Value) -> Self {
        let method = manifest.get("parameters").and_then(|given| serde_json::from_value(given.clone()).ok());
        let (order, columns) = (claim(manifest, "order"), columns(manifest));
        Self { order, columns, method: method.unwrap_or_default(), ..self }
    }

    /// The columns whose labels make classes: what somebody may know of people, but for new values. Empty where neither the manifest nor
    /// the policy says which they are.
    pub(super) fn labelled(&self, policy: Option<&Policy>) -> Vec<String> {
        let of_manifest = |columns: &Vec<ColumnFate>| {
            let labelled =
                columns.iter().filter(|one| one.role == Role::QuasiIdentifying && one.cells != CellFate::New);
            labelled.map(|one| one.name.clone()).collect()
        };
        let of_policy = |policy: &Policy| {
            let labelled = policy.of_role(Role::QuasiIdentifying).filter(|one| one.marked.is_none());
            labelled.map(|one| one.name.clone()).collect()
        };
        self.columns.as_ref().map(of_manifest).or_else(|| policy.map(of_policy)).unwrap_or_default()
    }

    /// The parameters of metrics: what is asked, else as the release was made.
    pub(in crate::run) fn parameters(&self, asked: &Parameters, policy: Option<&Policy>) -> Parameters {
        let of_policy = || policy.map(|policy| policy.method.parameters.clone()).unwrap_or_default();
        let made = if self.method.is_empty() { of_policy() } else { self.method.clone() };
        let mut known: Parameters = utility::ALL.iter().flat_map(|member| member.own(&made)).collect();
        known.extend(asked.clone());
        known
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
        let own = Self {
            reading,
            masked: masked(folder)?,
            linkage: linkage(folder),
            ..Self::plain(Place::At(folder.join(file)))
        };
        Ok(own.claimed(&manifest))
    }
}

/// What a manifest says of its data.
fn claim(manifest: &serde_json::Value, key: &str) -> Option<String> {
    manifest.get("data")?.get(key)?.as_str().map(str::to_owned)
}

/// The columns of a manifest.
fn columns(manifest: &serde_json::Value) -> Option<Vec<ColumnFate>> {
    let column = |column: &serde_json::Value| {
        let has = |key: &str| column.get(key).is_some();
        let cells = match (has("new_values"), has("treatments")) {
            (true, _) => CellFate::New,
            (false, true) => CellFate::Treated,
            (false, false) => CellFate::Labels,
        };
        let given = column.get("role").and_then(|given| given.as_str());
        let role = Role::ALL.into_iter().find(|role| given == Some(role.name()))?;
        Some(ColumnFate { name: column.get("name")?.as_str()?.to_owned(), role, cells })
    };
    manifest.get("columns")?.as_array()?.iter().map(column).collect()
}

/// What the owner's report beside a public folder says of new values; nothing where it cannot be read.
fn linkage(public: &Path) -> Option<Linkage> {
    let report = fs::read(public.parent()?.join("private").join("report.json")).ok()?;
    let report: serde_json::Value = serde_json::from_slice(&report).ok()?;
    serde_json::from_value(report.get("new_values")?.get("linkage")?.clone()).ok()
}

/// The columns of the mask that lies beside a public folder.
fn masked(public: &Path) -> Result<Vec<ColumnMask>> {
    let mask = public.parent().map(|folder| folder.join("private").join("mask.json"));
    match mask.filter(|mask| mask.is_file()) {
        Some(mask) => Ok(StoredMask::from_json(&text_file::read(&mask)?)?.mask.columns),
        None => Ok(Vec::new()),
    }
}
