//! The clinic's table as a file: text as an old export writes it, a workbook, or Parquet.
//!
//! All three hold the same table. Text has dates as `19.04.1976` and numbers as `72,5`; a workbook and Parquet have cells
//! with a type. A word for missing stands as text in a workbook, and is null in a typed column of Parquet.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::table::{COLUMNS, Cell};

type Outcome = Result<(), Box<dyn Error>>;

/// Writes the table in the format that the name of the file says.
pub fn write(path: &Path, records: &[Vec<Cell>]) -> Outcome {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Ok(fs::write(path, windows_1252(&text(records))?)?),
        Some("xlsx") => workbook(path, records),
        Some("parquet") => parquet(path, records),
        _ => Err("the file must end in .csv, .xlsx or .parquet".into()),
    }
}

/// Delimited text: semicolons, decimal commas, dates with dots.
pub fn text(records: &[Vec<Cell>]) -> String {
    let mut text = COLUMNS.join(";") + "\r\n";
    for record in records {
        let cells: Vec<String> = record.iter().map(written).collect();
        text.push_str(&cells.join(";"));
        text.push_str("\r\n");
    }
    text
}

/// No cell holds a semicolon, a quote or a line end, so nothing needs quoting.
fn written(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Day(day) => {
            let (year, month, day) = civil(*day);
            format!("{day:02}.{month:02}.{year:04}")
        }
        Cell::Whole(number) => number.to_string(),
        Cell::Tenths(tenths) => format!("{},{}", tenths / 10, tenths % 10),
        Cell::Missing(word) => (*word).to_owned(),
    }
}

/// Year, month and day of a day counted from 1970-01-01.
fn civil(day: i32) -> (i32, u32, u32) {
    let is_leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut left) = (1970, day);
    while left < 0 {
        year -= 1;
        left += 365 + i32::from(is_leap(year));
    }
    while left >= 365 + i32::from(is_leap(year)) {
        left -= 365 + i32::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for days in [31, 28 + i32::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    (year, month, left.unsigned_abs() + 1)
}

/// The letters of the table are among the first 256 of Unicode, which Windows-1252 has in the same places.
fn windows_1252(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(text.chars().map(|letter| u8::try_from(u32::from(letter))).collect::<Result<_, _>>()?)
}

fn parquet(path: &Path, records: &[Vec<Cell>]) -> Outcome {
    let columns = COLUMNS.iter().enumerate().map(|(place, name)| (*name, column(records, place)));
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))?;
    let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

/// A column in the type of its first cell that is not missing.
fn column(records: &[Vec<Cell>], place: usize) -> ArrayRef {
    let cells = || records.iter().filter_map(|record| record.get(place));
    match cells().find(|cell| !matches!(cell, Cell::Missing(_))) {
        Some(Cell::Day(_)) => Arc::new(
            cells().map(|cell| if let Cell::Day(day) = cell { Some(*day) } else { None }).collect::<Date32Array>(),
        ),
        Some(Cell::Whole(_)) => Arc::new(
            cells()
                .map(|cell| if let Cell::Whole(number) = cell { Some(i64::from(*number)) } else { None })
                .collect::<Int64Array>(),
        ),
        Some(Cell::Tenths(_)) => Arc::new(
            cells()
                .map(|cell| if let Cell::Tenths(tenths) = cell { Some(f64::from(*tenths) / 10.0) } else { None })
                .collect::<Float64Array>(),
        ),
        _ => Arc::new(cells().map(|cell| Some(written(cell))).collect::<StringArray>()),
    }
}

/// The least that a spreadsheet program takes for a workbook: one sheet, cells with types, and a style for dates.
fn workbook(path: &Path, records: &[Vec<Cell>]) -> Outcome {
    let mut archive = ZipWriter::new(File::create(path)?);
    for (name, content) in [
        ("[Content_Types].xml", CONTENT_TYPES.to_owned()),
        ("_rels/.rels", ROOT.to_owned()),
        ("xl/workbook.xml", WORKBOOK.to_owned()),
        ("xl/_rels/workbook.xml.rels", PARTS.to_owned()),
        ("xl/styles.xml", STYLES.to_owned()),
        ("xl/worksheets/sheet1.xml", sheet(records)),
    ] {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(content.as_bytes())?;
    }
    archive.finish()?;
    Ok(())
}

fn sheet(records: &[Vec<Cell>]) -> String {
    let headings = COLUMNS.map(|name| Cell::Text(name.to_owned())).to_vec();
    let mut xml = format!("{XML}<worksheet xmlns=\"{MAIN}\"><sheetData>");
    for (line, cells) in std::iter::once(&headings).chain(records).enumerate() {
        let _ = write!(xml, "<row r=\"{}\">", line + 1);
        for (place, cell) in cells.iter().enumerate() {
            let address = format!("{}{}", char::from(b'A' + u8::try_from(place).unwrap_or(25)), line + 1);
            let _ = match cell {
                Cell::Day(day) => write!(xml, "<c r=\"{address}\" s=\"1\"><v>{}</v></c>", day + EPOCH),
                Cell::Whole(number) => write!(xml, "<c r=\"{address}\"><v>{number}</v></c>"),
                Cell::Tenths(tenths) => write!(xml, "<c r=\"{address}\"><v>{}.{}</v></c>", tenths / 10, tenths % 10),
                Cell::Text(_) | Cell::Missing(_) => {
                    write!(xml, "<c r=\"{address}\" t=\"inlineStr\"><is><t>{}</t></is></c>", written(cell))
                }
            };
        }
        xml.push_str("</row>");
    }
    xml + "</sheetData></worksheet>"
}

/// 1970-01-01 in the days of a workbook.
const EPOCH: i32 = 25_569;

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const CONTENT_TYPES: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\
    <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
    <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
    <Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>\
    <Override PartName=\"/xl/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/>\
    <Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>\
    </Types>";
const ROOT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\
    <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/>\
    </Relationships>";
const WORKBOOK: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\
    <workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
    <sheets><sheet name=\"Aufnahmen\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>";
const PARTS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\
    <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
    <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles\" Target=\"styles.xml\"/>\
    </Relationships>";
/// The second style is that of dates.
const STYLES: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\
    <styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">\
    <fonts count=\"1\"><font/></fonts><fills count=\"1\"><fill/></fills><borders count=\"1\"><border/></borders>\
    <cellStyleXfs count=\"1\"><xf/></cellStyleXfs>\
    <cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>";
