//! Marks: which variables a method gives new values to, what those values are, and what they must heed. Also the order of
//! values that a privacy model looks at.
//!
//! Which marks there are is said by the methods themselves; nothing here names one. A marked variable is a column of numbers
//! unless the policy says that it is dates (`type = "date"`, or a ladder of dates) or words in an order (`values`, or the
//! order of a ladder).

use equanym_core::hierarchy::Builder;
use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::method;
use equanym_core::variable::Role;
use equanym_core::walk::{ColumnLimits, ColumnScale, OrderedWords};

use super::hierarchy::{date_format, formats};
use super::keys::KeyShape::{Either, Flag, List, Number, Text, Words};
use super::keys::{KeyShape, PolicyKey, key};
use super::place::{quoted, quoted_list};
use super::property::exact;
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// The keys that go with a mark only.
pub(super) const KEYS: [&str; 4] = [DOMAIN, INTERVAL, VALUES, FORMAT];
const DOMAIN: &str = "domain";
pub(super) const INTERVAL: &str = "interval";
pub(super) const VALUES: &str = "values";
const FORMAT: &str = "format";

/// How a variable gets new values.
#[derive(Debug, Clone, PartialEq)]
pub struct NewValuesPolicy {
    /// The mark.
    pub mark: &'static str,
    /// What its values are.
    pub scale: ColumnScale,
    /// What the new ones must heed.
    pub limits: ColumnLimits,
}

/// The keys of a variable that gets new values.
pub(super) fn keys() -> Vec<PolicyKey> {
    const BOUND: &KeyShape = &Either(&[Number, Text]);
    let marks = all().map(|mark| key(mark, Flag, "whether the method gives it new values").usually("false"));
    let others = [
        key(DOMAIN, List(BOUND), "the lowest and the highest new value"),
        key(INTERVAL, Number, "how far noise may move a value, up or down"),
        key(VALUES, List(&Text), "its values in their order, from the lowest to the highest"),
        key(FORMAT, Words(formats), "how dates are written; goes with `type = \"date\"`").usually("YYYY-MM-DD"),
    ];
    marks.chain(others).collect()
}

/// Every mark.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    method::ALL.iter().filter_map(|member| Some(member.values()?.mark))
}

/// Reads the mark of a variable, if it has one.
pub(super) fn read(table: &PolicyTable<'_>, role: Role, ladder: &Builder) -> Result<Option<NewValuesPolicy>> {
    let mut marks = Vec::new();
    for mark in all() {
        if let Some(item) = table.get(mark)
            && item.flag()?
        {
            marks.push((mark, item));
        }
    }
    let Some((mark, item)) = marks.first() else {
        let may_stand = |key: &str| role == Role::Sensitive && key == VALUES;
        let stray = KEYS.into_iter().filter(|key| !may_stand(key)).find_map(|key| table.get(key));
        return stray.map_or(Ok(None), |item| Err(item.fail(format!("goes with {} only", quoted_list(all())))));
    };
    if let Some((_, second)) = marks.get(1) {
        return Err(second.fail(format!("cannot stand beside {}", quoted(mark))));
    }
    if role == Role::Identifying {
        return Err(item.fail("has no effect: the variable is identifying and never released"));
    }
    if role == Role::Pseudonym {
        return Err(item.fail("has no effect: a token is released in place of each value"));
    }
    let scale = scale(table, mark, ladder)?;
    let bounds = table.read(DOMAIN, |item| bounds(item, &scale))?;
    let interval = table.read(INTERVAL, |item| interval(item, mark, &scale))?;
    Ok(Some(NewValuesPolicy { mark, scale, limits: ColumnLimits { bounds, interval } }))
}

/// What the values are: a ladder or a type says so, numbers otherwise. A ladder serves methods that recode, on a map say.
fn scale(table: &PolicyTable<'_>, mark: &str, ladder: &Builder) -> Result<ColumnScale> {
    let kind = table.read("type", |item| item.choice(["number", "date"]))?;
    let hierarchy = table.get("hierarchy");
    if let Some(item) = table.get("levels").filter(|_| hierarchy.is_none()) {
        let message = format!("has no effect: {} gives the variable new values instead of labels", quoted(mark));
        return Err(item.fail(message).hint(format!("remove {}, or {}", quoted(item.key()), quoted(mark))));
    }
    if let Some(item) = hierarchy.as_ref().filter(|_| ladder.codes_ends()) {
        let message =
            format!("codes the ends of the values, and the new ones that {} gives would not heed that", quoted(mark));
        return Err(item.fail(message).hint(format!("give {} as the bounds of the new values", quoted(DOMAIN))));
    }
    let [values, format] = [VALUES, FORMAT].map(|key| table.get(key));
    let clash = |item: &Item<'_>, other: &str| Err(item.fail(format!("cannot stand beside {}", quoted(other))));
    let says_scale = matches!(ladder, Builder::Order { .. } | Builder::Date { .. });
    match (ladder, &hierarchy, &values, kind) {
        (_, _, Some(item), Some(_)) => clash(item, "type"),
        (_, Some(item), None, Some(_)) if says_scale => clash(item, "type"),
        (_, Some(item), Some(_), None) if says_scale => clash(item, VALUES),
        (_, _, Some(item), None) => without(format, || words(item)),
        (Builder::Order { values, .. }, Some(item), None, None) => without(format, || ordered(item, values.clone())),
        (Builder::Date { format: own, .. }, Some(_), None, None) => without(format, || Ok(ColumnScale::Dates(*own))),
        (_, _, None, Some("date")) => Ok(ColumnScale::Dates(date_format(format)?)),
        (_, _, None, _) => without(format, || Ok(ColumnScale::Numbers)),
    }
}

/// The order of values that stay as they are: as listed, or that of a ladder. Numbers need none.
pub(super) fn order(table: &PolicyTable<'_>, ladder: &Builder) -> Result<Option<OrderedWords>> {
    match (table.get(VALUES), ladder) {
        (Some(item), Builder::Order { .. }) => {
            Err(item.fail("cannot stand beside a `hierarchy` that has an order of its own"))
        }
        (Some(item), _) => in_order(&item, item.each(Item::string)?).map(Some),
        // The ladder was built with them.
        (None, Builder::Order { values, .. }) => Ok(OrderedWords::new(values.clone()).ok()),
        (None, _) => Ok(None),
    }
}

/// A format goes with dates that no ladder gives one.
fn without(format: Option<Item<'_>>, scale: impl FnOnce() -> Result<ColumnScale>) -> Result<ColumnScale> {
    match format {
        Some(item) => Err(item.fail("goes with `type = \"date\"` only")),
        None => scale(),
    }
}

fn words(item: &Item<'_>) -> Result<ColumnScale> {
    ordered(item, item.each(Item::string)?)
}

/// Words that can be walked.
fn ordered(item: &Item<'_>, list: Vec<String>) -> Result<ColumnScale> {
    if list.len() < 3 {
        return Err(unordered(item, "there are fewer than 3, and a pattern of distances needs 3"));
    }
    in_order(item, list).map(ColumnScale::Words)
}

fn in_order(item: &Item<'_>, list: Vec<String>) -> Result<OrderedWords> {
    OrderedWords::new(list).map_err(|why| unordered(item, why))
}

fn unordered(item: &Item<'_>, why: &str) -> Error {
    let hint = "list the values from the lowest to the highest: values = [\"low\", \"medium\", \"high\"]";
    item.fail(format!("is no order of values: {why}")).hint(hint)
}

fn bounds(item: &Item<'_>, scale: &ColumnScale) -> Result<(Decimal, Decimal)> {
    let unfit = || {
        item.fail(match scale {
            ColumnScale::Numbers => "must be two numbers, the lower bound before the upper one: domain = [0, 100]",
            ColumnScale::Dates(_) => "must be two dates in the format of the column, the earlier one first",
            ColumnScale::Words(_) => "must be two words of the order, the lower one first",
        })
    };
    let list = item.list()?;
    let [low, high] = list.as_slice() else { return Err(unfit()) };
    let read = |item: &Item<'_>| match scale {
        ColumnScale::Numbers => exact(item),
        _ => item.raw().as_str().and_then(|text| scale.position(text)).ok_or_else(unfit),
    };
    let (low, high) = (read(low)?, read(high)?);
    if low < high { Ok((low, high)) } else { Err(unfit()) }
}

/// How far noise may go: a number above 0, whole where positions are.
fn interval(item: &Item<'_>, mark: &str, scale: &ColumnScale) -> Result<Decimal> {
    let takes = |member: &&method::MethodMember| member.values().is_some_and(|values| values.takes_interval);
    let able: Vec<&str> = method::ALL.iter().filter(takes).filter_map(|one| Some(one.values()?.mark)).collect();
    if !able.contains(&mark) {
        return Err(item.fail(format!("goes with {} only", quoted_list(able))));
    }
    let end = exact(item)?;
    let is_whole = end.scale() == 0 || scale.has_zero();
    if end > Decimal::ZERO && is_whole {
        return Ok(end);
    }
    let wanted = if scale.has_zero() { "must be a number above 0" } else { "must be a whole number above 0" };
    Err(item.fail(wanted).hint("noise moves each value by at most so much, up or down: interval = 500"))
}
