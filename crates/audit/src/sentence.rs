//! What a release claims, in one sentence, and what of it was not checked, in another.
//!
//! A verdict says whether claims hold. Whoever reads it must also see which they are: a manifest that calls a telling
//! column insensitive, or promises less than was agreed, keeps every word of it.

use crate::decimal::Decimal;
use crate::manifest::{Claims, Column};
use crate::privacy::Promises;
use crate::treatment::{self, PSEUDONYM};
use crate::{ModelVerdict, quoted};

/// What is said of a suppression limit that nobody but the original shows.
pub(crate) fn limit(claims: &Claims) -> String {
    format!("{} in people", told_limit(claims.suppression_limit.get()))
}

/// A limit as it is told; one that is no share is not repeated.
pub(crate) fn told_limit(limit: &str) -> String {
    Decimal::share(limit)
        .map_or_else(|| "a suppression limit".to_owned(), |share| format!("a suppression limit of {share}"))
}

/// The sentence about roles and privacy models, and the one about what nobody looked at.
pub(crate) fn claimed(claims: &Claims, judged: &[ModelVerdict]) -> String {
    let mut parts = Vec::new();
    for (role, words) in [
        ("pseudonym", "released as tokens, which link records"),
        ("quasi-identifying", "quasi-identifying"),
        ("sensitive", "sensitive"),
        ("insensitive", "insensitive, released as collected"),
    ] {
        let names = |renewed: bool| {
            let of_role = claims.columns.iter().filter(move |column| column.role == role);
            names(of_role.filter(move |column| column.new_values.is_some() == renewed))
        };
        parts.extend(names(false).map(|names| format!("{words}: {names}")));
        parts.extend(names(true).map(|names| format!("{role} with new values, which no model covers: {names}")));
    }
    parts.extend(treated(claims));
    parts.extend(people(claims));
    let numbers = names(claims.columns.iter().filter(|column| column.number));
    parts.extend(numbers.map(|names| format!("numbers with decimal commas: {names}")));
    let promises = Promises::read(claims);
    let told = |model: &Result<_, _>| match model {
        Ok(promise) => ToString::to_string(promise),
        Err(_) => "a model that cannot be judged".to_owned(),
    };
    let models: Vec<String> = promises.models.iter().map(told).collect();
    let nothing = "no privacy model, so nothing is guaranteed";
    let models = if models.is_empty() { nothing.to_owned() } else { models.join(" and ") };
    format!("Claimed is {models}; {}.{}", parts.join("; "), unchecked(judged))
}

/// What happened to cells first, of columns that do not say so by their role.
fn treated(claims: &Claims) -> Option<String> {
    let treated = claims.columns.iter().filter(|column| column.role != PSEUDONYM && !column.treatments.is_empty());
    let told = |column: &Column| {
        let kinds = quoted(column.treatments.iter().map(|one| &one.name)).replace(", ", " and ");
        let others = treatment::read(column).unwrap_or_default().into_iter().filter_map(|treatment| treatment.other);
        let others = others.map(|other| format!(" with {other:?}")).collect::<Vec<_>>().concat();
        format!("{:?} by {kinds}{others}", column.name)
    };
    let told: Vec<String> = treated.map(told).collect();
    (!told.is_empty()).then(|| format!("changed before all else: {}", told.join(", ")))
}

/// What tells people apart.
fn people(claims: &Claims) -> Option<String> {
    let person = claims.person.as_ref()?;
    let is_released = claims.columns.iter().any(|column| column.name == *person);
    Some(format!("people told apart by {person:?}{}", if is_released { "" } else { ", which is not released" }))
}

/// What was not checked, and what it takes.
fn unchecked(judged: &[ModelVerdict]) -> String {
    let open: Vec<String> = judged
        .iter()
        .filter(|one| one.is_open())
        .map(|one| format!("{} ({})", one.promise, one.checked.as_str()))
        .collect();
    if open.is_empty() { String::new() } else { format!(" Not checked: {}.", open.join("; ")) }
}

fn names<'a>(columns: impl Iterator<Item = &'a Column>) -> Option<String> {
    Some(quoted(columns.map(|column| &column.name))).filter(|names| !names.is_empty())
}
