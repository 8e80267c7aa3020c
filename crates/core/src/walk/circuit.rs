//! Directions of few unknowns that keep every equation.
//!
//! An unknown changes the equations in which it stands, each by its factor: these factors are its column. Unknowns with
//! parallel columns make a class. Three kinds of directions keep all equations:
//!
//! * a **pair** of a class: what the one adds, the other takes away (`x + d·b`, `y − d·a`, wherever they stand);
//! * a **swap** of four unknowns whose classes stand in two equations each, as the cells of a table with kept margins do: two
//!   cells of one line go up and down, two of another down and up;
//! * a **circuit**: one unknown of a class, and one of each class whose columns sum to its own, with factors that the null space
//!   tells. Which unknowns of these classes move is drawn. So are the classes ([`Circuits::renew`]): no single value has to give room
//!   for all others.
//!
//! Pairs and circuits together reach every direction that keeps the equations: circuits move between classes, pairs within
//! one. No direction depends on where the values are, so a step along its whole chord keeps the uniform law.
//!
//! Source: our own; swaps after Diaconis and Sturmfels 1998.

use hashbrown::HashMap;

use super::null_space::NullSpace;
use super::region::LinearRelation;
use super::stored;
use crate::random::Stream;

/// The most that drawing new pivots may cost, in multiplications.
const RENEWAL: usize = 2_000_000;

/// Columns that differ by less are parallel.
const STEP: f64 = 1e-10;

/// An unknown or a class, and a factor.
type CircuitFactor = (u32, f64);

/// An unknown and how far it goes.
pub(super) type CircuitMove = (usize, f64);

/// The unknowns of some equations by their classes.
pub(super) struct Circuits {
    classes: Vec<ParallelUnknowns>,
    /// The class of each unknown and its place there; none where it stands in no equation.
    class_of: Vec<Option<(u32, u32)>>,
    /// The equations between classes.
    equations: Vec<LinearRelation>,
    /// The classes that stand in exactly these two equations.
    corners: HashMap<[u32; 2], Vec<u32>>,
    is_pivot: Vec<bool>,
    /// For each class that is no pivot the pivots that follow it, with how far.
    followers: Vec<Vec<(u32, f64)>>,
    /// For each pivot the classes that it follows.
    leaders: Vec<Vec<u32>>,
}

/// Unknowns with parallel columns.
pub(super) struct ParallelUnknowns {
    /// Each with the factor by which its column is that of the class.
    pub members: Vec<(u32, f64)>,
    /// Equations and factors, the largest of which is 1.
    column: Vec<(u32, f64)>,
}

impl ParallelUnknowns {
    fn factor(&self, equation: u32) -> Option<f64> {
        self.column.iter().find(|(own, _)| *own == equation).map(|(_, factor)| *factor)
    }
}

impl Circuits {
    pub(super) fn new(size: usize, equations: &[LinearRelation]) -> Self {
        let mut columns: Vec<Vec<(u32, f64)>> = vec![Vec::new(); size];
        for (number, equation) in (0_u32..).zip(equations) {
            equation.terms.iter().for_each(|&(unknown, factor)| columns[unknown as usize].push((number, factor)));
        }
        let mut classes: Vec<ParallelUnknowns> = Vec::new();
        let mut known: HashMap<Vec<(u32, i64)>, u32> = HashMap::new();
        let mut class_of = vec![None; size];
        for (unknown, mut column) in (0_u32..).zip(columns) {
            let Some(lead) = lead(&column) else { continue };
            for (_, factor) in &mut column {
                *factor /= lead;
            }
            let class = *known.entry(key(&column)).or_insert(stored(classes.len()));
            if class as usize == classes.len() {
                classes.push(ParallelUnknowns { members: Vec::new(), column });
            }
            let members = &mut classes[class as usize].members;
            class_of[unknown as usize] = Some((class, stored(members.len())));
            members.push((unknown, lead));
        }
        let mut circuits = Self {
            equations: between(&classes, equations.len()),
            corners: corners(&classes),
            is_pivot: vec![false; classes.len()],
            followers: vec![Vec::new(); classes.len()],
            leaders: vec![Vec::new(); classes.len()],
            classes,
            class_of,
        };
        // Simple classes first, and of these the largest.
        let rank = |class: &ParallelUnknowns| {
            (class.column.len() as u64) << 48 | (u64::from(u32::MAX) - class.members.len() as u64)
        };
        let ranks: Vec<u64> = circuits.classes.iter().map(rank).collect();
        circuits.choose(&ranks);
        circuits
    }

    /// The members of each class that is no pivot, and the pivots that follow it.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&[CircuitFactor], &[CircuitFactor])> {
        let all = self.classes.iter().zip(&self.followers).zip(&self.is_pivot);
        all.filter(|(_, is_pivot)| !**is_pivot)
            .map(|((class, followers), _)| (class.members.as_slice(), followers.as_slice()))
    }

    /// The pivots, each with the members of its class.
    pub(super) fn pivots(&self) -> impl Iterator<Item = (u32, &[(u32, f64)])> {
        let all = (0..).zip(&self.classes).zip(&self.is_pivot);
        all.filter(|(_, is_pivot)| **is_pivot).map(|((place, class), _)| (place, class.members.as_slice()))
    }

    /// How far each pivot must go to change the equations so, as far as its class goes; `None` where they cannot.
    pub(super) fn in_pivots(&self, changes: &[f64]) -> Option<Vec<f64>> {
        let columns: Vec<&[(u32, f64)]> = self
            .classes
            .iter()
            .zip(&self.is_pivot)
            .filter(|(_, is_pivot)| **is_pivot)
            .map(|(class, _)| class.column.as_slice())
            .collect();
        solve(&columns, changes)
    }

    /// Draws other pivots, where that does not cost too much.
    pub(super) fn renew(&mut self, stream: &mut Stream) {
        let equations = self.equations.len();
        if equations.saturating_mul(equations).saturating_mul(self.classes.len()) <= RENEWAL {
            let rank = |class: &ParallelUnknowns| (class.column.len() as u64) << 48 | stream.bits() >> 16;
            let ranks: Vec<u64> = self.classes.iter().map(rank).collect();
            self.choose(&ranks);
        }
    }

    fn choose(&mut self, ranks: &[u64]) {
        let space = NullSpace::by_rank(self.classes.len(), &self.equations, ranks);
        self.followers.iter_mut().for_each(Vec::clear);
        self.leaders.iter_mut().for_each(Vec::clear);
        self.is_pivot.fill(false);
        for (pivot, sum) in &space.pivots {
            self.is_pivot[*pivot] = true;
            for &(class, factor) in sum {
                self.followers[class].push((stored(*pivot), factor));
                self.leaders[*pivot].push(stored(class));
            }
        }
    }

    /// A direction in which an unknown goes by 1; of no moves where the equations leave it none.
    pub(super) fn draw(&self, unknown: usize, moves: &mut Vec<CircuitMove>, stream: &mut Stream) {
        moves.clear();
        let Some((place, member)) = self.class_of[unknown] else { return moves.push((unknown, 1.0)) };
        let own = (unknown, self.classes[place as usize].members[member as usize].1);
        let (is_pair, is_swap) = (stream.bits() & 1 == 0, stream.bits() & 1 == 0);
        let is_drawn = is_pair && self.pair(place, member, moves, stream)
            || is_swap && self.swap(place, own, moves, stream)
            || self.circuit(place as usize, own, moves, stream);
        if !is_drawn {
            self.pair(place, member, moves, stream);
        }
    }

    /// A member of a class and any other.
    fn pair(&self, place: u32, member: u32, moves: &mut Vec<CircuitMove>, stream: &mut Stream) -> bool {
        let members = &self.classes[place as usize].members;
        if members.len() < 2 {
            return false;
        }
        let ahead = 1 + stream.below(members.len() - 1);
        let (one, own) = members[member as usize];
        let (other, factor) = members[(member as usize + ahead) % members.len()];
        moves.extend([(one as usize, 1.0), (other as usize, -own / factor)]);
        true
    }

    /// Four corners of a rectangle whose sides are equations.
    fn swap(&self, place: u32, one: (usize, f64), moves: &mut Vec<CircuitMove>, stream: &mut Stream) -> bool {
        self.rectangle(place, stream).is_some_and(|corners| {
            moves.push((one.0, 1.0));
            moves.extend(corners.map(|(class, factor)| self.member(class, one.1 * factor, stream)));
            true
        })
    }

    /// The other three corners, by their classes, with how far these go where the first goes by 1.
    fn rectangle(&self, first: u32, stream: &mut Stream) -> Option<[(u32, f64); 3]> {
        let [(line, in_line), (row, in_row)] = *self.classes[first as usize].column.as_slice() else { return None };
        let mut neighbour = |equation: u32, crossing: u32| {
            let near = &self.equations[equation as usize].terms;
            let class = near.get(stream.below(near.len()))?.0;
            let [(one, _), (two, _)] = *self.classes[class as usize].column.as_slice() else { return None };
            let across = if one == equation { two } else { one };
            (across != crossing).then_some((class, across))
        };
        let ((beside, other_row), (below, other_line)) = (neighbour(line, row)?, neighbour(row, line)?);
        let factor = |class: u32, equation: u32| self.classes[class as usize].factor(equation);
        let aside = -in_line / factor(beside, line)?;
        let down = -in_row / factor(below, row)?;
        let across = self.corners.get(&[other_line.min(other_row), other_line.max(other_row)])?;
        let last = *across.get(stream.below(across.len()))?;
        let (from_beside, from_below) = (aside * factor(beside, other_row)?, down * factor(below, other_line)?);
        let amount = -from_beside / factor(last, other_row)?;
        let is_kept = (amount * factor(last, other_line)? + from_below).abs() < STEP * (1.0 + from_below.abs());
        is_kept.then_some([(beside, aside), (below, down), (last, amount)])
    }

    fn circuit(&self, place: usize, one: (usize, f64), moves: &mut Vec<CircuitMove>, stream: &mut Stream) -> bool {
        let led = &self.leaders[place];
        let (leader, amount) = match led.get(stream.below(led.len())) {
            None => (place, one.1),
            Some(&leader) => {
                let own = |follower: &&(u32, f64)| follower.0 as usize == place;
                let factor = self.followers[leader as usize].iter().find(own).map_or(1.0, |follower| follower.1);
                (leader as usize, one.1 / factor)
            }
        };
        if self.followers[leader].is_empty() {
            return false;
        }
        moves.push((one.0, 1.0));
        if leader != place {
            moves.push(self.member(stored(leader), amount, stream));
        }
        let others = self.followers[leader].iter().filter(|(class, _)| *class as usize != place);
        moves.extend(others.map(|&(class, factor)| self.member(class, amount * factor, stream)));
        true
    }

    /// Any member of a class, going as far as the class has to.
    fn member(&self, class: u32, amount: f64, stream: &mut Stream) -> CircuitMove {
        let members = &self.classes[class as usize].members;
        let (unknown, factor) = members[stream.below(members.len())];
        (unknown as usize, amount / factor)
    }
}

/// The factors of columns, linearly independent, with which they sum up to the wanted.
fn solve(columns: &[&[(u32, f64)]], wanted: &[f64]) -> Option<Vec<f64>> {
    let width = columns.len() + 1;
    let mut lines: Vec<Vec<f64>> = wanted
        .iter()
        .map(|wanted| {
            let mut line = vec![0.0; width];
            line[width - 1] = *wanted;
            line
        })
        .collect();
    for (place, column) in columns.iter().enumerate() {
        column.iter().for_each(|&(equation, factor)| lines[equation as usize][place] = factor);
    }
    for place in 0..columns.len() {
        let largest = (place..lines.len())
            .max_by(|one, other| lines[*one][place].abs().total_cmp(&lines[*other][place].abs()))?;
        lines.swap(place, largest);
        let pivot = std::mem::take(&mut lines[place]);
        if pivot[place].abs() < STEP {
            return None;
        }
        for line in lines.iter_mut().filter(|line| !line.is_empty() && line[place] != 0.0) {
            let factor = line[place] / pivot[place];
            line.iter_mut().zip(&pivot).skip(place).for_each(|(entry, own)| *entry -= factor * own);
        }
        lines[place] = pivot;
    }
    let is_left = lines[columns.len()..].iter().any(|line| line[width - 1].abs() > 1e-6);
    let answer = lines.iter().take(columns.len()).enumerate().map(|(place, line)| line[width - 1] / line[place]);
    (!is_left).then(|| answer.collect())
}

/// The factor by which a column is divided: the first of the largest ones.
fn lead(column: &[(u32, f64)]) -> Option<f64> {
    let most = column.iter().map(|(_, factor)| factor.abs()).fold(0.0, f64::max);
    column.iter().map(|(_, factor)| *factor).find(|factor| factor.abs() > 0.0 && factor.abs() >= most * (1.0 - STEP))
}

/// What parallel columns have in common.
#[allow(clippy::cast_possible_truncation)] // factors of at most 1
fn key(column: &[(u32, f64)]) -> Vec<(u32, i64)> {
    column.iter().map(|(equation, factor)| (*equation, (factor / STEP).round() as i64)).collect()
}

fn between(classes: &[ParallelUnknowns], count: usize) -> Vec<LinearRelation> {
    let mut equations = vec![LinearRelation { terms: Vec::new(), bound: 0.0 }; count];
    for (place, class) in classes.iter().enumerate() {
        class
            .column
            .iter()
            .for_each(|&(equation, factor)| equations[equation as usize].terms.push((stored(place), factor)));
    }
    equations
}

fn corners(classes: &[ParallelUnknowns]) -> HashMap<[u32; 2], Vec<u32>> {
    let mut corners: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    for (place, class) in classes.iter().enumerate() {
        if let [(one, _), (other, _)] = *class.column.as_slice() {
            corners.entry([one.min(other), one.max(other)]).or_default().push(stored(place));
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    fn equation(terms: &[(u32, f64)]) -> LinearRelation {
        LinearRelation { terms: terms.to_vec(), bound: 0.0 }
    }

    /// A table of lines and rows with kept margins; the columns have scales of their own.
    fn table(lines: u32, rows: u32) -> Vec<LinearRelation> {
        let cell = |line: u32, row: u32| (line * rows + row, f64::from(row + 1));
        let of_line = |line: u32| equation(&(0..rows).map(|row| cell(line, row)).collect::<Vec<_>>());
        let of_row = |row: u32| equation(&(0..lines).map(|line| cell(line, row)).collect::<Vec<_>>());
        (0..lines).map(of_line).chain((0..rows).map(of_row)).collect()
    }

    /// How many unknowns the directions of each unknown move, after each was seen to keep the equations.
    fn sizes(size: usize, equations: &[LinearRelation]) -> Vec<Vec<usize>> {
        let mut stream = Seed::from(3).stream(0);
        let mut circuits = Circuits::new(size, equations);
        let mut met = vec![Vec::new(); size];
        let mut moves = Vec::new();
        for _ in 0..40 {
            circuits.renew(&mut stream);
            for (unknown, met) in met.iter_mut().enumerate() {
                circuits.draw(unknown, &mut moves, &mut stream);
                let mut direction = vec![0.0; size];
                for &(mover, step) in &moves {
                    direction[mover] += step;
                }
                for equation in equations {
                    assert!(equation.slack(&direction).abs() < 1e-9, "{unknown}: {moves:?}");
                }
                assert!(moves.is_empty() || (direction[unknown] - 1.0).abs() < 1e-12);
                met.push(moves.len());
            }
        }
        met
    }

    #[test]
    fn values_of_one_total_move_in_pairs() {
        let met = sizes(4, &[equation(&[(0, 1.0), (1, 2.5), (3, -1.0)])]);
        assert!(met[0].iter().all(|moves| *moves == 2) && met[2].iter().all(|moves| *moves == 1));
    }

    #[test]
    fn cells_of_a_table_move_in_fours() {
        let met = sizes(12, &table(3, 4));
        let fours = met.iter().flatten().filter(|moves| **moves == 4).count();
        assert!(fours * 2 > met.iter().flatten().count(), "{fours}");
    }

    #[test]
    fn columns_that_are_sums_of_others_move_with_those() {
        // The third value stands in both totals, three times in the second.
        let met = sizes(5, &[equation(&[(0, 1.0), (1, 1.0), (2, 1.0)]), equation(&[(2, 3.0), (3, 1.0), (4, 1.0)])]);
        assert!(met[2].iter().all(|moves| *moves == 3));
    }

    #[test]
    fn what_the_equations_fix_does_not_move() {
        let met = sizes(3, &[equation(&[(0, 1.0)]), equation(&[(0, 1.0), (1, 1.0), (2, 1.0)])]);
        assert!(met[0].iter().all(|moves| *moves == 0) && met[1].iter().all(|moves| *moves == 2));
    }
}
