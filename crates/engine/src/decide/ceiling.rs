//! Asks the core how high each column must be allowed to climb so that a safe release exists.

use equanym_core::options;

use super::Counted;
use super::fitting::Fitting;
use super::search::limited;
use crate::error::Result;
use crate::machine::Runtime;

/// Each quasi-identifying column with its level; none where no release is safe.
pub(crate) fn ceiling(counted: &Counted<'_>, runtime: &Runtime) -> Result<Option<Vec<(String, u8)>>> {
    counted.columns.people(&counted.keys)?;
    runtime.side_by_side(|| {
        let Fitting { table, guard, .. } = Fitting::of(counted)?;
        let allowance = counted.policy.suppression_allowance(limited(guard.limits(), &table));
        let node = options::ceiling(&table, &guard, allowance);
        let named = |level: (&equanym_core::variable::Variable, &u8)| (level.0.name.clone(), *level.1);
        Ok(node.map(|node| table.variables.iter().zip(&node.0).map(named).collect()))
    })
}
