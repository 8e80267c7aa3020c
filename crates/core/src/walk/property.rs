//! Linear relations that the released values keep.
//!
//! A property is `sum of factor × cell  ≤, ≥ or =  constant`. It must be true of the data: a walk starts there. Sums,
//! differences, ratios against a constant and monotone relations are all of this form; the constructors write them down.
//! Records are counted from 1, in the order of the table.
//!
//! Source: Xue et al. 2011, who allow any linear relation.

use crate::hierarchy::decimal::Decimal;

/// A linear relation that is true of the data and stays true.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// What is added up.
    pub terms: Vec<Term>,
    /// How the sum compares with the constant.
    pub relation: Relation,
    /// The constant; `None` stands for what the sum is in the data.
    pub constant: Option<Decimal>,
}

/// Cells, each times the factor.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The factor.
    pub factor: Decimal,
    /// The place of the column among those that are walked.
    pub column: usize,
    /// Which cells of it.
    pub cells: Cells,
}

/// Which cells of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cells {
    /// Those of these records, counted from 1.
    Records(Vec<usize>),
    /// All that are not missing.
    All,
    /// That of each record in turn: the property is one relation for each record in which no such cell is missing.
    Each,
}

/// How a sum compares with a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Not above it.
    AtMost,
    /// Not below it.
    AtLeast,
    /// The same.
    Equal,
}

impl Property {
    /// The sum of these cells compares so with the constant.
    #[must_use]
    pub fn sum(column: usize, cells: Cells, relation: Relation, constant: Option<Decimal>) -> Self {
        Self { terms: vec![Term { factor: one(), column, cells }], relation, constant }
    }

    /// The value of one record minus that of another compares so with the constant.
    #[must_use]
    pub fn difference(
        column: usize,
        record: usize,
        other: usize,
        relation: Relation,
        constant: Option<Decimal>,
    ) -> Self {
        let term = |factor, record| Term { factor, column, cells: Cells::Records(vec![record]) };
        Self { terms: vec![term(one(), record), term(minus(one()), other)], relation, constant }
    }

    /// The value of one record compares so with that of another times a factor.
    #[must_use]
    pub fn ratio(column: usize, record: usize, relation: Relation, factor: Decimal, other: usize) -> Self {
        let term = |factor, record| Term { factor, column, cells: Cells::Records(vec![record]) };
        let terms = vec![term(one(), record), term(minus(factor), other)];
        Self { terms, relation, constant: Some(Decimal::ZERO) }
    }

    /// The values of these records do not fall: one property for each pair of neighbours.
    #[must_use]
    pub fn increasing(column: usize, records: &[usize]) -> Vec<Self> {
        let pair = |pair: &[usize]| match *pair {
            [first, second] => Some(Self::ratio(column, first, Relation::AtMost, one(), second)),
            _ => None,
        };
        records.windows(2).filter_map(pair).collect()
    }

    /// In each record, the value of one column is not above that of another.
    #[must_use]
    pub fn columns(smaller: usize, larger: usize) -> Self {
        let term = |factor, column| Term { factor, column, cells: Cells::Each };
        let terms = vec![term(one(), smaller), term(minus(one()), larger)];
        Self { terms, relation: Relation::AtMost, constant: Some(Decimal::ZERO) }
    }
}

fn one() -> Decimal {
    Decimal::new(1, 0).unwrap_or(Decimal::ZERO)
}

fn minus(number: Decimal) -> Decimal {
    Decimal::ZERO.minus(number).unwrap_or(Decimal::ZERO)
}
