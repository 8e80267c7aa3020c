//! The property-preserving walk as a method: exact-looking values that keep the patterns of their column.
//!
//! The variables that a policy marks with `walk = true` are walked ([`crate::walk`]): each segment of records gets values
//! drawn from all those that keep its properties. The others are recoded as under global recoding.
//!
//! Limit: no formal guarantee. Where the order is kept, ranks are published, and who knows the original values of a segment
//! finds everyone in it again.
//!
//! Source: Xue et al. 2011. Spec: `specs/method/random-walk.md`.

use super::values::{Changed, Elsewhere, Fact, Task, Values};
use super::{Member, Work};
use crate::card::{Card, Kind, Parameter, Parameters, Promise, Value, flag, integer, number, text};
use crate::walk::{
    ColumnFindings, Domain, Integer, MARGIN, Outcome, Parcel, Segments, Settings, Sweeps, Ties, WalkError, WalkTask,
    Walked,
};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "random-walk",
        summary: "numeric columns with new values that keep distances, order and domain of their segment",
        about: "Replaces the values of the variables that the policy marks with `walk = true` by others, drawn from all \
                those that keep the same comparisons of distances. Distributions, clusters and averages survive better than \
                under noise. It gives no formal guarantee: where the order is kept, somebody who knows the original values \
                of a segment links every distinct value by its rank, however far it moved. Look at the linkage rates of the \
                report. Other quasi-identifiers are recoded as under global recoding.",
        promises: &[
            Promise::InWords("kept properties hold before rounding, and sums that must be equal after it"),
            Promise::InWords("values stay within their domain"),
        ],
        parameters: &[
            Parameter {
                name: "segment",
                kind: Kind::Integer { min: 3 },
                default: Some("100"),
                summary: "how many records (or distinct values) are walked together",
            },
            Parameter {
                name: "segment_order",
                kind: Kind::Choice(&["record", "value"]),
                default: Some("record"),
                summary: "whether a segment is neighbouring records or neighbouring values",
            },
            Parameter {
                name: "theta",
                kind: Kind::Share,
                default: Some("1.0"),
                summary: "the share of the comparisons of distances that are kept",
            },
            Parameter {
                name: "walk",
                kind: Kind::Choice(SAMPLERS),
                default: Some("mixing"),
                summary: "the sampler; `paper` is the published one, which hardly moves on real data",
            },
            Parameter {
                name: "domain",
                kind: Kind::Choice(&["segment", "column"]),
                default: Some("segment"),
                summary: "how far values may go where a variable gives no bounds: a tenth beyond their segment's range, \
                          though not across a zero that no value crosses, or over the range of the column",
            },
            Parameter {
                name: "order",
                kind: Kind::Flag,
                default: Some("true"),
                summary: "whether the order within a segment is kept",
            },
            Parameter {
                name: "ties",
                kind: Kind::Choice(&["free", "equal"]),
                default: Some("free"),
                summary: "whether equal distances may become unequal",
            },
            Parameter {
                name: "sweeps",
                kind: Kind::CountOr("auto"),
                default: Some("auto"),
                summary: "how long the walk goes on: sweeps, or steps for `walk = \"paper\"`",
            },
            Parameter {
                name: "integer",
                kind: Kind::Choice(&["rounded", "exact"]),
                default: Some("rounded"),
                summary: "whether the last decimal place is rounded at the end, or kept on the way without breaking a property",
            },
        ],
        source: "M. Xue, P. Karras, C. Raïssi, H. K. Pung, Utility-driven anonymization in data publishing, CIKM 2011",
    },
    work: Work::Values(Values {
        mark: "walk",
        keeps_properties: true,
        change,
        elsewhere: Some(Elsewhere { parcels, changed: put_together }),
    }),
};

/// The samplers by name; a test holds this to the walk's own list.
const SAMPLERS: &[&str] = &["mixing", "coordinate", "hit-and-run", "paper"];

/// The settings that the parameters of a policy mean.
#[must_use]
pub fn settings(parameters: &Parameters) -> Settings {
    let is = |name, word| text(parameters, name) == word;
    Settings {
        sampler: text(parameters, "walk").to_owned(),
        theta: number(parameters, "theta"),
        order: flag(parameters, "order"),
        ties: if is("ties", "equal") { Ties::Equal } else { Ties::Free },
        domain: if is("domain", "column") { Domain::Column } else { Domain::Segment { margin: MARGIN } },
        keep_sign: true,
        segment: usize::try_from(integer(parameters, "segment")).unwrap_or(usize::MAX),
        segments: if is("segment_order", "value") { Segments::ValueOrder } else { Segments::RecordOrder },
        sweeps: match parameters.get("sweeps") {
            Some(Value::Integer(count)) => Sweeps::Fixed(u32::try_from(*count).unwrap_or(u32::MAX)),
            _ => Sweeps::Auto,
        },
        integer: if is("integer", "exact") { Integer::Exact } else { Integer::Rounded },
    }
}

fn change(task: &Task<'_>) -> Result<Changed, WalkError> {
    let settings = settings(task.parameters);
    Ok(changed(task, &settings, walk_of(task, &settings).walk()?))
}

fn parcels(task: &Task<'_>, most: usize) -> Result<Vec<Parcel>, WalkError> {
    walk_of(task, &settings(task.parameters)).parcels(most)
}

fn put_together(task: &Task<'_>, outcomes: &[Outcome]) -> Result<Changed, WalkError> {
    let settings = settings(task.parameters);
    Ok(changed(task, &settings, walk_of(task, &settings).put_together(outcomes)?))
}

fn walk_of<'a>(task: &Task<'a>, settings: &'a Settings) -> WalkTask<'a> {
    WalkTask { columns: task.columns, properties: task.properties, settings, seed: task.seed }
}

fn changed(task: &Task<'_>, settings: &Settings, walked: Walked) -> Changed {
    let frozen = walked.frozen().map(str::to_owned).collect();
    let table = [
        ("properties of the policy", walked.findings.properties),
        ("properties broken by rounding", walked.findings.properties_broken),
    ];
    let table = table.into_iter().filter(|_| !task.properties.is_empty());
    let table = table.map(|(name, count)| Fact::of_table(name, count as f64));
    let of_columns = walked.columns.iter().flat_map(|column| facts(&column.findings));
    Changed {
        facts: table.chain(of_columns).collect(),
        segment: (settings.segments == Segments::RecordOrder).then_some(settings.segment),
        frozen,
        warnings: warnings(settings, &walked.columns.iter().map(|column| &column.findings).collect::<Vec<_>>()),
        columns: walked.columns.into_iter().map(|column| column.values).collect(),
    }
}

fn facts(found: &ColumnFindings) -> Vec<Fact> {
    let counts = [
        ("segments", found.segments),
        ("segments that hardly moved", found.frozen_segments),
        ("localities in the data", found.localities),
        ("relations from which they follow", found.extracted),
        ("relations kept", found.kept),
        ("relations broken by rounding", found.broken),
        ("neighbours that rounding made equal", found.merged),
        ("most sweeps of a segment", found.sweeps),
    ];
    let counts = counts.into_iter().map(|(name, count)| Fact::of_column(name, &found.name, count as f64));
    counts.chain([Fact::of_column("mean change as a share of the range", &found.name, found.mean_change)]).collect()
}

fn warnings(settings: &Settings, columns: &[&ColumnFindings]) -> Vec<String> {
    let unmixed: u64 = columns.iter().map(|column| column.unmixed_segments).sum();
    let frozen: u64 = columns.iter().map(|column| column.frozen_segments).sum();
    let segments: u64 = columns.iter().map(|column| column.segments).sum();
    let mut warnings = Vec::new();
    if settings.sampler == "paper" {
        warnings.push(
            "walk = \"paper\" is the published walk: it is not uniform, and on real data it hardly moves; \
             walk = \"mixing\" is the one to release with"
                .to_owned(),
        );
    }
    if unmixed > 0 {
        warnings.push(format!("{unmixed} of {segments} segments were walked for less long than they need to mix"));
    }
    if frozen > 0 {
        warnings.push(format!("{frozen} of {segments} segments hardly moved"));
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

    #[test]
    fn defaults_are_those_of_the_walk() {
        let checked = MEMBER.card.check(&Parameters::new(), |_| None).unwrap();
        assert_eq!(settings(&checked), Settings { keep_sign: true, ..Settings::default() });
    }
}
