//! The families and their members, as their cards introduce them.
//!
//! The only place of the program that knows which families there are. No member is named: what can be listed and
//! explained is what the core's lists hold.

use equanym_core::balance::{distance, target};
use equanym_core::card::Card;
use equanym_core::hierarchy::library;
use equanym_core::privacy::preset;
use equanym_core::{loss, method, privacy, search, treatment, utility, walk};
use equanym_engine::sql::dialect;
use equanym_engine::write::reports::forms;
use serde::Serialize;

/// A family with its members.
#[derive(Debug, Serialize)]
pub struct Family {
    /// The word used on the command line.
    #[serde(rename = "family")]
    pub name: &'static str,
    /// What its members do.
    pub summary: &'static str,
    /// The members.
    pub members: Vec<Member>,
}

/// A member, as its card introduces it.
#[derive(Debug, Clone, Serialize)]
pub struct Member {
    /// The card.
    #[serde(flatten)]
    pub card: Card,
    /// Whether a policy that names none gets this one.
    pub default: bool,
    /// Of a loss: whether suppression is charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charges_suppression: Option<bool>,
    /// Of a loss: whether it weighs variables by their user points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighs_variables: Option<bool>,
    /// Of a preset: all that it asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asks: Vec<String>,
}

impl Member {
    fn new(card: Card, default: &str) -> Self {
        let default = card.name == default;
        Self { card, default, charges_suppression: None, weighs_variables: None, asks: Vec::new() }
    }
}

/// Every family.
pub fn all() -> Vec<Family> {
    let losses = loss::ALL.iter().map(|member| Member {
        charges_suppression: Some(member.charges_suppression()),
        weighs_variables: Some(member.weighs_variables()),
        ..Member::new(member.card, loss::DEFAULT)
    });
    vec![
        Family {
            name: "privacy",
            summary: "privacy models: which classes may be released",
            members: privacy::ALL.iter().map(|member| Member::new(member.card, "")).collect(),
        },
        Family {
            name: "preset",
            summary: "presets: what rules and guidance ask for, as fragments of a policy",
            members: preset::ALL
                .iter()
                .map(|preset| Member { asks: preset.lines(), ..Member::new(preset.card, "") })
                .collect(),
        },
        Family { name: "loss", summary: "losses: what a search minimises", members: losses.collect() },
        Family {
            name: "search",
            summary: "searches: how the levels are found",
            members: search::ALL.iter().map(|member| Member::new(member.card, search::DEFAULT)).collect(),
        },
        Family {
            name: "method",
            summary: "methods: how a table is changed",
            members: method::ALL.iter().map(|member| Member::new(member.card, method::DEFAULT)).collect(),
        },
        Family {
            name: "treatment",
            summary: "treatments: what happens to single cells before anything is counted",
            members: treatment::ALL.iter().map(|card| Member::new(**card, "")).collect(),
        },
        Family {
            name: "walk",
            summary: "samplers: how the property-preserving walk moves",
            members: walk::ALL.iter().map(|member| Member::new(member.card, walk::DEFAULT)).collect(),
        },
        Family {
            name: "utility",
            summary: "utility metrics: what a release is still good for",
            members: utility::ALL.iter().map(|member| Member::new(member.card, "")).collect(),
        },
        Family {
            name: "target",
            summary: "targets: which optimum a balance seeks",
            members: target::ALL.iter().map(|member| Member::new(member.card, target::DEFAULT)).collect(),
        },
        Family {
            name: "distance",
            summary: "distances: which level is nearest to an optimum",
            members: distance::ALL.iter().map(|member| Member::new(member.card, distance::DEFAULT)).collect(),
        },
        Family {
            name: "hierarchy",
            summary: "ladders of the library: classifications that everybody shares",
            members: library::ALL.iter().map(|library| Member::new(library.card, "")).collect(),
        },
        Family {
            name: "dialect",
            summary: "dialects: how `sql` writes for another engine",
            members: dialect::ALL.iter().map(|dialect| Member::new(dialect.card, "")).collect(),
        },
        Family {
            name: "form",
            summary: "forms: reports that certain readers expect",
            members: forms::ALL.iter().map(|form| Member::new(form.card, "")).collect(),
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn a_name_means_one_thing_within_its_family() {
        let families = super::all();
        let names = families.iter().flat_map(|family| {
            family.members.iter().map(|member| (family.name, member.card.name)).chain([("", family.name)])
        });
        let names: Vec<(&str, &str)> = names.collect();
        let distinct: BTreeSet<(&str, &str)> = names.iter().copied().collect();
        assert_eq!(distinct.len(), names.len());
    }
}
