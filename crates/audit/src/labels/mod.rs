//! Labels: each cell is one that its claimed level can produce.
//!
//! A level is claimed with the rule that makes its labels. The rules are written here anew, one per file where they take
//! more than a line, so that a slip in the making is not repeated in the checking. Which rule a claim stands for, and
//! whether it can stand at that level, is said by [`understood`]. The missing value is allowed everywhere but at the top.
//!
//! Limit: a label says what a level can produce, not what the collected value was.

pub(crate) mod date;
pub(crate) mod ends;
mod interval;
mod listed;
mod range;
mod understood;

use crate::Check;
use crate::decimal::Decimal;
use crate::formula::{self, Guard};
use crate::library::Library;
use crate::manifest::{Claims, Column};
use crate::observer::{Observer, Record};
use date::Grain;
use ends::Ends;
use listed::Listed;

/// The label of the top of every ladder.
pub(crate) const TOP: &str = "*";

/// Compares every cell with the rule of its column.
pub(crate) struct LabelObserver<'a> {
    columns: Vec<ColumnRule<'a>>,
    guard: Option<Guard>,
}

struct ColumnRule<'a> {
    place: usize,
    name: &'a str,
    rule: Result<Rule<'a>, &'static str>,
    or_top: bool,
    /// Whether its level is the top, where the missing value joins the others.
    at_top: bool,
    wrong: u64,
    first: Option<u64>,
}

enum Rule<'a> {
    AsCollected,
    Ends(Ends),
    Interval {
        width: Decimal,
        ends: Ends,
    },
    Prefix {
        keep: usize,
    },
    Date {
        grain: Grain,
    },
    Library {
        library: Library,
        step: u64,
    },
    Listed(Listed<'a>),
    Top,
    /// Local recoding: a number or a range, of its own in each class.
    Range,
    /// Local recoding: a label of any level, from a list.
    AnyLevel(Listed<'a>),
    /// A new number in each record.
    NewNumber,
    /// A new date in each record.
    NewDate {
        format: &'static str,
    },
    /// A new word of a list in each record.
    NewWord(Listed<'a>),
}

impl<'a> LabelObserver<'a> {
    pub fn new(claims: &'a Claims) -> Self {
        let columns = claims.columns.iter().enumerate();
        let columns =
            columns.filter(|(_, column)| column.is_recoded() || column.labels.is_some() || column.new_values.is_some());
        Self {
            columns: columns.map(|(place, column)| ColumnRule::of(place, column)).collect(),
            guard: Guard::of(claims),
        }
    }
}

impl Observer for LabelObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        for column in &mut self.columns {
            column.see(record, &formula::bare(self.guard, record.cell(column.place)));
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        self.columns.into_iter().map(ColumnRule::judge).collect()
    }
}

impl<'a> ColumnRule<'a> {
    fn of(place: usize, column: &'a Column) -> Self {
        let or_top = column.labels.as_ref().is_some_and(|labels| labels.or_top);
        let at_top =
            column.level.zip(column.levels).is_some_and(|(level, levels)| level.checked_add(1) == Some(levels));
        let rule = understood::rule_of(column);
        Self { place, name: &column.name, rule, or_top, at_top, wrong: 0, first: None }
    }

    fn see(&mut self, record: &Record<'_>, cell: &str) {
        let Ok(rule) = &mut self.rule else { return };
        let is_missing = cell.is_empty() && !self.at_top;
        let is_label = is_missing || rule.allows(cell) || (self.or_top && cell == TOP);
        if !is_label {
            self.wrong += record.times;
            self.first.get_or_insert(record.number);
        }
    }

    fn judge(self) -> Check {
        let (rule, mut trouble) = match &self.rule {
            Ok(rule) => (rule.name(), rule.trouble()),
            Err(why) => ("a rule that cannot be applied", Some((*why).to_owned())),
        };
        if let Some(record) = self.first {
            trouble = Some(format!("{} cells are no such label, the first in record {record}", self.wrong));
        }
        let found = trouble.is_none();
        let trouble = trouble.unwrap_or_else(|| "it does".to_owned());
        if let Ok(Rule::NewNumber | Rule::NewDate { .. } | Rule::NewWord(_)) = self.rule {
            let claim = format!("column {:?} holds {rule}, which no privacy model covers", self.name);
            return Check::new("new-values", found, claim, trouble);
        }
        let or_top = if self.or_top { ", or the top" } else { "" };
        let claim = format!("column {:?} holds labels of its level: {rule}{or_top}", self.name);
        Check::new("labels", found, claim, trouble)
    }
}

impl Rule<'_> {
    fn allows(&mut self, cell: &str) -> bool {
        match self {
            Self::Top => cell == TOP,
            Self::AsCollected => true,
            Self::Ends(ends) => ends.is_label(cell),
            Self::Interval { width, ends } => interval::is_label(cell, *width, *ends),
            Self::Prefix { keep } => is_start(cell, *keep),
            Self::Date { grain } => grain.is_label(cell),
            Self::Library { library, step } => library.is_label(*step, cell),
            Self::Listed(listed) | Self::AnyLevel(listed) | Self::NewWord(listed) => listed.meets(cell),
            Self::Range => range::is_label(cell),
            Self::NewNumber => Decimal::parse(cell).is_some(),
            Self::NewDate { format } => date::is_day(cell, format),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::AsCollected => "as collected",
            Self::Ends(_) => "as collected between the ends",
            Self::Interval { .. } => "interval",
            Self::Prefix { .. } => "prefix",
            Self::Date { .. } => "date",
            Self::Library { .. } => "library",
            Self::Listed(_) => "listed",
            Self::Top => "top",
            Self::Range => "a number or range of each class",
            Self::AnyLevel(_) => "of any level, listed",
            Self::NewNumber => "new numbers",
            Self::NewDate { .. } => "new dates",
            Self::NewWord(_) => "new words of its list",
        }
    }

    /// What is wrong although every cell is a label.
    fn trouble(&self) -> Option<String> {
        match self {
            Self::Listed(listed) | Self::AnyLevel(listed) | Self::NewWord(listed) => listed.trouble(),
            _ => None,
        }
    }
}

/// Whether a cell is the start of a code and a star, or a code that is shorter than such a start.
fn is_start(cell: &str, keep: usize) -> bool {
    let length = cell.chars().count();
    length < keep || (length == keep + 1 && cell.ends_with('*'))
}
