//! The frequencies of a column, few enough to be looked at.
//!
//! Up to a number of bars each value has one. Beyond, neighbouring numbers share a bar, with about as many records of the
//! original in each; of other values the most frequent have one each, and all others share the last. Where these would be
//! more than half of the records, as with dates and codes, neighbours in the order of the days or the texts share bars as numbers
//! do. Nothing is left out.

use serde::Serialize;

use super::domain::ValueDomain;
use super::frequencies::{Frequencies, TableShares};

/// What became of the values of a column. Shares are of the original's records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnFrequencies {
    /// The column.
    pub column: String,
    /// How many different values it had.
    pub values: usize,
    /// How many different labels it has.
    pub labels: usize,
    /// The share with a label that stands for one value.
    pub exact: f64,
    /// The share with a label that stands for several.
    pub grouped: f64,
    /// The share with `*`.
    pub unknown: f64,
    /// The share with a label that no value of the original is known to have.
    pub unmatched: f64,
    /// The share that is withheld.
    pub withheld: f64,
    /// The total variation distance.
    pub total_variation: f64,
    /// The values before and after; absent where values must not be shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bars: Vec<Bar>,
}

/// One value, or several, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// The value; the first of neighbouring ones. Nothing where values have nothing in common.
    pub value: Option<String>,
    /// The last of neighbouring ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How many values they are.
    pub values: usize,
    /// Their share before.
    pub original: f64,
    /// Their share after.
    pub released: f64,
}

impl ColumnFrequencies {
    /// Sums up what was found of a column, with so many bars at most; with none, no value is shown.
    #[must_use]
    pub fn new(column: &str, domain: &ValueDomain, labels: usize, found: &Frequencies, most: usize) -> Self {
        let TableShares { exact, grouped, unknown, unmatched, .. } = found.released;
        Self {
            column: column.to_owned(),
            values: domain.texts().len(),
            labels,
            exact,
            grouped,
            unknown,
            unmatched,
            withheld: found.withheld,
            total_variation: found.distance(),
            bars: if most == 0 { Vec::new() } else { bars(domain, found, most) },
        }
    }
}

fn bars(domain: &ValueDomain, found: &Frequencies, most: usize) -> Vec<Bar> {
    let bar = |places: &[usize]| {
        let text = |place: Option<&usize>| place.map(|place| domain.texts()[*place].clone());
        let sum = |side: &TableShares| places.iter().map(|place| side.values[*place]).sum();
        Bar {
            value: text(places.first()),
            to: text(places.last()).filter(|_| places.len() > 1),
            values: places.len(),
            original: sum(&found.original),
            released: sum(&found.released),
        }
    };
    let places: Vec<usize> = (0..domain.texts().len()).collect();
    if domain.is_number() {
        return runs(domain, &found.original, &places, most).map(bar).collect();
    }
    let mut ranked = places;
    ranked.sort_by(|one, other| found.original.values[*other].total_cmp(&found.original.values[*one]));
    let single = if ranked.len() > most { most - 1 } else { ranked.len() };
    let (first, others) = ranked.split_at(single);
    let share = |places: &[usize]| places.iter().map(|place| found.original.values[*place]).sum::<f64>();
    if share(others) > share(first) {
        let places: Vec<usize> = (0..domain.texts().len()).collect();
        return runs(domain, &found.original, &places, most).map(bar).collect();
    }
    let rest = (!others.is_empty()).then(|| Bar { value: None, to: None, ..bar(others) });
    first.iter().map(|place| bar(&[*place])).chain(rest).collect()
}

/// Neighbouring values with about as many records of the original in each run; the missing value has one of its own.
fn runs<'p>(
    domain: &ValueDomain,
    original: &TableShares,
    places: &'p [usize],
    most: usize,
) -> impl Iterator<Item = &'p [usize]> + use<'p> {
    let (numbers, missing) = places.split_at(places.len() - usize::from(domain.missing().is_some()));
    let runs = most.saturating_sub(missing.len()).max(1);
    let whole: f64 = numbers.iter().map(|place| original.values[*place]).sum();
    let mut seen = 0.0;
    let part_of: Vec<usize> = numbers
        .iter()
        .map(|place| {
            let middle = seen + original.values[*place] / 2.0;
            seen += original.values[*place];
            let part = if numbers.len() <= runs { *place as f64 } else { (middle / whole * runs as f64).floor() };
            (0..runs).find(|run| part <= *run as f64).unwrap_or(runs - 1)
        })
        .collect();
    let cut = numbers.chunk_by(move |one, other| part_of[*one] == part_of[*other]);
    cut.chain(missing.chunks(1))
}

#[cfg(test)]
mod tests {
    use super::super::categories::Meaning;
    use super::*;

    fn found(counts: &[u64]) -> Frequencies {
        let values: Vec<Meaning> = (0..).zip(counts).map(|(place, _)| Meaning::value(place)).collect();
        let labels: Vec<(&Meaning, u64)> = values.iter().zip(counts.iter().copied()).collect();
        Frequencies::new(counts.len(), &labels, &labels)
    }

    fn shown(bars: &[Bar]) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        bars.iter()
            .map(|bar| format!("{}..{} {} {:.2}", text(&bar.value), text(&bar.to), bar.values, bar.original))
            .collect()
    }

    #[test]
    fn few_values_have_a_bar_each_the_most_frequent_first() {
        let domain = ValueDomain::from_values(["a", "b", ""], true);
        assert_eq!(shown(&bars(&domain, &found(&[1, 2, 1]), 3)), ["b.. 1 0.50", "a.. 1 0.25", ".. 1 0.25"]);
        assert_eq!(shown(&bars(&domain, &found(&[1, 2, 1]), 2)), ["b.. 1 0.50", ".. 2 0.50"]);
        // Where the rest is more than half, neighbours share.
        let dates = ValueDomain::from_values(["13.01.2020", "02.02.2020", "13.01.2021", "01.02.2021"], true);
        assert_eq!(
            shown(&bars(&dates, &found(&[1, 1, 1, 1]), 2)),
            ["13.01.2020..02.02.2020 2 0.50", "13.01.2021..01.02.2021 2 0.50"]
        );
    }

    #[test]
    fn neighbouring_numbers_share_a_bar() {
        let domain = ValueDomain::from_values(["1", "2", "3", "4", ""], true);
        assert_eq!(shown(&bars(&domain, &found(&[1, 1, 1, 1, 4]), 3)), ["1..2 2 0.25", "3..4 2 0.25", ".. 1 0.50"]);
        assert_eq!(bars(&domain, &found(&[1, 1, 1, 1, 4]), 5).len(), 5);
    }

    #[test]
    fn many_values_have_few_bars_and_lose_no_record() {
        let texts: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        for may_be_numbers in [true, false] {
            let domain = ValueDomain::from_values(texts.iter().map(String::as_str), may_be_numbers);
            let found = ColumnFrequencies::new("x", &domain, 1, &found(&vec![1; texts.len()]), 12);
            assert!(found.bars.len() <= 12);
            assert!((found.bars.iter().map(|bar| bar.original).sum::<f64>() - 1.0).abs() < 1e-9);
            assert_eq!(found.bars.iter().map(|bar| bar.values).sum::<usize>(), texts.len());
        }
    }
}
