//! Classes that are split step by step: partition refinement.
//!
//! Each row, a class of some low node, carries the number of its class at a node above. Lowering one variable of that
//! node splits its classes by the labels of that variable alone: one look-up a row finds the new classes, and no key is
//! built or hashed. Classes that become too small are *dropped*: every node further down only splits them further. Rows
//! that no node of interest can tell apart any more are merged by [`Refinement::merged`].
//!
//! Limit: fewer than 2³¹ records.

use std::cell::RefCell;
use std::sync::Arc;

use super::grouping::Grouping;
use super::{FrequencySet, RollUp, Table};
use crate::lattice::Node;

/// Rows with the numbers of their classes at a node above.
#[derive(Debug, Clone)]
pub(crate) struct Refinement {
    /// The rows.
    pub rows: Arc<FrequencySet>,
    /// For each row the number of its class; 0 for rows that were dropped.
    class: Arc<Vec<u32>>,
    /// Numbers are below this.
    classes: u32,
    dropped: usize,
    /// The last low node at which rows were merged, or could have been.
    considered: Node,
}

/// What a step dropped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dropped<'a> {
    /// The rows; none where so many may not be dropped.
    pub rows: &'a [u32],
    /// The records that they stand for.
    pub records: u64,
}

thread_local! {
    /// Memory that the steps of a thread share; a search makes thousands.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Cells of classes by labels, all 0 between steps. In a step a cell holds the records of a new class, and later
/// [`NUMBERED`] plus its number.
#[derive(Debug, Default)]
struct Scratch {
    cells: Vec<u32>,
    /// The cell of each row.
    places: Vec<u32>,
    dropped: Vec<u32>,
}

const NUMBERED: u32 = 1 << 31;

/// Cells that are set aside however few rows there are; so few in unit tests that some steps do without.
const CELLS: usize = if cfg!(test) { 16 } else { 1 << 20 };

/// The most cells that are set aside for so many rows.
fn cells_for(rows: usize) -> usize {
    CELLS.max(4 * rows)
}

impl Refinement {
    /// The classes of a node, of rows of a node below it, in nested ladders; those below `least` records are dropped.
    pub(crate) fn at(table: &Table, rows: &Arc<FrequencySet>, node: &Node, least: u64) -> Self {
        let (places, wanted) = table.cells_at(rows, node, cells_for(rows.len())).unwrap_or_else(|| {
            let RollUp { set, class_of, .. } = table.roll_up(rows, node);
            (class_of, set.len())
        });
        let (class, classes) = SCRATCH.with_borrow_mut(|Scratch { cells, .. }| {
            cells.resize(cells.len().max(wanted), 0);
            add_records(&mut cells[..wanted], &places, &rows.sizes);
            let numbered = number(small(least), cells, &places);
            clear(&mut cells[..wanted], &places);
            numbered
        });
        Self::of(rows, class, classes, &rows.node)
    }

    fn of(rows: &Arc<FrequencySet>, class: Vec<u32>, classes: u32, considered: &Node) -> Self {
        let dropped = class.iter().filter(|&&class| class == 0).count();
        Self { rows: Arc::clone(rows), class: Arc::new(class), classes, dropped, considered: considered.clone() }
    }

    /// Leaves the rows as they are at a low node: merging them there does not pay.
    pub(crate) fn left_at(self, low: &Node) -> Self {
        Self { considered: low.clone(), ..self }
    }

    /// How many rows there are, dropped ones included.
    pub(crate) fn len(&self) -> usize {
        self.class.len()
    }

    /// The rows that were dropped.
    pub(crate) fn dropped(&self) -> Vec<u32> {
        self.rows_where(|class| class == 0)
    }

    /// Tells what lowering a variable of the node above to a level drops.
    pub(crate) fn would_drop<T>(
        &self,
        table: &Table,
        step: (usize, u8),
        least: u64,
        permits: impl FnOnce(u64) -> bool,
        tell: impl FnOnce(Dropped<'_>) -> T,
    ) -> T {
        self.count(table, step, |Scratch { cells, places, dropped }, (used, of_dropped)| {
            let least = small(least);
            // Rows that were dropped before have cells of their own, the first ones: they look large enough.
            cells[..of_dropped].fill(least);
            let records = too_few(least, &cells[..used], places, &self.rows.sizes);
            let lists = permits(records) && records > 0;
            dropped.resize(places.len() + 1, 0);
            let is_dropped = |&place: &u32| cells[place as usize] < least;
            let count = if lists { collect(places.iter().map(is_dropped), dropped) } else { 0 };
            tell(Dropped { rows: &dropped[..count], records })
        })
    }

    /// Lowers a variable of the node above to a level.
    pub(crate) fn lowered(&self, table: &Table, step: (usize, u8), least: u64) -> Self {
        self.count(table, step, |Scratch { cells, places, .. }, (_, of_dropped)| {
            // Cells of rows that were dropped before are too small for a number.
            cells[..of_dropped].fill(0);
            let (class, classes) = number(small(least), cells, places);
            Self::of(&self.rows, class, classes, &self.considered)
        })
    }

    /// Counts the cells of a step and shows them, with how many are in use and how many of those, from the first on, are
    /// of dropped rows.
    fn count<T>(&self, table: &Table, step: (usize, u8), show: impl FnOnce(&mut Scratch, (usize, usize)) -> T) -> T {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.places.resize(self.len(), 0);
            let (used, of_dropped) = self.place(table, step, &mut scratch.cells, &mut scratch.places);
            let shown = show(scratch, (used, of_dropped));
            clear(&mut scratch.cells[..used], &scratch.places);
            scratch.cells[..of_dropped].fill(0);
            shown
        })
    }

    /// Finds the cell of each row and adds up the records of each cell. Says how many cells are in use, and how many of
    /// them, from the first on, are those of dropped rows.
    fn place(
        &self,
        table: &Table,
        (variable, level): (usize, u8),
        cells: &mut Vec<u32>,
        places: &mut [u32],
    ) -> (usize, usize) {
        let labels = table.labels(&self.rows, variable, level);
        let code = labels.field.coder();
        let span = labels.field.labels();
        let wanted = (self.classes as usize).saturating_mul(span);
        let is_dense = wanted <= cells_for(self.len());
        let rows = self.class.iter().zip(labels.keys);
        if !is_dense {
            let keys = rows.map(|(&class, &key)| u64::from(class) << 32 | u64::from(code(key))).collect();
            return self.place_by_hash(keys, cells, places);
        }
        cells.resize(cells.len().max(wanted), 0);
        let (cells, span) = (&mut cells[..wanted], small(span as u64));
        // Two simple loops are faster than one, and faster still where codes are not looked up.
        if labels.field.stays {
            find_cells(places, rows, span, labels.field.reader());
        } else {
            find_cells(places, rows, span, code);
        }
        add_records(cells, places, &self.rows.sizes);
        (wanted, span as usize)
    }

    fn place_by_hash(&self, keys: Vec<u64>, cells: &mut Vec<u32>, places: &mut [u32]) -> (usize, usize) {
        let class_of = Grouping::of(&[keys], &self.rows.sizes).class_of;
        cells.resize(cells.len().max(self.len() + 1), 0);
        let numbered = class_of.iter().zip(&*self.class).zip(&self.rows.sizes);
        for (place, ((number, &class), &records)) in places.iter_mut().zip(numbered) {
            *place = if class == 0 { 0 } else { number + 1 };
            cells[*place as usize] += small(records);
        }
        (self.len() + 1, 1)
    }

    /// The same classes of rows that are merged at `low`, or at least without the dropped ones, if that is likely to pay;
    /// and for each row one that it was made of.
    pub(crate) fn merged(&self, table: &Table, low: &Node) -> Option<(Self, Vec<u32>)> {
        let is_mergeable = self.labels_per_label(table, low) >= MERGED_LABELS;
        if !is_mergeable && 2 * self.dropped <= self.len() {
            return None;
        }
        if self.dropped == 0 {
            return Some(self.rolled_up(table, low));
        }
        let left = self.rows_where(|class| class != 0);
        let kept = self.pick(&left, Arc::new(self.rows.pick(&left)));
        if !is_mergeable {
            return Some((kept, left));
        }
        let (merged, firsts) = kept.rolled_up(table, low);
        Some((merged, firsts.into_iter().map(|row| left[row as usize]).collect()))
    }

    /// The same classes of rows that are merged at `low`, and for each row the first that it was made of.
    fn rolled_up(&self, table: &Table, low: &Node) -> (Self, Vec<u32>) {
        let RollUp { set, firsts, .. } = table.roll_up(&self.rows, low);
        (self.pick(&firsts, Arc::new(set)).left_at(low), firsts)
    }

    /// The classes of some rows, which are kept, under another name.
    fn pick(&self, kept: &[u32], rows: Arc<FrequencySet>) -> Self {
        let class: Vec<u32> = kept.iter().map(|&row| self.class[row as usize]).collect();
        Self { rows, class: Arc::new(class), classes: self.classes, dropped: 0, considered: self.considered.clone() }
    }

    /// How many labels, over all variables that change, make one on the way to a low node.
    fn labels_per_label(&self, table: &Table, low: &Node) -> f64 {
        let factor = |(variable, (&from, &to)): (usize, (&u8, &u8))| {
            if from == to { 1.0 } else { table.labels_per_label(variable, from, to) }
        };
        self.considered.0.iter().zip(&low.0).enumerate().map(factor).product()
    }

    fn rows_where(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut rows = vec![0; self.len() + 1];
        let count = collect(self.class.iter().map(|&class| is_wanted(class)), &mut rows);
        rows.truncate(count);
        rows
    }
}

/// Rows are merged when so many labels make one (measured on the benchmark data: flat between 4 and 16).
const MERGED_LABELS: f64 = 8.0;

/// The cell of each row, given its class and its key.
fn find_cells<'a>(
    places: &mut [u32],
    rows: impl Iterator<Item = (&'a u32, &'a u64)>,
    span: u32,
    code: impl Fn(u64) -> u32,
) {
    for (place, (&class, &key)) in places.iter_mut().zip(rows) {
        *place = class * span + code(key);
    }
}

/// Adds the records of rows to their cells.
fn add_records(cells: &mut [u32], places: &[u32], records: &[u64]) {
    for (&place, &records) in places.iter().zip(records) {
        cells[place as usize] += small(records);
    }
}

/// The records of classes that are too small, from their cells or from the rows, whichever are fewer.
fn too_few(least: u32, cells: &[u32], places: &[u32], sizes: &[u64]) -> u64 {
    if cells.len() <= 4 * places.len() {
        return cells.iter().map(|&records| u64::from(if records < least { records } else { 0 })).sum();
    }
    let of_row = |(&place, &records): (&u32, &u64)| if cells[place as usize] < least { records } else { 0 };
    places.iter().zip(sizes).map(of_row).sum()
}

/// Sets the cells of rows to 0.
fn clear(cells: &mut [u32], places: &[u32]) {
    if cells.len() <= 2 * places.len() {
        cells.fill(0);
        return;
    }
    for &place in places {
        cells[place as usize] = 0;
    }
}

/// Lists the rows that are wanted, and says how many there are.
fn collect(wanted: impl Iterator<Item = bool>, rows: &mut [u32]) -> usize {
    let mut count = 0;
    // Without a branch: which rows are is hard to foretell.
    for (row, is_wanted) in (0..).zip(wanted) {
        rows[count] = row;
        count += usize::from(is_wanted);
    }
    count
}

/// Numbers the classes of at least `least` records in the order of their first rows, from 1 on; the others get 0. Says
/// also below what the numbers are.
#[allow(clippy::cast_possible_truncation)] // the number is in the lower half
fn number(least: u32, cells: &mut [u32], places: &[u32]) -> (Vec<u32>, u32) {
    let mut class = vec![0; places.len()];
    let mut next = NUMBERED + 1;
    for (class, &place) in class.iter_mut().zip(places) {
        let cell = &mut cells[place as usize];
        let (is_new, is_kept) = (*cell < NUMBERED, *cell >= least);
        let first = if is_kept { next } else { NUMBERED };
        *cell = if is_new { first } else { *cell };
        next += u32::from(is_new & is_kept);
        *class = *cell & !NUMBERED;
    }
    (class, next & !NUMBERED)
}

/// A number of records or of labels, which is less than 2³¹.
#[allow(clippy::cast_possible_truncation)]
fn small(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::hierarchy::Builder;
    use crate::variable::Variable;

    fn table(rows: &[[u32; 3]]) -> Table {
        let values: Vec<String> = (0..16).map(|value| value.to_string()).collect();
        let ladder = Builder::Intervals { widths: ["2", "4", "8"].map(String::from).to_vec() };
        let variable = |name: &str| {
            let hierarchy = ladder.fit(&values).unwrap();
            Variable { name: name.to_owned(), max_level: hierarchy.height(), hierarchy, min_level: 0, weight: 1.0 }
        };
        let column = |place: usize| rows.iter().map(|row| row[place]).collect();
        let columns = [column(0), column(1), column(2)];
        Table::new(["a", "b", "c"].map(variable).to_vec(), &columns, vec![1; rows.len()], vec![]).unwrap()
    }

    /// The sizes of the classes that are left, and the records of all others.
    fn classes(refinement: &Refinement, table: &Table) -> (Vec<u64>, u64) {
        let mut sizes = BTreeMap::new();
        for (&class, &size) in refinement.class.iter().zip(&refinement.rows.sizes) {
            *sizes.entry(class).or_insert(0) += size;
        }
        sizes.remove(&0);
        let mut left: Vec<u64> = sizes.into_values().collect();
        left.sort_unstable();
        let gone = table.records - left.iter().sum::<u64>();
        (left, gone)
    }

    /// The same, straight from the keys.
    fn expected(table: &Table, node: &Node, least: u64) -> (Vec<u64>, u64) {
        let sizes = table.roll_up(table.keys(), node).set.sizes;
        let mut left: Vec<u64> = sizes.iter().copied().filter(|&size| size >= least).collect();
        left.sort_unstable();
        (left, sizes.iter().filter(|&&size| size < least).sum())
    }

    proptest! {
        #[test]
        fn steps_and_merges_find_the_classes_that_counting_finds(
            rows in prop::collection::vec([0_u32..16, 0..16, 0..16], 1..120),
            steps in prop::collection::vec((0_usize..3, 0_u8..5, any::<bool>()), 1..8),
            least in 1_u64..6,
        ) {
            let table = table(&rows);
            let mut low = table.lattice().bottom;
            let mut high = table.lattice().top;
            let mut refinement = Refinement::at(&table, &Arc::new(table.keys().clone()), &high, least);
            for (variable, level, lowers) in steps {
                let level = level.clamp(low.0[variable], high.0[variable]);
                if lowers {
                    high = high.with(variable, level);
                    let before = classes(&refinement, &table).1;
                    let step = (variable, level);
                    let (records, rows) = refinement.would_drop(&table, step, least, |_| true, |dropped| {
                        (dropped.records, dropped.rows.to_vec())
                    });
                    prop_assert_eq!(records, rows.iter().map(|&row| refinement.rows.sizes[row as usize]).sum::<u64>());
                    refinement = refinement.lowered(&table, step, least);
                    prop_assert_eq!(before + records, expected(&table, &high, least).1);
                } else {
                    low = low.with(variable, level);
                    refinement = refinement.merged(&table, &low).map_or(refinement, |(merged, _)| merged);
                }
                let (left, gone) = expected(&table, &high, least);
                prop_assert_eq!(&classes(&refinement, &table).0, &left);
                prop_assert_eq!(table.records - left.iter().sum::<u64>(), gone);
            }
        }
    }
}
