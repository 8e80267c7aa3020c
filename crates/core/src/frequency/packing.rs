//! Keys as machine words: each variable has a field of bits for the code of its label.
//!
//! A field is wide enough for the values that occur, and stays where it is at every level, so climbing from one node to
//! another maps only the fields whose level changes. A field never straddles two words. Codes are dense: at each level
//! they number the labels that occur. They mean nothing outside this module: outside, a key answers with a value.

use super::small;
use crate::hierarchy::Code;
use crate::lattice::Node;
use crate::variable::Variable;

/// Where each variable's code stands in a key, and how codes climb.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    fields: Vec<CodeField>,
    words: usize,
}

/// Where a variable's code stands in a key: the same at every node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CodePlace {
    pub word: usize,
    pub shift: u32,
    pub mask: u64,
}

#[derive(Debug, Clone)]
struct CodeField {
    word: usize,
    shift: u32,
    mask: u64,
    /// For each level, for each label that occurs, one of the values under it.
    values: Vec<Vec<Code>>,
    /// For each level, for each value of the ladder that occurs, the code of its label.
    codes: Vec<Vec<Code>>,
}

impl Packing {
    /// Lays out keys for the values that occur in the columns.
    pub(crate) fn new(variables: &[Variable], columns: &[Vec<Code>]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut fields = Vec::with_capacity(variables.len());
        for (variable, column) in variables.iter().zip(columns) {
            let mut field = CodeField::new(variable, column);
            let width = field.mask.count_ones();
            if used + width > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            // A field without bits stands anywhere, but not beyond the word.
            (field.word, field.shift) = (word, if width == 0 { 0 } else { used });
            used += width;
            fields.push(field);
        }
        Self { fields, words: word + 1 }
    }

    /// Where the code of each variable stands.
    pub(crate) fn places(&self) -> std::sync::Arc<[CodePlace]> {
        self.fields.iter().map(|&CodeField { word, shift, mask, .. }| CodePlace { word, shift, mask }).collect()
    }

    /// Keys that are given as columns of values, packed.
    pub(crate) fn pack(&self, columns: &[Vec<Code>], keys: usize) -> Vec<Vec<u64>> {
        let mut words = vec![vec![0; keys]; self.words];
        for (field, column) in self.fields.iter().zip(columns) {
            for (word, &value) in words[field.word].iter_mut().zip(column) {
                *word |= u64::from(field.codes[0][value as usize]) << field.shift;
            }
        }
        words
    }

    /// A value of the ladder that a key stands for.
    pub(super) fn value(&self, variable: usize, level: u8, word: impl Fn(usize) -> u64) -> Code {
        let field = &self.fields[variable];
        field.values[level as usize][field.code(word(field.word))]
    }

    /// How many labels of a level occur.
    pub(super) fn labels_at(&self, variable: usize, level: u8) -> usize {
        self.fields[variable].values[level as usize].len()
    }

    /// Sums the records of keys by their label in each variable; a value stands for each label, and labels without
    /// records are left out.
    pub(super) fn records_by_value(&self, node: &Node, words: &[Vec<u64>], records: &[u64]) -> Vec<Vec<(Code, u64)>> {
        let of_field = |(field, &level): (&CodeField, &u8)| {
            let values = &field.values[level as usize];
            let mut sums = vec![0; values.len()];
            for (&key, records) in words[field.word].iter().zip(records) {
                sums[field.code(key)] += records;
            }
            values.iter().copied().zip(sums).filter(|(_, records)| *records > 0).collect()
        };
        self.fields.iter().zip(&node.0).map(of_field).collect()
    }

    /// For keys of one level the code of their label at another, in one variable.
    pub(super) fn codes(&self, variable: usize, from: u8, to: u8) -> LabelSums {
        let codes = &self.fields[variable].codes[to as usize];
        self.sums_of(variable, from, |value| codes[value as usize].into())
    }

    /// Numbers by the labels of one variable at a level.
    pub(super) fn sums_of(&self, variable: usize, level: u8, number: impl Fn(Code) -> u64) -> LabelSums {
        let CodeField { word, shift, mask, ref values, .. } = self.fields[variable];
        LabelSums { word, shift, mask, table: values[level as usize].iter().map(|&value| number(value)).collect() }
    }

    /// Sums of numbers by the labels of all variables at a node. Neighbouring fields share a table while it stays small.
    pub(super) fn sums(&self, node: &Node, number: impl Fn(usize, Code) -> u64) -> Vec<LabelSums> {
        let mut sums = vec![LabelSums { word: 0, shift: 0, mask: 0, table: vec![0] }];
        for (variable, &level) in node.0.iter().enumerate() {
            let next = self.sums_of(variable, level, |value| number(variable, value));
            match sums.last_mut() {
                Some(last) if last.takes(&next) => last.join(&next),
                _ => sums.push(next),
            }
        }
        sums
    }

    /// Keys of one node as keys of another. Where ladders are not nested, they climb from level 0 only: a label further up
    /// has no one label above it.
    pub(super) fn climb(&self, words: &[Vec<u64>], from: &Node, to: &Node) -> Vec<Vec<u64>> {
        let mut climbed = words.to_vec();
        let changed = (0..self.fields.len()).filter(|&variable| from.0[variable] != to.0[variable]);
        for variable in changed {
            let codes = self.codes(variable, from.0[variable], to.0[variable]);
            let CodeField { word, shift, mask, .. } = self.fields[variable];
            for key in &mut climbed[word] {
                *key = *key & !(mask << shift) | codes.sum(*key) << shift;
            }
        }
        climbed
    }
}

/// Sums of numbers by the labels of neighbouring variables, as a table.
pub(super) struct LabelSums {
    /// The word of the keys that holds the fields.
    pub word: usize,
    shift: u32,
    mask: u64,
    table: Vec<u64>,
}

/// The most sums that a table for several fields may have.
const MOST_SUMS: usize = 1 << 11;

impl LabelSums {
    fn takes(&self, next: &Self) -> bool {
        self.word == next.word && next.table.len().saturating_mul(1 << self.mask.count_ones()) <= MOST_SUMS
    }

    /// Joins the table of the field that follows. Codes that stand for no label are never met.
    fn join(&mut self, next: &Self) {
        let width = self.mask.count_ones();
        self.table.resize(1 << width, 0);
        let lower = std::mem::replace(&mut self.table, Vec::with_capacity(next.table.len() << width));
        for &more in &next.table {
            self.table.extend(lower.iter().map(|sum| sum.saturating_add(more)));
        }
        // A field without bits does not say where it stands.
        if width == 0 {
            self.shift = next.shift;
        }
        self.mask |= next.mask << width;
    }

    /// The sum of a key.
    #[allow(clippy::cast_possible_truncation)] // a code has at most 32 bits
    pub(super) fn sum(&self, key: u64) -> u64 {
        self.table[(key >> self.shift & self.mask) as usize]
    }
}

impl CodeField {
    fn new(variable: &Variable, column: &[Code]) -> Self {
        let levels = variable.hierarchy.levels();
        let mut occurs = vec![false; levels[0].of.len()];
        for &value in column {
            occurs[value as usize] = true;
        }
        let occurring: Vec<usize> = (0..occurs.len()).filter(|&value| occurs[value]).collect();
        let numbered = levels.iter().map(|level| number_labels(&occurring, &level.of));
        let (values, codes): (Vec<_>, Vec<_>) = numbered.unzip();
        let last = values[0].len().saturating_sub(1) as u64;
        let mask = u64::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
        Self { word: 0, shift: 0, mask, values, codes }
    }

    #[allow(clippy::cast_possible_truncation)] // a code has at most 32 bits
    fn code(&self, key: u64) -> usize {
        (key >> self.shift & self.mask) as usize
    }
}

/// Numbers the labels of a level that occur: one value for each number, and the number of each value.
fn number_labels(occurring: &[usize], label_of: &[Code]) -> (Vec<Code>, Vec<Code>) {
    let mut numbers: Vec<Option<Code>> = vec![None; label_of.len()];
    let mut values = Vec::new();
    let mut of_value = vec![0; label_of.len()];
    for &value in occurring {
        let number = numbers[label_of[value] as usize].get_or_insert_with(|| {
            values.push(small(value as u64));
            small(values.len() as u64 - 1)
        });
        of_value[value] = *number;
    }
    (values, of_value)
}
