//! What classes are compared with: how often each value of a variable occurs in the whole table, and what is known about
//! the values, an order or a ladder.

use super::{Class, ValueCounts};
use crate::decimal::Decimal;

/// The whole table, as far as one variable goes. Everything is told by the numbers of the values.
#[derive(Default)]
pub(crate) struct WholeTable {
    pub counts: Vec<u64>,
    /// The place of each value in the order.
    pub order: Option<Vec<usize>>,
    /// For each level of the ladder between the values and the top the label of each value.
    pub ladder: Option<Vec<Vec<usize>>>,
}

impl WholeTable {
    /// The whole of these classes, by the variable at a place among those that are watched. Numbers have an order.
    pub fn count(classes: &[&Class], variable: usize, texts: &[&str]) -> Self {
        let mut counts = vec![0; texts.len()];
        for (value, count) in classes.iter().filter_map(|class| class.counts.get(variable)).flatten() {
            if let Some(sum) = counts.get_mut(*value as usize) {
                *sum += count;
            }
        }
        Self { counts, order: numeric_places(texts), ladder: None }
    }

    /// Counts a value in.
    pub fn add(&mut self, value: u32, count: u64) {
        let place = value as usize;
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        if let Some(sum) = self.counts.get_mut(place) {
            *sum += count;
        }
    }

    pub fn times(&self, value: u32) -> u64 {
        self.counts.get(value as usize).copied().unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many values there are.
    pub fn distinct(&self) -> usize {
        self.counts.iter().filter(|count| **count > 0).count()
    }

    /// How much more of each value a class has than the whole, in parts of its size times that of the whole.
    pub fn excess(&self, class: &ValueCounts) -> Option<Vec<i128>> {
        let (size, total) = (class.values().sum::<u64>(), self.total());
        let share = |count: u64, of: u64| i128::try_from(u128::from(count) * u128::from(of)).ok();
        let values = (0_u32..).zip(&self.counts);
        values
            .map(|(value, there)| share(*class.get(&value).unwrap_or(&0), total)?.checked_sub(share(*there, size)?))
            .collect()
    }
}

/// The places of values that all are numbers.
pub(crate) fn numeric_places(texts: &[&str]) -> Option<Vec<usize>> {
    places(texts, |text| Decimal::collected(text)?.place())
}

/// The places of values in an order; none where one has none. The missing value comes first, equal ones as they are written.
pub(crate) fn places<T: Ord>(texts: &[&str], of: impl Fn(&str) -> Option<T>) -> Option<Vec<usize>> {
    let place = |(number, text): (usize, &&str)| {
        let place = of(text);
        (place.is_some() || text.is_empty()).then_some((place, text.to_string(), number))
    };
    let mut sorted: Vec<(Option<T>, String, usize)> = texts.iter().enumerate().map(place).collect::<Option<_>>()?;
    sorted.sort_unstable();
    let mut places = vec![0; texts.len()];
    for (place, (.., number)) in sorted.into_iter().enumerate() {
        *places.get_mut(number)? = place;
    }
    Some(places)
}
