//! Objects in a store: `s3://bucket/key` and `https://host/path`, read in ranges.
//!
//! Nothing is copied to disk. Keys and addresses of stores come from the environment, as the tools of the stores have it
//! (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`, `AWS_REGION`, …), never from the address. An object is read more than once; when
//! it changes in between, its mark (`ETag`), its size or its time do, as far as the store tells them, and reading ends.
//!
//! Limit: over `http(s)` one object at a time; in `s3` an address that ends in `/` stands for all objects right below it.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{ClientOptions, Error as StoreError, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt};

use super::address::Address;
use super::waiting::wait;
use crate::error::{Error, Result};

/// Bytes fetched at once.
const CHUNK: u64 = 8 << 20;

/// An object of a store.
#[derive(Debug)]
pub(super) struct Object {
    store: Arc<dyn ObjectStore>,
    meta: ObjectMeta,
    /// As messages show it.
    pub(super) name: String,
}

/// The objects that an address stands for.
pub(super) fn objects(address: &Address) -> Result<Vec<Object>> {
    address.nothing_left()?;
    let (store, path) = store(address)?;
    if !address.path().ends_with('/') {
        let meta = wait(store.head(&path))?.map_err(|error| failed(&address.shown(), &error))?;
        return Ok(vec![Object { store, meta, name: address.shown() }]);
    }
    if address.scheme() != "s3" {
        return Err(Error::input(format!("{}: a folder over HTTP cannot be listed", address.shown())));
    }
    let listed = wait(store.list_with_delimiter(Some(&path)))?.map_err(|error| failed(&address.shown(), &error))?;
    let mut metas = listed.objects;
    metas.sort_by(|left, right| left.location.cmp(&right.location));
    let is_shown = |meta: &ObjectMeta| !meta.location.filename().unwrap_or_default().starts_with(['.', '_']);
    let object = |meta: ObjectMeta| {
        let name = format!("{:?}", format!("{}://{}/{}", address.scheme(), address.host(), meta.location));
        Object { store: Arc::clone(&store), meta, name }
    };
    Ok(metas.into_iter().filter(is_shown).map(object).collect())
}

fn store(address: &Address) -> Result<(Arc<dyn ObjectStore>, Path)> {
    let unfit = || Error::input(format!("{}: the address cannot be used", address.shown()));
    let path = Path::from_url_path(address.path()).map_err(|_| unfit())?;
    let built: std::result::Result<Arc<dyn ObjectStore>, StoreError> = if address.scheme() == "s3" {
        AmazonS3Builder::from_env().with_bucket_name(address.host()).build().map(|store| Arc::new(store) as _)
    } else {
        let options = ClientOptions::new().with_allow_http(address.scheme() == "http");
        HttpBuilder::new()
            .with_url(address.base())
            .with_client_options(options)
            .build()
            .map(|store| Arc::new(store) as _)
    };
    Ok((built.map_err(|_| unfit())?, path))
}

/// In our words: those of the store may repeat the address, and with it a secret.
fn failed(name: &str, error: &StoreError) -> Error {
    match error {
        StoreError::NotFound { .. } => Error::input(format!("{name}: no such object")),
        StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. } => {
            Error::environment(format!("{name}: permission denied"))
                .hint("give the store's keys by its environment variables, such as AWS_ACCESS_KEY_ID")
        }
        StoreError::Precondition { .. } => changed(name),
        _ => Error::environment(format!("{name}: the store does not answer as it should")),
    }
}

fn changed(name: &str) -> Error {
    Error::environment(format!("{name}: the object changed while it was read"))
        .hint("run again once nobody writes to it")
}

impl Object {
    /// Whether what the store tells now is what it told first. Lists tell times to the millisecond and headers to the
    /// second, and not all servers heed the mark that they are asked for.
    fn is_same(&self, now: &ObjectMeta) -> bool {
        let mark = |meta: &ObjectMeta| meta.e_tag.as_ref().map(|mark| mark.trim_matches('"').to_owned());
        let is_same_mark = mark(&self.meta).zip(mark(now)).is_none_or(|(first, now)| first == now);
        let second = |meta: &ObjectMeta| meta.last_modified.timestamp();
        is_same_mark && self.meta.size == now.size && second(&self.meta) == second(now)
    }

    /// Its last name, which tells the format.
    pub(super) fn file_name(&self) -> &str {
        self.meta.location.filename().unwrap_or_default()
    }

    /// Its size.
    pub(super) fn size(&self) -> u64 {
        self.meta.size
    }

    fn fetch(&self, from: u64, to: u64) -> Result<Bytes> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(from..to)),
            if_match: self.meta.e_tag.clone(),
            ..GetOptions::default()
        };
        let get = async {
            let answer = self.store.get_opts(&self.meta.location, options).await?;
            let is_same = self.is_same(&answer.meta);
            let parts: Vec<Bytes> = answer.into_stream().try_collect().await?;
            Ok::<_, StoreError>((parts.concat(), is_same))
        };
        let (bytes, is_same) = wait(get)?.map_err(|error| failed(&self.name, &error))?;
        if !is_same {
            return Err(changed(&self.name));
        }
        if bytes.len() as u64 == to - from {
            return Ok(bytes.into());
        }
        Err(Error::environment(format!("{}: the store sent other bytes than were asked for", self.name)))
    }
}

/// Reads an object from any place on.
#[derive(Clone)]
pub(super) struct ObjectReader {
    object: Arc<Object>,
    at: u64,
    chunk: Bytes,
    /// Where the chunk starts.
    start: u64,
}

impl ObjectReader {
    pub(super) fn new(object: &Arc<Object>) -> Self {
        Self { object: Arc::clone(object), at: 0, chunk: Bytes::new(), start: 0 }
    }

    pub(super) fn size(&self) -> u64 {
        self.object.size()
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.object.size();
        if buffer.is_empty() || self.at >= size {
            return Ok(0);
        }
        if self.at < self.start || self.at >= self.start + self.chunk.len() as u64 {
            self.chunk = self.object.fetch(self.at, size.min(self.at + CHUNK)).map_err(io::Error::other)?;
            self.start = self.at;
        }
        let offset = usize::try_from(self.at - self.start).unwrap_or(usize::MAX);
        let count = self.chunk.get(offset..).unwrap_or_default().read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for ObjectReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.object.size(), by),
            SeekFrom::Current(by) => (self.at, by),
        };
        self.at = from.checked_add_signed(by).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}
