//! How a member of a family introduces itself.
//!
//! Privacy models, losses, searches and methods are families: a trait, one file per member, and one list `ALL`.
//! Each member carries a [`Card`]; the command line, the policy validator and the manual read the cards, so no face
//! names a member. Parameters arrive as plain [`Parameters`] and are checked against the card before anything runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a member of a family says about itself.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Card {
    /// The word used in policies.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// A paragraph: when to use it, and its limits.
    pub about: &'static str,
    /// What it promises and what the conformance suite attacks, in words.
    pub promises: &'static [&'static str],
    /// The parameters it takes.
    pub parameters: &'static [Parameter],
    /// Where it was published.
    pub source: &'static str,
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
    /// The name of a sensitive variable.
    SensitiveVariable,
    /// One of a few words.
    Choice(&'static [&'static str]),
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

impl Card {
    /// Checks that each given parameter is known and fits, and fills in the defaults.
    pub fn check(&self, given: &Parameters, sensitive: &[String]) -> Result<Parameters, ParameterError> {
        if let Some(name) = given.keys().find(|name| self.parameters.iter().all(|p| p.name != **name)) {
            return Err(ParameterError::Unknown { member: self.name, name: name.clone() });
        }
        let mut checked = Parameters::new();
        for parameter in self.parameters {
            let value = match (given.get(parameter.name), parameter.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => Value::Text(default.to_owned()),
                (None, None) => {
                    return Err(ParameterError::Missing {
                        member: self.name,
                        name: parameter.name,
                        summary: parameter.summary,
                    });
                }
            };
            if !parameter.kind.fits(&value, sensitive) {
                let wanted = parameter.kind.wanted();
                return Err(ParameterError::Unfit { member: self.name, name: parameter.name, wanted });
            }
            checked.insert(parameter.name.to_owned(), value);
        }
        Ok(checked)
    }
}

impl Kind {
    fn fits(self, value: &Value, sensitive: &[String]) -> bool {
        match (self, value) {
            (Self::Integer { min }, Value::Integer(number)) => *number >= min,
            (Self::SensitiveVariable, Value::Text(name)) => sensitive.contains(name),
            (Self::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
            _ => false,
        }
    }

    fn wanted(self) -> String {
        match self {
            Self::Integer { min } => format!("a whole number of at least {min}"),
            Self::SensitiveVariable => "the name of a variable whose role is sensitive".to_owned(),
            Self::Choice(words) => format!("one of: {}", words.join(", ")),
        }
    }
}
