//! `hierarchy = { … }`: how a variable's ladder of generalisations is made.
//!
//! The core knows which ladders can be built; it is asked at once, with no values yet, so that a mistake is found with
//! its line before any data is read. Group labels and listed values come from the data: no message repeats one.

use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::{Builder, DateFormat, Grain, HierarchyError};
use toml::de::DeValue;

use super::Files;
use super::keys::{Section, Takes, key};
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// The keys of which a hierarchy has exactly one.
const KINDS: [&str; 6] = ["intervals", "prefix", "date", "file", "groups", "order"];

pub(super) const HIERARCHY: Section = Section::of(
    "[variables.<name>] hierarchy",
    "The ladder of a variable: level 0 is the value as collected, the last level is `*` for all. Exactly one of `intervals`, \
     `prefix`, `date`, `file`, `groups` and `order` says how it is made.",
    &[
        key("intervals", Takes::List(&Takes::Number), "", "numbers in bands of these widths"),
        key("prefix", Takes::List(&Takes::Whole(0)), "", "how many characters stay at each level"),
        key("date", Takes::List(&Takes::Words(grains)), "", "what stays of a date at each level"),
        key("format", Takes::Words(formats), "YYYY-MM-DD", "how dates are written; goes with `date`"),
        key(
            "file",
            Takes::Text,
            "",
            "a CSV file, one line for each value: the value, then its labels from fine to coarse",
        ),
        key(
            "groups",
            Takes::List(&Takes::Named(&Takes::List(&Takes::Text))),
            "",
            "for each level the labels, and what each joins",
        ),
        key("order", Takes::List(&Takes::Text), "", "values from the lowest to the highest, of which neighbours join"),
        key("sizes", Takes::List(&Takes::Whole(0)), "", "how many neighbours join at each level; goes with `order`"),
    ],
);

fn grains() -> Vec<&'static str> {
    GRAINS.map(|(word, _)| word).to_vec()
}

/// How dates may be written.
pub(super) fn formats() -> Vec<&'static str> {
    DateFormat::ALL.map(DateFormat::name).to_vec()
}

/// A hierarchy as the policy gives it.
pub(super) struct Given {
    /// How it is made.
    pub(super) builder: Builder,
    /// The highest level that it can have.
    pub(super) top: u8,
}

impl Given {
    /// Nothing given: the values as collected, then `*`.
    pub(super) const NOTHING: Self = Self { builder: Builder::None, top: 1 };
}

/// Reads a hierarchy.
pub(super) fn hierarchy(item: &Item<'_>, files: &Files<'_>) -> Result<Given> {
    let table = item.table()?;
    table.allow_discreetly(&HIERARCHY.names())?;
    let kind = kind(&table)?;
    let builder = builder(&table, &kind, files)?;
    match builder.fit(&[]) {
        Ok(ladder) => Ok(Given { builder, top: ladder.height() }),
        Err(error) => Err(unfit(&kind, &error)),
    }
}

/// The one key that says how the ladder is made.
fn kind<'a>(table: &PolicyTable<'a>) -> Result<Item<'a>> {
    let kinds: Vec<Item<'a>> = table.items().into_iter().filter(|item| KINDS.contains(&item.key())).collect();
    match kinds.as_slice() {
        [kind] => Ok(kind.clone()),
        [] => Err(table.fail(format!("one of these is needed: {}", KINDS.join(", ")))),
        [first, second, ..] => Err(second.fail(format!("stands beside `{}`; keep one of them", first.key()))),
    }
}

fn builder(table: &PolicyTable<'_>, kind: &Item<'_>, files: &Files<'_>) -> Result<Builder> {
    let beside = |key: &str, of: &str| match table.get(key) {
        Some(item) if kind.key() != of => Err(item.fail(format!("goes with `{of}` only"))),
        item => Ok(item),
    };
    let (format, sizes) = (beside("format", "date")?, beside("sizes", "order")?);
    Ok(match kind.key() {
        "intervals" => Builder::Intervals { widths: each(kind, width)? },
        "prefix" => Builder::Prefix { keep: each(kind, count)? },
        "date" => Builder::Date { grains: each(kind, grain)?, format: date_format(format)? },
        "file" => file(kind, files)?,
        "groups" => Builder::Groups { levels: each(kind, groups)? },
        _ => Builder::Order { values: each(kind, value)?, sizes: order_sizes(table, sizes)? },
    })
}

fn each<'a, T>(list: &Item<'a>, read: impl Fn(&Item<'a>) -> Result<T>) -> Result<Vec<T>> {
    list.list()?.iter().map(read).collect()
}

/// A complaint of the core, with its line and its next step.
fn unfit(item: &Item<'_>, error: &HierarchyError) -> Error {
    let complaint = item.error(format!("{}: {error}", item.owner()));
    Error { hint: error.hint().map(str::to_owned), ..complaint }
}

/// A width, as the decimal number that was written.
fn width(item: &Item<'_>) -> Result<String> {
    item.number()?;
    match item.raw() {
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        _ => Ok(item.whole()?.to_string()),
    }
}

fn count(item: &Item<'_>) -> Result<usize> {
    let number = item.whole_in(0, i64::from(u32::MAX))?;
    usize::try_from(number).map_err(|_| item.fail("is too large"))
}

fn value(item: &Item<'_>) -> Result<String> {
    item.text().map(str::to_owned)
}

fn order_sizes(table: &PolicyTable<'_>, sizes: Option<Item<'_>>) -> Result<Vec<usize>> {
    let hint = "how many neighbours join at each level: sizes = [2, 4]";
    let sizes = sizes.ok_or_else(|| table.fail("`order` needs `sizes` beside it").hint(hint))?;
    each(&sizes, count)
}

/// The groups of one level. The labels become keys of no message.
fn groups(item: &Item<'_>) -> Result<Vec<(String, Vec<String>)>> {
    let table = item.table()?;
    let group = |item: Item<'_>| Ok((item.key().to_owned(), each(&item.called("group"), value)?));
    table.items().into_iter().map(group).collect()
}

fn file(item: &Item<'_>, files: &Files<'_>) -> Result<Builder> {
    let name = item.text()?;
    let text = files(name).map_err(|error| Error { message: item.error(&error.message).message, ..error })?;
    let rows = HierarchyFile::parse(&text).map_err(|error| unfit(item, &error))?;
    Ok(Builder::File(rows))
}

/// How dates are written; as ISO 8601 says where the policy does not.
pub(super) fn date_format(item: Option<Item<'_>>) -> Result<DateFormat> {
    let Some(item) = item else { return Ok(DateFormat::default()) };
    let word = item.choice(DateFormat::ALL.map(DateFormat::name))?;
    DateFormat::ALL.into_iter().find(|format| format.name() == word).ok_or_else(|| item.fail("is unknown"))
}

fn grain(item: &Item<'_>) -> Result<Grain> {
    let word = item.choice(GRAINS.map(|(word, _)| word))?;
    GRAINS.into_iter().find(|(known, _)| *known == word).map(|(_, grain)| grain).ok_or_else(|| item.fail("is unknown"))
}

/// The parts of a date, from fine to coarse.
const GRAINS: [(&str, Grain); 6] = [
    ("day", Grain::Day),
    ("week", Grain::Week),
    ("month", Grain::Month),
    ("quarter", Grain::Quarter),
    ("year", Grain::Year),
    ("decade", Grain::Decade),
];
