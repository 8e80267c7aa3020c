//! Other bytes for the same records.

use super::Mutant;
use crate::release::{HEADER, Release, csv_bytes, parquet_bytes, properties, rows, written_parquet};

/// The same cells in other bytes.
pub fn of_csv() -> Vec<Mutant> {
    let text = String::from_utf8(csv_bytes(&HEADER, &rows())).unwrap();
    let spoilt = [
        ("one other line end", text.replacen('\n', "\r\n", 1)),
        ("an empty quote", text.replacen(",,", ",\"\",", 1)),
        ("a line end more", format!("{text}\n")),
        ("a short record", format!("{text}x,y\n")),
        ("a long record", text.replacen("note 0", "note 0,withheld", 1)),
        ("another delimiter", text.replace(',', ";")),
        ("nothing", String::new()),
        ("only the header", text.lines().next().unwrap().to_owned() + "\n"),
    ];
    let mutant = |(what, bytes): (&str, String)| {
        let mut release = Release::honest();
        release.set_data(bytes.as_bytes());
        (what.to_owned(), release)
    };
    spoilt.into_iter().map(mutant).collect()
}

/// Any byte is another one.
pub fn of_parquet() -> Vec<Mutant> {
    let honest = parquet_bytes(&rows());
    let flips = (0..honest.len()).step_by(honest.len() / 200).map(|place| {
        let mut bytes = honest.clone();
        bytes[place] ^= [0x01, 0x80, 0xff, 0x10][place % 4];
        (format!("byte {place}"), Release::parquet_of(&bytes))
    });
    let others = [
        ("empty texts for nulls", written_parquet(&rows(), properties().build(), |_| false)),
        ("another file behind it", [honest.clone(), honest.clone()].concat()),
        ("bytes before it", [b"x".to_vec(), honest.clone()].concat()),
        ("bytes behind it", [honest.clone(), b"x".to_vec()].concat()),
    ];
    let others = others.into_iter().map(|(what, bytes)| (what.to_owned(), Release::parquet_of(&bytes)));
    flips.chain(others).collect()
}
