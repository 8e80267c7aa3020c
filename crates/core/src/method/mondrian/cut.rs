//! One cut of a part across a variable.

use super::{Judge, Part, join, size};

/// The sides of a cut across a variable, if there is one that the guard allows.
pub(super) fn sides(judge: &Judge<'_>, place: usize, part: &Part, relaxed: bool) -> Option<Vec<Part>> {
    match judge.grid.ranks(place, part) {
        Some(ranks) => at_median(judge, place, part, &ranks, relaxed),
        None => down_the_ladder(judge, judge.grid.branches(place, part)),
    }
}

/// The two sides of the median. Strictly, the values equal to it go to one side, the one that leaves the sides more even
/// first.
fn at_median(judge: &Judge<'_>, place: usize, part: &Part, ranks: &[(u32, u64)], relaxed: bool) -> Option<Vec<Part>> {
    let total = size(part);
    let mut below = 0;
    let mut up_to = 0;
    let mut median = 0;
    for run in ranks.chunk_by(|one, other| one.0 == other.0) {
        let here: u64 = run.iter().map(|(_, records)| records).sum();
        (below, up_to) = (up_to, up_to + here);
        median = run.first().map_or(median, |(rank, _)| *rank);
        if 2 * up_to >= total {
            break;
        }
    }
    let strict = |first_above: u32| {
        let (left, right): (Part, Part) = part.iter().partition(|(row, _)| judge.grid.rank(place, *row) < first_above);
        vec![left, right]
    };
    let even_with = (2 * up_to).abs_diff(total);
    let even_without = (2 * below).abs_diff(total);
    let strictly = if even_with <= even_without { [median + 1, median] } else { [median, median + 1] };
    let shared = relaxed.then(|| share_median(judge, place, part, median, (total / 2).saturating_sub(below)));
    let cuts = shared.into_iter().chain(strictly.into_iter().map(strict));
    let is_cut = |sides: &Vec<Part>| sides.iter().all(|side| !side.is_empty());
    cuts.filter(is_cut).find(|sides| judge.allowed(sides).into_iter().all(|allowed| allowed))
}

/// Both sides of the median with so many records at the median on the left, in canonical order.
fn share_median(judge: &Judge<'_>, place: usize, part: &Part, median: u32, mut wanted: u64) -> Vec<Part> {
    let (mut left, mut right): (Part, Part) = (Vec::new(), Vec::new());
    for &(row, records) in part {
        let taken = match judge.grid.rank(place, row) {
            rank if rank < median => records,
            rank if rank > median => 0,
            _ => records.min(wanted),
        };
        if judge.grid.rank(place, row) == median {
            wanted -= taken;
        }
        left.extend((taken > 0).then_some((row, taken)));
        right.extend((taken < records).then_some((row, records - taken)));
    }
    vec![left, right]
}

/// Each branch on its own where the guard allows it; the others stay together, with the smallest of the allowed ones where
/// they need company.
fn down_the_ladder(judge: &Judge<'_>, branches: Vec<Part>) -> Option<Vec<Part>> {
    let allowed = judge.allowed(&branches);
    let (mut alone, together): (Vec<_>, Vec<_>) = branches.into_iter().zip(allowed).partition(|(_, allowed)| *allowed);
    let mut rest = join(together.iter().map(|(part, _)| part));
    while !rest.is_empty() && !judge.allowed(std::slice::from_ref(&rest)).into_iter().all(|allowed| allowed) {
        let smallest = (0..alone.len()).min_by_key(|&place| size(&alone[place].0))?;
        let (company, _) = alone.remove(smallest);
        rest = join([&rest, &company].into_iter());
    }
    let mut sides: Vec<Part> = alone.into_iter().map(|(part, _)| part).collect();
    sides.extend((!rest.is_empty()).then_some(rest));
    (sides.len() > 1).then_some(sides)
}
