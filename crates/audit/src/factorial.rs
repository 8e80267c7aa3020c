//! The logarithm of a factorial, by Stirling's series; small numbers factor by factor.

/// `ln n!`, to ten digits.
pub(crate) fn ln_factorial(n: u64) -> f64 {
    if n < 16 {
        return (2..=n).map(|factor| (factor as f64).ln()).sum();
    }
    let x = n as f64;
    let half = 0.5 * (std::f64::consts::TAU * x).ln();
    x * (x.ln() - 1.0) + half + (1.0 - (1.0 / 30.0 - 1.0 / (105.0 * x * x)) / (x * x)) / (12.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials() {
        assert!((ln_factorial(15) - 1_307_674_368_000_f64.ln()).abs() < 1e-10);
        assert!((ln_factorial(20) - 2_432_902_008_176_640_000_f64.ln()).abs() < 1e-10);
    }
}
