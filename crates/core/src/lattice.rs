//! All level vectors, and one of them.
//!
//! A [`Node`] says how far each quasi-identifier is generalised; a [`Lattice`] is the box of nodes between a lowest and
//! a highest one. It is walked, never stored: sizes are counted in 128 bits and a lattice of 10¹³ nodes costs as much
//! memory as one of ten.

use serde::{Deserialize, Serialize};

/// One level per quasi-identifier, in the order of the table's variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Node(pub Box<[u8]>);

impl Node {
    /// The sum of the levels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.0.iter().map(|&level| u32::from(level)).sum()
    }

    /// Whether this node generalises no variable further than `other` does.
    #[must_use]
    pub fn is_at_or_below(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine <= theirs)
    }

    /// The variables that `other` generalises further.
    #[must_use]
    pub fn variables_below<'a>(&'a self, other: &'a Self) -> impl DoubleEndedIterator<Item = usize> + 'a {
        (0..self.0.len()).filter(|&variable| self.0[variable] < other.0[variable])
    }

    /// The same node with one variable at another level.
    #[must_use]
    pub fn with(&self, variable: usize, level: u8) -> Self {
        let mut levels = self.0.clone();
        levels[variable] = level;
        Self(levels)
    }
}

impl From<Vec<u8>> for Node {
    fn from(levels: Vec<u8>) -> Self {
        Self(levels.into_boxed_slice())
    }
}

/// All nodes from `bottom` to `top`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lattice {
    /// The lowest node.
    pub bottom: Node,
    /// The highest node.
    pub top: Node,
}

impl Lattice {
    /// How many nodes there are; the largest number there is when 128 bits do not hold it.
    #[must_use]
    pub fn size(&self) -> u128 {
        self.spans().fold(1, |size: u128, span| size.saturating_mul(u128::from(span) + 1))
    }

    /// How many steps lead from the bottom to the top.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.spans().sum()
    }

    /// How many nodes stand `steps` above the bottom; the largest number there is when 128 bits do not hold it.
    #[must_use]
    pub fn width_at(&self, steps: u32) -> u128 {
        let mut widths = vec![1_u128];
        for span in self.spans().map(|span| span as usize) {
            let reached = |height: usize| (height.saturating_sub(span)..=height).filter_map(|below| widths.get(below));
            let width = |height: usize| reached(height).fold(0, |sum: u128, more| sum.saturating_add(*more));
            widths = (0..widths.len() + span).map(width).collect();
        }
        widths.get(steps as usize).copied().unwrap_or(0)
    }

    /// The nodes that stand `steps` above the bottom, in lexicographic order.
    #[must_use]
    pub fn nodes_at(&self, steps: u32) -> Vec<Node> {
        let mut found = Vec::new();
        self.collect_at(0, steps, &mut self.bottom.0.to_vec(), &mut found);
        found
    }

    /// The nodes one step above `node`.
    pub fn above<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = Node> + 'a {
        node.variables_below(&self.top).map(|variable| node.with(variable, node.0[variable] + 1))
    }

    fn spans(&self) -> impl Iterator<Item = u32> + '_ {
        self.bottom.0.iter().zip(&self.top.0).map(|(&low, &high)| u32::from(high.saturating_sub(low)))
    }

    fn collect_at(&self, variable: usize, steps: u32, levels: &mut Vec<u8>, found: &mut Vec<Node>) {
        let room: u32 = self.spans().skip(variable).sum();
        if steps > room {
            return;
        }
        if variable == levels.len() {
            found.push(Node::from(levels.clone()));
            return;
        }
        let (low, high) = (self.bottom.0[variable], self.top.0[variable]);
        for level in low..=high.max(low) {
            let used = u32::from(level - low);
            if used > steps {
                break;
            }
            levels[variable] = level;
            self.collect_at(variable + 1, steps - used, levels, found);
        }
        levels[variable] = low;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(top: &[u8]) -> Lattice {
        Lattice { bottom: Node::from(vec![0; top.len()]), top: Node::from(top.to_vec()) }
    }

    #[test]
    fn every_node_stands_at_one_height() {
        let lattice = lattice(&[2, 1, 3]);
        let total: usize = (0..=lattice.height()).map(|steps| lattice.nodes_at(steps).len()).sum();
        assert_eq!(total as u128, lattice.size());
        assert_eq!(lattice.size(), 24);
        assert!((0..9).all(|steps| lattice.width_at(steps) == lattice.nodes_at(steps).len() as u128));
    }

    #[test]
    fn mid_heights_come_in_lexicographic_order() {
        let nodes = lattice(&[1, 2]).nodes_at(2);
        assert_eq!(nodes, vec![Node::from(vec![0, 2]), Node::from(vec![1, 1])]);
    }

    #[test]
    fn sizes_beyond_64_bits_are_counted() {
        assert_eq!(lattice(&[9; 30]).size(), 10_u128.pow(30));
        assert_eq!(lattice(&[255; 64]).size(), u128::MAX);
        assert_eq!(lattice(&[1; 40]).width_at(20), 137_846_528_820);
    }
}
