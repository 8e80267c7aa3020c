//! Workbooks: XML in an archive.
//!
//! Bytes that are no archive are taken for the parts of one, behind each other, so that mutations meet the XML and not its packing.
//! Never a panic outside the guard, never more memory than the run has, and a table that can be read is the same whole and column by
//! column.
#![no_main]

use equanym_fuzz::{tables, workbook};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if bytes.starts_with(b"PK") {
        tables::read("table.xlsx", bytes);
    } else if let Some(packed) = workbook::packed(bytes) {
        tables::read("table.xlsx", &packed);
    }
});
