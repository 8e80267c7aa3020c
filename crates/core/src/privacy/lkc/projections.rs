//! What two variables alone say of a node, before it is counted: bounds from projections.
//!
//! Who shares labels in two variables depends on the levels of these two only; it is counted once for each pair of levels and
//! remembered, for all nodes and for every search with the same guard and table. Keys whose labels fewer than `k` share are *rare*
//! there, whatever the other variables are. They are withheld at every node that has these levels or lower ones.
//!
//! **Levels.** In an interval of the lattice each variable at its lowest level meets each other one at its highest. Where rare
//! keys are more than may be withheld, its lowest level goes up. **Loss.** See [`Sharing`].
//! **Nodes.** Where at most two variables are known, pairs tell all there is to know of a node (`counting`).
//!
//! Limits: for limits in records. Only as sharp as two variables are: with a known third, and with what is withheld because
//! others are, more is suppressed. Where people are counted, a group has at most as many people as its keys have together.
//!
//! Source: our own.

use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashMap;

use super::Parts;
use super::groups::{Fault, Numbered, numbered};
use super::sharing::Sharing;
use crate::frequency::{FrequencySet, Table, small};
use crate::hierarchy::Level;
use crate::lattice::Node;
use crate::loss::{Counted, PerCell};
use crate::privacy::{Guard, Unit};
use crate::search::Problem;

/// What pairs of variables say of the nodes of a table.
pub(crate) struct Projections<'a> {
    pub(super) table: &'a Table,
    pub(super) loss: Option<&'a PerCell>,
    pub(super) allowance: u64,
    /// The one rule that there is, where nodes can be counted from pairs.
    pub(super) rule: Option<&'a Parts>,
    memory: Arc<Memory>,
}

type Pairs = HashMap<(Place, Place), Arc<Pair>>;

/// What was counted of a table.
pub(in crate::privacy) struct Memory {
    /// The keys of the table, by their places: alive as long as this is, so that no other table is taken for it.
    keys: FrequencySet,
    allowance: u64,
    /// The fewest who share a part of one variable, and of two.
    least: [u64; 2],
    /// For each variable and level the label of each key.
    labels: Vec<Vec<Vec<u32>>>,
    /// The one rule that there is, and how many values it tells apart: counted where nodes are counted from pairs.
    rule: Option<(Parts, usize)>,
    pairs: RwLock<Pairs>,
}

/// A variable at a level.
pub(super) type Place = (usize, u8);

/// Who shares labels in two variables, or in one.
pub(super) struct Pair {
    /// The group of each key, unless labels say it.
    listed: Option<Vec<u32>>,
    /// The labels of both, and how many there may be of the second.
    places: (Place, Place),
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
}

/// Labels that may be remembered, and numbers in pairs.
const ROOM: usize = 1 << 26;

/// Numbers in a pair whose values are counted.
const PLACES: usize = 1 << 18;

impl<'a> Projections<'a> {
    /// For problems in which parts of keys are judged, and the limit counts records.
    pub(crate) fn of(problem: &Problem<'a>) -> Option<Self> {
        let Problem { table, guard, allowance, .. } = *problem;
        if guard.parts().next().is_none() || guard.limits() != Unit::Records || allowance >= table.records {
            return None;
        }
        let levels: usize = table.variables.iter().map(|variable| variable.hierarchy.levels().len()).sum();
        if table.keys().len().saturating_mul(levels) > ROOM {
            return None;
        }
        let memory = guard.memory.get_or_init(|| Arc::new(Memory::of(guard, table, allowance)));
        let memory = if memory.is_of(table, allowance) {
            Arc::clone(memory)
        } else {
            Arc::new(Memory::of(guard, table, allowance))
        };
        let loss = problem.loss.shape().per_cell();
        let rule = guard.only_parts().filter(|_| memory.rule.is_some());
        Some(Self { table, loss, allowance, rule, memory })
    }

    /// The lowest node of an interval without levels at which two variables alone suppress more than may be.
    pub(crate) fn raised(&self, lowest: &Node, highest: &Node) -> Node {
        let is_low = |variable: usize, level: u8| {
            let with = |other: usize| self.pair((variable, level), (other, highest.0[other])).records > self.allowance;
            level < highest.0[variable] && (0..lowest.0.len()).any(with)
        };
        let level = |variable: usize| {
            let mut levels = lowest.0[variable]..=highest.0[variable];
            levels.find(|&level| !is_low(variable, level)).unwrap_or(highest.0[variable])
        };
        (0..lowest.0.len()).map(level).collect::<Vec<_>>().into()
    }

    /// A number that no node from `lowest` to the node of `highest` falls below.
    pub(crate) fn bound(&self, lowest: &Node, highest: &Counted) -> u128 {
        let loss = self.loss.filter(|loss| !loss.charge.is_empty());
        loss.map_or(0, |loss| Sharing::new(self, loss, lowest, &highest.node).bound())
    }

    /// Who shares labels at two places; in a variable alone, where both are of it.
    pub(super) fn pair(&self, one: Place, other: Place) -> Arc<Pair> {
        self.memory.pair(one.min(other), one.max(other))
    }

    /// The groups of keys.
    pub(super) fn group_of<'m>(&'m self, pair: &'m Pair) -> impl Fn(u32) -> usize + 'm {
        let (one, other) = (self.memory.column(pair.places.0), self.memory.column(pair.places.1));
        move |key| match &pair.listed {
            Some(listed) => listed[key as usize] as usize,
            None if pair.span == 0 => one[key as usize] as usize,
            None => (one[key as usize] * pair.span + other[key as usize]) as usize,
        }
    }

    /// How many values are told apart; none where no share is asked for.
    pub(super) fn values(&self) -> usize {
        self.memory.rule.map_or(0, |(_, values)| values)
    }
}

impl Memory {
    fn of(guard: &Guard, table: &Table, allowance: u64) -> Self {
        let least = [1, 2].map(|known| {
            guard.parts().filter(|parts| parts.known >= known).map(|parts| parts.least).max().unwrap_or(0)
        });
        let labels = (0..table.variables.len()).map(|variable| labels(table, variable)).collect();
        let is_countable = table.keys().is_additive() && u32::try_from(table.records).is_ok();
        let rule = guard.only_parts().filter(|rule| is_countable && rule.known <= 2);
        let values = |rule: &Parts| if rule.has_shares() { table.spread_counts(rule.variable).len() } else { 0 };
        let rule = rule.map(|rule| (*rule, values(rule)));
        Self { keys: table.keys().clone(), allowance, least, labels, rule, pairs: RwLock::default() }
    }

    fn is_of(&self, table: &Table, allowance: u64) -> bool {
        self.allowance == allowance && self.keys.is_same(table.keys())
    }

    fn pair(&self, one: Place, other: Place) -> Arc<Pair> {
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

    fn column(&self, (variable, level): Place) -> &[u32] {
        &self.labels[variable][usize::from(level)]
    }

    fn count(&self, one: Place, other: Place) -> Pair {
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
                list(&|group| is_few(group) || rule.refuses(Fault::Hopeless, of_group(group)))
            }
            _ => rare.clone(),
        };
        let listed = (!numbered.by_labels).then_some(numbered.group_of);
        let span = if is_pair { numbered.span } else { 0 };
        Pair { listed, places: (one, other), span, people, counts, records, rare, hopeless }
    }

    /// How many of each value are in each group, where nodes are counted from pairs and there is room for it.
    fn counts(&self, numbered: &Numbered) -> Option<Vec<u32>> {
        let (rule, values) = self.rule?;
        let places = Some(numbered.groups.checked_mul(values)?).filter(|places| *places <= PLACES)?;
        let (mut counts, spread) = (vec![0; places], self.keys.contents.spread(rule.variable));
        for (key, &group) in numbered.group_of.iter().enumerate().filter(|_| values > 0) {
            for &(code, count) in spread.of(key) {
                counts[group as usize * values + code as usize] += small(count);
            }
        }
        Some(counts)
    }
}

impl Pair {
    /// How many numbers it holds.
    fn weight(&self) -> usize {
        let lists = self.listed.as_ref().map_or(0, Vec::len) + self.counts.as_ref().map_or(0, Vec::len);
        lists + self.people.len() + self.rare.len() + self.hopeless.len()
    }
}

/// For each level of a variable the label of each key.
fn labels(table: &Table, variable: usize) -> Vec<Vec<u32>> {
    let keys = table.keys();
    let of_level = |level: &Level| {
        let look_up = table.look_up(keys, variable, |value| u64::from(level.of[value as usize]));
        (0..small(keys.len() as u64)).map(|key| small(look_up.of(key))).collect()
    };
    table.variables[variable].hierarchy.levels().iter().map(of_level).collect()
}
