//! Sums of reciprocals and of logarithms, and steps of the gamma function, without cancellation.
//!
//! Populations have up to 10⁹ people and more. Differences of logarithms of such factorials lose half of their digits, so each
//! function here computes a difference at once: some terms one by one, until numbers are large, and the rest by the series of
//! Stirling, in which the large parts cancel by hand.

/// From here on the series has all digits.
const LARGE: f64 = 16.0;

/// Terms up to which a sum is taken term by term.
const FEW: u64 = 24;

/// 1/x + 1/(x + 1) + … with so many terms; x above 0.
pub(super) fn harmonic(x: f64, terms: u64) -> f64 {
    if terms <= FEW {
        return (0..terms).map(|term| 1.0 / (x + term as f64)).sum();
    }
    let first = if x < LARGE { libm::ceil(LARGE - x) } else { 0.0 };
    let direct: f64 = count(first).map(|term| 1.0 / (x + term)).sum();
    let (low, high) = (x + first, x + terms as f64);
    // The digamma function is ln x − 1/2x − 1/12x² + 1/120x⁴ − 1/252x⁶ + 1/240x⁸.
    let rest = |x: f64| {
        let square = 1.0 / (x * x);
        0.5 / x + square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)))
    };
    direct + libm::log1p((high - low) / low) + rest(low) - rest(high)
}

/// ln x + ln (x − 1) + … with so many terms, for a whole number x of at least as many.
pub(super) fn log_falling(x: f64, terms: u64) -> f64 {
    let below = x - terms as f64;
    if terms <= FEW {
        return (0..terms).map(|term| libm::log(x - term as f64)).sum();
    }
    let last = if below < LARGE { (LARGE - below).min(terms as f64) } else { 0.0 };
    let direct: f64 = count(last).map(|term| libm::log(below + term + 1.0)).sum();
    let (low, terms) = (below + last, terms as f64 - last);
    if terms <= 0.0 {
        return direct;
    }
    direct - (low + 0.5) * libm::log1p(-terms / x) + terms * libm::log(x) - terms + stirling(x) - stirling(low)
}

/// ln Γ(x + step) − ln Γ(x), for x above 0 and a step from 0 to 1.
pub(super) fn log_gamma_step(x: f64, step: f64) -> f64 {
    let first = if x < LARGE { libm::ceil(LARGE - x) } else { 0.0 };
    let direct: f64 = count(first).map(|term| libm::log((x + term) / (x + term + step))).sum();
    let low = x + first;
    let high = low + step;
    direct + (low - 0.5) * libm::log1p(step / low) + step * libm::log(high) - step + stirling(high) - stirling(low)
}

/// What Stirling's formula lacks.
fn stirling(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x
}

/// 0, 1, 2 … below a small number.
fn count(most: f64) -> impl Iterator<Item = f64> {
    (0_u8..).map(f64::from).take_while(move |term| *term < most)
}
