//! The best node where nothing may be suppressed, by rows that rule nodes out.
//!
//! Where no record may be suppressed, one row whose class is too small makes a node unsafe: a *witness*. One pass over
//! the rows tells how large its class is at every node ([`Table::class_sizes_of`]), and so rules out all nodes that it is
//! a witness against.
//!
//! The first witnesses are rows of rare labels; few nodes survive them. Of the survivors the first ones are counted, and
//! rows of their small classes are the next witnesses, until nothing survives. No witness rules out a safe node. Therefore
//!
//! * where the loss charges each cell by its level, what a node loses is known before it is counted, survivors are counted
//!   from the best on, and the first safe one is the best of all;
//! * where every merge costs, no node above a safe one ranks before it, and none above a node that would lose more than the
//!   best one if it kept all its classes: counted nodes rule out what is above them, and when nothing survives the best was
//!   counted.
//!
//! Nodes that witnesses rule out are *tagged*. A witness takes a pass over the rows, as a counted node does; eight are
//! called at first, and up to eight after each eight nodes.
//!
//! Limit: 2³² − 1 records, 63 variables, classes of 2¹⁶ − 1 records, 2¹⁶ − 1 nodes: on larger lattices intervals are ruled out
//! instead (`probing`).
//!
//! Source: our own.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::claims::VARIABLES;
use super::evaluator::judge;
use super::{Found, Problem, SearchError, rank};
use crate::entropy::bits;
use crate::frequency::{Class, FrequencySet, LANES, Table};
use crate::lattice::{Lattice, Node};
use crate::loss::{self, Count, Counted};
use crate::privacy::Verdict;

/// Witnesses that are called at once, and nodes that are counted at once; so few in unit tests that it takes several
/// rounds.
const AT_ONCE: usize = if cfg!(test) { 3 } else { LANES };

/// The rows among which the first witnesses are looked for.
const RAREST: usize = 512;

/// The nodes that there may be.
const NODES: u128 = u16::MAX as u128;

pub(super) struct Witnesses<'a> {
    problem: &'a Problem<'a>,
    /// Classes below this size make a node unsafe.
    least: u16,
    nodes: Lattice,
    strides: Vec<usize>,
    /// Merged at the lowest node.
    rows: Cow<'a, FrequencySet>,
    rarity: Rarity,
    /// For each variable and level what all records together lose, or a guide to it.
    cost: Vec<Vec<u128>>,
}

/// How rare labels are: rows of rare labels are in small classes at many nodes.
struct Rarity {
    /// For each variable, for each value, what its labels tell.
    of_value: Vec<Vec<u32>>,
    /// For each row what its labels tell together.
    of_row: Vec<u32>,
}

/// A node that was not ruled out: its cost, its height, its place in lexicographic order. The least is counted first.
type Survivor = (u128, u32, usize);

impl<'a> Witnesses<'a> {
    /// For problems that witnesses decide.
    pub(super) fn new(problem: &'a Problem<'a>, lowest: &Node) -> Option<Self> {
        let Problem { table, loss, budget, .. } = *problem;
        let nodes = Lattice { bottom: lowest.clone(), top: problem.lattice.top.clone() };
        let is_decided = budget == 0 && (loss.per_cell().is_some() || problem.grows_with_merges());
        let fits = table.variables.len() <= VARIABLES && u32::try_from(table.records).is_ok();
        if !is_decided || !fits || nodes.size() > NODES {
            return None;
        }
        let least = u16::try_from(problem.guard.least_size()?).ok()?;
        let (rows, told, cost) = (table.rows_at(lowest), told(table, lowest), loss::cost_by_level(loss, table));
        let of_row = table.sums(&rows, |variable, value| told[variable][value as usize]);
        let rarity = Rarity { of_value: told, of_row };
        Some(Self { problem, least, strides: nodes.strides(), nodes, rows, rarity, cost })
    }

    pub(super) fn search(&self) -> Result<Found, SearchError> {
        let Problem { table, loss, .. } = *self.problem;
        let top = judge(self.problem, &table.roll_up(&self.rows, &self.nodes.top).set, None);
        if !self.problem.is_safe(&top) {
            return Err(self.problem.no_safe_node(&top));
        }
        let mut survivors = self.survivors_of(&self.first_witnesses());
        let (mut best, mut evaluated) = (top.clone(), 1);
        let mut tagged = self.others() - survivors.len();
        while !survivors.is_empty() && !self.problem.is_over() {
            let nodes = self.take_first(&mut survivors);
            let classes = table.classes_at(&self.rows, &nodes);
            evaluated += nodes.len() as u64;
            self.learn(nodes, &classes, &mut best, &mut survivors);
            // Few are counted without further witnesses.
            if survivors.len() > 2 * AT_ONCE {
                let sizes = table.class_sizes_of(&self.rows, &self.witnesses_in(&classes), &self.nodes);
                let before = survivors.len();
                survivors.retain(|&(.., place)| self.stands(&sizes, place));
                tagged += before - survivors.len();
            }
            (self.problem.progress)(evaluated);
        }
        let bound = survivors.iter().map(|&(.., place)| loss.bound(&self.node(place), None, Some(&top))).min();
        let bound = bound.map_or(best.summary.units, |bound| bound.min(best.summary.units));
        Ok(Found { bound, evaluated, tagged: tagged as u64, minimal: Vec::new(), best })
    }

    fn node(&self, place: usize) -> Node {
        self.nodes.node_at(&self.strides, place)
    }

    /// How many nodes there are besides the top, which comes last and is known to be safe.
    fn others(&self) -> usize {
        usize::try_from(self.nodes.size() - 1).unwrap_or(0)
    }

    /// All other nodes that no witness is against.
    fn survivors_of(&self, witnesses: &[u32]) -> Vec<Survivor> {
        let sizes = self.problem.table.class_sizes_of(&self.rows, witnesses, &self.nodes);
        let survivor = |place: usize| {
            let node = self.node(place);
            let cost = self.cost.iter().zip(&node.0).map(|(levels, &level)| levels[level as usize]).sum();
            (cost, node.height(), place)
        };
        (0..self.others()).filter(|&place| self.stands(&sizes, place)).map(survivor).collect()
    }

    /// Whether the classes of all witnesses are large enough at a node.
    fn stands(&self, sizes: &[[u16; LANES]], place: usize) -> bool {
        sizes[place].iter().all(|&records| records >= self.least)
    }

    /// Takes the survivors that are counted next, in their order.
    fn take_first(&self, survivors: &mut Vec<Survivor>) -> Vec<Node> {
        let count = AT_ONCE.min(survivors.len());
        if count < survivors.len() {
            survivors.select_nth_unstable(count);
        }
        let mut first: Vec<Survivor> = survivors.drain(..count).collect();
        first.sort_unstable();
        first.into_iter().map(|(.., place)| self.node(place)).collect()
    }

    /// Takes the best safe node, and drops survivors that are no better. The nodes come in the order of survivors.
    fn learn(&self, nodes: Vec<Node>, classes: &[Vec<Class>], best: &mut Counted, survivors: &mut Vec<Survivor>) {
        let is_safe = |classes: &[Class]| self.small(classes).next().is_none();
        let mut counted = nodes.into_iter().zip(classes);
        if self.problem.loss.per_cell().is_some() {
            if let Some((node, classes)) = counted.find(|(_, classes)| is_safe(classes)) {
                *best = self.kept(node, classes);
                survivors.clear();
            }
            return;
        }
        let counted: Vec<(bool, Counted)> =
            counted.map(|(node, classes)| (is_safe(classes), self.kept(node, classes))).collect();
        for (_, safe) in counted.iter().filter(|(is_safe, _)| *is_safe) {
            if rank(safe) < rank(best) {
                *best = safe.clone();
            }
        }
        let ends = |(is_safe, kept): &&(bool, Counted)| *is_safe || kept.summary.units > best.summary.units;
        let ends: Vec<&Node> = counted.iter().filter(ends).map(|(_, kept)| &kept.node).collect();
        survivors.retain(|&(.., place)| {
            let node = self.node(place);
            !ends.iter().any(|end| end.is_at_or_below(&node))
        });
    }

    /// What a node loses if it keeps all its classes, the small ones too.
    fn kept(&self, node: Node, classes: &[Class]) -> Counted {
        let Problem { table, loss, .. } = *self.problem;
        if let Some(loss) = loss.per_cell() {
            let summary = loss.summary(table, &node, (&self.rows, &[]), None);
            return Counted { node, suppressed: 0, summary };
        }
        let sizes = classes.iter().map(|class| u64::from(class.records)).collect();
        let set = FrequencySet::without_keys(sizes, Vec::new());
        let verdict = Verdict { kept: vec![true; set.len()], suppressed: 0 };
        let summary = loss.summarise(table, &Count { set: &set, verdict: &verdict, finer: None });
        Counted { node, suppressed: 0, summary }
    }

    /// Rows of the classes that are too small.
    fn small<'b>(&self, classes: &'b [Class]) -> impl Iterator<Item = u32> + use<'b> {
        let least = u32::from(self.least);
        classes.iter().filter(move |class| class.records < least).map(|class| class.row)
    }

    /// Of the rarest rows those that are rarest of all in some two variables, as often as possible.
    fn first_witnesses(&self) -> Vec<u32> {
        let rows = self.rarity.ranked((0..).zip(&self.rows.sizes).map(|(row, _)| row).collect(), RAREST);
        let is_open = |&variable: &usize| self.nodes.bottom.0[variable] < self.nodes.top.0[variable];
        let told = |variable: usize| -> Vec<u32> {
            let value = |&row: &u32| self.problem.table.value(&self.rows, row as usize, variable);
            rows.iter().map(|row| self.rarity.of_value[variable][value(row) as usize]).collect()
        };
        let told: Vec<Vec<u32>> = (0..self.cost.len()).filter(is_open).map(told).collect();
        let mut times_rarest = vec![0; rows.len()];
        for (place, one) in told.iter().enumerate() {
            for other in &told[..place] {
                let together = one.iter().zip(other).map(|(one, other)| one + other).enumerate();
                if let Some((rarest, _)) = together.rev().max_by_key(|&(_, together)| together) {
                    times_rarest[rarest] += 1;
                }
            }
        }
        let mut often: Vec<usize> = (0..rows.len()).collect();
        often.sort_by_key(|&place| Reverse(times_rarest[place]));
        often.into_iter().take(AT_ONCE).map(|place| rows[place]).collect()
    }

    /// Rows of small classes, the rarest of each node first.
    fn witnesses_in(&self, classes: &[Vec<Class>]) -> Vec<u32> {
        let ranked = |classes: &Vec<Class>| self.rarity.ranked(self.small(classes).collect(), AT_ONCE);
        let ranked: Vec<Vec<u32>> = classes.iter().map(ranked).collect();
        let of_each = |place: usize| ranked.iter().filter_map(move |rows| rows.get(place).copied());
        unlike((0..AT_ONCE).flat_map(of_each))
    }
}

impl Rarity {
    /// The rarest of some rows, the rarest first.
    fn ranked(&self, mut rows: Vec<u32>, count: usize) -> Vec<u32> {
        let order = |&row: &u32| (Reverse(self.of_row[row as usize]), row);
        if count < rows.len() {
            rows.select_nth_unstable_by_key(count, order);
            rows.truncate(count);
        }
        rows.sort_unstable_by_key(order);
        rows
    }
}

/// For each variable, for each value, what its labels tell at all levels from that of the lowest node on, roughly.
fn told(table: &Table, lowest: &Node) -> Vec<Vec<u32>> {
    let of_variable = |(variable, &low): (usize, &u8)| {
        let counts = table.value_counts(variable);
        let mut told = vec![0; counts.len()];
        for level in &table.variables[variable].hierarchy.levels()[low as usize..] {
            let rarity = |records: u64| bits(table.records.into()) - bits(records.into());
            let of_label: Vec<u32> = level.counts(counts).into_iter().map(rarity).collect();
            level.of.iter().zip(&mut told).for_each(|(&label, told)| *told += of_label[label as usize]);
        }
        told
    };
    lowest.0.iter().enumerate().map(of_variable).collect()
}

/// As many rows as are called at once, each once.
fn unlike(rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut unlike = Vec::with_capacity(AT_ONCE);
    for row in rows {
        if unlike.len() < AT_ONCE && !unlike.contains(&row) {
            unlike.push(row);
        }
    }
    unlike
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::exhaustive;
    use super::*;
    use crate::card::{Parameters, Value};
    use crate::made_up;
    use crate::privacy::{self, Guard};

    proptest! {
        #[test]
        fn what_survives_all_witnesses_is_the_best_of_all(
            rows in prop::collection::vec([0_u32..3, 0..12, 0..5, 0..12], 20..400),
            k in 2_i64..6,
        ) {
            let table = made_up::table(&rows, [&["2", "4"], &["3"], &["2", "4"], &["3"]]);
            let k = Parameters::from([("k".to_owned(), Value::Integer(k))]);
            let guard = Guard::new(vec![privacy::build("k-anonymity", &k, &[]).unwrap()]);
            let mut decided = 0;
            for loss in loss::ALL.iter().filter_map(|member| member.build(&table, &Parameters::new()).ok()) {
                let (lattice, progress, stop) = (table.lattice(), &|_| {}, None);
                let problem = Problem { table: &table, guard: &guard, loss: &*loss, budget: 0, lattice, progress, stop };
                let Some(witnesses) = Witnesses::new(&problem, &problem.lattice.bottom) else { continue };
                let (found, every) = (witnesses.search().unwrap(), exhaustive::run(&problem).unwrap());
                prop_assert_eq!((&found.best, found.bound), (&every.best, every.bound));
                let stopped = Problem { stop: Some(&|| true), lattice: table.lattice(), ..problem };
                let early = Witnesses::new(&stopped, &problem.lattice.bottom).unwrap().search().unwrap();
                prop_assert!(early.bound <= every.bound && rank(&every.best) <= rank(&early.best));
                decided += 1;
            }
            prop_assert!(decided >= 8, "{}", decided);
        }
    }
}
