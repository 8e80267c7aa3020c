//! Keeps the search for a release short.
//!
//! The nodes of the lattice multiply with each quasi-identifier; a table of twenty would be searched for ages. So some
//! columns are held at the top, `*`, until few enough nodes are left. Columns whose names say nothing go first, and among
//! them those with most values: these would hardly stay below the top in any case. That is safe, and a person who wants
//! such a column back only has to take the bound away.

use equanym_core::variable::Role;

use super::profile::Profile;
use super::role::RoleDecision;

/// The most nodes that a draft leaves to search.
const MOST_NODES: u64 = 2_000_000;

/// Holds columns at the top until the lattice is small enough.
pub(super) fn hold(profiles: &[Profile], decisions: &mut [RoleDecision]) {
    let is_quasi = |decision: &RoleDecision| decision.role == Role::QuasiIdentifying;
    let mut free: Vec<usize> =
        (0..decisions.len()).filter(|place| decisions.get(*place).is_some_and(is_quasi)).collect();
    // The first to be held stands last. One column always stays free.
    free.sort_by_key(|place| {
        let is_named = decisions.get(*place).is_some_and(|decision| decision.is_named);
        (!is_named, profiles.get(*place).map(|profile| profile.distinct))
    });
    while free.len() > 1 && nodes(&free, decisions) > MOST_NODES {
        if let Some(decision) = free.pop().and_then(|place| decisions.get_mut(place)) {
            decision.held = true;
        }
    }
}

fn nodes(free: &[usize], decisions: &[RoleDecision]) -> u64 {
    let levels = free.iter().filter_map(|place| decisions.get(*place)).map(|decision| decision.ladder.top + 1);
    levels.fold(1, u64::saturating_mul)
}

#[cfg(test)]
mod tests {
    use equanym_core::hierarchy::Builder;

    use super::super::ladder::ColumnLadder;
    use super::super::values::ColumnKind;
    use super::*;

    fn profile(distinct: u64) -> Profile {
        let (missing, missing_words, capped, is_prose, is_serial) = (0, 0, false, false, false);
        let (records, kind, ladder, counts) = (1000, ColumnKind::Code, ColumnLadder::none(), Vec::new());
        Profile { records, missing, distinct, capped, kind, ladder, is_prose, is_serial, missing_words, counts }
    }

    fn decision(is_named: bool) -> RoleDecision {
        let ladder = ColumnLadder::new(Builder::Prefix { keep: vec![4, 3, 2, 1] }, 5);
        RoleDecision { role: Role::QuasiIdentifying, reason: "", ladder, is_named, held: false, highest: None }
    }

    #[test]
    fn the_most_telling_columns_are_held_first() {
        // Six levels each: eight columns make 1,679,616 nodes, nine six times as many.
        let profiles: Vec<Profile> = (0..12).map(|place| profile(100 + place)).collect();
        let mut decisions: Vec<RoleDecision> = (0..12).map(|place| decision(place == 11)).collect();
        hold(&profiles, &mut decisions);
        let held: Vec<usize> = (0..12).filter(|place| decisions[*place].held).collect();
        assert_eq!(held, [7, 8, 9, 10]);
    }

    #[test]
    fn a_small_lattice_is_left_alone() {
        let profiles: Vec<Profile> = (0..8).map(profile).collect();
        let mut decisions: Vec<RoleDecision> = (0..8).map(|_| decision(false)).collect();
        hold(&profiles, &mut decisions);
        assert!(decisions.iter().all(|decision| !decision.held));
    }
}
