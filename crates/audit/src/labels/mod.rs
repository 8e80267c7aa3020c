//! Labels: what each level makes of a value, and which cells it can have made. One file for each rule.
//!
//! A level is claimed with the rule that makes its labels. The rules are written here anew, so that a slip in the making is not
//! repeated in the checking. A rule is told once: what it makes of a value ([`LabelRule::label`]) says what becomes of an original,
//! and which cells it can have made (`LabelRule::allows`) says what a release may hold. [`column`] says which rule a column has and
//! at which level it may stand, [`observer`] compares the cells, [`meaning`] holds labels of two releases against each other.
//!
//! Limit: a label says what a level can produce, not what the collected value was.

mod any_level;
mod as_collected;
mod column;
mod date;
pub(crate) mod ends;
pub(crate) mod interval;
mod library;
mod listed;
mod meaning;
mod new_values;
mod observer;
mod prefix;
mod range;
mod top;

use crate::manifest::LabelClaim;
pub(crate) use date::rule as date;
pub(crate) use library::rule as library;
use listed::LabelList;
pub(crate) use meaning::{Band, LabelSense, Meaning};
pub(crate) use observer::LabelObserver;
pub(crate) use prefix::rule as prefix;
pub(crate) use range::ends as range_ends;

/// The label of the top of every ladder.
pub(crate) const TOP: &str = "*";

/// The rules that this audit knows.
const ALL: [&LabelMember; 10] = [
    &as_collected::MEMBER,
    &ends::MEMBER,
    &interval::MEMBER,
    &prefix::MEMBER,
    &date::MEMBER,
    &library::MEMBER,
    &listed::MEMBER,
    &top::MEMBER,
    &range::MEMBER,
    &any_level::MEMBER,
];

/// How a rule is claimed.
struct LabelMember {
    name: &'static str,
    keys: &'static [&'static str],
    /// The rule, or what is wrong with its parameters.
    rule: fn(&LabelClaim) -> Result<LabelRule<'_>, &'static str>,
}

/// What makes a label of a value; nothing where the value cannot be read.
type LabelMaker<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

/// What finds the labels that have some of the values of another one.
type LabelJoiner<'a> = Box<dyn Fn(&Meaning) -> Option<Vec<String>> + 'a>;

/// A rule of labels with its parameters.
pub(crate) struct LabelRule<'a> {
    /// What its claim calls it.
    name: &'static str,
    place: Place,
    /// Whether values that it cannot read may be at the top.
    pub may_miss: bool,
    is_label: Box<dyn Fn(&str) -> bool + 'a>,
    make: LabelMaker<'a>,
    /// What a label stands for.
    means: Box<dyn Fn(&str) -> Meaning + 'a>,
    /// Its labels that have some of what another label stands for, where it can tell.
    joins: LabelJoiner<'a>,
    list: Option<LabelList<'a>>,
}

/// Where in a ladder a rule may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Bottom,
    Between,
    /// Between, at the level of this number.
    Step(u64),
    Top,
    /// At no level: each class has labels of its own.
    Class,
}

/// Every key that some rule reads.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|member| member.keys).copied()
}

impl<'a> LabelRule<'a> {
    /// The rule of a claim: its own parameters and no others, so that nothing is claimed that nobody judges.
    pub fn read(claim: &'a LabelClaim) -> Result<Self, &'static str> {
        let member =
            ALL.into_iter().find(|member| member.name == claim.rule).ok_or("its rule is not known to this audit")?;
        let has_stray_list = claim.values.is_some() && !member.keys.contains(&"values");
        if has_stray_list || !claim.parameters.are_among(member.keys) {
            return Err("its rule has a parameter that it does not take");
        }
        (member.rule)(claim)
    }

    fn new(
        name: &'static str,
        place: Place,
        is_label: impl Fn(&str) -> bool + 'a,
        make: impl Fn(&str) -> Option<String> + 'a,
    ) -> Self {
        Self {
            name,
            place,
            may_miss: false,
            is_label: Box::new(is_label),
            make: Box::new(make),
            means: Box::new(|_| Meaning::Unknown),
            joins: Box::new(|_| None),
            list: None,
        }
    }

    /// A rule whose labels a list names; what they stand for it does not say.
    fn listed(name: &'static str, place: Place, values: &'a [String]) -> Self {
        Self { list: Some(LabelList::new(values)), ..Self::new(name, place, |_| false, |_| None) }
    }

    /// Whether it can have made a cell. Remembers which labels of a list occur.
    fn allows(&mut self, cell: &str) -> bool {
        self.list.as_mut().map_or_else(|| (self.is_label)(cell), |list| list.meets(cell))
    }

    /// What it makes of a value; nothing where the value cannot be read. A missing one stays missing below the top.
    pub fn label(&self, value: &str) -> Option<String> {
        if value.is_empty() && self.list.is_none() && self.place != Place::Top {
            Some(String::new())
        } else {
            (self.make)(value)
        }
    }

    /// Whether it leaves values as they were collected.
    pub fn is_as_collected(&self) -> bool {
        self.name == as_collected::NAME
    }

    pub fn is_listed(&self) -> bool {
        self.list.is_some()
    }

    /// Whether what it makes of a value can be told from the value.
    pub fn is_of_values(&self) -> bool {
        self.place != Place::Class
    }
}
