//! Honest releases are never taken for forged ones: random tables over every way to make ladders, released and rebuilt.

use std::fmt::Write;

use equanym_engine::error::Kind;
use equanym_engine::policy::Policy;

use crate::releasing::policy;
use crate::stage::Stage;

/// A column of a random table: its policy, and how a number becomes a value.
type Column = (&'static str, fn(u64) -> String);

/// One way to make ladders each, with values that are written in odd ways.
const COLUMNS: [Column; 8] = [
    ("hierarchy = { intervals = [2.5, 10] }", |seed| {
        let number = seed % 40;
        ["", "-", "+"][(seed % 3) as usize].to_owned()
            + &[format!("{number}.50"), format!("{number}e0")][(seed % 2) as usize]
    }),
    ("hierarchy = { prefix = [3, 1] }", |seed| {
        ["00123", "0012", "Zürich", "日本語", "1", ""][(seed % 6) as usize].to_owned()
    }),
    ("hierarchy = { date = [\"day\", \"month\", \"quarter\", \"decade\"], format = \"DD.MM.YYYY\" }", |seed| {
        format!("{:02}.{:02}.{}", 1 + seed % 28, 1 + seed % 12, 1990 + seed % 30)
    }),
    ("hierarchy = { date = [\"week\", \"year\"] }", |seed| {
        format!("{}-{:02}-{:02}T10:30", 2015 + seed % 9, 1 + seed % 12, 1 + seed % 31 % 28)
    }),
    ("hierarchy = { groups = [{ low = [\"a\", \"b\"], \"=high\" = [\"c\"] }] }", |seed| {
        ["a", "b", "c", "d", ""][(seed % 5) as usize].to_owned()
    }),
    ("hierarchy = { order = [\"p\", \"q\", \"r\", \"s\"], sizes = [2] }", |seed| {
        ["p", "q", "r", "s", ""][(seed % 5) as usize].to_owned()
    }),
    ("type = \"number\"", |seed| ["1", "1.0", "1e0", "2", "02", "x", ""][(seed % 7) as usize].to_owned()),
    ("", |seed| ["-x", "'=y", "=z", "x;=y", ""][(seed % 5) as usize].to_owned()),
];

/// Numbers that look random.
fn shuffled(seed: u64) -> u64 {
    let mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

fn quoted(cell: &str) -> String {
    format!("\"{}\"", cell.replace('"', "\"\""))
}

/// The policy and the table of a seed.
fn random(seed: u64) -> (Policy, String) {
    let chosen: Vec<Column> = (0..3).map(|place| COLUMNS[(shuffled(seed * 7 + place) % 8) as usize]).collect();
    let mut text = "[variables.kept]\nrole = \"insensitive\"\ntype = \"number\"\n".to_owned();
    for (place, (ladder, _)) in chosen.iter().enumerate() {
        let least = shuffled(seed * 11 + place as u64) % 2;
        write!(text, "[variables.c{place}]\nrole = \"quasi-identifying\"\n{ladder}\nlevels = {{ min = {least} }}\n")
            .unwrap();
    }
    let format = ["csv", "parquet"][(seed % 2) as usize];
    text += "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[method]\nsuppression_limit = 0.6\n";
    write!(text, "[output]\nformat = \"{format}\"\n").unwrap();
    let mut table = "c0,c1,kept,c2\n".to_owned();
    for record in 0..60 {
        let value = |place: usize| quoted(&chosen[place].1(shuffled(seed * 1000 + record * 10 + place as u64)));
        let kept = ["5", "5.0", "word", ""][(record % 4) as usize];
        writeln!(table, "{},{},{kept},{}", value(0), value(1), value(2)).unwrap();
    }
    (policy(&text), table)
}

#[test]
fn honest_releases_of_random_tables_are_rebuilt() {
    let mut rebuilt = 0;
    for seed in 0..60 {
        let (wanted, table) = random(seed);
        let stage = Stage::with(table);
        match stage.release(&wanted, "out") {
            Ok(_) => {
                stage.audit("out");
                rebuilt += 1;
            }
            Err(error) => assert_eq!(error.kind, Kind::Unsafe, "{seed}: {error:?}"),
        }
    }
    assert!(rebuilt > 30, "{rebuilt} releases");
}
