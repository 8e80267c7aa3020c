//! Global recoding: each variable at one level everywhere, small classes withheld.
//!
//! A search chooses the node; the recoding writes each value's label at that level and withholds the records of classes
//! that the guard refuses. All records of a class look the same, so the classes of the release are those that were
//! counted.
//!
//! Source: Samarati & Sweeney 1998; El Emam et al. 2009. Spec: `specs/method/global-recoding.md`.

use std::collections::{BTreeMap, BTreeSet};

use super::{MethodMember, MethodWork};
use crate::card::{Card, Promise};
use crate::frequency::{FrequencySet, Table};
use crate::hierarchy::{LabelRule, Level};
use crate::mask::Recoding;
use crate::privacy::Verdict;
use crate::variable::Variable;

pub(super) const MEMBER: MethodMember = MethodMember {
    card: Card {
        name: "global-recoding",
        summary: "each quasi-identifier at one level of its ladder everywhere; records of unsafe classes withheld",
        about: "The same value always becomes the same label, so tables of the release add up and the recoding is easy to \
                explain. A search finds the levels that lose least while every released class satisfies the privacy \
                models.",
        promises: &[
            Promise::InWords("all records with the same values get the same labels"),
            Promise::InWords("the mask re-applies to new data"),
        ],
        parameters: &[],
        source: "P. Samarati, L. Sweeney 1998; K. El Emam et al., JAMIA 16(5), 2009",
    },
    work: MethodWork::Levels,
};

/// The recoding of each variable, in the order of the table's variables, at the node of `set`.
#[must_use]
pub fn recodings(table: &Table, set: &FrequencySet) -> Vec<Recoding> {
    table.variables.iter().zip(&set.node.0).map(|(variable, &level)| recoding(variable, level)).collect()
}

/// The keys that are withheld, as labels.
#[must_use]
pub fn suppressed(table: &Table, set: &FrequencySet, verdict: &Verdict) -> BTreeSet<Vec<String>> {
    let key = |class| (0..table.variables.len()).map(|variable| table.label(set, class, variable).to_owned()).collect();
    (0..set.len()).filter(|&class| !verdict.kept[class]).map(key).collect()
}

fn recoding(variable: &Variable, level: u8) -> Recoding {
    let chosen = &variable.hierarchy.levels()[level as usize];
    let labels =
        if chosen.rule == LabelRule::Listed { listed(variable.hierarchy.values(), chosen) } else { BTreeMap::new() };
    Recoding { level, levels: variable.hierarchy.height() + 1, rule: chosen.rule.clone(), labels }
}

fn listed(values: &[String], level: &Level) -> BTreeMap<String, String> {
    let label = |code: u32| level.labels[code as usize].clone();
    values.iter().zip(&level.of).map(|(value, &code)| (value.clone(), label(code))).collect()
}
