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

use super::changes::Changes;
use super::meetings::{MOST_PAIRS, Meeting};
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
        let changes = Changes::new(&meeting.classes, comparison);
        let mut left_over = changes.left_over();
        left_over.extend(changes.left_over_of_classes());
        match unions::nested(meeting) {
            Some(nested) => {
                left_over.extend(nested.iter().flat_map(|one| Changes::new(&one.classes, comparison).left_over()));
            }
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
        let uncounted = if comparison.wanted.iter().any(|one| one.cannot_count()) { UNCOUNTED } else { "" };
        let open = self.smallest.map(|smallest| {
            format!(
                "{} classes differ by too few or too similar people, down to {smallest}: they can be subtracted{uncounted}",
                self.open
            )
        });
        let vague = (vague > 0)
            .then(|| format!("what {vague} classes have in common with the other release cannot be known; {OF_LISTS}"));
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

/// What helps where labels say too little.
const OF_LISTS: &str = "of lists the masks of both tell it";

/// What is said where people are promised, and records are all there is.
const UNCOUNTED: &str = " (how many people these records are of is not in the files)";
