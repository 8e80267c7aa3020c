//! A careful reader of TOML values.
//!
//! The reader knows for each value its name and its place, so that every complaint can say both. It never repeats a
//! list element: groups and orders hold values of the data.

use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::keys::Word;
use super::place::{LineStarts, known, quoted};
use crate::error::{Error, Result};
use crate::policy::nearest::nearest;

/// A table of the policy and its place.
#[derive(Clone)]
pub(super) struct PolicyTable<'a> {
    lines: &'a LineStarts,
    title: Rc<str>,
    at: usize,
    entries: &'a DeTable<'a>,
}

/// A value of the policy, its name and its place.
#[derive(Clone)]
pub(super) struct Item<'a> {
    lines: &'a LineStarts,
    key: &'a str,
    /// The place in the list that bears the key, for an element of one.
    entry: Option<usize>,
    owner: Rc<str>,
    at: usize,
    value: &'a DeValue<'a>,
}

impl<'a> PolicyTable<'a> {
    /// The whole policy.
    pub(super) fn root(lines: &'a LineStarts, entries: &'a DeTable<'a>) -> Self {
        Self { lines, title: "the policy".into(), at: 0, entries }
    }

    /// The same table under another title.
    pub(super) fn titled(mut self, title: impl Into<Rc<str>>) -> Self {
        self.title = title.into();
        self
    }

    /// The line on which the table starts.
    pub(super) fn line(&self) -> usize {
        self.lines.line(self.at)
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Item<'a>> {
        let (key, value) = self.entries.get_key_value(key)?;
        Some(self.item(key, value))
    }

    /// What a key holds, read so; nothing where it is absent.
    pub(super) fn read<T>(&self, key: &str, read: impl FnOnce(&Item<'a>) -> Result<T>) -> Result<Option<T>> {
        self.get(key).map(|item| read(&item)).transpose()
    }

    /// The setting whose word stands there, or the usual one.
    pub(super) fn word<W: Word>(&self, key: &str) -> Result<W> {
        Ok(self.read(key, Item::word)?.unwrap_or_default())
    }

    /// Refuses a key where it has no place, for this reason.
    pub(super) fn refuse(&self, key: &str, is_refused: bool, why: impl FnOnce(&Item<'a>) -> Error) -> Result<()> {
        self.get(key).filter(|_| is_refused).map_or(Ok(()), |item| Err(why(&item)))
    }

    /// The value of a key that must be there.
    pub(super) fn need(&self, key: &str) -> Result<Item<'a>> {
        self.get(key).ok_or_else(|| self.fail(format!("`{key}` is missing")))
    }

    /// All keys and values in the order of the file.
    pub(super) fn items(&self) -> Vec<Item<'a>> {
        let mut items: Vec<_> = self.entries.iter().map(|(key, value)| self.item(key, value)).collect();
        items.sort_by_key(|item| item.at);
        items
    }

    fn item(&self, key: &'a Spanned<DeString<'a>>, value: &'a Spanned<DeValue<'a>>) -> Item<'a> {
        Item {
            lines: self.lines,
            key: key.get_ref(),
            entry: None,
            owner: self.title.clone(),
            at: key.span().start,
            value: value.get_ref(),
        }
    }

    /// Refuses keys that are not among the known ones.
    pub(super) fn allow(&self, keys: &[&str]) -> Result<()> {
        self.first_stranger(keys).map_or(Ok(()), |item| Err(item.unknown_key(keys)))
    }

    /// Refuses unknown keys like [`PolicyTable::allow`], but shows a key only if it looks like a known one: an unknown key
    /// in here may be a value of the data.
    pub(super) fn allow_discreetly(&self, keys: &[&str]) -> Result<()> {
        let Some(item) = self.first_stranger(keys) else { return Ok(()) };
        if nearest(item.key, keys.iter().copied()).is_some() {
            return Err(item.unknown_key(keys));
        }
        let message = format!("unknown key in {}", self.title);
        Err(self.lines.error(item.at, message).hint(known("", keys.iter().copied())))
    }

    fn first_stranger(&self, keys: &[&str]) -> Option<Item<'a>> {
        self.items().into_iter().find(|item| !keys.contains(&item.key))
    }

    /// An error about the table as a whole.
    pub(super) fn fail(&self, message: impl AsRef<str>) -> Error {
        self.lines.error(self.at, format!("{}: {}", self.title, message.as_ref()))
    }
}

impl<'a> Item<'a> {
    /// The same value under another key, for keys that a message must not repeat.
    pub(super) fn called(mut self, key: &'a str) -> Self {
        self.key = key;
        self
    }

    /// The key of the value.
    pub(super) fn key(&self) -> &'a str {
        self.key
    }

    /// The line of the value.
    pub(super) fn line(&self) -> usize {
        self.lines.line(self.at)
    }

    /// The name in a sentence.
    pub(super) fn name(&self) -> String {
        let name = format!("{} of {}", quoted(self.key), self.owner);
        match self.entry {
            Some(entry) => format!("entry {entry} of {name}"),
            None => name,
        }
    }

    /// The table that holds the value, in a sentence.
    pub(super) fn owner(&self) -> &str {
        &self.owner
    }

    /// An error that starts with the line only.
    pub(super) fn error(&self, message: impl AsRef<str>) -> Error {
        self.lines.error(self.at, message)
    }

    /// An error about this value.
    pub(super) fn fail(&self, message: impl AsRef<str>) -> Error {
        self.error(format!("{} {}", self.name(), message.as_ref()))
    }

    /// The key is not among the known ones.
    pub(super) fn unknown_key(&self, keys: &[&str]) -> Error {
        let message = format!("unknown key {} in {}", quoted(self.key), self.owner);
        self.error(message).hint(known(self.key, keys.iter().copied()))
    }

    fn wrong_type(&self, wanted: &str) -> Error {
        self.fail(format!("must be {wanted}; found {}", self.type_name()))
    }

    /// What kind of value stands here, in words.
    pub(super) fn type_name(&self) -> &'static str {
        match self.value {
            DeValue::String(_) => "a text in quotes",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number with a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }

    /// The value as TOML has it.
    pub(super) fn raw(&self) -> &'a DeValue<'a> {
        self.value
    }

    /// A text.
    pub(super) fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.wrong_type("a text in quotes"))
    }

    /// A text that is kept.
    pub(super) fn string(&self) -> Result<String> {
        self.text().map(str::to_owned)
    }

    /// A yes or no.
    pub(super) fn flag(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// A whole number.
    pub(super) fn whole(&self) -> Result<i64> {
        let number = self.value.as_integer().ok_or_else(|| self.wrong_type("a whole number"))?;
        i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| self.fail("is too large a number"))
    }

    /// A whole number that fits.
    pub(super) fn whole_in<T: TryFrom<i64>>(&self, low: i64, high: i64) -> Result<T> {
        let number = self.whole()?;
        if (low..=high).contains(&number) {
            return T::try_from(number).map_err(|_| self.fail("is too large"));
        }
        Err(self.fail(format!("must be a whole number from {low} to {high}; found {number}")))
    }

    /// A finite number, with or without a fraction.
    pub(super) fn number(&self) -> Result<f64> {
        let number = match self.value {
            DeValue::Integer(_) => self.whole()? as f64,
            DeValue::Float(number) => number.as_str().parse().unwrap_or(f64::NAN),
            _ => return Err(self.wrong_type("a number")),
        };
        // A negative zero is a zero; adding turns it into one.
        if number.is_finite() { Ok(number + 0.0) } else { Err(self.fail("must be a finite number")) }
    }

    /// A finite number that is not negative.
    pub(super) fn amount(&self) -> Result<f64> {
        let number = self.number()?;
        if number < 0.0 { Err(self.fail(format!("must not be negative; found {number}"))) } else { Ok(number) }
    }

    /// A number from 0 to 1.
    pub(super) fn share(&self) -> Result<f64> {
        let share = self.number()?;
        if (0.0..=1.0).contains(&share) {
            return Ok(share);
        }
        let error = self.fail(format!("must be a share between 0 and 1; found {share}"));
        let is_percent = share > 1.0 && share <= 100.0;
        Err(if is_percent { error.hint(format!("{share}% is {}", share / 100.0)) } else { error })
    }

    /// The elements of a list that has at least one.
    pub(super) fn list(&self) -> Result<Vec<Item<'a>>> {
        let list = self.value.as_array().ok_or_else(|| self.wrong_type("a list"))?;
        if list.is_empty() {
            return Err(self.fail("must not be an empty list"));
        }
        Ok((1..).zip(list.iter()).map(|(entry, value)| self.element(entry, value)).collect())
    }

    fn element(&self, entry: usize, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { entry: Some(entry), at: value.span().start, value: value.get_ref(), ..self.clone() }
    }

    /// A table.
    pub(super) fn table(&self) -> Result<PolicyTable<'a>> {
        let entries = self.value.as_table().ok_or_else(|| self.wrong_type("a table"))?;
        Ok(PolicyTable { lines: self.lines, title: self.name().into(), at: self.at, entries })
    }

    /// The elements of a list, each read so.
    pub(super) fn each<T>(&self, read: impl Fn(&Self) -> Result<T>) -> Result<Vec<T>> {
        self.list()?.iter().map(read).collect()
    }

    /// One of the known words.
    pub(super) fn choice<'w>(&self, words: impl IntoIterator<Item = &'w str> + Clone) -> Result<&'w str> {
        self.one_of(words, |word| word)
    }

    /// The one of several that is called so.
    pub(super) fn one_of<'w, T: Copy>(
        &self,
        all: impl IntoIterator<Item = T> + Clone,
        name: impl Fn(T) -> &'w str + Clone,
    ) -> Result<T> {
        let word = self.text()?;
        all.clone().into_iter().find(|one| name(*one) == word).ok_or_else(|| {
            let message = format!("{} cannot be {}", self.name(), quoted(word));
            let names: Vec<&str> = all.into_iter().map(name).collect();
            self.error(message).hint(known(word, names))
        })
    }

    /// The setting whose word stands here.
    pub(super) fn word<W: Word>(&self) -> Result<W> {
        Ok(self.one_of(W::WORDS, |(word, _)| *word)?.1)
    }
}
