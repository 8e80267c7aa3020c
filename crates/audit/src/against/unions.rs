//! Unions of classes of which one lies inside the other.
//!
//! Where classes overlap without nesting, as ages of five years and of seven, a few classes of one release may hold whole
//! classes of the other and little more: `[0, 20[` less `[0, 14[` and less `[14, 19[`. So each connected union of one side is
//! compared with the classes of the other side that lie inside it, and each single class with all that it overlaps.
//!
//! Limit: the number of such unions may grow beyond all bounds. More than [`MOST_UNIONS`] of a meeting are not tried, and the
//! check says so.

use std::collections::HashSet;

use super::meetings::Meeting;

/// So many unions of a meeting are tried.
const MOST_UNIONS: usize = 4096;

/// Places of classes among those of their side, a bit for each.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Places(Box<[u64]>);

impl Places {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    fn insert(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn has(&self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| (word >> (place % 64)) & 1 == 1)
    }

    fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    fn are_among(&self, others: &Self) -> bool {
        self.0.iter().zip(&others.0).all(|(word, other)| word & !other == 0)
    }

    fn are_none(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Those of some things that stand at these places.
    fn of<T: Copy>(&self, things: &[T]) -> Vec<T> {
        things.iter().enumerate().filter(|(place, _)| self.has(*place)).map(|(_, thing)| *thing).collect()
    }
}

/// For each class of one side the classes of the other side that it overlaps.
struct Overlaps {
    around: Vec<Places>,
    /// How many classes the other side has.
    others: usize,
}

impl Overlaps {
    /// The classes of the other side that some of these overlap.
    fn of(&self, union: &Places) -> Places {
        let mut found = Places::none(self.others);
        let around = self.around.iter().enumerate().filter(|(place, _)| union.has(*place));
        around.for_each(|(_, around)| found.add(around));
        found
    }
}

/// Classes of both releases; those of one side lie inside those of the other, or the other way round.
pub(super) struct NestedUnions {
    pub classes: [Vec<u32>; 2],
}

/// What can be compared within a meeting; nothing where that is too much.
pub(super) fn nested(meeting: &Meeting) -> Option<Vec<NestedUnions>> {
    let Some(pairs) = &meeting.pairs else { return Some(Vec::new()) };
    let [ours, theirs] = &meeting.classes;
    let (mut forth, mut back) = (overlaps(ours.len(), theirs.len()), overlaps(theirs.len(), ours.len()));
    for (one, other) in pairs {
        let (Ok(one), Ok(other)) = (ours.binary_search(one), theirs.binary_search(other)) else { continue };
        forth.around.get_mut(one).into_iter().for_each(|around| around.insert(other));
        back.around.get_mut(other).into_iter().for_each(|around| around.insert(one));
    }
    let mut found = Vec::new();
    for (union, inside) in of_side(&forth, &back)? {
        found.push(NestedUnions { classes: [union.of(ours), inside.of(theirs)] });
    }
    for (union, inside) in of_side(&back, &forth)? {
        found.push(NestedUnions { classes: [inside.of(ours), union.of(theirs)] });
    }
    Some(found)
}

fn overlaps(count: usize, others: usize) -> Overlaps {
    Overlaps { around: vec![Places::none(others); count], others }
}

/// The unions of a side, each with what it is compared with.
fn of_side(own: &Overlaps, others: &Overlaps) -> Option<Vec<(Places, Places)>> {
    let mut found: Vec<(Places, Places)> = (0..others.others)
        .map(|class| {
            let single = single(class, others.others);
            let around = own.of(&single);
            (single, around)
        })
        .collect();
    for union in connected(own, others)? {
        let mut inside = Places::none(own.others);
        let lie_inside = others.around.iter().enumerate().filter(|(_, around)| around.are_among(&union));
        lie_inside.for_each(|(place, _)| inside.insert(place));
        let is_whole = others.around.iter().all(|around| around.are_among(&union));
        if !inside.are_none() && !is_whole {
            found.push((union, inside));
        }
    }
    Some(found)
}

fn single(class: usize, count: usize) -> Places {
    let mut single = Places::none(count);
    single.insert(class);
    single
}

/// All unions of classes that hang together over classes of the other side.
fn connected(own: &Overlaps, others: &Overlaps) -> Option<HashSet<Places>> {
    let count = others.others;
    let mut found: HashSet<Places> = (0..count).map(|class| single(class, count)).collect();
    let mut open: Vec<Places> = found.iter().cloned().collect();
    while let Some(union) = open.pop() {
        let beside = others.of(&own.of(&union));
        for class in (0..count).filter(|class| beside.has(*class) && !union.has(*class)) {
            let mut larger = union.clone();
            larger.insert(class);
            if found.insert(larger.clone()) {
                open.push(larger);
            }
        }
        if found.len() > MOST_UNIONS {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many classes of both sides, of which these overlap.
    fn meeting(counts: [u32; 2], pairs: Vec<(u32, u32)>) -> Meeting {
        Meeting { classes: counts.map(|count| (0..count).collect()), pairs: Some(pairs), ..Meeting::default() }
    }

    #[test]
    fn unions_are_compared_with_what_lies_inside_them() {
        // Ours are 0..20 and 20..40; theirs are 0..14, 14..28 and 28..40.
        let found = nested(&meeting([2, 3], vec![(0, 0), (0, 1), (1, 1), (1, 2)])).unwrap();
        let mut found: Vec<_> = found.into_iter().map(|one| one.classes).collect();
        found.sort();
        let expected: [[&[u32]; 2]; 9] = [
            [&[0], &[0]],
            [&[0], &[0]],
            [&[0], &[0, 1]],
            [&[0], &[0, 1]],
            [&[0, 1], &[1]],
            [&[1], &[1, 2]],
            [&[1], &[1, 2]],
            [&[1], &[2]],
            [&[1], &[2]],
        ];
        assert_eq!(found, expected.map(|both| both.map(<[u32]>::to_vec)));
    }

    #[test]
    fn too_many_unions_are_not_tried() {
        let all: Vec<(u32, u32)> = (0..20).flat_map(|ours| (0..20).map(move |theirs| (ours, theirs))).collect();
        assert!(nested(&meeting([20, 20], all)).is_none());
        assert_eq!(nested(&meeting([1, 1], vec![(0, 0)])).unwrap().len(), 2);
    }
}
