//! How the values of a sensitive variable spread over classes.
//!
//! Each class has a run of codes with counts, in the order of the codes. Classes merge by laying their runs side by side and
//! joining equal codes. Where there are fewer than 64 codes they are added up in their places, which is faster than sorting
//! them: most of the time of a search with class-wise models goes here.

use crate::hierarchy::Code;

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
    pub fn of(&self, class: usize) -> &[(Code, u64)] {
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
        let is_few = entries.iter().all(|&(code, _)| code < u64::BITS);
        let mut sums = [0; 64];
        for class in starts.windows(2) {
            let run = &mut entries[class[0]..class[1]];
            if is_few && run.len() > 2 { joined.push_few(run, &mut sums) } else { joined.push(run) }
        }
        joined
    }

    /// Joins the entries of a class whose codes are below 64: adds them up in their places, without sorting.
    fn push_few(&mut self, class: &[(Code, u64)], sums: &mut [u64; 64]) {
        let mut occurring = 0_u64;
        for &(code, count) in class {
            sums[code as usize] += count;
            occurring |= 1 << code;
        }
        while occurring > 0 {
            let code = occurring.trailing_zeros();
            self.entries.push((code, std::mem::take(&mut sums[code as usize])));
            occurring &= occurring - 1;
        }
        self.starts.push(self.entries.len());
    }

    /// Counts less of a value that a class has.
    pub(super) fn take_away(&mut self, class: u32, code: Code, count: u64) {
        let run = self.starts[class as usize]..self.starts[class as usize + 1];
        let run = &mut self.entries[run];
        if let Ok(place) = run.binary_search_by_key(&code, |entry| entry.0) {
            run[place].1 -= count;
        }
    }

    pub(super) fn classes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The spread over coarser classes: entries are laid out class by class, then joined within each.
    pub(super) fn merge(&self, class_of: &[u32], classes: usize) -> Self {
        let mut starts = vec![0; classes + 1];
        for (finer, &class) in class_of.iter().enumerate() {
            starts[class as usize + 1] += self.of(finer).len();
        }
        for class in 0..classes {
            starts[class + 1] += starts[class];
        }
        let mut entries = vec![(0, 0); self.entries.len()];
        let mut next = starts.clone();
        for (finer, &class) in class_of.iter().enumerate() {
            let (run, place) = (self.of(finer), &mut next[class as usize]);
            entries[*place..*place + run.len()].copy_from_slice(run);
            *place += run.len();
        }
        Self::joined(&starts, entries)
    }
}
