//! Answers to a change of sums: how far segments go so that every equation holds again.
//!
//! Each coordinate of some segments changes the equations by its column. The lines of this matrix are made orthonormal
//! (Gram and Schmidt, twice where rounding asks for it); the shortest answer to a change of sums is then a sum of these lines,
//! and what is left of a direction without its shares in them keeps the equations.

/// What of a line counts as nothing: it follows from the lines before.
const NOTHING: f64 = 1e-9;

/// What must be left of a line after the first round, so that there is no second.
const ENOUGH: f64 = 0.1;

/// How much of an answer to other lines a line that follows from them may be off by.
const OFF: f64 = 1e-11;

/// The lines of a matrix, orthonormal.
#[derive(Default)]
pub(super) struct Projection {
    width: usize,
    /// Orthonormal lines, one after the other.
    basis: Vec<f64>,
    /// For each line of the matrix its length, and its shares in the orthonormal lines up to its own.
    lines: Vec<(f64, Vec<f64>, bool)>,
    shares: Vec<f64>,
}

impl Projection {
    /// Of a matrix of so many lines of this width.
    pub(super) fn renew(&mut self, (lines, width): (usize, usize), matrix: &mut [f64]) {
        self.width = width;
        self.basis.clear();
        self.lines.clear();
        if width == 0 {
            self.lines.resize(lines, (0.0, Vec::new(), false));
            return;
        }
        for line in matrix.chunks_mut(width) {
            let length = dot(line, line).sqrt();
            if length > 0.0 {
                for entry in line.iter_mut() {
                    *entry /= length;
                }
            }
            let mut shares = vec![0.0; self.basis.len() / width];
            let mut rest = 1.0;
            for _ in 0..2 {
                // Once more where little is left, of which rounding would be a large part.
                if !(ENOUGH..1.0).contains(&rest) {
                    for (own, share) in self.basis.chunks(width).zip(&mut shares) {
                        let part = dot(own, line);
                        *share += part;
                        line.iter_mut().zip(own).for_each(|(entry, own)| *entry -= part * own);
                    }
                    rest = dot(line, line).sqrt();
                }
            }
            let is_new = rest > NOTHING;
            if is_new {
                shares.push(rest);
                self.basis.extend(line.iter().map(|entry| entry / rest));
            }
            self.lines.push((length, shares, is_new));
        }
    }

    /// The shortest vector that changes the sums by as much as is wanted; whether there is one.
    pub(super) fn answer(&mut self, wanted: &[f64], answer: &mut Vec<f64>) -> bool {
        self.shares.clear();
        for ((length, line, is_new), wanted) in self.lines.iter().zip(wanted) {
            let wanted = if *length > 0.0 { wanted / length } else { *wanted };
            let known = line.len() - usize::from(*is_new);
            let so_far = dot(&line[..known], &self.shares[..known]);
            if let Some(own) = line.get(known) {
                self.shares.push((wanted - so_far) / own);
                continue;
            }
            let most = self.shares.iter().fold(0.0_f64, |most, share| most.max(share.abs()));
            let allowed = if *length > 0.0 { OFF * most } else { 0.0 };
            if (wanted - so_far).abs() > allowed {
                return false;
            }
        }
        answer.clear();
        answer.resize(self.width, 0.0);
        for (own, share) in self.basis.chunks(self.width.max(1)).zip(&self.shares) {
            answer.iter_mut().zip(own).for_each(|(entry, own)| *entry += share * own);
        }
        true
    }

    /// Takes from a direction what would change the sums.
    pub(super) fn project(&self, direction: &mut [f64]) {
        for own in self.basis.chunks(self.width.max(1)) {
            let share = dot(own, direction);
            direction.iter_mut().zip(own).for_each(|(entry, own)| *entry -= share * own);
        }
    }
}

/// The inner product; in four sums, which do not wait for each other.
pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    let ((ones, one), (others, other)) = (one.as_chunks::<4>(), other.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (one, other) in ones.iter().zip(others) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f64>() + one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_right_or_there_is_none() {
        // The third line is the sum of the others.
        let matrix = [[1.0, 2.0, 0.0, -1.0], [0.0, 1.0, 3.0, 1.0], [1.0, 3.0, 3.0, 0.0]];
        let mut projection = Projection::default();
        projection.renew((3, 4), &mut matrix.concat());
        let mut answer = Vec::new();
        assert!(projection.answer(&[2.0, -1.0, 1.0], &mut answer));
        for (line, wanted) in matrix.iter().zip([2.0, -1.0, 1.0]) {
            assert!((dot(line, &answer) - wanted).abs() < 1e-12);
        }
        assert!(!projection.answer(&[2.0, -1.0, 1.5], &mut answer));
        let mut direction = [0.3, -0.2, 1.0, 4.0];
        projection.project(&mut direction);
        assert!(matrix.iter().all(|line| dot(line, &direction).abs() < 1e-12) && dot(&direction, &direction) > 0.1);
    }

    #[test]
    fn a_line_of_nothing_asks_for_nothing() {
        let mut projection = Projection::default();
        projection.renew((2, 2), &mut [0.0, 0.0, 1.0, 1.0]);
        let mut answer = Vec::new();
        assert!(projection.answer(&[0.0, 3.0], &mut answer) && !projection.answer(&[0.1, 3.0], &mut answer));
        // Where nobody can answer, every change is too much.
        projection.renew((1, 0), &mut []);
        assert!(projection.answer(&[0.0], &mut answer) && !projection.answer(&[1e-9], &mut answer));
    }
}
