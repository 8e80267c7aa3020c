//! Spreadsheets: one sheet of an `.xlsx` file, its first row the names.
//!
//! Cells give the value that was saved with the file; formulas are not computed. Dates are written `YYYY-MM-DD`, under both of
//! Excel's calendars. Where one date of a column has a time of day, all are written with one, after `T`: a column has one form.
//! A cell that holds an error is refused.
//! Without `[data] sheet` the first sheet that is shown is read, never a hidden one. An `.xlsx` is a zip archive: its
//! entries are unpacked once and thrown away before anything parses them, and more than [`compress`]'s cap is refused. So is what
//! would not fit in memory once it is parsed ([`xml`](super::xml)), and what one text said again and again would make too long.
//! A cell names its own place, and room is made up to there: one beyond the grid of a spreadsheet is refused.
//!
//! A row without any cell is no record, except where the table has one column: there it is a missing value.
//!
//! Limit: all texts of the workbook are held in memory; empty rows after the last cell are not seen.

use std::fmt::Write;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use calamine::{Cell, DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx};

use super::clean::Cleaner;
use super::compress::GivenTexts;
use super::handle::Handle;
use super::text::write_float;
use super::xml::XmlWeight;
use super::{
    Batches, File, FileHead, ReadRequest, Reading, columns, compress, failure, one_by_one, text_batch, text_schema,
};
use crate::error::{Error, Result};
use crate::machine::memory;

type Workbook = Xlsx<BufReader<Handle>>;

/// The rows and columns that a sheet has at most.
const GRID: (u32, u32) = (1_048_576, 16_384);
/// A batch ends when its cells hold this many bytes.
const BATCH_BYTES: usize = 32 << 20;

/// Reads the names of the columns.
pub(super) fn head(file: &File, reading: &Reading) -> Result<FileHead> {
    let name = file.name();
    refuse_bombs(file)?;
    let mut names: Vec<String> = Vec::new();
    let mut timed = Vec::new();
    let mut take = |row: SheetRow| {
        if names.is_empty() {
            names = row.cells.into_iter().map(|cell| cell.text).collect();
            timed = vec![false; names.len()];
        } else {
            timed.iter_mut().zip(&row.cells).for_each(|(timed, cell)| *timed |= cell.kind == CellKind::Moment);
        }
        Ok(true)
    };
    failure::guarded(&name, || rows(file, reading, &mut take))?;
    if names.is_empty() {
        return Err(Error::input(format!("{name}: empty input: the sheet has no header row")));
    }
    let cleaned = Cleaner::new(reading).names(names.iter().map(String::as_str));
    columns::check(&name, &cleaned)?;
    Ok(FileHead { columns: cleaned, types: Vec::new(), delimiter: None, timed })
}

/// The batches of the columns asked for. The library lends its cells, so they are read on a thread of their own.
pub(super) fn read(request: &ReadRequest<'_>) -> Result<Batches> {
    let name = request.file.name();
    let (file, reading) = (request.file.clone(), request.reading.clone());
    let mut filler = Filler {
        schema: text_schema(&request.head.columns, request.projection),
        builders: request.projection.iter().map(|_| StringBuilder::new()).collect(),
        projection: request.projection.to_vec(),
        columns: request.head.columns.clone(),
        timed: request.head.timed.clone(),
        cleaner: Cleaner::new(request.reading),
        cleaners: Cleaner::all(request.reading, &request.head.columns, request.projection),
        name,
        rows: 0,
        bytes: 0,
    };
    let (sender, receiver) = sync_channel(2);
    let work = move || {
        let name = file.name();
        let outcome = failure::guarded(&name, || filler.fill(&file, &reading, &sender));
        if let Err(error) = outcome {
            // Nobody listens any more: nobody wants to know.
            let _ = sender.send(Err(error));
        }
    };
    thread::Builder::new().spawn(work).map_err(|_| Error::environment("the system refuses to start another thread"))?;
    Ok(one_by_one(move || next(&receiver)))
}

fn next(receiver: &Receiver<Result<RecordBatch>>) -> Result<Option<RecordBatch>> {
    receiver.recv().ok().transpose()
}

/// Unpacks every entry and counts what comes out.
fn refuse_bombs(file: &File) -> Result<()> {
    let name = file.name();
    let size = file.size()?;
    if size == 0 {
        return Err(Error::input(format!("{name}: empty input: the file has 0 bytes")));
    }
    failure::guarded(&name, || {
        let mut archive = zip::ZipArchive::new(BufReader::new(file.open()?)).map_err(|_| failure::damaged(&name))?;
        let (mut given, mut kept, room) = (0, 0_u64, memory::room());
        for place in 0..archive.len() {
            let entry = archive.by_index(place).map_err(|_| failure::damaged(&name))?;
            let mut weight = XmlWeight::default();
            given += unpacked(entry, size, given, &mut weight).map_err(|error| failure::reading(&name, &error))?;
            if compress::is_bomb(size, given) {
                return Err(compress::bomb(&name));
            }
            kept = kept.saturating_add(weight.kept);
            // The longest is held some times over while it is put together.
            if kept.max(weight.longest.saturating_mul(4)) > room {
                return Err(failure::no_room(&name, "what the workbook holds"));
            }
        }
        Ok(())
    })
}

/// How many bytes an entry has, counted and weighed up to the cap.
fn unpacked(mut entry: impl io::Read, size: u64, given: u64, weight: &mut XmlWeight) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut count = 0;
    while !compress::is_bomb(size, given + count) {
        match entry.read(&mut buffer)? {
            0 => break,
            read => {
                weight.take(buffer.get(..read).unwrap_or_default());
                count += read as u64;
            }
        }
    }
    Ok(count)
}

/// A row of the sheet.
struct SheetRow {
    /// Counted from 1, as the program shows it.
    number: u32,
    /// From the first column of the sheet's header on.
    cells: Vec<SheetCell>,
    /// Of their texts.
    bytes: usize,
}

/// What a cell shows.
#[derive(Debug, Clone, Default)]
struct SheetCell {
    text: String,
    kind: CellKind,
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum CellKind {
    Text,
    /// A date at midnight.
    Day,
    /// A date with a time of day.
    Moment,
    /// A number, a truth, or nothing.
    #[default]
    Other,
}

/// What a day has where others of its column have a time.
const MIDNIGHT: &str = "T00:00:00";

/// Hands over the rows that hold anything, until told to stop.
fn rows(file: &File, reading: &Reading, take: &mut dyn FnMut(SheetRow) -> Result<bool>) -> Result<()> {
    let name = file.name();
    let mut workbook: Workbook = Xlsx::new(BufReader::new(file.open()?)).map_err(|_| failure::damaged(&name))?;
    let sheet = sheet(&name, &workbook, reading)?;
    let mut cells = workbook.worksheet_cells_reader(&sheet).map_err(|_| failure::damaged(&name))?;
    let mut row: Option<SheetRow> = None;
    let mut first_column = None;
    let (mut given, room) = (GivenTexts::new(file.size()?), memory::room());
    while let Some(cell) = cells.next_cell().map_err(|_| failure::damaged(&name))? {
        let (line, column) = cell.get_position();
        if line >= GRID.0 || column >= GRID.1 {
            return Err(beyond_grid(&name));
        }
        let number = line + 1;
        let content = SheetCell { text: text(&name, &cell)?, kind: kind(cell.get_value()) };
        if content.text.is_empty() && row.as_ref().is_none_or(|row| row.number != number) {
            continue;
        }
        let first = *first_column.get_or_insert(column);
        let Some(place) = column.checked_sub(first).and_then(|place| usize::try_from(place).ok()) else {
            return Err(Error::input(format!("{name}: row {number}: a cell left of the first column")));
        };
        if let Some(done) = row.take_if(|row| row.number != number)
            && !take(done)?
        {
            return Ok(());
        }
        given.give(&name, 1, content.text.len() as u64)?;
        let row = row.get_or_insert_with(|| SheetRow { number, cells: Vec::new(), bytes: 0 });
        row.bytes += content.text.len();
        if row.bytes as u64 > room {
            return Err(failure::no_room(&name, "a row"));
        }
        row.cells.resize(row.cells.len().max(place + 1), SheetCell::default());
        if let Some(slot) = row.cells.get_mut(place) {
            *slot = content;
        }
    }
    row.map_or(Ok(false), take).map(|_| ())
}

fn beyond_grid(name: &str) -> Error {
    Error::input(format!("{name}: a cell lies beyond row {} or column {}, where no sheet has any", GRID.0, GRID.1))
        .hint("save the workbook again with a spreadsheet program")
}

/// The sheet that is asked for, or the first that is shown.
fn sheet(name: &str, workbook: &Workbook, reading: &Reading) -> Result<String> {
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let mut sheets = sheets.filter(|sheet| match &reading.sheet {
        Some(wanted) => sheet.name == *wanted,
        None => sheet.visible == SheetVisible::Visible,
    });
    sheets.next().map(|sheet| sheet.name.clone()).ok_or_else(|| {
        let what = if reading.sheet.is_some() { "has no sheet of that name" } else { "shows no sheet" };
        Error::input(format!("{name}: the workbook {what}")).hint("name one with --sheet, or sheet in [data]")
    })
}

fn kind(value: &DataRef<'_>) -> CellKind {
    match value {
        DataRef::SharedString(_) | DataRef::String(_) => CellKind::Text,
        DataRef::DateTime(moment) if moment.is_duration() => CellKind::Other,
        DataRef::DateTime(moment) if time(moment) == (0, 0, 0, 0) => CellKind::Day,
        DataRef::DateTime(_) => CellKind::Moment,
        _ => CellKind::Other,
    }
}

/// Hour, minute, second and thousandths.
fn time(moment: &ExcelDateTime) -> (u8, u8, u8, u16) {
    let (_, _, _, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    (hour, minute, second, milli)
}

fn text(name: &str, cell: &Cell<DataRef<'_>>) -> Result<String> {
    let mut text = String::new();
    match cell.get_value() {
        DataRef::Empty => {}
        DataRef::Int(number) => text = number.to_string(),
        DataRef::Float(number) => {
            write_float(&mut text, number, *number);
        }
        DataRef::SharedString(value) => text.push_str(value),
        DataRef::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        DataRef::DateTime(moment) => write_moment(&mut text, moment),
        DataRef::String(value) | DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => text.clone_from(value),
        DataRef::Error(_) => {
            let (row, column) = cell.get_position();
            let place = format!("{name}: row {}, column {}", u64::from(row) + 1, u64::from(column) + 1);
            return Err(Error::input(format!("{place}: the cell holds an error such as #N/A"))
                .hint("mend the formula, or empty the cell"));
        }
    }
    Ok(text)
}

fn write_moment(text: &mut String, moment: &ExcelDateTime) {
    if moment.is_duration() {
        write_float(text, moment.as_f64(), moment.as_f64());
        return;
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    // Writing to a text cannot fail.
    let _ = write!(text, "{year:04}-{month:02}-{day:02}");
    if (hour, minute, second, milli) != (0, 0, 0, 0) {
        let _ = write!(text, "T{hour:02}:{minute:02}:{second:02}");
        if milli != 0 {
            let _ = write!(text, ".{milli:03}");
        }
    }
}

struct Filler {
    schema: SchemaRef,
    builders: Vec<StringBuilder>,
    projection: Vec<usize>,
    columns: Vec<String>,
    timed: Vec<bool>,
    /// Of names.
    cleaner: Cleaner,
    /// Of the columns asked for.
    cleaners: Vec<Cleaner>,
    name: String,
    /// Of the batch.
    rows: usize,
    bytes: usize,
}

impl Filler {
    fn fill(&mut self, file: &File, reading: &Reading, sender: &SyncSender<Result<RecordBatch>>) -> Result<()> {
        let mut last = None;
        rows(file, reading, &mut |row| {
            let Some(before) = last.replace(row.number) else {
                return self.check_header(&row).map(|()| true);
            };
            let is_one_column = self.columns.len() == 1;
            for number in (before + 1..row.number).take_while(|_| is_one_column) {
                self.add(&SheetRow { number, cells: Vec::new(), bytes: 0 }, reading.field_limit)?;
            }
            self.add(&row, reading.field_limit)?;
            let is_full = self.rows >= reading.batch_records.max(1) || self.bytes >= BATCH_BYTES;
            Ok(!is_full || sender.send(self.finish()).is_ok())
        })?;
        if self.rows > 0 {
            // As above: nobody may be listening.
            let _ = sender.send(self.finish());
        }
        Ok(())
    }

    fn check_header(&self, row: &SheetRow) -> Result<()> {
        if self.cleaner.names(row.cells.iter().map(|cell| cell.text.as_str())) == self.columns {
            return Ok(());
        }
        Err(Error::input(format!("{}: the header changed while the file was in use", self.name)))
    }

    fn add(&mut self, row: &SheetRow, limit: usize) -> Result<()> {
        let place = || format!("{}: row {}", self.name, row.number);
        if row.cells.len() > self.columns.len() {
            let (expected, found) = (self.columns.len(), row.cells.len());
            return Err(Error::input(format!("{}: {expected} fields expected, {found} found", place())));
        }
        if row.cells.iter().any(|SheetCell { text, .. }| text.len() > limit || text.contains('\0')) {
            return Err(Error::input(format!("{}: a cell holds a NUL or is longer than the field limit", place())));
        }
        let empty = SheetCell::default();
        for ((builder, cleaner), column) in self.builders.iter_mut().zip(&self.cleaners).zip(&self.projection) {
            let cell = row.cells.get(*column).unwrap_or(&empty);
            let is_timed = self.timed.get(*column).copied().unwrap_or(false);
            let pushed = match cell.kind {
                CellKind::Text => cleaner.push(builder, &cell.text),
                CellKind::Day if is_timed => cleaner.push_typed(builder, &(cell.text.clone() + MIDNIGHT)),
                _ => cleaner.push_typed(builder, &cell.text),
            };
            pushed.map_err(|unfit| {
                let column = columns::show(*column, &self.columns);
                Error::input(format!("{}, {column}: {}", place(), unfit.why())).hint(unfit.hint())
            })?;
        }
        self.rows += 1;
        self.bytes += row.bytes;
        Ok(())
    }

    fn finish(&mut self) -> Result<RecordBatch> {
        let arrays = self.builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
        self.bytes = 0;
        text_batch(&self.schema, arrays, std::mem::take(&mut self.rows))
    }
}
