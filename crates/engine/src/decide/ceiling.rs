//! Asks the core how high each column must be allowed to climb so that a safe release exists.

use equanym_core::options;

use super::fitting::Fitting;
use super::search::limited;
use crate::count::counted_table::Case;

/// Each quasi-identifying column with its level; none where no release is safe.
pub(crate) fn ceiling(case: &Case<'_>, fitting: &Fitting) -> Option<Vec<(String, u8)>> {
    let Fitting { table, guard, .. } = fitting;
    let allowance = case.policy.suppression_allowance(limited(guard.limits(), table));
    let node = options::ceiling(table, guard, allowance)?;
    Some(table.variables.iter().zip(&node.0).map(|(variable, &level)| (variable.name.clone(), level)).collect())
}
