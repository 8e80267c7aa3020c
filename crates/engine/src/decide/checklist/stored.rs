//! The same checks where a stored mask is applied: its columns, and the table as the mask recodes it.
//!
//! Values of the quasi-identifiers are labels here, and nothing is searched: what would buy detail back is not known.

use equanym_core::checklist::ChecklistLine;
use equanym_core::frequency::Table;
use equanym_core::mask::ColumnMask;
use equanym_core::privacy::Verdict;
use equanym_core::report::{Report, Worth};
use equanym_core::variable::Role;

use super::{Column, Looked, Subject, detail, guarantee, of_classes, output, reading, withheld};
use crate::count::{Keys, Places, Sketch};
use crate::mask::StoredMask;
use crate::read::Source;

/// The columns of a stored mask that are not recoded.
pub(crate) struct StoredColumns {
    guarded: Vec<String>,
    collected: Vec<(String, Role)>,
    identifying: Vec<String>,
    collected_places: Vec<usize>,
    /// Where the identifying columns are, but for the person.
    pub identifying_places: Vec<usize>,
}

impl StoredColumns {
    /// Those of a mask, given the sensitive variables that its models look at.
    pub(crate) fn of<'a>(stored: &StoredMask, guarded: impl Iterator<Item = &'a str>) -> Self {
        let guarded: Vec<String> = guarded.map(str::to_owned).collect();
        let is_person = |column: &ColumnMask| stored.person.as_deref() == Some(column.name.as_str());
        let is_collected = |column: &ColumnMask| {
            matches!(column.role, Role::Insensitive | Role::Sensitive) && !guarded.contains(&column.name)
        };
        let is_identifying = |column: &ColumnMask| column.role == Role::Identifying && !is_person(column);
        let columns = || stored.mask.columns.iter().enumerate();
        let collected = || columns().filter(|(_, column)| is_collected(column));
        let identifying = || columns().filter(|(_, column)| is_identifying(column));
        Self {
            collected: collected().map(|(_, column)| (column.name.clone(), column.role)).collect(),
            identifying: identifying().map(|(_, column)| column.name.clone()).collect(),
            collected_places: collected().map(|(place, _)| place).collect(),
            identifying_places: identifying().map(|(place, _)| place).collect(),
            guarded,
        }
    }

    /// The places of the columns that are read: those of the keys, and what is looked at meanwhile.
    pub(crate) fn to_read<'p>(&'p self, keys: &'p [usize], looked: &'p Looked) -> Places<'p> {
        Places { keys, watched: &self.collected_places, lookout: Some(&looked.lookout) }
    }

    /// What the cells of a column look like, if it is released as collected.
    pub(crate) fn cells<'a>(&self, name: &str, keys: &'a Keys, looked: &'a Looked) -> Option<&'a Sketch> {
        let collected = self.collected.iter().position(|(one, _)| one == name);
        let guarded = || self.guarded.iter().position(|one| one == name);
        collected
            .and_then(|place| keys.watched.get(place))
            .or_else(|| guarded().and_then(|place| looked.guarded.get(place)))
    }

    /// The lines about these columns, and about how the table is read and written.
    pub(crate) fn lines(
        &self,
        stored: &StoredMask,
        source: &Source,
        keys: &Keys,
        looked: &Looked,
    ) -> Vec<ChecklistLine> {
        let guarded = self.guarded.iter().map(|name| (name.as_str(), Role::Sensitive));
        let collected = self.collected.iter().map(|(name, role)| (name.as_str(), *role));
        let identifying = self.identifying.iter().map(|name| (name.as_str(), Role::Identifying));
        let columns = Column::all(guarded, &looked.guarded, true)
            .chain(Column::all(collected, &keys.watched, false))
            .chain(Column::all(identifying, &looked.identifying, false))
            .collect();
        let person = stored.person.as_deref().zip(keys.values.last().map(Vec::as_slice));
        let subject = Subject { columns, person, records: keys.records(), lookout: &looked.lookout };
        let mut lines = subject.lines();
        lines.push(output(stored.output.order));
        lines.extend(reading(source));
        lines
    }
}

/// The lines about a table that is recoded, of which these classes are kept. Each stored level comes with the last one.
pub(crate) fn of_recoded(
    table: &Table,
    verdict: &Verdict,
    report: &mut Report,
    levels: impl Iterator<Item = (u8, u8)> + Clone,
) {
    let set = table.keys();
    let class_of: Vec<u32> = (0..).zip(&set.sizes).map(|(class, _)| class).collect();
    let worth = Worth::of_levels(levels);
    report.checklist.extend(of_classes(table, set, verdict, table.sensitive.len()));
    report.checklist.extend(withheld(table, &class_of, verdict));
    report.checklist.extend([guarantee(report), detail(&worth, &report.node)]);
    report.worth = Some(worth);
}
