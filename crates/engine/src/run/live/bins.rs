//! A small histogram of numbers or dates.
//!
//! Numbers fall into bins of equal width between the smallest and the largest; dates into years, or into months where there are
//! few years. Other values have no order that a picture could use.

use equanym_core::hierarchy::{Builder, DateGrain};
use hashbrown::HashMap;

/// The most bins.
const MOST: usize = 24;

/// Fewer years than these are shown in months.
const FEW_YEARS: usize = 3;

/// A bin of a histogram.
#[derive(Debug, Clone, PartialEq)]
pub struct Bin {
    /// What falls into it, in words.
    pub label: String,
    /// How many records do.
    pub records: u64,
}

/// Numbers in bins of equal width; nothing where they are not numbers, or all alike.
pub(super) fn numbers(values: &[(String, u64)]) -> Vec<Bin> {
    let parsed: Option<Vec<(f64, u64)>> = values
        .iter()
        .map(|(text, records)| Some((text.parse().ok().filter(|n: &f64| n.is_finite())?, *records)))
        .collect();
    let parsed = parsed.unwrap_or_default();
    let least = parsed.iter().map(|(number, _)| *number).fold(f64::INFINITY, f64::min);
    let most = parsed.iter().map(|(number, _)| *number).fold(f64::NEG_INFINITY, f64::max);
    if parsed.len() < 2 || most <= least || !(most - least).is_finite() {
        return Vec::new();
    }
    let count = MOST.min(parsed.len());
    let width = (most - least) / count as f64;
    let mut records = vec![0; count];
    for (number, times) in parsed {
        let place = (0..count).rev().find(|place| least + width * *place as f64 <= number).unwrap_or(0);
        if let Some(bin) = records.get_mut(place) {
            *bin += times;
        }
    }
    let label =
        |place: usize| format!("{:.4} to {:.4}", least + width * place as f64, least + width * (place + 1) as f64);
    records.into_iter().enumerate().map(|(place, records)| Bin { label: label(place), records }).collect()
}

/// Dates in years or months.
pub(super) fn dates(values: &[(String, u64)], ladder: &Builder) -> Vec<Bin> {
    let Builder::Date { format, .. } = ladder else { return Vec::new() };
    let by = |grain: DateGrain| counted(values, &Builder::Date { grains: vec![grain], format: *format });
    let years = by(DateGrain::Year);
    if years.len() <= FEW_YEARS { by(DateGrain::Month) } else { years }
}

fn counted(values: &[(String, u64)], ladder: &Builder) -> Vec<Bin> {
    let texts: Vec<String> = values.iter().map(|(text, _)| text.clone()).collect();
    let Ok(fitted) = ladder.fit(&texts) else { return Vec::new() };
    let records: HashMap<&str, u64> = values.iter().map(|(text, records)| (text.as_str(), *records)).collect();
    let counts: Vec<u64> =
        fitted.values().iter().map(|value| records.get(value.as_str()).copied().unwrap_or(0)).collect();
    let Some(level) = fitted.levels().get(1) else { return Vec::new() };
    let bins = level.labels.iter().cloned().zip(level.counts(&counts));
    let mut bins: Vec<Bin> = bins.map(|(label, records)| Bin { label, records }).collect();
    bins.sort_by(|one, other| one.label.cmp(&other.label));
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Vec<(String, u64)> {
        texts.iter().map(|text| ((*text).to_owned(), 2)).collect()
    }

    #[test]
    fn every_record_falls_into_one_bin() {
        let bins = numbers(&values(&["1", "2", "10", "-3.5"]));
        assert_eq!((bins.len(), bins.iter().map(|bin| bin.records).sum::<u64>()), (4, 8));
        for nothing in [&["1"][..], &[], &["1", "a"], &["1", "1e999"]] {
            assert_eq!(numbers(&values(nothing)), []);
        }
    }

    #[test]
    fn few_years_are_shown_in_months() {
        let ladder =
            Builder::Date { grains: vec![DateGrain::Year], format: equanym_core::hierarchy::DateFormat::default() };
        let bins = dates(&values(&["2026-01-03", "2026-01-09", "2026-02-01"]), &ladder);
        let told: Vec<(&str, u64)> = bins.iter().map(|bin| (bin.label.as_str(), bin.records)).collect();
        assert_eq!(told, [("2026-01", 4), ("2026-02", 2)]);
        let years = dates(&values(&["2020-01-03", "2021-01-09", "2022-02-01", "2023-02-01"]), &ladder);
        assert_eq!(years.len(), 4);
    }
}
