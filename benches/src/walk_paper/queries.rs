//! Figure 5: averages asked of the walked table, and of Mondrian's classes.
//!
//! Mondrian divides the table as long as every class has l different sensitive values. Its distortion is that of class means
//! put in place of the values. A walk is then tuned to distort as much or a little more. The published sampler makes 40,000 steps in
//! partitions of 20, and theta is tuned. Ours is at equilibrium, or, where that is too
//! much, single values move for a few sweeps. Questions are the average of one column under conditions on the other two
//! and on the sensitive variable; a class counts with the part of its range that fulfils a condition.

use std::collections::HashMap;

use equanym_core::card::{Parameters, Value};
use equanym_core::hierarchy::Builder;
use equanym_core::method::mondrian;
use equanym_core::method::partition::{Dimension, KeyTable, Partition, PartitionTask};
use equanym_core::privacy::{self, Guard, SensitiveVariable};
use equanym_core::random::Seed;
use equanym_core::utility::distortion::distortion;
use equanym_core::utility::queries::{QueryErrors, QuerySettings as Asking, errors};
use equanym_core::utility::{self, Comparison, MeasuredTable};
use equanym_core::variable::Variable;
use equanym_core::walk::{DEFAULT, MARGIN, Sweeps, WalkDomain, WalkSettings, walk};

use super::conditions::Walker;
use super::data::Data;
use crate::failure::Result;

/// Different sensitive values in every class.
pub const LS: [i64; 5] = [4, 6, 8, 10, 12];
/// Questions about each column.
const QUESTIONS: usize = 2000;
/// Records of a segment.
const SEGMENT: usize = 20;

/// Steps of the published walk.
const STEPS: u32 = 40_000;
/// Records on which theta is tuned: partitions are independent, so a part says what the whole will do.
const TUNED_ON: usize = 1000;

/// One measurement.
pub struct QueryTrial {
    pub data: &'static str,
    pub records: usize,
    pub walker: Walker,
    pub l: i64,
    /// The column whose average is asked for.
    pub target: String,
    pub classes: usize,
    /// The distortion of Mondrian's classes, and of the walk: the same or more.
    pub distortions: (f64, f64),
    /// How the walk was brought to its distortion.
    pub reached_by: String,
    pub mondrian: QueryErrors,
    pub walk: QueryErrors,
}

impl QueryTrial {
    /// Whether the walk could be brought to a distortion like Mondrian's: within a tenth.
    pub fn is_comparable(&self) -> bool {
        (0.9..=1.1).contains(&(self.distortions.1 / self.distortions.0))
    }
}

/// Asks both releases for each l.
pub fn compare(data: &Data, walker: Walker) -> Result<Vec<QueryTrial>> {
    let Some(category) = &data.category else { return Ok(Vec::new()) };
    let original = data.numbers(None);
    let mut trials = Vec::new();
    let data = &walker.data(data);
    let curve = if walker == Walker::Ours { Vec::new() } else { curve(&data.first(TUNED_ON), walker)? };
    let mut before: Option<(f64, (String, MeasuredTable))> = None;
    for l in LS {
        let partition = divide(data, category, l)?;
        let recoded = MeasuredTable {
            columns: recode(data, &partition),
            category: Some(category.clone()),
            ..MeasuredTable::default()
        };
        let wanted = changed(&original, &recoded);
        let (reached_by, renewed) = match walker {
            Walker::Published | Walker::Ordered => {
                let theta = theta_for(&curve, wanted);
                // The same theta gives the same walk.
                match before.take().filter(|(other, _)| (other - theta).abs() < 1e-12) {
                    Some(same) => before.insert(same).1.clone(),
                    None => before.insert((theta, published(data, walker, theta)?)).1.clone(),
                }
            }
            Walker::Ours => tune(data, &original, wanted)?,
        };
        let reached = changed(&original, &renewed);
        let pairs = (Comparison::new(&original, &recoded, true)?, Comparison::new(&original, &renewed, true)?);
        for (target, column) in data.columns.iter().enumerate() {
            let asking = Asking { count: QUESTIONS, seed: 51, subset: None };
            trials.push(QueryTrial {
                data: data.name,
                records: data.records(),
                walker,
                l,
                target: column.name.clone(),
                classes: partition.count,
                distortions: (wanted, reached),
                reached_by: reached_by.clone(),
                mondrian: errors(&pairs.0, target, asking),
                walk: errors(&pairs.1, target, asking),
            });
        }
    }
    Ok(trials)
}

fn changed(original: &MeasuredTable, released: &MeasuredTable) -> f64 {
    distortion(&values(original), &values(released))
}

fn values(numbers: &MeasuredTable) -> Vec<&[f64]> {
    numbers.columns.iter().map(|column| column.values.as_slice()).collect()
}

/// The shares of localities at which the distortion of the published walk is measured, falling.
const THETAS: [f64; 10] = [1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.1, 0.05, 0.02, 0.0];

/// The distortion of the published walk by theta.
fn curve(data: &Data, walker: Walker) -> Result<Vec<(f64, f64)>> {
    let original = data.numbers(None);
    THETAS.iter().map(|&theta| Ok((theta, changed(&original, &published(data, walker, theta)?.1)))).collect()
}

/// The largest theta whose distortion is the wanted one or a little more; the nearest end where the curve does not reach it.
fn theta_for(curve: &[(f64, f64)], wanted: f64) -> f64 {
    let Some(after) = curve.iter().position(|(_, distortion)| *distortion >= wanted) else { return 0.0 };
    let Some(before) = after.checked_sub(1) else { return 1.0 };
    let ((high, less), (low, more)) = (curve[before], curve[after]);
    high - (high - low) * (wanted - less) / (more - less)
}

/// The walk of the published sampler.
fn published(data: &Data, walker: Walker, theta: f64) -> Result<(String, MeasuredTable)> {
    Ok((format!("theta {theta:.2}"), walked(data, &walker.settings(SEGMENT, theta, STEPS))?))
}

/// The walk with as much distortion as is wanted, or a little more, and how that was reached.
///
/// A walk at equilibrium distorts the more, the wider its domain. The narrowest tried is that in which a segment keeps its
/// range on average, (1 + 2m)(n - 1)/(n + 1) = 1: a narrower one would squeeze it. Where that is too much already, the walk
/// is cut short instead, as the published one is: single values move for a few sweeps.
fn tune(data: &Data, original: &MeasuredTable, wanted: f64) -> Result<(String, MeasuredTable)> {
    let narrowest = 1.0 / (SEGMENT as f64 - 1.0);
    let at_equilibrium = |margin: f64| go(data, DEFAULT, margin, Sweeps::Auto);
    if changed(original, &at_equilibrium(narrowest)?) < wanted {
        let (mut low, mut high) = (narrowest, 4.0);
        for _ in 0..10 {
            let middle = f64::midpoint(low, high);
            if changed(original, &at_equilibrium(middle)?) >= wanted { high = middle } else { low = middle }
        }
        return Ok((format!("margin {high:.3} of `mixing`"), at_equilibrium(high)?));
    }
    let short = |sweeps: u32| go(data, "coordinate", MARGIN, Sweeps::Fixed(sweeps));
    let (mut low, mut high) = (0, 2);
    while changed(original, &short(high)?) < wanted && high < 4096 {
        (low, high) = (high, high * 2);
    }
    while high - low > 1 {
        let middle = u32::midpoint(low, high);
        if changed(original, &short(middle)?) >= wanted { high = middle } else { low = middle }
    }
    Ok((format!("{high} sweeps of `coordinate`"), short(high)?))
}

fn go(data: &Data, sampler: &str, margin: f64, sweeps: Sweeps) -> Result<MeasuredTable> {
    let domain = WalkDomain::Segment { margin };
    let settings =
        WalkSettings { sampler: sampler.to_owned(), segment: SEGMENT, domain, sweeps, ..WalkSettings::default() };
    walked(data, &settings)
}

fn walked(data: &Data, settings: &WalkSettings) -> Result<MeasuredTable> {
    let walked = walk(&data.columns, &[], settings, Seed::from(52))?;
    let values: Vec<Vec<Option<i128>>> = walked.columns.into_iter().map(|column| column.values).collect();
    Ok(data.numbers(Some(&values)))
}

/// The class of each record.
struct Classes {
    of_record: Vec<u32>,
    count: usize,
}

fn divide(data: &Data, category: &[u32], l: i64) -> Result<Classes> {
    let variables = data.columns.iter().map(variable).collect::<Result<Vec<_>>>()?;
    let mut places: HashMap<Vec<u32>, u32> = HashMap::new();
    let (mut rows, mut counts, mut of_record) = (Vec::new(), Vec::new(), Vec::new());
    for (record, sensitive) in category.iter().enumerate() {
        let mut key: Vec<u32> = variables.iter().map(|(_, codes)| codes[record]).collect();
        key.push(*sensitive);
        let row = *places.entry(key.clone()).or_insert_with(|| {
            rows.push(key);
            counts.push(0_u64);
            u32::try_from(rows.len() - 1).unwrap_or(u32::MAX)
        });
        counts[row as usize] += 1;
        of_record.push(row);
    }
    let column = |place: usize| rows.iter().map(|row| row[place]).collect::<Vec<u32>>();
    let dimension = |(variable, _): &'_ (Variable, Vec<u32>)| Dimension::by_number(variable).map(|own| own.numbers);
    let numbers = variables.iter().map(dimension).collect::<std::result::Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|count| format!("{count} values are no numbers"))?;
    let dimensions = variables.iter().zip(numbers).map(|((variable, _), numbers)| Dimension { variable, numbers });
    let counted = KeyTable {
        dimensions: dimensions.collect(),
        columns: (0..variables.len()).map(column).collect(),
        sensitive: vec![column(variables.len())],
        counts,
        persons: None,
    };
    let parameters = &Parameters::from([("cuts".to_owned(), Value::Text("strict".to_owned()))]);
    let task = PartitionTask { keys: &counted, guard: &guard(l)?, parameters, most_suppressed: 0, progress: &|_| {} };
    let partition = mondrian::fit(&task)?;
    Ok(classes(&partition, &of_record, counted.counts.len()))
}

/// Strict cuts keep the records of a row together, so a row has one class.
fn classes(partition: &Partition, of_record: &[u32], rows: usize) -> Classes {
    let mut of_row = vec![0; rows];
    for piece in &partition.placements {
        of_row[piece.key as usize] = piece.class;
    }
    Classes { of_record: of_record.iter().map(|row| of_row[*row as usize]).collect(), count: partition.classes.len() }
}

fn guard(l: i64) -> Result<Guard> {
    let sensitive = SensitiveVariable::named("sensitive");
    let variable = Value::Text(sensitive.name.clone());
    let parameters = Parameters::from([("l".to_owned(), Value::Integer(l)), ("variable".to_owned(), variable)]);
    Ok(Guard::new(vec![privacy::build("l-diversity", &parameters, &[sensitive])?]))
}

/// A variable without a ladder, and the code of each record.
fn variable(column: &equanym_core::walk::WalkColumn) -> Result<(Variable, Vec<u32>)> {
    let texts: Vec<String> = column.values.iter().map(|value| column.text(*value)).collect();
    let mut distinct = texts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let hierarchy = Builder::None.fit(&distinct)?;
    let codes: HashMap<&str, u32> = (0..).zip(hierarchy.values()).map(|(code, value)| (value.as_str(), code)).collect();
    let codes = texts.iter().map(|text| codes.get(text.as_str()).copied().unwrap_or(0)).collect();
    let max_level = hierarchy.height();
    Ok((Variable { name: column.name.clone(), hierarchy, min_level: 0, max_level, weight: 1.0 }, codes))
}

/// Class means as values, and the ranges of the classes.
fn recode(data: &Data, classes: &Classes) -> Vec<utility::MeasuredColumn> {
    let column = |column: &equanym_core::walk::WalkColumn| {
        let mut sums = vec![(0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY); classes.count];
        for (class, value) in classes.of_record.iter().zip(&column.values) {
            let (sum, count, low, high) = &mut sums[*class as usize];
            let value = value.unwrap_or(0) as f64;
            (*sum, *count, *low, *high) = (*sum + value, *count + 1.0, low.min(value), high.max(value));
        }
        let own = || classes.of_record.iter().map(|class| sums[*class as usize]);
        utility::MeasuredColumn {
            name: column.name.clone(),
            values: own().map(|(sum, count, _, _)| sum / count).collect(),
            ranges: Some(own().map(|(_, _, low, high)| (low, high)).collect()),
            has_zero: true,
        }
    };
    data.columns.iter().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theta_is_read_off_the_curve() {
        let curve = [(1.0, 0.02), (0.5, 0.04), (0.0, 0.1)];
        for (wanted, theta) in [(0.01, 1.0), (0.02, 1.0), (0.03, 0.75), (0.07, 0.25), (0.2, 0.0)] {
            assert!((theta_for(&curve, wanted) - theta).abs() < 1e-12, "{wanted}");
        }
    }
}
