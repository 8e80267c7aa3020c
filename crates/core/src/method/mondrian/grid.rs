//! The keys in canonical order, and where their values stand in each variable.

use std::cmp::Ordering;

use super::Tile;
use crate::hierarchy::decimal::Decimal;
use crate::hierarchy::{Code, MISSING, TOP};
use crate::method::partition::{Dimension, KeyTable, PartitionError};
use crate::variable::Variable;

/// The keys, sorted, and what is needed to cut them.
pub(crate) struct Grid<'a> {
    axes: Vec<Axis<'a>>,
    /// For each guarded sensitive variable the code of each key.
    pub sensitive: Vec<Vec<Code>>,
    /// The records of each key.
    counts: Vec<u64>,
    /// Whose they are, where people are counted.
    pub persons: Option<Vec<u32>>,
    /// Where each key stood before it was sorted.
    originals: Vec<u32>,
    /// All records.
    pub records: u64,
}

/// A variable and the place of each key in it.
struct Axis<'a> {
    variable: &'a Variable,
    /// The value code of each key.
    codes: Vec<Code>,
    scale: AxisScale,
}

/// Along what a variable is cut.
enum AxisScale {
    /// Numbers: for each value code its rank, the missing value at 0, and its number; and the range of all.
    Numbers { ranks: Vec<u32>, numbers: Vec<f64>, range: f64 },
    /// A ladder: for each level and label the number of values under it.
    Ladder { under: Vec<Vec<usize>> },
}

impl<'a> Grid<'a> {
    /// Sorts the keys by everything that is known of them.
    pub fn from_keys(keys: &KeyTable<'a>) -> Result<Self, PartitionError> {
        check(keys)?;
        let count = u32::try_from(keys.counts.len()).map_err(|_| PartitionError::Inconsistent)?;
        let mut originals: Vec<u32> = (0..count).collect();
        let all = || keys.columns.iter().chain(&keys.sensitive).chain(&keys.persons);
        let compare = |one: &u32, other: &u32| {
            let cells = all().map(|column| column[*one as usize].cmp(&column[*other as usize]));
            cells.fold(Ordering::Equal, Ordering::then)
        };
        originals.sort_unstable_by(compare);
        let sorted = |column: &Vec<Code>| originals.iter().map(|&key| column[key as usize]).collect::<Vec<Code>>();
        let axes = keys.dimensions.iter().zip(&keys.columns).map(|(dimension, column)| Axis {
            variable: dimension.variable,
            codes: sorted(column),
            scale: AxisScale::along(dimension),
        });
        Ok(Self {
            axes: axes.collect(),
            sensitive: keys.sensitive.iter().map(sorted).collect(),
            counts: originals.iter().map(|&key| keys.counts[key as usize]).collect(),
            persons: keys.persons.as_ref().map(sorted),
            records: keys.counts.iter().sum(),
            originals,
        })
    }

    /// The number of variables.
    pub fn dimensions(&self) -> usize {
        self.axes.len()
    }

    /// Where a key stood before it was sorted.
    pub fn original(&self, key: u32) -> u32 {
        self.originals[key as usize]
    }

    /// What must not be joined: one tile for each combination of labels at the highest levels that the policy permits.
    pub fn first_tiles(&self) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = vec![(0..).zip(self.counts.iter().copied()).collect()];
        for axis in &self.axes {
            let level = &axis.variable.hierarchy.levels()[axis.variable.max_level as usize];
            let by_label = |tile: Tile| group(tile, |key| level.of[axis.codes[key as usize] as usize]);
            tiles = tiles.into_iter().flat_map(by_label).collect();
        }
        tiles.into_iter().filter(|tile| !tile.is_empty()).collect()
    }

    /// How wide a tile is in a variable, 0 to 1: the share of the range, or of the values, that its label covers.
    pub fn width(&self, place: usize, tile: &Tile) -> f64 {
        let axis = &self.axes[place];
        match &axis.scale {
            AxisScale::Numbers { numbers, range, .. } => {
                let Some((low, high)) = self.rank_ends(place, tile) else { return 0.0 };
                let [low, high] = [low, high].map(|code| numbers[code as usize]);
                match (low.is_nan(), high.is_nan()) {
                    (true, false) => 1.0,
                    (false, false) if *range > 0.0 => (high - low) / range,
                    _ => 0.0,
                }
            }
            AxisScale::Ladder { under } => {
                let Some(&(first, _)) = tile.first() else { return 0.0 };
                let level = self.shared_level(place, tile);
                let label = axis.variable.hierarchy.levels()[level].of[axis.codes[first as usize] as usize];
                let covered = under[level][label as usize];
                let all = under.first().map_or(0, Vec::len);
                if covered <= 1 { 0.0 } else { covered as f64 / all as f64 }
            }
        }
    }

    /// The ranks of a tile's keys in a variable of numbers, each with its records, in order; `None` for a ladder.
    pub fn ranks(&self, place: usize, tile: &Tile) -> Option<Vec<(u32, u64)>> {
        let axis = &self.axes[place];
        let AxisScale::Numbers { ranks, .. } = &axis.scale else { return None };
        let mut found: Vec<(u32, u64)> =
            tile.iter().map(|&(key, records)| (ranks[axis.codes[key as usize] as usize], records)).collect();
        found.sort_unstable();
        Some(found)
    }

    /// The rank of a key in a variable of numbers.
    pub fn rank(&self, place: usize, key: u32) -> u32 {
        let axis = &self.axes[place];
        match &axis.scale {
            AxisScale::Numbers { ranks, .. } => ranks[axis.codes[key as usize] as usize],
            AxisScale::Ladder { .. } => 0,
        }
    }

    /// A tile by the labels one step down the ladder, where they first differ; nothing where they never do.
    pub fn branches(&self, place: usize, tile: &Tile) -> Vec<Tile> {
        let axis = &self.axes[place];
        let levels = axis.variable.hierarchy.levels();
        let below = usize::from(axis.variable.min_level)..self.shared_level(place, tile);
        let by_label = |level: usize| group(tile.clone(), |key| levels[level].of[axis.codes[key as usize] as usize]);
        below.rev().map(by_label).find(|groups| groups.len() > 1).unwrap_or_default()
    }

    /// The labels of a tile, one for each variable.
    pub fn labels(&self, tile: &Tile) -> Vec<String> {
        (0..self.axes.len()).map(|place| self.label(place, tile)).collect()
    }

    fn label(&self, place: usize, tile: &Tile) -> String {
        let axis = &self.axes[place];
        let hierarchy = &axis.variable.hierarchy;
        let value = |code: Code| hierarchy.values()[code as usize].as_str();
        match &axis.scale {
            AxisScale::Numbers { .. } => match self.rank_ends(place, tile).map(|(low, high)| (value(low), value(high)))
            {
                None => MISSING.to_owned(),
                Some((low, high)) if low == high => low.to_owned(),
                Some((MISSING, _)) => TOP.to_owned(),
                Some((low, high)) => format!("[{low}, {high}]"),
            },
            AxisScale::Ladder { .. } => {
                let level = &hierarchy.levels()[self.shared_level(place, tile)];
                let label = tile.first().map(|&(key, _)| level.of[axis.codes[key as usize] as usize]);
                label.map_or_else(String::new, |label| level.labels[label as usize].clone())
            }
        }
    }

    /// The value codes of a tile's lowest and highest ranks.
    fn rank_ends(&self, place: usize, tile: &Tile) -> Option<(Code, Code)> {
        let axis = &self.axes[place];
        let codes = || tile.iter().map(|&(key, _)| axis.codes[key as usize]);
        let rank = |code: &Code| self.rank_of_code(place, *code);
        codes().min_by_key(rank).zip(codes().max_by_key(rank))
    }

    fn rank_of_code(&self, place: usize, code: Code) -> u32 {
        match &self.axes[place].scale {
            AxisScale::Numbers { ranks, .. } => ranks[code as usize],
            AxisScale::Ladder { .. } => 0,
        }
    }

    /// The lowest level, from the lowest that the policy permits, at which all keys of a tile share their label.
    fn shared_level(&self, place: usize, tile: &Tile) -> usize {
        let axis = &self.axes[place];
        let levels = axis.variable.hierarchy.levels();
        let mut level = usize::from(axis.variable.min_level);
        let Some(&(first, _)) = tile.first() else { return level };
        let label = |level: usize, key: u32| levels[level].of[axis.codes[key as usize] as usize];
        for &(key, _) in tile {
            while level + 1 < levels.len() && label(level, key) != label(level, first) {
                level += 1;
            }
        }
        level
    }
}

impl AxisScale {
    fn along(dimension: &Dimension<'_>) -> Self {
        let Some(numbers) = &dimension.numbers else {
            let levels = dimension.variable.hierarchy.levels();
            let under = levels.iter().map(|level| {
                let mut under = vec![0; level.labels.len()];
                level.of.iter().for_each(|&label| under[label as usize] += 1);
                under
            });
            return Self::Ladder { under: under.collect() };
        };
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_unstable_by_key(|&code| numbers[code]);
        let mut ranks = vec![0; numbers.len()];
        let offset = u32::from(numbers.iter().all(Option::is_some));
        for (rank, code) in (offset..).zip(order) {
            ranks[code] = rank;
        }
        let float = |number: &Option<Decimal>| {
            number.map_or(f64::NAN, |number| number.mantissa() as f64 / 10_f64.powi(number.scale().cast_signed()))
        };
        let numbers: Vec<f64> = numbers.iter().map(float).collect();
        let range = crate::utility::extremes(&numbers).map_or(0.0, |(low, high)| high - low);
        Self::Numbers { ranks, numbers, range }
    }
}

/// The keys of a tile by a code, in the order of the codes.
fn group(tile: Tile, code: impl Fn(u32) -> Code) -> Vec<Tile> {
    let mut by_code: Vec<(Code, (u32, u64))> = tile.into_iter().map(|entry| (code(entry.0), entry)).collect();
    by_code.sort_unstable();
    by_code.chunk_by(|one, other| one.0 == other.0).map(|run| run.iter().map(|(_, entry)| *entry).collect()).collect()
}

fn check(keys: &KeyTable<'_>) -> Result<(), PartitionError> {
    let even =
        keys.columns.iter().chain(&keys.sensitive).chain(&keys.persons).all(|column| column.len() == keys.counts.len());
    let known = |(dimension, column): (&Dimension<'_>, &Vec<Code>)| {
        let values = dimension.variable.hierarchy.values().len();
        let numbered = dimension.numbers.as_ref().is_none_or(|numbers| numbers.len() == values);
        let levels = dimension.variable.hierarchy.levels().len();
        let max = usize::from(dimension.variable.max_level);
        numbered && max < levels && column.iter().all(|&code| (code as usize) < values)
    };
    let fits = keys.dimensions.len() == keys.columns.len();
    if !even || !fits || !keys.dimensions.iter().zip(&keys.columns).all(known) {
        return Err(PartitionError::Inconsistent);
    }
    let split = |dimension: &&Dimension<'_>| {
        let Variable { hierarchy, min_level, .. } = dimension.variable;
        dimension.numbers.is_none() && !hierarchy.is_nested_between(*min_level, hierarchy.height())
    };
    let crossing = keys.dimensions.iter().find(split);
    crossing.map_or(Ok(()), |dimension| Err(PartitionError::NotNested(dimension.variable.name.clone())))
}
