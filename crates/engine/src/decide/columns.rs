//! Which columns are counted: the quasi-identifiers, then the sensitive variables that a model looks at, then others that
//! the loss looks at, then the person.

use std::collections::BTreeSet;

use equanym_core::card::{Card, Kind, Parameters, Value};
use equanym_core::loss;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::{self, Guard, SensitiveVariable};
use equanym_core::variable::Role;

use crate::count::tabulate::Spread;
use crate::count::{Keys, Lookout, Places, people};
use crate::error::{Error, Result};
use crate::policy::{Policy, ValueKind, VariablePolicy};
use crate::read::Source;

/// The columns that are counted.
pub(crate) struct Columns<'a> {
    /// Policies of the quasi-identifiers, in the order of the data.
    pub quasi: Vec<&'a VariablePolicy>,
    /// Names of the sensitive variables that a model looks at.
    pub sensitive: Vec<String>,
    /// The same, and after them what else has its spread over the classes counted.
    pub spread: Vec<Spread>,
    /// The column that tells people apart.
    pub person: Option<&'a str>,
    /// The places of the quasi-identifiers, of what is spread and of the person, in the data.
    pub places: Vec<usize>,
    /// Columns that are released as collected and that nothing else looks at.
    pub collected: Vec<&'a VariablePolicy>,
    /// Identifying columns but for the person.
    pub identifying: Vec<&'a VariablePolicy>,
    collected_places: Vec<usize>,
    identifying_places: Vec<usize>,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(policy: &'a Policy, source: &Source) -> Self {
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
        let names =
            quasi.iter().map(|one| one.name.as_str()).chain(spread.iter().map(|one| one.name.as_str())).chain(person);
        let places = names.filter_map(place).collect();
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

    /// The places of the columns that are counted, where nobody looks at others.
    pub(crate) fn to_count(&self) -> Places<'_> {
        Places { keys: &self.places, watched: &[], lookout: None }
    }

    /// The places of the columns that are read to be counted, and of those that are looked at meanwhile.
    pub(crate) fn to_read<'p>(&'p self, lookout: &'p Lookout) -> Places<'p> {
        Places { keys: &self.places, watched: &self.collected_places, lookout: Some(lookout) }
    }

    /// The places of the identifying columns but for the person.
    pub(crate) fn to_identify(&self) -> &[usize] {
        &self.identifying_places
    }

    /// The names of the columns that make up a record's key for local recoding.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.quasi
            .iter()
            .map(|one| one.name.as_str())
            .chain(self.sensitive.iter().map(String::as_str))
            .chain(self.person)
    }

    /// The person of each counted key, where one is named.
    pub(crate) fn people<'k>(&self, keys: &'k Keys) -> Result<Option<&'k [u32]>> {
        self.person.map(|name| people::of(name, self.quasi.len() + self.spread.len(), keys)).transpose()
    }

    /// The ids of the people, where a person is named.
    pub(crate) fn ids<'k>(&self, keys: &'k Keys) -> Option<&'k [String]> {
        self.person.and_then(|_| keys.values.get(self.quasi.len() + self.spread.len())).map(Vec::as_slice)
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

/// The models, ready to judge.
pub(crate) fn guard<'a>(
    models: impl Iterator<Item = (&'a str, &'a Parameters)>,
    sensitive: &[SensitiveVariable],
) -> Result<Guard> {
    let build = |(model, parameters)| {
        privacy::build(model, parameters, sensitive).map_err(|error| Error::input(error.to_string()))
    };
    Ok(Guard::new(models.map(build).collect::<Result<_>>()?))
}
