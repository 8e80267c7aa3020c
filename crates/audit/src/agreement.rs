//! Whether the claims are complete and go together.
//!
//! Each claim is judged from the bytes by a check of its own. A manifest can also lie by what it leaves out, or by saying
//! two things at once: a level for a column that no model guards, a method that leaves other columns than are there, no
//! privacy model and no word about it. This check needs no byte of the data.
//!
//! Limit: method, search and loss leave no trace in the data; [`course`] asks that they are words of format 1.

use std::collections::BTreeSet;

use crate::Check;
use crate::calendar::Day;
use crate::course::{self, Work};
use crate::decimal::Decimal;
use crate::manifest::{Claims, Column};
use crate::privacy::Promises;
use crate::treatment::PSEUDONYM;

/// Holds the claims against each other.
pub(crate) fn check(claims: &Claims) -> Check {
    let troubles = [
        (!is_program(&claims.program), "the program is not named as it names itself"),
        (!is_silent_elsewhere(claims), "a column that is not quasi-identifying has a level or labels"),
        (!is_method(claims), "the method has settings that it does not take, or leaves other columns"),
        (!course::is_chosen(claims), "search and loss are not claimed as a search leaves them"),
        (!is_each_model_once(claims), "a privacy model is claimed twice"),
        (
            !is_shown(claims),
            "a privacy model does not say rightly whether records or people, and what shows that it holds",
        ),
        (
            !is_person_withheld(claims),
            "the column of people is empty, released as it was, or no privacy model counts people",
        ),
        (!are_tokens_people(claims), "tokens link records, and no column of people is claimed"),
        (!is_dated(claims), "the day of the release is none"),
        (!is_limit(claims), "the suppression limit is a share of something else, or of people who are not counted"),
        (!is_guarantee(claims), "no privacy model, or a claim that there is none, needs the other one"),
    ];
    let found: Vec<&str> = troubles.iter().filter(|(is_trouble, _)| *is_trouble).map(|(_, what)| *what).collect();
    let text = if found.is_empty() { "they are".to_owned() } else { found.join("; ") };
    Check::new("claims", found.is_empty(), "the claims are complete and agree with each other", text)
}

/// `equanym` and a version: three numbers.
fn is_program(program: &str) -> bool {
    let version = program.strip_prefix("equanym ").unwrap_or_default();
    let numbers: Vec<&str> = version.split('.').collect();
    let is_number = |text: &&str| text.parse::<u32>().is_ok_and(|number| number.to_string() == **text);
    numbers.len() == 3 && numbers.iter().all(is_number)
}

fn is_silent_elsewhere(claims: &Claims) -> bool {
    let is_silent = |column: &Column| column.level.is_none() && column.levels.is_none() && column.labels.is_none();
    claims.columns.iter().all(|column| column.is_quasi() || is_silent(column))
}

fn is_method(claims: &Claims) -> bool {
    let Some(work) = course::work(claims) else { return false };
    let mut renewed = claims.columns.iter().filter(|column| column.new_values.is_some());
    let mut recoded = claims.columns.iter().filter(|column| column.is_recoded());
    match work {
        Work::Level => renewed.next().is_none() && recoded.all(has_level),
        Work::Local => renewed.next().is_none() && recoded.all(|column| !has_level(column)),
        Work::NewValues => renewed.next().is_some() && recoded.all(has_level),
    }
}

fn has_level(column: &Column) -> bool {
    column.level.is_some() && column.levels.is_some()
}

fn is_each_model_once(claims: &Claims) -> bool {
    let models = claims.privacy.iter().map(|claim| (&claim.model, claim.parameters.words().collect::<Vec<_>>()));
    let models: BTreeSet<_> = models.collect();
    models.len() == claims.privacy.len()
}

/// Each promise counts people where a person is named, and only then, and the bytes show it or do not, as it says.
fn is_shown(claims: &Claims) -> bool {
    Promises::read(claims).understood().all(|promise| promise.is_said_right(claims))
}

/// People are counted by a column whose ids are not released.
fn is_person_withheld(claims: &Claims) -> bool {
    claims.person.as_ref().is_none_or(|person| {
        !person.is_empty()
            && !claims.privacy.is_empty()
            && claims.columns.iter().all(|column| column.name != *person || column.role == PSEUDONYM)
    })
}

/// Records that share a token must not count as several people: whose tokens they are, or whose records, is claimed.
fn are_tokens_people(claims: &Claims) -> bool {
    let has_tokens = claims.columns.iter().any(|column| column.role == PSEUDONYM);
    !has_tokens || claims.privacy.is_empty() || claims.person.is_some()
}

fn is_dated(claims: &Claims) -> bool {
    let is_day = |date: &String| Day::read(date, "YYYY-MM-DD").is_some_and(|(_, rest)| rest.is_empty());
    claims.about.date.as_ref().is_none_or(is_day)
}

/// The limit is a share of records, or of people who are counted.
fn is_limit(claims: &Claims) -> bool {
    match claims.limit_unit.as_deref() {
        None | Some("records") => true,
        Some("persons") => claims.person.is_some() && Decimal::share(claims.suppression_limit.get()).is_some(),
        Some(_) => false,
    }
}

/// Without a privacy model the manifest says that nothing is guaranteed, and with one it does not.
fn is_guarantee(claims: &Claims) -> bool {
    match claims.guarantee.as_deref() {
        None => !claims.privacy.is_empty(),
        Some(word) => word == "none" && claims.privacy.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_a_name_and_a_version() {
        assert!(is_program("equanym 0.1.0") && is_program("equanym 12.0.345"));
        for text in [
            "",
            "equanym",
            "equanym 1",
            "equanym 1.2",
            "equanym 1.2.3.4",
            "equanym 1.2.x",
            "equanym 1.2.03",
            "equanym 1.2.3 of us",
        ] {
            assert!(!is_program(text), "{text}");
        }
    }
}
