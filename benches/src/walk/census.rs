//! A made-up table that looks like a census: age, birth place and occupation as whole numbers.
//!
//! People come in groups that live alike: pupils, students, several kinds of workers, pensioners, each with its ages, its
//! birth places (most were born nearby) and its occupations. The codes of birth places and occupations are numbers, as in the
//! published experiments: nearby codes are related.

use equanym_core::random::{Seed, Stream};
use equanym_core::walk::{ColumnScale, NumberWriting, WalkColumn};

/// Records of the whole table.
pub const RECORDS: usize = 75_000;

/// A group: its weight, mean and spread of age, first birth place, and first and last occupation.
const GROUPS: [(usize, f64, f64, f64, usize, usize); 7] = [
    (18, 24.0, 4.0, 20.0, 10, 60),
    (22, 38.0, 8.0, 45.0, 100, 190),
    (17, 45.0, 9.0, 70.0, 240, 300),
    (12, 33.0, 7.0, 180.0, 310, 420),
    (9, 52.0, 6.0, 110.0, 60, 110),
    (15, 68.0, 7.0, 35.0, 880, 900),
    (7, 29.0, 6.0, 230.0, 430, 560),
];

/// The columns, in record order.
pub fn columns(records: usize, seed: u64) -> Vec<WalkColumn> {
    let mut stream = Seed::from(seed).stream(0);
    let people = (0..records).map(|_| person(&mut stream));
    whole_numbers(["age", "birth-place", "occupation"], people)
}

/// Columns of whole numbers, from their rows.
pub fn whole_numbers<const N: usize>(names: [&str; N], rows: impl Iterator<Item = [i128; N]>) -> Vec<WalkColumn> {
    let mut values: [Vec<Option<i128>>; N] = std::array::from_fn(|_| Vec::new());
    for row in rows {
        values.iter_mut().zip(row).for_each(|(values, value)| values.push(Some(value)));
    }
    let column = |(name, values): (&str, Vec<Option<i128>>)| WalkColumn {
        name: name.to_owned(),
        values,
        places: 0,
        scale: ColumnScale::Numbers,
        writing: NumberWriting::default(),
        interval: None,
        bounds: None,
    };
    names.into_iter().zip(values).map(column).collect()
}

fn person(stream: &mut Stream) -> [i128; 3] {
    let mut left = stream.below(100);
    let group = GROUPS.iter().find(|group| {
        let found = left < group.0;
        left = left.saturating_sub(group.0);
        found
    });
    let &(_, mean, spread, home, first, last) = group.unwrap_or(&GROUPS[0]);
    let age = near(mean, spread, 17.0, 95.0, stream);
    // Four in five were born nearby.
    let place = if stream.below(5) < 4 { near(home, 6.0, 1.0, 300.0, stream) } else { 1 + stream.below(300) as i128 };
    // Older people have gone further up the list of their group.
    let career = ((age - 17) as f64 / 78.0 * 0.5 + stream.unit() * 0.5) * (last - first) as f64;
    [age, place, first as i128 + whole(career)]
}

fn near(mean: f64, spread: f64, low: f64, high: f64, stream: &mut Stream) -> i128 {
    whole((mean + spread * stream.normal()).clamp(low, high))
}

#[allow(clippy::cast_possible_truncation)] // numbers of up to three digits
fn whole(number: f64) -> i128 {
    number.round() as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_per_cents_and_the_codes_small() {
        assert_eq!(GROUPS.iter().map(|group| group.0).sum::<usize>(), 100);
        let columns = columns(2000, 1);
        let extremes: Vec<_> = columns.iter().filter_map(WalkColumn::extremes).collect();
        assert!(extremes[0].0 >= 17 && extremes[0].1 <= 95, "{extremes:?}");
        assert!(extremes[1].0 >= 1 && extremes[1].1 <= 300, "{extremes:?}");
        assert!(columns[2].distinct() > 300);
    }
}
