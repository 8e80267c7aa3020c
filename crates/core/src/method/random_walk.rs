//! The property-preserving walk as a method: exact-looking values that keep the patterns of their column.
//!
//! The variables that a policy marks with `walk = true` are walked ([`crate::walk`]): each segment of records gets values
//! drawn from all those that keep its properties. The others are recoded as under global recoding.
//!
//! Limit: no formal guarantee. Where the order is kept, ranks are published, and who knows the original values of a segment
//! finds everyone in it again.
//!
//! Source: Xue et al. 2011. Spec: `specs/method/random-walk.md`.

use super::goal::{DistortionGoal, seek, unreached};
use super::values::{ChangeFact, ChangedColumns, ParcelMethod, ValueDial, ValueMethod, ValueTask, floats};
use super::{MethodMember, MethodWork};
use crate::card::{Card, Kind, Parameter, Parameters, Promise, Value, flag, integer, number, text};
use crate::utility::distortion::{ColumnPair, of_columns};
use crate::walk::{
    ColumnFindings, LastDigits, Parcel, SELECTIONS, SegmentOutcome, Segmentation, Selection, Sweeps, TieRule,
    WalkColumn, WalkDomain, WalkError, WalkSettings, WalkTask, WalkedColumns,
};
use turned::DialSetting;

mod turned;

pub(super) const MEMBER: MethodMember = MethodMember {
    card: Card {
        name: "random-walk",
        summary: "columns with new values that keep distances, order and domain of their segment",
        about: "Replaces the values (numbers, dates, or words in an order) of the variables that the policy marks with `walk = true` by others, drawn from all \
                those that keep the same comparisons of distances. Distributions, clusters and averages survive better than \
                under noise. It gives no formal guarantee: where the order is kept, somebody who knows the original values \
                of a segment links every distinct value by its rank, however far it moved. Look at the linkage rates of the \
                report. Other quasi-identifiers are recoded as under global recoding.",
        promises: &[
            Promise::InWords("kept properties hold before rounding, and sums that must be equal after it"),
            Promise::InWords("values stay within their domain"),
        ],
        parameters: &[
            Parameter::defaulting(
                "segment",
                Kind::Integer { min: 3 },
                "100",
                "how many records (or distinct values) are walked together",
            ),
            Parameter::defaulting(
                "segment_order",
                Kind::Choice(Segmentation::WORDS),
                "record",
                "whether a segment is neighbouring records or neighbouring values",
            ),
            Parameter::defaulting(
                "theta",
                Kind::Share,
                "1.0",
                "the share of the comparisons of distances that are kept",
            ),
            Parameter::defaulting(
                "selection",
                Kind::Choice(SELECTIONS),
                "random",
                "which of them are kept: any, near values first, or near values more often",
            ),
            Parameter::defaulting(
                "walk",
                Kind::Choice(SAMPLERS),
                "mixing",
                "the sampler; `paper` is the published one, which needs small segments and many steps to move",
            ),
            Parameter::defaulting(
                "domain",
                Kind::Choice(&["segment", "column"]),
                "segment",
                "how far values may go where a variable gives no bounds: a margin beyond their segment's range, \
                          though not across a zero that no value crosses, or over the range of the column",
            ),
            Parameter::defaulting(
                "margin",
                Kind::UpTo(1000),
                "0.1",
                "how far beyond a segment's range its values may go on each side, as a share of that range",
            ),
            Parameter::defaulting("order", Kind::Flag, "true", "whether the order within a segment is kept"),
            Parameter::defaulting(
                "ties",
                Kind::Choice(&["free", "equal"]),
                "free",
                "whether equal distances may become unequal",
            ),
            Parameter::defaulting(
                "sweeps",
                Kind::CountOr("auto"),
                "auto",
                "how long the walk goes on: sweeps, or steps for `walk = \"paper\"`",
            ),
            Parameter::defaulting(
                "integer",
                Kind::Choice(&["rounded", "exact"]),
                "rounded",
                "whether the last decimal place is rounded at the end, or kept on the way without breaking a property",
            ),
            Parameter::defaulting(
                "distortion",
                Kind::ShareOr("free"),
                "free",
                "how far values shall move on average, as a share of themselves; free is what the settings bring",
            ),
            Parameter::defaulting(
                "distortion_by",
                Kind::Choice(&["margin", "theta", "sweeps"]),
                "margin",
                "the setting that is turned until the distortion is the wanted one; its own key is then not used",
            ),
            Parameter::defaulting(
                "tolerance",
                Kind::Share,
                "0.05",
                "how far the distortion may be off, as a share of the wanted one",
            ),
        ],
        source: "M. Xue, P. Karras, C. Raïssi, H. K. Pung, Utility-driven anonymization in data publishing, CIKM 2011",
    },
    work: MethodWork::Values(ValueMethod {
        mark: "walk",
        keeps_properties: true,
        takes_interval: false,
        dials: &[
            ValueDial { name: "theta", fact: "theta that the balance chose" },
            ValueDial { name: "segment", fact: "segment that the balance chose" },
            ValueDial { name: "margin", fact: "margin that the balance chose" },
        ],
        change,
        elsewhere: Some(ParcelMethod { fits: has_no_goal, parcels, changed: put_together }),
    }),
};

/// The samplers by name; a test holds this to the walk's own list.
const SAMPLERS: &[&str] = &["mixing", "coordinate", "hit-and-run", "paper"];

/// The settings that the parameters of a policy mean.
#[must_use]
pub fn settings(parameters: &Parameters) -> WalkSettings {
    let is = |name, word| text(parameters, name) == word;
    WalkSettings {
        sampler: text(parameters, "walk").to_owned(),
        theta: number(parameters, "theta"),
        order: flag(parameters, "order"),
        ties: if is("ties", "equal") { TieRule::Equal } else { TieRule::Free },
        selection: Selection::find(text(parameters, "selection")).unwrap_or_default(),
        domain: if is("domain", "column") {
            WalkDomain::Column
        } else {
            WalkDomain::Segment { margin: number(parameters, "margin") }
        },
        keep_sign: true,
        segment: usize::try_from(integer(parameters, "segment")).unwrap_or(usize::MAX),
        segments: Segmentation::of_word(text(parameters, "segment_order")),
        sweeps: match parameters.get("sweeps") {
            Some(Value::Integer(count)) => Sweeps::Fixed(u32::try_from(*count).unwrap_or(u32::MAX)),
            _ => Sweeps::Auto,
        },
        integer: if is("integer", "exact") { LastDigits::Exact } else { LastDigits::Rounded },
    }
}

fn change(task: &ValueTask<'_>) -> Result<ChangedColumns, WalkError> {
    let settings = settings(task.parameters);
    match number(task.parameters, "distortion") {
        wanted if wanted > 0.0 => change_by(task, &settings, wanted),
        _ => Ok(changed(task, &settings, walk_of(task, &settings).walk()?)),
    }
}

/// Walks with as much distortion as is wanted.
fn change_by(task: &ValueTask<'_>, settings: &WalkSettings, wanted: f64) -> Result<ChangedColumns, WalkError> {
    let goal = DistortionGoal { wanted, tolerance: number(task.parameters, "tolerance") };
    let turned = DialSetting::read(task, settings)?;
    let run = |turn: f64| {
        let settings = turned.at(settings, turn);
        let walked = walk_of(task, &settings).walk()?;
        Ok((distortion(task.columns, &walked), (settings, walked)))
    };
    match seek(goal, turned.dial(), run)? {
        Some(found) if goal.is_met(found.distortion) => {
            let (settings, walked) = found.outcome;
            let mut changed = changed(task, &settings, walked);
            let facts = [(turned.fact(), found.turn), ("distortion that was reached", found.distortion)];
            changed.facts.splice(0..0, facts.map(|(name, value)| ChangeFact::of_table(name, value)));
            Ok(changed)
        }
        nearest => {
            let (at, nearest) = nearest.map_or((0.0, 0.0), |found| (found.turn, found.distortion));
            Err(unreached(goal, turned.name(), nearest, at))
        }
    }
}

fn distortion(columns: &[WalkColumn], walked: &WalkedColumns) -> f64 {
    let floats: Vec<[Vec<f64>; 2]> =
        columns.iter().zip(&walked.columns).map(|(old, new)| [floats(&old.values), floats(&new.values)]).collect();
    let moved = floats.iter().zip(columns).map(|([before, after], column)| ColumnPair {
        before,
        after,
        has_zero: column.has_zero(),
    });
    of_columns(&moved.collect::<Vec<_>>())
}

/// A goal takes several walks, one after the other, so it is reached on one machine.
fn has_no_goal(task: &ValueTask<'_>) -> bool {
    number(task.parameters, "distortion") <= 0.0
}

fn parcels(task: &ValueTask<'_>, most: usize) -> Result<Vec<Parcel>, WalkError> {
    walk_of(task, &settings(task.parameters)).parcels(most)
}

fn put_together(task: &ValueTask<'_>, outcomes: &[SegmentOutcome]) -> Result<ChangedColumns, WalkError> {
    let settings = settings(task.parameters);
    Ok(changed(task, &settings, walk_of(task, &settings).put_together(outcomes)?))
}

fn walk_of<'a>(task: &ValueTask<'a>, settings: &'a WalkSettings) -> WalkTask<'a> {
    WalkTask { columns: task.columns, properties: task.properties, settings, seed: task.seed, progress: task.progress }
}

fn changed(task: &ValueTask<'_>, settings: &WalkSettings, walked: WalkedColumns) -> ChangedColumns {
    let frozen = walked.frozen().map(str::to_owned).collect();
    let table = [
        ("properties of the policy", walked.findings.properties),
        ("properties broken by rounding", walked.findings.properties_broken),
    ];
    let table = table.into_iter().filter(|_| !task.properties.is_empty());
    let table = table.map(|(name, count)| ChangeFact::of_table(name, count as f64));
    let of_columns = walked.columns.iter().flat_map(|column| facts(settings, &column.findings));
    ChangedColumns {
        facts: table.chain(of_columns).collect(),
        segment: (settings.segments == Segmentation::RecordOrder).then_some(settings.segment),
        frozen,
        warnings: warnings(settings, &walked.columns.iter().map(|column| &column.findings).collect::<Vec<_>>()),
        columns: walked.columns.into_iter().map(|column| column.values).collect(),
    }
}

fn facts(settings: &WalkSettings, found: &ColumnFindings) -> Vec<ChangeFact> {
    let counts = [
        ("segments", found.segments),
        ("segments that hardly moved", found.frozen_segments),
        ("localities in the data", found.localities),
        ("localities that came out the other way", found.reversed),
        (if settings.order { "relations from which they follow" } else { "relations listed" }, found.extracted),
        ("relations kept", found.kept),
        ("relations broken by rounding", found.broken),
        ("neighbours that rounding made equal", found.merged),
        ("most sweeps of a segment", found.sweeps),
    ];
    let counts = counts.into_iter().map(|(name, count)| ChangeFact::of_column(name, &found.name, count as f64));
    counts
        .chain([ChangeFact::of_column("mean change as a share of the range", &found.name, found.mean_change)])
        .collect()
}

fn warnings(settings: &WalkSettings, columns: &[&ColumnFindings]) -> Vec<String> {
    let unmixed: u64 = columns.iter().map(|column| column.unmixed_segments).sum();
    let frozen: u64 = columns.iter().map(|column| column.frozen_segments).sum();
    let segments: u64 = columns.iter().map(|column| column.segments).sum();
    let [localities, reversed] = [|one: &ColumnFindings| one.localities, |one: &ColumnFindings| one.reversed]
        .map(|count| columns.iter().map(|column| count(column)).sum::<u64>());
    let mut warnings = Vec::new();
    if settings.sampler == "paper" {
        warnings.push(
            "walk = \"paper\" is the published walk: it is not uniform, and hardly moves in segments of 100 with 4,000 \
             steps; it does in segments of 20 with 40,000; walk = \"mixing\" is the one to release with"
                .to_owned(),
        );
    }
    if unmixed > 0 {
        warnings.push(format!("{unmixed} of {segments} segments were walked for less long than they need to mix"));
    }
    if frozen > 0 {
        warnings.push(format!("{frozen} of {segments} segments hardly moved"));
    }
    if !settings.order && reversed > 0 {
        warnings.push(format!(
            "without the order the relations that are kept do not imply all localities: {reversed} of {localities} came out \
             the other way"
        ));
    }
    if settings.order {
        warnings.push(
            "the order within a segment is kept: who knows the original values of a segment links them by rank"
                .to_owned(),
        );
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_knows_every_sampler() {
        let names: Vec<&str> = crate::walk::ALL.iter().map(|member| member.card.name).collect();
        let mut known = SAMPLERS.to_vec();
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        known.sort_unstable();
        assert_eq!(sorted(names), known);
        assert_eq!(SAMPLERS.first(), Some(&crate::walk::DEFAULT));
    }

    fn task_of(columns: &[WalkColumn], given: &[(&str, Value)], seed: u64) -> Result<ChangedColumns, WalkError> {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let parameters = MEMBER.card.check(&given, |_| None).unwrap();
        change(&ValueTask { columns, properties: &[], parameters: &parameters, seed: seed.into(), progress: &|_| {} })
    }

    fn amounts() -> WalkColumn {
        let cells: Vec<String> = (1..=200_u64).map(|record| (record * record * 131 % 7919 + 900).to_string()).collect();
        WalkColumn::parse("x", cells.iter().map(String::as_str), None).unwrap()
    }

    fn fact(changed: &ChangedColumns, name: &str) -> f64 {
        changed.facts.iter().find(|fact| fact.name == name).map_or(f64::NAN, |fact| fact.value)
    }

    #[test]
    fn a_wanted_distortion_is_reached_within_its_tolerance() {
        let number = |value| Value::Number(value);
        let word = |name, word: &str| (name, Value::Text(word.to_owned()));
        let segment = ("segment", Value::Integer(20));
        let cases = [
            (vec![("distortion", number(0.8))], "margin that was found"),
            (
                vec![
                    ("distortion", number(0.1)),
                    word("distortion_by", "sweeps"),
                    word("walk", "coordinate"),
                    segment.clone(),
                ],
                "sweeps that were found",
            ),
            (
                vec![
                    ("distortion", number(0.06)),
                    word("distortion_by", "theta"),
                    word("walk", "paper"),
                    ("sweeps", Value::Integer(1000)),
                    segment,
                ],
                "theta that was found",
            ),
        ];
        for (given, turned) in cases {
            let changed = task_of(&[amounts()], &given, 1).unwrap();
            let Some((_, Value::Number(wanted))) = given.first() else { unreachable!() };
            let reached = fact(&changed, "distortion that was reached");
            assert!((reached - wanted).abs() <= 0.05 * wanted, "{turned}: {reached}");
            assert!(fact(&changed, turned).is_finite(), "{turned}");
            let again = task_of(&[amounts()], &given, 1).unwrap();
            assert_eq!(changed, again);
        }
    }

    #[test]
    fn a_distortion_out_of_reach_is_refused_with_the_nearest() {
        let refused = |columns: &[WalkColumn], given: &[(&str, Value)]| task_of(columns, given, 1).unwrap_err();
        let wanted = ("distortion", Value::Number(0.0001));
        let error = refused(&[amounts()], std::slice::from_ref(&wanted));
        assert!(matches!(&error, WalkError::Unreached { wanted, by: "margin", .. } if wanted == "0.0001"), "{error}");
        let bounded = WalkColumn { bounds: Some((0, 20_000)), ..amounts() };
        let error = refused(&[bounded], std::slice::from_ref(&wanted));
        assert!(matches!(&error, WalkError::BadSetting { setting: "distortion_by", .. }), "{error}");
        let error = refused(&[amounts()], &[wanted, ("domain", Value::Text("column".into()))]);
        assert!(matches!(&error, WalkError::BadSetting { setting: "distortion_by", .. }), "{error}");
    }

    #[test]
    fn defaults_are_those_of_the_walk() {
        let checked = MEMBER.card.check(&Parameters::new(), |_| None).unwrap();
        assert_eq!(settings(&checked), WalkSettings { keep_sign: true, ..WalkSettings::default() });
    }
}
