//! Directions that leave equations as they are.
//!
//! Equations are brought into reduced form: some unknowns, the pivots, are sums of the others, which are free. Whatever
//! the free ones do, the pivots follow; a direction is drawn for the free ones and completed.
//!
//! Limit: elimination in floats, with pivots of the largest size. What is smaller than 10⁻⁹ of the largest factor counts
//! as nothing, so an equation that nearly follows from others is taken to follow.

use crate::walk::region::LinearRelation;

/// What of a factor counts as nothing.
const NOTHING: f64 = 1e-9;

/// What share of the largest factor of an equation a pivot must have.
const LARGE: f64 = 0.1;

/// Equations in reduced form.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NullSpace {
    /// The unknowns that may move as they like.
    pub free: Vec<usize>,
    /// The others, each with the free ones that it is a sum of.
    pub pivots: Vec<(usize, Vec<(usize, f64)>)>,
}

impl NullSpace {
    /// Reduces equations between `size` unknowns; of each the largest factor becomes the pivot.
    pub(super) fn new(size: usize, equations: &[LinearRelation]) -> Self {
        Self::reduced(size, equations, largest)
    }

    /// The same with pivots of the lowest rank among the factors that are large enough.
    pub(super) fn by_rank(size: usize, equations: &[LinearRelation], rank: &[u64]) -> Self {
        Self::reduced(size, equations, |line| {
            let most = line[largest(line)?].abs();
            let large = (0..line.len()).filter(|place| line[*place].abs() >= LARGE * most);
            large.min_by_key(|place| rank[*place])
        })
    }

    fn reduced(size: usize, equations: &[LinearRelation], choose: impl Fn(&[f64]) -> Option<usize>) -> Self {
        // For each pivot the factors of the free unknowns, as a dense line.
        let mut lines: Vec<Option<Vec<f64>>> = vec![None; size];
        for equation in equations {
            let mut line = dense(size, equation, &lines);
            let Some(pivot) = choose(&line) else { continue };
            let divisor = -line[pivot];
            line[pivot] = 0.0;
            for factor in &mut line {
                *factor /= divisor;
            }
            for other in lines.iter_mut().flatten() {
                let factor = std::mem::take(&mut other[pivot]);
                add(other, factor, &line);
            }
            lines[pivot] = Some(line);
        }
        let free = (0..size).filter(|unknown| lines[*unknown].is_none()).collect();
        let sparse =
            |line: Vec<f64>| line.into_iter().enumerate().filter(|(_, factor)| factor.abs() > NOTHING).collect();
        let pivots = lines.into_iter().enumerate().filter_map(|(pivot, line)| Some((pivot, sparse(line?)))).collect();
        Self { free, pivots }
    }

    /// Gives the pivots of a direction the values that its free unknowns demand.
    pub(super) fn complete(&self, direction: &mut [f64]) {
        for (pivot, sum) in &self.pivots {
            let value = sum.iter().map(|&(unknown, factor)| factor * direction[unknown]).sum();
            direction[*pivot] = value;
        }
    }

    /// Puts the pivots of a point back to where the equations, which hold at the start, demand.
    pub(super) fn restore(&self, point: &mut [f64], start: &[f64]) {
        for (pivot, sum) in &self.pivots {
            let moved: f64 = sum.iter().map(|&(unknown, factor)| factor * (point[unknown] - start[unknown])).sum();
            point[*pivot] = start[*pivot] + moved;
        }
    }
}

/// An equation as a line over the free unknowns, pivots replaced by what they are sums of.
fn dense(size: usize, equation: &LinearRelation, lines: &[Option<Vec<f64>>]) -> Vec<f64> {
    let mut line = vec![0.0; size];
    for &(unknown, factor) in &equation.terms {
        match lines.get(unknown as usize) {
            Some(Some(sum)) => add(&mut line, factor, sum),
            Some(None) => line[unknown as usize] += factor,
            None => {}
        }
    }
    line
}

fn add(line: &mut [f64], factor: f64, other: &[f64]) {
    if factor != 0.0 {
        line.iter_mut().zip(other).for_each(|(sum, value)| *sum += factor * value);
    }
}

/// The place of the largest factor, if there is any.
fn largest(line: &[f64]) -> Option<usize> {
    let (place, factor) = line.iter().enumerate().max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()))?;
    (factor.abs() > NOTHING).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(terms: &[(u32, f64)]) -> LinearRelation {
        LinearRelation { terms: terms.to_vec(), bound: 0.0 }
    }

    #[test]
    fn directions_keep_the_equations() {
        let equations = [
            equation(&[(0, 1.0), (1, -2.0), (2, 1.0)]),
            equation(&[(1, 1.0), (2, -2.0), (3, 1.0)]),
            equation(&[(0, 1.0), (1, -1.0), (2, -1.0), (3, 1.0)]),
        ];
        let space = NullSpace::new(5, &equations);
        // The third follows from the other two.
        assert_eq!((space.free.len(), space.pivots.len()), (3, 2));
        let mut direction = [0.3, -1.0, 2.0, 0.7, 5.0];
        space.complete(&mut direction);
        for equation in &equations {
            assert!(equation.slack(&direction).abs() < 1e-12);
        }
        let start = [1.0, 2.0, 3.0, 4.0, 9.0];
        let mut point = [5.0, 0.0, 7.0, 1.0, 2.0];
        space.restore(&mut point, &start);
        assert!(equations.iter().all(|equation| equation.slack(&point).abs() < 1e-12));
    }

    #[test]
    fn without_equations_everything_is_free() {
        let space = NullSpace::new(2, &[]);
        assert_eq!((space.free.as_slice(), space.pivots.len()), ([0, 1].as_slice(), 0));
    }
}
