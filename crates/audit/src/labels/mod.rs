//! Labels: each cell is one that its claimed level can produce.
//!
//! A level is claimed with the rule that makes its labels. The rules are written here anew, one per file where they take
//! more than a line, so that a slip in the making is not repeated in the checking. The missing value is allowed under
//! every rule but the top.
//!
//! Limit: a label says what a level can produce, not what the collected value was.

mod date;
mod interval;
mod listed;
mod range;

use std::borrow::Cow;

use crate::Check;
use crate::decimal::Decimal;
use crate::formula;
use crate::manifest::{Claims, Column, Labels};
use crate::observer::{Observer, Record};
use date::Grain;
use listed::Listed;

/// The label of the top of every ladder.
const TOP: &str = "*";

/// Compares every cell with the rule of its column.
pub(crate) struct LabelObserver<'a> {
    columns: Vec<ColumnRule<'a>>,
    csv: bool,
}

struct ColumnRule<'a> {
    place: usize,
    name: &'a str,
    rule: Result<Rule<'a>, &'static str>,
    or_top: bool,
    wrong: u64,
    first: Option<u64>,
}

enum Rule<'a> {
    AsCollected,
    Interval {
        width: Decimal,
    },
    Prefix {
        keep: usize,
    },
    Date {
        grain: Grain,
    },
    Listed(Listed<'a>),
    Top,
    /// Local recoding: a number or a range, of its own in each class.
    Range,
    /// Local recoding: a label of any level, from a list.
    AnyLevel(Listed<'a>),
    /// A new number in each record.
    NewValue,
}

impl<'a> LabelObserver<'a> {
    pub fn new(claims: &'a Claims, csv: bool) -> Self {
        let columns = claims.columns.iter().enumerate();
        let columns =
            columns.filter(|(_, column)| column.is_recoded() || column.labels.is_some() || column.new_values.is_some());
        Self { columns: columns.map(|(place, column)| ColumnRule::of(place, column)).collect(), csv }
    }
}

impl Observer for LabelObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        for column in &mut self.columns {
            let cell = record.cell(column.place);
            let bare = if self.csv { formula::unguarded(cell) } else { Cow::Borrowed(cell) };
            column.see(record, &bare);
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        self.columns.into_iter().map(ColumnRule::judge).collect()
    }
}

impl<'a> ColumnRule<'a> {
    fn of(place: usize, column: &'a Column) -> Self {
        let or_top = column.labels.as_ref().is_some_and(|labels| labels.or_top);
        Self { place, name: &column.name, rule: rule_of(column), or_top, wrong: 0, first: None }
    }

    fn see(&mut self, record: &Record<'_>, cell: &str) {
        let Ok(rule) = &mut self.rule else { return };
        let is_label = rule.allows(cell) || (self.or_top && cell == TOP);
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
        if matches!(self.rule, Ok(Rule::NewValue)) {
            let claim = format!("column {:?} holds new numbers, which no privacy model covers", self.name);
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
            _ if cell.is_empty() => true,
            Self::AsCollected => true,
            Self::Interval { width } => interval::is_label(cell, *width),
            Self::Prefix { keep } => cell.chars().skip(*keep).all(|character| character == '*'),
            Self::Date { grain } => grain.is_label(cell),
            Self::Listed(listed) | Self::AnyLevel(listed) => listed.meets(cell),
            Self::Range => range::is_label(cell),
            Self::NewValue => Decimal::parse(cell).is_some(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::AsCollected => "as collected",
            Self::Interval { .. } => "interval",
            Self::Prefix { .. } => "prefix",
            Self::Date { .. } => "date",
            Self::Listed(_) => "listed",
            Self::Top => "top",
            Self::Range => "a number or range of each class",
            Self::AnyLevel(_) => "of any level, listed",
            Self::NewValue => "new values",
        }
    }

    /// What is wrong although every cell is a label.
    fn trouble(&self) -> Option<String> {
        if let Self::Listed(listed) | Self::AnyLevel(listed) = self { listed.trouble() } else { None }
    }
}

/// The rule of a column, or why its claim cannot be understood.
fn rule_of(column: &Column) -> Result<Rule<'_>, &'static str> {
    if let Some(new_values) = &column.new_values {
        return match (new_values.covered, &column.labels, column.level, column.levels) {
            (false, None, None, None) => Ok(Rule::NewValue),
            (true, ..) => Err("no privacy model can cover new values"),
            _ => Err("a column with new values has neither level nor labels"),
        };
    }
    if let (Some(labels), None, None) = (&column.labels, column.level, column.levels) {
        return local_rule(labels);
    }
    let (Some(labels), Some(level), Some(levels)) = (&column.labels, column.level, column.levels) else {
        return Err("its level, number of levels and labels are not all claimed");
    };
    if level >= levels {
        return Err("its level is beyond its ladder");
    }
    match labels.rule.as_str() {
        "as-collected" if level > 0 => Err("only level 0 is as collected"),
        "as-collected" => Ok(Rule::AsCollected),
        "top" => Ok(Rule::Top),
        _ => rule_with_parameter(labels),
    }
}

/// The rule of a column whose labels stand at no level of their own.
fn local_rule(labels: &Labels) -> Result<Rule<'_>, &'static str> {
    match (labels.rule.as_str(), labels.values.as_deref()) {
        ("range", None) => Ok(Rule::Range),
        ("any-level", Some(values)) => Ok(Rule::AnyLevel(Listed::new(values))),
        ("any-level", None) => Err("its list is absent"),
        _ => Err("its level and number of levels are not claimed, and its rule is not one of local recoding"),
    }
}

fn rule_with_parameter(labels: &Labels) -> Result<Rule<'_>, &'static str> {
    match labels.rule.as_str() {
        "interval" => {
            let width = labels.width.as_deref().and_then(Decimal::parse).filter(|width| width.is_positive());
            width.map(|width| Rule::Interval { width }).ok_or("its width is no positive decimal number")
        }
        "prefix" => {
            let keep = labels.keep.and_then(|keep| usize::try_from(keep).ok());
            keep.map(|keep| Rule::Prefix { keep }).ok_or("it does not say how many characters are kept")
        }
        "date" => {
            let grain = labels.grain.as_deref().and_then(Grain::named);
            grain.map(|grain| Rule::Date { grain }).ok_or("its grain is not known to this audit")
        }
        "listed" => {
            labels.values.as_deref().map(|values| Rule::Listed(Listed::new(values))).ok_or("its list is absent")
        }
        _ => Err("its rule is not known to this audit"),
    }
}
