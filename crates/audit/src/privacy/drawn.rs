//! Differential privacy by a random sample: whether the claimed numbers keep the claimed promise.
//!
//! Nobody can see from bytes that records were drawn at random. What can be checked is the arithmetic: the chance of being drawn is at most
//! 1 − e^−ε, and a class of k drawn records gives somebody away with a chance of δ at most. For every count m from k on, the
//! worst table has the most records n of which m are more than the share γ = 1 − (1 − β) e^−ε; the chance that m or more of
//! them are drawn must not exceed δ. Beyond some m Chernoff's bound says so for all.
//!
//! The program bounds products of ratios; here are logarithms of factorials by Stirling's series, and sums, to six digits.
//!
//! Source: Bild, Kuhn, Prasser 2018; Li, Qardaji, Su 2012.

/// What is claimed.
#[derive(Clone, Copy)]
pub(crate) struct Drawn {
    pub epsilon: f64,
    /// What drawing the levels adds.
    pub epsilon_search: f64,
    pub delta: f64,
    pub beta: f64,
    pub k: u64,
    /// Whether the draw can be repeated by whoever knows a seed.
    pub seeded: bool,
}

/// What rounding may amount to.
const SLACK: f64 = 1.0 + 1e-6;

/// More counts than any sensible promise has to look at.
const MOST: u64 = 5_000_000;

impl Drawn {
    /// Whether the parameters are in range and k keeps the promise.
    pub fn is_kept(&self) -> bool {
        let Self { epsilon, epsilon_search, delta, beta, .. } = *self;
        let is_range = epsilon > 0.0 && epsilon <= 20.0 && (0.0..=20.0).contains(&epsilon_search);
        let is_chance = delta > 0.0 && delta < 1.0 && beta > 0.0 && beta <= -(-epsilon).exp_m1() * (1.0 + 1e-12);
        is_range && is_chance && self.is_large_enough()
    }

    fn is_large_enough(&self) -> bool {
        let Self { epsilon, delta, beta, k, .. } = *self;
        let rest = (1.0 - beta) * (-epsilon).exp();
        let gamma = 1.0 - rest;
        let divergence = gamma * (gamma / beta).ln() - rest * epsilon;
        let harmless = (-delta.ln() / divergence + 2.0) * gamma;
        if !(divergence > 0.0 && harmless < 1e15) {
            return false;
        }
        let last = (harmless.ceil() as u64).saturating_add(1);
        last.saturating_sub(k) <= MOST && (k..last).all(|m| tail(most_records(m, gamma), m, beta) <= delta * SLACK)
    }
}

/// The most records of which m are more than the share γ.
fn most_records(m: u64, gamma: f64) -> u64 {
    let whole = m as f64 / gamma;
    // A quotient that is whole but for rounding counts as above it: the safe side.
    let most = (whole * (1.0 + 1e-15)).ceil() as u64;
    most.saturating_sub(1).max(m)
}

/// The chance that m or more of n are drawn.
fn tail(n: u64, m: u64, beta: f64) -> f64 {
    let (left, right) = (beta.ln(), (-beta).ln_1p());
    let ways = |j: u64| ln_factorial(n) - ln_factorial(j) - ln_factorial(n - j);
    let mut term = (ways(m) + m as f64 * left + (n - m) as f64 * right).exp();
    let (mut sum, mut j) = (0.0, m);
    while term > sum * 1e-12 {
        sum += term;
        if j == n {
            break;
        }
        term *= (n - j) as f64 / (j + 1) as f64 * beta / (1.0 - beta);
        j += 1;
    }
    sum
}

/// Stirling's series; small numbers one by one.
fn ln_factorial(n: u64) -> f64 {
    if n < 16 {
        return (2..=n).map(|i| (i as f64).ln()).sum();
    }
    let x = n as f64;
    let half = 0.5 * (2.0 * std::f64::consts::PI * x).ln();
    x * (x.ln() - 1.0) + half + (1.0 - (1.0 / 30.0 - 1.0 / (105.0 * x * x)) / (x * x)) / (12.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(epsilon: f64, delta: f64, k: u64) -> bool {
        let beta = -(-epsilon).exp_m1();
        Drawn { epsilon, epsilon_search: 0.0, delta, beta, k, seeded: false }.is_kept()
    }

    #[test]
    fn k_is_large_enough_from_one_number_on() {
        for (epsilon, delta, k) in [
            (0.1, 1e-4, 38),
            (0.5, 1e-5, 51),
            (1.0, 1e-5, 61),
            (1.0, 1e-7, 91),
            (1.5, 1e-6, 99),
            (2.0, 1e-6, 131),
            (3.0, 1e-5, 226),
        ] {
            assert!(kept(epsilon, delta, k) && kept(epsilon, delta, k + 1), "{epsilon} {delta} {k}");
            assert!(!kept(epsilon, delta, k - 1) && !kept(epsilon, delta, 2), "{epsilon} {delta} {k}");
        }
    }

    #[test]
    fn a_chance_above_what_epsilon_permits_is_none() {
        let drawn = Drawn { epsilon: 1.0, epsilon_search: 0.0, delta: 1e-5, beta: 0.64, k: 1_000, seeded: false };
        assert!(!drawn.is_kept() && Drawn { beta: 0.5, ..drawn }.is_kept());
        assert!(!Drawn { epsilon: f64::NAN, ..drawn }.is_kept() && !Drawn { delta: 1.0, beta: 0.5, ..drawn }.is_kept());
    }

    #[test]
    fn factorials() {
        assert!((ln_factorial(15) - 1_307_674_368_000_f64.ln()).abs() < 1e-10);
        assert!((ln_factorial(20) - 2_432_902_008_176_640_000_f64.ln()).abs() < 1e-10);
        assert!((tail(2, 1, 0.5) - 0.75).abs() < 1e-12 && (tail(3, 3, 0.1) - 0.001).abs() < 1e-12);
    }
}
