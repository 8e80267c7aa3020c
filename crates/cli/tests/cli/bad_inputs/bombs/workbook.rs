//! Workbooks: texts that are said again and again, lists that claim too much, parts that expand.

use super::super::mutated::whole;
use super::{refused, stage, survives};

/// The parts of an honest workbook, one of them or another instead; the first column of people is called `v`.
fn with(part: &'static str, text: String) -> Vec<u8> {
    let mut parts = whole::workbook();
    parts.retain(|(name, _)| *name != part);
    parts.push((part, text.into_bytes()));
    whole::zip(&parts)
}

fn texts(claim: &str, texts: &str) -> String {
    format!("<sst {claim}>{texts}</sst>")
}

fn rows(rows: &str) -> String {
    format!("<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>{rows}</sheetData></worksheet>")
}

/// A row with a cell for each of so many columns, all of the second shared text.
fn row(number: usize, cells: usize) -> String {
    format!("<row r=\"{number}\">{}</row>", "<c t=\"s\"><v>1</v></c>".repeat(cells))
}

fn book(shared: &str, cells: &str) -> Vec<u8> {
    let mut parts = whole::workbook();
    parts.retain(|(name, _)| !name.contains("sharedStrings") && !name.contains("sheet1"));
    parts.push(("xl/sharedStrings.xml", texts("", shared).into_bytes()));
    parts.push(("xl/worksheets/sheet1.xml", rows(cells).into_bytes()));
    whole::zip(&parts)
}

#[test]
fn one_text_in_many_cells() {
    let stage = stage();
    let shared = format!("<si><t>v</t></si><si><t>{}</t></si>", "y".repeat(200_000));
    let head = "<row r=\"1\"><c t=\"s\"><v>0</v></c></row>";
    let below: String = (2..80_002).map(|number| row(number, 1)).collect();
    let bytes = book(&shared, &(head.to_owned() + &below));
    assert!(bytes.len() < 1_000_000, "{}", bytes.len());
    refused(&stage, "data.xlsx", "a text in 80,000 rows", &bytes, 3);
    refused(&stage, "data.xlsx", "a text in a row", &book(&shared, &row(1, 16_000)), 3);
}

#[test]
fn lists_and_places_that_claim_too_much() {
    let stage = stage();
    let one = "<si><t>v</t></si>";
    for (what, claim) in [
        ("a thousand million texts", "uniqueCount=\"1000000000\""),
        ("texts beyond numbers", "uniqueCount='99999999999999999999999'"),
        ("texts in spaces", "count=\"1\" uniqueCount = \"4000000000\""),
    ] {
        refused(&stage, "data.xlsx", what, &with("xl/sharedStrings.xml", texts(claim, one)), 3);
    }
    let wide = |bytes: &str| bytes.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut parts = whole::workbook();
    parts.retain(|(name, _)| *name != "xl/sharedStrings.xml");
    let claim = texts("uniqueCount=\"1000000000\"", one);
    parts.push(("xl/sharedStrings.xml", [vec![0xFF, 0xFE], wide(&claim)].concat()));
    refused(&stage, "data.xlsx", "texts in UTF-16", &whole::zip(&parts), 3);
    for place in ["ZZZZZZ1", "A4294967295", "XFD1048576", "A99999999999999999999"] {
        let rows = rows(&format!("<row r=\"1\"><c r=\"{place}\"><v>1</v></c></row>"));
        survives(&stage, "data.xlsx", place, &with("xl/worksheets/sheet1.xml", rows));
    }
}

#[test]
fn parts_that_expand() {
    let stage = stage();
    let long = |text: &str, bytes: usize| text.repeat(bytes / text.len());
    let style = |inner: String| format!("<styleSheet><fonts>{inner}</fonts><cellXfs><xf/></cellXfs></styleSheet>");
    for (what, part, text) in [
        ("blanks", "xl/worksheets/sheet1.xml", rows(&long(" ", 100 << 20))),
        ("fonts", "xl/styles.xml", style(long("<font/>", 30 << 20))),
        ("sheets", "xl/workbook.xml", format!("<workbook><sheets>{}</sheets></workbook>", long("<sheet/>", 30 << 20))),
        ("texts", "xl/sharedStrings.xml", texts("", &long("<si><t/></si>", 60 << 20))),
        ("runs", "xl/sharedStrings.xml", texts("", &format!("<si>{}</si>", long("<r><t>abcdefgh</t></r>", 60 << 20)))),
        ("a comment", "xl/sharedStrings.xml", texts("", &format!("<!--{}-->", long("<x>", 63 << 20)))),
        (
            "a cell",
            "xl/worksheets/sheet1.xml",
            rows(&format!("<row><c><is><t>{}</t></is></c></row>", long("x", 60 << 20))),
        ),
    ] {
        let bytes = with(part, text);
        assert!(bytes.len() < 1 << 20, "{what}: {}", bytes.len());
        // What fits in memory is no bomb, and the policy is of another table.
        let ran = survives(&stage, "data.xlsx", what, &bytes);
        assert!(matches!(ran.code, Some(2 | 3)), "{what}: {ran:?}");
    }
}
