//! Perturbation: adds noise to columns, as much as a wanted distortion permits or in a given interval.
//!
//! Each value gets an independent draw, uniform or normal, in units of its column's standard deviation. One factor serves all
//! columns. It is bisected so that the distortion is as close to the wanted one as it can be without exceeding it.
//!
//! A column with an interval of its own is not tuned. Its noise is uniform over the interval, or normal: half of the interval is
//! the standard deviation, and a draw outside is made again. Values are rounded to the column's last decimal place and kept
//! within its domain. Each column has a random stream of its own.
//!
//! Limit: noise protects nobody by a guarantee. Outliers stay outliers, and where columns hang together part of the noise can
//! be filtered out (Kargupta et al. 2003). It is here to be measured against, and for those who want it all the same.
//!
//! Source: Agrawal & Srikant 2000; for the interval Xue et al. 2011, section 1. Spec: `specs/method/perturbation.md`.

use super::goal::{DistortionGoal, unreached};
use super::values::{ChangeFact, ChangedColumns, ValueDial, ValueMethod, ValueTask, floats};
use super::{MethodMember, MethodWork};
use crate::card::{Card, Kind, Parameter, Promise, number, text};
use crate::random::{Seed, Stream};
use crate::utility::distortion::{ColumnPair, of_columns};
use crate::utility::mean_and_deviation;
use crate::walk::{WalkColumn, WalkError};

pub(super) const MEMBER: MethodMember = MethodMember {
    card: Card {
        name: "perturbation",
        summary: "columns with random noise added, tuned to a wanted distortion or in a given interval",
        about: "Adds independent noise to each value of the variables that the policy marks with `perturb = true`. One \
                strength for all columns is found by bisection, so that values move by the wanted share of themselves on \
                average. A variable with an `interval` gets noise of at most that size instead, and is not tuned. It gives \
                no formal guarantee: outliers stay visible, and noise can partly be filtered out. Other \
                quasi-identifiers are recoded as under global recoding.",
        promises: &[
            Promise::InWords("the distortion does not exceed the wanted one"),
            Promise::InWords("values stay within their domain"),
        ],
        parameters: &[
            Parameter::defaulting("noise", Kind::Choice(&["normal", "uniform"]), "normal", "the law of the noise"),
            Parameter::defaulting(
                "distortion",
                Kind::Share,
                "0.1",
                "how far values may move on average, as a share of themselves",
            ),
            Parameter::defaulting(
                "tolerance",
                Kind::Share,
                "0.05",
                "how far the distortion may stay below the wanted one, as a share of it",
            ),
        ],
        source: "R. Agrawal, R. Srikant, Privacy-preserving data mining, SIGMOD 2000",
    },
    work: MethodWork::Values(ValueMethod {
        mark: "perturb",
        keeps_properties: false,
        takes_interval: true,
        dials: &[ValueDial { name: "distortion", fact: "distortion that the balance chose" }],
        change,
        elsewhere: None,
    }),
};

/// The law of the noise; both have mean 0 and standard deviation 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// Uniform.
    Uniform,
    /// Normal.
    Normal,
}

/// Columns with noise.
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyColumns {
    /// For each column its values, in the units of the column.
    pub columns: Vec<Vec<Option<i128>>>,
    /// The strength: standard deviations of the noise per standard deviation of the column; absent where every column has an
    /// interval.
    pub strength: Option<f64>,
    /// The distortion that came of it, of the columns without an interval.
    pub distortion: f64,
}

fn change(task: &ValueTask<'_>) -> Result<ChangedColumns, WalkError> {
    let noise = if text(task.parameters, "noise") == "uniform" { Noise::Uniform } else { Noise::Normal };
    let wanted = number(task.parameters, "distortion");
    if wanted <= 0.0 {
        return Err(WalkError::BadSetting { setting: "distortion", wanted: "above 0".to_owned() });
    }
    let found = perturb(task.columns, noise, wanted, task.seed)?;
    let goal = DistortionGoal { wanted, tolerance: number(task.parameters, "tolerance") };
    if let Some(strength) = found.strength
        && !goal.is_met(found.distortion)
    {
        return Err(unreached(goal, "noise strength", found.distortion, strength));
    }
    let facts =
        found.strength.map(|strength| ChangeFact::of_table("strength of the noise", strength)).into_iter().collect();
    Ok(ChangedColumns { columns: found.columns, facts, segment: None, frozen: Vec::new(), warnings: Vec::new() })
}

/// Adds noise so that the distortion comes as close to the wanted one as it can from below.
pub fn perturb(columns: &[WalkColumn], noise: Noise, wanted: f64, seed: Seed) -> Result<NoisyColumns, WalkError> {
    columns.iter().try_for_each(check)?;
    let each: Vec<ColumnNoise<'_>> =
        columns.iter().zip(0..).map(|(column, place)| ColumnNoise::sample(column, noise, seed.stream(place))).collect();
    let tuned: Vec<&ColumnNoise<'_>> = each.iter().filter(|column| column.column.interval.is_none()).collect();
    let at = |strength: f64| -> f64 {
        let moved: Vec<Vec<f64>> = tuned.iter().map(|column| floats(&column.at(strength))).collect();
        let pairs = tuned.iter().zip(&moved);
        let pairs = pairs.map(|(column, after)| ColumnPair {
            before: &column.before,
            after,
            has_zero: column.column.has_zero(),
        });
        of_columns(&pairs.collect::<Vec<_>>())
    };
    let strength = if tuned.is_empty() { None } else { Some(bisect(at, wanted)) };
    Ok(NoisyColumns {
        columns: each.iter().map(|column| column.at(strength.unwrap_or(1.0))).collect(),
        strength,
        distortion: strength.map_or(0.0, at),
    })
}

/// The largest strength found whose distortion does not exceed the wanted one.
fn bisect(distortion_at: impl Fn(f64) -> f64, wanted: f64) -> f64 {
    const DOUBLINGS: usize = 20;
    const HALVINGS: usize = 40;
    let (mut low, mut high) = (0.0, 1.0 / 1024.0);
    for _ in 0..DOUBLINGS {
        if distortion_at(high) > wanted {
            break;
        }
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if distortion_at(middle) > wanted { high = middle } else { low = middle }
    }
    low
}

fn check(column: &WalkColumn) -> Result<(), WalkError> {
    let distinct = column.distinct();
    if distinct < 2 {
        let wanted = format!("a column with at least 2 distinct values; `{}` has {distinct}", column.name);
        return Err(WalkError::BadSetting { setting: "a column that gets noise", wanted });
    }
    column.check_domain()
}

/// A column and the noise of each of its values at strength 1, in units.
struct ColumnNoise<'a> {
    column: &'a WalkColumn,
    before: Vec<f64>,
    noise: Vec<f64>,
}

impl<'a> ColumnNoise<'a> {
    fn sample(column: &'a WalkColumn, law: Noise, mut stream: Stream) -> Self {
        let before = floats(&column.values);
        let noise = if let Some(end) = column.interval {
            before.iter().map(|_| law.within(end as f64, &mut stream)).collect()
        } else {
            let (_, deviation) = mean_and_deviation(&before);
            before.iter().map(|_| law.draw(&mut stream) * deviation).collect()
        };
        Self { column, before, noise }
    }

    /// The values at a strength, rounded to whole units and within their domain. An interval has no strength.
    fn at(&self, strength: f64) -> Vec<Option<i128>> {
        let strength = if self.column.interval.is_some() { 1.0 } else { strength };
        let moved = |(value, noise): (&Option<i128>, &f64)| {
            Some(self.column.nearest(value.as_ref()?.saturating_add(whole(noise * strength))))
        };
        self.column.values.iter().zip(&self.noise).map(moved).collect()
    }
}

impl Noise {
    /// A draw of mean 0 and standard deviation 1.
    fn draw(self, stream: &mut Stream) -> f64 {
        match self {
            Self::Uniform => (stream.unit() * 2.0 - 1.0) * 3.0_f64.sqrt(),
            Self::Normal => stream.normal(),
        }
    }

    /// A draw between -end and end.
    fn within(self, end: f64, stream: &mut Stream) -> f64 {
        match self {
            Self::Uniform => (stream.unit() * 2.0 - 1.0) * end,
            Self::Normal => loop {
                // Two standard deviations hold 95 of 100 draws, so this ends soon.
                let draw = stream.normal() / 2.0;
                if draw.abs() <= 1.0 {
                    return draw * end;
                }
            },
        }
    }
}

/// The nearest whole number; what is beyond all bounds stays at them.
fn whole(number: f64) -> i128 {
    #[allow(clippy::cast_possible_truncation)] // A cast from a float saturates.
    let whole = number.round() as i128;
    whole.clamp(-(1 << 100), 1 << 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Parameters, Value};

    fn column(cells: &[&str], bounds: Option<(i128, i128)>) -> WalkColumn {
        WalkColumn { bounds, ..WalkColumn::parse("x", cells.iter().copied(), None).unwrap() }
    }

    fn ages() -> WalkColumn {
        let cells: Vec<String> = (0..400).map(|record| (20 + record * 37 % 60).to_string()).collect();
        column(&cells.iter().map(String::as_str).collect::<Vec<_>>(), None)
    }

    #[test]
    fn the_wanted_distortion_is_met_from_below() {
        for noise in [Noise::Uniform, Noise::Normal] {
            for wanted in [0.02, 0.1, 0.5] {
                let found = perturb(&[ages()], noise, wanted, Seed::from(1)).unwrap();
                assert!(found.distortion <= wanted && found.distortion > 0.95 * wanted, "{noise:?} {found:?}");
            }
        }
    }

    #[test]
    fn seeds_repeat_and_columns_have_streams_of_their_own() {
        let at = |seed: u64| perturb(&[ages(), ages()], Noise::Normal, 0.2, Seed::from(seed)).unwrap();
        assert_eq!(at(1), at(1));
        assert_ne!(at(1).columns, at(2).columns);
        assert_ne!(at(1).columns[0], at(1).columns[1]);
        let alone = perturb(&[ages()], Noise::Normal, 0.2, Seed::from(1)).unwrap();
        let moves = |values: &[Option<i128>]| -> Vec<i128> {
            values
                .iter()
                .zip(&ages().values)
                .map(|(after, before)| (after.unwrap() - before.unwrap()).signum())
                .collect()
        };
        let same = moves(&alone.columns[0])
            .iter()
            .zip(moves(&at(1).columns[0]))
            .filter(|(one, other)| **one * other >= 0)
            .count();
        assert_eq!(same, 400, "the first column draws the same noise whatever stands beside it");
    }

    #[test]
    fn missing_values_stay_and_domains_hold() {
        let narrow = column(&["1", "", "5", "9", "3"], Some((0, 10)));
        let found = perturb(&[narrow], Noise::Uniform, 1.0, Seed::from(4)).unwrap();
        assert_eq!(found.columns[0][1], None);
        assert!(found.columns[0].iter().flatten().all(|units| (0..=10).contains(units)));
    }

    #[test]
    fn an_interval_bounds_the_noise_of_its_column_alone() {
        let fixed = WalkColumn { interval: Some(7), ..ages() };
        for noise in [Noise::Uniform, Noise::Normal] {
            let found = perturb(&[fixed.clone(), ages()], noise, 0.2, Seed::from(3)).unwrap();
            let moves = |place: usize| -> Vec<i128> {
                let pairs = found.columns[place].iter().zip(&fixed.values);
                pairs.map(|(after, before)| after.unwrap() - before.unwrap()).collect()
            };
            assert!(
                moves(0).iter().all(|one| one.abs() <= 7) && moves(0).iter().any(|one| one.abs() >= 6),
                "{noise:?}"
            );
            assert!(moves(1).iter().any(|one| one.abs() > 7) && found.distortion > 0.19, "{noise:?}");
            let alone = perturb(std::slice::from_ref(&fixed), noise, 0.2, Seed::from(3)).unwrap();
            assert_eq!((alone.strength, &alone.columns[0]), (None, &found.columns[0]));
        }
    }

    #[test]
    fn a_distortion_beyond_the_domain_is_refused_with_the_nearest() {
        let narrow = column(&["90", "100", "95", "93", "97"], Some((90, 100)));
        let given = Parameters::from([("distortion".to_owned(), Value::Number(0.5))]);
        let parameters = MEMBER.card.check(&given, |_| None).unwrap();
        let (parameters, seed) = (&parameters, Seed::from(1));
        let task = ValueTask { columns: &[narrow], properties: &[], parameters, seed, progress: &|_| {} };
        let error = change(&task).unwrap_err();
        assert!(matches!(&error, WalkError::Unreached { wanted, .. } if wanted == "0.5"), "{error}");
    }

    #[test]
    fn what_cannot_get_noise_is_refused() {
        let refused = |column: WalkColumn| perturb(&[column], Noise::Normal, 0.1, Seed::from(1)).unwrap_err();
        let outside = WalkError::OutsideDomain { column: "x".into(), count: 1, first: 2 };
        assert_eq!(refused(column(&["1", "20"], Some((0, 10)))), outside);
        assert!(matches!(refused(column(&["1", "1", ""], None)), WalkError::BadSetting { .. }));
        assert_eq!(refused(column(&["1", "2"], Some((5, 5)))), WalkError::EmptyDomain { column: "x".into() });
    }
}
