//! A table or a query of PostgreSQL, read in one snapshot.
//!
//! `postgres://user@host/database?table=schema.name` or `…?query=SELECT …`. One connection is held as long as the source
//! lives, in a transaction that is read-only and sees one state of the database: reading twice gives the same records
//! however others write meanwhile. Records come over `COPY … TO STDOUT` as text in UTF-8, dates as ISO, and go through the
//! same reader as files. Columns that nobody asks for are not sent.
//!
//! Limit: one stream; the server decides how fast it comes.

use std::io::{self, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::{Buf, Bytes};
use futures::StreamExt;
use tokio_postgres::{Client, CopyOutStream};

use super::address::Address;
use super::waiting::wait;
use crate::error::{Error, Result};
use crate::read::server::{connect, failed, qualified, quoted};

/// A table or query in a snapshot.
pub(super) struct Snapshot {
    client: Client,
    /// What is selected from.
    from: String,
    /// Its columns.
    pub(super) columns: Vec<String>,
    /// As messages show it.
    pub(super) name: String,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// The settings that make texts the same everywhere.
const SNAPSHOT: &str = "SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; \
                        SET extra_float_digits = 1; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

impl Snapshot {
    /// Connects, opens the snapshot and looks at the columns.
    pub(super) fn open(mut address: Address) -> Result<Self> {
        let name = address.shown();
        let from = match (address.take("table"), address.take("query")) {
            (Some(table), None) => qualified(&table),
            (None, Some(query)) => format!("({}) AS asked", query.trim().trim_end_matches(';')),
            _ => {
                return Err(Error::input(format!("{name}: either a table or a query is read"))
                    .hint("…/database?table=schema.name, or …/database?query=SELECT%20…"));
            }
        };
        let client = connect(&address)?;
        let columns = wait(async {
            client.batch_execute(SNAPSHOT).await?;
            let statement = client.prepare(&format!("SELECT * FROM {from}")).await?;
            Ok(statement.columns().iter().map(|column| column.name().to_owned()).collect())
        })?;
        let columns = columns.map_err(|error| failed(&name, "the table cannot be read", &error))?;
        Ok(Self { client, from, columns, name })
    }

    /// The records as delimited text with a header; columns outside the projection are empty.
    pub(super) fn bytes(self: &Arc<Self>, projection: &[usize], read: &Arc<AtomicU64>) -> Result<CopiedText> {
        let select = self.columns.iter().enumerate().map(|(place, column)| {
            let name = quoted(column);
            if projection.contains(&place) {
                format!("asked.{name}::text AS {name}")
            } else {
                format!("NULL AS {name}")
            }
        });
        let select: Vec<String> = select.collect();
        let from = if self.from.starts_with('(') { self.from.clone() } else { format!("{} AS asked", self.from) };
        let copy = format!("COPY (SELECT {} FROM {from}) TO STDOUT (FORMAT csv, HEADER true)", select.join(", "));
        let stream = wait(self.client.copy_out(&copy))?
            .map_err(|error| failed(&self.name, "the table cannot be read", &error))?;
        Ok(CopiedText {
            stream: Box::pin(stream),
            chunk: Bytes::new(),
            ended: false,
            read: Arc::clone(read),
            snapshot: Arc::clone(self),
        })
    }
}

/// Records on their way.
pub(super) struct CopiedText {
    stream: Pin<Box<CopyOutStream>>,
    chunk: Bytes,
    ended: bool,
    read: Arc<AtomicU64>,
    snapshot: Arc<Snapshot>,
}

impl Read for CopiedText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() && !self.ended {
            match wait(self.stream.next()).map_err(io::Error::other)? {
                // Who reads on after the end must not ask the server again: it would say that nothing is sent.
                None => self.ended = true,
                Some(Ok(chunk)) => self.chunk = chunk,
                Some(Err(error)) => {
                    let error = failed(&self.snapshot.name, "the connection was lost while reading", &error);
                    return Err(io::Error::other(error));
                }
            }
        }
        let count = buffer.len().min(self.chunk.len());
        self.chunk.copy_to_slice(buffer.get_mut(..count).unwrap_or_default());
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
