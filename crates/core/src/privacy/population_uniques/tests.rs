//! Each estimator against its definition, term by term, and the functions that they are made of.

use super::gamma::{harmonic, log_falling, log_gamma_step};
use super::*;

fn near(one: f64, other: f64, digits: f64) -> bool {
    (one - other).abs() <= digits * other.abs().max(1e-300)
}

#[test]
fn sums_are_those_of_their_terms() {
    for x in [0.001, 0.4, 1.0, 7.5, 15.9, 16.0, 3e6] {
        for terms in [0_u64, 1, 3, 24, 25, 400, 20_000] {
            let direct: f64 = (0..terms).rev().map(|term| 1.0 / (x + term as f64)).sum();
            assert!(near(harmonic(x, terms), direct, 1e-13), "{x} {terms}");
        }
    }
    for x in [30_u64, 400, 20_000] {
        for terms in [0, 1, 24, 25, 29, 30] {
            let direct: f64 = (0..terms).map(|term| ((x - term) as f64).ln()).sum();
            assert!(near(log_falling(x as f64, terms), direct, 1e-13), "{x} {terms}");
        }
    }
    for x in [1e-9, 0.3, 2.0, 17.0, 150.0] {
        for step in [0.0, 0.2, 1.0] {
            let direct = libm::lgamma(x + step) - libm::lgamma(x);
            assert!((log_gamma_step(x, step) - direct).abs() < 1e-11, "{x} {step}");
        }
        assert!(near(log_gamma_step(x, 1.0), x.ln(), 1e-9));
    }
}

/// A thousand million people, of whom the differences of logarithms would keep seven digits.
#[test]
fn terms_hold_for_a_thousand_million_people() {
    let all = 1e9;
    // The last of 10⁹ people is one of a hundred: a step of the falling factorial is one logarithm.
    for terms in [25, 1_000, 1_000_000] {
        let step = log_falling(all, terms + 1) - log_falling(all, terms);
        assert!((step - (all - terms as f64).ln()).abs() < 1e-6, "{terms}: {step}");
    }
    let ratio = log_falling(all - 1e6, 50) - log_falling(all - 1.0, 50);
    let direct: f64 = (0..50).map(|term| ((all - 1e6 - f64::from(term)) / (all - 1.0 - f64::from(term))).ln()).sum();
    assert!(near(ratio, direct, 1e-9), "{ratio} {direct}");
    assert!(near(log_gamma_step(all, 0.5), 0.5 * all.ln(), 1e-9));
    let sizes = SizedClasses::new((0..2000).map(|place| 1 + place % 7 * (place % 3)).collect());
    for estimator in UniquesEstimator::ALL {
        if let Some(found) = estimate(estimator, &sizes, 1_000_000_000) {
            assert!(found > 0.0 && found < 1e9, "{}: {found}", estimator.name());
        }
    }
}

fn choose(all: u64, some: u64) -> f64 {
    (0..some).map(|one| (all - one) as f64 / (some - one) as f64).product()
}

#[test]
fn zayatz_by_the_hypergeometric_law() {
    let sizes = [1, 1, 1, 2, 2, 4];
    let (people, classes) = (11, sizes.len() as f64);
    for population in [12, 15, 40] {
        let shows_one = |size: u64| match population - size {
            others if others + 1 < people => 0.0,
            others => size as f64 * choose(others, people - 1) / choose(population, people),
        };
        let share = |size: u64| sizes.iter().filter(|one| **one == size).count() as f64 / classes;
        let sum: f64 = [1, 2, 4].iter().map(|&size| share(size) * shows_one(size)).sum();
        let expected = 3.0 * share(1) * shows_one(1) / sum * population as f64 / people as f64;
        let found = estimate(UniquesEstimator::Zayatz, &SizedClasses::new(sizes.to_vec()), population).unwrap();
        assert!(near(found, expected, 1e-12), "{found} {expected}");
    }
}

/// The logarithm of the likelihood of Pitman's law, term by term.
fn likelihood(sizes: &[u64], theta: f64, alpha: f64) -> f64 {
    let (classes, people) = (sizes.len() as u64, sizes.iter().sum::<u64>());
    let grown: f64 = (1..classes).map(|one| (theta + one as f64 * alpha).ln()).sum();
    let seen: f64 = (1..people).map(|one| (theta + one as f64).ln()).sum();
    let joined: f64 = sizes.iter().map(|&size| (1..size).map(|one| (one as f64 - alpha).ln()).sum::<f64>()).sum();
    grown - seen + joined
}

#[test]
fn no_parameters_are_likelier_than_pitmans() {
    let samples: [Vec<u64>; 4] = [
        [vec![1; 40], vec![2; 9], vec![3; 4], vec![9, 30]].concat(),
        [vec![1; 5], vec![2; 20], vec![3; 30]].concat(),
        [vec![1; 200], vec![2; 3]].concat(),
        [vec![1; 3], vec![60, 80, 200]].concat(),
    ];
    for sizes in samples {
        let population = 100_000;
        let best = (0..100).flat_map(|step| (0..200).map(move |other| (f64::from(step) / 100.0, f64::from(other))));
        let best = best.map(|(alpha, other)| (alpha, (other / 10.0 - 8.0).exp() - alpha));
        let best = best.map(|(alpha, theta)| (likelihood(&sizes, theta, alpha), theta, alpha));
        let (grid, theta, alpha) =
            best.filter(|best| best.0.is_finite()).max_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
        let found = estimate(UniquesEstimator::Pitman, &SizedClasses::new(sizes.clone()), population).unwrap();
        let rough = (libm::lgamma(theta + 1.0) - libm::lgamma(theta + alpha)).exp() * (population as f64).powf(alpha);
        assert!((found / rough).ln().abs() < 0.3, "{found} beside {rough} at {theta} {alpha} with {grid}");
    }
}

/// A sample as the slide negative binomial law expects it, class by class.
fn expected_sample(classes: f64, size: f64, scale: f64, fraction: f64) -> Vec<u64> {
    let scale = fraction * scale;
    let mut others = (1.0 + scale).powf(-size);
    let mut sample = Vec::new();
    let mut before = 0.0;
    for seen in 0..400_u32 {
        let shown = fraction * before + (1.0 - fraction) * others;
        if seen > 0 {
            sample.extend(vec![u64::from(seen); whole(classes * shown)]);
        }
        before = others;
        others *= (size + f64::from(seen)) / f64::from(seen + 1) * scale / (1.0 + scale);
    }
    sample
}

/// The nearest whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "these are counts of records")]
fn whole(number: f64) -> usize {
    number.round() as usize
}

#[test]
fn snb_finds_the_law_that_a_sample_comes_from() {
    for (classes, size, scale, fraction) in [(2e5, 0.7, 6.0, 0.1), (1e5, 2.0, 1.5, 0.3), (1e6, 0.3, 20.0, 0.05)] {
        let sample = SizedClasses::new(expected_sample(classes, size, scale, fraction));
        let population = whole(sample.people() as f64 / fraction) as u64;
        let found = estimate(UniquesEstimator::Snb, &sample, population).unwrap();
        let expected = classes * (1.0_f64 + scale).powf(-size);
        assert!(near(found, expected, 0.02), "{found} {expected}");
    }
}

#[test]
fn no_estimate_is_no_pass() {
    let alone = SizedClasses::new(vec![1; 50]);
    assert_eq!([UniquesEstimator::Pitman, UniquesEstimator::Snb].map(|one| estimate(one, &alone, 5000)), [None, None]);
    let small = |estimator| PopulationUniques { max: 1.0, estimator, population: PopulationExtent::Size(5000) };
    assert!(!small(UniquesEstimator::Pitman).holds(&alone) && !small(UniquesEstimator::Snb).holds(&alone));
    assert!(
        !small(UniquesEstimator::Dankar).holds(&alone) && small(UniquesEstimator::Pitman).nearest(&alone).is_none()
    );
    // From a tenth on Dankar's rule needs no law.
    let large =
        PopulationUniques { max: 1.0, estimator: UniquesEstimator::Dankar, population: PopulationExtent::Size(400) };
    assert!(large.holds(&alone));
}

#[test]
fn what_is_known_needs_no_law() {
    let sample = SizedClasses::new(vec![1, 1, 3]);
    for estimator in UniquesEstimator::ALL {
        assert_eq!(estimate(estimator, &SizedClasses::new(vec![2, 3, 9]), 1_000_000), Some(0.0));
        assert_eq!(estimate(estimator, &sample, 5), Some(2.0));
        assert_eq!(estimate(estimator, &sample, 1), Some(2.0));
    }
    let half = PopulationExtent::Fraction(Ratio::from(0.3));
    // 5 / 0.3 is 16.67.
    assert_eq!((half.size(&sample), PopulationExtent::Size(3).size(&sample)), (17, 5));
}
