//! Workbooks, made by hand from their parts.

use std::io::{Cursor, Write};
use std::path::PathBuf;

use equanym_engine::read::{Reading, open};
use zip::write::SimpleFileOptions;

use super::{CANARY, Folder, plain, refusal, refused, shown};

/// Sheets with their state and rows of cells in XML.
pub(crate) fn workbook(sheets: &[(&str, &str, &str)], epoch_1904: bool) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &str| {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    };
    let numbers = || (1..=sheets.len()).zip(sheets);
    let listed: Vec<String> = numbers()
        .map(|(place, (name, state, _))| {
            format!(r#"<sheet name="{name}" sheetId="{place}" state="{state}" r:id="r{place}"/>"#)
        })
        .collect();
    let related: Vec<String> = numbers()
        .map(|(place, _)| {
            format!(r#"<Relationship Id="r{place}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{place}.xml"/>"#)
        })
        .collect();
    add("[Content_Types].xml", "<Types/>");
    add(
        "_rels/.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    );
    add(
        "xl/workbook.xml",
        &format!(
            r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="{}"/><sheets>{}</sheets></workbook>"#,
            u8::from(epoch_1904),
            listed.concat()
        ),
    );
    add(
        "xl/_rels/workbook.xml.rels",
        &format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>"#,
            related.concat()
        ),
    );
    add(
        "xl/styles.xml",
        r#"<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>"#,
    );
    for (place, (.., rows)) in numbers() {
        let text = format!(
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#
        );
        add(&format!("xl/worksheets/sheet{place}.xml"), &text);
    }
    archive.finish().unwrap().into_inner()
}

pub(crate) fn text(place: &str, text: &str) -> String {
    format!(r#"<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

pub(crate) fn row(number: usize, cells: &str) -> String {
    format!(r#"<row r="{number}">{cells}</row>"#)
}

fn sheet() -> String {
    row(1, &(text("A1", "name") + &text("B1", "age") + &text("C1", "seen")))
        + &row(2, &(text("A2", "Ann") + r#"<c r="B2"><v>41</v></c><c r="C2" s="1"><v>45000</v></c>"#))
        + &row(3, r#"<c r="B3"><f>1/2</f><v>0.5</v></c><c r="C3" s="2"><v>45000.75</v></c>"#)
        + &row(4, "")
        + &row(7, &(text("A7", "Bea") + r#"<c r="B7" t="b"><v>1</v></c>"#))
}

fn file(folder: &Folder, bytes: &[u8]) -> PathBuf {
    folder.file("people.xlsx", bytes)
}

#[test]
fn cells_come_as_text_and_empty_rows_do_not() {
    let folder = Folder::new();
    let path = file(&folder, &workbook(&[("Sheet1", "visible", &sheet())], false));
    assert_eq!(open(&path, &Reading::default()).unwrap().columns(), ["name", "age", "seen"]);
    assert_eq!(
        plain(&path),
        ["Ann|41|2023-03-15T00:00:00", "~|0.5|2023-03-15T18:00:00", "Bea|true|~"],
        "one form in a column"
    );
    // The other calendar starts four years later.
    let path = file(&folder, &workbook(&[("Sheet1", "visible", &sheet())], true));
    assert_eq!(plain(&path)[0], "Ann|41|2027-03-16T00:00:00");
}

#[test]
fn a_hidden_sheet_is_read_when_it_is_named_only() {
    let folder = Folder::new();
    let other = row(1, &text("A1", "x")) + &row(2, &text("A2", "1"));
    let path = file(&folder, &workbook(&[("secret", "hidden", &sheet()), ("shown", "visible", &other)], false));
    assert_eq!(plain(&path), ["1"]);
    let named = |sheet: &str| Reading { sheet: Some(sheet.to_owned()), ..Reading::default() };
    assert_eq!(shown(&path, &named("secret")).len(), 3);
    refusal(&path, &named("absent"), 2);
    let path = file(&folder, &workbook(&[("secret", "veryHidden", &sheet())], false));
    refused(&path);
}

#[test]
fn errors_and_stray_cells_are_refused_with_their_place() {
    let folder = Folder::new();
    let check = |extra: &str| {
        refused(&file(&folder, &workbook(&[("s", "visible", &(sheet() + extra))], false)));
    };
    check(&row(8, r#"<c r="B8" t="e"><v>#N/A</v></c>"#));
    check(&row(8, &text("D8", CANARY)));
    refused(&file(&folder, &workbook(&[("s", "visible", "")], false)));
    let twice = row(1, &(text("A1", "x") + &text("B1", "x")));
    refused(&file(&folder, &workbook(&[("s", "visible", &twice)], false)));
}

#[test]
fn damaged_workbooks_are_refused() {
    let folder = Folder::new();
    let whole = workbook(&[("s", "visible", &sheet())], false);
    refused(&file(&folder, b""));
    refused(&file(&folder, b"name,age\nZq7Canary,1\n"));
    for cut in (0..whole.len()).step_by(97).skip(1) {
        let path = file(&folder, &whole[..cut]);
        assert!(super::read(&path, &Reading::default()).is_err(), "{cut}");
    }
    for place in (0..whole.len()).step_by(13) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x55;
        // Read or refused: never a panic.
        drop(super::read(&file(&folder, &bytes), &Reading::default()));
    }
}

#[test]
fn a_bomb_is_not_unpacked() {
    let folder = Folder::new();
    let rows = sheet() + &" ".repeat(100 << 20);
    let bytes = workbook(&[("s", "visible", &rows)], false);
    assert!(bytes.len() < 1 << 20);
    refusal(&file(&folder, &bytes), &Reading::default(), 3);
}

#[test]
fn a_cell_beyond_the_grid_makes_no_room() {
    let folder = Folder::new();
    for place in ["ZZZZZZ2", "XFE2", "A1048577"] {
        let rows = row(1, &text("A1", "x")) + &row(2, &text(place, CANARY));
        refused(&file(&folder, &workbook(&[("s", "visible", &rows)], false)));
    }
    // The header makes room, too.
    let rows = row(1, &(text("A1", "x") + &text("ZZZZZZ1", "y")));
    refused(&file(&folder, &workbook(&[("s", "visible", &rows)], false)));
    let rows = row(1, &text("XFD1", "x")) + &row(1_048_576, &text("XFD1048576", "1"));
    let path = file(&folder, &workbook(&[("s", "visible", &rows)], false));
    assert_eq!(plain(&path).len(), 1_048_575);
}

#[test]
fn an_empty_row_of_one_column_is_a_missing_value() {
    let folder = Folder::new();
    let rows = row(1, &text("A1", "x")) + &row(3, &text("A3", "1")) + &row(4, "") + &row(6, &text("A6", "2"));
    let path = file(&folder, &workbook(&[("s", "visible", &rows)], false));
    assert_eq!(plain(&path), ["~", "1", "~", "~", "2"]);
}
