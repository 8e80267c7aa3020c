//! Which rule a claim stands for, and whether it can stand at the claimed level.
//!
//! Level 0 is the value as collected, or what top and bottom coding leaves of it, and nothing else is; the last level has one label for all; what a rule makes stands
//! between them. A rule has its own parameters and no others, so that nothing is claimed that nobody judges.

use super::Rule;
use super::date::Grain;
use super::ends::Ends;
use super::listed::Listed;
use crate::calendar::DATE_FORMATS;
use crate::decimal::Decimal;
use crate::library::Library;
use crate::manifest::{Column, LabelClaim, NewValues};

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
fn named(labels: &LabelClaim) -> Result<Rule<'_>, &'static str> {
    let takes: &[&str] = match labels.rule.as_str() {
        "as-collected" | "top" | "range" => &[],
        "any-level" | "listed" => &["values"],
        "ends" => &["top", "bottom"],
        "interval" => &["width", "top", "bottom"],
        "prefix" => &["keep"],
        "date" => &["grain", "format"],
        "library" => &["library", "step"],
        _ => return Err("its rule is not known to this audit"),
    };
    if given(labels).any(|parameter| !takes.contains(&parameter)) {
        return Err("its rule has a parameter that it does not take");
    }
    let list = || labels.values.as_deref().map(Listed::new).ok_or("its list is absent");
    match labels.rule.as_str() {
        "as-collected" => Ok(Rule::AsCollected),
        "top" => Ok(Rule::Top),
        "range" => Ok(Rule::Range),
        "any-level" => list().map(Rule::AnyLevel),
        "listed" => list().map(Rule::Listed),
        "ends" => ends(labels).map(Rule::Ends),
        "interval" => interval(labels),
        "prefix" => prefix(labels.keep),
        "date" => date(labels.grain.as_deref(), labels.format.as_deref()),
        _ => library(labels),
    }
}

/// The parameters that a claim has.
fn given(labels: &LabelClaim) -> impl Iterator<Item = &'static str> {
    let LabelClaim { rule: _, width, top, bottom, keep, grain, format, library, step, values, or_top: _ } = labels;
    let given = [
        ("width", width.is_some()),
        ("top", top.is_some()),
        ("bottom", bottom.is_some()),
        ("keep", keep.is_some()),
        ("grain", grain.is_some()),
        ("format", format.is_some()),
        ("library", library.is_some()),
        ("step", step.is_some()),
        ("values", values.is_some()),
    ];
    given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name)
}

fn interval(labels: &LabelClaim) -> Result<Rule<'_>, &'static str> {
    let width = labels.width.as_deref().and_then(Decimal::parse_canonical).filter(|width| width.is_positive());
    let width = width.ok_or("its width is no positive decimal number")?;
    let ends = Ends::of(labels).ok_or(UNFIT_ENDS)?;
    Ok(Rule::Interval { width, ends })
}

const UNFIT_ENDS: &str = "the ends of its numbers are no numbers, or nothing lies between them";

fn ends(labels: &LabelClaim) -> Result<Ends, &'static str> {
    Ends::of(labels).filter(|ends| !ends.is_none()).ok_or(UNFIT_ENDS)
}

fn library(labels: &LabelClaim) -> Result<Rule<'_>, &'static str> {
    let library = labels.library.as_deref().and_then(Library::named);
    let library = library.ok_or("its ladder is not in the library of this audit")?;
    let step = labels.step.filter(|step| (1..=library.steps()).contains(step));
    step.map(|step| Rule::Library { library, step }).ok_or("its ladder has no such step")
}

fn prefix<'a>(keep: Option<u64>) -> Result<Rule<'a>, &'static str> {
    let keep = keep.and_then(|keep| usize::try_from(keep).ok()).filter(|keep| *keep > 0);
    keep.map(|keep| Rule::Prefix { keep }).ok_or("it does not say how many characters are kept")
}

fn date<'a>(grain: Option<&str>, format: Option<&str>) -> Result<Rule<'a>, &'static str> {
    let grain = grain.and_then(Grain::named).ok_or("its grain is not known to this audit")?;
    let is_known = format.is_some_and(|format| DATE_FORMATS.contains(&format));
    is_known.then_some(Rule::Date { grain }).ok_or("how its dates were collected is not known to this audit")
}

/// Whether the rule can make the labels of that level.
fn fit(rule: &Rule<'_>, labels: &LabelClaim, level: u64, levels: u64) -> Result<(), &'static str> {
    let is_top = level.checked_add(1) == Some(levels);
    if level >= levels || levels < 2 {
        return Err("its level is beyond its ladder");
    }
    let may_be_unreadable =
        matches!(rule, Rule::Ends(_) | Rule::Interval { .. } | Rule::Date { .. } | Rule::Library { .. });
    if labels.or_top && !may_be_unreadable {
        return Err("its rule puts no value at the top that is not there");
    }
    match rule {
        Rule::AsCollected | Rule::Ends(_) if level == 0 => Ok(()),
        Rule::AsCollected | Rule::Ends(_) => Err("only level 0 is as collected"),
        _ if level == 0 => Err("level 0 is as collected"),
        Rule::Top if is_top => Ok(()),
        Rule::Top => Err("only the last level is the top"),
        Rule::Range | Rule::AnyLevel(_) | Rule::NewNumber | Rule::NewDate { .. } | Rule::NewWord(_) => {
            Err("labels of each class stand at no level")
        }
        Rule::Listed(listed) if listed.own_labels() <= 1 => Ok(()),
        _ if is_top => Err("the last level has one label for all"),
        Rule::Library { step, .. } if *step != level => Err("its step is not its level"),
        Rule::Listed(_) | Rule::Interval { .. } | Rule::Prefix { .. } | Rule::Date { .. } | Rule::Library { .. } => {
            Ok(())
        }
    }
}
