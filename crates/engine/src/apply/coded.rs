//! Rewritten rows in few bytes, so that they can be put in order cheaply.
//!
//! A recoded column has few labels, known before the first row is rewritten. Numbered in their order they sort as their
//! texts do, and neighbours fit together in one word; other columns stay text. What is sorted, and written to disk when
//! memory runs short, is therefore small; [`gather`](super::gather) makes it smaller.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow::array::{Array, ArrayRef, AsArray, StringArray, StringBuilder, UInt64Array};
use arrow::datatypes::{DataType, Field, Int32Type, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use hashbrown::HashSet;

use super::{Column, Rewriter, changed};
use crate::count::typed;
use crate::encode::text;
use crate::error::{Error, Result};
use crate::source::typed::is_same;
use crate::tally::Layout;

/// A rewriter whose rows are words and texts.
pub struct Coded {
    rewriter: Arc<Rewriter>,
    /// For each recoded column the rank of each label, and the texts in their order; the missing value is the first.
    ranks: Vec<(Vec<u32>, Vec<String>)>,
    /// What the rows are made of, in order.
    parts: Vec<Part>,
    schema: SchemaRef,
    /// The withheld keys, packed, where they fit in a word.
    withheld: Option<(Layout, HashSet<u64>)>,
}

enum Part {
    /// Neighbouring recoded columns, by their places among the recoded ones.
    Word { recoded: Range<usize>, layout: Layout },
    /// A column that is kept, by its place among the released ones.
    Text { place: usize },
}

/// The labels of a dictionary that a file brought along, looked up once per column.
#[derive(Default)]
pub struct Memory(Vec<Option<(ArrayRef, Vec<Option<u32>>)>>);

impl Coded {
    /// Ranks the labels and packs the columns.
    pub fn new(rewriter: &Arc<Rewriter>) -> Result<Self> {
        let labels = rewriter.columns.iter().filter_map(|column| match column {
            Column::Recode { labels, .. } => Some(ranked(labels.iter().map(|cell| cell.text.as_str()))),
            _ => None,
        });
        let ranks: Vec<(Vec<u32>, Vec<String>)> = labels.collect();
        let sizes: Vec<usize> = ranks.iter().map(|(_, texts)| texts.len()).collect();
        let parts = parts(&rewriter.columns, &sizes)?;
        let field = |(place, part): (usize, &Part)| match part {
            Part::Word { .. } => Field::new(place.to_string(), DataType::UInt64, false),
            Part::Text { .. } => Field::new(place.to_string(), DataType::Utf8, true),
        };
        let schema = Arc::new(Schema::new(parts.iter().enumerate().map(field).collect::<Vec<_>>()));
        let numbers: Vec<usize> = ranks.iter().map(|(ranks, _)| ranks.len()).collect();
        let withheld = Layout::of(&numbers).map(|layout| {
            let words = rewriter.suppressed.iter().map(|key| packed(&layout, key)).collect();
            (layout, words)
        });
        Ok(Self { rewriter: Arc::clone(rewriter), ranks, parts, schema, withheld })
    }

    /// The words and texts, named by their places.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Rewrites a batch of the released columns.
    pub fn rewrite(&self, batch: &RecordBatch, memory: &mut Memory) -> Result<RecordBatch> {
        let codes = self.codes(batch, memory)?;
        let kept = self.kept(&codes, batch.num_rows());
        self.count_neutralised(&codes, &kept);
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            arrays.push(match part {
                Part::Word { recoded, layout } => Arc::new(self.words(layout, recoded.clone(), &codes, &kept)),
                Part::Text { place } => self.texts(*place, batch.column(*place), &kept)?,
            });
        }
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .map_err(|_| Error::environment("an internal step failed"))
    }

    fn words(&self, layout: &Layout, recoded: Range<usize>, codes: &[Vec<u32>], kept: &[usize]) -> UInt64Array {
        let columns = self.ranks.iter().zip(codes).skip(recoded.start).take(recoded.len());
        let rank = |ranks: &[u32], code: u32| ranks.get(code as usize).copied().unwrap_or(0);
        let columns: Vec<Vec<u32>> =
            columns.map(|((ranks, _), codes)| kept.iter().map(|&row| rank(ranks, codes[row])).collect()).collect();
        let mut words = Vec::new();
        layout.pack(&columns, kept.len(), &mut words);
        UInt64Array::from(words)
    }

    fn texts(&self, place: usize, column: &ArrayRef, kept: &[usize]) -> Result<ArrayRef> {
        let number = matches!(self.rewriter.columns.get(place), Some(Column::Keep { number: true }));
        let mut builder = StringBuilder::new();
        if let Some(coded) = column.as_dictionary_opt::<Int32Type>() {
            let values = typed::<StringArray>(coded.values())?;
            for &row in kept {
                let value = coded.key(row).filter(|key| *key < values.len()).map_or("", |key| text(values, key));
                self.rewriter.write_value(value, number, &mut builder);
            }
        } else {
            let values = typed::<StringArray>(column)?;
            for &row in kept {
                self.rewriter.write_value(text(values, row), number, &mut builder);
            }
        }
        Ok(Arc::new(builder.finish()))
    }

    /// For each recoded column the label of each row.
    fn codes(&self, batch: &RecordBatch, memory: &mut Memory) -> Result<Vec<Vec<u32>>> {
        memory.0.resize_with(batch.num_columns(), || None);
        let mut codes = Vec::with_capacity(self.ranks.len());
        for ((column, values), memory) in self.rewriter.columns.iter().zip(batch.columns()).zip(&mut memory.0) {
            let Column::Recode { label_of, .. } = column else { continue };
            let label = |value: &str| label_of.get(value).copied();
            let Some(dictionary) = values.as_dictionary_opt::<Int32Type>() else {
                let values = typed::<StringArray>(values)?;
                let code = |row| label(text(values, row)).ok_or_else(changed);
                codes.push((0..values.len()).map(code).collect::<Result<Vec<u32>>>()?);
                continue;
            };
            let texts = dictionary.values();
            if memory.as_ref().is_none_or(|(met, _)| !is_same(met, texts)) {
                let values = typed::<StringArray>(texts)?;
                // A value that no row uses need not be known.
                let labels = (0..values.len()).map(|place| label(text(values, place))).collect();
                *memory = Some((Arc::clone(texts), labels));
            }
            let labels = memory.as_ref().map_or(&[][..], |(_, labels)| labels);
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

    fn kept(&self, codes: &[Vec<u32>], rows: usize) -> Vec<usize> {
        let Some((layout, withheld)) = &self.withheld else { return self.rewriter.kept(codes, rows) };
        if withheld.is_empty() {
            return (0..rows).collect();
        }
        let mut words = Vec::new();
        layout.pack(codes, rows, &mut words);
        words.iter().enumerate().filter(|(_, word)| !withheld.contains(*word)).map(|(row, _)| row).collect()
    }

    fn count_neutralised(&self, codes: &[Vec<u32>], kept: &[usize]) {
        let columns = self.rewriter.columns.iter().filter_map(|column| match column {
            Column::Recode { labels, .. } => Some(labels),
            _ => None,
        });
        for (labels, codes) in columns.zip(codes).filter(|(labels, _)| labels.iter().any(|cell| cell.neutralised)) {
            let neutralised = |row: &&usize| codes.get(**row).is_some_and(|&code| labels[code as usize].neutralised);
            let count = kept.iter().filter(neutralised).count() as u64;
            self.rewriter.neutralised.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Rows as texts again, in the columns of `schema`; `times` says how often each stands there.
    pub fn unpack(&self, batch: &RecordBatch, times: &[u64], schema: &SchemaRef) -> Result<RecordBatch> {
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
        for (part, column) in self.parts.iter().zip(batch.columns()) {
            match part {
                Part::Text { .. } => arrays.push(repeated(typed::<StringArray>(column)?, times)),
                Part::Word { recoded, layout } => {
                    let texts: Vec<&[String]> = self
                        .ranks
                        .iter()
                        .skip(recoded.start)
                        .take(recoded.len())
                        .map(|(_, texts)| texts.as_slice())
                        .collect();
                    arrays.extend(unpacked(typed::<UInt64Array>(column)?, times, layout, &texts));
                }
            }
        }
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|_| Error::environment("an internal step failed"))
    }
}

/// The columns of a word.
fn unpacked(words: &UInt64Array, times: &[u64], layout: &Layout, texts: &[&[String]]) -> Vec<ArrayRef> {
    let mut builders: Vec<StringBuilder> = texts.iter().map(|_| StringBuilder::new()).collect();
    for (&word, &times) in words.values().iter().zip(times) {
        let columns = builders.iter_mut().zip(texts).rev();
        for ((builder, texts), rank) in columns.zip(layout.unpack(word)) {
            let text = texts.get(rank as usize).filter(|text| !text.is_empty());
            (0..times).for_each(|_| builder.append_option(text));
        }
    }
    builders.into_iter().map(|mut builder| Arc::new(builder.finish()) as ArrayRef).collect()
}

/// Texts, each as often as it says.
fn repeated(texts: &StringArray, times: &[u64]) -> ArrayRef {
    let mut builder = StringBuilder::new();
    for (row, &times) in times.iter().enumerate() {
        let text = Some(text(texts, row)).filter(|text| !text.is_empty());
        (0..times).for_each(|_| builder.append_option(text));
    }
    Arc::new(builder.finish())
}

/// The rank of each text, and the texts in order; the missing value is always there.
fn ranked<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> (Vec<u32>, Vec<String>) {
    let mut sorted: Vec<&str> = std::iter::once("").chain(texts.clone()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let rank = |text: &str| u32::try_from(sorted.partition_point(|other| *other < text)).unwrap_or(u32::MAX);
    (texts.map(rank).collect(), sorted.iter().map(ToString::to_string).collect())
}

fn packed(layout: &Layout, key: &[u32]) -> u64 {
    let columns: Vec<Vec<u32>> = key.iter().map(|&code| vec![code]).collect();
    let mut words = Vec::new();
    layout.pack(&columns, 1, &mut words);
    words.first().copied().unwrap_or(0)
}

/// Packs neighbouring recoded columns into as few words as they need.
fn parts(columns: &[Column], sizes: &[usize]) -> Result<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut recoded = 0;
    for (place, column) in columns.iter().enumerate() {
        if matches!(column, Column::Keep { .. }) {
            parts.push(Part::Text { place });
            continue;
        }
        let start = match parts.last() {
            Some(Part::Word { recoded, .. }) => recoded.start,
            _ => recoded,
        };
        recoded += 1;
        let wider = sizes.get(start..recoded).and_then(Layout::of);
        let range = if wider.is_some() { start..recoded } else { recoded - 1..recoded };
        let layout = wider.or_else(|| Layout::of(sizes.get(range.clone())?));
        let layout = layout.ok_or_else(|| Error::environment("a column has more than 2^32 labels"))?;
        if range.start == start && matches!(parts.last(), Some(Part::Word { .. })) {
            parts.pop();
        }
        parts.push(Part::Word { recoded: range, layout });
    }
    Ok(parts)
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
        let recode = || Column::Recode { label_of: hashbrown::HashMap::new(), labels: Vec::new() };
        let keep = || Column::Keep { number: false };
        let columns = [recode(), recode(), keep(), recode(), recode(), recode()];
        let shapes: Vec<Option<Range<usize>>> = parts(&columns, &[5, 9, 1 << 30, 1 << 30, 1 << 30])
            .unwrap()
            .into_iter()
            .map(|part| match part {
                Part::Word { recoded, .. } => Some(recoded),
                Part::Text { .. } => None,
            })
            .collect();
        assert_eq!(shapes, [Some(0..2), None, Some(2..4), Some(4..5)]);
    }
}
