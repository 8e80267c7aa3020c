//! How high each variable must be allowed to climb.
//!
//! A search that minimises a sum may send many variables to `*` to keep few of them in detail. Whoever wants something of
//! every variable forbids the top; the question is for how many of them that leaves a safe release. Here all variables
//! start one level below their highest. Where that node is not safe, as few of them as possible are given up, and of several
//! ways to do so the one is taken that keeps most information, counted column by column.
//!
//! The node that is returned is safe: a search up to it finds a release. Limit: ways are tried in the order of their number
//! of variables, as long as that takes little work. Beyond, variables are given up one by one, each time the one that
//! leaves the fewest records failing, and these need not be the fewest.

use crate::entropy::{Coding, codings};
use crate::frequency::{FrequencySet, Table};
use crate::lattice::Node;
use crate::privacy::Guard;

/// The most classes that are merged to find the fewest variables, all ways together.
const MOST_WORK: usize = 50_000_000;

/// The levels to which a search may be bound that may suppress so much; none where not even the highest node is safe.
#[must_use]
pub fn ceiling(table: &Table, guard: &Guard, allowance: u64) -> Option<Node> {
    let lattice = table.lattice();
    let below = lattice.bottom.0.iter().zip(&lattice.top.0).map(|(low, high)| high.saturating_sub(1).max(*low));
    let lowest = Node::from(below.collect::<Vec<u8>>());
    let set = table.roll_up(table.keys(), &lowest).set;
    let ceiling = Ceiling { table, guard, allowance, top: lattice.top, set };
    if ceiling.is_safe(&ceiling.set) {
        return Some(lowest);
    }
    let greedy = ceiling.one_by_one()?;
    let most = ceiling.spared(&lowest).len() - ceiling.spared(&greedy).len();
    Some(ceiling.fewest(most).unwrap_or(greedy))
}

/// A search for the ceiling: variables of this set are given up.
struct Ceiling<'a> {
    table: &'a Table,
    guard: &'a Guard,
    allowance: u64,
    top: Node,
    set: FrequencySet,
}

impl Ceiling<'_> {
    /// The variables that a node keeps below the top.
    fn spared(&self, node: &Node) -> Vec<usize> {
        (0..node.0.len()).filter(|place| node.0[*place] < self.top.0[*place]).collect()
    }

    /// Gives up the variable that leaves the fewest failing, until the node is safe.
    fn one_by_one(&self) -> Option<Node> {
        let mut set = self.set.clone();
        while !self.is_safe(&set) {
            let spared = self.spared(&set.node);
            let given_up = spared.into_iter().map(|place| {
                let higher = self.table.roll_up(&set, &set.node.with(place, self.top.0[place])).set;
                (self.guard.judge(&higher).limited(self.guard.limits()), higher)
            });
            // Of equals the last: columns that come first are mostly those that people look for.
            set = given_up.reduce(|best, next| if next.0 <= best.0 { next } else { best })?.1;
        }
        Some(set.node)
    }

    /// The safe node with the fewest variables given up, at most so many; none where that would take too much work.
    fn fewest(&self, most: usize) -> Option<Node> {
        let (spared, told) = (self.spared(&self.set.node), self.told());
        let mut work = MOST_WORK / self.set.len().max(1);
        let mut nodes = vec![(self.set.node.clone(), 0)];
        for _ in 0..most {
            nodes = nodes.iter().flat_map(|(node, next)| self.further(&spared, node, *next)).collect();
            work = work.checked_sub(nodes.len())?;
            let safe = nodes.iter().filter(|(node, _)| self.is_safe(&self.table.roll_up(&self.set, node).set));
            let kept = |node: &Node| self.spared(node).iter().map(|place| told[*place]).sum::<u128>();
            // Of equals the last, as above.
            if let Some((node, _)) = safe.max_by_key(|(node, _)| kept(node)) {
                return Some(node.clone());
            }
        }
        None
    }

    /// The nodes with one more of the variables from some place on given up, and where the next ones start.
    fn further(&self, spared: &[usize], node: &Node, from: usize) -> Vec<(Node, usize)> {
        let later = spared.iter().enumerate().skip(from);
        later.map(|(place, &variable)| (node.with(variable, self.top.0[variable]), place + 1)).collect()
    }

    /// What each variable still tells.
    fn told(&self) -> Vec<u128> {
        let told = |(place, level): (usize, &u8)| {
            let codings = codings(&self.table.variables[place].hierarchy, self.table.value_counts(place));
            codings.get(usize::from(*level)).map_or(0, Coding::told_in_all)
        };
        self.set.node.0.iter().enumerate().map(told).collect()
    }

    fn is_safe(&self, set: &FrequencySet) -> bool {
        let verdict = self.guard.judge(set);
        verdict.limited(self.guard.limits()) <= self.allowance && verdict.kept.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::{k_anonymity, table};

    const LADDER: &[&str] = &["2", "6"];

    fn ceiling_of(records: &[[u32; 3]], k: i64, allowance: u64) -> Option<Vec<u8>> {
        ceiling(&table(records, [LADDER; 3]), &k_anonymity(k), allowance).map(|node| node.0.to_vec())
    }

    #[test]
    fn nothing_is_given_up_without_need() {
        // Bands of six: all records agree in them.
        assert_eq!(ceiling_of(&[[0, 1, 7], [5, 2, 11], [3, 3, 8]], 3, 0), Some(vec![2, 2, 2]));
    }

    #[test]
    fn what_sets_records_apart_is_given_up() {
        let records = [[0, 1, 7], [5, 7, 11], [3, 3, 8], [1, 9, 9]];
        assert_eq!(ceiling_of(&records, 4, 0), Some(vec![2, 3, 2]));
        assert_eq!(ceiling_of(&records, 2, 0), Some(vec![2, 2, 2]));
        // One record may be left out.
        let records = [[0, 1, 7], [5, 1, 11], [3, 3, 8], [1, 9, 9]];
        assert_eq!(ceiling_of(&records, 3, 1), Some(vec![2, 2, 2]));
        assert_eq!(ceiling_of(&records, 3, 0), Some(vec![2, 3, 2]));
    }

    #[test]
    fn the_fewest_are_given_up_and_the_most_telling_kept() {
        // Bands of six. The second variable alone sets the classes apart as do the first and the third together; the first
        // divides the records more evenly than the third.
        let halves = [[0, 0, 0], [0, 7, 0], [7, 0, 0], [7, 7, 0], [0, 0, 0], [7, 7, 7]];
        assert_eq!(ceiling_of(&halves, 3, 0), Some(vec![2, 3, 3]));
        assert_eq!(ceiling_of(&halves, 2, 1), Some(vec![2, 3, 2]));
    }

    #[test]
    fn there_may_be_no_safe_node_at_all() {
        assert_eq!(ceiling_of(&[[0, 1, 7], [5, 7, 11]], 3, 0), None);
    }
}
