//! The counted table: distinct keys, how often each occurs, and what a node makes of them.
//!
//! Cost after counting depends on distinct keys, not on records. A [`FrequencySet`] holds the classes of a node: for each
//! class its key, that is the code of its label in each quasi-identifier, packed into machine words; its size; and what is in
//! it beyond that ([`Contents`]). A set rolls up to any node above it: fields of the key whose level changes are mapped,
//! the others are copied (`packing`), and equal keys are merged (`grouping`).
//!
//! Only values that occur get codes here, so that most tables need one word a key.
//!
//! Limit: at most 2³² − 1 distinct keys.
//! Source: El Emam et al. 2009, appendix (frequency sets and their roll-up).

pub(crate) mod grouping;
pub(crate) mod packing;
mod refinement;

use std::sync::Arc;

use rayon::prelude::*;

use crate::contents::{Contents, Distribution, RowCounts};
use crate::hierarchy::Code;
use crate::lattice::{Lattice, Node};
use crate::variable::Variable;

use grouping::Grouping;
use packing::{CodePlace, LabelSums, Packing};
pub(crate) use refinement::{DroppedKeys, Lowering, Refinement};

/// A table as the searches see it.
#[derive(Debug, Clone)]
pub struct Table {
    /// The quasi-identifiers, in the order of the data.
    pub variables: Vec<Variable>,
    /// The names of the variables whose spread is counted: sensitive ones, and the target of a loss that has one.
    pub sensitive: Vec<String>,
    /// The number of records.
    pub records: u64,
    pub(crate) packing: Packing,
    pub(crate) keys: FrequencySet,
    /// For each variable how many records hold each value, by its code in the ladder.
    pub(crate) value_counts: Vec<Vec<u64>>,
}

/// The classes of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct FrequencySet {
    /// The node.
    pub node: Node,
    /// The packed keys of the classes, one list for each word of a key.
    pub(crate) packed: Vec<Vec<u64>>,
    /// Where the code of each variable stands in them.
    pub(crate) places: Arc<[CodePlace]>,
    /// The number of records of each class.
    pub sizes: Vec<u64>,
    /// What is in each class.
    pub contents: Contents,
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
    /// The population has fewer people of some keys than the table.
    #[error("the population lacks {people} of the table, in {keys} keys")]
    NotInPopulation {
        /// The keys.
        keys: u64,
        /// People, or records, that the population does not have.
        people: u64,
    },
    /// The columns of keys, counts and distributions do not belong together.
    #[error("the counted keys do not belong together")]
    Inconsistent,
}

impl FrequencySet {
    /// Classes of no node, for whoever only judges them: their sizes, and how sensitive variables spread in them.
    #[must_use]
    pub fn without_keys(sizes: Vec<u64>, sensitive: Vec<Distribution>) -> Self {
        let contents = Contents::of_records(sensitive);
        Self { node: Node::from(Vec::new()), packed: Vec::new(), places: Arc::default(), sizes, contents }
    }

    /// The same classes, given somebody for each row and the class of each row. Rows have entries of the sensitive variables.
    #[must_use]
    pub fn of_people(self, class_of: &[u32], persons: &[u32], rows: &[Distribution]) -> Self {
        let contents = self.contents.of_people(self.sizes.len(), class_of, persons, rows);
        Self { contents, ..self }
    }

    /// The people of each class; its records where people are not counted.
    #[must_use]
    pub fn people(&self) -> &[u64] {
        self.contents.people().unwrap_or(&self.sizes)
    }

    /// The people of some classes together; their records where people are not counted.
    #[must_use]
    pub fn people_in(&self, is_meant: impl Fn(usize) -> bool) -> u64 {
        let records =
            || self.sizes.iter().enumerate().filter(|(class, _)| is_meant(*class)).map(|(_, size)| size).sum();
        self.contents.people_in(&is_meant).unwrap_or_else(records)
    }

    /// How many people are the only ones with their combination of some classes, where people are counted.
    #[must_use]
    pub fn people_alone(&self, is_meant: impl Fn(usize) -> bool) -> Option<u64> {
        self.contents.people_alone(is_meant)
    }

    /// Whether the numbers of people and of their values add up when classes merge.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.contents.is_additive()
    }

    /// Whether these are classes of the same table as others.
    pub(crate) fn is_made_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.places, &other.places)
    }

    /// The number of classes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// How many things of about 16 bytes it holds: classes, and what is in them.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.len() + self.contents.weight()
    }

    /// Some of its classes, in this order, with sizes and numbers of people, and nothing else.
    #[must_use]
    fn pick(&self, classes: &[u32]) -> Self {
        let pick = |list: &Vec<u64>| classes.iter().map(|&class| list[class as usize]).collect();
        let packed = self.packed.iter().map(pick).collect();
        let (node, places) = (self.node.clone(), Arc::clone(&self.places));
        Self { node, packed, places, sizes: pick(&self.sizes), contents: self.contents.counts_of(classes) }
    }

    /// The same classes in the order of their keys, which depends on nothing but what they are.
    pub(crate) fn sorted(self) -> Self {
        let key = |class: u32| self.packed.iter().map(move |word| word[class as usize]);
        let first = |class: u32| (self.packed.first().map_or(0, |word| word[class as usize]), class);
        let mut order: Vec<(u64, u32)> = (0..).zip(&self.sizes).map(|(class, _)| first(class)).collect();
        order.par_sort_unstable_by(|&(one, one_class), &(other, other_class)| {
            one.cmp(&other).then_with(|| key(one_class).cmp(key(other_class)))
        });
        let order: Vec<u32> = order.into_iter().map(|(_, class)| class).collect();
        Self { contents: self.contents.reordered(&order), ..self.pick(&order) }
    }

    /// Whether there is no class at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}

impl Table {
    /// A table from its distinct keys (one column of value codes per variable), their counts, and the spread of the
    /// sensitive variables over the keys. Keys may repeat: they are merged.
    pub fn new(
        variables: Vec<Variable>,
        columns: &[Vec<Code>],
        counts: Vec<u64>,
        sensitive: Vec<(String, Distribution)>,
    ) -> Result<Self, TableError> {
        Self::of_rows(variables, columns, counts, sensitive, None)
    }

    /// A table in which people are counted: for each key, besides, whose records they are. Somebody with several keys, or
    /// several values of a sensitive variable, has a row for each.
    pub fn of_people(
        variables: Vec<Variable>,
        columns: &[Vec<Code>],
        counts: Vec<u64>,
        sensitive: Vec<(String, Distribution)>,
        persons: &[u32],
    ) -> Result<Self, TableError> {
        Self::of_rows(variables, columns, counts, sensitive, Some(persons))
    }

    fn of_rows(
        variables: Vec<Variable>,
        columns: &[Vec<Code>],
        counts: Vec<u64>,
        sensitive: Vec<(String, Distribution)>,
        persons: Option<&[u32]>,
    ) -> Result<Self, TableError> {
        if u32::try_from(counts.len()).is_err() {
            return Err(TableError::TooManyKeys { limit: u32::MAX });
        }
        let rows = RowCounts { columns, counts: &counts, persons };
        if !rows.fit(&variables) || sensitive.iter().any(|(_, spread)| spread.classes() != counts.len()) {
            return Err(TableError::Inconsistent);
        }
        let node = Node::from(vec![0; variables.len()]);
        let (names, distributions) = sensitive.into_iter().unzip();
        let records = counts.iter().sum();
        let packing = Packing::new(&variables, columns);
        let packed = packing.pack(columns, counts.len());
        let (places, contents) = (packing.places(), Contents::of_records(distributions));
        let keys = FrequencySet { node, packed, places, sizes: counts, contents };
        let mut table = Self { variables, sensitive: names, records, packing, keys, value_counts: Vec::new() };
        let RollUp { set, class_of, .. } = table.merge(&table.keys, &table.keys.node);
        let set = match persons {
            Some(persons) => set.of_people(&class_of, persons, &table.keys.contents.sensitive),
            None => set,
        };
        table.keys = set.sorted();
        table.value_counts = (0..columns.len()).into_par_iter().map(|variable| table.count_values(variable)).collect();
        Ok(table)
    }

    /// The number of people, where they are counted.
    #[must_use]
    pub fn persons(&self) -> Option<u64> {
        self.keys.contents.people_in(|_| true)
    }

    /// The classes of the table as collected.
    #[must_use]
    pub fn keys(&self) -> &FrequencySet {
        &self.keys
    }

    /// A value, by its code in the ladder, that a class of `set` holds in a variable: *the* value at level 0, one of them
    /// further up.
    #[must_use]
    pub fn value(&self, set: &FrequencySet, class: usize, variable: usize) -> Code {
        self.packing.value(variable, set.node.0[variable], |word| set.packed[word][class])
    }

    /// The label of a class of `set` in a variable.
    #[must_use]
    pub fn label<'a>(&'a self, set: &FrequencySet, class: usize, variable: usize) -> &'a str {
        let level = &self.variables[variable].hierarchy.levels()[set.node.0[variable] as usize];
        &level.labels[level.of[self.value(set, class, variable) as usize] as usize]
    }

    /// How many records hold each value of a variable whose spread is counted, by its code; where people are counted, how
    /// many people.
    #[must_use]
    pub fn spread_counts(&self, sensitive: usize) -> Vec<u64> {
        self.keys.contents.totals(sensitive, self.keys.len())
    }

    /// How many records hold each value of a variable, by its code in the ladder.
    #[must_use]
    pub fn value_counts(&self, variable: usize) -> &[u64] {
        &self.value_counts[variable]
    }

    fn count_values(&self, variable: usize) -> Vec<u64> {
        let mut counts = vec![0; self.variables[variable].hierarchy.levels()[0].of.len()];
        for (key, records) in self.keys.sizes.iter().enumerate() {
            counts[self.value(&self.keys, key, variable) as usize] += records;
        }
        counts
    }

    /// The records of some classes of a set by their label in each variable; a value stands for each label, as in
    /// [`Self::value`]. Labels without records are left out.
    #[must_use]
    pub fn records_by_value(&self, set: &FrequencySet, classes: &[u32]) -> Vec<Vec<(Code, u64)>> {
        let picked = set.pick(classes);
        self.packing.records_by_value(&set.node, &picked.packed, &picked.sizes)
    }

    /// Numbers for the classes of a set by their label in a variable; a value stands for each label, as in
    /// [`Self::value`].
    pub(crate) fn look_up<'a>(
        &'a self,
        set: &'a FrequencySet,
        variable: usize,
        number: impl Fn(Code) -> u64,
    ) -> LookUp<'a> {
        let sums = self.packing.sums_of(variable, set.node.0[variable], number);
        LookUp { packed: &set.packed[sums.word], sums }
    }

    /// Numbers for the classes of a set: for each the sum over its labels in all variables, a value standing for each label.
    pub(crate) fn look_up_sum(&self, set: &FrequencySet, number: impl Fn(usize, Code) -> u64) -> LookUpSum {
        LookUpSum { parts: self.packing.sums(&set.node, number) }
    }

    /// How many labels of a level occur.
    #[must_use]
    pub fn labels_at(&self, variable: usize, level: u8) -> usize {
        self.packing.labels_at(variable, level)
    }

    /// How many labels of one level make one of another, on average over those that occur.
    #[must_use]
    pub fn labels_per_label(&self, variable: usize, from: u8, to: u8) -> f64 {
        let labels = |level| self.labels_at(variable, level).max(1) as f64;
        labels(from) / labels(to)
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

    /// The same table as if it had been collected at a node: fewer keys, and no level below that node. What the values of a
    /// variable count is as it was. Ladders must be nested.
    #[must_use]
    pub fn collected_at(&self, node: &Node) -> Self {
        let raised = |(variable, &level): (&Variable, &u8)| Variable { min_level: level, ..variable.clone() };
        Self {
            variables: self.variables.iter().zip(&node.0).map(raised).collect(),
            sensitive: self.sensitive.clone(),
            records: self.records,
            packing: self.packing.clone(),
            keys: self.roll_up(&self.keys, node).set,
            value_counts: self.value_counts.clone(),
        }
    }

    /// The first variable whose ladder is not nested between the levels that a release may use.
    #[must_use]
    pub fn first_unnested(&self) -> Option<&Variable> {
        let is_nested =
            |variable: &Variable| variable.hierarchy.is_nested_between(variable.min_level, variable.max_level);
        self.variables.iter().find(|variable| !is_nested(variable))
    }

    /// The classes of `node`, merged from those of a set whose node is at or below it in nested ladders (the set of
    /// [`Self::keys`] always will do).
    #[must_use]
    pub fn roll_up(&self, from: &FrequencySet, node: &Node) -> RollUp {
        if from.node == *node {
            return RollUp::unmoved(from);
        }
        self.merge(from, node)
    }

    /// Merges what has the same labels at `node`.
    fn merge(&self, from: &FrequencySet, node: &Node) -> RollUp {
        let (packed, sizes) = from.contents.with_absent(&from.packed, &from.sizes);
        let climbed = self.packing.climb(&packed, &from.node, node);
        let Grouping { mut class_of, mut firsts, mut sizes } = Grouping::new(&climbed, &sizes);
        let first_of = |word: &Vec<u64>| firsts.iter().map(|&key| word[key as usize]).collect();
        let mut packed: Vec<Vec<u64>> = climbed.iter().map(first_of).collect();
        // Keys without a record come last, and what they alone make is no class.
        let classes = firsts.partition_point(|&key| (key as usize) < from.len());
        let mut contents = from.contents.merge_all(&class_of, firsts.len(), from.len(), classes);
        contents.set_absent(packed.iter_mut().map(|word| word.split_off(classes)));
        class_of.truncate(from.len());
        firsts.truncate(classes);
        sizes.truncate(classes);
        let (node, places) = (node.clone(), Arc::clone(&from.places));
        RollUp { set: FrequencySet { node, packed, places, sizes, contents }, class_of, firsts }
    }
}

/// A number of keys, labels, slots or the like, which is less than 2³².
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn small(number: u64) -> u32 {
    number as u32
}

/// Numbers for the classes of a set by their label in a variable.
pub(crate) struct LookUp<'a> {
    packed: &'a [u64],
    sums: LabelSums,
}

impl LookUp<'_> {
    /// The number of a class.
    pub(crate) fn number(&self, class: u32) -> u64 {
        self.sums.sum(self.packed[class as usize])
    }
}

/// Numbers for the classes of a set: for each the sum over its labels in all variables.
pub(crate) struct LookUpSum {
    parts: Vec<LabelSums>,
}

impl LookUpSum {
    /// The number of a class of the set.
    pub(crate) fn number(&self, set: &FrequencySet, class: u32) -> u64 {
        let of_part = |part: &LabelSums| part.sum(set.packed[part.word][class as usize]);
        self.parts.iter().map(of_part).fold(0, u64::saturating_add)
    }
}

impl RollUp {
    /// A set that went nowhere.
    pub(crate) fn unmoved(set: &FrequencySet) -> Self {
        let all: Vec<u32> = (0..small(set.len() as u64)).collect();
        Self { set: set.clone(), class_of: all.clone(), firsts: all }
    }
}

/// A coarser set, and where the classes of the finer one went.
#[derive(Debug, Clone)]
pub struct RollUp {
    /// The coarser set.
    pub set: FrequencySet,
    /// For each class of the finer set its class in the coarser one.
    pub class_of: Vec<u32>,
    /// For each class of the coarser set the first of the finer one that went there.
    pub firsts: Vec<u32>,
}
