//! The walk over the records: one pass, any number of observers.
//!
//! It ends early only when the data cannot be read; the observers then saw a part and say nothing.

use csv::StringRecord;

use crate::classes::ClassObserver;
use crate::folder::Content;
use crate::formula::FormulaObserver;
use crate::labels::LabelObserver;
use crate::observer::{Observer, Record};
use crate::order::OrderObserver;
use crate::records::RecordObserver;
use crate::reports::Reports;
use crate::rewrite::RewriteObserver;
use crate::table::{ReadFailure, Signs, Table};
use crate::treatment::TreatmentObserver;
use crate::{AuditError, Check, columns, drawn};

/// After how many records somebody hears of them.
const WORD: u64 = 4096;

/// All checks on the contents of the data file, whose hash is `sha256`.
pub(crate) fn survey(
    data: &Content,
    sha256: &str,
    reports: Reports<'_>,
    heard: Option<&dyn Fn(u64)>,
) -> Result<Vec<Check>, AuditError> {
    let claims = &reports.manifest.claims;
    let mut table = match Table::open(data, claims) {
        Ok(table) => table,
        Err(unreadable) => return Ok(vec![unreadable_check(&unreadable)?]),
    };
    let mut checks: Vec<Check> = table.opening_check().into_iter().collect();
    checks.push(columns::check(claims, table.columns()));
    checks.extend(drawn::check(claims));
    if checks.iter().any(|check| !check.passed) {
        return Ok(checks);
    }
    let mut observers = observers(reports, &table, sha256);
    match walk(&mut table, &mut observers, heard.unwrap_or(&|_| ())) {
        Ok(()) => {
            checks.push(Check::new("rows", true, "every record can be read", "read to the end"));
            checks.extend(table.closing_check(sha256));
            checks.extend(observers.into_iter().flat_map(Observer::judge));
        }
        Err(unreadable) => checks.push(unreadable_check(&unreadable)?),
    }
    Ok(checks)
}

fn observers<'a>(reports: Reports<'a>, table: &Table, sha256: &'a str) -> Vec<Box<dyn Observer + 'a>> {
    let claims = &reports.manifest.claims;
    let mut observers: Vec<Box<dyn Observer + 'a>> = vec![
        Box::new(RecordObserver::new(claims)),
        Box::new(OrderObserver::new(&claims.data.order)),
        Box::new(FormulaObserver::new(claims)),
        Box::new(LabelObserver::new(claims)),
        Box::new(TreatmentObserver::new(claims)),
        Box::new(ClassObserver::new(reports)),
    ];
    if table.is_csv() {
        observers.push(Box::new(RewriteObserver::new(table, sha256)));
    }
    observers
}

fn walk(table: &mut Table, observers: &mut [Box<dyn Observer + '_>], heard: &dyn Fn(u64)) -> Result<(), ReadFailure> {
    let mut next = StringRecord::new();
    let mut run = Run::default();
    let mut records = 0;
    while table.next(&mut next)? {
        records += 1;
        if records % WORD == 0 {
            heard(records);
        }
        if run.times > 0 && *run.written() == next {
            run.times += 1;
        } else {
            run.show(observers);
            run.go_on(&mut next, table.signs());
        }
    }
    run.show(observers);
    Ok(())
}

/// Alike records behind each other, and the record before them.
#[derive(Default)]
struct Run {
    cells: StringRecord,
    before: StringRecord,
    /// The record as it stands in the file, where that is otherwise.
    unread: Option<StringRecord>,
    first: u64,
    times: u64,
}

impl Run {
    fn show(&self, observers: &mut [Box<dyn Observer + '_>]) {
        let Self { cells, before, first, times, .. } = self;
        let previous = (*first > 1).then_some(before);
        let record = Record { number: *first, times: *times, cells, written: self.written(), previous };
        observers.iter_mut().filter(|_| *times > 0).for_each(|observer| observer.see(&record));
    }

    /// The record as it stands in the file.
    fn written(&self) -> &StringRecord {
        self.unread.as_ref().unwrap_or(&self.cells)
    }

    /// The record that comes next begins a run.
    fn go_on(&mut self, next: &mut StringRecord, signs: &Signs) {
        self.first = self.first.max(1) + self.times;
        self.times = 1;
        std::mem::swap(&mut self.cells, &mut self.before);
        std::mem::swap(&mut self.cells, next);
        if signs.has_commas() {
            let plain = signs.plain(&self.cells);
            self.unread = Some(std::mem::replace(&mut self.cells, plain));
        }
    }
}

fn unreadable_check(unreadable: &ReadFailure) -> Result<Check, AuditError> {
    let found = match unreadable {
        ReadFailure::Io(kind) => return Err(AuditError::Io { what: "the data file", kind: *kind }),
        ReadFailure::Content { what, record: Some(record) } => format!("record {record}: {what}"),
        ReadFailure::Content { what, record: None } => (*what).to_owned(),
    };
    Ok(Check::new("rows", false, "every record can be read", found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Claims;

    #[test]
    fn somebody_hears_how_far_it_is() {
        let claims: Claims = serde_json::from_str(CLAIMS).unwrap();
        let heard = std::cell::RefCell::new(Vec::new());
        let data = Content::Memory(format!("a\n{}", "x\ny\n".repeat(5000)).into());
        let mut table = Table::open(&data, &claims).unwrap_or_else(|_| panic!("it is a table"));
        assert!(walk(&mut table, &mut [], &|records| heard.borrow_mut().push(records)).is_ok());
        assert_eq!(*heard.borrow(), [WORD, 2 * WORD]);
    }

    /// Number, times, cell and the cell before.
    type Sight = (u64, u64, String, Option<String>);

    /// The least that a manifest claims.
    const CLAIMS: &str = r#"{"program":"","data":{"file":"data.csv","format":"csv","sha256":"","bytes":0,"order":"input"},
        "reports":[],"records":{"original":0,"released":0,"suppressed":0},"suppression_limit":0,"columns":[],
        "classes":{"count":0,"min":0,"max":0},"privacy":[],"neutralised_cells":0,"method":""}"#;

    /// What was seen.
    #[derive(Default)]
    struct Sights(std::rc::Rc<std::cell::RefCell<Vec<Sight>>>);

    impl Observer for Sights {
        fn see(&mut self, record: &Record<'_>) {
            let before = record.previous.map(|cells| cells[0].to_owned());
            self.0.borrow_mut().push((record.number, record.times, record.cell(0).to_owned(), before));
        }

        fn judge(self: Box<Self>) -> Vec<Check> {
            Vec::new()
        }
    }

    #[test]
    fn alike_records_behind_each_other_are_seen_as_one() {
        let claims: Claims = serde_json::from_str(CLAIMS).unwrap();
        for (text, expected) in [
            ("a\n", vec![]),
            ("a\nx\n", vec![(1, 1, "x", None)]),
            ("a\nx\nx\ny\nx\nx\nx\n", vec![(1, 2, "x", None), (3, 1, "y", Some("x")), (4, 3, "x", Some("y"))]),
        ] {
            let data = Content::Memory(text.into());
            let mut table = Table::open(&data, &claims).unwrap_or_else(|_| panic!("{text:?}"));
            let seen = Sights::default();
            let found = std::rc::Rc::clone(&seen.0);
            assert!(walk(&mut table, &mut [Box::new(seen)], &|_| ()).is_ok());
            let expected: Vec<Sight> = expected
                .into_iter()
                .map(|(number, times, cell, before)| (number, times, cell.to_owned(), before.map(str::to_owned)))
                .collect();
            assert_eq!(*found.borrow(), expected, "{text:?}");
        }
    }
}
