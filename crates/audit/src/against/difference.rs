//! The difference to an earlier release: who is left when one is subtracted from the other.
//!
//! A [meeting](super::meetings) holds the same people in both releases. What both have in common cancels; what remains of the earlier
//! one are those who left, or whose values changed, and what remains of the newer one those who came: known apart from
//! the others, however large the meeting. Each of both must be nobody, or keep the promises by itself. Where a meeting has
//! several classes, so must those of each class who can have come, who must, and who must have stayed. Classes that lie inside others are
//! subtracted, too ([`unions`](super::unions)).
//!
//! Where nothing cancels, nothing is learnt by subtracting.
//!
//! Limit: where the releases are of different people by what [`chance`](super::chance) allows, nothing is refused.

use std::collections::BTreeSet;

use super::meetings::{MOST_PAIRS, Meeting};
use super::side::Counts;
use super::{ReleasePair, unions};
use crate::{Check, DIFFERENCE};

/// Subtracts the meetings of two releases from each other.
pub(super) fn check(comparison: &ReleasePair<'_>) -> Check {
    let mut found = Subtraction::default();
    for meeting in &comparison.meetings.list {
        found.see(meeting, comparison);
    }
    let wanted = comparison.wanted[0];
    let claim = format!(
        "who came or left since an earlier release hides among {} people or more{}",
        wanted.people,
        wanted.models()
    );
    let trouble = found.trouble(comparison);
    let passed = trouble.is_none();
    let told = trouble.unwrap_or_else(|| found.told());
    Check::new(DIFFERENCE, passed, claim, told).singling_out(found.open_keys)
}

/// One release subtracted from another, meeting by meeting.
#[derive(Default)]
struct Subtraction {
    /// Meetings that both releases have.
    met: u64,
    /// Meetings with somebody left over who is not hidden.
    open: u64,
    /// The classes of the audited release in them.
    open_keys: BTreeSet<Vec<String>>,
    /// The fewest records left over in one of them.
    smallest: Option<u64>,
    /// Classes of which nobody knows what they overlap.
    vague: usize,
    /// Classes that overlap in too many ways.
    tangled: usize,
    are_strangers: bool,
}

impl Subtraction {
    fn see(&mut self, meeting: &Meeting, comparison: &ReleasePair<'_>) {
        if meeting.classes.iter().any(Vec::is_empty) {
            return;
        }
        self.met += 1;
        let size = meeting.classes.iter().map(Vec::len).sum::<usize>();
        if meeting.is_vague {
            self.vague += size;
            return;
        }
        let changes = Changes::new(meeting.classes.each_ref().map(Vec::as_slice), comparison);
        let mut left_over = changes.left_over();
        left_over.extend(changes.left_over_of_classes());
        match unions::nested(meeting) {
            Some(nested) => left_over.extend(
                nested
                    .iter()
                    .flat_map(|one| Changes::new(one.classes.each_ref().map(Vec::as_slice), comparison).left_over()),
            ),
            None => self.tangled += size,
        }
        if let Some(smallest) = left_over.into_iter().min() {
            self.open += 1;
            self.smallest = Some(self.smallest.map_or(smallest, |known| known.min(smallest)));
            self.open_keys.extend(meeting.classes[0].iter().map(|class| comparison.sides[0].key(*class)));
        }
    }

    /// Why the check fails, if it does.
    fn trouble(&mut self, comparison: &ReleasePair<'_>) -> Option<String> {
        if comparison.meetings.pairs > MOST_PAIRS {
            return Some(format!("more than {MOST_PAIRS} pairs of classes: too many to compare"));
        }
        let (vague, tangled) = (self.vague, self.tangled);
        self.are_strangers = self.open + vague as u64 + tangled as u64 > 0 && comparison.are_strangers();
        let open = self.smallest.map(|smallest| {
            let (open, uncounted) = (self.open, if comparison.wanted.iter().any(|one| one.cannot_count()) { UNCOUNTED } else { "" });
            format!("{open} classes differ by too few or too similar people, down to {smallest}: they can be subtracted{uncounted}")
        });
        let vague = (vague > 0).then(|| {
            format!("what {vague} classes have in common with the other release cannot be known; of lists the masks of both tell it")
        });
        let tangled = (tangled > 0).then(|| format!("{tangled} classes overlap in too many ways to be compared"));
        let trouble: Vec<String> = [open, vague, tangled].into_iter().flatten().collect();
        (!trouble.is_empty() && !self.are_strangers).then(|| trouble.join("; "))
    }

    fn told(&self) -> String {
        if self.are_strangers {
            "fewer than a tenth of the people are in both".to_owned()
        } else {
            format!("nobody is left alone in {} pairs of classes", self.met)
        }
    }
}

/// What is said where people are promised, and records are all there is.
const UNCOUNTED: &str = " (how many people these records are of is not in the files)";

/// What remains of classes of both releases when they are subtracted from each other.
struct Changes<'a> {
    comparison: &'a ReleasePair<'a>,
    classes: [&'a [u32]; 2],
    /// All that they hold.
    counts: [Counts; 2],
    /// What remains of the audited release, and of the earlier one.
    rest: [Counts; 2],
}

impl<'a> Changes<'a> {
    fn new(classes: [&'a [u32]; 2], comparison: &'a ReleasePair<'a>) -> Self {
        let counts = [0, 1].map(|side| comparison.sum(side, classes[side]));
        let rest = [less(&counts[0], &counts[1]), less(&counts[1], &counts[0])];
        Self { comparison, classes, counts, rest }
    }

    /// The sizes of what remains and does not keep the promises by itself.
    fn left_over(&self) -> Vec<u64> {
        let open = [0, 1].map(|side| self.open(side, &self.rest[side], &self.counts[side]));
        open.into_iter().flatten().collect()
    }

    /// The same within each class: of those who can have come to it, or left it, of those who must, and of those who must have
    /// stayed.
    fn left_over_of_classes(&self) -> Vec<u64> {
        let mut found = Vec::new();
        for (side, classes) in self.classes.into_iter().enumerate() {
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
