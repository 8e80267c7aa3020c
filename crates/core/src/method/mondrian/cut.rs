//! One cut of a tile across a variable.

use super::{Judge, Tile, join, size};

/// A tile that is to be cut across a variable.
pub(super) struct TileCut<'a> {
    pub judge: &'a Judge<'a>,
    /// The place of the variable.
    pub variable: usize,
    pub tile: &'a Tile,
}

impl TileCut<'_> {
    /// The sides of a cut, if there is one that the guard allows.
    pub(super) fn sides(&self, relaxed: bool) -> Option<Vec<Tile>> {
        match self.judge.grid.ranks(self.variable, self.tile) {
            Some(ranks) => self.at_median(&ranks, relaxed),
            None => down_the_ladder(self.judge, self.judge.grid.branches(self.variable, self.tile)),
        }
    }

    /// The two sides of the median. Strictly, the values equal to it go to one side, the one that leaves the sides more even
    /// first.
    fn at_median(&self, ranks: &[(u32, u64)], relaxed: bool) -> Option<Vec<Tile>> {
        let total = size(self.tile);
        let mut below = 0;
        let mut up_to = 0;
        let mut median = 0;
        for run in ranks.chunk_by(|one, other| one.0 == other.0) {
            let here: u64 = run.iter().map(|(_, records)| records).sum();
            (below, up_to) = (up_to, up_to + here);
            median = run.first().map_or(median, |(rank, _)| *rank);
            if 2 * up_to >= total {
                break;
            }
        }
        let strict = |first_above: u32| {
            let (left, right): (Tile, Tile) = self.tile.iter().partition(|(key, _)| self.rank(*key) < first_above);
            vec![left, right]
        };
        let even_with = (2 * up_to).abs_diff(total);
        let even_without = (2 * below).abs_diff(total);
        let strictly = if even_with <= even_without { [median + 1, median] } else { [median, median + 1] };
        let shared = relaxed.then(|| self.share_median(median, (total / 2).saturating_sub(below)));
        let cuts = shared.into_iter().chain(strictly.into_iter().map(strict));
        let is_cut = |sides: &Vec<Tile>| sides.iter().all(|side| !side.is_empty());
        cuts.filter(is_cut).find(|sides| self.judge.allowed(sides).into_iter().all(|allowed| allowed))
    }

    /// Both sides of the median, with `wanted` of the records at the median on the left, in canonical order.
    fn share_median(&self, median: u32, mut wanted: u64) -> Vec<Tile> {
        let (mut left, mut right): (Tile, Tile) = (Vec::new(), Vec::new());
        for &(key, records) in self.tile {
            let taken = match self.rank(key) {
                rank if rank < median => records,
                rank if rank > median => 0,
                _ => records.min(wanted),
            };
            if self.rank(key) == median {
                wanted -= taken;
            }
            left.extend((taken > 0).then_some((key, taken)));
            right.extend((taken < records).then_some((key, records - taken)));
        }
        vec![left, right]
    }

    fn rank(&self, key: u32) -> u32 {
        self.judge.grid.rank(self.variable, key)
    }
}

/// Each branch on its own where the guard allows it; the others stay together, with the smallest of the allowed ones where
/// they need company.
fn down_the_ladder(judge: &Judge<'_>, branches: Vec<Tile>) -> Option<Vec<Tile>> {
    let allowed = judge.allowed(&branches);
    let (mut alone, together): (Vec<_>, Vec<_>) = branches.into_iter().zip(allowed).partition(|(_, allowed)| *allowed);
    let mut rest = join(together.iter().map(|(tile, _)| tile));
    while !rest.is_empty() && !judge.allowed(std::slice::from_ref(&rest)).into_iter().all(|allowed| allowed) {
        let smallest = (0..alone.len()).min_by_key(|&place| size(&alone[place].0))?;
        let (company, _) = alone.remove(smallest);
        rest = join([&rest, &company].into_iter());
    }
    let mut sides: Vec<Tile> = alone.into_iter().map(|(tile, _)| tile).collect();
    sides.extend((!rest.is_empty()).then_some(rest));
    (sides.len() > 1).then_some(sides)
}
