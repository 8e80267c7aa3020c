//! A stored mask as the policy that it keeps: so a mask is asked what a policy is asked, by the same door.
//!
//! Roles, models, presets, reading and writing are those of the release that the mask comes from. Ladders of recoded columns are not
//! fitted again: they come from the mask, and the policy says nothing of them. Where the population lies is told by whoever applies it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use equanym_core::card::{Kind, Parameters, Value};
use equanym_core::hierarchy::Builder;
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::mask::ColumnMask;
use equanym_core::privacy::{self, ModelNeeds, preset};
use equanym_core::{loss, search};

use super::{Promise, StoredMask};
use crate::error::{Error, Result};
use crate::policy::{FrontierPolicy, MethodPolicy, Policy, PresetPolicy, PrivacyPolicy, ValueKind, VariablePolicy};

impl StoredMask {
    /// The policy that the mask keeps, with the population of the data that it is applied to.
    pub(crate) fn policy(&self, population: Option<&Path>) -> Result<Policy> {
        let variables = self.mask.columns.iter().map(|column| self.variable(column)).collect::<Result<_>>()?;
        Ok(Policy {
            data: self.data.clone(),
            person: self.person.clone(),
            variables,
            privacy: self.privacy.iter().map(|promise| model(promise, population)).collect::<Result<_>>()?,
            presets: self.presets.iter().map(|name| named_preset(name)).collect::<Result<_>>()?,
            method: self.method_policy(),
            preferences: None,
            output: self.output,
            frontier: FrontierPolicy::default(),
            notes: self.notes.clone(),
            key: self.key.clone(),
            folder: PathBuf::new(),
            loading: Duration::ZERO,
        })
    }

    fn method_policy(&self) -> MethodPolicy {
        MethodPolicy {
            name: self.method.clone(),
            parameters: Parameters::new(),
            search: search::DEFAULT.to_owned(),
            loss: loss::DEFAULT.to_owned(),
            loss_parameters: Parameters::new(),
            suppression_limit: self.suppression_limit,
            limit_unit: self.limit_unit,
            unknown_values: self.unknown_values,
            time_limit: None,
            choose: None,
            minimal_nodes: false,
            seed: None,
            unguarded: None,
            properties: Vec::new(),
        }
    }

    /// What a column is; for a sensitive one with the order and the ladder that models look at.
    fn variable(&self, column: &ColumnMask) -> Result<VariablePolicy> {
        let ColumnMask { name, role, number, treatments, .. } = column;
        let meaning = self.meanings.iter().find(|one| one.variable == *name);
        let ladder = meaning.and_then(|one| one.ladder.as_deref()).map(HierarchyFile::parse).transpose();
        let about = |why: &str| Error::input(format!("column `{}`: {why}", name.escape_debug()));
        let ladder = ladder.map_err(|error| about(&error.to_string()))?.map(Builder::File);
        if ladder.is_none() && self.needs(name).contains(&ModelNeeds::Ladder) {
            return Err(about("the stored mask does not keep the ladder that a model looks at")
                .hint("run `equanym release` with the same policy"));
        }
        Ok(VariablePolicy {
            name: name.clone(),
            role: *role,
            kind: if *number { ValueKind::Number } else { ValueKind::Text },
            hierarchy: ladder.unwrap_or(Builder::None),
            hierarchy_given: true,
            levels: None,
            points: None,
            given_weight: None,
            marked: None,
            width: None,
            order: meaning.and_then(|one| one.order.clone()),
            treatments: treatments.clone(),
            line: 0,
        })
    }
}

/// A promised model, as it looks at this population.
fn model(promise: &Promise, population: Option<&Path>) -> Result<PrivacyPolicy> {
    let Promise { model, parameters } = promise;
    let mut parameters = parameters.clone();
    let member = privacy::find(model).filter(|member| (member.needs)(&parameters) == ModelNeeds::Population);
    if let Some(member) = member {
        let path = population.ok_or_else(|| {
            Error::input(format!("the mask promises `{model}`, which looks at a population: none is given"))
                .hint("name the population of these data with --population")
        })?;
        let table = member.card.parameters.iter().find(|one| matches!(one.kind.given(), Kind::Table));
        let text = path.to_str().ok_or_else(|| Error::input("the path of the population is no text"))?;
        parameters.extend(table.map(|one| (one.name.to_owned(), Value::Text(text.to_owned()))));
    }
    Ok(PrivacyPolicy { model: model.clone(), parameters, line: 0 })
}

fn named_preset(name: &str) -> Result<PresetPolicy> {
    let unknown = || Error::input(format!("the mask keeps a preset `{}` that is unknown here", name.escape_debug()));
    Ok(PresetPolicy { preset: preset::find(name).ok_or_else(unknown)?, line: 0 })
}
