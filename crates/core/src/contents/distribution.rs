//! How the values of a sensitive variable spread over classes.
//!
//! Each class has a run of codes with counts, in the order of the codes. Where there are few codes, classes merge by adding
//! counts up, each in a place of its own. Otherwise their runs are laid side by side, and equal codes are joined. The first is
//! faster; much of the time of a search with class-wise models goes here.

use crate::hierarchy::Code;

/// Sums have places where there are at most so many for each entry.
const PLACES: usize = 4;

/// How the values of one sensitive variable spread over the classes: for each class a run of codes with counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distribution {
    pub(super) starts: Vec<usize>,
    pub(super) entries: Vec<(Code, u64)>,
}

impl Distribution {
    /// Collects the spread from one list of codes with counts per class; codes may repeat.
    #[must_use]
    pub fn from_lists(lists: impl IntoIterator<Item = Vec<(Code, u64)>>) -> Self {
        let mut distribution = Self { starts: vec![0], entries: Vec::new() };
        for mut entries in lists {
            distribution.push(&mut entries);
        }
        distribution
    }

    /// The values of a class with their counts, in the order of their codes.
    #[must_use]
    pub fn in_class(&self, class: usize) -> &[(Code, u64)] {
        &self.entries[self.starts[class]..self.starts[class + 1]]
    }

    pub(super) fn push(&mut self, class: &mut [(Code, u64)]) {
        if class.len() > 1 {
            class.sort_unstable_by_key(|&(code, _)| code);
        }
        let start = self.entries.len();
        for &(code, count) in class.iter() {
            match self.entries[start..].last_mut() {
                Some(last) if last.0 == code => last.1 += count,
                _ => self.entries.push((code, count)),
            }
        }
        self.starts.push(self.entries.len());
    }

    /// Collects the spread over so many classes from entries in any order.
    pub(super) fn from_entries(classes: usize, entries: &[(u32, (Code, u64))]) -> Self {
        let mut starts = vec![0; classes + 1];
        for &(class, _) in entries {
            starts[class as usize + 1] += 1;
        }
        (0..classes).for_each(|class| starts[class + 1] += starts[class]);
        let mut next = starts.clone();
        let mut placed = vec![(0, 0); entries.len()];
        for &(class, entry) in entries {
            let place = &mut next[class as usize];
            placed[*place] = entry;
            *place += 1;
        }
        Self::joined(&starts, placed)
    }

    /// The spread of entries that are laid out class by class and not yet joined within each.
    fn joined(starts: &[usize], mut entries: Vec<(Code, u64)>) -> Self {
        let mut joined = Self { starts: vec![0], entries: Vec::with_capacity(entries.len()) };
        for class in starts.windows(2) {
            joined.push(&mut entries[class[0]..class[1]]);
        }
        joined
    }

    /// Counts less of a value that a class has.
    pub(super) fn take_away(&mut self, class: u32, code: Code, count: u64) {
        let run = self.starts[class as usize]..self.starts[class as usize + 1];
        let run = &mut self.entries[run];
        if let Ok(place) = run.binary_search_by_key(&code, |entry| entry.0) {
            run[place].1 -= count;
        }
    }

    pub(crate) fn classes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The spread over coarser classes.
    pub(super) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let codes = self.entries.iter().map(|&(code, _)| code as usize + 1).max().unwrap_or(0);
        if classes.saturating_mul(codes) <= PLACES * self.entries.len() {
            self.added_up(class_of, classes, codes)
        } else {
            self.laid_out(class_of, classes)
        }
    }

    /// The same where there is a place for each class and code.
    fn added_up(&self, class_of: &[u32], classes: usize, codes: usize) -> Self {
        let mut sums = vec![0; classes * codes];
        for (finer, &class) in class_of.iter().enumerate() {
            let sums = &mut sums[class as usize * codes..][..codes];
            for &(code, count) in self.in_class(finer) {
                sums[code as usize] += count;
            }
        }
        let mut merged =
            Self { starts: Vec::with_capacity(classes + 1), entries: Vec::with_capacity(self.entries.len()) };
        merged.starts.push(0);
        for sums in sums.chunks_exact(codes.max(1)) {
            merged.entries.extend((0..).zip(sums).filter(|(_, count)| **count > 0).map(|(code, &count)| (code, count)));
            merged.starts.push(merged.entries.len());
        }
        merged
    }

    /// The same where entries are laid out class by class, then joined within each.
    fn laid_out(&self, class_of: &[u32], classes: usize) -> Self {
        let mut starts = vec![0; classes + 1];
        for (finer, &class) in class_of.iter().enumerate() {
            starts[class as usize + 1] += self.in_class(finer).len();
        }
        for class in 0..classes {
            starts[class + 1] += starts[class];
        }
        let mut entries = vec![(0, 0); self.entries.len()];
        let mut next = starts.clone();
        for (finer, &class) in class_of.iter().enumerate() {
            let (run, place) = (self.in_class(finer), &mut next[class as usize]);
            entries[*place..*place + run.len()].copy_from_slice(run);
            *place += run.len();
        }
        Self::joined(&starts, entries)
    }
}
