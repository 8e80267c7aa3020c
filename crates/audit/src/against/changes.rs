//! What remains when classes of one release are subtracted from those of the other.

use super::ReleasePair;
use super::side::Counts;

/// What remains of classes of both releases when they are subtracted from each other.
pub(super) struct Changes<'a> {
    comparison: &'a ReleasePair<'a>,
    classes: &'a [Vec<u32>; 2],
    /// All that they hold.
    counts: [Counts; 2],
    /// What remains of the audited release, and of the earlier one.
    rest: [Counts; 2],
}

impl<'a> Changes<'a> {
    pub fn new(classes: &'a [Vec<u32>; 2], comparison: &'a ReleasePair<'a>) -> Self {
        let counts = [0, 1].map(|side| comparison.sum(side, &classes[side]));
        let rest = [less(&counts[0], &counts[1]), less(&counts[1], &counts[0])];
        Self { comparison, classes, counts, rest }
    }

    /// The sizes of what remains and does not keep the promises by itself.
    pub fn left_over(&self) -> Vec<u64> {
        let open = [0, 1].map(|side| self.open(side, &self.rest[side], &self.counts[side]));
        open.into_iter().flatten().collect()
    }

    /// The same within each class: of those who can have come to it, or left it, of those who must, and of those who must have
    /// stayed.
    pub fn left_over_of_classes(&self) -> Vec<u64> {
        let mut found = Vec::new();
        for (side, classes) in self.classes.iter().enumerate() {
            let (rest, others) = (&self.rest[side], &self.counts[1 - side]);
            if classes.len() < 2 || rest.is_empty() {
                continue;
            }
            let counts = classes.iter().filter_map(|class| Some(&self.comparison.sides[side].class(*class)?.counts));
            for class in counts {
                found.extend(self.open(side, &common(class, rest), class));
                found.extend(self.open(side, &less(class, others), class));
                found.extend(self.open(side, &less(class, rest), class));
            }
        }
        found
    }

    /// How many these are, if they are not hidden. Where they are everybody, nothing was learnt by subtracting.
    fn open(&self, side: usize, some: &Counts, everybody: &Counts) -> Option<u64> {
        // Who left was promised something by both releases.
        let wanted = if side == 0 { &self.comparison.wanted[..1] } else { &self.comparison.wanted };
        let is_part = !some.is_empty() && some != everybody;
        let is_open = is_part && wanted.iter().any(|one| !one.are_hidden(some));
        is_open.then(|| some.values().sum())
    }
}

/// What two have in common.
pub(super) fn common(one: &Counts, other: &Counts) -> Counts {
    let (small, large) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let both = small.iter().filter_map(|(row, count)| Some((*row, *count.min(large.get(row)?))));
    both.collect()
}

/// What one has more than another.
fn less(one: &Counts, other: &Counts) -> Counts {
    let rest = one.iter().map(|(row, count)| (*row, count.saturating_sub(other.get(row).copied().unwrap_or(0))));
    rest.filter(|(_, count)| *count > 0).collect()
}
