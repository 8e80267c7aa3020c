//! Which columns are counted: the quasi-identifiers, the sensitive variables that a model looks at and others that the loss
//! looks at, and the person.

use std::collections::BTreeSet;

use equanym_core::card::{Card, Kind, Parameters, Value};
use equanym_core::loss;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy;
use equanym_core::variable::Role;

use super::parts::KeyParts;
use super::tabulate::Spread;
use super::{Lookout, Places};
use crate::policy::{Policy, ValueKind, VariablePolicy};
use crate::read::Source;

/// The columns that are counted, and those that are not.
pub(crate) struct KeyColumns<'a> {
    /// Policies of the quasi-identifiers, in the order of the data.
    pub quasi: Vec<&'a VariablePolicy>,
    /// Names of the sensitive variables that a model looks at.
    pub sensitive: Vec<String>,
    /// The same, and after them what else has its spread over the classes counted.
    pub spread: Vec<Spread>,
    /// The column that tells people apart.
    pub person: Option<&'a str>,
    /// The places of all these in the data.
    pub places: KeyParts<usize>,
    /// Columns that are released as collected and that nothing else looks at.
    pub collected: Vec<&'a VariablePolicy>,
    /// Identifying columns but for the person.
    pub identifying: Vec<&'a VariablePolicy>,
    collected_places: Vec<usize>,
    identifying_places: Vec<usize>,
}

impl<'a> KeyColumns<'a> {
    /// Those that a policy has counted of a table.
    pub(crate) fn new(policy: &'a Policy, source: &Source) -> Self {
        let guarded = guarded_variables(policy.privacy.iter().map(|model| (model.model.as_str(), &model.parameters)));
        let listed = |name: &String| policy.variables.iter().find(|variable| variable.name == *name);
        let is_recoded = |one: &&VariablePolicy| one.role == Role::QuasiIdentifying && one.marked.is_none();
        let quasi: Vec<_> = source.columns().iter().filter_map(listed).filter(is_recoded).collect();
        let sensitive: Vec<_> =
            source.columns().iter().filter(|name| guarded.contains(name.as_str())).cloned().collect();
        let is_searched =
            method::find(&policy.method.name).is_some_and(|member| !matches!(member.work, MethodWork::Classes(_)));
        let card = loss::find(&policy.method.loss).filter(|_| is_searched).map(|member| &member.card);
        let targets = card.into_iter().flat_map(|card| named_variables(card, &policy.method.loss_parameters));
        let targets: BTreeSet<&str> = targets.filter(|name| !guarded.contains(name)).collect();
        let is_number = |name: &str| {
            policy.variables.iter().any(|variable| variable.name == name && variable.kind == ValueKind::Number)
        };
        let names = sensitive.iter().map(String::as_str).chain(targets);
        let spread: Vec<_> = names.map(|name| Spread { name: name.to_owned(), number: is_number(name) }).collect();
        let place = |name: &str| source.columns().iter().position(|column| column == name);
        let person = policy.person.as_deref();
        let places = KeyParts {
            quasi: quasi.iter().filter_map(|one| place(&one.name)).collect(),
            spread: spread.iter().filter_map(|one| place(&one.name)).collect(),
            person: person.and_then(place),
        };
        let listed = || source.columns().iter().filter_map(listed);
        let is_counted = |one: &&VariablePolicy| spread.iter().any(|counted| counted.name == one.name);
        let is_collected = |one: &&VariablePolicy| matches!(one.role, Role::Insensitive | Role::Sensitive);
        let collected: Vec<_> = listed().filter(|one| is_collected(one) && !is_counted(one)).collect();
        let is_identifying = |one: &&VariablePolicy| one.role == Role::Identifying && person != Some(one.name.as_str());
        let identifying: Vec<_> = listed().filter(is_identifying).collect();
        let [collected_places, identifying_places] =
            [&collected, &identifying].map(|list| list.iter().filter_map(|one| place(&one.name)).collect());
        Self { quasi, sensitive, spread, person, places, collected, identifying, collected_places, identifying_places }
    }

    /// The places of the columns that are read: those that are counted, and those that are looked at meanwhile.
    pub(crate) fn to_read<'p>(&'p self, lookout: Option<&'p Lookout>) -> Places<'p> {
        Places { keys: &self.places, watched: &self.collected_places, lookout }
    }

    /// The places of the identifying columns but for the person.
    pub(crate) fn to_identify(&self) -> &[usize] {
        &self.identifying_places
    }
}

/// The sensitive variables that privacy models look at.
pub(crate) fn guarded_variables<'a>(models: impl Iterator<Item = (&'a str, &'a Parameters)>) -> BTreeSet<&'a str> {
    let named = |(model, parameters)| Some(named_variables(&privacy::find(model)?.card, parameters));
    models.filter_map(named).flatten().collect()
}

/// The variables that the parameters of a member name.
fn named_variables<'a>(card: &'static Card, parameters: &'a Parameters) -> impl Iterator<Item = &'a str> {
    let names = |kind: Kind| matches!(kind, Kind::SensitiveVariable | Kind::UnrecodedVariable);
    let given = card.parameters.iter().filter(move |parameter| names(parameter.kind));
    given.filter_map(|parameter| match parameters.get(parameter.name)? {
        Value::Text(name) => Some(name.as_str()),
        _ => None,
    })
}
