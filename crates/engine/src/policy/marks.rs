//! Marks: the variables that a method gives new values to, and the bounds of those values.
//!
//! Which marks there are is said by the methods themselves; nothing here names one.

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::method;
use equanym_core::variable::Role;

use super::place::{quoted, quoted_list};
use super::property::exact;
use super::table::{Item, PolicyTable};
use crate::error::Result;

/// The key of the bounds.
pub(super) const DOMAIN: &str = "domain";

/// A variable's mark, and the bounds of its new values.
type Marked = (Option<&'static str>, Option<(Decimal, Decimal)>);

/// Every mark.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    method::ALL.iter().filter_map(|member| Some(member.values()?.mark))
}

/// Reads the mark of a variable, and its domain.
pub(super) fn read(table: &PolicyTable<'_>, role: Role) -> Result<Marked> {
    let mut marks = Vec::new();
    for mark in all() {
        if let Some(item) = table.get(mark)
            && item.flag()?
        {
            marks.push((mark, item));
        }
    }
    let domain = table.get(DOMAIN);
    let Some((mark, item)) = marks.first() else {
        return match domain {
            Some(item) => Err(item.fail(format!("goes with {} only", quoted_list(all())))),
            None => Ok((None, None)),
        };
    };
    if let Some((_, second)) = marks.get(1) {
        return Err(second.fail(format!("cannot stand beside {}", quoted(mark))));
    }
    if role == Role::Identifying {
        return Err(item.fail("has no effect: the variable is identifying and never released"));
    }
    if let Some(stray) = ["hierarchy", "levels", "type"].into_iter().find_map(|key| table.get(key)) {
        let message = format!("has no effect: {} gives the variable new numbers instead of labels", quoted(mark));
        return Err(stray.fail(message).hint(format!("remove {}, or {}", quoted(stray.key()), quoted(mark))));
    }
    Ok((Some(mark), domain.map(|item| bounds(&item)).transpose()?))
}

fn bounds(item: &Item<'_>) -> Result<(Decimal, Decimal)> {
    let unfit = || item.fail("must be two numbers, the lower bound before the upper one: domain = [0, 100]");
    let list = item.list()?;
    let [low, high] = list.as_slice() else { return Err(unfit()) };
    let (low, high) = (exact(low)?, exact(high)?);
    if low < high { Ok((low, high)) } else { Err(unfit()) }
}
