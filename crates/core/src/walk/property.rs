//! Linear relations that the released values keep.
//!
//! A property is `sum of factor × value  ≤, ≥ or =  constant`. It must be true of the data: a walk starts there. Sums,
//! differences, ratios against a constant and monotone relations are all of this form; the constructors write them down.
//! Records are counted from 1, in the order of the table. A property of groups is one relation for each of them.
//!
//! Source: Xue et al. 2011, who allow any linear relation.

use std::sync::Arc;

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
    /// Whether the constant is that of a mean: it counts once for each value.
    pub is_mean: bool,
    /// The groups for each of which the property holds by itself; absent where all records are one.
    pub groups: Option<RecordGroups>,
}

/// The group of each record, counted from 0; `None` where a record is in none, and nothing is said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordGroups(pub Arc<[Option<u32>]>);

/// Values of a column, each times the factor.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The factor.
    pub factor: Decimal,
    /// The place of the column among those that are walked.
    pub column: usize,
    /// The records whose values are added up.
    pub records: TermRecords,
}

/// Which records a term speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermRecords {
    /// These, counted from 1.
    Listed(Vec<usize>),
    /// All in which the value is not missing.
    All,
    /// Each in turn: the property is one relation for each record in which no value is missing.
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

/// Two records that are compared in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPair {
    /// The place of the column among those that are walked.
    pub column: usize,
    /// One record, counted from 1.
    pub record: usize,
    /// The other record.
    pub other: usize,
}

impl RecordPair {
    /// The value of the one minus the factor times the value of the other.
    fn terms(self, factor: Decimal) -> Vec<Term> {
        let term = |factor, record| Term { factor, column: self.column, records: TermRecords::Listed(vec![record]) };
        vec![term(one(), self.record), term(minus(factor), self.other)]
    }
}

impl Property {
    /// The sum over these records compares so with the constant.
    #[must_use]
    pub fn sum(column: usize, records: TermRecords, relation: Relation, constant: Option<Decimal>) -> Self {
        Self::new(vec![Term { factor: one(), column, records }], relation, constant)
    }

    /// These terms compare so with the constant, over all records.
    #[must_use]
    pub fn new(terms: Vec<Term>, relation: Relation, constant: Option<Decimal>) -> Self {
        Self { terms, relation, constant, is_mean: false, groups: None }
    }

    /// The total of each group stays what it is.
    #[must_use]
    pub fn totals(column: usize, groups: RecordGroups) -> Self {
        Self { groups: Some(groups), ..Self::sum(column, TermRecords::All, Relation::Equal, None) }
    }

    /// The value of one record minus that of another compares so with the constant.
    #[must_use]
    pub fn difference(pair: RecordPair, relation: Relation, constant: Option<Decimal>) -> Self {
        Self::new(pair.terms(one()), relation, constant)
    }

    /// The value of one record compares so with that of another times a factor.
    #[must_use]
    pub fn ratio(pair: RecordPair, relation: Relation, factor: Decimal) -> Self {
        Self::new(pair.terms(factor), relation, Some(Decimal::ZERO))
    }

    /// The values of these records do not fall: one property for each pair of neighbours.
    #[must_use]
    pub fn increasing(column: usize, records: &[usize]) -> Vec<Self> {
        let pair = |pair: &[usize]| match *pair {
            [first, second] => {
                Some(Self::ratio(RecordPair { column, record: first, other: second }, Relation::AtMost, one()))
            }
            _ => None,
        };
        records.windows(2).filter_map(pair).collect()
    }

    /// In each record, the value of one column is not above that of another.
    #[must_use]
    pub fn columns(smaller: usize, larger: usize) -> Self {
        let term = |factor, column| Term { factor, column, records: TermRecords::Each };
        let terms = vec![term(one(), smaller), term(minus(one()), larger)];
        Self::new(terms, Relation::AtMost, Some(Decimal::ZERO))
    }
}

fn one() -> Decimal {
    Decimal::new(1, 0).unwrap_or(Decimal::ZERO)
}

fn minus(number: Decimal) -> Decimal {
    Decimal::ZERO.minus(number).unwrap_or(Decimal::ZERO)
}
