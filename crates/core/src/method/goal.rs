//! A wanted distortion: the turn of a dial that gives it.
//!
//! Nobody knows beforehand which setting gives which distortion. So a method is run at some turns of one dial: coarse ones
//! first, then halves between two turns on either side of the goal. The first run whose distortion is within the tolerance is
//! the answer. If there is none, the error names the nearest one.
//!
//! Limit: distortion need not grow steadily with a dial. The search ends after several turns in a row that lead away from the
//! goal.
//!
//! Source: Xue et al. 2011 tune theta, and the interval of the noise, to a distortion.

use crate::walk::WalkError;

/// A distortion, and how far off it may be as a share of itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct DistortionGoal {
    pub wanted: f64,
    pub tolerance: f64,
}

impl DistortionGoal {
    /// Whether a distortion is near enough.
    pub(super) fn is_met(self, found: f64) -> bool {
        self.off(found) <= self.tolerance * self.wanted + 1e-12
    }

    fn off(self, found: f64) -> f64 {
        (found - self.wanted).abs()
    }
}

/// What is turned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dial {
    /// The turns that are tried first, all one way.
    pub turns: &'static [f64],
    /// Whether there is nothing between whole numbers.
    pub whole: bool,
}

/// A run at a turn of the dial.
#[derive(Debug)]
pub(super) struct DialRun<T> {
    pub turn: f64,
    pub distortion: f64,
    pub outcome: T,
}

/// Halvings between two turns.
const HALVINGS: usize = 16;

/// Turns in a row that may lead away from the goal.
const AWAY: usize = 4;

/// The run that meets the goal, or the nearest one; `run` gives a distortion and what came of it.
pub(super) fn seek<T, E>(
    goal: DistortionGoal,
    dial: Dial,
    mut run: impl FnMut(f64) -> Result<(f64, T), E>,
) -> Result<Option<DialRun<T>>, E> {
    let mut at = |turn| run(turn).map(|(distortion, outcome)| DialRun { turn, distortion, outcome });
    let mut nearest: Option<DialRun<T>> = None;
    let mut before: Option<(f64, f64)> = None;
    let mut away = 0;
    for &turn in dial.turns {
        let found = at(turn)?;
        let here = (found.turn, found.distortion);
        let is_nearer = keep_nearer(goal, &mut nearest, found);
        away = if is_nearer { 0 } else { away + 1 };
        if let Some(before) = before
            && is_between(goal.wanted, before.1, here.1)
        {
            halve(goal, dial, [before, here], &mut nearest, &mut at)?;
            away = 0;
        }
        if away == AWAY || nearest.as_ref().is_some_and(|nearest| goal.is_met(nearest.distortion)) {
            break;
        }
        before = Some(here);
    }
    Ok(nearest)
}

/// Halves the way between two turns, of which one gives too little and the other too much.
fn halve<T, E>(
    goal: DistortionGoal,
    dial: Dial,
    mut ends: [(f64, f64); 2],
    nearest: &mut Option<DialRun<T>>,
    at: &mut impl FnMut(f64) -> Result<DialRun<T>, E>,
) -> Result<(), E> {
    for _ in 0..HALVINGS {
        if nearest.as_ref().is_some_and(|nearest| goal.is_met(nearest.distortion)) {
            break;
        }
        let middle = f64::midpoint(ends[0].0, ends[1].0);
        let middle = if dial.whole { middle.round() } else { middle };
        if ends.iter().any(|end| (end.0 - middle).abs() < f64::EPSILON) {
            break;
        }
        let found = at(middle)?;
        let here = (middle, found.distortion);
        keep_nearer(goal, nearest, found);
        ends = if is_between(goal.wanted, ends[0].1, here.1) { [ends[0], here] } else { [here, ends[1]] };
    }
    Ok(())
}

fn is_between(wanted: f64, one: f64, other: f64) -> bool {
    (one - wanted) * (other - wanted) <= 0.0
}

/// Keeps the nearer one; whether that is the new one.
fn keep_nearer<T>(goal: DistortionGoal, nearest: &mut Option<DialRun<T>>, found: DialRun<T>) -> bool {
    let is_nearer = nearest.as_ref().is_none_or(|nearest| goal.off(found.distortion) < goal.off(nearest.distortion));
    if is_nearer {
        *nearest = Some(found);
    }
    is_nearer
}

/// The complaint that no turn gives the wanted distortion; numbers have four decimals at most.
pub(super) fn unreached(goal: DistortionGoal, by: &'static str, nearest: f64, at: f64) -> WalkError {
    let short = |number: f64| format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned();
    WalkError::Unreached { wanted: short(goal.wanted), by, nearest: short(nearest), at: short(at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURNS: Dial = Dial { turns: &[0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], whole: false };

    fn found(wanted: f64, dial: Dial, law: impl Fn(f64) -> f64) -> (f64, f64, usize) {
        let mut runs = 0;
        let run = |turn| {
            runs += 1;
            Ok::<_, ()>((law(turn), ()))
        };
        let nearest = seek(DistortionGoal { wanted, tolerance: 0.01 }, dial, run).unwrap().unwrap();
        (nearest.turn, nearest.distortion, runs)
    }

    #[test]
    fn a_goal_is_met_whichever_way_the_dial_leads() {
        for law in [|turn: f64| turn / 10.0, |turn: f64| 2.0 - turn / 40.0, |turn: f64| (turn / 64.0).sqrt()] {
            let (turn, distortion, runs) = found(0.73, TURNS, law);
            assert!((distortion - 0.73).abs() <= 0.0073 && (law(turn) - distortion).abs() < 1e-12 && runs < 25);
        }
    }

    #[test]
    fn what_cannot_be_reached_has_a_nearest() {
        let (turn, distortion, _) = found(9.0, TURNS, |turn| 1.0 - 1.0 / (1.0 + turn));
        assert!((turn - 64.0).abs() < 1e-12 && distortion < 1.0);
        // Each turn leads further away: four of them are enough.
        let (turn, _, runs) = found(0.1, TURNS, |turn| 0.2 + turn);
        assert!(turn.abs() < 1e-12 && runs == 5);
    }

    #[test]
    fn between_whole_numbers_there_is_nothing() {
        let (turn, _, runs) = found(0.55, Dial { whole: true, ..TURNS }, |turn| turn / 10.0);
        assert!([5.0, 6.0].iter().any(|near| (turn - near).abs() < 1e-12) && runs <= 10, "{turn} {runs}");
    }
}
