//! The difference to an earlier release: who is left when one is subtracted from the other.
//!
//! Where the records of a class contain those of the class that held the same people before, what is left over are the
//! people who came since, or who left: known apart from the others, however large the class. So what is left over must be
//! empty, or keep the promises of the release by itself. Classes of different levels are compared where their labels
//! meet: the finer ones are put together.
//!
//! Classes of other people contain each other now and then, and nothing can be subtracted there. Only where more classes
//! contain each other than by [`chance`] are the people taken to be the same.
//!
//! Limit: where few classes with few values contain each other, that may be chance, and nothing is refused.

use std::collections::BTreeSet;

use super::{Cells, CombinationCounts, Demands, Groups, chance};
use crate::{Check, DIFFERENCE};

/// Subtracts each group of one release from that of the other, both ways.
pub(super) fn check(ours: &Groups, theirs: &Groups, wanted: &Demands) -> Check {
    let mut came = Subtraction::default();
    let mut left = Subtraction::default();
    for (key, new) in ours {
        let Some(old) = theirs.get(key) else { continue };
        came.see(key, [old, new], wanted);
        left.see(key, [new, old], wanted);
    }
    let alone = came.alone() + left.alone();
    let open = [&came, &left].into_iter().filter(|one| one.alone() > 0).flat_map(|one| one.open_keys.clone()).collect();
    let smallest = [&came, &left].into_iter().filter(|one| one.alone() > 0).filter_map(|one| one.smallest).min();
    let found = match smallest {
        Some(smallest) => {
            format!(
                "{alone} classes differ by too few or too similar people, down to {smallest}: they can be subtracted"
            )
        }
        None => format!("nobody is left alone in {} pairs of classes", came.pairs),
    };
    let claim = format!(
        "who came or left since an earlier release hides among {} people or more{}",
        wanted.people,
        wanted.models()
    );
    Check::new(DIFFERENCE, alone == 0, claim, found).singling_out(open)
}

/// One release subtracted from another, class by class.
#[derive(Default)]
struct Subtraction {
    pairs: u64,
    /// Pairs of which the larger class contains the smaller one.
    contained: u64,
    /// How many that would be by chance.
    expected: f64,
    /// Pairs with somebody left over who is not hidden.
    open: u64,
    /// Where those are.
    open_keys: BTreeSet<Vec<String>>,
    /// The fewest people left over in one of them.
    smallest: Option<u64>,
}

impl Subtraction {
    fn see(&mut self, key: &Cells, [small, large]: [&CombinationCounts; 2], wanted: &Demands) {
        self.pairs += 1;
        self.expected += chance::of_containing(small, large);
        if !small.iter().all(|(values, count)| large.get(values).is_some_and(|more| more >= count)) {
            return;
        }
        self.contained += 1;
        let rest = large.iter().map(|(values, count)| (values, count - small.get(values).unwrap_or(&0)));
        let left_over: CombinationCounts =
            rest.filter(|(_, count)| *count > 0).map(|(values, count)| (values.clone(), count)).collect();
        let people: u64 = left_over.values().sum();
        if people > 0 && !wanted.are_hidden(people, &left_over) {
            self.open += 1;
            self.open_keys.insert(key.iter().map(ToString::to_string).collect());
            self.smallest = Some(self.smallest.map_or(people, |smallest| smallest.min(people)));
        }
    }

    /// Pairs with somebody alone, unless the classes contain each other by chance.
    fn alone(&self) -> u64 {
        if chance::is_chance(self.contained, self.pairs, self.expected) { 0 } else { self.open }
    }
}
