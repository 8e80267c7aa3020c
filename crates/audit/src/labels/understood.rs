//! Which rule a claim stands for, and whether it can stand at the claimed level.
//!
//! Level 0 is the value as collected and nothing else is; the last level has one label for all; what a rule makes stands
//! between them. A rule has its own parameters and no others, so that nothing is claimed that nobody judges.

use super::Rule;
use super::date::Grain;
use super::listed::Listed;
use crate::calendar::DATE_FORMATS;
use crate::decimal::Decimal;
use crate::manifest::{Column, Labels, NewValues};

/// The rule of a column, or why its claim cannot be understood.
pub(super) fn rule_of(column: &Column) -> Result<Rule<'_>, &'static str> {
    if let Some(new_values) = &column.new_values {
        return match (new_values.covered, &column.labels, column.level, column.levels) {
            (false, None, None, None) => renewed(new_values),
            (true, ..) => Err("no privacy model can cover new values"),
            _ => Err("a column with new values has neither level nor labels"),
        };
    }
    let Some(labels) = &column.labels else {
        return Err("its level, number of levels and labels are not all claimed");
    };
    let rule = named(labels)?;
    match (column.level, column.levels) {
        (Some(level), Some(levels)) => fit(&rule, labels, level, levels)?,
        (None, None) if matches!(rule, Rule::Range | Rule::AnyLevel(_)) && !labels.or_top => {}
        _ => return Err("its level and number of levels are not claimed, and its rule is not one of local recoding"),
    }
    Ok(rule)
}

/// What new values are: numbers unless the claim says otherwise.
fn renewed(claim: &NewValues) -> Result<Rule<'_>, &'static str> {
    match (claim.dates.as_deref(), &claim.words) {
        (None, None) => Ok(Rule::NewNumber),
        (Some(format), None) => {
            let format = DATE_FORMATS.into_iter().find(|known| *known == format);
            format.map(|format| Rule::NewDate { format }).ok_or("the format of its dates is not known to this audit")
        }
        (None, Some(words)) => Ok(Rule::NewWord(Listed::new(words))),
        (Some(_), Some(_)) => Err("new values are dates or words, not both"),
    }
}

/// The rule by its name and parameters.
fn named(labels: &Labels) -> Result<Rule<'_>, &'static str> {
    let given = (&labels.width, labels.keep, labels.grain.as_deref(), labels.format.as_deref(), &labels.values);
    match (labels.rule.as_str(), given) {
        ("as-collected", (None, None, None, None, None)) => Ok(Rule::AsCollected),
        ("top", (None, None, None, None, None)) => Ok(Rule::Top),
        ("range", (None, None, None, None, None)) => Ok(Rule::Range),
        ("any-level", (None, None, None, None, Some(values))) => Ok(Rule::AnyLevel(Listed::new(values))),
        ("listed", (None, None, None, None, Some(values))) => Ok(Rule::Listed(Listed::new(values))),
        ("any-level" | "listed", (.., None)) => Err("its list is absent"),
        ("interval", (Some(width), None, None, None, None)) => interval(width),
        ("interval", (None, ..)) => Err("its width is no positive decimal number"),
        ("prefix", (None, Some(keep), None, None, None)) => prefix(keep),
        ("prefix", (_, None, ..)) => Err("it does not say how many characters are kept"),
        ("date", (None, None, grain, format, None)) => date(grain, format),
        ("as-collected" | "top" | "range" | "any-level" | "listed" | "interval" | "prefix" | "date", _) => {
            Err("its rule has a parameter that it does not take")
        }
        _ => Err("its rule is not known to this audit"),
    }
}

fn interval(width: &str) -> Result<Rule<'_>, &'static str> {
    let width = Decimal::parse_canonical(width).filter(|width| width.is_positive());
    width.map(|width| Rule::Interval { width }).ok_or("its width is no positive decimal number")
}

fn prefix<'a>(keep: u64) -> Result<Rule<'a>, &'static str> {
    let keep = usize::try_from(keep).ok().filter(|keep| *keep > 0);
    keep.map(|keep| Rule::Prefix { keep }).ok_or("it does not say how many characters are kept")
}

fn date<'a>(grain: Option<&str>, format: Option<&str>) -> Result<Rule<'a>, &'static str> {
    let grain = grain.and_then(Grain::named).ok_or("its grain is not known to this audit")?;
    let is_known = format.is_some_and(|format| DATE_FORMATS.contains(&format));
    is_known.then_some(Rule::Date { grain }).ok_or("how its dates were collected is not known to this audit")
}

/// Whether the rule can make the labels of that level.
fn fit(rule: &Rule<'_>, labels: &Labels, level: u64, levels: u64) -> Result<(), &'static str> {
    let is_top = level.checked_add(1) == Some(levels);
    if level >= levels || levels < 2 {
        return Err("its level is beyond its ladder");
    }
    if labels.or_top && !matches!(rule, Rule::Interval { .. } | Rule::Date { .. }) {
        return Err("its rule puts no value at the top that is not there");
    }
    match rule {
        Rule::AsCollected if level == 0 => Ok(()),
        Rule::AsCollected => Err("only level 0 is as collected"),
        _ if level == 0 => Err("level 0 is as collected"),
        Rule::Top if is_top => Ok(()),
        Rule::Top => Err("only the last level is the top"),
        Rule::Range | Rule::AnyLevel(_) | Rule::NewNumber | Rule::NewDate { .. } | Rule::NewWord(_) => {
            Err("labels of each class stand at no level")
        }
        Rule::Listed(listed) if listed.own_labels() <= 1 => Ok(()),
        _ if is_top => Err("the last level has one label for all"),
        Rule::Listed(_) | Rule::Interval { .. } | Rule::Prefix { .. } | Rule::Date { .. } => Ok(()),
    }
}
