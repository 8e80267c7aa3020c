//! Nodes from the cheapest on, without listing them all: for costs that are sums of costs of levels.
//!
//! Each variable's levels are sorted by their cost, and each node leads to its next ones by moving one variable to its next
//! level. How each node is met once: variables are taken in the order of the step from their best to their second-best
//! level. A node leads to three others: its last moved variable goes one level further; the next variable goes to its
//! second-best level; or that, while the last moved one goes back from its second-best to its best. None of these is
//! cheaper, and each node has one predecessor. So the list stays short, however many variables there are.
//!
//! Source: E. Lawler, Management Science 18(7), 1972.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::lattice::{Lattice, Node};

/// The levels of the variables, the cheapest first.
pub(crate) struct CheapestLevels {
    /// The variables that have a choice.
    of: Vec<LevelCosts>,
    /// The cheapest node and its cost.
    cheapest: Node,
    least: u128,
}

/// A variable, and its levels after their costs.
struct LevelCosts {
    variable: usize,
    levels: Vec<(u128, u8)>,
}

impl CheapestLevels {
    /// Nothing if a variable has no level that may be used.
    pub(crate) fn new(costs: &[Vec<Option<u128>>], lattice: &Lattice) -> Option<Self> {
        let (mut of, mut cheapest, mut least) = (Vec::new(), lattice.bottom.clone(), 0_u128);
        for (variable, costs) in costs.iter().enumerate() {
            let between = lattice.bottom.0[variable]..=lattice.top.0[variable];
            let mut levels: Vec<(u128, u8)> =
                between.filter_map(|level| Some(((*costs.get(usize::from(level))?)?, level))).collect();
            levels.sort_unstable();
            let &(cost, level) = levels.first()?;
            cheapest = cheapest.with(variable, level);
            least = least.saturating_add(cost);
            if levels.len() > 1 {
                of.push(LevelCosts { variable, levels });
            }
        }
        of.sort_by_key(|LevelCosts { variable, levels }| (levels[1].0 - levels[0].0, *variable));
        Some(Self { of, cheapest, least })
    }

    /// The node of the highest levels that may be used.
    pub(crate) fn highest(&self) -> Node {
        let raise = |node: Node, LevelCosts { variable, levels }: &LevelCosts| {
            node.with(*variable, levels.iter().map(|(_, level)| *level).max().unwrap_or_default())
        };
        self.of.iter().fold(self.cheapest.clone(), raise)
    }
}

/// Nodes in the order of their bounds.
pub(crate) struct OpenNodes<'a> {
    choices: &'a CheapestLevels,
    heap: BinaryHeap<Reverse<OpenNode>>,
}

/// A node on the list: which variables have moved is known from its last moved one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OpenNode {
    bound: u128,
    node: Node,
    last: Option<LastMove>,
}

/// A choice that is not at its cheapest level: its place among the choices, and that of its level among its levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LastMove {
    choice: usize,
    level: usize,
}

impl<'a> OpenNodes<'a> {
    pub(crate) fn new(choices: &'a CheapestLevels) -> Self {
        let first = OpenNode { bound: choices.least, node: choices.cheapest.clone(), last: None };
        Self { choices, heap: BinaryHeap::from([Reverse(first)]) }
    }

    pub(crate) fn next(&mut self) -> Option<(u128, Node)> {
        let Reverse(state) = self.heap.pop()?;
        let following = LastMove { choice: state.last.map_or(0, |last| last.choice + 1), level: 1 };
        self.push(&state, None, following);
        if let Some(last @ LastMove { choice, level }) = state.last {
            self.push(&state, Some(last), LastMove { choice, level: level + 1 });
            if level == 1 {
                self.push(&state, Some(last), following);
            }
        }
        Some((state.bound, state.node))
    }

    /// Puts a node on the list: `back` returns to its cheapest level, then `to` is moved.
    fn push(&mut self, state: &OpenNode, back: Option<LastMove>, to: LastMove) {
        let choices = &self.choices.of;
        if choices.get(to.choice).is_none_or(|choice| to.level >= choice.levels.len()) {
            return;
        }
        let (mut bound, mut node) = (state.bound, state.node.clone());
        let back = back.map(|last| (last, LastMove { level: 0, ..last }));
        for (from, to) in back.into_iter().chain([(LastMove { level: 0, ..to }, to)]) {
            let LevelCosts { variable, levels } = &choices[to.choice];
            bound = bound - levels[from.level].0 + levels[to.level].0;
            node = node.with(*variable, levels[to.level].1);
        }
        self.heap.push(Reverse(OpenNode { bound, node, last: Some(to) }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_comes_once_and_none_before_a_cheaper_one() {
        let costs = [vec![5, 0, 9], vec![2, 2], vec![7], vec![1, 30, 4, 4]];
        let costs: Vec<Vec<Option<u128>>> = costs.map(|levels| levels.into_iter().map(Some).collect()).to_vec();
        let lattice = Lattice { bottom: vec![0; 4].into(), top: vec![2, 1, 0, 3].into() };
        let choices = CheapestLevels::new(&costs, &lattice).unwrap();
        let mut open = OpenNodes::new(&choices);
        let listed: Vec<(u128, Node)> = std::iter::from_fn(|| open.next()).collect();
        assert_eq!(listed.len() as u128, lattice.size());
        assert!(listed.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        for (bound, node) in &listed {
            let sum: u128 = costs.iter().zip(&node.0).map(|(levels, &level)| levels[level as usize].unwrap()).sum();
            assert_eq!(*bound, sum);
        }
        let mut nodes: Vec<&Node> = listed.iter().map(|(_, node)| node).collect();
        nodes.sort();
        nodes.dedup();
        assert_eq!((nodes.len(), choices.highest()), (listed.len(), lattice.top.clone()));
    }

    #[test]
    fn levels_that_may_not_be_used_are_left_out() {
        let costs = [vec![Some(5), None, Some(1)], vec![None, Some(2)]];
        let lattice = Lattice { bottom: vec![0, 0].into(), top: vec![2, 1].into() };
        let choices = CheapestLevels::new(&costs, &lattice).unwrap();
        let mut open = OpenNodes::new(&choices);
        let listed: Vec<Node> = std::iter::from_fn(|| open.next()).map(|(_, node)| node).collect();
        assert_eq!(listed, [vec![2, 1].into(), vec![0, 1].into()]);
        assert!(CheapestLevels::new(&[vec![None], vec![Some(1)]], &lattice).is_none());
    }
}
