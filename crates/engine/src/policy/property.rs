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

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::walk::{Property, Records, Relation, Term};
use toml::de::DeValue;

use super::VariablePolicy;
use super::place::known;
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// A linear relation, its columns by name.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyPolicy {
    terms: Vec<TermPolicy>,
    relation: Relation,
    constant: Option<Decimal>,
}

#[derive(Debug, Clone, PartialEq)]
struct TermPolicy {
    variable: String,
    factor: Decimal,
    records: Records,
}

impl PropertyPolicy {
    /// The relation among columns of these names.
    pub fn among(&self, columns: &[&str]) -> Result<Property> {
        let term = |term: &TermPolicy| {
            let column = columns.iter().position(|name| *name == term.variable);
            let column = column.ok_or_else(|| Error::input("a property names a variable without new values"))?;
            Ok(Term { factor: term.factor, column, records: term.records.clone() })
        };
        let terms = self.terms.iter().map(term).collect::<Result<_>>()?;
        Ok(Property { terms, relation: self.relation, constant: self.constant })
    }
}

/// Reads every `[[method.property]]`.
pub(super) fn properties(item: &Item<'_>, variables: &[VariablePolicy]) -> Result<Vec<PropertyPolicy>> {
    if item.raw().is_table() {
        return Err(item.error("a property stands under two brackets: [[method.property]]"));
    }
    item.list()?.iter().map(|one| property(&one.table()?.titled("[[method.property]]"), variables)).collect()
}

const RELATIONS: [(&str, Relation); 3] =
    [("at_most", Relation::AtMost), ("at_least", Relation::AtLeast), ("equal", Relation::Equal)];

fn property(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<PropertyPolicy> {
    table.allow(&["sum", "at_most", "at_least", "equal"])?;
    let given = RELATIONS.into_iter().filter_map(|(key, relation)| Some((table.get(key)?, relation)));
    let given: Vec<(Item<'_>, Relation)> = given.collect();
    let [(item, relation)] = given.as_slice() else {
        return Err(table.fail("needs exactly one of `at_most`, `at_least` and `equal`"));
    };
    let sum = table.get("sum").ok_or_else(|| {
        table.fail("`sum` is missing").hint("sum = [{ variable = \"income\" }, { variable = \"tax\", factor = -1 }]")
    })?;
    let terms = sum.list()?.iter().map(|one| term(&one.table()?, variables)).collect::<Result<_>>()?;
    let is_data = item.raw().as_str() == Some("data");
    Ok(PropertyPolicy { terms, relation: *relation, constant: if is_data { None } else { Some(exact(item)?) } })
}

fn term(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<TermPolicy> {
    table.allow(&["variable", "factor", "records"])?;
    let item = table.get("variable").ok_or_else(|| table.fail("`variable` is missing"))?;
    let marked =
        || variables.iter().filter(|variable| variable.marked.is_some()).map(|variable| variable.name.as_str());
    let name = item.text()?;
    if !marked().any(|marked| marked == name) {
        let hint = known(name, marked().collect::<Vec<_>>());
        return Err(item.fail("must be a variable that gets new values").hint(hint));
    }
    let one = Decimal::new(1, 0).unwrap_or(Decimal::ZERO);
    Ok(TermPolicy {
        variable: name.to_owned(),
        factor: table.get("factor").map_or(Ok(one), |item| exact(&item))?,
        records: table.get("records").map_or(Ok(Records::Each), |item| cells(&item))?,
    })
}

fn cells(item: &Item<'_>) -> Result<Records> {
    if item.raw().as_str() == Some("all") {
        return Ok(Records::All);
    }
    let record = |item: &Item<'_>| {
        let number = item.whole_in(1, i64::from(u32::MAX))?;
        usize::try_from(number).map_err(|_| item.fail("is no record"))
    };
    Ok(Records::Listed(item.list()?.iter().map(record).collect::<Result<_>>()?))
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
