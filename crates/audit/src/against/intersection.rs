//! The intersection with an earlier release: who can be in both.
//!
//! Whoever knows a person's quasi-identifiers finds a class in each release, and only people who fit both remain. Nothing
//! in a release names a person, so what remains is counted by the columns that both releases hold as collected: of two
//! classes with `n₁(v)` and `n₂(v)` records of the values `v`, at most `Σ min(n₁(v), n₂(v))` people can be in both with
//! unchanged values. The check passes when every pair of classes that one person may be in leaves nobody, or as many
//! people as k-anonymity promises (of the release that is audited), with as many distinct values as l-diversity promises
//! among them.
//!
//! Two keys fit together when the cells of each column that has the same rule in both releases are the same. A column
//! whose rules differ is taken to fit always: the check then compares more pairs than there are, and errs on the safe
//! side. Lists that somebody wrote count as the same rule when level and height are the same.
//!
//! Releases of different people have values in common, too. Where [`chance`](super::chance) shows that fewer than a tenth
//! of the people can be in both, the check passes.
//!
//! Limit: a few people who are in both do not show among many who are not.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Cells, Classes, Demands, spelt};
use crate::{Check, INTERSECTION};

/// More pairs of classes than this are not compared: the check fails instead.
const MOST_PAIRS: u64 = 200_000_000;

/// Compares the classes of two releases pair by pair; `are_strangers` says that nothing follows from what they share.
pub(super) fn check(ours: &Classes, theirs: &Classes, are_strangers: bool, wanted: &Demands) -> Check {
    let mut found = MeetingTally { are_strangers, ..MeetingTally::default() };
    for (key, classes) in ours {
        let Some(others) = theirs.get(key) else { continue };
        found.pairs = found.pairs.saturating_add((classes.len() as u64).saturating_mul(others.len() as u64));
        if found.pairs > MOST_PAIRS {
            break;
        }
        for (rest, class) in classes {
            for other in others.values() {
                if found.compare(class, other, wanted) {
                    found.open.insert(key.iter().chain(rest).map(ToString::to_string).collect());
                }
            }
        }
    }
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
    fn compare(&mut self, class: &HashMap<Cells, u64>, other: &HashMap<Cells, u64>, wanted: &Demands) -> bool {
        let (small, large) = if class.len() <= other.len() { (class, other) } else { (other, class) };
        let both = small.iter().filter_map(|(values, count)| Some((values, *count.min(large.get(values)?))));
        let mut people = 0;
        let mut distinct: Vec<HashSet<String>> = wanted.distinct.iter().map(|_| HashSet::new()).collect();
        for (values, count) in both {
            people += count;
            for ((place, _), seen) in wanted.distinct.iter().zip(&mut distinct) {
                seen.extend(values.get(*place).map(|value| spelt(value)));
            }
        }
        if people == 0 {
            return false;
        }
        self.met += 1;
        let few = people < wanted.people;
        self.few += u64::from(few);
        let alike = wanted.distinct.iter().zip(&distinct).any(|((_, least), seen)| (seen.len() as u64) < *least);
        self.alike += u64::from(alike);
        few || alike
    }
}
