//! Who shares labels in two variables: counted once for each pair of levels, and remembered.
//!
//! The count depends on the levels of these two variables only. So it serves all nodes, and every search with the same guard
//! and table. Keys whose labels fewer than `k` share are *rare*. Let the pair be at levels (i, j). Then
//!
//! > rare at (i, j) ⇒ withheld at every node with levels ≤ i and ≤ j in these variables ([`crate::projections`]),
//!
//! because finer labels are shared by fewer.
//!
//! Limit: where people are counted, the people of a group are bounded by the sum over its keys.
//!
//! Source: our own.

use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;

use super::PartsRule;
use super::groups::{GroupFault, NumberedGroups, numbered};
use crate::frequency::{FrequencySet, Table, small};
use crate::hierarchy::Level;
use crate::lattice::{Lattice, Node};
use crate::privacy::Guard;

type PairMap = HashMap<(Rung, Rung), Arc<LabelPair>>;

/// What was counted of a table.
pub(crate) struct PairMemory {
    /// The keys of the table at the lowest levels at which no variable alone suppresses too much. They hold on to the table, so
    /// that no other one is taken for it.
    pub keys: FrequencySet,
    /// How many keys the table has as collected, and the nodes that it may use.
    collected: usize,
    lattice: Lattice,
    allowance: u64,
    /// The fewest who share a part of one variable, and of two.
    least: [u64; 2],
    /// For each variable and level the label of each key.
    labels: Vec<Vec<Vec<u32>>>,
    /// The one rule that there is, and how many values it tells apart: counted where nodes are counted from pairs.
    pub rule: Option<(PartsRule, usize)>,
    pairs: RwLock<PairMap>,
}

/// A variable at a level of its ladder.
pub(crate) type Rung = (usize, u8);

/// Who shares labels in two variables, or in one.
pub(crate) struct LabelPair {
    /// The group of each key, unless labels say it.
    listed: Option<Vec<u32>>,
    /// The labels of both, and how many there may be of the second.
    rungs: (Rung, Rung),
    span: u32,
    /// The people of each group.
    pub people: Vec<u32>,
    /// How many of each value, one group after the other; none where they are too many.
    pub counts: Option<Vec<u32>>,
    /// The records of rare keys.
    pub records: u64,
    /// Rare keys, listed where so many records may be withheld.
    pub rare: Vec<u32>,
    /// These, and keys of groups of which no `k` are within the share.
    pub hopeless: Vec<u32>,
    /// The keys of small groups that are not rare, group after group, and where those of a group are.
    small: Vec<u32>,
    runs: HashMap<u32, (u32, u32)>,
}

/// A group is small that has at most so many times the fewest.
const SMALL: u64 = 8;

/// Labels that may be remembered, and numbers in pairs.
const ROOM: usize = 1 << 26;

/// Numbers in a pair whose values are counted.
const PLACES: usize = 1 << 18;

impl Guard {
    /// What is remembered of a table, where parts of keys are judged and there is room for it.
    pub(crate) fn memory(&self, table: &Table, allowance: u64) -> Option<Arc<PairMemory>> {
        let levels: usize = table.variables.iter().map(|variable| variable.hierarchy.levels().len()).sum();
        if self.parts().next().is_none() || table.keys().len().saturating_mul(levels) > ROOM {
            return None;
        }
        let memory = self.memory.get_or_init(|| Arc::new(PairMemory::new(self, table, allowance)));
        let is_of = memory.is_of(table, allowance);
        Some(if is_of { Arc::clone(memory) } else { Arc::new(PairMemory::new(self, table, allowance)) })
    }
}

impl PairMemory {
    fn new(guard: &Guard, table: &Table, allowance: u64) -> Self {
        let least = [1, 2].map(|known| {
            guard.parts().filter(|parts| parts.known >= known).map(|parts| parts.least).max().unwrap_or(0)
        });
        let collected = table.keys().len();
        let keys = table.roll_up(table.keys(), &floor(table, least[0], allowance)).set;
        let labels = (0..table.variables.len()).map(|variable| labels(table, &keys, variable)).collect();
        let is_countable = table.keys().is_additive() && u32::try_from(table.records).is_ok();
        let rule = guard.only_parts().filter(|rule| is_countable && rule.known <= 2);
        let values = |rule: &PartsRule| if rule.has_shares() { table.spread_counts(rule.variable).len() } else { 0 };
        let rule = rule.map(|rule| (*rule, values(rule)));
        let (lattice, pairs) = (table.lattice(), RwLock::default());
        Self { keys, collected, lattice, allowance, least, labels, rule, pairs }
    }

    fn is_of(&self, table: &Table, allowance: u64) -> bool {
        let is_like = self.collected == table.keys().len() && self.lattice == table.lattice();
        self.allowance == allowance && is_like && self.keys.is_made_of(table.keys())
    }

    /// Who shares labels at two places; in a variable alone, where both are of it.
    pub(crate) fn pair(&self, one: Rung, other: Rung) -> Arc<LabelPair> {
        let (one, other) = (one.min(other), one.max(other));
        if let Some(known) = self.pairs.read().unwrap_or_else(PoisonError::into_inner).get(&(one, other)) {
            return Arc::clone(known);
        }
        let counted = Arc::new(self.count(one, other));
        let mut pairs = self.pairs.write().unwrap_or_else(PoisonError::into_inner);
        // Beyond the room it begins anew: what is remembered changes the time and nothing else.
        if pairs.len() % 64 == 63 && pairs.values().map(|pair| pair.weight()).sum::<usize>() > ROOM {
            pairs.clear();
        }
        Arc::clone(pairs.entry((one, other)).or_insert(counted))
    }

    /// The groups of keys.
    pub(crate) fn group_of<'m>(&'m self, pair: &'m LabelPair) -> impl Fn(u32) -> usize + 'm {
        let (one, other) = (self.column(pair.rungs.0), self.column(pair.rungs.1));
        move |key| match &pair.listed {
            Some(listed) => listed[key as usize] as usize,
            None if pair.span == 0 => one[key as usize] as usize,
            None => (one[key as usize] * pair.span + other[key as usize]) as usize,
        }
    }

    /// How many values are told apart; none where no share is asked for.
    pub(crate) fn values(&self) -> usize {
        self.rule.map_or(0, |(_, values)| values)
    }

    fn column(&self, (variable, level): Rung) -> &[u32] {
        &self.labels[variable][usize::from(level)]
    }

    fn count(&self, one: Rung, other: Rung) -> LabelPair {
        let is_pair = one.0 != other.0;
        let columns = [self.column(one), self.column(other)];
        let numbered = numbered(if is_pair { &columns } else { &columns[..1] });
        let mut people = vec![0_u32; numbered.groups];
        for (&group, &count) in numbered.group_of.iter().zip(self.keys.people()) {
            people[group as usize] = people[group as usize].saturating_add(small(count.min(u32::MAX.into())));
        }
        let least = self.least[usize::from(is_pair)];
        let is_few = |group: u32| u64::from(people[group as usize]) < least;
        let list = |is_meant: &dyn Fn(u32) -> bool| -> Vec<u32> {
            (0_u32..).zip(&numbered.group_of).filter(|(_, group)| is_meant(**group)).map(|(key, _)| key).collect()
        };
        let mut rare = list(&is_few);
        let records = rare.iter().map(|&key| self.keys.sizes[key as usize]).sum();
        if records > self.allowance {
            rare = Vec::new();
        }
        let counts = self.counts(&numbered);
        let hopeless = match (self.rule, &counts) {
            (Some((rule, values @ 1..)), Some(counts)) => {
                let of_group =
                    |group: u32| counts[group as usize * values..][..values].iter().map(|&one| u64::from(one));
                list(&|group| is_few(group) || rule.refuses(GroupFault::Hopeless, of_group(group)))
            }
            _ => rare.clone(),
        };
        let (small, runs) = in_runs(&numbered, |group| {
            (least..=SMALL * least).contains(&u64::from(people[group as usize])) && self.rule.is_some()
        });
        let listed = (!numbered.by_labels).then_some(numbered.group_of);
        let span = if is_pair { numbered.span } else { 0 };
        LabelPair { listed, rungs: (one, other), span, people, counts, records, rare, hopeless, small, runs }
    }

    /// How many of each value are in each group, where nodes are counted from pairs and there is room for it.
    fn counts(&self, numbered: &NumberedGroups) -> Option<Vec<u32>> {
        let (rule, values) = self.rule?;
        let places = Some(numbered.groups.checked_mul(values)?).filter(|places| *places <= PLACES)?;
        let (mut counts, spread) = (vec![0; places], self.keys.contents.spread(rule.variable));
        for (key, &group) in numbered.group_of.iter().enumerate().filter(|_| values > 0) {
            for &(code, count) in spread.in_class(key) {
                counts[group as usize * values + code as usize] += small(count);
            }
        }
        Some(counts)
    }
}

impl LabelPair {
    /// How many numbers it holds.
    fn weight(&self) -> usize {
        let lists = self.listed.as_ref().map_or(0, Vec::len) + self.counts.as_ref().map_or(0, Vec::len);
        lists + self.people.len() + self.rare.len() + self.hopeless.len() + self.small.len() + 3 * self.runs.len()
    }

    /// The keys of a group, where it is small.
    pub(crate) fn keys_of(&self, group: usize) -> Option<&[u32]> {
        let &(from, to) = self.runs.get(&small(group as u64))?;
        Some(&self.small[from as usize..to as usize])
    }
}

/// The keys of some groups, group after group, and where those of each group are.
fn in_runs(numbered: &NumberedGroups, is_meant: impl Fn(u32) -> bool) -> (Vec<u32>, HashMap<u32, (u32, u32)>) {
    let keys = (0_u32..).zip(&numbered.group_of).filter(|(_, group)| is_meant(**group));
    let mut keys: Vec<(u32, u32)> = keys.map(|(key, &group)| (group, key)).collect();
    keys.sort_unstable();
    let (mut runs, mut from) = (HashMap::new(), 0);
    for run in keys.chunk_by(|one, other| one.0 == other.0) {
        let to = from + small(run.len() as u64);
        runs.insert(run[0].0, (from, to));
        from = to;
    }
    (keys.into_iter().map(|(_, key)| key).collect(), runs)
}

/// The lowest levels at which no variable alone suppresses more than may be.
fn floor(table: &Table, least: u64, allowance: u64) -> Node {
    let level = |(variable, &bottom): (usize, &u8)| {
        let levels = table.variables[variable].hierarchy.levels();
        let sizes = |level: u8| levels[usize::from(level)].counts(table.value_counts(variable)).into_iter();
        let top = table.variables[variable].max_level;
        let suppressed = |level: u8| sizes(level).filter(|&size| size < least).sum::<u64>();
        (bottom..top).find(|&level| suppressed(level) <= allowance).unwrap_or(top)
    };
    table.lattice().bottom.0.iter().enumerate().map(level).collect::<Vec<_>>().into()
}

/// For each level of a variable the label of each key; below the level of the keys one of several.
fn labels(table: &Table, keys: &FrequencySet, variable: usize) -> Vec<Vec<u32>> {
    let of_level = |level: &Level| {
        let look_up = table.look_up(keys, variable, |value| u64::from(level.of[value as usize]));
        (0..small(keys.len() as u64)).map(|key| small(look_up.number(key))).collect()
    };
    table.variables[variable].hierarchy.levels().iter().map(of_level).collect()
}
