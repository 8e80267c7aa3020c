//! What a policy says of the values of a sensitive variable: an order, or a ladder.
//!
//! Such a variable is not recoded, so its labels are not in the release. They are made here from the policy's rules, with
//! code of this crate, for values as a reader sees them.

use std::collections::HashMap;

use csv::StringRecord;

use crate::calendar::Grain;
use crate::decimal::Decimal;
use crate::labels::ends::Ends;
use crate::labels::{self, LabelRule, TOP, interval};
use crate::library::Library;
use crate::{privacy, spelling};

/// What a policy says of the values of a sensitive variable.
#[derive(Debug, Clone, Default)]
pub struct ValueMeaning {
    /// Its name.
    pub name: String,
    /// Its values in order, where one is given; without it they are numbers. The missing value comes first.
    pub order: Option<Vec<String>>,
    /// Its ladder, where one is given.
    pub ladder: Option<Ladder>,
}

/// The levels of a ladder above the values; a top is added to those that follow rules.
#[derive(Debug, Clone)]
pub enum Ladder {
    /// Bands of these widths, which are decimal numbers.
    Intervals(Vec<String>),
    /// So many characters stay.
    Prefix(Vec<usize>),
    /// Dates at these grains.
    Date {
        /// `day`, `week`, `month`, `quarter`, `year`, `5 years`, `decade`.
        grains: Vec<String>,
        /// How the values are written: `YYYY-MM-DD` and the like.
        format: String,
    },
    /// A ladder of the library.
    Library {
        /// Its name.
        name: String,
        /// How many steps it has below the top.
        steps: usize,
    },
    /// For each value that is listed its labels, from fine to coarse, the last one being the top; a value that is not
    /// listed stays as it is, below another top.
    Listed(Vec<(String, Vec<String>)>),
}

impl Ladder {
    /// The ladder of a hierarchy file: lines of a value and its labels, parted by semicolons.
    pub(super) fn from_file(text: &str) -> Option<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(b';').from_reader(text.as_bytes());
        let row = |record: Result<StringRecord, csv::Error>| {
            let record = record.ok()?;
            let mut cells = record.iter().map(str::to_owned);
            Some((cells.next()?, cells.collect()))
        };
        reader.records().map(row).collect::<Option<_>>().map(Self::Listed)
    }
}

impl ValueMeaning {
    /// The place of each value in the order; none where a value has none.
    pub(super) fn places(&self, texts: &[&str]) -> Option<Vec<usize>> {
        let Some(words) = &self.order else { return privacy::numeric_places(texts) };
        let listed: HashMap<String, usize> =
            words.iter().enumerate().rev().map(|(place, word)| (seen(word), place)).collect();
        privacy::places(texts, |text| listed.get(text).copied())
    }

    /// For each level between the values and the top the label of each value; none where a label cannot be told, or
    /// where values that share a label part again above it.
    pub(super) fn levels(&self, texts: &[&str]) -> Option<Vec<Vec<usize>>> {
        let levels = match self.ladder.as_ref()? {
            Ladder::Intervals(widths) => by_rules(
                texts,
                widths.iter().map(|width| Some(interval::rule(Decimal::parse(width)?, Ends::default()))),
            ),
            Ladder::Prefix(keep) => by_rules(texts, keep.iter().map(|keep| Some(labels::prefix(*keep)))),
            Ladder::Date { grains, format } => {
                by_rules(texts, grains.iter().map(|grain| Some(labels::date(Grain::named(grain)?, format))))
            }
            Ladder::Library { name, steps } => {
                by_rules(texts, (1..).take(*steps).map(|step| Some(labels::library(Library::named(name)?, step))))
            }
            Ladder::Listed(rows) => Some(by_list(texts, rows)),
        };
        let levels: Vec<Vec<usize>> = levels?.iter().map(|labels| numbered(labels)).collect();
        levels.windows(2).all(|pair| is_nested(&pair[0], &pair[1])).then_some(levels)
    }
}

fn by_rules<'a>(texts: &[&str], rules: impl Iterator<Item = Option<LabelRule<'a>>>) -> Option<Vec<Vec<String>>> {
    // A time of day is written with capitals.
    let label = |rule: &LabelRule<'_>, text: &str| rule.label(&text.to_uppercase());
    rules.map(|rule| rule.and_then(|rule| texts.iter().map(|text| label(&rule, text)).collect())).collect()
}

fn by_list(texts: &[&str], rows: &[(String, Vec<String>)]) -> Vec<Vec<String>> {
    let listed: HashMap<String, &Vec<String>> =
        rows.iter().rev().map(|(value, labels)| (seen(value), labels)).collect();
    let height = rows.iter().map(|(_, labels)| labels.len()).max().unwrap_or(0);
    let label = |text: &&str, level: usize| {
        listed.get(*text).and_then(|labels| labels.get(level)).map_or_else(|| (*text).to_owned(), |label| seen(label))
    };
    let mut levels: Vec<Vec<String>> =
        (0..height).map(|level| texts.iter().map(|text| label(text, level)).collect()).collect();
    // What a list ends with is the top, unless a value stands beside it.
    let has_strangers = texts.iter().any(|text| !text.is_empty() && !listed.contains_key(*text));
    let is_top = rows.iter().all(|(_, labels)| labels.last().is_some_and(|label| label == TOP));
    if is_top || !has_strangers {
        levels.pop();
    }
    levels
}

/// Labels as numbers.
fn numbered(labels: &[String]) -> Vec<usize> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let number = |label| {
        let next = numbers.len();
        *numbers.entry(label).or_insert(next)
    };
    labels.iter().map(String::as_str).map(number).collect()
}

/// Whether values that share a label share one above it.
fn is_nested(below: &[usize], above: &[usize]) -> bool {
    let mut parents: HashMap<usize, usize> = HashMap::new();
    below.iter().zip(above).all(|(label, parent)| *parents.entry(*label).or_insert(*parent) == *parent)
}

/// What a reader sees.
fn seen(text: &str) -> String {
    let mut seen = String::new();
    spelling::read(text, &mut seen);
    seen
}
