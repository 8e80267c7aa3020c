//! Compares every cell with the rule of its column. The missing value is allowed everywhere but at the top.

use super::listed::LabelList;
use super::{LabelRule, TOP, column};
use crate::Check;
use crate::formula::{self, Guard};
use crate::manifest::{Claims, Column};
use crate::observer::{Faults, Observer, Record};

pub(crate) struct LabelObserver<'a> {
    columns: Vec<LabelColumn<'a>>,
    guard: Option<Guard>,
}

struct LabelColumn<'a> {
    place: usize,
    claimed: &'a Column,
    rule: Result<LabelRule<'a>, &'static str>,
    /// The last cell that is a label: most stand there many times in a row.
    known: String,
    faults: Faults,
}

impl<'a> LabelObserver<'a> {
    pub fn new(claims: &'a Claims) -> Self {
        let columns = claims.columns.iter().enumerate();
        let columns =
            columns.filter(|(_, column)| column.is_recoded() || column.labels.is_some() || column.new_values.is_some());
        let columns = columns.map(|(place, claimed)| LabelColumn {
            place,
            claimed,
            rule: column::rule(claimed),
            known: String::new(),
            faults: Faults::default(),
        });
        Self { columns: columns.collect(), guard: Guard::for_release(claims) }
    }
}

impl Observer for LabelObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        for column in &mut self.columns {
            column.see(record, &formula::bare(self.guard, record.cell(column.place)));
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        self.columns.into_iter().map(LabelColumn::judge).collect()
    }
}

impl LabelColumn<'_> {
    fn see(&mut self, record: &Record<'_>, cell: &str) {
        let Ok(rule) = &mut self.rule else { return };
        if cell == self.known && !cell.is_empty() {
            return;
        }
        let is_missing = cell.is_empty() && !self.claimed.is_at_top();
        if is_missing || rule.allows(cell) || (self.claimed.or_top() && cell == TOP) {
            cell.clone_into(&mut self.known);
        } else {
            self.faults.add(record);
        }
    }

    fn judge(self) -> Check {
        let (rule, trouble) = match &self.rule {
            Ok(rule) => (rule.name, rule.list.as_ref().and_then(LabelList::trouble)),
            Err(why) => ("a rule that cannot be applied", Some((*why).to_owned())),
        };
        let trouble = self.faults.tell("cells are no such label, the first in").or(trouble);
        let passed = trouble.is_none();
        let found = trouble.unwrap_or_else(|| format!("it does{}", self.parameters()));
        let name = &self.claimed.name;
        if self.rule.is_ok() && self.claimed.new_values.is_some() {
            let claim = format!("column {name:?} holds {rule}, which no privacy model covers");
            return Check::new("new-values", passed, claim, found);
        }
        let or_top = if self.claimed.or_top() { ", or the top" } else { "" };
        let claim = format!("column {name:?} holds labels of {}: {rule}{or_top}", self.level());
        Check::new("labels", passed, claim, found)
    }

    fn level(&self) -> String {
        let level = self.claimed.level.zip(self.claimed.levels);
        level.map_or_else(|| "its classes".to_owned(), |(level, levels)| format!("level {level} of {levels}"))
    }

    /// With what a rule that was understood makes labels.
    fn parameters(&self) -> String {
        let told = self.claimed.labels.as_ref().map(|labels| labels.parameters.to_string()).unwrap_or_default();
        if told.is_empty() { told } else { format!(", with {told}") }
    }
}
