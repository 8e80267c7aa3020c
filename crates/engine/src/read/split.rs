//! Into which parts a table falls that are read side by side.
//!
//! A part is a run of files, or of row groups where files are Parquet and fewer than the cores, or of pieces of a table in
//! memory; parts follow each other
//! as the records do, and are about as long as one another. Nothing that is released depends on how a table was split.

use std::ops::Range;

use super::format::InputFormat;
use super::{File, FileHead, parquet};
use crate::error::Result;

/// A file, or some row groups of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadUnit {
    /// Its place among the files.
    pub(super) file: usize,
    /// The row groups; `None` stands for all.
    pub(super) groups: Option<Range<usize>>,
}

/// Splits files into at most so many parts.
pub(super) fn split(files: &[(File, FileHead)], most: usize) -> Result<Vec<Vec<ReadUnit>>> {
    let mut units = Vec::new();
    for (place, (file, _)) in files.iter().enumerate() {
        let groups = match (file.pieces(), file.format) {
            (Some(pieces), _) => Some(pieces.sizes().collect()),
            (None, InputFormat::Parquet) if files.len() < most => Some(parquet::group_sizes(file)?),
            _ => None,
        };
        if let Some(groups) = groups {
            let groups = groups.into_iter().enumerate();
            units.extend(groups.map(|(group, size)| (ReadUnit { file: place, groups: Some(group..group + 1) }, size)));
            if units.last().is_none_or(|(unit, _)| unit.file != place) {
                units.push((ReadUnit { file: place, groups: None }, 1));
            }
        } else {
            units.push((ReadUnit { file: place, groups: None }, file.size()?.max(1)));
        }
    }
    Ok(dealt(units, most.max(1)))
}

/// Deals units into parts of about the same size, in order.
fn dealt(units: Vec<(ReadUnit, u64)>, most: usize) -> Vec<Vec<ReadUnit>> {
    let total: u64 = units.iter().map(|(_, size)| size).sum();
    let share = total.div_ceil(most as u64).max(1);
    let mut parts: Vec<Vec<ReadUnit>> = Vec::new();
    let mut before = 0;
    for (unit, size) in units {
        // The part in which the middle of the unit lies.
        let part = usize::try_from((before + size / 2) / share).unwrap_or(usize::MAX).min(most - 1);
        before += size;
        if parts.is_empty() || part >= parts.len() {
            parts.push(Vec::new());
        }
        if let Some(last) = parts.last_mut() {
            add(last, unit);
        }
    }
    parts
}

/// Adds a unit to a part; row groups that follow each other become one unit.
fn add(part: &mut Vec<ReadUnit>, unit: ReadUnit) {
    if let (Some(ReadUnit { file, groups: Some(groups) }), Some(more)) = (part.last_mut(), &unit.groups)
        && *file == unit.file
        && groups.end == more.start
    {
        groups.end = more.end;
        return;
    }
    part.push(unit);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(file: usize, group: usize) -> ReadUnit {
        ReadUnit { file, groups: Some(group..group + 1) }
    }

    #[test]
    fn parts_are_even_and_in_order() {
        let units = (0..10).map(|place| (group(0, place), 5)).collect();
        let whole = |range| vec![ReadUnit { file: 0, groups: Some(range) }];
        assert_eq!(dealt(units, 2), [whole(0..5), whole(5..10)]);
        let files = (0..3).map(|file| (ReadUnit { file, groups: None }, 1)).collect();
        assert_eq!(dealt(files, 8).len(), 3);
        assert_eq!(dealt(vec![(group(0, 0), 100), (group(1, 0), 1), (group(1, 1), 1)], 2).concat().len(), 2);
        assert_eq!(dealt(Vec::new(), 2), Vec::<Vec<ReadUnit>>::new());
    }
}
