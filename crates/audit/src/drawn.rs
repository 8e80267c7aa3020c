//! What a release that was drawn at random must not tell besides its classes.
//!
//! The promise covers the classes of the sample that are large enough, and nothing else. A column as collected beside them, the
//! order of the input, or how many records there were and were withheld would each tell about single records.

use crate::manifest::{Claims, RecordCounts};
use crate::privacy::{Measure, Promises};
use crate::{Check, quoted};

/// Whether a model of the manifest rests on a draw.
pub(crate) fn is_drawn(claims: &Claims) -> bool {
    Promises::read(claims).understood().any(|promise| promise.model.is_of_sample)
}

/// Whether nothing but classes is told, where the records were drawn.
pub(crate) fn check(claims: &Claims) -> Option<Check> {
    if !is_drawn(claims) {
        return None;
    }
    let beside = claims.columns.iter().filter(|column| !column.is_recoded() || column.level.is_none());
    let beside = quoted(beside.map(|column| &column.name));
    let counts =
        matches!(claims.records, RecordCounts { original: Some(_), .. } | RecordCounts { suppressed: Some(_), .. });
    let promises = Promises::read(claims);
    let sizes = promises.understood().filter(|promise| promise.model.measure == Measure::Size).count();
    let found = match () {
        () if !beside.is_empty() => format!("columns that are not recoded: {beside}"),
        () if counts => "how many records the table had, or how many were withheld".to_owned(),
        () if claims.data.order != "canonical" => "the order of the input".to_owned(),
        () if claims.privacy.len() > sizes => "a model that looks at more than the size of classes".to_owned(),
        () => String::new(),
    };
    let claim = "a release that was drawn tells its classes and nothing else";
    Some(Check::new("drawn", found.is_empty(), claim, if found.is_empty() { "it does".to_owned() } else { found }))
}
