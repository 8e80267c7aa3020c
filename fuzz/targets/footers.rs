//! Footers and pages: what Parquet and Arrow IPC claim, read by the engine and by the audit.
//!
//! The bytes are a file. Never a panic outside the guards, and never more memory than the run has. A table that can be read is the
//! same whole, column by column and in parts. Both Parquet readers find the same number of records.
#![no_main]

use equanym_fuzz::{audited, tables};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if bytes.starts_with(b"ARROW1") || bytes.starts_with(&[0xff; 4]) {
        tables::read("table.arrow", bytes);
        return;
    }
    let read = tables::read("table.parquet", bytes);
    let audited = audited::parquet(bytes, read.as_ref().map_or(&[], |table| &table.columns));
    if let (Some(read), Some(audited)) = (read, audited) {
        assert_eq!(read.records, audited, "records, read by engine and audit");
    }
});
