//! Differential privacy by a random sample: whether the claimed numbers keep the claimed promise.
//!
//! `β ≤ 1 − e^−ε`, and `P(m or more of n are drawn) ≤ δ` for every m ≥ k and every n with `m > γ · n`, where `γ = 1 − (1 − β) e^−ε`.
//! Each record is drawn with the chance β, and a class of k drawn records gives somebody away with a chance of δ at most. For each m
//! the worst table has the most records n that the inequality leaves. Beyond some m Chernoff's bound says so for all.
//!
//! Limit: nobody can see from bytes that records were drawn at random. What is checked is the arithmetic.
//!
//! The program bounds products of ratios; here are logarithms of factorials by Stirling's series, and sums, to six digits.
//!
//! Source: Bild, Kuhn, Prasser 2018; Li, Qardaji, Su 2012.

use super::{ANY, Member, Model};
use crate::factorial::ln_factorial;

pub(super) const MEMBER: Member = Member {
    name: "differential-privacy",
    reads: ANY,
    keys: &["epsilon", "epsilon_search", "delta", "beta", "k", "seeded"],
    takes: "differential-privacy takes epsilon and delta, beta and k that keep them, epsilon_search and seeded, if they are said, and \
            nothing else",
    sentence: "differential privacy with epsilon = {total} and delta = {chance}, by a sample with beta = {drawn} and k = {k}{void}",
    claim: "every class holds {k} drawn {unit} or more",
    model: |given| {
        // What drawing the levels adds, and whether the draw can be repeated by whoever knows a seed.
        let search = if given.has("epsilon_search") { given.float("epsilon_search")? } else { 0.0 };
        let void = if given.flag("seeded")? { ", void because a seed was given" } else { "" };
        let k = given.several("k")?;
        let sample = SamplePromise {
            epsilon: given.float("epsilon")?,
            delta: given.float("delta")?,
            beta: given.float("beta")?,
            k,
        };
        let words = vec![
            ("total", (sample.epsilon + search).to_string()),
            ("chance", sample.delta.to_string()),
            ("drawn", format!("{:.6}", sample.beta)),
            ("void", void.to_owned()),
        ];
        let is_kept = (0.0..=20.0).contains(&search) && sample.is_kept();
        is_kept.then(|| Model { is_of_sample: true, words, ..Model::of_size(k) })
    },
};

/// What is claimed of a sample.
#[derive(Clone, Copy)]
struct SamplePromise {
    epsilon: f64,
    delta: f64,
    beta: f64,
    k: u64,
}

/// What rounding may amount to.
const SLACK: f64 = 1.0 + 1e-6;

/// More counts than any sensible promise has to look at.
const MOST: u64 = 5_000_000;

impl SamplePromise {
    /// Whether the parameters are in range and k keeps the promise.
    fn is_kept(&self) -> bool {
        let Self { epsilon, delta, beta, .. } = *self;
        let is_range = epsilon > 0.0 && epsilon <= 20.0;
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
        let last = whole(harmless).saturating_add(2);
        last.saturating_sub(k) <= MOST && (k..last).all(|m| tail(most_records(m, gamma), m, beta) <= delta * SLACK)
    }
}

/// A number from 0 on without its fraction; what is too large becomes the largest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // that is what the cast does
fn whole(number: f64) -> u64 {
    number as u64
}

/// The most records of which m are more than the share γ.
fn most_records(m: u64, gamma: f64) -> u64 {
    let quotient = m as f64 / gamma;
    // A quotient that is whole but for rounding counts as above it: the safe side.
    whole((quotient * (1.0 + 1e-15)).ceil()).saturating_sub(1).max(m)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(epsilon: f64, delta: f64, k: u64) -> bool {
        let beta = -(-epsilon).exp_m1();
        SamplePromise { epsilon, delta, beta, k }.is_kept()
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
        let sample = SamplePromise { epsilon: 1.0, delta: 1e-5, beta: 0.64, k: 1_000 };
        assert!(!sample.is_kept() && SamplePromise { beta: 0.5, ..sample }.is_kept());
        assert!(
            !SamplePromise { epsilon: f64::NAN, ..sample }.is_kept()
                && !SamplePromise { delta: 1.0, beta: 0.5, ..sample }.is_kept()
        );
    }

    #[test]
    fn tails_by_hand() {
        assert!((tail(2, 1, 0.5) - 0.75).abs() < 1e-12 && (tail(3, 3, 0.1) - 0.001).abs() < 1e-12);
    }
}
