//! How a member of a family introduces itself.
//!
//! Privacy models, losses, searches and methods are families: a trait, one file per member, and one list `ALL`.
//! Each member carries a [`Card`]; the command line, the policy validator and the manual read the cards, so no face
//! names a member. Parameters arrive as plain [`Parameters`] and are checked against the card before anything runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::role::Role;

/// What a member of a family says about itself.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Card {
    /// The word used in policies.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// A paragraph: when to use it, and its limits.
    pub about: &'static str,
    /// What it promises.
    pub promises: &'static [Promise],
    /// The parameters it takes.
    pub parameters: &'static [Parameter],
    /// Where it was published.
    pub source: &'static str,
}

/// What a member promises. The suites in `tests/core` attack every promise but those in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// A privacy model allows what contains an allowed class.
    Monotone,
    /// A privacy model allows what is made of allowed classes.
    ClosedUnderUnion,
    /// A privacy model of the whole table still holds when classes are merged, and when smallest ones are withheld.
    MergesKeepTheTable,
    /// A privacy model says how much of a refused class its parts can keep.
    Bounded,
    /// A search finds the node that an exhaustive search finds, ties included, and claims it as optimal.
    Exact,
    /// A search is exact where the loss does not charge the suppression that is allowed.
    ExactWithoutCharge,
    /// A search that is stopped early returns a safe node and a bound that no safe node falls below.
    ProvesItsGap,
    /// A search finds all safe nodes without a safe node below them.
    FindsMinimalNodes,
    /// A search finds a node of the least height that a safe node has.
    LeastHeight,
    /// A search counts the classes of no two nodes of the same height.
    OneNodePerHeight,
    /// The choice of a search follows from quasi-identifiers and from what is released.
    TellsNothing,
    /// A loss charges a suppressed record as one that is fully generalised.
    ChargesAsFullGeneralisation,
    /// A loss charges a suppressed record as if it were released.
    ChargesNoSuppression,
    /// A number is never below 0 or above 1.
    ZeroToOne,
    /// A metric finds no difference between a table and itself.
    ZeroOnItself,
    /// A sampler never leaves the region.
    StaysInRegion,
    /// A sampler draws all points alike in the long run.
    Uniform,
    /// A promise that a test of the member alone attacks.
    InWords(&'static str),
}

impl Promise {
    /// The promise as users read it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Monotone => "monotone: an allowed class stays allowed when merged",
            Self::ClosedUnderUnion => "an allowed class stays allowed when merged with another allowed one",
            Self::MergesKeepTheTable => "merged classes satisfy it if they did apart, where nothing is withheld",
            Self::Bounded => {
                "says how much of a refused class a finer node can keep: exact searches leave out what cannot win"
            }
            Self::Exact => "exact",
            Self::ExactWithoutCharge => "exact where no suppression is allowed or charged",
            Self::ProvesItsGap => "stops at a time limit with a proven gap",
            Self::FindsMinimalNodes => "finds every k-minimal node",
            Self::LeastHeight => "no safe node is lower",
            Self::OneNodePerHeight => "counts at most one node per height",
            Self::TellsNothing => {
                "follows from quasi-identifiers and from what is released: it tells nothing more about sensitive values"
            }
            Self::ChargesAsFullGeneralisation => "charges suppression as full generalisation",
            Self::ChargesNoSuppression => "does not charge suppression",
            Self::ZeroToOne => "lies between 0 and 1",
            Self::ZeroOnItself => "a table compared with itself gives 0",
            Self::StaysInRegion => "never leaves the region",
            Self::Uniform => "draws all points alike in the long run",
            Self::InWords(text) => text,
        }
    }
}

impl Serialize for Promise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// One parameter of a member.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Parameter {
    /// The word used in policies.
    pub name: &'static str,
    /// The values it takes.
    pub kind: Kind,
    /// Its value when the policy is silent; `None` makes it compulsory.
    pub default: Option<&'static str>,
    /// One line: what it means.
    pub summary: &'static str,
}

/// The values a parameter takes.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A whole number of at least this size.
    Integer {
        /// The smallest allowed value.
        min: i64,
    },
    /// A whole number between two, both included.
    Between {
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
    },
    /// The name of a sensitive variable.
    SensitiveVariable,
    /// The name of a variable that is released as it is, be it sensitive or insensitive.
    UnrecodedVariable,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A number from 0 to 1.
    Share,
    /// A number above 0 and up to 1.
    PositiveShare,
    /// A number from 0 to this one.
    UpTo(u32),
    /// A number above 0 and up to 1, or this word.
    ShareOr(&'static str),
    /// A number above this one.
    Above(i64),
    /// A parameter that goes with one word of another parameter; without the word there is none.
    WithChoice {
        /// The other parameter.
        parameter: &'static str,
        /// Its word.
        word: &'static str,
        /// The values that this parameter takes.
        kind: &'static Self,
    },
    /// A whole number of at least 1, or this word.
    CountOr(&'static str),
    /// Yes or no.
    Flag,
    /// Any number.
    Number,
    /// Where a table lies that is read besides the data: a path from the policy's folder, or an address.
    Table,
    /// A parameter that may be left out.
    Optional(&'static Self),
    /// A parameter that goes with another one; without that there is none.
    WithParameter {
        /// The other parameter.
        parameter: &'static str,
        /// The values that this parameter takes.
        kind: &'static Self,
    },
    /// The name of a column of the data, released or not.
    Column,
    /// The same, or a day such as `2026-01-01`.
    ColumnOrDate,
}

/// A value that a policy gives to a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Number(f64),
    /// A text.
    Text(String),
    /// Yes or no.
    Bool(bool),
}

/// The parameters of one member, by name.
pub type Parameters = BTreeMap<String, Value>;

/// A parameter that does not fit the card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// The card knows no such parameter.
    #[error("`{member}` has no parameter `{name}`")]
    Unknown {
        /// The member.
        member: &'static str,
        /// The parameter that was given.
        name: String,
    },
    /// A compulsory parameter is absent.
    #[error("`{member}` needs `{name}`: {summary}")]
    Missing {
        /// The member.
        member: &'static str,
        /// The absent parameter.
        name: &'static str,
        /// What it means.
        summary: &'static str,
    },
    /// The value has the wrong type or is out of range.
    #[error("`{name}` of `{member}` must be {wanted}")]
    Unfit {
        /// The member.
        member: &'static str,
        /// The parameter.
        name: &'static str,
        /// What would fit.
        wanted: String,
    },
}

impl Parameter {
    /// A parameter that must be given.
    #[must_use]
    pub const fn required(name: &'static str, kind: Kind, summary: &'static str) -> Self {
        Self { name, kind, default: None, summary }
    }

    /// A parameter that has this value when the policy is silent.
    #[must_use]
    pub const fn defaulting(name: &'static str, kind: Kind, default: &'static str, summary: &'static str) -> Self {
        Self { name, kind, default: Some(default), summary }
    }
}

impl Card {
    /// Whether it makes this promise.
    #[must_use]
    pub fn keeps(&self, promise: Promise) -> bool {
        self.promises.contains(&promise)
    }

    /// Checks that each given parameter is known and fits, and fills in the defaults; `role_of` says which variables
    /// there are to be named, and their roles.
    pub fn check(
        &self,
        given: &Parameters,
        role_of: impl Fn(&str) -> Option<Role>,
    ) -> Result<Parameters, ParameterError> {
        if let Some(name) = given.keys().find(|name| self.parameters.iter().all(|p| p.name != **name)) {
            return Err(ParameterError::Unknown { member: self.name, name: name.clone() });
        }
        let mut checked = Parameters::new();
        for parameter in self.parameters {
            if let Kind::WithChoice { parameter: other, word, .. } = parameter.kind
                && text(&checked, other) != word
            {
                if given.contains_key(parameter.name) {
                    let wanted = format!("left out: it goes with {other} = \"{word}\" only");
                    return Err(ParameterError::Unfit { member: self.name, name: parameter.name, wanted });
                }
                continue;
            }
            if let Kind::WithParameter { parameter: other, .. } = parameter.kind
                && !checked.contains_key(other)
            {
                if given.contains_key(parameter.name) {
                    let wanted = format!("left out: it goes with `{other}` only");
                    return Err(ParameterError::Unfit { member: self.name, name: parameter.name, wanted });
                }
                continue;
            }
            if matches!(parameter.kind, Kind::Optional(_)) && !given.contains_key(parameter.name) {
                continue;
            }
            let value = match (given.get(parameter.name), parameter.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => parameter.kind.read(default),
                (None, None) => {
                    return Err(ParameterError::Missing {
                        member: self.name,
                        name: parameter.name,
                        summary: parameter.summary,
                    });
                }
            };
            if !parameter.kind.fits(&value, &role_of) {
                let wanted = parameter.kind.wanted();
                return Err(ParameterError::Unfit { member: self.name, name: parameter.name, wanted });
            }
            checked.insert(parameter.name.to_owned(), value);
        }
        Ok(checked)
    }
}

impl Kind {
    /// What it is where the parameter is given: a kind that says no more when.
    #[must_use]
    pub fn given(self) -> Self {
        match self {
            Self::WithChoice { kind, .. } | Self::WithParameter { kind, .. } | Self::Optional(kind) => kind.given(),
            kind => kind,
        }
    }

    /// The value of a default, which cards write as text.
    fn read(self, text: &str) -> Value {
        let read = match self {
            Self::WithChoice { kind, .. } | Self::WithParameter { kind, .. } | Self::Optional(kind) => {
                return kind.read(text);
            }
            Self::Integer { .. } | Self::Between { .. } | Self::CountOr(_) => text.parse().ok().map(Value::Integer),
            Self::Share | Self::PositiveShare | Self::UpTo(_) | Self::ShareOr(_) | Self::Above(_) | Self::Number => {
                text.parse().ok().map(Value::Number)
            }
            Self::Flag => text.parse().ok().map(Value::Bool),
            _ => None,
        };
        read.unwrap_or_else(|| Value::Text(text.to_owned()))
    }

    fn fits(self, value: &Value, role_of: &impl Fn(&str) -> Option<Role>) -> bool {
        match (self, value) {
            (Self::Integer { min }, Value::Integer(number)) => *number >= min,
            (Self::Between { min, max }, Value::Integer(number)) => (min..=max).contains(number),
            (Self::SensitiveVariable, Value::Text(name)) => role_of(name) == Some(Role::Sensitive),
            (Self::UnrecodedVariable, Value::Text(name)) => {
                matches!(role_of(name), Some(Role::Sensitive | Role::Insensitive))
            }
            (Self::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
            (Self::WithChoice { kind, .. } | Self::WithParameter { kind, .. } | Self::Optional(kind), value) => {
                kind.fits(value, role_of)
            }
            (Self::Above(least), Value::Number(number)) => *number > least as f64 && number.is_finite(),
            (Self::Above(least), Value::Integer(number)) => *number > least,
            (Self::Share, Value::Number(number)) => (0.0..=1.0).contains(number),
            (Self::Share, Value::Integer(number)) => (0..=1).contains(number),
            (Self::UpTo(most), Value::Number(number)) => (0.0..=f64::from(most)).contains(number),
            (Self::UpTo(most), Value::Integer(number)) => (0..=i64::from(most)).contains(number),
            (Self::ShareOr(_) | Self::PositiveShare, Value::Number(number)) => *number > 0.0 && *number <= 1.0,
            (Self::ShareOr(_) | Self::PositiveShare, Value::Integer(number)) => *number == 1,
            (Self::CountOr(_), Value::Integer(number)) => *number >= 1,
            (Self::CountOr(word) | Self::ShareOr(word), Value::Text(text)) => text == word,
            (Self::Flag, Value::Bool(_)) | (Self::Number, Value::Integer(_)) => true,
            (Self::Number, Value::Number(number)) => number.is_finite(),
            (Self::Column | Self::ColumnOrDate | Self::Table, Value::Text(name)) => !name.is_empty(),
            _ => false,
        }
    }

    /// What fits, in words.
    #[must_use]
    pub fn wanted(self) -> String {
        match self {
            Self::Integer { min } => format!("a whole number of at least {min}"),
            Self::Between { min, max } => format!("a whole number from {min} to {max}"),
            Self::SensitiveVariable => "the name of a variable whose role is sensitive".to_owned(),
            Self::UnrecodedVariable => "the name of a variable whose role is sensitive or insensitive".to_owned(),
            Self::Choice(words) => format!("one of: {}", words.join(", ")),
            Self::Share => "a number from 0 to 1".to_owned(),
            Self::PositiveShare => "a number above 0 and up to 1".to_owned(),
            Self::UpTo(most) => format!("a number from 0 to {most}"),
            Self::ShareOr(word) => format!("a number above 0 and up to 1, or \"{word}\""),
            Self::Above(least) => format!("a number above {least}"),
            Self::WithChoice { kind, .. } | Self::WithParameter { kind, .. } | Self::Optional(kind) => kind.wanted(),
            Self::CountOr(word) => format!("a whole number of at least 1, or \"{word}\""),
            Self::Flag => "true or false".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Table => "the path or address of a table".to_owned(),
            Self::Column => "the name of a column".to_owned(),
            Self::ColumnOrDate => "the name of a column, or a day such as \"2026-01-01\"".to_owned(),
        }
    }
}

/// A whole number of at least 0 among parameters that were checked against a card.
pub(crate) fn integer(parameters: &Parameters, name: &str) -> u64 {
    match parameters.get(name) {
        Some(Value::Integer(number)) => u64::try_from(*number).unwrap_or(0),
        _ => 0,
    }
}

/// A text among parameters that were checked against a card.
pub(crate) fn text<'a>(parameters: &'a Parameters, name: &str) -> &'a str {
    match parameters.get(name) {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}

/// A number among parameters that were checked against a card.
pub(crate) fn number(parameters: &Parameters, name: &str) -> f64 {
    match parameters.get(name) {
        Some(Value::Number(number)) => *number,
        Some(Value::Integer(number)) => *number as f64,
        _ => 0.0,
    }
}

/// A yes or no among parameters that were checked against a card.
pub(crate) fn flag(parameters: &Parameters, name: &str) -> bool {
    matches!(parameters.get(name), Some(Value::Bool(true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn parameter(name: &'static str, kind: Kind, default: Option<&'static str>) -> Parameter {
        Parameter { name, kind, default, summary: "" }
    }

    const CARD: Card = Card {
        name: "member",
        summary: "",
        about: "",
        promises: &[],
        parameters: &[
            parameter("size", Kind::Integer { min: 1 }, Some("3")),
            parameter("word", Kind::Choice(&["one", "other"]), Some("one")),
            parameter("target", Kind::UnrecodedVariable, None),
        ],
        source: "",
    };

    fn check(given: &[(&str, Value)]) -> Result<Parameters, ParameterError> {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        CARD.check(&given, |name| match name {
            "age" => Some(Role::QuasiIdentifying),
            "ward" => Some(Role::Insensitive),
            "diagnosis" => Some(Role::Sensitive),
            _ => None,
        })
    }

    #[test]
    fn promises_are_read_as_text() {
        assert_eq!(Promise::Exact.text(), "exact");
        assert_eq!(Promise::ZeroToOne.text(), "lies between 0 and 1");
        assert_eq!(Promise::InWords("keeps its word").text(), "keeps its word");
    }

    #[test]
    fn defaults_have_the_type_of_their_kind() {
        let checked = check(&[("target", Value::Text("ward".into()))]).unwrap();
        assert_eq!((checked["size"].clone(), checked["word"].clone()), (Value::Integer(3), Value::Text("one".into())));
        assert_eq!((integer(&checked, "size"), text(&checked, "word"), text(&checked, "size")), (3, "one", ""));
    }

    #[test]
    fn a_variable_that_is_recoded_or_unknown_does_not_fit() {
        for (name, fits) in [("ward", true), ("diagnosis", true), ("age", false), ("wrad", false)] {
            assert_eq!(check(&[("target", Value::Text(name.into()))]).is_ok(), fits, "{name}");
        }
    }

    #[test]
    fn shares_flags_and_counts_fit_their_kinds() {
        let fits = |kind: Kind, value: Value| kind.fits(&value, &|_: &str| None);
        let numbers = [(0.0, true), (0.5, true), (1.0, true), (1.01, false), (-0.1, false), (f64::NAN, false)];
        for (number, is_fit) in numbers {
            assert_eq!(fits(Kind::Share, Value::Number(number)), is_fit, "{number}");
        }
        assert!(fits(Kind::Share, Value::Integer(1)) && !fits(Kind::Share, Value::Integer(2)));
        assert!(fits(Kind::CountOr("auto"), Value::Text("auto".into())));
        assert!(fits(Kind::CountOr("auto"), Value::Integer(1)) && !fits(Kind::CountOr("auto"), Value::Integer(0)));
        assert!(fits(Kind::Flag, Value::Bool(false)) && !fits(Kind::Flag, Value::Text("yes".into())));
        assert_eq!((Kind::Flag.read("true"), Kind::Share.read("0.5")), (Value::Bool(true), Value::Number(0.5)));
        assert_eq!(
            (Kind::CountOr("auto").read("auto"), Kind::CountOr("auto").read("7")),
            (Value::Text("auto".into()), Value::Integer(7))
        );
    }

    #[test]
    fn what_the_card_does_not_know_or_miss_is_an_error() {
        let target = ("target", Value::Text("ward".into()));
        let error = |given: &[(&str, Value)]| check(given).unwrap_err().to_string();
        assert!(error(&[]).starts_with("`member` needs `target`"));
        assert_eq!(error(&[target.clone(), ("sise", Value::Integer(1))]), "`member` has no parameter `sise`");
        let zero = error(&[target, ("size", Value::Integer(0))]);
        assert_eq!(zero, "`size` of `member` must be a whole number of at least 1");
    }
}
