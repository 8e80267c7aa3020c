//! The statement that makes the release.
//!
//! Each recoded column joins a table of its values and labels; the labels of a record then look for their key among the
//! withheld ones. Inside, the missing value is the empty text, because nulls do not join; outside it is null. A level that
//! needs no table has none: as collected is the text itself, the top is a constant.

use equanym_core::hierarchy::{LabelRule, TOP};
use equanym_core::mask::{ColumnMask, Mask, Recoding};

use super::dialect::Dialect;
use super::target::{Target, qualified};
use crate::count::canonical;
use crate::decide::Decision;
use crate::error::{Error, Result};
use crate::mask::StoredMask;

/// The statement; `values` are the raw values of the recoded columns.
pub(super) fn release(
    dialect: &Dialect,
    target: &Target,
    stored: &StoredMask,
    values: &[Vec<String>],
) -> Result<String> {
    let clauses = Clauses::new(dialect, stored, values)?;
    let order: Vec<String> = (1..=clauses.selected.len()).map(|place| place.to_string()).collect();
    let (create, from) = (target.create(dialect), clauses.from(target, &stored.mask));
    Ok(format!("{create}\nSELECT\n  {}\n{from}ORDER BY {};", clauses.selected.join(",\n  "), order.join(", ")))
}

/// Who is in the table, and who is left in the release.
pub(super) struct People {
    /// A query of each record of the table: the column `p` is its person.
    pub all: String,
    /// The same of each released record, with its labels in the columns `c1`, `c2` … and its sensitive values in `s1`, `s2` ….
    pub kept: String,
    /// How many labels there are.
    pub labels: usize,
}

/// The queries that tell people, where the mask knows the person. They read the table, because the release does not say who
/// is who.
pub(super) fn people(
    dialect: &Dialect,
    target: &Target,
    fitted: &Decision,
    sensitive: &[String],
) -> Result<Option<People>> {
    let Decision { stored, values, .. } = fitted;
    let Some(person) = &stored.person else { return Ok(None) };
    let clauses = Clauses::new(dialect, stored, values)?;
    let person = format!("NULLIF({}, '') AS p", clauses.text_of(person));
    let labels = clauses.labels.iter().zip(1..).map(|(label, place)| format!("{label} AS c{place}, "));
    let text = |name: &String| format!("NULLIF({}, '')", clauses.text_of(name));
    let sensitive = sensitive.iter().zip(1..).map(|(name, place)| format!("{} AS s{place}, ", text(name)));
    let labels: String = labels.chain(sensitive).collect();
    let from = clauses.from(target, &stored.mask);
    Ok(Some(People {
        all: format!("SELECT {person} FROM {} AS t", qualified(dialect, &target.table)),
        kept: format!("SELECT {labels}{person} {from}"),
        labels: clauses.labels.len(),
    }))
}

/// The statement in the making.
struct Clauses<'a> {
    dialect: &'a Dialect,
    missing: &'a [String],
    selected: Vec<String>,
    joined: Vec<String>,
    /// The labels of a record, by which withheld keys are found.
    labels: Vec<String>,
}

impl<'a> Clauses<'a> {
    fn new(dialect: &'a Dialect, stored: &'a StoredMask, values: &[Vec<String>]) -> Result<Self> {
        let (selected, joined, labels) = (Vec::new(), Vec::new(), Vec::new());
        let mut clauses = Self { dialect, missing: &stored.data.missing, selected, joined, labels };
        let mut values = values.iter();
        for (_, column) in stored.mask.released() {
            let raw = column.recoding.as_ref().and_then(|_| values.next());
            clauses.add(column, raw.map_or(&[], Vec::as_slice))?;
        }
        clauses.withhold(&stored.mask);
        Ok(clauses)
    }

    /// Where the released records come from.
    fn from(&self, target: &Target, mask: &Mask) -> String {
        let mut text = format!("FROM {} AS t\n", qualified(self.dialect, &target.table));
        text.extend(self.joined.iter().map(String::as_str));
        if !mask.suppressed.is_empty() {
            text.push_str("WHERE w.c1 IS NULL\n");
        }
        text
    }

    fn add(&mut self, column: &ColumnMask, raw: &[String]) -> Result<()> {
        let text = self.text_of(&column.name);
        let label = match &column.recoding {
            None => text,
            Some(recoding) => {
                let label = self.label_of(column, recoding, raw, text)?;
                self.labels.push(label.clone());
                label
            }
        };
        self.selected.push(format!("NULLIF({label}, '') AS {}", (self.dialect.name)(&column.name)));
        Ok(())
    }

    /// A cell as text, the missing value as the empty one.
    fn text_of(&self, column: &str) -> String {
        let Dialect { text, name, literal, .. } = self.dialect;
        let cast = format!("CAST(t.{} AS {text})", name(column));
        if self.missing.is_empty() {
            return format!("COALESCE({cast}, '')");
        }
        let tokens: Vec<String> = self.missing.iter().map(|token| literal(token)).collect();
        format!("CASE WHEN {cast} IN ({}) THEN '' ELSE COALESCE({cast}, '') END", tokens.join(", "))
    }

    /// The label of a cell; joins the table of labels where one is needed.
    fn label_of(&mut self, column: &ColumnMask, recoding: &Recoding, raw: &[String], text: String) -> Result<String> {
        let literal = self.dialect.literal;
        if recoding.rule == LabelRule::Top {
            return Ok(literal(TOP));
        }
        let mut rows = Vec::new();
        let mut changes = recoding.rule != LabelRule::AsCollected;
        let mut sorted: Vec<&String> = raw.iter().collect();
        sorted.sort_unstable();
        for value in sorted {
            let label = recoding.label(&canonical(value, column.number));
            let label = label.map_err(|_| Error::environment("an internal step lost a value"))?;
            changes |= label != *value;
            rows.push(vec![literal(value), literal(&label)]);
        }
        if !changes {
            return Ok(text);
        }
        let alias = format!("m{}", self.selected.len() + 1);
        let table = (self.dialect.rows)(&rows, &alias, &["v".to_owned(), "l".to_owned()]);
        self.joined.push(format!("JOIN {table}\n  ON {alias}.v = {text}\n"));
        Ok(format!("{alias}.l"))
    }

    /// Joins the withheld keys.
    fn withhold(&mut self, mask: &Mask) {
        if mask.suppressed.is_empty() {
            return;
        }
        let literal = self.dialect.literal;
        let rows: Vec<Vec<String>> =
            mask.suppressed.iter().map(|key| key.iter().map(|label| literal(label)).collect()).collect();
        let columns: Vec<String> = (1..=self.labels.len()).map(|place| format!("c{place}")).collect();
        let same: Vec<String> =
            columns.iter().zip(&self.labels).map(|(column, label)| format!("w.{column} = {label}")).collect();
        let table = (self.dialect.rows)(&rows, "w", &columns);
        self.joined.push(format!("LEFT JOIN {table}\n  ON {}\n", same.join(" AND ")));
    }
}
