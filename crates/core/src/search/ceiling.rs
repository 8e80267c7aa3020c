//! How high each variable must be allowed to climb.
//!
//! A search that minimises a sum may send many variables to `*` to keep few of them in detail. Whoever wants something of
//! every variable forbids the top; the question is for how many of them that leaves a safe release. Here all variables
//! start one level below their highest, and while the node is not safe, the one is given up whose highest level leaves the
//! fewest records failing.
//!
//! The node that is returned is safe: a search up to it finds a release. Limit: given up one by one, the variables need not
//! be the fewest possible.

use crate::frequency::{FrequencySet, Table};
use crate::lattice::Node;
use crate::privacy::Guard;

/// The levels to which a search may be bound that may suppress so much; none where not even the highest node is safe.
#[must_use]
pub fn ceiling(table: &Table, guard: &Guard, allowance: u64) -> Option<Node> {
    let lattice = table.lattice();
    let below = lattice.bottom.0.iter().zip(&lattice.top.0).map(|(low, high)| high.saturating_sub(1).max(*low));
    let mut node = Node::from(below.collect::<Vec<u8>>());
    let mut set = table.roll_up(table.keys(), &node).set;
    while !is_safe(guard, &set, allowance) {
        let spared = (0..node.0.len()).filter(|place| node.0[*place] < lattice.top.0[*place]);
        let given_up = spared.map(|place| {
            let higher = table.roll_up(&set, &node.with(place, lattice.top.0[place])).set;
            (guard.judge(&higher).limited(guard.limits()), higher)
        });
        // Of equals the last: columns that come first are mostly those that people look for.
        let (_, best) = given_up.reduce(|best, next| if next.0 <= best.0 { next } else { best })?;
        set = best;
        node.clone_from(&set.node);
    }
    Some(node)
}

fn is_safe(guard: &Guard, set: &FrequencySet, allowance: u64) -> bool {
    let verdict = guard.judge(set);
    verdict.limited(guard.limits()) <= allowance && verdict.kept.contains(&true)
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
    fn there_may_be_no_safe_node_at_all() {
        assert_eq!(ceiling_of(&[[0, 1, 7], [5, 7, 11]], 3, 0), None);
    }
}
