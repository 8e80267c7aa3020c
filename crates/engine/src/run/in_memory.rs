//! Releases that are made in memory and stay there until somebody saves them.
//!
//! The same run as [`release`](mod@super::release) and [`apply`](mod@super::apply), with the same files at its end, none of
//! which is written to disk: the audit judges them where they are, and what is handed back is read from them. So it is what was
//! audited, and [`ReleaseInMemory::save`] writes the folder that the program would have written, byte for byte.
//!
//! Limit: beside the table, memory holds the release as a file and, once asked for, as batches. Work beyond `memory` goes to the
//! system's folder for temporary files, in files without names that hold codes, or rows as they are released.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use bytes::Bytes;

use super::apply::{self, Adjustment};
use super::publish::{FinishedRelease, ReleaseProduct};
use super::release;
use crate::error::{Error, Result};
use crate::machine::Resources;
use crate::mask::StoredMask;
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::{Batches, Data, MemoryTable, Reading};
use crate::treat::key::{self, Key};
use crate::write::frame::{self, FrameType, TypedBatches};
use crate::write::manifest::reading_of;
use crate::write::sink::destination::Destination;
use crate::write::sink::files::{MemoryFiles, ReleasePart};

/// What a release in memory is asked.
pub struct BatchesRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// What is asked of the release.
    pub policy: &'a Policy,
    /// The `public` folders of earlier releases of the same people.
    pub against: &'a [PathBuf],
    /// Threads and memory.
    pub resources: Resources,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// What a stored mask is applied to in memory.
pub struct ApplyBatchesRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// The stored mask.
    pub stored: StoredMask,
    /// What is to be otherwise than the mask says.
    pub adjustment: Adjustment,
    /// The `public` folders of earlier releases that the new one must not add up with.
    pub against: &'a [PathBuf],
    /// Threads and memory.
    pub resources: Resources,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// A release in memory, audited.
#[derive(Clone)]
pub struct ReleaseInMemory {
    /// What was found.
    pub released: FinishedRelease,
    files: MemoryFiles,
    types: Vec<FrameType>,
    /// The key that was made for it.
    key: Option<Key>,
}

impl fmt::Debug for ReleaseInMemory {
    /// Without a value: logs are read by others.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a release of {} records", self.released.report.released)
    }
}

/// Releases a table without writing anything to disk.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use equanym_engine::machine::Resources;
/// use equanym_engine::policy::Policy;
/// use equanym_engine::progress::Silent;
/// use equanym_engine::read::MemoryTable;
/// use equanym_engine::run::in_memory::{BatchesRequest, release_batches};
///
/// let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 34, 47, 49]));
/// let batch = RecordBatch::try_from_iter([("age", ages)]).unwrap();
/// let policy = "[variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [10] }\n\
///               [[privacy]]\nmodel = \"k-anonymity\"\nk = 2";
/// let policy = Policy::parse(policy, &|_| unreachable!("it names no files"))?;
/// let release = release_batches(&BatchesRequest {
///     data: (&MemoryTable::new(batch.schema(), vec![batch])?).into(),
///     policy: &policy,
///     against: &[],
///     resources: Resources::default(),
///     show_values: false,
///     progress: Arc::new(Silent),
/// })?;
/// assert_eq!(release.released.report.released, 4);
/// assert_eq!(release.batches()?[0].num_rows(), 4);
/// # Ok::<(), equanym_engine::error::Error>(())
/// ```
pub fn release_batches(request: &BatchesRequest<'_>) -> Result<ReleaseInMemory> {
    let files = MemoryFiles::default();
    let terms = release::ReleaseTerms {
        data: request.data,
        policy: request.policy,
        against: request.against,
        cluster: None,
        resources: &request.resources,
        show_values: request.show_values,
        progress: request.progress.as_ref(),
    };
    let made = release::make(&terms, || Ok(Destination::in_memory(&files)))?;
    Ok(ReleaseInMemory::new(made, files))
}

/// Applies a stored mask without writing anything to disk.
pub fn apply_batches(request: ApplyBatchesRequest<'_>) -> Result<ReleaseInMemory> {
    let files = MemoryFiles::default();
    let ApplyBatchesRequest { data, stored, adjustment, against, resources, progress } = request;
    let (resources, progress) = (&resources, progress.as_ref());
    let terms = apply::ApplyTerms { data, stored, adjustment, against, cluster: None, resources, progress };
    let made = apply::make(terms, || Ok(Destination::in_memory(&files)))?;
    Ok(ReleaseInMemory::new(made, files))
}

impl ReleaseInMemory {
    fn new(made: ReleaseProduct, files: MemoryFiles) -> Self {
        let ReleaseProduct { released, key, types } = made;
        Self { key: released.key.map(|_| key), released, files, types }
    }

    /// The released records. What is released as collected has the type that it had, everything else is text.
    pub fn batches(&self) -> Result<Vec<RecordBatch>> {
        let mut types = self.types.clone();
        loop {
            match frame::typed(self.read()?, &types)? {
                TypedBatches::Batches(batches) => return Ok(batches),
                // At most once for each column.
                TypedBatches::Misfit(place) => types.get_mut(place).ok_or_else(Error::internal)?.give_up(),
            }
        }
    }

    /// The released records as text.
    fn read(&self) -> Result<Batches> {
        let (table, reading) = self.table()?;
        let source = Data::from(&table).open(&reading)?;
        let places: Vec<usize> = (0..source.columns().len()).collect();
        let parts = (0..source.parts()).map(|part| source.read(part, &places)).collect::<Result<Vec<_>>>()?;
        Ok(Box::new(parts.into_iter().flatten()))
    }

    /// The files to hand over, by their names.
    #[must_use]
    pub fn public(&self) -> BTreeMap<String, Bytes> {
        self.files.in_part(ReleasePart::Public)
    }

    /// The files for the owner's eyes, by their names; a key is not among them.
    #[must_use]
    pub fn private(&self) -> BTreeMap<String, Bytes> {
        self.files.in_part(ReleasePart::Private)
    }

    /// The mask with what is needed to apply it again; it holds values.
    pub fn stored(&self) -> Result<StoredMask> {
        let bytes = self.private().remove("mask.json").ok_or_else(Error::internal)?;
        StoredMask::from_json(std::str::from_utf8(&bytes).map_err(|_| Error::internal())?)
    }

    /// Writes the folder that the program would have written.
    pub fn save(&self, target: &Path) -> Result<()> {
        self.files
            .save(target, |private| self.key.as_ref().map_or(Ok(()), |made| made.write_new(&private.join(key::FILE))))
    }

    /// The released table as a file, and how it is read.
    pub(super) fn table(&self) -> Result<(MemoryTable, Reading)> {
        let mut public = self.public();
        let manifest = public.get("manifest.json").and_then(|bytes| serde_json::from_slice(bytes).ok());
        let reading = manifest.as_ref().and_then(reading_of).ok_or_else(Error::internal)?;
        let file = &self.released.manifest.data.file;
        let bytes = public.remove(file).ok_or_else(Error::internal)?;
        Ok((MemoryTable::file(file, bytes), reading))
    }
}
