//! How far off the estimators of population uniques are, on populations that are known.
//!
//! Each population is drawn once. Random samples are drawn from it without replacement, and each estimator is asked for the number of
//! population uniques. Its *bias* is the mean error as a share of the true number, its *spread* the standard deviation of
//! the same. A sample for which an estimator finds nothing counts in neither; how many there are stands beside. Everything
//! follows from fixed seeds.

use std::collections::HashMap;
use std::path::Path;

use equanym_core::privacy::{SizedClasses, UniquesEstimator, estimate};
use equanym_core::random::Seed;

use crate::figures::grouped;
use crate::markdown;
use crate::whole;

const PEOPLE: usize = 100_000;
const SAMPLES: u64 = 40;
const FRACTIONS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.5];

/// A population: its name, and the key of each of its people.
type Population = (String, Vec<u32>);

/// Measures and describes.
pub fn report(data: &Path) -> String {
    let mut rows = Vec::new();
    for (name, keys) in populations(data) {
        eprintln!("{name}");
        let uniques = SizedClasses::new(sizes(&keys)).uniques();
        let alone = uniques as f64;
        for fraction in FRACTIONS {
            let mut row = vec![name.clone(), format!("{fraction}"), grouped(uniques.into())];
            row.extend(UniquesEstimator::ALL.map(|estimator| told(estimator, &keys, fraction, alone)));
            rows.push(row);
        }
    }
    let named = UniquesEstimator::ALL.map(UniquesEstimator::name);
    let head = [&["population", "fraction", "uniques"], named.as_slice()].concat();
    markdown::table(&head, 1, &rows)
}

/// Bias and spread in percent, and for how many samples there is no estimate.
fn told(estimator: UniquesEstimator, keys: &[u32], fraction: f64, alone: f64) -> String {
    let errors: Vec<f64> = (0..SAMPLES)
        .filter_map(|number| {
            let sample = SizedClasses::new(sizes(&sample(keys, fraction, number)));
            Some(estimate(estimator, &sample, keys.len() as u64)? / alone - 1.0)
        })
        .collect();
    let none = SAMPLES - errors.len() as u64;
    let count = errors.len() as f64;
    let bias = errors.iter().sum::<f64>() / count;
    let spread = (errors.iter().map(|error| (error - bias).powi(2)).sum::<f64>() / count).sqrt();
    match none {
        SAMPLES => "no estimate".to_owned(),
        0 => format!("{:+.0} ± {:.0} %", 100.0 * bias, 100.0 * spread),
        none => format!("{:+.0} ± {:.0} % ({none} none)", 100.0 * bias, 100.0 * spread),
    }
}

/// The sizes of classes.
fn sizes(keys: &[u32]) -> Vec<u64> {
    let mut classes: HashMap<u32, u64> = HashMap::new();
    for key in keys {
        *classes.entry(*key).or_default() += 1;
    }
    classes.into_values().collect()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the people
fn sample(keys: &[u32], fraction: f64, number: u64) -> Vec<u32> {
    let mut stream = Seed::from(number).stream(7);
    let mut keys = keys.to_vec();
    let wanted = (keys.len() as f64 * fraction) as usize;
    for place in 0..wanted {
        let other = place + stream.below(keys.len() - place);
        keys.swap(place, other);
    }
    keys.truncate(wanted);
    keys
}

fn populations(data: &Path) -> Vec<Population> {
    let mut all = vec![attributes(), restaurant(), slide()];
    all.extend(adult(data));
    all
}

/// People with six attributes, each value half as frequent as the one before it or a little more.
fn attributes() -> Population {
    let mut stream = Seed::from(1).stream(0);
    let person = |_| {
        (0..6).fold(0, |key, _| {
            let value = (0..9).find(|_| stream.open_unit() < 0.45).unwrap_or(9);
            key * 10 + value
        })
    };
    ("six attributes".to_owned(), (0..PEOPLE).map(person).collect())
}

/// Pitman's law with θ = 50 and α = 0.6: who comes next joins somebody, or stands alone.
fn restaurant() -> Population {
    let (mut stream, theta, alpha) = (Seed::from(2).stream(0), 50.0, 0.6);
    let mut keys: Vec<u32> = Vec::with_capacity(PEOPLE);
    let mut sizes: Vec<f64> = Vec::new();
    for person in 0..PEOPLE {
        let is_new = stream.open_unit() * (theta + person as f64) < theta + sizes.len() as f64 * alpha;
        // With somebody drawn alike, and again where the class is left for its α.
        let joined = (!is_new && person > 0).then(|| {
            loop {
                let key = keys[stream.below(person)];
                let size = sizes[key as usize];
                if stream.open_unit() * size < size - alpha {
                    break key;
                }
            }
        });
        let key = joined.unwrap_or(u32::try_from(sizes.len()).unwrap_or(u32::MAX));
        match sizes.get_mut(key as usize) {
            Some(size) => *size += 1.0,
            None => sizes.push(1.0),
        }
        keys.push(key);
    }
    ("Pitman's law, θ = 50, α = 0.6".to_owned(), keys)
}

/// Classes of one and a negative binomial number more, of size 1 and mean 5: a geometric number.
fn slide() -> Population {
    let mut stream = Seed::from(3).stream(0);
    let mut keys = Vec::with_capacity(PEOPLE);
    for key in 0.. {
        keys.push(key);
        while stream.open_unit() < 5.0 / 6.0 {
            keys.push(key);
        }
        if keys.len() >= PEOPLE {
            break;
        }
    }
    ("slide negative binomial, mean 6".to_owned(), keys)
}

/// Adult, as if it were everybody: all columns but the occupation.
fn adult(data: &Path) -> Option<Population> {
    let text = std::fs::read_to_string(whole::file(data, "adult")?).ok()?;
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let keys = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> =
            line.split(';').enumerate().filter(|(place, _)| *place != 7).map(|(_, cell)| cell).collect();
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(cells.join(";")).or_insert(next)
    });
    Some(("adult, eight columns".to_owned(), keys.collect()))
}
