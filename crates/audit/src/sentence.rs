//! What a release claims, in one sentence.
//!
//! A verdict says whether claims hold. Whoever reads it must also see which they are: a manifest that calls a telling
//! column insensitive, or promises less than was agreed, keeps every word of it.

use crate::manifest::{Claims, Column, Privacy};
use crate::privacy::Model;

/// The sentence about roles and privacy models.
pub(crate) fn claimed(claims: &Claims) -> String {
    let mut parts = Vec::new();
    for (role, words) in [
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
    let models: Vec<String> = claims.privacy.iter().map(|claim| model(claim, &claims.columns)).collect();
    let nothing = "no privacy model, so nothing is guaranteed";
    let models = if models.is_empty() { nothing.to_owned() } else { models.join(" and ") };
    format!("Claimed is {models}; {}.", parts.join("; "))
}

fn names<'a>(columns: impl Iterator<Item = &'a Column>) -> Option<String> {
    let names: Vec<String> = columns.map(|column| format!("{:?}", column.name)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn model(claim: &Privacy, columns: &[Column]) -> String {
    match Model::of(claim, columns) {
        Model::KAnonymity { k } => format!("k-anonymity with k = {k}"),
        Model::DistinctDiversity { name, l, .. } => format!("l-diversity of {name:?} with l = {l}"),
        Model::Unknown { .. } => "a model that cannot be judged".to_owned(),
    }
}
