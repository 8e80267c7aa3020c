//! A variable's ladder of generalisations.
//!
//! Level 0 is the value as collected, or what top and bottom coding leaves of it. Each further level is a coarser coding of the
//! same values. The last level is a single label: `*`, unless a written ladder ends with a word of its own for "all". The empty
//! text is the missing value. It is a value of its own, stays missing on the way up, and meets the others at the top.
//!
//! A [`Hierarchy`] is a [`Builder`] fitted to the values of one column. Values are codes: their place in
//! [`Hierarchy::values`]. Each level maps those codes to the codes of its labels. A level whose map is not a function
//! of the level below is *not nested*: the lattice searches ask [`Hierarchy::is_nested`] before they prune.
//!
//! ```
//! use equanym_core::hierarchy::Builder;
//!
//! let ages = ["17", "23", "24", ""].map(String::from);
//! let ladder = Builder::intervals(vec!["5".into(), "10".into()]).fit(&ages)?;
//! assert_eq!(ladder.height(), 3);
//! assert_eq!(ladder.label(1, 1), Some("[20, 25["));
//! assert_eq!(ladder.label(2, 3), Some(""));
//! assert_eq!(ladder.label(3, 3), Some("*"));
//! assert!(ladder.is_nested());
//! # Ok::<(), equanym_core::hierarchy::HierarchyError>(())
//! ```

mod bands;
mod builder;
mod cycle;
mod entry;
mod error;
mod rule;

pub mod auto;
pub mod csv;
pub mod decimal;
pub mod groups;
pub mod library;
pub mod lint;
pub mod order;
mod range;
mod rare;

use std::borrow::Cow;

use hashbrown::HashMap;

pub use builder::Builder;
pub use error::HierarchyError;
pub use groups::GroupLevel;
pub use lint::{LadderFinding, Severity, doubts, lint};
pub use rule::{Date, DateFormat, DateGrain, LabelRule, NumberEnds, UnreadableValue, date, interval, prefix};

/// The label of the last level.
pub const TOP: &str = "*";

/// The label of rare values where nobody says otherwise.
pub const OTHER: &str = "other";

/// The missing value.
pub const MISSING: &str = "";

/// A place in a list of values or labels.
pub type Code = u32;

/// A variable's ladder of generalisations over a list of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    levels: Vec<Level>,
    /// Levels that are no coarser coding of the level below.
    unnested: Vec<usize>,
}

/// One coding of the values.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The label of each label code, without repetition, in order of first appearance.
    pub labels: Vec<String>,
    /// The label code of each value code.
    pub of: Vec<Code>,
    /// How a label comes about, for values that are not in the list and for whoever checks a release.
    pub rule: LabelRule,
}

impl Level {
    /// The records with each label, given the records with each value.
    #[must_use]
    pub fn counts(&self, value_counts: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; self.labels.len()];
        self.of.iter().zip(value_counts).for_each(|(&label, count)| counts[label as usize] += count);
        counts
    }
}

impl Hierarchy {
    /// The values of the ladder, the labels of level 0. A value's code is its place here.
    #[must_use]
    pub fn values(&self) -> &[String] {
        self.levels.first().map_or(&[], |level| &level.labels)
    }

    /// A raw value as level 0 has it; `None` where the rule of level 0 cannot read it.
    #[must_use]
    pub fn collected<'v>(&self, value: &'v str) -> Option<Cow<'v, str>> {
        match self.levels.first().map(|level| &level.rule) {
            None | Some(LabelRule::AsCollected) => Some(value.into()),
            Some(rule) => rule.label(value)?.ok().map(Cow::from),
        }
    }

    /// All levels, the values as collected first.
    #[must_use]
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The number of the last level.
    #[must_use]
    pub fn height(&self) -> u8 {
        u8::try_from(self.levels.len().saturating_sub(1)).unwrap_or(u8::MAX)
    }

    /// The label of a value at a level; `None` when there is no such level or value.
    #[must_use]
    pub fn label(&self, level: usize, value: Code) -> Option<&str> {
        let level = self.levels.get(level)?;
        let code = level.of.get(usize::try_from(value).ok()?)?;
        level.labels.get(usize::try_from(*code).ok()?).map(String::as_str)
    }

    /// Whether each level is a coarser coding of the level below.
    #[must_use]
    pub fn is_nested(&self) -> bool {
        self.unnested.is_empty()
    }

    /// The first level that splits a label of the level below.
    #[must_use]
    pub fn first_unnested(&self) -> Option<usize> {
        self.unnested.first().copied()
    }

    /// Whether that holds from one level up to another.
    #[must_use]
    pub fn is_nested_between(&self, low: u8, high: u8) -> bool {
        let within = usize::from(low) + 1..=usize::from(high);
        !self.unnested.iter().any(|level| within.contains(level))
    }

    /// The ladder as a file in the layout of ARX: one line per value, one column per level, no header.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for value in 0..self.values().len() {
            for (number, level) in self.levels.iter().enumerate() {
                if number > 0 {
                    text.push(csv::SEPARATOR);
                }
                let label = level.of.get(value).and_then(|code| level.labels.get(*code as usize));
                csv::write_cell(&mut text, label.map_or(MISSING, String::as_str));
            }
            text.push('\n');
        }
        text
    }

    /// A ladder whose labels somebody knows: for each level above the values, the label of each value. The top is added where the
    /// last level has more than one label.
    pub fn of_labels(values: &[String], above: &[Vec<String>]) -> Result<Self, HierarchyError> {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let above: Vec<Vec<&str>> = above.iter().map(|labels| labels.iter().map(String::as_str).collect()).collect();
        Self::listed(&values, &above)
    }

    /// A ladder whose labels follow from the values by rules; the top is added.
    fn by_rules(values: &[String], rules: Vec<LabelRule>) -> Result<Self, HierarchyError> {
        Self::by_rules_above(values, LabelRule::AsCollected, rules)
    }

    /// The same above a rule for level 0. Values that share a label there must share one at every level.
    fn by_rules_above(values: &[String], collected: LabelRule, rules: Vec<LabelRule>) -> Result<Self, HierarchyError> {
        readable(values, &std::iter::once(&collected).chain(&rules).collect::<Vec<_>>())?;
        let labels: Vec<String> = values.iter().map(|value| collected.label_or_missing(value)).collect();
        let level = Level::numbered(labels.iter().map(String::as_str), collected)?;
        // The first value of each label stands for all that share it.
        let mut domain: Vec<&String> = Vec::new();
        for (value, code) in values.iter().zip(&level.of) {
            if *code as usize == domain.len() {
                domain.push(value);
            }
        }
        let mut levels = vec![level.with_identity()];
        for rule in rules {
            let labels: Vec<String> = domain.iter().map(|value| rule.label_or_missing(value)).collect();
            levels.push(Level::numbered(labels.iter().map(String::as_str), rule)?);
        }
        Self::topped(levels)
    }

    /// A ladder whose labels were written down: for each level above the values, the label of each value.
    ///
    /// A last level that knows one label only is the top, and the missing value joins it there.
    fn listed(values: &[&str], above: &[Vec<&str>]) -> Result<Self, HierarchyError> {
        let mut levels = vec![Level::numbered(values.iter().copied(), LabelRule::AsCollected)?];
        for labels in above {
            levels.push(Level::numbered(labels.iter().copied(), LabelRule::Listed)?);
        }
        Self::rooted(levels)
    }

    /// The same from levels: a last one that knows one label only is the top, otherwise a top is added.
    fn rooted(mut levels: Vec<Level>) -> Result<Self, HierarchyError> {
        let root = match levels.as_slice() {
            [values, .., last] => root(values, last).map(str::to_owned),
            _ => None,
        };
        let Some(root) = root else { return Self::topped(levels) };
        let rule = if root == TOP { LabelRule::Top } else { LabelRule::Listed };
        let values = levels.pop().map_or(0, |last| last.of.len());
        levels.push(Level::single(&root, values, rule));
        Self::new(levels)
    }

    fn topped(mut levels: Vec<Level>) -> Result<Self, HierarchyError> {
        let values = levels.first().map_or(0, |level| level.labels.len());
        levels.push(Level::single(TOP, values, LabelRule::Top));
        Self::new(levels)
    }

    fn new(levels: Vec<Level>) -> Result<Self, HierarchyError> {
        if levels.len() > MOST_LEVELS {
            return Err(HierarchyError::TooTall { levels: levels.len() });
        }
        let is_split = |level: &usize| !levels[*level].joins(&levels[*level - 1]);
        Ok(Self { unnested: (1..levels.len()).filter(is_split).collect(), levels })
    }
}

/// Level numbers are bytes.
const MOST_LEVELS: usize = 256;

impl Level {
    /// Numbers the labels in order of first appearance.
    fn numbered<'a>(labels: impl Iterator<Item = &'a str>, rule: LabelRule) -> Result<Self, HierarchyError> {
        let mut codes: HashMap<&str, Code> = HashMap::new();
        let mut level = Self { labels: Vec::new(), of: Vec::new(), rule };
        for label in labels {
            let next = Code::try_from(codes.len()).map_err(|_| HierarchyError::TooMany)?;
            let code = *codes.entry(label).or_insert(next);
            if code == next {
                level.labels.push(label.to_owned());
            }
            level.of.push(code);
        }
        Ok(level)
    }

    fn single(label: &str, values: usize, rule: LabelRule) -> Self {
        let labels = if values == 0 { Vec::new() } else { vec![label.to_owned()] };
        Self { labels, of: vec![0; values], rule }
    }

    /// Level 0 over its own labels: what is left when a value was given twice.
    fn with_identity(mut self) -> Self {
        self.of = (0..).take(self.labels.len()).collect();
        self
    }

    /// Whether values that share a label below share one here. Rules answer for all values, seen or not.
    fn joins(&self, below: &Self) -> bool {
        self.rule.joins(&below.rule).unwrap_or_else(|| {
            let mut parents = vec![None; below.labels.len()];
            below.of.iter().zip(&self.of).all(|(label, parent)| {
                parents.get_mut(*label as usize).is_some_and(|known| *known.get_or_insert(*parent) == *parent)
            })
        })
    }
}

/// The only label that values which are not missing have; the missing value joins it, or has it for itself.
fn root<'a>(values: &Level, last: &'a Level) -> Option<&'a str> {
    let is_missing = |code: Code| values.labels.get(code as usize).is_none_or(String::is_empty);
    let mut present = values.of.iter().zip(&last.of).filter(|(value, _)| !is_missing(**value)).map(|(_, label)| *label);
    let label = |code: Code| last.labels.get(code as usize).map(String::as_str);
    match present.next() {
        Some(first) => present.all(|label| label == first).then(|| label(first)).flatten(),
        None => last.of.first().and_then(|code| label(*code)).filter(|label| *label != MISSING),
    }
}

/// Refuses values that a rule cannot read; the missing value needs no reading.
fn readable(values: &[String], rules: &[&LabelRule]) -> Result<(), HierarchyError> {
    let mut wanted = None;
    let mut positions = Vec::new();
    for (position, value) in values.iter().enumerate() {
        if let Some(unreadable) = rules.iter().find_map(|rule| rule.label(value)?.err()) {
            wanted.get_or_insert(unreadable.wanted);
            positions.push(position);
        }
    }
    match wanted {
        None => Ok(()),
        Some(wanted) => Err(HierarchyError::Unreadable { wanted, count: positions.len(), positions }),
    }
}

/// Refuses values that a list does not hold; the missing value is known to every ladder.
fn all_listed(values: &[String], is_listed: impl Fn(&str) -> bool) -> Result<(), HierarchyError> {
    let is_unknown = |value: &String| !value.is_empty() && !is_listed(value);
    let unknown = values.iter().enumerate().filter(|(_, value)| is_unknown(value));
    let positions: Vec<usize> = unknown.map(|(position, _)| position).collect();
    if positions.is_empty() { Ok(()) } else { Err(HierarchyError::Unlisted { count: positions.len(), positions }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::texts;

    #[test]
    fn codes_follow_first_appearance() {
        let level = Level::numbered(["b", "a", "b", ""].into_iter(), LabelRule::Listed).unwrap();
        assert_eq!((level.labels, level.of), (texts(&["b", "a", ""]), vec![0, 1, 0, 2]));
    }

    #[test]
    fn a_repeated_value_counts_once() {
        let ladder = Builder::None.fit(&texts(&["x", "y", "x"])).unwrap();
        assert_eq!(ladder.values(), texts(&["x", "y"]));
        assert_eq!(ladder.levels()[0].of, [0, 1]);
        assert_eq!(ladder.levels()[1].of, [0, 0]);
    }

    #[test]
    fn an_empty_column_has_an_empty_ladder() {
        let ladder = Builder::None.fit(&[]).unwrap();
        assert_eq!((ladder.height(), ladder.values().len(), ladder.label(0, 0)), (1, 0, None));
        assert_eq!(ladder.to_csv(), "");
    }

    #[test]
    fn a_single_last_label_is_the_top() {
        let check = |above: &[Vec<&str>], height: u8, top: &str, rule: &LabelRule| {
            let ladder = Hierarchy::listed(&["a", "b", ""], above).unwrap();
            let last = ladder.levels().last().unwrap();
            assert_eq!((ladder.height(), last.labels.as_slice()), (height, texts(&[top]).as_slice()));
            assert_eq!(&last.rule, rule);
        };
        check(&[], 1, "*", &LabelRule::Top);
        check(&[vec!["x", "x", ""]], 1, "x", &LabelRule::Listed);
        check(&[vec!["*", "*", ""]], 1, "*", &LabelRule::Top);
        check(&[vec!["x", "y", ""]], 2, "*", &LabelRule::Top);
    }

    #[test]
    fn a_level_that_splits_is_found() {
        let values = ["a", "b", "c"];
        let nested = Hierarchy::listed(&values, &[vec!["x", "x", "y"], vec!["p", "p", "p"]]).unwrap();
        assert_eq!(nested.first_unnested(), None);
        let split = Hierarchy::listed(&values, &[vec!["x", "x", "y"], vec!["p", "q", "q"]]).unwrap();
        assert_eq!((split.first_unnested(), split.is_nested()), (Some(2), false));
    }

    #[test]
    fn a_tower_is_refused() {
        let above = vec![vec!["x", "y"]; 255];
        assert_eq!(Hierarchy::listed(&["a", "b"], &above), Err(HierarchyError::TooTall { levels: 257 }));
    }

    #[test]
    fn cells_are_quoted_where_needed() {
        let ladder = Builder::None.fit(&texts(&["", "a;b", "c\"d", "e,f", "\u{feff}g"])).unwrap();
        assert_eq!(ladder.to_csv(), ";*\n\"a;b\";*\n\"c\"\"d\";*\ne,f;*\n\"\u{feff}g\";*\n");
    }
}
