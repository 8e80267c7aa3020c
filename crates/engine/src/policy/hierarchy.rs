//! `hierarchy = { … }`: how a variable's ladder of generalisations is made.
//!
//! The core knows which ladders can be built; it is asked at once, with no values yet, so that a mistake is found with
//! its line before any data is read. Group labels and listed values come from the data: no message repeats one.

use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::{Builder, DateFormat, DateGrain, HierarchyError, NumberEnds, OTHER, library};
use toml::de::DeValue;

use super::FileTexts;
use super::keys::KeyShape::{List, Named, Number, Text, Whole, Words};
use super::keys::{Section, key};
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// The keys of which a hierarchy has exactly one.
const KINDS: [&str; 8] = ["intervals", "prefix", "date", "file", "groups", "order", "rare", "library"];

/// Keys that go with one kind only; the ends of numbers also make a ladder by themselves.
const BESIDE: [(&str, &str); 5] =
    [("top", "intervals"), ("bottom", "intervals"), ("format", "date"), ("sizes", "order"), ("label", "rare")];

pub(super) const HIERARCHY: Section = Section::new(
    "[variables.<name>] hierarchy",
    "The ladder of a variable: level 0 is the value as collected, the last level is `*` for all. Exactly one of `intervals`, \
     `prefix`, `date`, `file`, `groups`, `order`, `rare` and `library` says how it is made; an end of numbers may stand alone.",
    &[
        key("intervals", List(&Number), "numbers in bands of these widths"),
        key("top", Number, "from this number on all are one, such as `90+`; goes with `intervals`, or stands alone"),
        key("bottom", Number, "below this number all are one, such as `under 15`; as `top`"),
        key("prefix", List(&Whole(0)), "how many characters stay at each level"),
        key("date", List(&Words(grains)), "what stays of a date at each level"),
        key("format", Words(formats), "how dates are written; goes with `date`").usually("YYYY-MM-DD"),
        key("file", Text, "a CSV file, one line for each value: the value, then its labels from fine to coarse"),
        key(
            "groups",
            List(&Named(&List(&Text))),
            "for each level the labels, and what each joins: values, or ranges such as `0..17`",
        ),
        key("order", List(&Text), "values from the lowest to the highest, of which neighbours join"),
        key("sizes", List(&Whole(0)), "how many neighbours join at each level; goes with `order`"),
        key("rare", List(&Whole(2)), "values in fewer records than this share a label, at each level"),
        key("label", Text, "what rare values are called; goes with `rare`").usually(OTHER),
        key("library", Words(libraries), "a classification that everybody shares"),
    ],
);

fn grains() -> Vec<&'static str> {
    DateGrain::ALL.map(DateGrain::name).to_vec()
}

fn libraries() -> Vec<&'static str> {
    library::ALL.iter().map(|library| library.card.name).collect()
}

/// How dates may be written.
pub(super) fn formats() -> Vec<&'static str> {
    DateFormat::ALL.map(DateFormat::name).to_vec()
}

/// A hierarchy as the policy gives it.
pub(super) struct PolicyLadder {
    /// How it is made.
    pub(super) builder: Builder,
    /// The highest level that it can have.
    pub(super) top: u8,
}

impl PolicyLadder {
    /// Nothing given: the values as collected, then `*`.
    pub(super) const NOTHING: Self = Self { builder: Builder::None, top: 1 };
}

/// Reads a hierarchy.
pub(super) fn hierarchy(item: &Item<'_>, files: &FileTexts<'_>) -> Result<PolicyLadder> {
    let table = item.table()?;
    table.allow_discreetly(&HIERARCHY.names())?;
    let kind = kind(&table)?;
    let builder = builder(&table, &kind, files)?;
    match builder.fit(&[]) {
        Ok(ladder) => Ok(PolicyLadder { builder, top: ladder.height() }),
        Err(error) => Err(unfit(&kind, &error)),
    }
}

/// The one key that says how the ladder is made; an end of numbers says it where there is no other.
fn kind<'a>(table: &PolicyTable<'a>) -> Result<Item<'a>> {
    let kinds: Vec<Item<'a>> = table.items().into_iter().filter(|item| KINDS.contains(&item.key())).collect();
    match kinds.as_slice() {
        [kind] => Ok(kind.clone()),
        [] => table
            .get("top")
            .or_else(|| table.get("bottom"))
            .ok_or_else(|| table.fail(format!("one of these is needed: {}", KINDS.join(", ")))),
        [first, second, ..] => Err(second.fail(format!("stands beside `{}`; keep one of them", first.key()))),
    }
}

fn builder(table: &PolicyTable<'_>, kind: &Item<'_>, files: &FileTexts<'_>) -> Result<Builder> {
    let is_end = |key: &str| key == "top" || key == "bottom";
    for (key, of) in BESIDE {
        let is_alone = is_end(key) && is_end(kind.key());
        if let Some(item) = table.get(key).filter(|_| kind.key() != of && !is_alone) {
            return Err(item.fail(format!("goes with `{of}` only")));
        }
    }
    Ok(match kind.key() {
        "intervals" => Builder::Intervals { widths: kind.each(width)?, ends: ends(table)? },
        "prefix" => Builder::Prefix { keep: kind.each(count)? },
        "date" => Builder::Date { grains: kind.each(grain)?, format: date_format(table.get("format"))? },
        "file" => file(kind, files)?,
        "groups" => Builder::Groups { levels: kind.each(groups)? },
        "order" => Builder::Order { values: kind.each(Item::string)?, sizes: order_sizes(table)? },
        "rare" => Builder::Rare { below: kind.each(records)?, label: rare_label(table)? },
        "library" => Builder::Library(library(kind)?),
        _ => Builder::Intervals { widths: Vec::new(), ends: ends(table)? },
    })
}

/// Where top and bottom coding start.
fn ends(table: &PolicyTable<'_>) -> Result<NumberEnds> {
    let end = |key| table.read(key, width);
    Ok(NumberEnds { top: end("top")?, bottom: end("bottom")? })
}

/// A number of records.
fn records(item: &Item<'_>) -> Result<u64> {
    item.whole_in(0, i64::MAX)
}

fn rare_label(table: &PolicyTable<'_>) -> Result<String> {
    Ok(table.read("label", Item::string)?.unwrap_or_else(|| OTHER.to_owned()))
}

/// A ladder of the library, by its name.
fn library(item: &Item<'_>) -> Result<&'static library::Library> {
    item.one_of(library::ALL.iter().copied(), |library| library.card.name)
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
    item.whole_in(0, i64::from(u32::MAX))
}

fn order_sizes(table: &PolicyTable<'_>) -> Result<Vec<usize>> {
    let hint = "how many neighbours join at each level: sizes = [2, 4]";
    let sizes = table.get("sizes").ok_or_else(|| table.fail("`order` needs `sizes` beside it").hint(hint))?;
    sizes.each(count)
}

/// The groups of one level. The labels become keys of no message.
fn groups(item: &Item<'_>) -> Result<Vec<(String, Vec<String>)>> {
    let table = item.table()?;
    let group = |item: Item<'_>| Ok((item.key().to_owned(), item.called("group").each(Item::string)?));
    table.items().into_iter().map(group).collect()
}

fn file(item: &Item<'_>, files: &FileTexts<'_>) -> Result<Builder> {
    let name = item.text()?;
    let text = files(name).map_err(|error| Error { message: item.error(&error.message).message, ..error })?;
    let rows = HierarchyFile::parse(&text).map_err(|error| unfit(item, &error))?;
    Ok(Builder::File(rows))
}

/// How dates are written; as ISO 8601 says where the policy does not.
pub(super) fn date_format(item: Option<Item<'_>>) -> Result<DateFormat> {
    let Some(item) = item else { return Ok(DateFormat::default()) };
    if item.text()?.contains("YY") && !item.text()?.contains("YYYY") {
        return Err(item
            .fail("has years of two digits, and they do not say which century is meant")
            .hint("write the years with four digits"));
    }
    item.one_of(DateFormat::ALL, DateFormat::name)
}

fn grain(item: &Item<'_>) -> Result<DateGrain> {
    item.one_of(DateGrain::ALL, DateGrain::name)
}
