//! The walk over the records: one pass, any number of observers.
//!
//! It ends early only when the data cannot be read; the observers then saw a part and say nothing.

use std::path::Path;

use csv::StringRecord;

use crate::classes::ClassObserver;
use crate::formula::FormulaObserver;
use crate::labels::LabelObserver;
use crate::manifest::Claims;
use crate::observer::{Observer, Record};
use crate::order::OrderObserver;
use crate::records::RecordObserver;
use crate::rewrite::RewriteObserver;
use crate::table::{Table, Unreadable};
use crate::{AuditError, Check, columns};

/// All checks on the contents of the data file, whose hash is `sha256`.
pub(crate) fn survey(path: &Path, sha256: &str, claims: &Claims) -> Result<Vec<Check>, AuditError> {
    let mut table = match Table::open(path, &claims.data.format) {
        Ok(table) => table,
        Err(unreadable) => return Ok(vec![unreadable_check(&unreadable)?]),
    };
    let mut checks = table.opening_checks();
    checks.push(columns::check(claims, table.columns(), table.is_csv()));
    if checks.iter().any(|check| !check.passed) {
        return Ok(checks);
    }
    let mut observers = observers(claims, &table, sha256);
    match walk(&mut table, &mut observers) {
        Ok(()) => {
            checks.push(Check::new("rows", true, "every record can be read", "read to the end"));
            checks.extend(table.closing_checks());
            checks.extend(observers.into_iter().flat_map(Observer::judge));
        }
        Err(unreadable) => checks.push(unreadable_check(&unreadable)?),
    }
    Ok(checks)
}

fn observers<'a>(claims: &'a Claims, table: &Table, sha256: &'a str) -> Vec<Box<dyn Observer + 'a>> {
    let mut observers: Vec<Box<dyn Observer + 'a>> = vec![
        Box::new(RecordObserver::new(claims)),
        Box::new(OrderObserver::new(&claims.data.order)),
        Box::new(FormulaObserver::new(claims.neutralised_cells, table.is_csv())),
        Box::new(LabelObserver::new(claims, table.is_csv())),
        Box::new(ClassObserver::new(claims)),
    ];
    if table.is_csv() {
        observers.push(Box::new(RewriteObserver::new(table.columns(), sha256)));
    }
    observers
}

fn walk(table: &mut Table, observers: &mut [Box<dyn Observer + '_>]) -> Result<(), Unreadable> {
    let (mut cells, mut before) = (StringRecord::new(), StringRecord::new());
    let mut number = 0;
    while table.next(&mut cells)? {
        number += 1;
        let record = Record { number, cells: &cells, previous: (number > 1).then_some(&before) };
        for observer in observers.iter_mut() {
            observer.see(&record);
        }
        std::mem::swap(&mut cells, &mut before);
    }
    Ok(())
}

fn unreadable_check(unreadable: &Unreadable) -> Result<Check, AuditError> {
    let found = match unreadable {
        Unreadable::Io(kind) => return Err(AuditError::Io { what: "the data file", kind: *kind }),
        Unreadable::Content { what, record: Some(record) } => format!("record {record}: {what}"),
        Unreadable::Content { what, record: None } => (*what).to_owned(),
    };
    Ok(Check::new("rows", false, "every record can be read", found))
}
