//! What an executor does with a row of a plan.
//!
//! A row names a part of the work; what all parts share travels once. Everything that comes back is keys and how often each
//! was met (`key_batch`), so the plans above are the same for all kinds of work.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use equanym_core::mask::Mask;
use equanym_core::walk::Parcel;
use equanym_engine::error::{Error, Result};
use equanym_engine::mask::rewrite::formula::Guard;
use equanym_engine::mask::rewrite::key_batch::KeyBatch;
use equanym_engine::mask::rewrite::sort_key::{Cells, RecordKeys, SortKeys, ToKeys};
use equanym_engine::mask::rewrite::{ByRecord, Rewriter};
use equanym_engine::read::{self, Batches, Reading, Source, address};
use equanym_engine::workers::no_new_values;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::key_stream::key_stream;
use super::network::MESSAGE;
use super::permit::Permit;

/// The most parts that a table is read in.
const PARTS: usize = 32;

/// Whether nobody waits for the result any more.
pub(crate) type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

/// A table, as every executor finds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SharedTable {
    data: PathBuf,
    reading: Reading,
    /// Into how many parts it falls.
    pub(crate) parts: usize,
}

impl SharedTable {
    /// The table at this path or address, which must mean the same for executors.
    pub(crate) fn new(data: &Path, reading: &Reading) -> Result<Self> {
        let data = match address::parse(data)? {
            Some(address) if !is_read_elsewhere(address.scheme()) => {
                return Err(Error::input("executors read files and objects, no databases")
                    .hint("release without --cluster: a database is read in one piece anyway"));
            }
            Some(_) => data.to_path_buf(),
            None => std::path::absolute(data).map_err(|_| Error::input("the path of the table is not understood"))?,
        };
        let parts = read::open_in_parts(&data, reading, PARTS, None)?.parts();
        Ok(Self { data, reading: reading.clone(), parts })
    }

    /// Another table beside it, unless it lies where executors cannot read.
    pub(crate) fn beside(data: &Path, reading: &Reading) -> Result<Option<Self>> {
        let is_shared = address::parse(data)?.is_none_or(|address| is_read_elsewhere(address.scheme()));
        if is_shared { Self::new(data, reading).map(Some) } else { Ok(None) }
    }

    fn open(&self, permit: &Permit) -> Result<Arc<Source>> {
        permit.check(&self.data)?;
        let source = read::open_in_parts(&self.data, &self.reading, PARTS, Some(&permit.gate()))?;
        if source.parts() != self.parts {
            return Err(Error::environment("the table differs from executor to executor, or changed meanwhile")
                .hint("give all of them the same files, and run again once nobody writes to them"));
        }
        Ok(Arc::new(source))
    }
}

/// Whether executors read such addresses.
fn is_read_elsewhere(scheme: &str) -> bool {
    matches!(scheme, "s3" | "http" | "https")
}

/// What is done with each row.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Work {
    /// The keys of some columns of a part of a table.
    Count {
        /// The table.
        table: SharedTable,
        /// The places of the columns.
        columns: Vec<usize>,
    },
    /// The rewritten records of a part of a table.
    Rewrite {
        /// The table.
        table: SharedTable,
        /// The places of the released columns.
        places: Vec<usize>,
        /// What happens to them.
        mask: Mask,
        /// The values of the recoded ones.
        values: Vec<Vec<String>>,
        /// What keeps cells from being taken for formulas.
        guard: Option<Guard>,
    },
    /// A walk; all that it needs stands in the row.
    Walk,
}

/// Anything as it travels.
pub(crate) fn pack(thing: &impl Serialize) -> Result<Vec<u8>> {
    let lost = || Error::environment("the work cannot be written down for executors");
    let text = serde_json::to_vec(thing).map_err(|_| lost())?;
    if text.len() > MESSAGE {
        return Err(Error::environment("a job is too large for a cluster").hint(
            "recoded columns have too many distinct values, or new values too many records; run without --cluster",
        ));
    }
    zstd::encode_all(text.as_slice(), 3).map_err(|_| lost())
}

/// What arrived.
pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    unpack_within(bytes, MESSAGE)
}

/// What arrived, unpacked to no more than so many bytes: a few may stand for very many.
fn unpack_within<T: DeserializeOwned>(bytes: &[u8], most: usize) -> Result<T> {
    let unread = || Error::environment("work for executors, or what came of it, is not understood").hint(SAME_VERSION);
    let unpacked = zstd::Decoder::with_buffer(bytes).map_err(|_| unread())?;
    let mut text = Vec::new();
    unpacked.take(most as u64 + 1).read_to_end(&mut text).map_err(|_| unread())?;
    if text.len() > most {
        return Err(Error::environment(
            "work for executors, or what came of it, is larger than anything that was sent",
        ));
    }
    serde_json::from_slice(&text).map_err(|_| unread())
}

impl Work {
    /// Makes ready what all rows share.
    pub(crate) fn ready(self, permit: &Permit) -> Result<ReadyWork> {
        Ok(match self {
            Self::Count { table, columns } => ReadyWork::Count { source: table.open(permit)?, columns },
            Self::Rewrite { table, places, mask, values, guard } => {
                let rewriter = Rewriter::new(&mask, &values, &ByRecord::default(), guard)?;
                ReadyWork::Rewrite {
                    source: table.open(permit)?,
                    places,
                    sort_keys: Arc::new(SortKeys::new(&Arc::new(rewriter))?),
                }
            }
            Self::Walk => ReadyWork::Walk,
        })
    }
}

const SAME_VERSION: &str = "scheduler, executors and this program must be of the same version";

/// Work that is ready to be done.
pub(crate) enum ReadyWork {
    /// See [`Work::Count`].
    Count {
        /// The table.
        source: Arc<Source>,
        /// The places of the columns.
        columns: Vec<usize>,
    },
    /// See [`Work::Rewrite`].
    Rewrite {
        /// The table.
        source: Arc<Source>,
        /// The places of the released columns.
        places: Vec<usize>,
        /// How their records become keys.
        sort_keys: Arc<SortKeys>,
    },
    /// See [`Work::Walk`].
    Walk,
}

impl ReadyWork {
    /// What comes of a row.
    pub(crate) fn open(&self, row: &[u8], permit: &Permit, stopped: &StopCheck) -> Result<Batches> {
        match self {
            Self::Count { source, columns } => {
                let batches = source.read_dictionaries(part(row)?, columns)?;
                let keys = key_stream(until(batches, stopped), RawKeys::default(), permit.room);
                let source = Arc::clone(source);
                let notes = std::iter::once_with(move || notes(&source)).filter_map(Result::transpose);
                Ok(Box::new(keys.chain(notes)))
            }
            Self::Rewrite { source, places, sort_keys } => {
                let batches = source.read_dictionaries(part(row)?, places)?;
                Ok(key_stream(until(batches, stopped), RecordKeys::new(sort_keys), permit.room))
            }
            Self::Walk => {
                let outcomes = unpack::<Parcel>(row)?.walk().map_err(|error| no_new_values(&error))?;
                Ok(Box::new(std::iter::once(one(&pack(&outcomes)?, 1))))
            }
        }
    }
}

/// The row that names a part of a table.
#[must_use]
pub(crate) fn row(part: usize) -> Vec<u8> {
    (part as u64).to_be_bytes().to_vec()
}

fn part(row: &[u8]) -> Result<usize> {
    let number = row.try_into().ok().map(u64::from_be_bytes).and_then(|part| usize::try_from(part).ok());
    number.ok_or_else(|| Error::environment("an executor does not understand its work").hint(SAME_VERSION))
}

/// Batches as long as somebody waits for them.
fn until(batches: Batches, stopped: &StopCheck) -> Batches {
    let stopped = Arc::clone(stopped);
    Box::new(
        batches.map(move |batch| if stopped() { Err(Error::environment("the job was called off")) } else { batch }),
    )
}

/// How the keys of a table begin, and the note on what was seen while it was read.
const KEY: u8 = 1;
const FILLED: [u8; 1] = [0];

/// Records as they are: the length of each text and the text.
#[derive(Default)]
struct RawKeys {
    key: Vec<u8>,
}

impl ToKeys for RawKeys {
    fn keys(&mut self, batch: &RecordBatch, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let columns = batch.columns().iter().map(|column| Cells::texts(column, false)).collect::<Result<Vec<_>>>()?;
        for record in 0..batch.num_rows() {
            self.key.clear();
            self.key.push(KEY);
            for column in &columns {
                let text = column.text(record);
                let length = u32::try_from(text.len()).map_err(|_| Error::input("a cell of more than 4 GiB"))?;
                self.key.extend_from_slice(&length.to_be_bytes());
                self.key.extend_from_slice(text.as_bytes());
            }
            take(&self.key)?;
        }
        Ok(())
    }
}

fn notes(source: &Source) -> Result<Option<RecordBatch>> {
    let filled = source.notes().filled_records;
    if filled == 0 {
        return Ok(None);
    }
    one(&FILLED, filled).map(Some)
}

/// A batch of one key.
fn one(key: &[u8], times: u64) -> Result<RecordBatch> {
    let mut batch = KeyBatch::default();
    batch.push(key, times);
    batch.take()
}

/// What a key of [`Work::Count`] says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum KeyMeaning<'k> {
    /// Records with these texts.
    Key(Vec<&'k str>),
    /// Short records that were filled with missing values.
    Filled,
}

/// Reads a key.
pub(crate) fn met(key: &[u8], columns: usize) -> Option<KeyMeaning<'_>> {
    let (&kind, mut rest) = key.split_first()?;
    if kind != KEY {
        return (key == FILLED).then_some(KeyMeaning::Filled);
    }
    let mut texts = Vec::with_capacity(columns);
    for _ in 0..columns {
        let (length, after) = rest.split_first_chunk()?;
        let (text, after) = after.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        texts.push(std::str::from_utf8(text).ok()?);
        rest = after;
    }
    rest.is_empty().then_some(KeyMeaning::Key(texts))
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, StringArray};

    use super::*;

    #[test]
    fn keys_are_read_back() {
        let texts = |cells: [Option<&str>; 2]| Arc::new(StringArray::from(cells.to_vec())) as ArrayRef;
        let columns = [("0", texts([Some("a\0b"), None])), ("1", texts([Some("é,"), Some("x")]))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut keys: Vec<Vec<u8>> = Vec::new();
        RawKeys::default()
            .keys(&batch, |key| {
                keys.push(key.to_vec());
                Ok(())
            })
            .unwrap();
        assert_eq!(met(&keys[0], 2), Some(KeyMeaning::Key(vec!["a\0b", "é,"])));
        assert_eq!(met(&keys[1], 2), Some(KeyMeaning::Key(vec!["", "x"])));
        assert_eq!(met(&FILLED, 2), Some(KeyMeaning::Filled));
        for (broken, columns) in [(&keys[0][..5], 2), (&keys[0][..], 1), (&[][..], 0), (&[7][..], 0)] {
            assert_eq!(met(broken, columns), None);
        }
    }

    #[test]
    fn work_travels_and_nonsense_is_refused() {
        let table = SharedTable { data: "a.csv".into(), reading: Reading::default(), parts: 3 };
        let packed = pack(&Work::Count { table, columns: vec![2, 0] }).unwrap();
        assert!(matches!(unpack(&packed), Ok(Work::Count { columns, .. }) if columns == [2, 0]));
        assert!(unpack::<Work>(&packed[1..]).is_err() && unpack::<Work>(b"").is_err());
        let numbers = [0.1 + 0.2, f64::MIN_POSITIVE, -1.0 / 3.0, 1e300];
        assert_eq!(unpack::<Vec<f64>>(&pack(&numbers).unwrap()).unwrap(), numbers);
        assert_eq!(unpack::<i128>(&pack(&(i128::MAX - 1)).unwrap()), Ok(i128::MAX - 1));
        let bomb = zstd::encode_all(vec![b' '; 100_000].as_slice(), 3).unwrap();
        assert!(bomb.len() < 100 && unpack_within::<Work>(&bomb, 99_999).unwrap_err().message.contains("larger"));
        assert_eq!(part(&row(7)), Ok(7));
        assert!(part(b"7").is_err());
    }

    #[test]
    fn databases_are_not_for_executors() {
        let error = SharedTable::new(Path::new("postgres://h/d?table=t"), &Reading::default()).unwrap_err();
        assert_eq!(error.exit_code(), 2);
    }
}
