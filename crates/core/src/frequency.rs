//! The counted table: distinct keys, how often each occurs, and what a node makes of them.
//!
//! Cost after counting depends on distinct keys, not on records. A [`Table`] holds the keys as one column of small
//! integers per quasi-identifier. A [`FrequencySet`] holds the classes of a node: for each class one key that stands for
//! it, its size, and how the sensitive values spread in it. The codes of a class at *any* coarser node follow from that
//! one key, so a set rolls up to any node above it without a map between levels, and costs twelve bytes a class.
//!
//! Limit: at most 2³² − 1 distinct keys.
//! Source: El Emam et al. 2009, appendix (frequency sets and their roll-up).

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::hierarchy::Code;
use crate::lattice::{Lattice, Node};
use crate::variable::Variable;

/// A table as the searches see it.
#[derive(Debug, Clone)]
pub struct Table {
    /// The quasi-identifiers, in the order of the data.
    pub variables: Vec<Variable>,
    /// The names of the counted sensitive variables.
    pub sensitive: Vec<String>,
    /// The number of records.
    pub records: u64,
    columns: Vec<Vec<Code>>,
    keys: FrequencySet,
}

/// The classes of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct FrequencySet {
    /// The node.
    pub node: Node,
    /// One key of each class: its place in the table's list of keys.
    pub keys: Vec<u32>,
    /// The number of records of each class.
    pub sizes: Vec<u64>,
    /// How each sensitive variable spreads in each class.
    pub sensitive: Vec<Distribution>,
}

/// How the values of one sensitive variable spread over the classes: for each class a run of codes with counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distribution {
    starts: Vec<usize>,
    entries: Vec<(Code, u64)>,
}

/// A table that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// More keys than a code can name.
    #[error("more than {limit} distinct keys: generalise the input first, for example with `levels = {{ min = 1 }}`")]
    TooManyKeys {
        /// The limit.
        limit: u32,
    },
    /// The columns of keys, counts and distributions do not belong together.
    #[error("the counted keys do not belong together")]
    Inconsistent,
}

impl Distribution {
    /// Collects the spread from one list of codes with counts per class; codes may repeat.
    #[must_use]
    pub fn from_lists(lists: impl IntoIterator<Item = Vec<(Code, u64)>>) -> Self {
        let mut distribution = Self { starts: vec![0], entries: Vec::new() };
        for mut entries in lists {
            distribution.push(&mut entries);
        }
        distribution
    }

    /// The values of a class with their counts, in the order of their codes.
    #[must_use]
    pub fn of(&self, class: usize) -> &[(Code, u64)] {
        &self.entries[self.starts[class]..self.starts[class + 1]]
    }

    fn push(&mut self, class: &mut [(Code, u64)]) {
        class.sort_unstable_by_key(|&(code, _)| code);
        let start = self.entries.len();
        for &(code, count) in class.iter() {
            match self.entries[start..].last_mut() {
                Some(last) if last.0 == code => last.1 += count,
                _ => self.entries.push((code, count)),
            }
        }
        self.starts.push(self.entries.len());
    }

    fn classes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let mut lists = vec![Vec::new(); classes];
        for (finer, &class) in class_of.iter().enumerate() {
            lists[class as usize].extend_from_slice(self.of(finer));
        }
        Self::from_lists(lists)
    }
}

impl FrequencySet {
    /// The number of classes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no class at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl Table {
    /// A table from its distinct keys (one column of value codes per variable), their counts, and the spread of the
    /// sensitive variables over the keys. Keys may repeat: they are merged.
    pub fn new(
        variables: Vec<Variable>,
        columns: Vec<Vec<Code>>,
        counts: Vec<u64>,
        sensitive: Vec<(String, Distribution)>,
    ) -> Result<Self, TableError> {
        let rows = u32::try_from(counts.len()).map_err(|_| TableError::TooManyKeys { limit: u32::MAX })?;
        let fits = |column: &Vec<Code>, variable: &Variable| {
            let values = variable.hierarchy.levels()[0].of.len();
            column.len() == counts.len() && column.iter().all(|&code| (code as usize) < values)
        };
        if columns.len() != variables.len()
            || !columns.iter().zip(&variables).all(|(column, variable)| fits(column, variable))
            || sensitive.iter().any(|(_, distribution)| distribution.classes() != counts.len())
        {
            return Err(TableError::Inconsistent);
        }
        let node = Node::from(vec![0; variables.len()]);
        let (names, distributions) = sensitive.into_iter().unzip();
        let records = counts.iter().sum();
        let keys = FrequencySet { node, keys: (0..rows).collect(), sizes: counts, sensitive: distributions };
        let mut table = Self { variables, sensitive: names, records, columns, keys };
        table.keys = table.roll_up(&table.keys, &table.keys.node).set;
        Ok(table)
    }

    /// The classes of the table as collected.
    #[must_use]
    pub fn keys(&self) -> &FrequencySet {
        &self.keys
    }

    /// The code of the value that the key of number `key` has in a variable.
    #[must_use]
    pub fn value(&self, variable: usize, key: u32) -> Code {
        self.columns[variable][key as usize]
    }

    /// The label of a class of `set` in a variable.
    #[must_use]
    pub fn label<'a>(&'a self, set: &FrequencySet, class: usize, variable: usize) -> &'a str {
        let level = &self.variables[variable].hierarchy.levels()[set.node.0[variable] as usize];
        &level.labels[level.of[self.value(variable, set.keys[class]) as usize] as usize]
    }

    /// How many records hold each value of a variable.
    #[must_use]
    pub fn value_counts(&self, variable: usize) -> Vec<u64> {
        let mut counts = vec![0; self.variables[variable].hierarchy.levels()[0].of.len()];
        for (&key, &size) in self.keys.keys.iter().zip(&self.keys.sizes) {
            counts[self.value(variable, key) as usize] += size;
        }
        counts
    }

    /// The nodes that a release may use.
    #[must_use]
    pub fn lattice(&self) -> Lattice {
        Lattice {
            bottom: self.variables.iter().map(|variable| variable.min_level).collect::<Vec<_>>().into(),
            top: self.variables.iter().map(|variable| variable.max_level).collect::<Vec<_>>().into(),
        }
    }

    /// The node that tells nothing: each variable at its last level.
    #[must_use]
    pub fn fully_generalised(&self) -> Node {
        self.variables.iter().map(|variable| variable.hierarchy.height()).collect::<Vec<_>>().into()
    }

    /// The first variable whose ladder is not nested.
    #[must_use]
    pub fn first_unnested(&self) -> Option<&Variable> {
        self.variables.iter().find(|variable| !variable.hierarchy.is_nested())
    }

    /// The classes of `node`, merged from those of a set whose node is at or below it in nested ladders (the set of
    /// [`Self::keys`] always will do).
    #[must_use]
    pub fn roll_up(&self, from: &FrequencySet, node: &Node) -> RollUp {
        let mut groups = Groups::of_one(from.len());
        for (variable, &level) in node.0.iter().enumerate() {
            let level = &self.variables[variable].hierarchy.levels()[level as usize];
            groups.pack(level.labels.len() as u64, |row| {
                u64::from(level.of[self.columns[variable][from.keys[row] as usize] as usize])
            });
        }
        let (class_of, firsts) = groups.finish();
        let mut sizes = vec![0; firsts.len()];
        for (&class, &size) in class_of.iter().zip(&from.sizes) {
            sizes[class as usize] += size;
        }
        let keys = firsts.iter().map(|&row| from.keys[row as usize]).collect();
        let sensitive = from.sensitive.iter().map(|spread| spread.merge(&class_of, firsts.len())).collect();
        RollUp { set: FrequencySet { node: node.clone(), keys, sizes, sensitive }, class_of }
    }
}

/// A coarser set, and where the classes of the finer one went.
#[derive(Debug, Clone)]
pub struct RollUp {
    /// The coarser set.
    pub set: FrequencySet,
    /// For each class of the finer set its class in the coarser one.
    pub class_of: Vec<u32>,
}

/// Rows that are told apart by one machine word each: the packed codes of the variables seen so far. When the word is
/// full, the rows are numbered by what was packed, which makes room for more and stays exact.
struct Groups {
    words: Vec<u64>,
    radix: u64,
}

/// Below this many possible words an array is faster than a hash table.
const DENSE: u64 = 1 << 16;

impl Groups {
    fn of_one(rows: usize) -> Self {
        Self { words: vec![0; rows], radix: 1 }
    }

    fn pack(&mut self, labels: u64, code: impl Fn(usize) -> u64) {
        if labels <= 1 {
            return;
        }
        if self.radix.checked_mul(labels).is_none() {
            let (numbers, firsts) = std::mem::replace(self, Self::of_one(0)).finish();
            self.words = numbers.into_iter().map(u64::from).collect();
            self.radix = firsts.len() as u64;
        }
        let radix = self.radix;
        for (row, word) in self.words.iter_mut().enumerate() {
            *word += radix * code(row);
        }
        self.radix = radix.saturating_mul(labels);
    }

    /// Numbers the groups by first appearance: the number of each row, and the first row of each number.
    fn finish(self) -> (Vec<u32>, Vec<u32>) {
        if self.radix <= DENSE { self.number_by_array() } else { self.number_by_hash() }
    }

    fn number_by_array(self) -> (Vec<u32>, Vec<u32>) {
        let mut numbers = vec![u32::MAX; usize::try_from(self.radix).unwrap_or_default()];
        let mut firsts = Vec::new();
        let mut of_row = Vec::with_capacity(self.words.len());
        for (row, word) in self.words.into_iter().enumerate() {
            let number = &mut numbers[usize::try_from(word).unwrap_or_default()];
            if *number == u32::MAX {
                *number = small(firsts.len());
                firsts.push(small(row));
            }
            of_row.push(*number);
        }
        (of_row, firsts)
    }

    fn number_by_hash(self) -> (Vec<u32>, Vec<u32>) {
        let mut numbers: HashMap<u64, u32> = HashMap::with_capacity(self.words.len() / 4);
        let mut firsts = Vec::new();
        let mut of_row = Vec::with_capacity(self.words.len());
        for (row, word) in self.words.into_iter().enumerate() {
            of_row.push(match numbers.entry(word) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    let number = small(firsts.len());
                    firsts.push(small(row));
                    *entry.insert(number)
                }
            });
        }
        (of_row, firsts)
    }
}

/// A row number: [`Table::new`] admits no more rows than 32 bits can count.
#[allow(clippy::cast_possible_truncation)]
fn small(row: usize) -> u32 {
    row as u32
}
