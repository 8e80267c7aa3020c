//! The parts of a workbook, packed.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

/// What stands between parts.
pub const BETWEEN: &[u8] = b"\n=====\n";

/// What the parts are called, one after the other.
const NAMES: [&str; 7] = [
    "xl/worksheets/sheet1.xml",
    "xl/sharedStrings.xml",
    "xl/styles.xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "_rels/.rels",
    "[Content_Types].xml",
];

/// The archive of these parts; what is left out is usual.
pub fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut parts = parts(bytes).into_iter();
    for (name, usual) in NAMES.into_iter().zip(USUAL) {
        archive.start_file(name, stored).ok()?;
        archive.write_all(parts.next().unwrap_or(usual.as_bytes())).ok()?;
    }
    Some(archive.finish().ok()?.into_inner())
}

fn parts(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(place) = rest.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        parts.push(&rest[..place]);
        rest = &rest[place + BETWEEN.len()..];
    }
    parts.push(rest);
    parts
}

/// What a small workbook has in its parts.
pub const USUAL: [&str; 7] = [
    r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Ann</t></is></c><c r="B2" s="1"><v>45000</v></c></row><row r="3"><c r="A3" t="b"><v>1</v></c><c r="B3" s="2"><v>45000.75</v></c></row><row r="5"><c r="A5"><f>1/2</f><v>0.5</v></c><c r="B5" t="d"><v>2024-02-29T12:00:00</v></c></row></sheetData></worksheet>"#,
    r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="2" uniqueCount="2"><si><t>name</t></si><si><r><t>se</t></r><r><t xml:space="preserve">en</t></r></si></sst>"#,
    r#"<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs></styleSheet>"#,
    r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="0"/><sheets><sheet name="people" sheetId="1" state="visible" r:id="r1"/></sheets></workbook>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    "<Types/>",
];
