//! Losses that charge a cell by how many values its label could stand for.
//!
//! The domain of a variable is every value that its ladder lists, whether it occurs in the table or not (a ladder made
//! by a rule lists those that occur); the size of a label is the number of domain values under it. Labels grow from
//! level to level, so costs never fall; a suppressed cell costs as much as the top label, under which the whole domain
//! lies. Each cell's loss is rounded once, and the charge is the difference of two rounded numbers: a suppressed cell
//! costs exactly what a fully generalised one does.

use super::{PerCell, fixed};
use crate::frequency::Table;
use crate::hierarchy::Level;

/// Charges each cell `lost(size of its label, size of the domain)` times the weight of its variable; `lost` must not
/// fall when a label grows. The sum over the cells is divided by `divisor`.
pub(super) fn by_label_size(table: &Table, weights: &[f64], divisor: f64, lost: impl Fn(f64, f64) -> f64) -> PerCell {
    let mut per_cell = PerCell { divisor, ..PerCell::default() };
    for (variable, weight) in weights.iter().enumerate() {
        let counts = table.value_counts(variable);
        let domain = counts.len() as f64;
        let suppressed = fixed(weight * lost(domain, domain));
        let (mut cost, mut charge) = (Vec::new(), Vec::new());
        for level in table.variables[variable].hierarchy.levels() {
            let sizes = label_sizes(level);
            let of_label: Vec<u64> = sizes.into_iter().map(|size| fixed(weight * lost(size, domain))).collect();
            let of_value: Vec<u64> = level.of.iter().map(|&label| of_label[label as usize]).collect();
            let paid = |(&count, &lost): (&u64, &u64)| u128::from(count) * u128::from(lost);
            cost.push(counts.iter().zip(&of_value).map(paid).sum());
            charge.push(of_value.iter().map(|&lost| suppressed.saturating_sub(lost)).collect());
        }
        per_cell.cost.push(cost);
        per_cell.charge.push(charge);
    }
    per_cell
}

/// How many values of the domain lie under each label.
fn label_sizes(level: &Level) -> Vec<f64> {
    let mut sizes = vec![0.0; level.labels.len()];
    for &label in &level.of {
        sizes[label as usize] += 1.0;
    }
    sizes
}
