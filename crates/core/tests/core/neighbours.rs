//! Whether a sample keeps its promise: what is released of a table and of its neighbour, drawn many times.
//!
//! A statistical test can refute a promise and never prove it; the seed makes it the same each time. The large one is a benchmark.

use equanym_core::card::{Parameters, Value};
use equanym_core::privacy::{self, Sampling};
use equanym_core::random::Seed;

fn sampling(epsilon: f64, delta: f64) -> Sampling {
    let given = [("epsilon", epsilon), ("delta", delta)].map(|(name, number)| (name.to_owned(), Value::Number(number)));
    privacy::build("differential-privacy", &Parameters::from(given), &[]).unwrap().sampling().unwrap()
}

/// How often a class of so many records is released with each number of them; 0 where it is withheld.
fn released(sampling: &Sampling, least: u64, records: u64, runs: u64) -> Vec<f64> {
    let mut stream = Seed::from(records).stream(0);
    let place = |records: u64| usize::try_from(records).unwrap();
    let mut found = vec![0.0; place(records) + 2];
    for _ in 0..runs {
        let drawn = sampling.drawn(records, &mut stream);
        found[if drawn < least { 0 } else { place(drawn) }] += 1.0 / runs as f64;
    }
    found
}

/// By how much the chance of the worst set of outcomes exceeds e^ε times its chance at the neighbour.
fn excess(one: &[f64], other: &[f64], epsilon: f64) -> f64 {
    let other = |place: usize| other.get(place).copied().unwrap_or(0.0);
    one.iter().enumerate().map(|(place, chance)| (chance - epsilon.exp() * other(place)).max(0.0)).sum()
}

const RUNS: u64 = 20_000;

/// What chance adds to the excess: five standard deviations of a frequency near δ, for a set found by looking.
fn noise(delta: f64) -> f64 {
    5.0 * (delta / RUNS as f64).sqrt() + 0.01
}

#[test]
fn neighbours_are_as_alike_as_promised() {
    for (epsilon, delta) in [(0.5, 0.05), (1.0, 0.05), (1.0, 0.01), (2.0, 0.05)] {
        let sampling = sampling(epsilon, delta);
        let k = sampling.least;
        for records in [k - 1, k, k + k / 5, 2 * k, 4 * k] {
            let [less, more] = [records, records + 1].map(|records| released(&sampling, k, records, RUNS));
            for (one, other) in [(&more, &less), (&less, &more)] {
                let found = excess(one, other, epsilon);
                assert!(
                    found <= delta + noise(delta),
                    "{found} at epsilon {epsilon}, delta {delta}, {records} records"
                );
            }
        }
    }
}

#[test]
fn a_class_that_is_too_small_refutes_the_promise() {
    let sampling = sampling(1.0, 0.01);
    let [less, more] = [1, 2].map(|records| released(&sampling, 2, records, RUNS));
    assert!(excess(&more, &less, 1.0) > 0.01 + noise(0.01), "the test would see it");
}
