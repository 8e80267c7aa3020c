//! Which rule a column has, and whether it can stand at the claimed level.
//!
//! Level 0 is the value as collected, or what top and bottom coding leaves of it, and nothing else is. The last level has one label
//! for all. What a rule makes stands between them.

use std::ops::RangeInclusive;

use super::{LabelRule, Place, new_values};
use crate::manifest::Column;

/// How many levels a ladder can have.
const LEVELS: RangeInclusive<u64> = 2..=255;

/// The rule of a column, or why its claim cannot be understood.
pub(super) fn rule(column: &Column) -> Result<LabelRule<'_>, &'static str> {
    if let Some(new_values) = &column.new_values {
        return match (new_values.covered, &column.labels, column.level, column.levels) {
            (false, None, None, None) => new_values::rule(new_values),
            (true, ..) => Err("no privacy model can cover new values"),
            _ => Err("a column with new values has neither level nor labels"),
        };
    }
    let Some(labels) = &column.labels else {
        return Err("its level, number of levels and labels are not all claimed");
    };
    let rule = LabelRule::read(labels)?;
    match (column.level, column.levels) {
        (Some(level), Some(_)) => fit(&rule, column, level)?,
        (None, None) if rule.place == Place::Class && !labels.or_top => {}
        _ => return Err("its level and number of levels are not claimed, and its rule is not one of local recoding"),
    }
    Ok(rule)
}

/// Whether the rule can make the labels of that level.
fn fit(rule: &LabelRule<'_>, column: &Column, level: u64) -> Result<(), &'static str> {
    let levels = column.levels.unwrap_or(0);
    let has_one_label = rule.list.as_ref().is_some_and(|list| list.own_labels() <= 1);
    let trouble = match rule.place {
        _ if level >= levels || !LEVELS.contains(&levels) => "its level is beyond its ladder",
        _ if column.or_top() && !rule.may_miss => "its rule puts no value at the top that is not there",
        Place::Bottom if level > 0 => "only level 0 is as collected",
        Place::Bottom => return Ok(()),
        _ if level == 0 => "level 0 is as collected",
        Place::Top if !column.is_at_top() => "only the last level is the top",
        Place::Class => "labels of each class stand at no level",
        Place::Between | Place::Step(_) if column.is_at_top() && !has_one_label => {
            "the last level has one label for all"
        }
        Place::Step(step) if step != level => "its step is not its level",
        Place::Top | Place::Between | Place::Step(_) => return Ok(()),
    };
    Err(trouble)
}
