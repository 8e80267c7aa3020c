//! Which files a source consists of.
//!
//! A path is a regular file or a folder of them; an address is an object, a folder of objects, or a table of a database.
//! Pipes, sockets and devices are refused: a table is read more than once. In a folder every file must be readable, so
//! that nothing is left out by mistake; names that start with `.` or `_` are ignored (`.DS_Store`, `_SUCCESS`). Files are
//! taken in the order of their names. A table in memory is a file, too. Where a [`Gate`] stands, it is asked about each file whenever it is opened.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Data;
use super::address::{self, Address};
use super::compress::{self, Bytes};
use super::failure;
use super::format::{self, Compression, InputFormat};
use super::handle::Handle;
use super::memory::{MemoryContent, MemoryTable, Pieces};
use super::watch::{self, Watch};
use crate::error::{Error, Result};

/// Says where a path really leads, links followed, or that nobody may read there.
pub type Gate = Arc<dyn Fn(&Path) -> Result<PathBuf> + Send + Sync>;

/// One file of a source.
#[derive(Clone)]
pub(super) struct File {
    place: FilePlace,
    gate: Option<Gate>,
    /// By its name.
    pub(super) format: InputFormat,
    compression: Compression,
    /// Bytes read so far, again and again.
    read: Arc<AtomicU64>,
    /// Whether it stays what it is.
    watch: Arc<Watch>,
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

/// Where it lies.
#[derive(Clone)]
enum FilePlace {
    Local(PathBuf),
    Memory(MemoryTable),
    #[cfg(feature = "object-store")]
    Remote(Arc<super::remote::Object>),
    #[cfg(feature = "postgres")]
    Table(Arc<super::postgres::Snapshot>),
}

impl File {
    /// The path as messages show it: quoted, with anything odd escaped.
    pub(super) fn name(&self) -> String {
        match &self.place {
            FilePlace::Local(path) => show(path),
            FilePlace::Memory(table) => table.0.name().to_owned(),
            #[cfg(feature = "object-store")]
            FilePlace::Remote(object) => object.name.clone(),
            #[cfg(feature = "postgres")]
            FilePlace::Table(table) => table.name.clone(),
        }
    }

    /// The file itself.
    pub(super) fn open(&self) -> Result<Handle> {
        match &self.place {
            FilePlace::Local(path) => self.open_local(&passed(self.gate.as_ref(), path)?),
            FilePlace::Memory(table) => match &*table.0 {
                MemoryContent::File(_, bytes) => Ok(Handle::memory(bytes.clone(), &self.read, &self.watch)),
                MemoryContent::Batches(_) => Err(Error::internal()),
            },
            #[cfg(feature = "object-store")]
            FilePlace::Remote(object) => {
                Ok(Handle::remote(super::remote::ObjectReader::new(object), &self.read, &self.watch))
            }
            #[cfg(feature = "postgres")]
            FilePlace::Table(_) => Err(Error::environment("an internal step took a table for a file")),
        }
    }

    fn open_local(&self, path: &Path) -> Result<Handle> {
        let opened = fs::File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((state, file)) if self.watch.is_same(&state) => Ok(Handle::local(file, &self.read, &self.watch)),
            Ok(_) => Err(watch::changed(&self.name())),
            // It was there before.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(watch::changed(&self.name())),
            Err(error) => Err(failure::opening(&self.name(), &error)),
        }
    }

    /// Refuses a file that is not what it was when it was first looked at.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        let is_same = match &self.place {
            FilePlace::Local(path) => {
                let path = passed(self.gate.as_ref(), path)?;
                fs::metadata(path).is_ok_and(|state| self.watch.is_same(&state))
            }
            FilePlace::Memory(table) => table.0.is_unchanged(),
            #[cfg(any(feature = "postgres", feature = "object-store"))]
            _ => !self.watch.has_changed(),
        };
        if is_same { Ok(()) } else { Err(watch::changed(&self.name())) }
    }

    /// The unpacked bytes of the file; of a table only the columns asked for.
    #[cfg_attr(not(feature = "postgres"), allow(unused_variables))]
    pub(super) fn bytes(&self, projection: &[usize]) -> Result<Bytes> {
        #[cfg(feature = "postgres")]
        if let FilePlace::Table(table) = &self.place {
            return Ok(Box::new(table.bytes(projection, &self.read)?));
        }
        compress::unpack(&self.name(), self.open()?, self.compression)
    }

    /// The columns, where they are known without reading.
    pub(super) fn columns(&self) -> Option<Vec<String>> {
        match &self.place {
            #[cfg(feature = "postgres")]
            FilePlace::Table(table) => Some(table.columns.clone()),
            _ => None,
        }
    }

    /// The table in memory, if it is one.
    pub(super) fn memory(&self) -> Option<&MemoryTable> {
        match &self.place {
            FilePlace::Memory(table) => Some(table),
            _ => None,
        }
    }

    /// The pieces of a table of batches.
    pub(super) fn pieces(&self) -> Option<&Pieces> {
        match &*self.memory()?.0 {
            MemoryContent::Batches(pieces) => Some(pieces),
            MemoryContent::File(..) => None,
        }
    }

    /// How many bytes were read of it so far, counting again what was read again.
    pub(super) fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// How many bytes it has; 0 for a table of a database and for batches, whose size nobody knows.
    pub(super) fn size(&self) -> Result<u64> {
        match &self.place {
            FilePlace::Local(path) => {
                fs::metadata(path).map(|kind| kind.len()).map_err(|error| failure::opening(&self.name(), &error))
            }
            FilePlace::Memory(table) => Ok(match &*table.0 {
                MemoryContent::File(_, bytes) => bytes.len() as u64,
                MemoryContent::Batches(_) => 0,
            }),
            #[cfg(feature = "object-store")]
            FilePlace::Remote(object) => Ok(object.size()),
            #[cfg(feature = "postgres")]
            FilePlace::Table(_) => Ok(0),
        }
    }

    fn in_memory(table: &MemoryTable) -> Result<Self> {
        let place = FilePlace::Memory(table.clone());
        match &*table.0 {
            MemoryContent::File(name, _) => Self::new(name, Path::new(name), place, Watch::new(None)),
            MemoryContent::Batches(_) => Ok(Self::plain(place, InputFormat::Memory)),
        }
    }

    /// What has no name that tells its format.
    fn plain(place: FilePlace, format: InputFormat) -> Self {
        let (read, watch) = (Arc::default(), Arc::new(Watch::new(None)));
        Self { place, gate: None, format, compression: Compression::None, read, watch }
    }

    fn at(path: &Path, gate: Option<&Gate>) -> Result<Self> {
        let name = show(path);
        passed(gate, path)?;
        let kind = fs::metadata(path).map_err(|error| failure::opening(&name, &error))?;
        if kind.is_dir() {
            return Err(Error::input(format!("{name}: a folder in a folder")).hint("put all files in one folder"));
        }
        if !kind.is_file() {
            return Err(Error::input(format!("{name}: no regular file; a table needs to be read twice"))
                .hint("save the data in a file first"));
        }
        let file = Self::new(&name, path, FilePlace::Local(path.to_owned()), Watch::new(Some(&kind)))?;
        Ok(Self { gate: gate.cloned(), ..file })
    }

    fn new(name: &str, path: &Path, place: FilePlace, watch: Watch) -> Result<Self> {
        match format::by_name(path) {
            Some((format, compression)) => {
                let (read, watch) = (Arc::default(), Arc::new(watch));
                Ok(Self { place, gate: None, format, compression, read, watch })
            }
            None => Err(unknown(name, path)),
        }
    }
}

fn unknown(name: &str, path: &Path) -> Error {
    match format::statistics(path) {
        Some(program) => {
            Error::input(format!("{name}: a table of {program}, which cannot be read")).hint(format::EXPORT)
        }
        None => Error::input(format!("{name}: the name tells no known format"))
            .hint(format!("known endings: {}", format::KNOWN)),
    }
}

/// Where a path leads, if that may be read.
fn passed(gate: Option<&Gate>, path: &Path) -> Result<PathBuf> {
    gate.map_or_else(|| Ok(path.to_owned()), |gate| gate(path))
}

/// The files that a table consists of, at least one.
pub(super) fn files(data: Data<'_>, gate: Option<&Gate>) -> Result<Vec<File>> {
    let path = match data {
        Data::At(path) => path,
        Data::Memory(table) => return Ok(vec![File::in_memory(table)?]),
    };
    if let Some(address) = address::parse(path)? {
        let shown = address.shown();
        return of_one_format(&shown, at_address(address)?);
    }
    let kind = fs::metadata(path).map_err(|error| failure::opening(&show(path), &error))?;
    if !kind.is_dir() {
        return Ok(vec![File::at(path, gate)?]);
    }
    of_one_format(&show(path), listed(path)?.iter().map(|path| File::at(path, gate)).collect::<Result<Vec<_>>>()?)
}

fn at_address(address: Address) -> Result<Vec<File>> {
    #[cfg(feature = "postgres")]
    if crate::read::server::is_server(&address) {
        let place = FilePlace::Table(Arc::new(super::postgres::Snapshot::open(address)?));
        return Ok(vec![File::plain(place, InputFormat::Csv)]);
    }
    #[cfg(feature = "object-store")]
    if matches!(address.scheme(), "s3" | "http" | "https") {
        let objects = super::remote::objects(&address)?;
        let file = |object: super::remote::Object| {
            let (name, file) = (object.name.clone(), PathBuf::from(object.file_name()));
            File::new(&name, &file, FilePlace::Remote(Arc::new(object)), Watch::new(None))
        };
        return objects.into_iter().map(file).collect();
    }
    Err(address.unknown())
}

fn of_one_format(folder: &str, files: Vec<File>) -> Result<Vec<File>> {
    let Some(first) = files.first() else {
        return Err(Error::input(format!("{folder}: the folder holds no data file"))
            .hint(format!("known endings: {}", format::KNOWN)));
    };
    match files.iter().find(|file| file.format.family() != first.format.family()) {
        Some(other) => {
            let message = format!("{} and {}: a folder holds files of one format", first.name(), other.name());
            Err(Error::input(message))
        }
        None => Ok(files),
    }
}

/// The entries of a folder that are not hidden, sorted by name.
fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: io::Error| failure::opening(&show(folder), &error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !matches!(entry.file_name().as_encoded_bytes().first(), Some(b'.' | b'_')) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn show(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}
