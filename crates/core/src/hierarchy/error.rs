//! Why a ladder cannot be built.
//!
//! Counts, positions and line numbers say where to look. A value of the data never stands in a message: messages end
//! up in logs, and logs must not leak what a release protects.

/// Why a ladder cannot be built or fitted to a column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HierarchyError {
    /// The column holds values that the ladder does not list.
    #[error("{count} distinct {} of the column {} not in the hierarchy", values(*count), are(*count))]
    Unlisted {
        /// How many distinct values.
        count: usize,
        /// Their places in the values that were given.
        positions: Vec<usize>,
    },
    /// The column holds values that the rule cannot read.
    #[error("{count} distinct {} of the column {} not {wanted}", values(*count), are(*count))]
    Unreadable {
        /// What the rule reads, in words.
        wanted: &'static str,
        /// How many distinct values.
        count: usize,
        /// Their places in the values that were given.
        positions: Vec<usize>,
    },
    /// A parameter of a builder makes no ladder.
    #[error("{builder}: {problem}")]
    Unfit {
        /// The builder, as the policy calls it.
        builder: &'static str,
        /// What is wrong, without the text that was given.
        problem: String,
    },
    /// The file has no entries.
    #[error("the hierarchy file has no rows")]
    NoRows,
    /// An entry has more or fewer columns than the others.
    #[error("line {line} of the hierarchy file has {found} columns, the others have {expected}")]
    Ragged {
        /// Where.
        line: usize,
        /// The columns of most entries.
        expected: usize,
        /// The columns of this entry.
        found: usize,
    },
    /// A value has two entries that say the same.
    #[error("lines {first} and {second} of the hierarchy file list the same value")]
    RepeatedLeaf {
        /// The first line.
        first: usize,
        /// The second line.
        second: usize,
    },
    /// A value has two entries that disagree.
    #[error("lines {first} and {second} of the hierarchy file give one value two different parents")]
    TwoParents {
        /// The first line.
        first: usize,
        /// The second line.
        second: usize,
    },
    /// A label generalises, over another label, to itself.
    #[error("labels generalise into one another in {} {} of the hierarchy file", plural(lines, "line"), numbers(lines))]
    Cycle {
        /// One line for each step of the circle.
        lines: Vec<usize>,
    },
    /// A value that is not missing would become missing.
    #[error("line {line} of the hierarchy file has an empty label at level {level}")]
    EmptyLabel {
        /// Where.
        line: usize,
        /// The column, counted from 0.
        level: usize,
    },
    /// A quote is opened and never closed.
    #[error("a quote opens in line {line} of the hierarchy file and never closes")]
    UnclosedQuote {
        /// Where it opens.
        line: usize,
    },
    /// A quoted cell goes on after its closing quote.
    #[error("a cell in line {line} of the hierarchy file goes on after its closing quote")]
    TextAfterQuote {
        /// Where.
        line: usize,
    },
    /// The file holds a NUL byte.
    #[error("line {line} of the hierarchy file holds a NUL byte")]
    Nul {
        /// Where.
        line: usize,
    },
    /// More levels than level numbers.
    #[error("the hierarchy has {levels} levels, 256 are allowed")]
    TooTall {
        /// How many.
        levels: usize,
    },
    /// More values than codes.
    #[error("the column has more distinct values than 32-bit codes")]
    TooMany,
}

impl HierarchyError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Unlisted { .. } => "add them to the hierarchy, or name the tokens that mean missing",
            Self::Unreadable { .. } => {
                "correct the values, name the tokens that mean missing, or list the values in a file"
            }
            Self::Ragged { .. } => {
                "each row needs the value and one label per level; quote cells that hold the separator"
            }
            Self::RepeatedLeaf { .. } => "keep one of the lines",
            Self::TwoParents { .. } => "keep the line with the right parent",
            Self::Cycle { .. } => "give each level words of its own",
            Self::EmptyLabel { .. } => "write a label; `*` stands for all",
            Self::UnclosedQuote { .. } | Self::TextAfterQuote { .. } => "double a quote that is part of a label",
            Self::Nul { .. } => "save the file as UTF-8 text",
            Self::NoRows => "write one line per value: the value, then one label per level",
            Self::Unfit { .. } | Self::TooTall { .. } | Self::TooMany => return None,
        })
    }

    pub(super) fn unfit(builder: &'static str, problem: impl Into<String>) -> Self {
        Self::Unfit { builder, problem: problem.into() }
    }
}

fn values(count: usize) -> &'static str {
    if count == 1 { "value" } else { "values" }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn plural(lines: &[usize], word: &str) -> String {
    if lines.len() == 1 { word.to_owned() } else { format!("{word}s") }
}

fn numbers(lines: &[usize]) -> String {
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_count_and_number() {
        let check = |error: HierarchyError, text: &str| assert_eq!(error.to_string(), text);
        let unlisted = |count| HierarchyError::Unlisted { count, positions: vec![] };
        check(unlisted(1), "1 distinct value of the column is not in the hierarchy");
        check(unlisted(3), "3 distinct values of the column are not in the hierarchy");
        check(
            HierarchyError::Cycle { lines: vec![1, 7] },
            "labels generalise into one another in lines 1, 7 of the hierarchy file",
        );
        check(HierarchyError::unfit("prefix", "nothing to keep"), "prefix: nothing to keep");
    }
}
