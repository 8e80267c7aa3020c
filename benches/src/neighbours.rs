//! Whether a random sample keeps its promise: what is released of a class, with one record more and without it, many times.
//!
//! For each ε and δ a class of several sizes is drawn, thinned and withheld as a release does it. The worst set of outcomes is looked for:
//! by how much its chance exceeds e^ε times the chance at the neighbour. The promise says: by no more than δ. A set that is found by looking on the same
//! runs seems a little worse than it is, so it is found on one half of the runs and measured on the other. Seeded: the same each time.

use equanym_core::card::{Parameters, Value};
use equanym_core::privacy::{self, Sampling};
use equanym_core::random::Seed;
use rayon::prelude::*;

use crate::failure::Result;
use crate::figures::grouped;
use crate::markdown;
use crate::settings::Settings;

const PROMISES: [(f64, f64); 6] = [(0.5, 0.05), (0.5, 0.01), (1.0, 0.05), (1.0, 0.01), (1.0, 0.001), (2.0, 0.01)];

/// Measures and describes.
pub fn report(settings: &Settings) -> Result<String> {
    let runs = if settings.quick { 50_000 } else { 1_000_000 };
    let rows = PROMISES.into_iter().map(|(epsilon, delta)| row(epsilon, delta, runs)).collect::<Result<Vec<_>>>()?;
    let head = ["epsilon", "delta", "k", "worst class", "excess over e^epsilon", "standard error", "refuted"];
    Ok(format!(
        "Classes of k to 5 k records and their neighbours, {} draws each:\n\n{}",
        grouped(runs.into()),
        markdown::table(&head, 0, &rows)
    ))
}

fn row(epsilon: f64, delta: f64, runs: u64) -> Result<Vec<String>> {
    let given = [("epsilon", epsilon), ("delta", delta)].map(|(name, number)| (name.to_owned(), Value::Number(number)));
    let model =
        privacy::build("differential-privacy", &Parameters::from(given), &[]).map_err(|error| error.to_string())?;
    let sampling = model.sampling().ok_or("nothing is drawn")?;
    let k = sampling.least;
    let sizes: Vec<u64> = (0..=12).map(|step| k - 1 + step * k / 12).chain([3 * k, 5 * k]).collect();
    let of = |records: &u64| (*records, excess(&sampling, *records, runs));
    let found: Vec<(u64, f64)> = sizes.par_iter().map(of).collect();
    let (worst, most) = found.into_iter().fold((0, f64::MIN), |one, other| if other.1 > one.1 { other } else { one });
    let error = (delta / (runs / 2) as f64).sqrt();
    let refuted = if most > delta + 4.0 * error { "yes" } else { "no" };
    let numbers = [epsilon.to_string(), delta.to_string(), k.to_string(), worst.to_string()];
    Ok(numbers.into_iter().chain([format!("{most:.5}"), format!("{error:.5}"), refuted.to_owned()]).collect())
}

/// The excess of the larger of two directions.
fn excess(sampling: &Sampling, records: u64, runs: u64) -> f64 {
    let halves = |records: u64| [0, 1].map(|half| outcomes(sampling, records, half, runs / 2));
    let ([sought, measured], [sought_more, measured_more]) = (halves(records), halves(records + 1));
    let directed = |[one, other]: [&[f64]; 2], [looked_one, looked_other]: [&[f64]; 2]| -> f64 {
        let factor = sampling.epsilon.exp();
        let is_worse = |place: &usize| looked_one[*place] > factor * looked_other[*place];
        (0..one.len()).filter(is_worse).map(|place| one[place] - factor * other[place]).sum()
    };
    let more = directed([&measured_more, &measured], [&sought_more, &sought]);
    more.max(directed([&measured, &measured_more], [&sought, &sought_more]))
}

/// How often each number of records is released; 0 where the class is withheld.
fn outcomes(sampling: &Sampling, records: u64, half: u64, runs: u64) -> Vec<f64> {
    let mut stream = Seed::from(records * 2 + half).stream(half);
    // As many places for both neighbours.
    let mut found = vec![0.0; 6 * usize::try_from(sampling.least).unwrap_or(0) + 2];
    for _ in 0..runs {
        let drawn = sampling.drawn(records, &mut stream);
        let place = if drawn < sampling.least { 0 } else { usize::try_from(drawn).unwrap_or(0) };
        found[place] += 1.0 / runs as f64;
    }
    found
}
