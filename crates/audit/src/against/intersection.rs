//! The intersection with an earlier release: who can be in both.
//!
//! Whoever knows a person's quasi-identifiers finds a class in each release, and only people who fit both remain. Nothing
//! in a release names a person, so what remains is counted by the columns that both releases hold as collected: of two
//! classes with `n₁(v)` and `n₂(v)` records of the values `v`, at most `Σ min(n₁(v), n₂(v))` people can be in both with
//! unchanged values. The check passes when every pair of classes that one person may be in leaves nobody, or as many
//! people as k-anonymity promises (of the release that is audited), with as many distinct values as l-diversity promises
//! among them.
//!
//! Two classes fit together when they [overlap](super::meetings). Where nobody knows, they are taken to: the check then compares
//! more pairs than there are, and errs on the safe side.
//!
//! Releases of different people have values in common, too. Where [`chance`](super::chance) shows that fewer than a tenth
//! of the people can be in both, the check passes.
//!
//! Limit: a few people who are in both do not show among many who are not.

use std::collections::BTreeSet;

use super::ReleasePair;
use super::changes::common;
use super::meetings::{MOST_PAIRS, Meeting};
use super::side::ClassCounts;
use super::wanted::Demands;
use crate::{Check, INTERSECTION};

/// Compares the classes of two releases pair by pair.
pub(super) fn check(comparison: &ReleasePair<'_>) -> Check {
    let wanted = comparison.wanted[0];
    let mut found = MeetingTally { pairs: comparison.meetings.pairs, ..MeetingTally::default() };
    for meeting in &comparison.meetings.list {
        let sizes = meeting.classes.iter().map(|classes| classes.len() as u64).fold(1, u64::saturating_mul);
        found.pairs = found.pairs.saturating_add(if meeting.pairs.is_none() { sizes } else { 0 });
        if found.pairs > MOST_PAIRS {
            break;
        }
        found.see(meeting, comparison, wanted);
    }
    found.are_strangers = found.few + found.alike > 0 && comparison.are_strangers();
    let check = found.judged(wanted);
    check.singling_out(found.open)
}

#[derive(Default)]
struct MeetingTally {
    /// Whether what the releases have in common is chance.
    are_strangers: bool,
    /// Pairs that were or would have been compared.
    pairs: u64,
    /// Pairs with people in common.
    met: u64,
    /// Of those, pairs with too few people.
    few: u64,
    /// Of those, pairs with too few distinct values.
    alike: u64,
    /// The classes of the release in either.
    open: BTreeSet<Vec<String>>,
}

impl MeetingTally {
    fn see(&mut self, meeting: &Meeting, comparison: &ReleasePair<'_>, wanted: &Demands) {
        let [ours, theirs] = &meeting.classes;
        let all = || ours.iter().flat_map(|ours| theirs.iter().map(|theirs| (*ours, *theirs)));
        let mut see = |ours: u32, theirs: u32| {
            let both = comparison.sides[0].class(ours).zip(comparison.sides[1].class(theirs));
            if both.is_some_and(|(one, other)| self.compare(one, other, wanted)) {
                self.open.insert(comparison.sides[0].key(ours));
            }
        };
        match &meeting.pairs {
            Some(pairs) => pairs.iter().for_each(|(ours, theirs)| see(*ours, *theirs)),
            None => all().for_each(|(ours, theirs)| see(ours, theirs)),
        }
    }

    fn judged(&self, wanted: &Demands) -> Check {
        let claim = format!(
            "whoever is in this and in an earlier release hides among {} people or more{}",
            wanted.people,
            if wanted.distinct.is_empty() { "" } else { ", with as many distinct sensitive values as promised" }
        );
        let passed = self.pairs <= MOST_PAIRS && (self.are_strangers || (self.few == 0 && self.alike == 0));
        let text = match () {
            () if self.pairs > MOST_PAIRS => format!("more than {MOST_PAIRS} pairs of classes: too many to compare"),
            () if passed && self.few + self.alike > 0 => "fewer than a tenth of the people are in both".to_owned(),
            () if passed => format!("all of {} pairs of classes with people in common", self.met),
            () => format!(
                "of {} pairs of classes with people in common, {} hold fewer people and {} fewer values",
                self.met, self.few, self.alike
            ),
        };
        Check::new(INTERSECTION, passed, claim, text)
    }

    /// Takes a pair of classes; whether it holds too few people or values.
    fn compare(&mut self, class: &ClassCounts, other: &ClassCounts, wanted: &Demands) -> bool {
        let both = common(&class.counts, &other.counts);
        let records: u64 = both.values().sum();
        if records == 0 {
            return false;
        }
        self.met += 1;
        // A whole class holds as many people as it must.
        let is_class = records == class.size || records == other.size;
        let few = records < wanted.people || (!is_class && !wanted.are_enough(&both));
        self.few += u64::from(few);
        let alike = !wanted.are_diverse(&both);
        self.alike += u64::from(alike);
        few || alike
    }
}
