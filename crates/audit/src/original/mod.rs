//! The original: is the release what the claims make of it?
//!
//! Every record of the original is recoded by the claimed rules, with code of this crate, and compared with the released
//! ones: each released record must be an original one, no more are withheld than claimed, and a class is released
//! whole or not at all. The original may lie anywhere and in any format, so whoever asks for the audit reads it; the same
//! settings must be used as for the release.
//!
//! The promises that the released bytes do not show are judged here, too: see [`promises`].
//!
//! Limits: a column whose recoding cannot be told from its values is left out, and the check names it. Memory grows with
//! the distinct records.

mod ladder;
mod mask;
mod promises;
mod range;
mod recode;
mod rungs;
mod tally;

use std::path::Path;

use crate::drawn;
use crate::folder::Content;
use crate::key::Key;
use crate::manifest::{Claims, Column};
use crate::table::{self, ReadFailure};
use crate::treatment::Treater;
use crate::{AuditError, Check, Evidence, quoted};
pub use ladder::{Ladder, ValueMeaning};
pub(crate) use mask::StoredMask;
use promises::Ledger;
use range::Ranges;
pub(crate) use recode::Recoder;
use tally::{Side, Tally};

/// The table that a release was made from, read by whoever can read it.
pub trait Original {
    /// The names of its columns.
    fn columns(&self) -> &[String];

    /// Shows the cells of every record, in any order of the records; a missing value is the empty text.
    fn read(&self, see: &mut dyn FnMut(&[&str])) -> Result<(), AuditError>;
}

/// What is compared with.
pub(crate) struct OriginalInputs<'a> {
    pub table: &'a dyn Original,
    pub mask: Option<&'a Path>,
    pub key: Option<&'a Path>,
    pub known: &'a [ValueMeaning],
}

/// What the original shows.
#[derive(Default)]
pub(crate) struct Findings {
    pub checks: Vec<Check>,
    /// For each promise that is understood: whether it shows that, or why not.
    pub shown: Vec<Option<Evidence>>,
    /// The same for a limit in people.
    pub limit: Option<Evidence>,
}

/// Compares the release whose data lie at `data` with its original.
pub(crate) fn checks(
    given: &OriginalInputs<'_>,
    claims: &Claims,
    data: Option<&Content>,
) -> Result<Findings, AuditError> {
    let original = given.table;
    let stored = given.mask.map(StoredMask::read).transpose()?;
    let key = given.key.map(Key::read).transpose()?;
    let is_of = stored.as_ref().is_none_or(|stored| stored.is_of(claims));
    let claim = "each released column is one of the original's";
    let mut checks = vec![columns_check("original-columns", claim, original, claims.columns.iter())];
    checks.extend(stored.as_ref().map(|_| mask_check(is_of)));
    checks.extend(key_check(key.as_ref(), stored.as_ref()));
    let stored = stored.filter(|_| is_of);
    let known = stored.as_ref().map_or_else(|| given.known.to_vec(), StoredMask::known);
    let mut comparison = Comparison::new(claims, stored.as_ref(), key.as_ref(), original.columns());
    original.read(&mut |cells| comparison.collected(cells))?;
    checks.extend(claims.records.original.map(|claimed| records_check(claimed, comparison.records)));
    checks.extend(comparison.ledger.person_check());
    // Columns that are not there, and data that fail checks of their own, are not compared.
    if let Some(data) = data.filter(|_| checks.iter().all(|check| check.passed)) {
        comparison.release(data, claims)?;
        checks.extend(comparison.judge(claims));
        let promised = comparison.ledger.judge(comparison.classes(), &known);
        checks.extend(promised.checks);
        return Ok(Findings { checks, ..promised });
    }
    Ok(Findings { checks, ..Findings::default() })
}

/// Whether a table has all of these columns.
pub(crate) fn columns_check<'a>(
    name: &'static str,
    claim: &str,
    table: &dyn Original,
    columns: impl Iterator<Item = &'a Column>,
) -> Check {
    let absent = columns.map(|column| &column.name).filter(|column| !table.columns().contains(column));
    let absent = quoted(absent);
    let found = if absent.is_empty() { "all are".to_owned() } else { format!("not there: {absent}") };
    Check::new(name, absent.is_empty(), claim, found)
}

fn records_check(claimed: u64, found: u64) -> Check {
    let count = |count: u64| format!("{count} original records");
    Check::new("original-records", found == claimed, count(claimed), count(found))
}

fn mask_check(is_of: bool) -> Check {
    let found = if is_of { "it does" } else { "it has other columns, levels, rules or promises" };
    Check::new("mask", is_of, "the mask does and promises what the release claims", found)
}

fn key_check(key: Option<&Key>, stored: Option<&StoredMask>) -> Option<Check> {
    let is_same = key?.fingerprint() == stored?.key_fingerprint()?;
    let found = if is_same { "it is" } else { "it is another one" };
    Some(Check::new("key", is_same, "the key is that of the mask", found))
}

/// The original and the release on their way past each other.
struct Comparison<'a> {
    columns: Vec<OriginalColumn<'a>>,
    tally: Tally,
    ledger: Ledger,
    records: u64,
    /// Whether every recoded column is rebuilt, so that its classes are known.
    has_classes: bool,
}

/// A released column and what is known about it.
struct OriginalColumn<'a> {
    claimed: &'a Column,
    /// Its place in the original.
    place: Option<usize>,
    /// What happens to its cells first; nothing where that takes a key.
    treater: Option<Treater<'a>>,
    recoder: Option<Recoder<'a>>,
    ranges: Option<Ranges>,
}

impl<'a> Comparison<'a> {
    fn new(claims: &'a Claims, mask: Option<&'a StoredMask>, key: Option<&'a Key>, original: &[String]) -> Self {
        let columns = claims.columns.iter().map(|claimed| {
            let treater = Treater::new(claimed, original, key);
            OriginalColumn {
                claimed,
                place: original.iter().position(|name| *name == claimed.name),
                recoder: Recoder::new(claimed, mask).filter(|_| treater.is_some()),
                ranges: Ranges::new(claimed).filter(|_| treater.is_some()),
                treater,
            }
        });
        let columns: Vec<_> = columns.collect();
        let has_classes = columns.iter().all(|column| column.recoder.is_some() || !column.claimed.is_recoded());
        let ledger = Ledger::new(claims, original);
        Self { columns, tally: Tally::default(), ledger, records: 0, has_classes }
    }

    /// The classes of the original, or what it would take to know them.
    fn classes(&self) -> Result<&Tally, Evidence> {
        let is_unlisted = |column: &OriginalColumn<'_>| {
            column.recoder.is_none() && column.claimed.is_recoded() && column.claimed.label_rule() != Some("listed")
        };
        let is_keyed = |column: &OriginalColumn<'_>| column.treater.is_none() && column.claimed.is_recoded();
        match self.has_classes {
            true => Ok(&self.tally),
            false if self.columns.iter().any(is_keyed) => Err(Evidence::NeedsKey),
            false if self.columns.iter().any(is_unlisted) => Err(Evidence::NotRebuilt),
            false => Err(Evidence::NeedsMask),
        }
    }

    /// Takes a record of the original.
    fn collected(&mut self, cells: &[&str]) {
        self.records += 1;
        for (number, column) in self.columns.iter_mut().enumerate() {
            let cell = column.place.and_then(|place| cells.get(place)).copied().unwrap_or_default();
            let cell = &column.treater.as_ref().map_or(cell.into(), |treater| treater.treat(cell, cells));
            if let Some(recoder) = &column.recoder {
                let label = recoder.label(cell);
                self.tally.cell(&label, column.claimed.is_recoded());
                self.ledger.value(number, &label);
                self.ledger.label(number, column.claimed.is_recoded().then_some(&label));
            }
            column.ranges.iter_mut().for_each(|ranges| ranges.collected(cell));
        }
        let class = self.tally.end(Side::Original);
        self.ledger.collected(class, cells);
    }

    /// Takes every record of the release.
    fn release(&mut self, data: &Content, claims: &Claims) -> Result<(), AuditError> {
        let read = table::read(data, claims, |record| {
            for (number, column) in self.columns.iter_mut().enumerate() {
                let cell = &record.cell(number);
                if let Some(recoder) = &column.recoder {
                    let label = recoder.released(cell);
                    self.tally.cell(&label, column.claimed.is_recoded());
                    self.ledger.value(number, &label);
                } else if column.claimed.is_recoded() {
                    self.tally.released_label(cell);
                }
                column.ranges.iter_mut().for_each(|ranges| ranges.released(cell));
            }
            let class = self.tally.end(Side::Released);
            self.ledger.released(class);
        });
        read.map_err(|error| unreadable(&error))
    }

    fn judge(&self, claims: &Claims) -> Vec<Check> {
        let (strangers, withheld) = (self.tally.strangers(), self.tally.withheld());
        // Of a class some records were drawn and others were not.
        let parted = if self.has_classes && !drawn::is_drawn(claims) { self.tally.parted() } else { 0 };
        let same = strangers == 0 && parted == 0 && claims.records.suppressed.is_none_or(|claimed| withheld == claimed);
        let mut found = if same {
            format!("all are, {withheld} withheld")
        } else {
            format!("{strangers} records are not, {withheld} withheld, {parted} classes released in part")
        };
        let left_out: Vec<String> = self.columns.iter().filter_map(OriginalColumn::left_out).collect();
        if !left_out.is_empty() {
            found = format!("{found}; not compared: {}", left_out.join(", "));
        }
        let claim = "each released record is one of the original, recoded as claimed, and classes are whole";
        let ranges = self.columns.iter().filter_map(|column| Some(column.ranges.as_ref()?.judge(&column.claimed.name)));
        std::iter::once(Check::new("original-rebuilt", same, claim, found)).chain(ranges).collect()
    }
}

impl OriginalColumn<'_> {
    /// The column and why it is not compared cell by cell.
    fn left_out(&self) -> Option<String> {
        let why = match self.claimed.label_rule() {
            _ if self.recoder.is_some() => return None,
            _ if self.treater.is_none() => "it takes the key",
            Some("listed") => "its list is in the mask",
            Some(_) => "its labels belong to classes",
            None => "it has new values",
        };
        Some(format!("{:?} ({why})", self.claimed.name))
    }
}

pub(crate) fn unreadable(error: &ReadFailure) -> AuditError {
    match error {
        ReadFailure::Io(kind) => AuditError::Io { what: "the data file", kind: *kind },
        ReadFailure::Content { .. } => AuditError::Original { what: "the release changed meanwhile".to_owned() },
    }
}
