//! Where a release goes: a folder, or a table of a database with or without one.
//!
//! Whatever it is, the release is first written to a folder in the making, and audited there. A database then gets the
//! audited records in one transaction, which ends after the folder, if one is wanted, is in place. If the server refuses
//! to end it, the folder goes again. If its answer is lost, the folder stays: the table may be there.

use std::path::{Path, PathBuf};

#[cfg(not(feature = "postgres"))]
use std::convert::Infallible as Database;

use super::files::{MemoryFiles, ReleaseFiles};
#[cfg(feature = "postgres")]
use super::postgres::CommitFailure;
#[cfg(feature = "postgres")]
use super::postgres::NewTable as Database;
use super::staging::Staging;
use crate::error::{Error, Result};
use crate::policy::{Format, Output, Types};
use crate::read::address::{self, Address};

/// Where a release goes.
pub(crate) struct Destination {
    /// Its files in the making.
    pub files: ReleaseFiles,
    database: Option<Database>,
    /// The `public` folders of earlier releases that it must not add up with.
    pub against: Vec<PathBuf>,
}

impl Destination {
    /// Prepares the output: a path, or the address of a table that does not exist yet. With an address, `folder` is where
    /// manifest, reports and mask go; without it they are not kept.
    pub(crate) fn open(out: &Path, folder: Option<&Path>, input: &Path) -> Result<Self> {
        match (address::parse(out)?, folder) {
            (None, None) => Ok(Self::new(ReleaseFiles::Folder(Staging::open(out, input)?))),
            (None, Some(_)) => Err(Error::input("a second folder is for releases that go to a database")
                .hint("name one folder with --out, or a database with --out and the folder with --folder")),
            (Some(address), folder) => Self::at(address, folder, input),
        }
    }

    /// The same, for a release that must not add up with these earlier ones.
    pub(crate) fn beside(self, against: &[PathBuf]) -> Self {
        Self { against: against.to_vec(), ..self }
    }

    /// The memory that holds these files.
    pub(crate) fn in_memory(files: &MemoryFiles) -> Self {
        Self::new(ReleaseFiles::Memory(files.clone()))
    }

    fn new(files: ReleaseFiles) -> Self {
        Self { files, database: None, against: Vec::new() }
    }

    #[cfg(feature = "postgres")]
    fn at(address: Address, folder: Option<&Path>, input: &Path) -> Result<Self> {
        if !crate::read::server::is_server(&address) {
            return Err(address.unknown());
        }
        let database = super::postgres::NewTable::open(address)?;
        let staging = match folder {
            Some(folder) => Staging::open(folder, input)?,
            None => Staging::temporary(&database.label())?,
        };
        Ok(Self { database: Some(database), ..Self::new(ReleaseFiles::Folder(staging)) })
    }

    #[cfg(not(feature = "postgres"))]
    fn at(address: Address, _: Option<&Path>, _: &Path) -> Result<Self> {
        Err(address.unknown())
    }

    /// How the folder's table is written: one for a database has no guards against spreadsheets.
    #[must_use]
    pub(crate) fn output(&self, output: Output) -> Output {
        if self.database.is_some() { Output { format: Format::Parquet, types: Types::Text, ..output } } else { output }
    }

    /// Puts everything in place, or nothing.
    #[cfg(feature = "postgres")]
    pub(crate) fn commit(self) -> Result<()> {
        let Some(mut database) = self.database else { return self.files.commit() };
        let ReleaseFiles::Folder(staging) = self.files else { return Err(Error::internal()) };
        database.load(&staging.public().join(super::file_name(Format::Parquet)))?;
        let folder = (!staging.is_temporary()).then(|| staging.target().to_path_buf());
        if folder.is_some() {
            staging.commit()?;
        }
        database.commit().map_err(|uncommitted| match (uncommitted, folder) {
            (CommitFailure::Refused(error), Some(folder)) => {
                drop(std::fs::remove_dir_all(folder));
                error
            }
            (CommitFailure::Refused(error) | CommitFailure::Unknown(error), _) => error,
        })
    }

    /// Puts everything in place, or nothing.
    #[cfg(not(feature = "postgres"))]
    pub(crate) fn commit(self) -> Result<()> {
        self.files.commit()
    }
}
