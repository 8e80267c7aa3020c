//! Compares the cells of treated columns with what their treatments can make.

use super::{PSEUDONYM, Treatment};
use crate::Check;
use crate::formula::{self, Guard};
use crate::manifest::{Claims, Column};
use crate::observer::{Faults, Observer, Record};

pub(crate) struct TreatmentObserver<'a> {
    columns: Vec<TreatedColumn<'a>>,
    guard: Option<Guard>,
}

struct TreatedColumn<'a> {
    place: usize,
    name: &'a str,
    treatments: Result<Vec<Treatment<'a>>, &'static str>,
    /// Whether its cells are labels, which have rules of their own.
    are_labels: bool,
    faults: Faults,
}

impl<'a> TreatmentObserver<'a> {
    pub fn new(claims: &'a Claims) -> Self {
        let columns = claims.columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| column.role == PSEUDONYM || !column.treatments.is_empty());
        let columns = columns.map(|(place, column): (usize, &Column)| TreatedColumn {
            place,
            name: &column.name,
            treatments: super::read(column),
            are_labels: column.label_rule().is_some_and(|rule| rule != "as-collected"),
            faults: Faults::default(),
        });
        Self { columns: columns.collect(), guard: Guard::for_release(claims) }
    }
}

impl Observer for TreatmentObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        for column in self.columns.iter_mut().filter(|column| !column.are_labels) {
            let bare = formula::bare(self.guard, record.cell(column.place));
            let Ok(treatments) = &column.treatments else { continue };
            if !bare.is_empty() && !treatments.iter().all(|treatment| (treatment.allows)(&bare)) {
                column.faults.add(record);
            }
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        self.columns.into_iter().map(TreatedColumn::judge).collect()
    }
}

impl TreatedColumn<'_> {
    fn judge(self) -> Check {
        let words = match &self.treatments {
            Ok(treatments) => treatments.iter().map(|one| one.words.as_str()).collect::<Vec<_>>().join(", "),
            Err(_) => "what its treatments make".to_owned(),
        };
        let trouble = self.treatments.err().map(|why| format!("{why}, is claimed"));
        let trouble = trouble.or(self.faults.tell("cells do not come of that, the first in"));
        let passed = trouble.is_none();
        let found = if self.are_labels { "its cells are labels" } else { "it does" };
        let claim = format!("column {:?} holds {words}", self.name);
        Check::new("treatment", passed, claim, trouble.unwrap_or_else(|| found.to_owned()))
    }
}
