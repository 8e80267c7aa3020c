//! Local recoding: the records fall into classes, and each class has labels of its own.
//!
//! A method of this kind sees the table as [`KeyTable`]. Here a key also holds the guarded sensitive values of a record. The
//! method answers with a [`Partition`]: the labels of each class, and the class of each key's records. The same value may thus
//! have different labels in different classes.

use crate::card::Parameters;
use crate::hierarchy::Code;
use crate::hierarchy::decimal::Decimal;
use crate::privacy::Guard;
use crate::variable::Variable;

/// Finds a partition in which the guard allows every class.
pub type PartitionFit = fn(&PartitionTask<'_>) -> Result<Partition, PartitionError>;

/// What is asked of a method that divides a table.
pub struct PartitionTask<'a> {
    /// The table.
    pub keys: &'a KeyTable<'a>,
    /// Says which classes may be released.
    pub guard: &'a Guard,
    /// The method's parameters, checked against its card.
    pub parameters: &'a Parameters,
    /// The most records that may be withheld; or people, if that is what the guard limits.
    pub most_suppressed: u64,
    /// Hears how many classes there are so far.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The distinct keys of a table with their counts. The order of keys and codes means nothing.
#[derive(Debug)]
pub struct KeyTable<'a> {
    /// The quasi-identifiers.
    pub dimensions: Vec<Dimension<'a>>,
    /// For each quasi-identifier the value code of each key, in the numbering of its ladder.
    pub columns: Vec<Vec<Code>>,
    /// For each guarded sensitive variable the code of each key.
    pub sensitive: Vec<Vec<Code>>,
    /// The records of each key.
    pub counts: Vec<u64>,
    /// Whose records they are, where people are counted: a code for each key. Codes must not depend on the order of records.
    pub persons: Option<Vec<u32>>,
}

/// A quasi-identifier, and how it is divided.
#[derive(Debug)]
pub struct Dimension<'a> {
    /// The variable with its ladder.
    pub variable: &'a Variable,
    /// For a variable that is divided along its numbers: the number of each value code, `None` for the missing value.
    /// Otherwise it is divided along its ladder.
    pub numbers: Option<Vec<Option<Decimal>>>,
}

impl<'a> Dimension<'a> {
    /// A variable that is divided along its ladder.
    #[must_use]
    pub fn by_ladder(variable: &'a Variable) -> Self {
        Self { variable, numbers: None }
    }

    /// A variable that is divided along its numbers; fails with the count of values that are none.
    pub fn by_number(variable: &'a Variable) -> Result<Self, usize> {
        let values = variable.hierarchy.values();
        let numbers: Vec<Option<Decimal>> = values.iter().map(|value| Decimal::parse(value)).collect();
        let strange =
            values.iter().zip(&numbers).filter(|(value, number)| !value.is_empty() && number.is_none()).count();
        if strange == 0 { Ok(Self { variable, numbers: Some(numbers) }) } else { Err(strange) }
    }
}

/// Classes with labels of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// The classes, in the order of their labels.
    pub classes: Vec<LocalClass>,
    /// Where records go, in the order of keys and classes; the records of a key go to one class unless a cut was relaxed.
    pub placements: Vec<Placement>,
    /// Records that are withheld: those of keys without a placement.
    pub suppressed: u64,
    /// For each quasi-identifier how much of its detail is lost, 0 to 1: the mean over the records of the share of the
    /// values (or of the range) that their label covers.
    pub lost: Vec<f64>,
}

/// A class and its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalClass {
    /// Its label in each quasi-identifier.
    pub labels: Vec<String>,
    /// Its records.
    pub records: u64,
    /// Its people; its records, where people are not counted.
    pub people: u64,
}

/// Records of a key that go to a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placement {
    /// The key, by its place among the [`KeyTable`].
    pub key: u32,
    /// The class.
    pub class: u32,
    /// How many.
    pub records: u64,
}

/// Why there is no partition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartitionError {
    /// The guard refuses even what may not be divided any less.
    #[error("no safe partition: {failing} of {records} records fail before anything is divided")]
    NoSafePartition {
        /// Records in classes that are not allowed.
        failing: u64,
        /// All records.
        records: u64,
    },
    /// A model judges all classes together, and tiles are divided one by one.
    #[error("classes are divided one by one here, and `{0}` judges all of them together")]
    OverTable(&'static str),
    /// A ladder splits what it joined further down.
    #[error("the ladder of `{0}` is not nested")]
    NotNested(String),
    /// Columns that do not belong together, or too many keys.
    #[error("the counted keys do not belong together")]
    Inconsistent,
}
