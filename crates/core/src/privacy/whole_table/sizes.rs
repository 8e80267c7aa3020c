//! How many classes there are of each size: all that a condition on the whole table looks at.

use crate::frequency::FrequencySet;

/// Classes by their sizes in people; in records, where people are not counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SizedClasses {
    /// Each size with its number of classes, smallest first.
    by_size: Vec<(u64, u64)>,
    classes: u64,
    people: u64,
}

/// Sizes below this are counted, and others sorted: most classes are small, and a search counts thousands of nodes.
const SMALL: usize = 256;

impl SizedClasses {
    /// Classes of these sizes.
    #[must_use]
    pub fn new(sizes: Vec<u64>) -> Self {
        Self::count(sizes.into_iter())
    }

    /// The kept classes of a set.
    pub(in super::super) fn kept(set: &FrequencySet, kept: &[bool]) -> Self {
        Self::count(set.people().iter().zip(kept).filter(|(_, kept)| **kept).map(|(people, _)| *people))
    }

    fn count(sizes: impl Iterator<Item = u64>) -> Self {
        let (mut small, mut large) = ([0; SMALL], Vec::new());
        for size in sizes {
            match usize::try_from(size).ok().and_then(|size| small.get_mut(size)) {
                Some(classes) => *classes += 1,
                None => large.push(size),
            }
        }
        large.sort_unstable();
        let large = large.chunk_by(|one, other| one == other).map(|run| (run[0], run.len() as u64));
        Self::by((0..).zip(small).filter(|(_, classes)| *classes > 0).chain(large).collect())
    }

    fn by(by_size: Vec<(u64, u64)>) -> Self {
        let classes = by_size.iter().map(|(_, classes)| classes).sum();
        Self { classes, people: by_size.iter().map(|(size, classes)| size * classes).sum(), by_size }
    }

    /// Each size with its number of classes, smallest first.
    #[must_use]
    pub fn by_size(&self) -> &[(u64, u64)] {
        &self.by_size
    }

    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> u64 {
        self.classes
    }

    /// The people of all classes; whoever is in several counts in each of them.
    #[must_use]
    pub fn people(&self) -> u64 {
        self.people
    }

    /// The number of classes of one.
    #[must_use]
    pub fn uniques(&self) -> u64 {
        self.by_size.first().filter(|(size, _)| *size == 1).map_or(0, |(_, classes)| *classes)
    }

    /// The same without so many of the smallest classes.
    #[must_use]
    pub fn without_smallest(&self, count: u64) -> Self {
        let mut left = count;
        let rest = self.by_size.iter().map(|&(size, classes)| {
            let gone = classes.min(left);
            left -= gone;
            (size, classes - gone)
        });
        Self::by(rest.filter(|(_, classes)| *classes > 0).collect())
    }

    /// The size of the last of so many smallest classes, and how many of them have that size.
    pub(super) fn place(&self, count: u64) -> (u64, usize) {
        let mut left = count;
        for &(size, classes) in &self.by_size {
            if left <= classes {
                return (size, usize::try_from(left).unwrap_or(usize::MAX));
            }
            left -= classes;
        }
        (u64::MAX, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_classes_go_first() {
        let sizes = SizedClasses::new(vec![3, 1, 7, 1, 3, 3]);
        assert_eq!((sizes.classes(), sizes.people(), sizes.uniques()), (6, 18, 2));
        assert_eq!(sizes.without_smallest(0), sizes);
        assert_eq!(sizes.without_smallest(3), SizedClasses::new(vec![3, 3, 7]));
        assert_eq!(sizes.without_smallest(9), SizedClasses::default());
        assert_eq!(
            SizedClasses::new(vec![300, 255, 1 << 40, 256, 300]).by_size(),
            [(255, 1), (256, 1), (300, 2), (1 << 40, 1)]
        );
        assert_eq!([1, 2, 3, 5, 6].map(|count| sizes.place(count)), [(1, 1), (1, 2), (3, 1), (3, 3), (7, 1)]);
    }
}
