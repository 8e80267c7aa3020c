//! What every node of an interval loses, from pairs of variables.
//!
//! Take a node x. Variable a is *raised* if x has it above its lowest level; then x pays at least step(a). A key k that
//! is rare at the lowest levels of a and b is withheld, and pays charge(k), unless a or b is raised. So each such k
//! is paid for by itself or by a raised variable.
//!
//! Hand out shares s(k, a, b) ≥ 0 such that
//!
//! > Σ of the shares of k ≤ charge(k), and Σ of the shares of a ≤ step(a).
//!
//! Then
//!
//! > loss(x) ≥ cost(lowest) + Σ s,
//!
//! because whoever pays for a share pays at least all shares that it was given (weak duality). Shares are handed out greedily,
//! pair by pair.
//!
//! A step makes the charge of a key smaller, by what the step costs the key. So step(a) counts only keys that are rare nowhere in the
//! interval.
//!
//! Source: our own; the relaxation is that of weighted vertex cover (Bar-Yehuda & Even 1981).

use std::sync::Arc;

use super::Projections;
use crate::frequency::small;
use crate::lattice::Node;
use crate::loss::PerCell;
use crate::privacy::{LabelPair, Rung};

/// Charges that are shared out over the steps of an interval.
pub(super) struct SharedCharges<'p> {
    projections: &'p Projections<'p>,
    loss: &'p PerCell,
    lowest: &'p Node,
    /// Keys that are rare, with what withholds them: nothing, a variable, or two.
    edges: Vec<(Arc<LabelPair>, [Option<usize>; 2])>,
}

impl<'p> SharedCharges<'p> {
    pub(super) fn new(projections: &'p Projections<'p>, loss: &'p PerCell, lowest: &'p Node, highest: &Node) -> Self {
        let is_open = |variable: usize| lowest.0[variable] < highest.0[variable];
        let (low, high) =
            (|variable: usize| (variable, lowest.0[variable]), |variable: usize| (variable, highest.0[variable]));
        let count = lowest.0.len();
        let pairs = || (0..count).flat_map(|one| (one..count).map(move |other| (one, other)));
        let mut edges = Vec::new();
        let mut add = |one: Rung, other: Rung, covers: [Option<usize>; 2]| {
            if projections.is_late() {
                return;
            }
            let rare = projections.memory.pair(one, other);
            if !rare.rare.is_empty() {
                edges.push((rare, covers));
            }
        };
        // What is withheld anyway, then what one variable covers, then what two do.
        pairs().for_each(|(one, other)| add(high(one), high(other), [None, None]));
        for (one, other) in pairs() {
            if is_open(one) {
                add(low(one), if one == other { low(other) } else { high(other) }, [Some(one), None]);
            }
            if is_open(other) && one != other {
                add(high(one), low(other), [Some(other), None]);
            }
        }
        let both = pairs().filter(|&(one, other)| one != other && is_open(one) && is_open(other));
        both.for_each(|(one, other)| add(low(one), low(other), [Some(one), Some(other)]));
        Self { projections, loss, lowest, edges }
    }

    pub(super) fn bound(&self) -> u128 {
        let (keys, place_of) = self.keys();
        let mut charges = self.charges(&keys);
        let mut steps = self.steps(&keys);
        let mut shared: u128 = 0;
        for (rare, covers) in &self.edges {
            for key in &rare.rare {
                let charge = &mut charges[place_of[*key as usize] as usize];
                let covered = covers.iter().flatten().map(|&variable| steps[variable]).fold(*charge, u128::min);
                *charge -= covered;
                covers.iter().flatten().for_each(|&variable| steps[variable] -= covered);
                shared += covered;
            }
        }
        let cost = self.loss.cost.iter().zip(&self.lowest.0).map(|(levels, &level)| levels[usize::from(level)]);
        cost.sum::<u128>() + shared
    }

    /// All rare keys, and the place of each of them.
    fn keys(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut keys, mut place_of) = (Vec::new(), vec![u32::MAX; self.projections.memory.keys.len()]);
        for &key in self.edges.iter().flat_map(|(rare, _)| &rare.rare) {
            let place = &mut place_of[key as usize];
            if *place == u32::MAX {
                *place = small(keys.len() as u64);
                keys.push(key);
            }
        }
        (keys, place_of)
    }

    /// What withholding each of these keys costs at the lowest levels.
    fn charges(&self, keys: &[u32]) -> Vec<u128> {
        let (table, all) = (self.projections.table, &self.projections.memory.keys);
        let mut charges = vec![0_u128; keys.len()];
        for (variable, levels) in self.loss.charge.iter().enumerate() {
            let charge = &levels[usize::from(self.lowest.0[variable])];
            let look_up = table.look_up(all, variable, |value| charge[value as usize]);
            charges.iter_mut().zip(keys).for_each(|(sum, &key)| *sum += u128::from(look_up.number(key)));
        }
        charges.iter_mut().zip(keys).for_each(|(sum, &key)| *sum *= u128::from(all.sizes[key as usize]));
        charges
    }

    /// What one level more of each variable costs all keys but these.
    fn steps(&self, keys: &[u32]) -> Vec<u128> {
        let (table, all) = (self.projections.table, &self.projections.memory.keys);
        let step = |(variable, levels): (usize, &Vec<Vec<u64>>)| {
            let low = usize::from(self.lowest.0[variable]);
            let (Some(at), Some(above)) = (levels.get(low), levels.get(low + 1)) else { return 0 };
            let fall = |value: u32| at[value as usize].saturating_sub(above[value as usize]);
            let look_up = table.look_up(all, variable, fall);
            let of_key = |&key: &u32| u128::from(look_up.number(key)) * u128::from(all.sizes[key as usize]);
            let cost = &self.loss.cost[variable];
            (cost[low + 1] - cost[low]).saturating_sub(keys.iter().map(of_key).sum())
        };
        self.loss.charge.iter().enumerate().map(step).collect()
    }
}
