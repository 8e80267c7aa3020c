//! Passes over the rows of a set that answer several questions side by side.
//!
//! Each question gives each label of each variable a number; the sum over the variables of a row is the place where its
//! records are added. Neighbouring variables share a table of sums (`packing`), so that a row takes few look-ups, and
//! [`LANES`] questions take little longer than one.
//!
//! * *The classes of a node*: a label counts as its number times the number of cells that each label of the variable takes.
//! * *The size of the class of one row at every node of a box*: in nested ladders a row joins another in each variable from
//!   some level on, so it is in the class of the other at exactly the nodes at or above the node of these levels. Its
//!   records are added there, and then sums are made along one variable after the other.
//!
//! Limit: 2³² − 1 records, 63 variables.
//! Source: our own; the sums along one variable after the other are those of summed-area tables (Crow 1984).

use std::ops::Range;

use rayon::prelude::*;

use super::packing::{Number, Run};
use super::{FrequencySet, RollUp, Table};
use crate::hierarchy::Code;
use crate::lattice::{Lattice, Node};

/// Questions that a pass answers side by side.
pub(crate) const LANES: usize = 8;

/// How many cells a node may be counted in, given the rows; those that have more are rolled up.
fn cells_for(rows: usize) -> u32 {
    let (least, most) = if cfg!(test) { (1 << 5, 1 << 8) } else { (1 << 16, 1 << 20) };
    small(rows.clamp(least, most) as u64)
}

/// No thread takes fewer rows: it would take as long to wake, …
const ROWS_A_THREAD: usize = if cfg!(test) { 64 } else { 1 << 15 };

/// … nor fewer than one for so many cells: they would take as long to join.
const CELLS_A_ROW: usize = 4;

/// Rows whose places are found at once, so that they stay at hand.
const BLOCK: usize = 256;

/// Further than any cell of any lane and any node, and no overflow for as many variables as there may be.
const NOWHERE: u32 = 1 << 26;

/// A class of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Class {
    /// Its records.
    pub records: u32,
    /// One of its rows.
    pub row: u32,
}

impl Table {
    /// The classes of up to [`LANES`] nodes, made of rows of a node that is below all of them.
    pub(crate) fn classes_at(&self, rows: &FrequencySet, nodes: &[Node]) -> Vec<Vec<Class>> {
        let mut used = 0;
        let most = cells_for(rows.len());
        let cells: Vec<Option<Cells>> = nodes.iter().map(|node| Cells::of(self, node, most, &mut used)).collect();
        let of_lane = |lane: usize| cells.get(lane).and_then(Option::as_ref);
        let start: [u32; LANES] = std::array::from_fn(|lane| of_lane(lane).map_or(NOWHERE, |cells| cells.first));
        let number = |variable: usize, value: Code| {
            let label = |lane: usize| self.label_at(variable, nodes[lane].0[variable], value);
            std::array::from_fn(|lane| of_lane(lane).map_or(0, |cells| label(lane) * cells.strides[variable]))
        };
        let add = |classes: &mut [Class], row, records, places: &[u32; LANES]| {
            for &place in places {
                if let Some(class) = classes.get_mut(place as usize) {
                    *class = Class { records: class.records + records, row };
                }
            }
        };
        let join = |class: Class, later: Class| Class {
            records: class.records + later.records,
            row: if later.records == 0 { class.row } else { later.row },
        };
        let classes = self.pass(rows, (start, number), used as usize, add, join);
        let of_node = |(node, cells): (&Node, &Option<Cells>)| match cells {
            Some(Cells { first, count, .. }) => {
                let cells = &classes[*first as usize..(first + count) as usize];
                cells.iter().copied().filter(|class| class.records > 0).collect()
            }
            None => self.classes_rolled_up(rows, node),
        };
        nodes.iter().zip(&cells).map(of_node).collect()
    }

    fn classes_rolled_up(&self, rows: &FrequencySet, node: &Node) -> Vec<Class> {
        let RollUp { set, firsts, .. } = self.roll_up(rows, node);
        set.sizes.iter().zip(firsts).map(|(&size, row)| Class { records: small(size), row }).collect()
    }

    /// The sizes of the classes of up to [`LANES`] of the rows at every node of a box, above the node of the rows, in
    /// lexicographic order. Lanes without a row count all records. Sizes beyond 16 bits are as large as those allow.
    pub(crate) fn class_sizes_of(&self, rows: &FrequencySet, some: &[u32], nodes: &Lattice) -> Vec<[u16; LANES]> {
        let strides = nodes.strides();
        let values_in = |variable| some.iter().map(move |&row| self.value(rows, row as usize, variable)).collect();
        let values: Vec<Vec<Code>> = (0..self.variables.len()).map(values_in).collect();
        let number = |variable: usize, value: Code| {
            let (low, high) = (nodes.bottom.0[variable], nodes.top.0[variable]);
            let joins = |level, other| self.label_at(variable, level, value) == self.label_at(variable, level, other);
            let place = |level: u8| u16::try_from(usize::from(level - low) * strides[variable]).unwrap_or(u16::MAX);
            let of_row = |&other: &Code| (low..=high).find(|&level| joins(level, other)).map_or(u16::MAX, place);
            std::array::from_fn(|lane| values[variable].get(lane).map_or(0, of_row))
        };
        let add = |sizes: &mut [[u16; LANES]], _, records, places: &[u16; LANES]| {
            let records = u16::try_from(records).unwrap_or(u16::MAX);
            for (lane, &place) in places.iter().enumerate() {
                if let Some(sizes) = sizes.get_mut(place as usize) {
                    sizes[lane] = sizes[lane].saturating_add(records);
                }
            }
        };
        let count = usize::try_from(nodes.size()).unwrap_or(0);
        let mut sizes = self.pass(rows, ([0; LANES], number), count, add, <[u16; LANES]>::plus);
        add_up(&mut sizes, &strides);
        sizes
    }

    /// The cell of each row where the classes of a node above are counted, and how many cells there are, unless it takes
    /// more than so many.
    pub(super) fn cells_at(&self, rows: &FrequencySet, node: &Node, most: usize) -> Option<(Vec<u32>, usize)> {
        let cells = Cells::of(self, node, u32::try_from(most).unwrap_or(u32::MAX), &mut 0)?;
        let number =
            |variable: usize, value| self.label_at(variable, node.0[variable], value) * cells.strides[variable];
        Some((self.sums(rows, number), cells.count as usize))
    }

    /// The sum of the numbers that the labels of each row have.
    pub(crate) fn sums(&self, rows: &FrequencySet, number: impl Fn(usize, Code) -> u32) -> Vec<u32> {
        let runs = self.packing.runs(&rows.node, [0], |variable, value| [number(variable, value)]);
        let mut sums = Vec::with_capacity(rows.len());
        for_each_row(rows, &runs, 0..rows.len(), |_, _, [sum]| sums.push(*sum));
        sums
    }

    fn label_at(&self, variable: usize, level: u8, value: Code) -> Code {
        self.variables[variable].hierarchy.levels()[level as usize].of[value as usize]
    }

    /// Cells after each row with its records was added to them, at its places: where a lane starts, and the sum of its
    /// numbers. Threads share many rows, and join their cells in the order of the rows.
    fn pass<N: Number, C: Copy + Default + Send + Sync>(
        &self,
        rows: &FrequencySet,
        (start, number): (N, impl Fn(usize, Code) -> N),
        cells: usize,
        add: impl Fn(&mut [C], u32, u32, &N) + Sync,
        join: impl Fn(C, C) -> C + Sync,
    ) -> Vec<C> {
        let runs = self.packing.runs(&rows.node, start, number);
        let part = |some: Range<usize>| {
            let mut part = vec![C::default(); cells];
            for_each_row(rows, &runs, some, |row, records, places| add(&mut part, row, records, places));
            part
        };
        let parts = rows.len() / ROWS_A_THREAD.max(cells / CELLS_A_ROW);
        if parts < 2 {
            return part(0..rows.len());
        }
        let parts = parts.min(rayon::current_num_threads());
        let bound = |part: usize| rows.len() * part / parts;
        let joined = |mut part: Vec<C>, later: Vec<C>| {
            part.iter_mut().zip(later).for_each(|(cell, later)| *cell = join(*cell, later));
            part
        };
        let parts = (0..parts).into_par_iter().with_max_len(1).map(|place| part(bound(place)..bound(place + 1)));
        parts.reduce_with(joined).unwrap_or_default()
    }
}

/// Shows each of some rows with its records and the sums that the runs give it.
fn for_each_row<N: Number>(
    rows: &FrequencySet,
    runs: &[Run<N>],
    some: Range<usize>,
    mut show: impl FnMut(u32, u32, &N),
) {
    let Some((first, rest)) = runs.split_first() else { return };
    let mut sums = [N::NONE; BLOCK];
    for start in some.clone().step_by(BLOCK) {
        let block = start..some.end.min(start + BLOCK);
        first.set(&rows.words[first.word][block.clone()], &mut sums);
        for run in rest {
            run.add(&rows.words[run.word][block.clone()], &mut sums);
        }
        for (place, (&size, sums)) in rows.sizes[block].iter().zip(&sums).enumerate() {
            show(small((start + place) as u64), small(size), sums);
        }
    }
}

/// Where the classes of a node are counted.
struct Cells {
    /// For each variable how many cells each of its labels takes.
    strides: Vec<u32>,
    first: u32,
    count: u32,
}

impl Cells {
    /// Cells for a node after those that are in use, unless it takes too many.
    fn of(table: &Table, node: &Node, most: u32, used: &mut u32) -> Option<Self> {
        let (mut strides, mut count) = (Vec::with_capacity(node.0.len()), 1_u32);
        for (variable, &level) in table.variables.iter().zip(&node.0) {
            strides.push(count);
            let labels = u32::try_from(variable.hierarchy.levels()[level as usize].labels.len()).ok()?;
            count = count.checked_mul(labels).filter(|&count| count <= most)?;
        }
        let first = *used;
        *used += count;
        Some(Self { strides, first, count })
    }
}

/// Adds to each node what is below it.
fn add_up(sizes: &mut [[u16; LANES]], strides: &[usize]) {
    let whole = sizes.len();
    let spans = std::iter::once(&whole).chain(strides).zip(strides);
    for (&span, &stride) in spans {
        for line in sizes.chunks_exact_mut(span) {
            for level in 1..span / stride {
                let (below, here) = line[(level - 1) * stride..(level + 1) * stride].split_at_mut(stride);
                for (here, below) in here.iter_mut().zip(below) {
                    here.iter_mut().zip(below).for_each(|(here, below)| *here = here.saturating_add(*below));
                }
            }
        }
    }
}

/// A number of rows or records: there are fewer than 2³² of each.
#[allow(clippy::cast_possible_truncation)]
fn small(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::made_up;

    proptest! {
        #[test]
        fn passes_count_what_rolling_up_counts(
            drawn in prop::collection::vec([0_u32..3, 0..12, 0..5, 0..12], 1..600),
            bottom in [0_u8..2, 0..2, 0..2, 0..1],
        ) {
            let mut table = made_up::table(&drawn, [&["2", "4"], &["3"], &["2", "4"], &["6"]]);
            // The last two ladders do not end in one label: some rows never join.
            table.variables[2..].iter_mut().for_each(|variable| variable.max_level -= 1);
            let nodes = Lattice { bottom: Node::from(bottom.to_vec()), top: table.lattice().top };
            let rows = table.roll_up(table.keys(), &nodes.bottom).set;
            let strides = nodes.strides();
            let all: Vec<Node> = (0..usize::try_from(nodes.size()).unwrap()).map(|place| nodes.node_at(&strides, place)).collect();
            let some: Vec<u32> = (0..small(rows.len() as u64)).step_by(7).collect();
            let sizes: Vec<_> = some.chunks(LANES).map(|some| table.class_sizes_of(&rows, some, &nodes)).collect();
            let classes = all.chunks(LANES).flat_map(|some| table.classes_at(&rows, some));
            for ((place, node), classes) in all.iter().enumerate().zip(classes) {
                let RollUp { set, class_of, .. } = table.roll_up(&rows, node);
                let mut counted: Vec<(u32, u64)> =
                    classes.iter().map(|class| (class_of[class.row as usize], u64::from(class.records))).collect();
                counted.sort_unstable();
                let expected: Vec<(u32, u64)> = (0..).zip(set.sizes.iter().copied()).collect();
                prop_assert_eq!(counted, expected, "classes of {:?}", node);
                for (lane, &row) in some.iter().enumerate() {
                    let size = sizes[lane / LANES][place][lane % LANES];
                    prop_assert_eq!(u64::from(size), set.sizes[class_of[row as usize] as usize], "row {} at {:?}", row, node);
                }
            }
        }
    }

    #[test]
    fn a_table_without_variables_has_one_class() {
        let table = Table::new(vec![], &[], vec![1, 2], vec![]).unwrap();
        let nodes = [Node::from(vec![])];
        let [classes] = table.classes_at(table.keys(), &nodes).try_into().unwrap();
        assert_eq!(classes.iter().map(|class| class.records).collect::<Vec<_>>(), [3]);
        assert_eq!(table.class_sizes_of(table.keys(), &[0], &table.lattice()), [[3; LANES]]);
    }
}
