//! How a release was made: method, search and loss, in the words of format 1.
//!
//! None of them leaves a trace in the bytes, so none can be judged. That they are no place to hide something can: each is a word of a
//! list, with the settings that it takes and no others, and a setting is a number within its bounds or again a word of a list.

use serde_json::Value;

use crate::decimal::Decimal;
use crate::manifest::{Claims, Column};
use crate::parameters::Parameters;

/// A method or a loss, and what a policy can tell it.
struct Way {
    name: &'static str,
    settings: &'static [(&'static str, Setting)],
}

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

const METHODS: [(Work, Way); 4] = [
    (Work::Level, Way { name: "global-recoding", settings: &[] }),
    (Work::Local, Way { name: "mondrian", settings: &[] }),
    (
        Work::NewValues,
        Way {
            name: "perturbation",
            settings: &[
                ("noise", Setting::Word(&["normal", "uniform"])),
                ("distortion", Setting::Share),
                ("tolerance", Setting::Share),
            ],
        },
    ),
    (
        Work::NewValues,
        Way {
            name: "random-walk",
            settings: &[
                ("segment", Setting::Count(3)),
                ("segment_order", Setting::Word(&["record", "value"])),
                ("theta", Setting::Share),
                ("selection", Setting::Word(&["random", "nearest", "weighted"])),
                ("walk", Setting::Word(&["mixing", "coordinate", "hit-and-run", "paper"])),
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
        },
    ),
];

const SEARCHES: [&str; 8] = ["optimal", "balance", "datafly", "exhaustive", "flash", "incognito", "ola", "samarati"];

const WEIGHTS: (&str, Setting) = ("weights", Setting::Word(&["equal", "points", "given"]));
const SUPPRESSED: (&str, Setting) = ("suppressed", Setting::Word(&["charged", "free"]));

const LOSSES: [Way; 10] = [
    Way { name: "ambiguity", settings: &[WEIGHTS] },
    Way { name: "average-class-size", settings: &[("k", Setting::Count(1))] },
    Way { name: "classification", settings: &[("target", Setting::Column)] },
    Way { name: "discernibility", settings: &[] },
    Way { name: "discernibility-star", settings: &[] },
    Way { name: "height", settings: &[] },
    Way { name: "iyengar", settings: &[WEIGHTS] },
    Way { name: "non-uniform-entropy", settings: &[SUPPRESSED] },
    Way { name: "precision", settings: &[WEIGHTS] },
    Way { name: "weighted-non-uniform-entropy", settings: &[WEIGHTS, SUPPRESSED] },
];

/// Every key that some method takes.
pub(crate) fn method_keys() -> impl Iterator<Item = &'static str> {
    METHODS.iter().flat_map(|(_, way)| way.settings).map(|(key, _)| *key)
}

/// Every key that some loss takes.
pub(crate) fn loss_keys() -> impl Iterator<Item = &'static str> {
    LOSSES.iter().flat_map(|way| way.settings).map(|(key, _)| *key)
}

/// What the method does, if it is one, with settings that it takes. Only new values are told with what.
pub(crate) fn work(claims: &Claims) -> Option<Work> {
    let (work, way) = METHODS.iter().find(|(_, way)| way.name == claims.method)?;
    way.takes(&claims.parameters, &claims.columns).then_some(*work)
}

/// Whether search and loss are claimed as a search leaves them. A mask that was applied again, and local recoding, come with neither.
pub(crate) fn is_chosen(claims: &Claims) -> bool {
    let (search, loss) = match (&claims.search, &claims.loss, claims.optimal) {
        (None, None, None) => return claims.by_preferences.is_none(),
        (Some(search), Some(loss), Some(_)) => (search, loss),
        _ => return false,
    };
    let way = LOSSES.iter().find(|way| way.name == loss.name);
    work(claims) != Some(Work::Local)
        && SEARCHES.contains(&search.as_str())
        && way.is_some_and(|way| way.takes(&loss.parameters, &claims.columns))
}

impl Way {
    fn takes(&self, given: &Parameters, columns: &[Column]) -> bool {
        let setting = |key: &str| self.settings.iter().find(|(known, _)| *known == key);
        given.keys().all(|key| setting(key).is_some_and(|(_, setting)| setting.allows(given, key, columns)))
    }
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
