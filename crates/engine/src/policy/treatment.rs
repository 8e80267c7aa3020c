//! Treatments: what happens to the cells of a variable before anything else.
//!
//! `role = "pseudonym"` is one, and the keys [`KEYS`] are the others. What each does stands on its card in the core. A
//! treatment that would have no effect, or that another key contradicts, is refused with its line.

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::hierarchy::{Builder, DateFormat};
use equanym_core::treatment::{Age, AgeDay, DateShift, MOST_DAYS, Treatment};
use equanym_core::variable::Role;

use super::hierarchy::{date_format, formats};
use super::keys::KeyShape::{Text, Whole, Words};
use super::keys::{Section, key};
use super::marks;
use super::place::quoted;
use super::property::exact;
use super::table::{Item, PolicyTable};
use crate::error::Result;

/// The keys of a variable.
const KEYS: [&str; 5] = [SHIFT, DERIVE, ROUND, TOP, BOTTOM];
pub(super) const SHIFT: &str = "shift";
pub(super) const DERIVE: &str = "derive";
pub(super) const ROUND: &str = "round";
pub(super) const TOP: &str = "top";
pub(super) const BOTTOM: &str = "bottom";

pub(super) const SHIFT_OF: Section = Section::new(
    "[variables.<name>] shift",
    "Dates move before any ladder looks at them; times between dates of one person stay. The key is that of `--key`.",
    &[
        key("days", Whole(1), "how far dates move at most, back or forth; compulsory, at most 36500"),
        key("by", Text, "the column that says whose date it is, released or not; compulsory"),
        key("format", Words(formats), "how dates are written").usually("that of the ladder, or YYYY-MM-DD"),
    ],
);

pub(super) const DERIVE_OF: Section = Section::new(
    "[variables.<name>] derive",
    "The column holds an age in whole years in place of a date, and may have a ladder of numbers.",
    &[
        key("age_at", Text, "the column with the other date, released or not, or a day: `\"2026-01-01\"`; compulsory"),
        key(TOP, Whole(1), "higher ages become this one"),
        key("format", Words(formats), "how dates are written").usually("YYYY-MM-DD"),
    ],
);

/// Reads the treatments of a variable, in the order in which they happen.
pub(super) fn read(table: &PolicyTable<'_>, role: Role, ladder: &Builder) -> Result<Vec<Treatment>> {
    let given: Vec<Item<'_>> = table.items().into_iter().filter(|item| KEYS.contains(&item.key())).collect();
    if role == Role::Pseudonym {
        let idle = given.into_iter().chain(table.get("type")).next();
        return idle.map_or(Ok(vec![Treatment::Pseudonym]), |item| {
            Err(item.fail("has no effect: a token is released in place of each value"))
        });
    }
    let Some(first) = given.first() else { return Ok(Vec::new()) };
    if role == Role::Identifying {
        return Err(first.fail("has no effect: the variable is identifying and never released"));
    }
    if let Some(mark) = marks::all().find(|mark| table.get(mark).is_some_and(|item| item.flag().unwrap_or(true))) {
        return Err(first.fail(format!("cannot stand beside {}, which gives the variable new values", quoted(mark))));
    }
    match (table.get(SHIFT), table.get(DERIVE)) {
        (Some(item), None) => alone(&item, &given).and_then(|()| Ok(vec![shift(&item, table, ladder)?])),
        (None, Some(item)) => alone(&item, &given).and_then(|()| Ok(vec![derive(&item, table, ladder)?])),
        (Some(_), Some(item)) => Err(item.fail(format!("cannot stand beside {}", quoted(SHIFT)))),
        (None, None) => numbers(table, first, role),
    }
}

/// Dates that move or become ages are not rounded as well.
fn alone(item: &Item<'_>, given: &[Item<'_>]) -> Result<()> {
    match given.iter().find(|other| other.key() != item.key()) {
        Some(other) => Err(other.fail(format!("cannot stand beside {}", quoted(item.key())))),
        None => Ok(()),
    }
}

fn shift(item: &Item<'_>, variable: &PolicyTable<'_>, ladder: &Builder) -> Result<Treatment> {
    let table = item.table()?;
    table.allow(&SHIFT_OF.names())?;
    if let Some(kind) = variable.get("type") {
        return Err(kind.fail(format!("cannot stand beside {}: its cells are dates", quoted(SHIFT))));
    }
    let days = table.get("days").ok_or_else(|| table.fail("`days` is missing: how far may dates move?"))?;
    let days = days.whole_in(1, i64::from(MOST_DAYS))?;
    let hint = "name the column that says whose date it is: by = \"patient_id\"";
    let by = table.need("by").map_err(|error| error.hint(hint))?;
    let format = match (ladder, table.get("format")) {
        (Builder::Date { format, .. }, None) => *format,
        (Builder::Date { format, .. }, Some(item)) if date_format(Some(item.clone()))? != *format => {
            return Err(item.fail("is not the `format` of the hierarchy"));
        }
        (_, item) => date_format(item)?,
    };
    Ok(Treatment::Shift(DateShift { days, by: column(&by)?, format }))
}

fn derive(item: &Item<'_>, variable: &PolicyTable<'_>, ladder: &Builder) -> Result<Treatment> {
    let table = item.table()?;
    table.allow(&DERIVE_OF.names())?;
    if let Builder::Date { .. } | Builder::Prefix { .. } = ladder {
        let ladder = variable.get("hierarchy").unwrap_or_else(|| item.clone());
        return Err(ladder
            .fail(format!("is no ladder of numbers, and {} makes an age of each date", quoted(DERIVE)))
            .hint("join ages: hierarchy = { intervals = [5, 10, 20] }"));
    }
    if let Some(kind) = variable.get("type").filter(|kind| kind.raw().as_str() != Some("number")) {
        return Err(kind.fail(format!("cannot stand beside {}: an age is a number", quoted(DERIVE))));
    }
    let hint = "name the column with the other date, or a day: age_at = \"2026-01-01\"";
    let at = table.need("age_at").map_err(|error| error.hint(hint))?;
    let format = date_format(table.get("format"))?;
    let at = match at.text()? {
        day if DateFormat::Iso.read_day(day).is_some() => AgeDay::Day { day: day.to_owned() },
        // Until the other column says otherwise.
        _ => AgeDay::Column { at: column(&at)?, at_format: format },
    };
    let top = table.read(TOP, |item| item.whole_in(1, 200))?;
    Ok(Treatment::Derive(Age { at, format, top }))
}

/// Rounding, then the ends.
fn numbers(table: &PolicyTable<'_>, first: &Item<'_>, role: Role) -> Result<Vec<Treatment>> {
    if role == Role::QuasiIdentifying {
        return Err(first
            .fail("goes with sensitive and insensitive variables: a quasi-identifying one has a ladder")
            .hint("join numbers: hierarchy = { intervals = [10, 20] }"));
    }
    if let Some(kind) = table.get("type").filter(|kind| kind.raw().as_str() != Some("number")) {
        return Err(kind.fail(format!("cannot stand beside {}, which treats numbers", quoted(first.key()))));
    }
    let number = |key| table.read(key, |item| Ok((exact(item)?, item.clone())));
    let (round, top, bottom) = (number(ROUND)?, number(TOP)?, number(BOTTOM)?);
    if let Some((_, item)) = round.as_ref().filter(|(to, _)| *to <= Decimal::ZERO) {
        return Err(item.fail("must be a number above 0").hint("numbers become multiples of it: round = 100"));
    }
    for (end, item) in [&top, &bottom].into_iter().flatten() {
        let is_multiple = |to: &Decimal| end.floor_to(*to) == Some(*end);
        if round.as_ref().is_some_and(|(to, _)| !is_multiple(to)) {
            return Err(item.fail(format!("must be a multiple of {}, so that both hold", quoted(ROUND))));
        }
    }
    if let (Some((top, item)), Some((bottom, _))) = (&top, &bottom)
        && top <= bottom
    {
        return Err(item.fail(format!("must be above {}", quoted(BOTTOM))));
    }
    let round = round.map(|(to, _)| Treatment::Round { to });
    let top = top.map(|(at, _)| Treatment::Top { at });
    let bottom = bottom.map(|(at, _)| Treatment::Bottom { at });
    Ok([round, top, bottom].into_iter().flatten().collect())
}

fn column(item: &Item<'_>) -> Result<String> {
    match item.text()? {
        "" => Err(item.fail("must name a column")),
        name => Ok(name.to_owned()),
    }
}
