//! What may stand in a manifest that is accepted.
//!
//! A key or a text is explained by format 1, by the data beside it, or by the owner's own words in `about`. It is a list of its own, so
//! that nobody's slip is in it twice.

use equanym_audit::Verdict;
use serde_json::Value;

use crate::release::{COLUMNS, REPORTS, data, hash, records};

/// Keys and words of format 1.
pub const WORDS: [&str; 213] = [
    "format",
    "program",
    "data",
    "reports",
    "records",
    "suppression_limit",
    "limit_unit",
    "columns",
    "classes",
    "privacy",
    "person",
    "guarantee",
    "neutralised_cells",
    "method",
    "parameters",
    "search",
    "optimal",
    "by_preferences",
    "loss",
    "about",
    "file",
    "sha256",
    "bytes",
    "order",
    "delimiter",
    "encoding",
    "decimal",
    "original",
    "released",
    "suppressed",
    "name",
    "role",
    "level",
    "levels",
    "labels",
    "number",
    "type",
    "new_values",
    "treatments",
    "covered",
    "dates",
    "words",
    "treatment",
    "count",
    "min",
    "max",
    "model",
    "unit",
    "checked",
    "weights",
    "k",
    "target",
    "title",
    "purpose",
    "recipient",
    "date",
    "version",
    "rule",
    "values",
    "or_top",
    "width",
    "keep",
    "grain",
    "top",
    "bottom",
    "library",
    "step",
    "at",
    "to",
    "days",
    "by",
    "day",
    "l",
    "c",
    "t",
    "kind",
    "variable",
    "estimator",
    "distance",
    "alpha",
    "beta",
    "delta",
    "epsilon",
    "highest",
    "share",
    "absent",
    "noise",
    "distortion",
    "tolerance",
    "csv",
    "canonical",
    "input",
    "people",
    "persons",
    "release",
    "population",
    "none",
    "quasi-identifying",
    "sensitive",
    "insensitive",
    "pseudonym",
    "interval",
    "prefix",
    "listed",
    "as-collected",
    "range",
    "any-level",
    "month",
    "year",
    "quarter",
    "week",
    "decade",
    "YYYY-MM-DD",
    "DD.MM.YYYY",
    "round",
    "shift",
    "derive",
    "k-anonymity",
    "l-diversity",
    "entropy",
    "distinct",
    "recursive",
    "shannon",
    "grassberger",
    "t-closeness",
    "equal",
    "ordered",
    "hierarchical",
    "lkc",
    "alpha-k",
    "average-risk",
    "beta-likeness",
    "global-recoding",
    "mondrian",
    "perturbation",
    "random-walk",
    "normal",
    "uniform",
    "charged",
    "free",
    "preferences",
    "balance",
    "classification",
    "datafly",
    "exhaustive",
    "flash",
    "incognito",
    "ola",
    "samarati",
    "ambiguity",
    "average-class-size",
    "discernibility",
    "discernibility-star",
    "height",
    "iyengar",
    "non-uniform-entropy",
    "precision",
    "weighted-non-uniform-entropy",
    "points",
    "given",
    "auto",
    "segment",
    "segment_order",
    "record",
    "value",
    "selection",
    "random",
    "nearest",
    "weighted",
    "walk",
    "mixing",
    "coordinate",
    "hit-and-run",
    "paper",
    "rounded",
    "exact",
    "margin",
    "theta",
    "sweeps",
    "ties",
    "integer",
    "distortion_by",
    "domain",
    "delta-presence",
    "k-map",
    "delta-disclosure",
    "records-at-risk",
    "sample-uniques",
    "population-uniques",
    "cost-benefit",
    "differential-privacy",
    "basic",
    "enhanced",
    "violates",
    "ignored",
    "known",
    "fraction",
    "population_size",
    "zayatz",
    "pitman",
    "benefit",
    "gain",
    "cost",
    "attack",
    "allowed",
    "seeded",
    "epsilon_search",
    "significance",
    "at_format",
    "ends",
    "D.M.YYYY",
    "MM/DD/YYYY",
    "windows-1252",
];

/// The keys and texts of a manifest that nothing explains.
pub fn strange(bytes: &[u8], verdict: &Verdict) -> Vec<String> {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return vec!["no JSON".to_owned()] };
    let mut found = Vec::new();
    let files = REPORTS.map(|(file, text)| [file.to_owned(), hash(text.as_bytes())]).concat();
    let own = ["data.csv".to_owned(), hash(data().as_bytes())];
    let known: Vec<String> = records().concat().into_iter().chain(files).chain(own).collect();
    let is_told = |text: &str| verdict.claimed.contains(&format!("{text:?}"));
    search(&value, "", &mut |place, text| {
        let is_known = WORDS.contains(&text) || COLUMNS.contains(&text) || known.iter().any(|one| one == text);
        let is_own = place.starts_with("/about/") && ABOUT.contains(&place);
        let is_column =
            place == "/person" || place == "/columns[]/treatments[]/by" || place == "/columns[]/treatments[]/at";
        let is_named = (place == "/program" && is_version(text)) || (is_column && is_told(text));
        if !is_known && !is_own && !is_named && !is_number(text) {
            found.push(format!("{place}: {text:?}"));
        }
    });
    found
}

const ABOUT: [&str; 5] = ["/about/title", "/about/purpose", "/about/recipient", "/about/date", "/about/version"];

fn is_version(text: &str) -> bool {
    text.strip_prefix("equanym ").is_some_and(|version| version.split('.').all(is_number))
}

fn is_number(text: &str) -> bool {
    text.len() <= 40 && text.parse::<f64>().is_ok()
}

/// Shows every key and every text with its place; a key stands at the place of its object.
fn search(value: &Value, place: &str, see: &mut impl FnMut(&str, &str)) {
    match value {
        Value::Object(entries) => {
            for (key, inner) in entries {
                see(place, key);
                search(inner, &format!("{place}/{key}"), see);
            }
        }
        Value::Array(items) => items.iter().for_each(|inner| search(inner, &format!("{place}[]"), see)),
        Value::String(text) => see(place, text),
        _ => {}
    }
}
