//! How a release was made: method, search and loss, in the words of format 1.
//!
//! None of them leaves a trace in the bytes, so none can be judged. That they are no place to hide something can: each is a word of a
//! list, with the settings that it takes and no others, and a setting is a number within its bounds or again a word of a list.

use serde_json::Value;

use crate::decimal::Decimal;
use crate::manifest::{Claims, Column};
use crate::parameters::Parameters;

/// What a policy can tell a method or a loss.
type Settings = &'static [(&'static str, Setting)];

/// What a setting can be.
#[derive(Clone, Copy)]
enum Setting {
    Word(&'static [&'static str]),
    /// A number from 0 to 1.
    Share,
    /// A number above 0 and up to 1, or this word.
    ShareOr(&'static str),
    /// A number from 0 to this one.
    UpTo(Decimal),
    /// A whole number of at least this one.
    Count(u64),
    /// A whole number of at least 1, or this word.
    CountOr(&'static str),
    Flag,
    /// A column that is released and not recoded.
    Column,
}

/// What a method does to the quasi-identifying columns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    Level,
    Local,
    NewValues,
}

const METHODS: &[(&str, Work, Settings)] = &[
    ("global-recoding", Work::Level, &[]),
    ("mondrian", Work::Local, &[]),
    (
        "perturbation",
        Work::NewValues,
        &[
            ("noise", Setting::Word(&["normal", "uniform"])),
            ("distortion", Setting::Share),
            ("tolerance", Setting::Share),
        ],
    ),
    (
        "random-walk",
        Work::NewValues,
        &[
            ("segment", Setting::Count(3)),
            ("segment_order", Setting::Word(&["record", "value"])),
            ("theta", Setting::Share),
            ("selection", Setting::Word(SELECTIONS)),
            ("walk", Setting::Word(SAMPLERS)),
            ("domain", Setting::Word(&["segment", "column"])),
            ("margin", Setting::UpTo(Decimal::whole(1000))),
            ("order", Setting::Flag),
            ("ties", Setting::Word(&["free", "equal"])),
            ("sweeps", Setting::CountOr("auto")),
            ("integer", Setting::Word(&["rounded", "exact"])),
            ("distortion", Setting::ShareOr("free")),
            ("distortion_by", Setting::Word(&["margin", "theta", "sweeps"])),
            ("tolerance", Setting::Share),
        ],
    ),
];

const SELECTIONS: &[&str] = &["random", "nearest", "weighted"];
const SAMPLERS: &[&str] = &["mixing", "coordinate", "hit-and-run", "paper"];

const SEARCHES: &[&str] =
    &["optimal", "balance", "datafly", "discreet", "exhaustive", "flash", "incognito", "ola", "samarati"];

const LOSSES: &[(&str, Settings)] = &[
    ("ambiguity", &[WEIGHTS]),
    ("average-class-size", &[("k", Setting::Count(1))]),
    ("classification", &[("target", Setting::Column)]),
    ("discernibility", &[]),
    ("discernibility-star", &[]),
    ("height", &[]),
    ("iyengar", &[WEIGHTS]),
    ("non-uniform-entropy", &[SUPPRESSED]),
    ("precision", &[WEIGHTS]),
    ("weighted-non-uniform-entropy", &[WEIGHTS, SUPPRESSED]),
];

const WEIGHTS: (&str, Setting) = ("weights", Setting::Word(&["equal", "points", "given"]));
const SUPPRESSED: (&str, Setting) = ("suppressed", Setting::Word(&["charged", "free"]));

/// Every key that some method takes.
pub(crate) fn method_keys() -> impl Iterator<Item = &'static str> {
    METHODS.iter().flat_map(|(_, _, settings)| *settings).map(|(key, _)| *key)
}

/// Every key that some loss takes.
pub(crate) fn loss_keys() -> impl Iterator<Item = &'static str> {
    LOSSES.iter().flat_map(|(_, settings)| *settings).map(|(key, _)| *key)
}

/// What the method does, if it is one, with settings that it takes. Only new values are told with what.
pub(crate) fn work(claims: &Claims) -> Option<Work> {
    let (_, work, settings) = METHODS.iter().find(|(name, ..)| *name == claims.method)?;
    are_taken(settings, &claims.parameters, &claims.columns).then_some(*work)
}

/// Whether search and loss are claimed as a search leaves them. A mask that was applied again, and local recoding, come with neither.
pub(crate) fn is_chosen(claims: &Claims) -> bool {
    let (search, loss) = match (&claims.search, &claims.loss, claims.optimal) {
        (None, None, None) => return claims.by_preferences.is_none(),
        (Some(search), Some(loss), Some(_)) => (search, loss),
        _ => return false,
    };
    let known = LOSSES.iter().find(|(name, _)| *name == loss.name);
    work(claims) != Some(Work::Local)
        && SEARCHES.contains(&search.as_str())
        && known.is_some_and(|(_, settings)| are_taken(settings, &loss.parameters, &claims.columns))
}

/// Whether all that is given is one of these settings.
fn are_taken(settings: Settings, given: &Parameters, columns: &[Column]) -> bool {
    let setting = |key: &str| settings.iter().find(|(known, _)| *known == key);
    given.keys().all(|key| setting(key).is_some_and(|(_, setting)| setting.allows(given, key, columns)))
}

impl Setting {
    fn allows(self, given: &Parameters, key: &str, columns: &[Column]) -> bool {
        let is = |wanted: &str| given.word(key) == Some(wanted);
        match self {
            Self::Word(words) => words.iter().any(|word| is(word)),
            Self::Share => given.share(key).is_some(),
            Self::ShareOr(word) => is(word) || given.positive_share(key).is_some(),
            Self::UpTo(most) => given.decimal(key).is_some_and(|number| most.is_below(number) == Some(false)),
            Self::Count(least) => given.natural(key).is_some_and(|count| count >= least),
            Self::CountOr(word) => is(word) || given.natural(key).is_some_and(|count| count > 0),
            Self::Flag => given.value(key).is_some_and(Value::is_boolean),
            Self::Column => columns.iter().any(|column| is(&column.name) && column.is_unrecoded()),
        }
    }
}
