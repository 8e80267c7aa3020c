//! `[[privacy]]`: the models that a release must satisfy.
//!
//! Which models there are and what they take is written on the cards of the family; nothing here names one.

use equanym_core::card::{Card, Kind, Parameter, ParameterError, Parameters, Value};
use equanym_core::privacy::{self, ModelNeeds, SensitiveVariable};
use equanym_core::variable::Role;
use toml::de::DeValue;

use super::VariablePolicy;
use super::keys::KeyShape::Words;
use super::keys::{Members, Section, key};
use super::place::{at_line, known, quoted, quoted_list};
use super::preset::{self, PresetPolicy};
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// A privacy model and its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivacyPolicy {
    /// The name on the model's card.
    pub model: String,
    /// The parameters as the card wants them, defaults filled in.
    pub parameters: Parameters,
    /// The line of the policy.
    pub line: usize,
}

pub(super) const PRIVACY: Section = Section {
    members: &[Members { key: "model", cards }],
    ..Section::new(
        "[[privacy]]",
        "A privacy model that the release must satisfy; all of them hold together.",
        &[
            key("model", Words(|| cards().iter().map(|card| card.name).collect()), "which one; compulsory"),
            preset::preset_key(
                "models and rules for columns that a rule or guidance asks for; stands alone, without a model",
            ),
        ],
    )
};

fn cards() -> Vec<&'static Card> {
    privacy::ALL.iter().map(|member| &member.card).collect()
}

/// Reads every `[[privacy]]`.
pub(super) fn privacy(
    whole: Option<PresetPolicy>,
    item: Option<&Item<'_>>,
    variables: &[VariablePolicy],
) -> Result<(Vec<PrivacyPolicy>, Vec<PresetPolicy>)> {
    if let Some(item) = item.filter(|item| item.raw().is_table()) {
        return Err(item.error("a privacy model stands under two brackets: [[privacy]]"));
    }
    let mut presets: Vec<PresetPolicy> = whole.into_iter().collect();
    let mut asked: Vec<PrivacyPolicy> = whole.into_iter().flat_map(models_of).collect();
    for element in item.map_or(Ok(Vec::new()), Item::list)? {
        let table = element.table()?.titled("[[privacy]]");
        match PresetPolicy::read_alone(&table)? {
            Some(preset) => {
                presets.push(preset);
                asked.extend(models_of(preset));
            }
            None => asked.push(model(&table, variables)?),
        }
    }
    preset::each_once(&presets)?;
    let mut models: Vec<PrivacyPolicy> = Vec::new();
    for model in asked {
        if let Some(first) = models.iter().find(|other| guard_the_same(other, &model)) {
            return Err(twice(first, &model));
        }
        models.push(model);
    }
    one_population(&models)?;
    Ok((models, presets))
}

/// The models of a preset, as if they stood in its place.
fn models_of(named: PresetPolicy) -> impl Iterator<Item = PrivacyPolicy> {
    let model = move |(model, parameters): (&str, Parameters)| {
        let line = named.line;
        PrivacyPolicy { model: model.to_owned(), parameters, line }
    };
    named.preset.privacy().map(model)
}

/// A table has one population: models that look at another one are refused.
fn one_population(models: &[PrivacyPolicy]) -> Result<()> {
    let mut naming = models.iter().filter_map(|model| Some((model.line, model.table()?)));
    let Some((line, first)) = naming.next() else { return Ok(()) };
    match naming.find(|(_, table)| *table != first) {
        Some((other, _)) => Err(at_line(other, format!("the model on line {line} looks at another population"))
            .hint("a table has one population: name the same one everywhere")),
        None => Ok(()),
    }
}

fn model(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<PrivacyPolicy> {
    let models = || quoted_list(cards().into_iter().map(|card| card.name));
    let item = table.need("model").map_err(|error| error.hint(format!("models: {}", models())))?;
    let card = item.one_of(cards(), |card| card.name)?;
    let parameters = parameters(table, card, &PRIVACY.names(), variables)?;
    // Whether the parameters fit each other is for the model to say; it needs no table for that.
    let known: Vec<SensitiveVariable> =
        variables.iter().map(|variable| SensitiveVariable::named(&variable.name)).collect();
    privacy::build(card.name, &parameters, &known).map_err(|error| table.fail(error.to_string()))?;
    Ok(PrivacyPolicy { model: card.name.to_owned(), parameters, line: item.line() })
}

/// What the models look at that guard a variable.
pub(super) fn needs(models: &[PrivacyPolicy], variable: &str) -> Vec<ModelNeeds> {
    models.iter().filter(|model| model.variables().contains(&variable)).map(PrivacyPolicy::needs).collect()
}

impl PrivacyPolicy {
    /// What the model looks at besides a class.
    #[must_use]
    pub fn needs(&self) -> ModelNeeds {
        privacy::find(&self.model).map_or(ModelNeeds::Class, |member| (member.needs)(&self.parameters))
    }

    /// The table that it looks at besides the data, as the policy names it.
    pub(crate) fn table(&self) -> Option<&str> {
        let card = &privacy::find(&self.model)?.card;
        let named = card.parameters.iter().find(|one| matches!(one.kind.given(), Kind::Table))?;
        match self.parameters.get(named.name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The sensitive variables that it guards.
    pub(super) fn variables(&self) -> Vec<&str> {
        guarded(self)
            .into_iter()
            .filter_map(|value| match value {
                Value::Text(name) => Some(name.as_str()),
                _ => None,
            })
            .collect()
    }
}

/// The parameters of a member, checked against its card; `others` are keys that the table has besides.
pub(super) fn parameters(
    table: &PolicyTable<'_>,
    card: &Card,
    others: &[&str],
    variables: &[VariablePolicy],
) -> Result<Parameters> {
    let keys: Vec<&str> = others.iter().copied().chain(card.parameters.iter().map(|p| p.name)).collect();
    table.allow(&keys)?;
    let given = table.items().into_iter().filter(|item| !others.contains(&item.key()));
    let given = given.map(|item| Ok((item.key().to_owned(), value(&item)?))).collect::<Result<Parameters>>()?;
    let role_of = |name: &str| variables.iter().find(|variable| variable.name == name).map(|variable| variable.role);
    card.check(&given, role_of).map_err(|error| explain(table, card, variables, &error))
}

fn value(item: &Item<'_>) -> Result<Value> {
    Ok(match item.raw() {
        DeValue::Integer(_) => Value::Integer(item.whole()?),
        DeValue::Float(_) => Value::Number(item.number()?),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::String(text) => Value::Text(text.to_string()),
        _ => return Err(item.fail(format!("cannot be {}", item.type_name()))),
    })
}

/// A complaint of the card, with its line and the next step.
fn explain(table: &PolicyTable<'_>, card: &Card, variables: &[VariablePolicy], error: &ParameterError) -> Error {
    let name = match error {
        ParameterError::Unknown { name, .. } => name.as_str(),
        ParameterError::Missing { name, .. } | ParameterError::Unfit { name, .. } => name,
    };
    let Some(item) = table.get(name) else { return table.fail(error.to_string()) };
    let parameter = card.parameters.iter().find(|parameter| parameter.name == name);
    let error = item.error(format!("{error}; found {}", found(&item)));
    match parameter.and_then(|parameter| next_step(&item, parameter, variables)) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn found(item: &Item<'_>) -> String {
    match item.raw() {
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::String(text) if text.parse::<f64>().is_err() => quoted(text),
        _ => item.type_name().to_owned(),
    }
}

fn next_step(item: &Item<'_>, parameter: &Parameter, variables: &[VariablePolicy]) -> Option<String> {
    let text = item.raw().as_str();
    let wants_number = |kind| {
        use Kind::{Above, Between, Integer, PositiveShare, Share, UpTo};
        matches!(kind, Integer { .. } | Between { .. } | Share | PositiveShare | Above(_) | UpTo(_))
    };
    Some(match parameter.kind.given() {
        Kind::SensitiveVariable => variable_hint(text?, variables, &[Role::Sensitive]),
        Kind::UnrecodedVariable => variable_hint(text?, variables, &[Role::Sensitive, Role::Insensitive]),
        Kind::Choice(words) => known(text?, words.iter().copied()),
        Kind::Flag if text.is_some() => "write true or false without quotes".to_owned(),
        kind if wants_number(kind) && text.is_some() => "write the number without quotes".to_owned(),
        _ => format!("{} is {}", quoted(parameter.name), parameter.summary),
    })
}

/// What to name instead of this variable: one of these roles.
fn variable_hint(name: &str, variables: &[VariablePolicy], roles: &[Role]) -> String {
    let fitting = variables.iter().filter(|variable| roles.contains(&variable.role));
    let fitting = fitting.map(|variable| variable.name.as_str());
    let Some(variable) = variables.iter().find(|variable| variable.name == name) else { return known(name, fitting) };
    let found = format!("{} is {} on line {}", quoted(name), variable.role.name(), variable.line);
    match roles {
        [only] => format!("{found}: give it the role \"{}\", or name another variable", only.name()),
        _ => format!("{found}: name another variable; {}", known("", fitting)),
    }
}

/// Whether two entries differ in numbers only: the same model of the same kind for the same variable.
fn guard_the_same(one: &PrivacyPolicy, other: &PrivacyPolicy) -> bool {
    let words = |model: &PrivacyPolicy| -> Vec<(String, String)> {
        let words = model.parameters.iter().filter_map(|(name, value)| match value {
            Value::Text(word) => Some((name.clone(), word.clone())),
            _ => None,
        });
        words.collect()
    };
    one.model == other.model && words(one) == words(other)
}

fn guarded(model: &PrivacyPolicy) -> Vec<&Value> {
    let Some(member) = privacy::find(&model.model) else { return Vec::new() };
    let names = member.card.parameters.iter().filter(|p| matches!(p.kind, Kind::SensitiveVariable)).map(|p| p.name);
    names.filter_map(|name| model.parameters.get(name)).collect()
}

fn twice(first: &PrivacyPolicy, second: &PrivacyPolicy) -> Error {
    let what = if guarded(first).is_empty() { "" } else { " for the same variable" };
    let message = format!("{} stands twice{what}; the first one is on line {}", quoted(&second.model), first.line);
    at_line(second.line, message).hint("keep the stricter one")
}
