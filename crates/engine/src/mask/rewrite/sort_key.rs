//! Rewritten records as short keys that sort as the records do.
//!
//! A recoded column has few labels, known before the first record is rewritten. Numbered in their order, they sort as their
//! texts do, and the numbers of neighbouring columns fit together in one word. A key is the words of a record, most
//! significant byte first, and its other texts, each with a NUL behind it, which no text holds. Keys compare byte by byte as
//! the records would. So one column of bytes is counted, sorted, and written to disk when memory runs short. The record is
//! read back from its key.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use hashbrown::HashSet;

use super::formula::Guard;
use super::{ColumnRewrite, Rewriter, changed, written};
use crate::count::canonical;
use crate::count::tally::KeyLayout;
use crate::error::{Error, Result};
use crate::read::cells::{column_as, is_same, text};

/// Turns batches into keys.
pub trait ToKeys: Send {
    /// Hands over the key of each record that counts.
    fn keys(&mut self, batch: &RecordBatch, take: impl FnMut(&[u8]) -> Result<()>) -> Result<()>;
}

/// A rewriter whose records are keys.
#[derive(Clone)]
pub struct RecordKeys {
    sort_keys: Arc<SortKeys>,
    known: KnownLabels,
}

impl RecordKeys {
    /// With nothing met so far.
    #[must_use]
    pub fn new(sort_keys: &Arc<SortKeys>) -> Self {
        Self { sort_keys: Arc::clone(sort_keys), known: KnownLabels::default() }
    }
}

impl ToKeys for RecordKeys {
    fn keys(&mut self, batch: &RecordBatch, take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.sort_keys.rewrite(batch, &mut self.known, take)
    }
}

/// How records become keys, and keys records.
pub struct SortKeys {
    rewriter: Arc<Rewriter>,
    /// For each recoded column the rank of each label, and the texts in their order; the missing value is the first.
    ranks: Vec<(Vec<u32>, Vec<String>)>,
    /// What the records are made of, in order.
    fields: Vec<KeyField>,
    /// The withheld keys, packed, where they fit in a word.
    withheld: Option<(KeyLayout, HashSet<u64>)>,
}

enum KeyField {
    /// Neighbouring recoded columns, by their places among the recoded ones.
    Word { recoded: Range<usize>, layout: KeyLayout },
    /// A column that is kept, by its place among the released ones.
    Text { place: usize },
}

/// The labels of a dictionary that a file brought along, looked up once per column.
#[derive(Clone, Default)]
pub(crate) struct KnownLabels(Vec<Option<(ArrayRef, Vec<Option<u32>>)>>);

impl SortKeys {
    /// Ranks the labels and packs the columns.
    pub fn new(rewriter: &Arc<Rewriter>) -> Result<Self> {
        let labels = rewriter.columns.iter().filter_map(|column| match column {
            ColumnRewrite::Recode { labels, .. } => Some(ranked(labels.iter().map(|cell| cell.text.as_str()))),
            _ => None,
        });
        let ranks: Vec<(Vec<u32>, Vec<String>)> = labels.collect();
        let sizes: Vec<usize> = ranks.iter().map(|(_, texts)| texts.len()).collect();
        let fields = fields(&rewriter.columns, &sizes)?;
        let numbers: Vec<usize> = ranks.iter().map(|(ranks, _)| ranks.len()).collect();
        let withheld = KeyLayout::fitting(&numbers).map(|layout| {
            let words = rewriter.suppressed.iter().map(|key| packed(&layout, key)).collect();
            (layout, words)
        });
        Ok(Self { rewriter: Arc::clone(rewriter), ranks, fields, withheld })
    }

    /// Rewrites a batch of the released columns and hands over the key of each record that is kept.
    pub(crate) fn rewrite(
        &self,
        batch: &RecordBatch,
        known: &mut KnownLabels,
        mut take: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let codes = self.codes(batch, known)?;
        let kept = self.kept(&codes, batch.num_rows());
        let mut fields = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            fields.push(match field {
                KeyField::Word { recoded, layout } => Cells::Words(self.words(layout, recoded.clone(), &codes, &kept)),
                KeyField::Text { place } => Cells::texts(batch.column(*place), self.is_number(*place))?,
            });
        }
        let mut key = Vec::new();
        for (nth, &record) in kept.iter().enumerate() {
            key.clear();
            for field in &fields {
                match field {
                    Cells::Words(words) => key.extend_from_slice(&words.get(nth).copied().unwrap_or(0).to_be_bytes()),
                    Cells::Texts { .. } => self.push_text(&mut key, field, record)?,
                }
            }
            take(&key)?;
        }
        Ok(())
    }

    fn is_number(&self, place: usize) -> bool {
        matches!(self.rewriter.columns.get(place), Some(ColumnRewrite::Keep { number: true }))
    }

    fn push_text(&self, key: &mut Vec<u8>, field: &Cells<'_>, record: usize) -> Result<()> {
        push_text(key, &self.written(field.text(record), field.is_number()))
    }

    /// A kept value as it is written.
    fn written<'v>(&self, value: &'v str, number: bool) -> Cow<'v, str> {
        match (number, self.rewriter.guard) {
            (true, guard) => Cow::Owned(written(canonical(value, number), guard).text),
            (false, Some(guard)) => guard.guarded(value),
            (false, None) => Cow::Borrowed(value),
        }
    }

    fn words(&self, layout: &KeyLayout, recoded: Range<usize>, codes: &[Vec<u32>], kept: &[usize]) -> Vec<u64> {
        let columns = self.ranks.iter().zip(codes).skip(recoded.start).take(recoded.len());
        let rank = |ranks: &[u32], code: u32| ranks.get(code as usize).copied().unwrap_or(0);
        let columns: Vec<Vec<u32>> = columns
            .map(|((ranks, _), codes)| kept.iter().map(|&record| rank(ranks, codes[record])).collect())
            .collect();
        let mut words = Vec::new();
        layout.pack(&columns, kept.len(), &mut words);
        words
    }

    /// For each recoded column the label of each record.
    fn codes(&self, batch: &RecordBatch, known: &mut KnownLabels) -> Result<Vec<Vec<u32>>> {
        known.0.resize_with(batch.num_columns(), || None);
        let mut codes = Vec::with_capacity(self.ranks.len());
        for ((column, values), known) in self.rewriter.columns.iter().zip(batch.columns()).zip(&mut known.0) {
            let ColumnRewrite::Recode { label_of, .. } = column else { continue };
            let label = |value: &str| label_of.get(value).copied();
            let Some(dictionary) = values.as_dictionary_opt::<Int32Type>() else {
                let values = column_as::<StringArray>(values)?;
                let code = |record| label(text(values, record)).ok_or_else(changed);
                codes.push((0..values.len()).map(code).collect::<Result<Vec<u32>>>()?);
                continue;
            };
            let texts = dictionary.values();
            if known.as_ref().is_none_or(|(met, _)| !is_same(met, texts)) {
                let values = column_as::<StringArray>(texts)?;
                // A value that no record uses need not be known.
                let labels = (0..values.len()).map(|place| label(text(values, place))).collect();
                *known = Some((Arc::clone(texts), labels));
            }
            let labels = known.as_ref().map_or(&[][..], |(_, labels)| labels);
            let missing = label("");
            let code = |key: Option<i32>| match key {
                Some(key) => usize::try_from(key).ok().and_then(|key| labels.get(key).copied().flatten()),
                None => missing,
            };
            codes
                .push(dictionary.keys().iter().map(|key| code(key).ok_or_else(changed)).collect::<Result<Vec<u32>>>()?);
        }
        Ok(codes)
    }

    fn kept(&self, codes: &[Vec<u32>], records: usize) -> Vec<usize> {
        let Some((layout, withheld)) = &self.withheld else { return self.rewriter.kept(codes, records) };
        if withheld.is_empty() {
            return (0..records).collect();
        }
        let mut words = Vec::new();
        layout.pack(codes, records, &mut words);
        words.iter().enumerate().filter(|(_, word)| !withheld.contains(*word)).map(|(record, _)| record).collect()
    }

    /// Keys as texts again, in the columns of `schema`. What was neutralised is counted here, as often as `times` says: every
    /// record passes here once, wherever it was rewritten.
    pub(crate) fn unpack(&self, keys: &BinaryArray, times: &[u64], schema: &SchemaRef) -> Result<RecordBatch> {
        let column = |_| Texts { builder: StringBuilder::new(), guard: self.rewriter.guard, neutralised: 0 };
        let mut builders: Vec<Texts> = schema.fields().iter().map(column).collect();
        for (record, &times) in times.iter().enumerate() {
            let mut key = keys.value(record);
            let mut columns = builders.iter_mut();
            for field in &self.fields {
                let rest = match field {
                    KeyField::Text { .. } => unpack_text(key, times, &mut columns),
                    KeyField::Word { recoded, layout } => {
                        let texts = self.ranks.get(recoded.clone()).unwrap_or_default();
                        unpack_word(key, times, layout, texts, &mut columns)
                    }
                };
                key = rest.ok_or_else(|| Error::environment("an internal step lost a part of a record"))?;
            }
        }
        let neutralised = builders.iter().map(|column| column.neutralised).sum();
        self.rewriter.neutralised.fetch_add(neutralised, Ordering::Relaxed);
        let arrays = builders.into_iter().map(|mut column| Arc::new(column.builder.finish()) as ArrayRef).collect();
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|_| Error::environment("an internal step failed"))
    }
}

/// Puts the text at the start of a key into the next column; gives the rest of the key.
fn unpack_text<'k, 'b>(
    key: &'k [u8],
    times: u64,
    columns: &mut impl Iterator<Item = &'b mut Texts>,
) -> Option<&'k [u8]> {
    let end = key.iter().position(|byte| *byte == 0)?;
    let (text, rest) = key.split_at_checked(end)?;
    columns.next()?.push(std::str::from_utf8(text).ok()?, times);
    rest.get(1..)
}

/// The same for the columns of a word.
fn unpack_word<'k, 'b>(
    key: &'k [u8],
    times: u64,
    layout: &KeyLayout,
    texts: &[(Vec<u32>, Vec<String>)],
    columns: &mut impl Iterator<Item = &'b mut Texts>,
) -> Option<&'k [u8]> {
    let (word, rest) = key.split_first_chunk()?;
    let mut ranks: Vec<u32> = layout.unpack(u64::from_be_bytes(*word)).collect();
    ranks.reverse();
    for ((_, texts), rank) in texts.iter().zip(ranks) {
        columns.next()?.push(texts.get(rank as usize)?, times);
    }
    Some(rest)
}

/// A column in the making.
struct Texts {
    builder: StringBuilder,
    /// What guarded cells that a spreadsheet would take for formulas.
    guard: Option<Guard>,
    /// How many were.
    neutralised: u64,
}

impl Texts {
    /// The cell of a record that stands there so many times.
    fn push(&mut self, text: &str, times: u64) {
        self.builder.append_option(Some(text).filter(|text| !text.is_empty()));
        if self.guard.is_some_and(|guard| matches!(guard.unguarded(text), Cow::Owned(_))) {
            self.neutralised += times;
        }
    }
}

/// Hands over the key of each record of a batch of texts: all its cells, in order.
pub(crate) fn texts_to_keys(batch: &RecordBatch, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let columns = batch.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
    let mut key = Vec::new();
    for record in 0..batch.num_rows() {
        key.clear();
        columns.iter().try_for_each(|column| push_text(&mut key, text(column, record)))?;
        take(&key)?;
    }
    Ok(())
}

/// The texts of such keys again.
pub(crate) fn keys_to_texts(keys: &BinaryArray, schema: &SchemaRef) -> Result<RecordBatch> {
    let column = |_| Texts { builder: StringBuilder::new(), guard: None, neutralised: 0 };
    let mut builders: Vec<Texts> = schema.fields().iter().map(column).collect();
    for key in keys.iter().flatten() {
        let (mut rest, mut columns) = (key, builders.iter_mut());
        for _ in schema.fields() {
            rest = unpack_text(rest, 1, &mut columns).ok_or_else(Error::internal)?;
        }
    }
    let arrays = builders.into_iter().map(|mut column| Arc::new(column.builder.finish()) as ArrayRef).collect();
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|_| Error::internal())
}

/// Puts a text and its end behind a key.
fn push_text(key: &mut Vec<u8>, text: &str) -> Result<()> {
    if text.as_bytes().contains(&0) {
        return Err(Error::environment("an internal step met a NUL byte in a text"));
    }
    key.extend_from_slice(text.as_bytes());
    key.push(0);
    Ok(())
}

/// The cells of a field of a batch: of the records that are kept, or of all.
pub enum Cells<'a> {
    /// The places of labels in their order.
    Words(Vec<u64>),
    /// Texts as they are.
    Texts {
        /// The texts, each once where there is a dictionary.
        values: &'a StringArray,
        /// The place of each record's text.
        dictionary: Option<&'a arrow_array::Int32Array>,
        /// Whether they are numbers, which are written in one way.
        number: bool,
    },
}

impl<'a> Cells<'a> {
    /// The texts of a column, which may come as a dictionary.
    pub fn texts(column: &'a ArrayRef, number: bool) -> Result<Self> {
        Ok(match column.as_dictionary_opt::<Int32Type>() {
            Some(dictionary) => {
                Self::Texts { values: column_as(dictionary.values())?, dictionary: Some(dictionary.keys()), number }
            }
            None => Self::Texts { values: column_as(column)?, dictionary: None, number },
        })
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Texts { number: true, .. })
    }

    /// The text of a record; the missing value is the empty one.
    #[must_use]
    pub fn text(&self, record: usize) -> &'a str {
        match self {
            Self::Words(_) => "",
            Self::Texts { values, dictionary: None, .. } => text(values, record),
            Self::Texts { values, dictionary: Some(keys), .. } => {
                let key = keys.is_valid(record).then(|| keys.value(record)).and_then(|key| usize::try_from(key).ok());
                key.filter(|key| *key < values.len()).map_or("", |key| text(values, key))
            }
        }
    }
}

/// The rank of each text, and the texts in order; the missing value is always there.
fn ranked<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> (Vec<u32>, Vec<String>) {
    let mut sorted: Vec<&str> = std::iter::once("").chain(texts.clone()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let rank = |text: &str| u32::try_from(sorted.partition_point(|other| *other < text)).unwrap_or(u32::MAX);
    (texts.map(rank).collect(), sorted.iter().map(ToString::to_string).collect())
}

fn packed(layout: &KeyLayout, key: &[u32]) -> u64 {
    let columns: Vec<Vec<u32>> = key.iter().map(|&code| vec![code]).collect();
    let mut words = Vec::new();
    layout.pack(&columns, 1, &mut words);
    words.first().copied().unwrap_or(0)
}

/// Packs neighbouring recoded columns into as few words as they need.
fn fields(columns: &[ColumnRewrite], sizes: &[usize]) -> Result<Vec<KeyField>> {
    let mut fields: Vec<KeyField> = Vec::new();
    let mut recoded = 0;
    for (place, column) in columns.iter().enumerate() {
        if matches!(column, ColumnRewrite::Keep { .. }) {
            fields.push(KeyField::Text { place });
            continue;
        }
        let start = match fields.last() {
            Some(KeyField::Word { recoded, .. }) => recoded.start,
            _ => recoded,
        };
        recoded += 1;
        let wider = sizes.get(start..recoded).and_then(KeyLayout::fitting);
        let range = if wider.is_some() { start..recoded } else { recoded - 1..recoded };
        let layout = wider.or_else(|| KeyLayout::fitting(sizes.get(range.clone())?));
        let layout = layout.ok_or_else(|| Error::environment("a column has more than 2^32 labels"))?;
        if range.start == start && matches!(fields.last(), Some(KeyField::Word { .. })) {
            fields.pop();
        }
        fields.push(KeyField::Word { recoded: range, layout });
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_texts_and_the_missing_value_is_first() {
        let (ranks, texts) = ranked(["b", "", "a", "é"].into_iter());
        assert_eq!((ranks, texts), (vec![2, 0, 1, 3], ["", "a", "b", "é"].map(String::from).to_vec()));
        assert_eq!(ranked(["x"].into_iter()).0, [1]);
    }

    #[test]
    fn neighbours_share_a_word_until_it_is_full() {
        let recode = || ColumnRewrite::Recode { label_of: hashbrown::HashMap::new(), labels: Vec::new() };
        let keep = || ColumnRewrite::Keep { number: false };
        let columns = [recode(), recode(), keep(), recode(), recode(), recode()];
        let shapes: Vec<Option<Range<usize>>> = fields(&columns, &[5, 9, 1 << 30, 1 << 30, 1 << 30])
            .unwrap()
            .into_iter()
            .map(|field| match field {
                KeyField::Word { recoded, .. } => Some(recoded),
                KeyField::Text { .. } => None,
            })
            .collect();
        assert_eq!(shapes, [Some(0..2), None, Some(2..4), Some(4..5)]);
    }
}
