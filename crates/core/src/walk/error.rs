//! Why there is no walk. No message holds a value of the data.

/// Why there is no walk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// Some cells are no numbers.
    #[error(
        "`{column}` is no numeric column: {count} of its cells are no finite decimal numbers, the first in record {first}"
    )]
    NotNumeric {
        /// The column.
        column: String,
        /// How many cells.
        count: usize,
        /// The first such record, counted from 1.
        first: usize,
    },
    /// Some cells are no dates.
    #[error(
        "`{column}` is no column of dates: {count} of its cells are no dates of the years 1583 to 9999 written {format}, \
         without a time of day, the first in record {first}"
    )]
    NotDates {
        /// The column.
        column: String,
        /// How many cells.
        count: usize,
        /// The first such record, counted from 1.
        first: usize,
        /// How dates are written.
        format: &'static str,
    },
    /// Some cells have no place in the order that was given.
    #[error("the order of `{column}` misses the values of {count} of its cells, the first in record {first}")]
    NotListed {
        /// The column.
        column: String,
        /// How many cells.
        count: usize,
        /// The first such record, counted from 1.
        first: usize,
    },
    /// Too few distinct values: there is no distance to compare with another.
    #[error("`{column}` cannot be walked: it has {distinct} distinct values, and a pattern of distances needs 3")]
    TooFewValues {
        /// The column.
        column: String,
        /// How many.
        distinct: usize,
    },
    /// Some values lie outside the domain.
    #[error("the domain of `{column}` excludes {count} of its values, the first in record {first}")]
    OutsideDomain {
        /// The column.
        column: String,
        /// How many.
        count: usize,
        /// The first such record, counted from 1.
        first: usize,
    },
    /// The upper bound is not above the lower one.
    #[error("the domain of `{column}` is empty: its upper bound must be above its lower one")]
    EmptyDomain {
        /// The column.
        column: String,
    },
    /// A property is not true of the data, so nothing that keeps the pattern of the data can have it.
    #[error(
        "property {property} does not hold on the data (in {count} places): it contradicts what is to be kept; \
         with \"data\" in the place of its number it is what the data have"
    )]
    Contradictory {
        /// Which one, counted from 1.
        property: usize,
        /// In how many places.
        count: usize,
    },
    /// A sum of one value gives it away and leaves it where it is.
    #[error(
        "property {property} would leave values as they are: in {count} of its {groups} groups the sum is that of one distinct \
         value; the nearest that can be kept are sums of larger groups, or those of the other groups by `where`"
    )]
    FixesValues {
        /// Which one, counted from 1.
        property: usize,
        /// In how many groups.
        count: usize,
        /// Of how many.
        groups: usize,
    },
    /// A property names a record, a column or a value that does not exist.
    #[error("property {property} names {what}")]
    BadProperty {
        /// Which one, counted from 1.
        property: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A setting is out of its range.
    #[error("{setting} must be {wanted}")]
    BadSetting {
        /// The setting.
        setting: &'static str,
        /// What would fit.
        wanted: String,
    },
    /// No setting that was tried gives the wanted distortion.
    #[error(
        "a distortion of {wanted} cannot be reached by {by}: the nearest is {nearest}, with {by} {at}; ask for that, allow a \
         larger tolerance, or turn something else"
    )]
    Unreached {
        /// What was wanted.
        wanted: String,
        /// What was turned.
        by: &'static str,
        /// The nearest that was found.
        nearest: String,
        /// Where it was found.
        at: String,
    },
    /// Columns of different lengths.
    #[error("`{column}` has {found} records, and the first column has {expected}")]
    UnequalLengths {
        /// The column.
        column: String,
        /// Its records.
        found: usize,
        /// The records of the first one.
        expected: usize,
    },
    /// More equations than the sampler can walk with.
    #[error(
        "{equations} equations tie {values} values together, too many for `{sampler}`; keep the totals of fewer and larger groups\
         {}", if *sampler == super::DEFAULT { "" } else { ", or use the default sampler" }
    )]
    TooManyEquations {
        /// The sampler.
        sampler: &'static str,
        /// How many equations.
        equations: usize,
        /// How many values.
        values: usize,
    },
    /// What arrived from elsewhere does not belong to this walk.
    #[error("a part of a walk is not in order")]
    Unsound,
    /// More than is walked in one piece.
    #[error("too large: {what}; at most {limit}")]
    TooLarge {
        /// What.
        what: String,
        /// The limit.
        limit: usize,
    },
}
