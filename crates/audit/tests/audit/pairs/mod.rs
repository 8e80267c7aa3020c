//! Pairs and chains of releases over all kinds of ladders at all levels, against an intruder who tries everything.
//!
//! `EQUANYM_PAIRS` says how many pairs there are, [`PAIRS`] unless it does. None may be missed. An alarm that the intruder does not
//! share is false, and counted: it must say that something cannot be known.

mod intruder;
mod ladders;
mod tables;

use std::path::PathBuf;

use equanym_audit::{DIFFERENCE, INTERSECTION, Options, Verdict, audit};

use crate::models::Dice;
use crate::release::options;
use intruder::{Found, look};
use ladders::{Domain, Level};
use tables::{Person, Promised, Written, later, people};

const PAIRS: u64 = 400;

/// What came of all pairs.
#[derive(Debug, Default)]
struct Tally {
    pairs: u64,
    /// The intruder finds somebody: by subtracting, or in the intersection.
    subtracted: u64,
    met: u64,
    /// Nobody is withheld or changed, classes are unions of each other, and both checks pass.
    nested: u64,
    /// Alarms that the intruder does not share.
    false_alarms: u64,
    /// Pairs in which only a remainder is small that others may have filled.
    remainders: u64,
    chains: u64,
    /// Chains of which each step is safe, but not the whole.
    open_chains: u64,
}

/// The levels of two releases, or more, of the same columns.
fn levels<'a>(domains: &[&'a Domain], dice: &mut Dice) -> Vec<&'a Level> {
    domains.iter().map(|domain| &domain.levels[dice.below(domain.levels.len())]).collect()
}

fn audited(ours: &Written, earlier: &[&Written], has_mask: bool) -> Verdict {
    let against: Vec<PathBuf> = earlier.iter().map(|one| one.public()).collect();
    let stored = has_mask.then_some(ours.mask.as_slice());
    let verdict = audit(&ours.public(), &Options { against: &against, stored, ..options() }).unwrap();
    let is_own = |check: &equanym_audit::Check| ![DIFFERENCE, INTERSECTION].contains(&check.name);
    assert!(!verdict.failures().any(is_own), "{:?}", verdict.failures().collect::<Vec<_>>());
    verdict
}

impl Tally {
    /// Holds a verdict about a pair against what the intruder finds.
    fn compare(&mut self, seed: u64, verdict: &Verdict, found: &Found, is_still: bool) {
        self.pairs += 1;
        for (name, is_open, seen) in
            [(DIFFERENCE, found.difference, &mut self.subtracted), (INTERSECTION, found.intersection, &mut self.met)]
        {
            let check = verdict.checks.iter().find(|check| check.name == name).unwrap();
            *seen += u64::from(is_open);
            assert!(!(check.passed && is_open), "missed: {name} of pair {seed}: {}", check.found);
            if !check.passed && !is_open {
                let text = &verdict.checks.iter().find(|check| check.name == DIFFERENCE).unwrap().found;
                let is_told = ["cannot be known", "too many ways"].iter().any(|why| text.contains(why));
                assert!(is_told, "{name} of pair {seed}: {}", check.found);
                self.false_alarms += 1;
            }
        }
        self.remainders += u64::from(found.remainder && verdict.passed());
        if is_still && found.is_nested {
            assert!(!found.difference && !found.intersection, "{seed}");
            self.nested += u64::from(verdict.passed());
        }
    }
}

#[test]
fn no_pair_of_releases_is_missed() {
    let pairs = std::env::var("EQUANYM_PAIRS").map_or(PAIRS, |pairs| pairs.parse().unwrap());
    let (all, mut tally) = (ladders::all(), Tally::default());
    let mut seed = 0;
    while tally.pairs < pairs {
        seed += 1;
        let mut dice = Dice::new(seed);
        let count = 1 + dice.below(3);
        let first = dice.below(all.len());
        let domains: Vec<&Domain> = (0..count).map(|place| &all[(first + place * 2) % all.len()]).collect();
        let promised =
            Promised { k: dice.one_of(&[2, 3, 4]), l: dice.one_of(&[1, 1, 2]), of_people: dice.below(6) == 0 };
        let table = people(&domains, &mut dice);
        pair(seed, &table, &domains, promised, &mut dice, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.nested * 20 > tally.pairs && tally.subtracted * 5 > tally.pairs, "{tally:?}");
}

/// One pair, and now and then a third release.
fn pair(seed: u64, table: &[Person], domains: &[&Domain], promised: Promised, dice: &mut Dice, tally: &mut Tally) {
    let next = later(table, dice);
    let (first, second) = (levels(domains, dice), levels(domains, dice));
    let earlier = Written::new(table, domains, &first, promised);
    let Some((earlier, ours)) = earlier.zip(Written::new(&next, domains, &second, promised)) else { return };
    let has_masks = [dice.below(4) > 0, dice.below(4) > 0];
    if has_masks[1] {
        earlier.keep_mask();
    }
    let found = look(&ours.classes, &earlier.classes, promised);
    let is_still = next == table && ours.withheld == 0 && earlier.withheld == 0;
    tally.compare(seed, &audited(&ours, &[&earlier], has_masks[0]), &found, is_still);
    if dice.below(4) == 0 {
        let last = later(&next, dice);
        let Some(third) = Written::new(&last, domains, &levels(domains, dice), promised) else { return };
        let steps = [look(&third.classes, &ours.classes, promised), look(&third.classes, &earlier.classes, promised)];
        let is_open = |found: &Found| found.difference || found.intersection;
        let verdict = audited(&third, &[&ours, &earlier], true);
        assert!(!steps.iter().any(is_open) || !verdict.passed(), "missed: chain {seed}");
        tally.chains += 1;
        tally.open_chains += u64::from(!is_open(&found) && !is_open(&steps[0]) && is_open(&steps[1]));
    }
}
