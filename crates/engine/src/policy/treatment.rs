//! Treatments: what happens to the cells of a variable before anything else.
//!
//! `role = "pseudonym"` is one, and the keys [`KEYS`] are the others. What each does stands on its card in the core. A
//! treatment that would have no effect, or that another key contradicts, is refused with its line.

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::hierarchy::{Builder, DateFormat};
use equanym_core::treatment::{Age, At, MOST_DAYS, Shift, Treatment};
use equanym_core::variable::Role;

use super::hierarchy::{date_format, formats};
use super::keys::{Key, Section, Takes, key};
use super::marks;
use super::place::{at_line, known, quoted};
use super::property::exact;
use super::table::{Item, PolicyTable};
use super::variable::{ValueKind, VariablePolicy};
use crate::error::{Error, Result};

const KEYS: [&str; 5] = [SHIFT, DERIVE, ROUND, TOP, BOTTOM];
const SHIFT: &str = "shift";
const DERIVE: &str = "derive";
const ROUND: &str = "round";
const TOP: &str = "top";
const BOTTOM: &str = "bottom";

/// The keys of a variable whose cells are treated.
pub(super) fn keys() -> Vec<Key> {
    vec![
        key(SHIFT, Takes::Table(&SHIFT_OF), "", "dates move by a keyed number of days, all dates of a person alike"),
        key(DERIVE, Takes::Table(&DERIVE_OF), "", "a date becomes an age"),
        key(ROUND, Takes::Number, "", "numbers become the nearest multiple; for sensitive and insensitive variables"),
        key(TOP, Takes::Number, "", "the largest number that is released; for sensitive and insensitive variables"),
        key(BOTTOM, Takes::Number, "", "the smallest number that is released; for sensitive and insensitive variables"),
    ]
}

const SHIFT_OF: Section = Section::of(
    "[variables.<name>] shift",
    "Dates move before any ladder looks at them; times between dates of one person stay. The key is that of `--key`.",
    &[
        key("days", Takes::Whole(1), "", "how far dates move at most, back or forth; compulsory, at most 36500"),
        key("by", Takes::Text, "", "the column that says whose date it is, released or not; compulsory"),
        key("format", Takes::Words(formats), "that of the ladder, or YYYY-MM-DD", "how dates are written"),
    ],
);

const DERIVE_OF: Section = Section::of(
    "[variables.<name>] derive",
    "The column holds an age in whole years in place of a date, and may have a ladder of numbers.",
    &[
        key(
            "age_at",
            Takes::Text,
            "",
            "the column with the other date, released or not, or a day: `\"2026-01-01\"`; compulsory",
        ),
        key(TOP, Takes::Whole(1), "", "higher ages become this one"),
        key("format", Takes::Words(formats), "YYYY-MM-DD", "how dates are written"),
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
    let days = days.whole_in(1, i64::from(MOST_DAYS)).map(|days| u32::try_from(days).unwrap_or(MOST_DAYS))?;
    let by = table.get("by").ok_or_else(|| {
        table.fail("`by` is missing").hint("name the column that says whose date it is: by = \"patient_id\"")
    })?;
    let format = match (ladder, table.get("format")) {
        (Builder::Date { format, .. }, None) => *format,
        (Builder::Date { format, .. }, Some(item)) if date_format(Some(item.clone()))? != *format => {
            return Err(item.fail("is not the `format` of the hierarchy"));
        }
        (_, item) => date_format(item)?,
    };
    Ok(Treatment::Shift(Shift { days, by: column(&by)?, format }))
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
    let at = table.get("age_at").ok_or_else(|| {
        let hint = "name the column with the other date, or a day: age_at = \"2026-01-01\"";
        table.fail("`age_at` is missing").hint(hint)
    })?;
    let format = date_format(table.get("format"))?;
    let at = match at.text()? {
        day if DateFormat::Iso.read_day(day).is_some() => At::Day { day: day.to_owned() },
        // Until the other column says otherwise.
        _ => At::Column { at: column(&at)?, at_format: format },
    };
    let top = table.get(TOP).map(|item| item.whole_in(1, 200)).transpose()?;
    Ok(Treatment::Derive(Age { at, format, top: top.and_then(|top| u16::try_from(top).ok()) }))
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
    let number = |key| table.get(key).map(|item| exact(&item).map(|number| (number, item))).transpose();
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

/// What the values of a treated variable are, where the treatment says so.
pub(super) fn kind(treatments: &[Treatment]) -> Option<ValueKind> {
    treatments.first().map(|first| match first {
        Treatment::Pseudonym | Treatment::Shift(_) => ValueKind::Text,
        Treatment::Round { .. } | Treatment::Top { .. } | Treatment::Bottom { .. } | Treatment::Derive(_) => {
            ValueKind::Number
        }
    })
}

/// Whether the variables that treatments look at are there, and dates of one person move alike. The dates of another
/// column are read as that column says.
pub(super) fn check(variables: &mut [VariablePolicy]) -> Result<()> {
    let formats: Vec<(String, Option<DateFormat>)> =
        variables.iter().map(|variable| (variable.name.clone(), own_format(variable))).collect();
    let mut moves: Vec<(String, u32)> = Vec::new();
    for variable in variables {
        let (line, name) = (variable.line, variable.name.clone());
        for treatment in &mut variable.treatments {
            if let Some(other) = treatment.other() {
                let Some((_, format)) = formats.iter().find(|(name, _)| name == other) else {
                    return Err(stranger(line, treatment, other, formats.iter().map(|(name, _)| name.as_str())));
                };
                if other == name {
                    let key = quoted(treatment.card().name);
                    return Err(at_line(line, format!("{key} of {} looks at its own column", quoted(&name))));
                }
                if let (Treatment::Derive(Age { at: At::Column { at_format, .. }, .. }), Some(format)) =
                    (&mut *treatment, format)
                {
                    *at_format = *format;
                }
            }
            if let Treatment::Shift(Shift { days, by, .. }) = treatment {
                if moves.iter().any(|(person, other)| person == by && other != days) {
                    let message = format!("dates that move by {} must move by the same `days`", quoted(by));
                    return Err(
                        at_line(line, message).hint("times between the dates of a person would be lost otherwise")
                    );
                }
                moves.push((by.clone(), *days));
            }
        }
    }
    Ok(())
}

fn stranger<'a>(
    line: usize,
    treatment: &Treatment,
    other: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Error {
    let message = format!("{} looks at {}, which is no variable", quoted(treatment.card().name), quoted(other));
    at_line(line, message).hint(known(other, names))
}

/// How a variable says that its dates are written.
fn own_format(variable: &VariablePolicy) -> Option<DateFormat> {
    let treated = variable.treatments.iter().find_map(|treatment| match treatment {
        Treatment::Shift(shift) => Some(shift.format),
        Treatment::Derive(age) => Some(age.format),
        _ => None,
    });
    match &variable.hierarchy {
        Builder::Date { format, .. } => Some(*format),
        _ => treated,
    }
}
