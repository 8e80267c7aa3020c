//! Delimited text.
//!
//! | Input | Test | |
//! |---|---|---|
//! | a line of 1 GB | `single_line_of_1_gb` | the file has a hole: it takes no space on disk |
//! | a time in the gap of daylight saving | `dates_that_are_none` | is taken as its day: no zone is applied, so there is no gap |

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::run::{CANARY, IDENTIFYING, INSENSITIVE, PAIRS, QUASI, Release, Stage, people, people_policy, policy};

/// A table of one quasi-identifier, each value as often as asked, beside names that nobody may see.
fn table(column: &str, values: &[&str], times: usize) -> String {
    let mut text = format!("name,{column}\n");
    for value in values.iter().flat_map(|value| std::iter::repeat_n(value, times)) {
        writeln!(text, "{CANARY},{value}").unwrap();
    }
    text
}

/// A policy for [`table`].
fn table_policy(column: &str, more: &str, rest: &str) -> String {
    policy(&[("name", IDENTIFYING), (column, &format!("{QUASI}\n{more}"))], &format!("{PAIRS}{rest}"))
}

/// Pairs of each value, released with what the policy says more.
fn pairs(values: &[&str], more: &str, rest: &str) -> Release {
    Stage::with(table("v", values, 2), &table_policy("v", more, rest)).release("data.csv", &[]).released()
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn utf8_bom() {
    let release = Stage::with(format!("\u{FEFF}{}", people(120)), &people_policy()).release("data.csv", &[]).released();
    assert!(release.data().starts_with("age,zip,illness,ward\n"), "the first column is known and left out");
}

#[test]
fn utf16_le_be_with_bom() {
    for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let stage = Stage::with(utf16(&people(120), unit), &people_policy());
        stage.release("data.csv", &["--encoding", "utf-8"]).refused(2);
        stage.release("data.csv", &["--encoding", "auto"]).released();
    }
}

#[test]
fn nul_bytes_in_a_field() {
    let bad = people(120).replacen(&format!("{CANARY}7,"), &format!("{CANARY}\07,"), 1);
    Stage::with(bad, &people_policy()).release("data.csv", &[]).refused(2);
}

#[test]
fn ragged_row_short() {
    let bad = people(120).replacen(",flu,west\n", "\n", 1);
    let stage = Stage::with(&bad, &people_policy());
    stage.release("data.csv", &[]).refused(2);
    let release = stage.release("data.csv", &["--ragged", "null"]).released();
    release.warned(&["1 ", "too few cells"]);
}

#[test]
fn duplicate_header_names() {
    Stage::with(people(9).replacen("ward", "age", 1), &people_policy()).release("data.csv", &[]).refused(2);
}

#[test]
fn empty_header_cell() {
    Stage::with(people(9).replacen("zip", "", 1), &people_policy()).release("data.csv", &[]).refused(2);
}

#[test]
fn unclosed_quote_at_eof() {
    let bad = people(120).replacen(&format!("{CANARY}41,"), &format!("\"{CANARY}41,"), 1);
    Stage::with(bad, &people_policy()).release("data.csv", &[]).refused(2);
}

#[test]
fn single_line_of_1_gb() {
    let stage = Stage::of_people();
    let file = OpenOptions::new().append(true).open(stage.path("data.csv")).unwrap();
    file.set_len(1 << 30).unwrap();
    stage.release_within(512, "data.csv", &[]).refused(2);
}

#[test]
fn file_of_0_bytes() {
    Stage::with("", &people_policy()).release("data.csv", &[]).refused(2);
}

#[test]
fn header_only() {
    Stage::with(people(0), &people_policy()).release("data.csv", &[]).refused(1);
}

#[test]
fn wrong_delimiter() {
    let names: Vec<String> = (1..=9).map(|number| format!("v{number}")).collect();
    let variables: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), QUASI)).collect();
    let row = [CANARY; 9].join(";");
    let stage = Stage::with(format!("{}\n{row}\n{row}\n", names.join(";")), &policy(&variables, PAIRS));
    stage.release("data.csv", &["--delimiter", ","]).refused(2);
}

#[test]
fn trailing_delimiter_on_each_row() {
    Stage::with(people(9).replace('\n', ",\n"), &people_policy()).release("data.csv", &[]).refused(2);
}

#[test]
fn integers_beyond_64_bits() {
    let values = ["9223372036854775808", "18446744073709551616", "18446744073709551617"];
    let exact = pairs(&values, "type = \"number\"", "");
    assert_eq!(exact.classes(), 3, "neighbours beyond 2^53 stay apart");
    assert!(values.iter().all(|value| exact.data().contains(value)));
    let banded = pairs(&values, "hierarchy = { intervals = [10] }\nlevels = { min = 1 }", "");
    assert!(banded.data().contains("[18446744073709551610, 18446744073709551620["), "{}", banded.data());
    assert_eq!(banded.classes(), 2);
}

#[test]
fn minus_0_and_0() {
    let release = pairs(&["0", "-0", "7"], "type = \"number\"", "");
    assert_eq!((release.classes(), release.data().as_str()), (2, "v\n0\n0\n0\n0\n7\n7\n"));
    release.warned(&["`v`", "1 spelling of a number"]);
    assert_eq!(pairs(&["0", "-0"], "", "").classes(), 2, "as texts they differ");
}

#[test]
fn one_number_in_three_spellings() {
    let values = ["1e5", "100000", "100000.0"];
    let numbers = pairs(&values, "type = \"number\"", "");
    assert_eq!(
        (numbers.classes(), numbers.data().as_str()),
        (1, "v\n100000\n100000\n100000\n100000\n100000\n100000\n")
    );
    numbers.warned(&["`v`", "2 spellings"]);
    assert_eq!(pairs(&values, "", "").classes(), 3, "as texts they differ");
}

#[test]
fn dates_that_are_none() {
    let cases = [
        ("31/02/2026", "27/02/2026", "DD/MM/YYYY"),
        ("01.03.26", "01.03.2026", "DD.MM.YYYY"),
        ("0001-01-01", "2001-01-01", "YYYY-MM-DD"),
    ];
    for (bad, good, format) in cases {
        let ladder = format!("hierarchy = {{ date = [\"month\", \"year\"], format = \"{format}\" }}");
        let stage = Stage::with(table("day", &[good, bad], 3), &table_policy("day", &ladder, ""));
        let ran = stage.release("data.csv", &[]).refused(2);
        assert!(!ran.stderr.contains(bad), "{ran:?}");
    }
    let gap = ["2026-03-29T02:30:00", "2026-03-29 23:59"];
    let release = pairs(&gap, "hierarchy = { date = [\"day\"] }\nlevels = { min = 1 }", "");
    assert!(release.data().contains("\n2026-03-29\n"), "{}", release.data());
}

#[test]
fn spaces_of_every_kind() {
    let values = ["Ann", "Ann ", "Ann\u{A0}", "\u{200B}Ann", "Bea"];
    let exact = pairs(&values, "", "");
    assert_eq!(exact.classes(), 5);
    exact.warned(&["`v`", "4 values differ from others only by blanks", "trim"]);
    let trimmed = pairs(&values, "", "[data]\ntrim = true\n");
    assert_eq!((trimmed.classes(), trimmed.warnings()), (2, vec![]));
}

#[test]
fn composed_and_decomposed_letters() {
    let values = ["Zo\u{EB}", "Zoe\u{308}", "Bea"];
    let exact = pairs(&values, "", "");
    assert_eq!(exact.classes(), 3);
    exact.warned(&["`v`", "2 values differ from others only by Unicode form", "NFC"]);
    let joined = pairs(&values, "", "[data]\nnormalise = \"NFC\"\n");
    assert_eq!((joined.classes(), joined.warnings()), (2, vec![]));
}

#[test]
fn quasi_identifier_without_a_value() {
    let release = pairs(&["", ""], "", "");
    assert_eq!(release.classes(), 1);
    release.warned(&["`v`", "every value is missing"]);
}

#[test]
fn words_for_missing() {
    let values = ["", "NA", "NULL", "\\N"];
    let literal = pairs(&values, "", "");
    assert_eq!(literal.classes(), 4);
    literal.warned(&["`v`", "3 values look like words for missing", "missing"]);
    let declared = pairs(&values, "", "[data]\nmissing = [\"NA\", \"NULL\", \"\\\\N\"]\n");
    assert_eq!((declared.classes(), declared.data().as_str()), (1, format!("v\n{}", "\"\"\n".repeat(8)).as_str()));
}

#[test]
fn unique_quasi_identifier() {
    let values: Vec<String> = (10..40).map(|number| format!("{CANARY}{number}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let bare = Stage::with(table("id", &values, 1), &table_policy("id", "", ""));
    bare.release("data.csv", &[]).refused(2);
    let ladder = table_policy("id", "hierarchy = { prefix = [2] }", "");
    let release = Stage::with(table("id", &values, 1), &ladder).release("data.csv", &[]).released();
    release.warned(&["`id`", "as many values as records", "direct identifier"]);
}

#[test]
fn hostile_column_names() {
    let names = ["\"; DROP TABLE x; --", "a\"b", "../../etc/passwd", "'", "0", "records", "=cmd()"];
    let header: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let mut variables: Vec<(&str, &str)> = names.iter().map(|name| (*name, QUASI)).collect();
    variables[1].1 = INSENSITIVE;
    let rows = "1,2,3,4,5,6,7\n".repeat(4);
    let stage = Stage::with(format!("{}\n{rows}", header.join(",")), &policy(&variables, PAIRS));
    let release = stage.release("data.csv", &[]).released();
    let written = release.data();
    let written = written.lines().next().unwrap();
    assert!(
        written.starts_with("\"\"\"; DROP TABLE x;' --\""),
        "a spreadsheet may part it at the semicolon: {written}"
    );
    for name in &header[1..6] {
        assert!(written.contains(name.trim_matches('"')), "{name} in {written}");
    }
    assert!(written.ends_with(",'=cmd()"), "{written}");
    assert!(names.iter().all(|name| *name == "a\"b" || release.document["node"][name] == 0));
}

/// More than 128 MiB in some hundred kilobytes: one packed piece many times over.
fn bomb(stage: &Stage, name: &str, piece: &[u8]) {
    let mut file = File::create(stage.path(name)).unwrap();
    for _ in 0..128 {
        file.write_all(piece).unwrap();
    }
    assert!(fs::metadata(stage.path(name)).unwrap().len() < 1 << 20);
}

#[test]
fn gzip_bomb() {
    let stage = Stage::of_people();
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&vec![b'x'; 1 << 20]).unwrap();
    bomb(&stage, "bomb.csv.gz", &packer.finish().unwrap());
    bomb(&stage, "bomb.csv.zst", &zstd::encode_all(&vec![b'x'; 1 << 20][..], 3).unwrap());
    for name in ["bomb.csv.gz", "bomb.csv.zst"] {
        stage.release_within(512, name, &[]).refused(3);
    }
}

#[test]
fn empty_lines_of_one_column() {
    let mut table = "v\n".to_owned();
    for record in 0..200 {
        table += if record % 200 < 126 { "a\n" } else { "\n" };
    }
    let release = Stage::with(table, &policy(&[("v", QUASI)], PAIRS)).release("data.csv", &[]).released();
    assert_eq!((&release.document["records"], &release.document["released"]), (&200.into(), &200.into()));
}

#[test]
fn line_ends_of_several_kinds() {
    let mixed = people(120).replacen('\n', "\r\n", 60);
    let release = Stage::with(mixed, &people_policy()).release("data.csv", &[]).released();
    release.warned(&["1 file", "end in more than one way"]);
    let release = Stage::with(people(120), &people_policy()).release("data.csv", &[]).released();
    assert!(release.warnings().iter().all(|warning| !warning.contains("way")), "{release:?}");
}

#[test]
fn values_that_differ_by_case() {
    pairs(&["Wien", "wien", "Graz"], "", "").warned(&["`v`", "2 values differ from others only by case"]);
    pairs(&["Wien ", "WIEN", "Graz"], "", "").warned(&["`v`", "2 values", "blanks, case and Unicode form together"]);
}

#[test]
fn a_quasi_identifier_of_one_value() {
    let stage = Stage::with(table("v", &["a"], 4), &table_policy("v", "", ""));
    stage.release("data.csv", &[]).released().warned(&["`v`", "every record has the same value"]);
    // People at a terminal are told, too.
    let call = ["release", "data.csv", "--policy", "policy.toml", "--out", "told"].map(std::ffi::OsStr::new);
    let ran = stage.finish(&mut stage.command(&call));
    assert!(ran.stdout.contains("look  constant: column `v`: every record has the same value"), "{ran:?}");
}
