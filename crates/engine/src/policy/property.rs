//! `[[method.property]]`: linear relations that new values keep.
//!
//! A property is a sum of cells, each times a factor, that is at most, at least or equal to a constant:
//!
//! ```toml
//! [[method.property]]
//! sum = [{ variable = "income", records = [1, 7] }, { variable = "tax", factor = -2.5 }]
//! at_least = 0                       # or at_most, or equal; a number, or "data" for what it is now
//! ```
//!
//! `records` are numbers of records, counted from 1: their cells are added up. With `records = "all"` the cells of all records
//! are. Without `records` a term stands for the cell of each record in turn: the property holds record by record.
//!
//! `total = "income"` is short for the sum over all records, `mean = "income"` for that sum divided by the number of its values.
//! With `by` there is one relation for each group, with `where` only some records are meant:
//!
//! ```toml
//! [[method.property]]
//! total = "income"
//! by = "department"                  # any column of the table, released or not
//! where = { region = "north" }
//! equal = "data"
//! ```

use std::collections::BTreeMap;

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::walk::{Property, RecordGroups, Relation, Term, TermRecords};
use toml::de::DeValue;

use super::VariablePolicy;
use super::keys::KeyShape::{Either, List, Named, Number, Table, Text, Whole, Words};
use super::keys::{KeyShape, Section, key};
use super::place::known;
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// A linear relation, its columns by name.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyPolicy {
    terms: Vec<TermPolicy>,
    relation: Relation,
    constant: Option<Decimal>,
    is_mean: bool,
    /// The column whose values part the records into groups.
    by: Option<String>,
    /// Columns and the values that they have in the records that are meant.
    conditions: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq)]
struct TermPolicy {
    variable: String,
    factor: Decimal,
    records: TermRecords,
}

impl PropertyPolicy {
    /// The columns that say which records are meant.
    pub fn group_columns(&self) -> impl Iterator<Item = &str> {
        self.by.iter().chain(self.conditions.iter().map(|(column, _)| column)).map(String::as_str)
    }

    /// The relation among columns of these names; `cell` shows what a column that parts the records has in a record.
    pub fn among<'c>(
        &self,
        columns: &[&str],
        records: usize,
        cell: impl Fn(&str, usize) -> Option<&'c str>,
    ) -> Result<Property> {
        let term = |term: &TermPolicy| {
            let column = columns.iter().position(|name| *name == term.variable);
            let column = column.ok_or_else(|| Error::input("a property names a variable without new values"))?;
            Ok(Term { factor: term.factor, column, records: term.records.clone() })
        };
        let terms = self.terms.iter().map(term).collect::<Result<_>>()?;
        let is_grouped = self.group_columns().next().is_some();
        let groups = is_grouped.then(|| self.groups(records, cell)).transpose()?;
        Ok(Property { is_mean: self.is_mean, groups, ..Property::new(terms, self.relation, self.constant) })
    }

    /// The group of each record, groups in the order of their values.
    fn groups<'c>(&self, records: usize, cell: impl Fn(&str, usize) -> Option<&'c str>) -> Result<RecordGroups> {
        let is_meant =
            |record: usize| self.conditions.iter().all(|(column, value)| cell(column, record) == Some(value.as_str()));
        let value = |record: usize| {
            let value = self.by.as_ref().map_or(Some(""), |column| cell(column, record));
            value.filter(|_| is_meant(record))
        };
        let values: Vec<Option<&str>> = (0..records).map(value).collect();
        let mut numbers: BTreeMap<&str, u32> = values.iter().flatten().map(|value| (*value, 0)).collect();
        if numbers.is_empty() {
            return Err(Error::input("a property means no released record: none has what its `where` asks for")
                .hint("compare `where` with how the values are written in the table"));
        }
        numbers.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        let number = |value: Option<&str>| numbers.get(value?).copied();
        Ok(RecordGroups(values.into_iter().map(number).collect()))
    }
}

const LIMIT: KeyShape = Either(&[Number, Words(|| vec!["data"])]);

pub(super) const PROPERTY: Section = Section::new(
    "[[method.property]]",
    "A linear relation that new values keep. Exactly one of `sum`, `total` and `mean`, and one of `at_most`, `at_least` and `equal`.",
    &[
        key("sum", List(&Table(&TERM)), "terms that are added up"),
        key("total", Text, "the variable that is added up over all records"),
        key("mean", Text, "the same, divided by the number of its values"),
        key("by", Text, "the column whose values part the records into groups, each with a relation of its own"),
        key("where", Named(&Text), "columns and the values of the records that are meant"),
        key("at_most", LIMIT, "a number, or `\"data\"` for what it is now"),
        key("at_least", LIMIT, "the same"),
        key("equal", LIMIT, "the same; a total or a mean that says no more stays as it is"),
    ],
);

const TERM: Section = Section::new(
    "[[method.property]] sum",
    "A term of a sum.",
    &[
        key("variable", Text, "a variable that gets new values; compulsory"),
        key("factor", Number, "what it is multiplied by").usually("1"),
        key(
            "records",
            Either(&[Words(|| vec!["all"]), List(&Whole(1))]),
            "numbers of records, from 1, whose cells are added up",
        )
        .usually("each in turn"),
    ],
);

/// Reads every `[[method.property]]`.
pub(super) fn properties(item: &Item<'_>, variables: &[VariablePolicy]) -> Result<Vec<PropertyPolicy>> {
    if item.raw().is_table() {
        return Err(item.error("a property stands under two brackets: [[method.property]]"));
    }
    item.each(|one| property(&one.table()?.titled("[[method.property]]"), variables))
}

const RELATIONS: [(&str, Relation); 3] =
    [("at_most", Relation::AtMost), ("at_least", Relation::AtLeast), ("equal", Relation::Equal)];

fn property(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<PropertyPolicy> {
    table.allow(&PROPERTY.names())?;
    let given = RELATIONS.into_iter().filter_map(|(key, relation)| Some((table.get(key)?, relation)));
    let given: Vec<(Item<'_>, Relation)> = given.collect();
    let (relation, constant) = match given.as_slice() {
        // A total or a mean that says no more stays as it is.
        [] if table.get("sum").is_none() => (Relation::Equal, None),
        [(item, relation)] if item.raw().as_str() == Some("data") => (*relation, None),
        [(item, relation)] => (*relation, Some(exact(item)?)),
        _ => return Err(table.fail("needs exactly one of `at_most`, `at_least` and `equal`")),
    };
    let property = PropertyPolicy {
        terms: terms(table, variables)?,
        relation,
        constant,
        is_mean: table.get("mean").is_some(),
        by: table.read("by", Item::string)?,
        conditions: table.read("where", conditions)?.unwrap_or_default(),
    };
    check_groups(table, &property)?;
    Ok(property)
}

/// What is added up: a sum, or the short form of one.
fn terms(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<Vec<TermPolicy>> {
    let given: Vec<Item<'_>> = ["sum", "total", "mean"].into_iter().filter_map(|key| table.get(key)).collect();
    match given.as_slice() {
        [item] if item.key() == "sum" => item.each(|one| term(&one.table()?, variables)),
        [item] => Ok(vec![TermPolicy { variable: marked(item, variables)?, factor: one(), records: TermRecords::All }]),
        [] => Err(table
            .fail("`sum` is missing, or `total` or `mean`")
            .hint("sum = [{ variable = \"income\" }, { variable = \"tax\", factor = -1 }]")),
        _ => Err(table.fail("needs exactly one of `sum`, `total` and `mean`")),
    }
}

fn conditions(item: &Item<'_>) -> Result<Vec<(String, String)>> {
    let conditions: Vec<(String, String)> =
        item.table()?.items().iter().map(|one| Ok((one.key().to_owned(), one.string()?))).collect::<Result<_>>()?;
    if conditions.is_empty() {
        return Err(item.fail("must name a column and its value").hint("where = { region = \"north\" }"));
    }
    Ok(conditions)
}

/// Groups have sums over their records, and records that are listed belong to none.
fn check_groups(table: &PolicyTable<'_>, property: &PropertyPolicy) -> Result<()> {
    let any = |wanted: fn(&TermRecords) -> bool| property.terms.iter().any(|term| wanted(&term.records));
    if property.by.is_some() && any(|records| *records != TermRecords::All) {
        return Err(table.fail("`by` needs a `total`, a `mean`, or a sum of terms with `records = \"all\"`"));
    }
    if !property.conditions.is_empty() && any(|records| matches!(records, TermRecords::Listed(_))) {
        return Err(table.fail("`where` cannot stand beside a list of records"));
    }
    Ok(())
}

/// The name of a variable that gets new values.
fn marked(item: &Item<'_>, variables: &[VariablePolicy]) -> Result<String> {
    let marked =
        || variables.iter().filter(|variable| variable.marked.is_some()).map(|variable| variable.name.as_str());
    let name = item.text()?;
    if marked().any(|marked| marked == name) {
        return Ok(name.to_owned());
    }
    Err(item.fail("must be a variable that gets new values").hint(known(name, marked().collect::<Vec<_>>())))
}

fn one() -> Decimal {
    Decimal::new(1, 0).unwrap_or(Decimal::ZERO)
}

fn term(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<TermPolicy> {
    table.allow(&TERM.names())?;
    let item = table.need("variable")?;
    Ok(TermPolicy {
        variable: marked(&item, variables)?,
        factor: table.read("factor", exact)?.unwrap_or_else(one),
        records: table.read("records", cells)?.unwrap_or(TermRecords::Each),
    })
}

fn cells(item: &Item<'_>) -> Result<TermRecords> {
    if item.raw().as_str() == Some("all") {
        return Ok(TermRecords::All);
    }
    Ok(TermRecords::Listed(item.each(|record| record.whole_in(1, i64::from(u32::MAX)))?))
}

/// A number with exactly the digits that were written.
pub(super) fn exact(item: &Item<'_>) -> Result<Decimal> {
    item.number()?;
    let text = match item.raw() {
        DeValue::Float(number) => number.as_str().to_owned(),
        _ => item.whole()?.to_string(),
    };
    Decimal::parse(&text).ok_or_else(|| item.fail("has too many digits"))
}
