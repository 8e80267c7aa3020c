//! Three laws of how large classes are, fitted to a sample of n out of N people with u classes, u₁ of them of one.
//!
//! **Zayatz**: the sizes of the population's classes spread as those of the sample. A class of i shows one person with the
//! hypergeometric probability h(i); U = N/n · u₁² h(1) / Σ uᵢ h(i).
//!
//! **Pitman**: (θ, α) of the greatest likelihood, 0 ≤ α < 1 and θ > −α, with U = Γ(θ + 1) / Γ(θ + α) · N^α. An α below 10⁻⁶ is
//! taken for 0.
//!
//! **Slide negative binomial**: classes have one person and a negative binomial number more. The population, the classes that are
//! seen and those that show one person determine its parameters.
//!
//! Sources: Zayatz 1991; Pitman 1995 and Hoshino 2001; Chen & Keller-McNulty 1998.

use super::sizes::SizeSpectrum;

pub(super) fn zayatz(sizes: &SizeSpectrum, population: u64) -> f64 {
    let (all, people) = (population as f64, sizes.people as f64);
    // h(i + 1) is h(i) times (i + 1) / i times (N − n − i + 1) / (N − i): from class to class, until nothing is left.
    let (mut chance, mut at, mut sum) = (1.0_f64, 1_u64, 0.0);
    for (&size, &classes) in &sizes.of_size {
        while at < size && chance > 0.0 {
            let here = at as f64;
            chance *= (here + 1.0) / here * ((all - people - here + 1.0) / (all - here)).max(0.0);
            at += 1;
        }
        sum += if chance > 0.0 { classes as f64 * chance } else { 0.0 };
    }
    sizes.alone() * sizes.alone() / sum * all / people
}

/// Below this α is taken for 0, and as near it comes to 1.
const ENDS: [f64; 2] = [1e-6, 1.0 - 1e-9];

pub(super) fn pitman(sizes: &SizeSpectrum, population: u64) -> Option<f64> {
    let classes = sizes.classes();
    if classes < 2 || classes == sizes.people {
        return None;
    }
    let slope = |alpha: f64| slope_by_alpha(sizes, best_theta(sizes, alpha), alpha);
    let [low, high] = ENDS;
    if slope(low) <= 0.0 {
        return Some(best_theta(sizes, 0.0));
    }
    if slope(high) >= 0.0 {
        return None;
    }
    let alpha = halved(low, high, |alpha| slope(alpha) > 0.0);
    let theta = best_theta(sizes, alpha);
    Some((log_gamma_ratio(theta + alpha, 1.0 - alpha) + alpha * (population as f64).ln()).exp())
}

/// The θ at which the likelihood stops growing.
fn best_theta(sizes: &SizeSpectrum, alpha: f64) -> f64 {
    let grows = |log: f64| {
        let theta = log.exp() - alpha;
        by_classes(sizes, theta, alpha) > reciprocals(theta + 1.0, sizes.people - 1)
    };
    halved(-40.0, 60.0, grows).exp() - alpha
}

/// The sum of 1 / (θ + i α) for i from 1 to u − 1.
fn by_classes(sizes: &SizeSpectrum, theta: f64, alpha: f64) -> f64 {
    let terms = sizes.classes() - 1;
    if alpha == 0.0 { terms as f64 / theta } else { reciprocals(theta / alpha + 1.0, terms) / alpha }
}

fn slope_by_alpha(sizes: &SizeSpectrum, theta: f64, alpha: f64) -> f64 {
    let terms = (sizes.classes() - 1) as f64;
    let joined = sizes.of_size.iter().map(|(&size, &classes)| classes as f64 * reciprocals(1.0 - alpha, size - 1));
    (terms - theta * by_classes(sizes, theta, alpha)) / alpha - joined.sum::<f64>()
}

/// 1 / x + 1 / (x + 1) + … with so many terms: forty of them, and the rest by Euler and Maclaurin.
fn reciprocals(x: f64, terms: u64) -> f64 {
    let direct = terms.min(40);
    let sum: f64 = (0..direct).rev().map(|term| 1.0 / (x + term as f64)).sum();
    if direct == terms {
        return sum;
    }
    let (low, high) = (x + direct as f64, x + terms as f64);
    let correction =
        |x: f64| 1.0 / (2.0 * x) + 1.0 / (12.0 * x.powi(2)) - 1.0 / (120.0 * x.powi(4)) + 1.0 / (252.0 * x.powi(6));
    sum + ((high - low) / low).ln_1p() + correction(low) - correction(high)
}

/// ln Γ(x + d) − ln Γ(x), by Bernoulli's polynomials once x is large.
fn log_gamma_ratio(x: f64, d: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 100.0 {
        sum -= (d / x).ln_1p();
        x += 1.0;
    }
    let second = d * (d - 1.0);
    let third = d * (d - 0.5) * (d - 1.0);
    let fourth = second * second;
    let fifth = d.powi(5) - 2.5 * d.powi(4) + 5.0 / 3.0 * d.powi(3) - d / 6.0;
    sum + d * x.ln() + second / (2.0 * x) - third / (6.0 * x.powi(2)) + fourth / (12.0 * x.powi(3))
        - fifth / (20.0 * x.powi(4))
}

pub(super) fn slide_negative_binomial(sizes: &SizeSpectrum, population: u64) -> Option<f64> {
    let (all, people, classes) = (population as f64, sizes.people as f64, sizes.classes() as f64);
    let fraction = people / all;
    // By the mean m of what a class has beyond one: −ln of the chance that none of it is seen.
    let unseen = |mean: f64| (-fraction).ln_1p() - (-classes * (1.0 + mean) / all).ln_1p();
    let (low, high) = (people / classes - 1.0, all / classes - 1.0);
    if low <= 0.0 || high <= low {
        return None;
    }
    let high = halved(low, high, |mean| unseen(mean) < fraction * mean);
    // The chance falls with the spread s as ln (1 + s) / s does.
    let spread = |mean: f64| {
        let wanted = unseen(mean) / (fraction * mean);
        halved(-36.0, 80.0, |log| log.exp().ln_1p() / log.exp() > wanted).exp()
    };
    let shown = |mean: f64, spread: f64| {
        let seen_once = fraction * (1.0 + (1.0 - fraction) * mean / (1.0 + spread));
        all / (1.0 + mean) * (-unseen(mean)).exp() * seen_once
    };
    if shown(high, 0.0) >= sizes.alone() {
        return None;
    }
    let mean = halved(low, high, |mean| mean <= low || shown(mean, spread(mean)) > sizes.alone());
    let spread = spread(mean);
    Some(all / (1.0 + mean) * (-mean * fraction / spread * (spread / fraction).ln_1p()).exp())
}

/// Where something ends that holds from `low` on, and not at `high`.
fn halved(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9 * other.abs()
    }

    #[test]
    fn sums_are_those_of_their_terms() {
        for x in [0.01, 1.0, 33.3, 5e7] {
            for terms in [0, 40, 41, 5000_u32] {
                let direct: f64 = (0..terms).map(|term| 1.0 / (x + f64::from(term))).sum();
                assert!(near(reciprocals(x, terms.into()), direct) || terms == 0);
            }
            // A whole step is a factor.
            assert!((log_gamma_ratio(x, 1.0) - x.ln()).abs() < 1e-11, "{x}");
            let halves = log_gamma_ratio(x, 0.5) + log_gamma_ratio(x + 0.5, 0.5);
            assert!((halves - x.ln()).abs() < 1e-11, "{x}");
        }
    }

    #[test]
    fn the_likelihood_is_greatest_where_pitman_says() {
        let sizes = SizeSpectrum::count(&[vec![1; 40], vec![2; 9], vec![3; 4], vec![9, 30]].concat());
        let likelihood = |theta: f64, alpha: f64| {
            let grown: f64 = (1..sizes.classes()).map(|one| (theta + one as f64 * alpha).ln()).sum();
            let seen: f64 = (1..sizes.people).map(|one| (theta + one as f64).ln()).sum();
            let class = |size: u64| (1..size).map(|one| (one as f64 - alpha).ln()).sum::<f64>();
            grown - seen + sizes.of_size.iter().map(|(&size, &classes)| classes as f64 * class(size)).sum::<f64>()
        };
        let [low, high] = ENDS;
        let alpha = halved(low, high, |alpha| slope_by_alpha(&sizes, best_theta(&sizes, alpha), alpha) > 0.0);
        let theta = best_theta(&sizes, alpha);
        for (beside, step) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-2), (0.0, -1e-2), (1e-3, -1e-2)] {
            assert!(likelihood(theta + step, alpha + beside) < likelihood(theta, alpha));
        }
    }

    #[test]
    fn zayatz_by_hand() {
        // Of two classes of one and one of two among 8: h(1) = 1/2, h(2) = 2 · 4 · 4 / (8 · 7) = 4/7.
        let sizes = SizeSpectrum::count(&[1, 1, 2]);
        assert!(near(zayatz(&sizes, 8), 8.0 / 4.0 * 4.0 * 0.5 / (2.0 * 0.5 + 4.0 / 7.0)));
    }
}
