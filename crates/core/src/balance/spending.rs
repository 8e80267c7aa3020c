//! How to spend an income on goods with bounds: the general solution of the balance.
//!
//! Maximise Σ wₖ ln eₖ where the spendings eₖ lie between Lₖ and Mₖ and sum to the income. The objective is concave and
//! the constraints are affine, so the Karush-Kuhn-Tucker conditions decide: a free good has wₖ/eₖ = λ, one at its lower
//! bound wₖ/Lₖ ≤ λ, one at its upper bound wₖ/Mₖ ≥ λ. With τ = 1/λ that is eₖ = min(Mₖ, max(Lₖ, wₖτ)), and the sum of
//! these is a continuous, piecewise linear function of τ that never falls. Its breakpoints Lₖ/wₖ and Mₖ/wₖ are sorted and
//! swept until the piece that holds the income is found: O(n log n).
//!
//! A good of weight 0 stays at its lower bound. Only when every other good is at its upper bound do such goods take the
//! rest, each in proportion to its room; the satisfaction does not depend on how.
//!
//! Source: Zielinski & Olivier 2010 for the problem; our own derivation of the bounds.

/// What is wanted of a good, in units of spending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// Its exponent.
    pub weight: f64,
    /// The least that must be spent on it.
    pub least: f64,
    /// The most that may be; infinite where there is no such bound.
    pub most: f64,
}

/// Why an income cannot be spent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpendingError {
    /// The lower bounds sum to this, which is more.
    Deficit(f64),
    /// The upper bounds sum to this, which is less.
    Surplus(f64),
    /// The lower bound of the good at this place is above its upper bound.
    Crossed(usize),
}

/// Sums of bounds may miss the income by this share of it: levels that define the bounds spend it exactly, up to rounding.
const TOLERANCE: f64 = 1e-9;

/// The spending on each good that satisfies most.
pub fn spend(demands: &[Demand], income: f64) -> Result<Vec<f64>, SpendingError> {
    if let Some(place) = demands.iter().position(|demand| demand.least > demand.most * (1.0 + TOLERANCE)) {
        return Err(SpendingError::Crossed(place));
    }
    let least: f64 = demands.iter().map(|demand| demand.least).sum();
    let most: f64 = demands.iter().map(|demand| demand.most).sum();
    if least > income * (1.0 + TOLERANCE) {
        return Err(SpendingError::Deficit(least));
    }
    if most < income * (1.0 - TOLERANCE) {
        return Err(SpendingError::Surplus(most));
    }
    let tau = multiplier(demands, income);
    let spent: Vec<f64> = demands.iter().map(|demand| demand.at(tau)).collect();
    Ok(absorb(demands, spent, income))
}

impl Demand {
    /// The τ from which on more than the lower bound is spent, and that from which on the upper bound is.
    fn breaks(&self) -> (f64, f64) {
        let enters = self.least / self.weight;
        // Bounds that cross by a rounding error must not leave before they enter.
        (enters, (self.most / self.weight).max(enters))
    }

    /// What is spent on the good when a unit of weight gets τ.
    fn at(&self, tau: f64) -> f64 {
        if self.weight <= 0.0 { self.least } else { (self.weight * tau).max(self.least).min(self.most) }
    }
}

/// Where the sum of spendings changes its slope.
struct SlopeBreak {
    tau: f64,
    /// What the fixed part gains from here on.
    fixed: f64,
    slope: f64,
}

/// The τ at which all is spent; infinite when the weighted goods cannot take it all.
fn multiplier(demands: &[Demand], income: f64) -> f64 {
    let mut fixed: f64 = demands.iter().map(|demand| demand.least).sum();
    let mut slope = 0.0;
    let breaks = breakpoints(demands);
    let mut from = 0.0;
    for next in &breaks {
        if fixed + slope * next.tau >= income {
            return within(demands, income, from, next.tau);
        }
        fixed += next.fixed;
        slope += next.slope;
        from = next.tau;
    }
    within(demands, income, from, f64::INFINITY)
}

fn breakpoints(demands: &[Demand]) -> Vec<SlopeBreak> {
    let mut breaks = Vec::with_capacity(2 * demands.len());
    for demand in demands.iter().filter(|demand| demand.weight > 0.0) {
        let (enters, leaves) = demand.breaks();
        breaks.push(SlopeBreak { tau: enters, fixed: -demand.least, slope: demand.weight });
        if leaves.is_finite() {
            breaks.push(SlopeBreak { tau: leaves, fixed: demand.most, slope: -demand.weight });
        }
    }
    breaks.sort_by(|one, other| one.tau.total_cmp(&other.tau).then(other.slope.total_cmp(&one.slope)));
    breaks
}

/// The τ of one piece. The sums are taken anew, because those of a long sweep have gathered rounding errors.
fn within(demands: &[Demand], income: f64, from: f64, to: f64) -> f64 {
    let (mut fixed, mut slope) = (0.0, 0.0);
    for demand in demands {
        let (enters, leaves) = demand.breaks();
        let has_entered = demand.weight > 0.0 && enters <= from;
        if has_entered && leaves >= to {
            slope += demand.weight;
        } else {
            fixed += if has_entered { demand.most } else { demand.least };
        }
    }
    let tau = if slope > 0.0 { (income - fixed) / slope } else { to };
    tau.max(from).min(to)
}

/// Gives what is left to goods of weight 0.
fn absorb(demands: &[Demand], mut spent: Vec<f64>, income: f64) -> Vec<f64> {
    let rest = income - spent.iter().sum::<f64>();
    let idle = |demand: &Demand| demand.weight <= 0.0;
    let room = |demand: &Demand| (demand.most - demand.least).max(0.0);
    if rest <= TOLERANCE * income || !demands.iter().any(idle) {
        return spent;
    }
    let endless = demands.iter().filter(|demand| idle(demand) && demand.most.is_infinite()).count();
    let total: f64 = demands.iter().filter(|demand| idle(demand)).map(room).sum();
    for (demand, spent) in demands.iter().zip(&mut spent).filter(|(demand, _)| idle(demand)) {
        *spent += match endless {
            0 if total > 0.0 => rest * room(demand) / total,
            0 => 0.0,
            _ if demand.most.is_infinite() => rest / endless as f64,
            _ => 0.0,
        };
    }
    spent
}
