//! Delimited text and JSON, packed: rows, fields and columns without end.

use std::io::Write as _;

use super::super::mutated::whole;
use super::{stage, survives};

/// The bytes, again and again, packed as members or frames of a mebibyte or so.
fn packed(head: &str, piece: &str, times: usize) -> [(&'static str, Vec<u8>); 2] {
    let piece = piece.repeat((1 << 20) / piece.len() + 1);
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    [
        ("gz", [gzip(head.as_bytes()), gzip(piece.as_bytes()).repeat(times)].concat()),
        ("zst", [whole::zstd(head.as_bytes()), whole::zstd(piece.as_bytes()).repeat(times)].concat()),
    ]
}

#[test]
fn text_without_end() {
    let stage = stage();
    for (what, format, head, piece) in [
        ("rows", "csv", "v\n", "1\n"),
        ("a field", "csv", "v\n", "x"),
        ("a quoted field", "csv", "v\n\"", "\n"),
        ("columns", "csv", "v", ",a"),
        ("columns of one name", "csv", "v", ",v"),
        ("columns without a name", "csv", "v", ","),
        ("empty lines", "csv", "v\n", "\n"),
        ("fields in a row", "csv", "v\n1", ",1"),
        ("a line", "ndjson", "", "x"),
        ("keys", "ndjson", "{\"v\":1", ",\"v\":1"),
        ("levels", "ndjson", "{\"v\":", "["),
        ("blanks", "ndjson", "{\"v\":1}\n", " "),
    ] {
        for (packing, bytes) in packed(head, piece, 4096) {
            let ran = survives(&stage, &format!("data.{format}.{packing}"), what, &bytes);
            assert!(matches!(ran.code, Some(2 | 3)), "{what}: {ran:?}");
        }
    }
}
