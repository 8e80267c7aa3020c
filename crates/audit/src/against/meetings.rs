//! Meetings: the smallest unions of classes that hold the same people in both releases.
//!
//! A class of one release overlaps a class of the other when one person can be in both: their labels share values in every column.
//! Classes that hang together by overlaps are a meeting. Whoever is in a meeting in one release is in it in the other, if they are
//! there at all. In most meetings each class overlaps each of the other side, as where one release has one class of it.
//!
//! Classes with the same labels by the same rules hold the same people. They are a meeting by themselves, even where
//! ranges of local recoding overlap others.

use std::collections::HashMap;

use super::links::Links;
use super::overlap::ColumnOverlap;
use super::side::ReleaseSide;

/// More pairs of classes than this are not looked at.
pub(super) const MOST_PAIRS: u64 = 200_000_000;

/// Classes of both releases that hold the same people.
#[derive(Default)]
pub(super) struct Meeting {
    /// Classes of the audited release, then of the earlier one.
    pub classes: [Vec<u32>; 2],
    /// Which of them overlap; nothing where all do.
    pub pairs: Option<Vec<(u32, u32)>>,
    /// Whether some may overlap or not: nobody knows.
    pub is_vague: bool,
}

/// All meetings of two releases.
#[derive(Default)]
pub(super) struct Meetings {
    pub list: Vec<Meeting>,
    /// Pairs of classes that had to be looked at.
    pub pairs: u64,
}

impl Meetings {
    pub fn find(sides: [&ReleaseSide; 2], columns: &[ColumnOverlap]) -> Self {
        let mut found = Self::default();
        for (parts, block) in blocks(sides, columns) {
            let is_whole = columns.iter().zip(&parts).all(|(column, part)| column.is_whole(*part));
            if is_whole || block.iter().any(Vec::is_empty) {
                found.list.push(Meeting { classes: block, pairs: None, is_vague: false });
                continue;
            }
            let block = found.take_same(block, sides, columns);
            found.pairs = found.pairs.saturating_add((block[0].len() as u64).saturating_mul(block[1].len() as u64));
            if found.pairs > MOST_PAIRS {
                break;
            }
            found.split(&block, sides, columns);
        }
        found.list.sort_unstable_by(|one, other| one.classes.cmp(&other.classes));
        found
    }

    /// Takes out the pairs of classes that have the same labels by the same rules.
    fn take_same(
        &mut self,
        block: [Vec<u32>; 2],
        sides: [&ReleaseSide; 2],
        columns: &[ColumnOverlap],
    ) -> [Vec<u32>; 2] {
        let [ours, theirs] = block;
        let labels = |side: usize, class: u32| sides.get(side).and_then(|side| side.class(class));
        let mut by_labels: HashMap<&[u32], u32> = HashMap::new();
        for class in &theirs {
            let found = labels(1, *class).filter(|found| found.others.is_empty());
            if let Some(found) = found {
                by_labels.insert(&found.labels, *class);
            }
        }
        let mut rest = Vec::new();
        for class in ours {
            let same = labels(0, class).filter(|found| found.others.is_empty()).and_then(|found| {
                let same = columns.iter().zip(&found.labels).map(|(column, label)| column.same(*label));
                by_labels.remove(same.collect::<Option<Vec<u32>>>()?.as_slice())
            });
            match same {
                Some(other) => self.list.push(Meeting { classes: [vec![class], vec![other]], ..Meeting::default() }),
                None => rest.push(class),
            }
        }
        let mut left: Vec<u32> = theirs
            .into_iter()
            .filter(|class| {
                labels(1, *class)
                    .is_some_and(|found| !found.others.is_empty() || by_labels.contains_key(&*found.labels))
            })
            .collect();
        left.sort_unstable();
        [rest, left]
    }

    /// Splits classes that may hang together into meetings.
    fn split(&mut self, block: &[Vec<u32>; 2], sides: [&ReleaseSide; 2], columns: &[ColumnOverlap]) {
        let mut joined = Links::new([block[0].len(), block[1].len()]);
        let (mut pairs, mut vague) = (Vec::new(), Vec::new());
        for (place, ours) in (0..).zip(&block[0]) {
            for (other_place, theirs) in (0..).zip(&block[1]) {
                let Some(are_met) = meet(*ours, *theirs, sides, columns) else { continue };
                joined.join(place, other_place);
                pairs.push((place, other_place));
                vague.extend((!are_met).then_some(place));
            }
        }
        let parts = joined.parts();
        let count = parts.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let mut meetings: Vec<Meeting> =
            (0..count).map(|_| Meeting { pairs: Some(Vec::new()), ..Meeting::default() }).collect();
        for (side, (parts, classes)) in parts.iter().zip(block).enumerate() {
            for (part, class) in parts.iter().zip(classes) {
                let meeting = meetings.get_mut(*part as usize).and_then(|meeting| meeting.classes.get_mut(side));
                if let Some(classes) = meeting {
                    classes.push(*class);
                }
            }
        }
        let part = |place: u32| parts[0].get(place as usize).copied().unwrap_or_default() as usize;
        for (place, other) in pairs {
            let (ours, theirs) = (block[0].get(place as usize), block[1].get(other as usize));
            let known = meetings.get_mut(part(place)).and_then(|meeting| meeting.pairs.as_mut());
            if let Some(known) = known {
                known.extend(ours.copied().zip(theirs.copied()));
            }
        }
        for place in vague {
            meetings.get_mut(part(place)).into_iter().for_each(|meeting| meeting.is_vague = true);
        }
        self.list.extend(meetings);
    }
}

/// The classes of both releases whose labels hang together in every column, by the parts that they are in.
fn blocks(sides: [&ReleaseSide; 2], columns: &[ColumnOverlap]) -> HashMap<Box<[u32]>, [Vec<u32>; 2]> {
    let mut blocks: HashMap<Box<[u32]>, [Vec<u32>; 2]> = HashMap::new();
    for (side, release) in sides.into_iter().enumerate() {
        for (place, class) in (0..).zip(&release.classes) {
            let parts = columns.iter().zip(&class.labels).map(|(column, label)| column.part(side, *label)).collect();
            let block = blocks.entry(parts).or_default().get_mut(side);
            if let Some(classes) = block {
                classes.push(place);
            }
        }
    }
    blocks
}

/// Whether one person can be in both classes: nothing where nobody can, false where that is not known.
fn meet(ours: u32, theirs: u32, sides: [&ReleaseSide; 2], columns: &[ColumnOverlap]) -> Option<bool> {
    let (ours, theirs) = (sides[0].class(ours)?, sides[1].class(theirs)?);
    let mut is_known = true;
    for (column, (mine, yours)) in columns.iter().zip(ours.labels.iter().zip(&theirs.labels)) {
        match column.meets(*mine, *yours) {
            Some(true) => {}
            Some(false) => return None,
            None => is_known = false,
        }
    }
    Some(is_known)
}
