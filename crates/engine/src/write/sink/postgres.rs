//! A new table of PostgreSQL: all records in one transaction, or no table.
//!
//! `postgres://user@host/database?table=schema.name`. The records are those of the audited file, in its order; every column
//! is text and the missing value is null. A table that exists is never touched.
//!
//! Limit: when the answer to COMMIT is lost, nobody here knows whether the table is there. That is said so.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::pin::pin;

use arrow_array::{RecordBatch, StringArray};
use bytes::Bytes;
use futures::SinkExt;
use tokio_postgres::Client;

use crate::error::{Error, Result};
use crate::read::address::Address;
use crate::read::cells::column_as;
use crate::read::cells::text;
use crate::read::server::{connect, failed, qualified, quoted};
use crate::read::waiting::wait;
use crate::read::{Batches, Reading, open};

const FAILED: &str = "the release cannot be written";

/// A table in the making.
pub(super) struct NewTable {
    client: Client,
    table: String,
    /// As messages show it.
    name: String,
}

impl NewTable {
    /// Connects and makes sure that there is no such table.
    pub(super) fn open(mut address: Address) -> Result<Self> {
        let name = address.shown();
        let table = address.take("table").filter(|table| !table.is_empty() && !table.contains('\0'));
        let table = table.ok_or_else(|| {
            Error::input(format!("{name}: the new table needs a name")).hint("…/database?table=schema.name")
        })?;
        let client = connect(&address)?;
        let table = qualified(&table);
        let sql = "SELECT to_regclass($1) IS NOT NULL";
        let exists = wait(async { client.query_one(sql, &[&table]).await.and_then(|answer| answer.try_get(0)) })?;
        if exists.map_err(|error| failed(&name, FAILED, &error))? {
            return Err(exists_already(&name));
        }
        Ok(Self { client, table, name })
    }

    /// A name for what has to be written on the way: the same for the same table.
    #[must_use]
    pub(super) fn label(&self) -> String {
        let mut hasher = DefaultHasher::new();
        (&self.name, &self.table).hash(&mut hasher);
        format!("equanym-table-{:016x}", hasher.finish())
    }

    /// Makes the table and fills it with the records of a file; nothing is visible before [`NewTable::commit`].
    pub(super) fn load(&mut self, file: &Path) -> Result<()> {
        let source = open(file, &Reading::default())?;
        let columns: Vec<String> = source.columns().iter().map(|column| format!("{} text", quoted(column))).collect();
        let places: Vec<usize> = (0..columns.len()).collect();
        let create = format!("BEGIN; CREATE TABLE {} ({})", self.table, columns.join(", "));
        wait(self.client.batch_execute(&create))?.map_err(|error| match error.code() {
            Some(code) if code.code() == "42P07" => exists_already(&self.name),
            _ => failed(&self.name, FAILED, &error),
        })?;
        let mut records = 0;
        let mut batches: Batches = Box::new(std::iter::empty());
        for part in 0..source.parts() {
            batches = Box::new(batches.chain(source.read(part, &places)?));
        }
        self.copy(batches, &mut records)?;
        self.check(records)
    }

    fn copy(&self, batches: Batches, records: &mut u64) -> Result<()> {
        let lost = |error| failed(&self.name, FAILED, &error);
        let copy = format!("COPY {} FROM STDIN", self.table);
        let mut sink = pin!(wait(self.client.copy_in::<_, Bytes>(&copy))?.map_err(lost)?);
        for batch in batches {
            let batch = batch?;
            *records += batch.num_rows() as u64;
            wait(sink.send(lines(&batch)?))?.map_err(lost)?;
        }
        wait(sink.finish())?.map_err(lost)?;
        Ok(())
    }

    /// What the server has is what was sent.
    fn check(&self, records: u64) -> Result<()> {
        let sql = format!("SELECT count(*) FROM {}", self.table);
        let count =
            wait(async { self.client.query_one(&sql, &[]).await.and_then(|answer| answer.try_get::<_, i64>(0)) })?;
        let count = count.map_err(|error| failed(&self.name, FAILED, &error))?;
        if u64::try_from(count) == Ok(records) {
            return Ok(());
        }
        Err(Error::environment(format!("{}: the server holds {count} of {records} rows", self.name)))
    }

    /// Ends the transaction: the table is there, or it is not, or nobody knows.
    pub(super) fn commit(self) -> std::result::Result<(), CommitFailure> {
        let answer = wait(self.client.batch_execute("COMMIT")).map_err(CommitFailure::Refused)?;
        answer.map_err(|error| match error.code() {
            Some(code) if is_certain(code.code()) => CommitFailure::Refused(failed(&self.name, FAILED, &error)),
            _ => CommitFailure::Unknown(unknown(&self.name)),
        })
    }
}

/// Why a transaction did not end well.
pub(super) enum CommitFailure {
    /// The server says no: there is no table.
    Refused(Error),
    /// The answer was lost: there may be a table.
    Unknown(Error),
}

/// Whether a server that says so has not committed. Lost connections (08), a server on its way down (57) and `40003`, which
/// says so itself, leave it open.
fn is_certain(code: &str) -> bool {
    !code.starts_with("08") && !code.starts_with("57") && code != "40003"
}

fn unknown(name: &str) -> Error {
    Error::environment(format!("{name}: unknown whether the table was made: the server's last answer was lost"))
        .hint("look for the table: if it is there, it is whole and the release is done; if not, run again")
}

fn exists_already(name: &str) -> Error {
    Error::input(format!("{name}: the table exists already and is never overwritten")).hint("name another table")
}

/// Records in the text format of COPY.
fn lines(batch: &RecordBatch) -> Result<Bytes> {
    let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
    let mut lines = String::new();
    for record in 0..batch.num_rows() {
        for (place, column) in columns.iter().enumerate() {
            lines.push_str(if place == 0 { "" } else { "\t" });
            write_cell(&mut lines, text(column, record));
        }
        lines.push('\n');
    }
    Ok(lines.into())
}

fn write_cell(line: &mut String, cell: &str) {
    if cell.is_empty() {
        line.push_str("\\N");
    }
    for character in cell.chars() {
        match character {
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            _ => line.push(character),
        }
    }
}
