//! Where values may go: the polytope of a segment, or of several that properties tie together.
//!
//! Each [`Block`] is a segment of a column with its distinct values as unknowns, in a frame in which they reach from 0 to 1;
//! its localities, its order and its domain bound it. Further relations and equations may run across blocks. The data
//! themselves are a point of the region: every walk starts there.

use super::locality::Locality;

/// A convex set of points; the unknowns of its blocks follow each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Region {
    /// The segments.
    pub blocks: Vec<Block>,
    /// Further relations: each sum is at most its bound.
    pub relations: Vec<LinearRelation>,
    /// Sums that stay what they are in the data.
    pub equations: Vec<LinearRelation>,
}

/// The distinct values of a segment and what bounds them.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The values of the data, ascending.
    pub data: Vec<f64>,
    /// The localities to keep.
    pub localities: Vec<Locality>,
    /// Whether the order is kept.
    pub order: bool,
    /// The lower end of the domain.
    pub low: f64,
    /// The upper end of the domain.
    pub high: f64,
}

/// A linear relation: the sum of factor × unknown is at most the bound.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearRelation {
    /// Unknowns and their factors.
    pub terms: Vec<(u32, f64)>,
    /// The bound.
    pub bound: f64,
}

impl LinearRelation {
    /// How far the relation is from being broken.
    #[must_use]
    pub fn slack(&self, point: &[f64]) -> f64 {
        let at = |unknown: u32| point.get(unknown as usize).copied().unwrap_or(f64::NAN);
        self.bound - self.terms.iter().map(|&(unknown, factor)| factor * at(unknown)).sum::<f64>()
    }
}

impl Block {
    /// The smallest distance of a point from breaking something; negative when something is broken.
    #[must_use]
    pub fn slack(&self, point: &[f64]) -> f64 {
        let localities = self.localities.iter().map(|locality| locality.slack(point));
        let order = point.windows(2).filter(|_| self.order).map(|pair| pair[1] - pair[0]);
        let ends = point.iter().map(|value| (value - self.low).min(self.high - value));
        localities.chain(order).chain(ends).fold(f64::INFINITY, f64::min)
    }
}

impl Region {
    /// How many unknowns there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.data.len()).sum()
    }

    /// The data.
    #[must_use]
    pub fn start(&self) -> Vec<f64> {
        self.blocks.iter().flat_map(|block| block.data.iter().copied()).collect()
    }

    /// Where the unknowns of each block begin.
    pub fn offsets(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().scan(0, |offset, block| {
            let begin = *offset;
            *offset += block.data.len();
            Some(begin)
        })
    }

    /// The smallest distance of a point from breaking something; negative when something is broken. Equations count by
    /// how far they are off.
    #[must_use]
    pub fn slack(&self, point: &[f64]) -> f64 {
        let own = |(offset, block): (usize, &Block)| {
            point.get(offset..offset + block.data.len()).map_or(f64::NEG_INFINITY, |own| block.slack(own))
        };
        let blocks = self.offsets().zip(&self.blocks).map(own);
        let relations = self.relations.iter().map(|relation| relation.slack(point));
        let equations = self.equations.iter().map(|relation| -relation.slack(point).abs());
        blocks.chain(relations).chain(equations).fold(f64::INFINITY, f64::min)
    }

    /// The block, when localities, order and domain of a single segment are all there is.
    #[must_use]
    pub fn only_block(&self) -> Option<&Block> {
        match self.blocks.as_slice() {
            [block] if self.relations.is_empty() && self.equations.is_empty() => Some(block),
            _ => None,
        }
    }
}
