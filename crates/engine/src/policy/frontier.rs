//! `[frontier]`: what a risk–utility map goes over, and what it plots.
//!
//! A map asks for many releases of one table. Each differs from the policy in a few [`PolicySetting`]s. There is a release for
//! every combination of the values that are listed here; what is not listed stays as the policy has it. A method takes part in
//! the combinations that mean something to it: a weight of preferences means nothing to a method that has no search.
//!
//! Models, methods and losses are families of the core; nothing here names a member.

use equanym_core::card::{Card, Value};
use equanym_core::method::{self, MethodWork};
use equanym_core::{loss, privacy, search, utility};
use toml::de::DeValue;

use super::keys::KeyShape::{Either, List, Named, Number, Share, Text, Whole, Words};
use super::keys::{Section, Word, key};
use super::place::{known, quoted};
use super::table::{Item, PolicyTable};
use super::vary::{PolicySetting, takes_k};
use super::{Policy, Role};
use crate::error::{Error, Result};

/// What a map goes over, and what it plots.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrontierPolicy {
    /// Values of the parameter `k`, of every model that has one.
    pub k: Vec<i64>,
    /// Suppression limits.
    pub limits: Vec<f64>,
    /// Methods.
    pub methods: Vec<String>,
    /// Weights of utility; that of privacy is the rest to 1.
    pub alpha: Vec<f64>,
    /// Values of other parameters.
    pub parameters: Vec<ParameterSweep>,
    /// The risk that is plotted.
    pub risk: Option<RiskAxis>,
    /// The loss that is plotted.
    pub loss: Option<LossAxis>,
}

/// Values of a parameter of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterSweep {
    /// The member: a privacy model, a method or a loss.
    pub member: String,
    /// Its parameter.
    pub name: String,
    /// The values.
    pub values: Vec<Value>,
}

/// Which risk is plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RiskAxis {
    /// That of the records in the smallest class.
    Highest,
    /// The mean over the records.
    #[default]
    Mean,
    /// The share of records above the threshold.
    AtRisk,
}

/// Which loss is plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossAxis {
    /// The loss of the policy, as a share of what the fully generalised table loses.
    Loss,
    /// How much of their columns' values labels cover.
    Detail,
    /// The share of the records that are withheld.
    Withheld,
    /// What a utility metric of `compare` finds.
    Metric(&'static str),
}

impl Word for RiskAxis {
    const WORDS: &'static [(&'static str, Self)] =
        &[("mean", Self::Mean), ("highest", Self::Highest), ("at-risk", Self::AtRisk)];
}

impl RiskAxis {
    /// Every word.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::WORDS.iter().map(|(word, _)| *word).collect()
    }

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(_, one)| *one == self).map_or("", |(word, _)| *word)
    }

    /// The risk of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(word, _)| *word == name).map(|(_, one)| *one)
    }

    /// What it measures, in words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Highest => "highest risk of a record to be recognised",
            Self::Mean => "mean risk of a record to be recognised",
            Self::AtRisk => "share of records whose risk is above 0.2",
        }
    }
}

impl LossAxis {
    fn all() -> impl Iterator<Item = Self> {
        let metrics = utility::ALL.iter().map(|member| Self::Metric(member.card.name));
        [Self::Loss, Self::Detail, Self::Withheld].into_iter().chain(metrics)
    }

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Detail => "detail",
            Self::Withheld => "withheld",
            Self::Metric(name) => name,
        }
    }

    /// Every word.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::all().map(Self::name).collect()
    }

    /// The loss of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|one| one.name() == name)
    }

    /// What it measures, in words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Loss => "loss, as a share of that of full generalisation",
            Self::Detail => "share of detail lost; withheld records lose all",
            Self::Withheld => "share of the records that are withheld",
            Self::Metric(name) => utility::find(name).map_or("", |member| member.card.summary),
        }
    }
}

pub(super) const FRONTIER: Section = Section::new(
    "[frontier]",
    "What `equanym frontier` goes over: every combination of the values that are listed. What is not listed stays as it is.",
    &[
        key("k", List(&Whole(1)), "values of `k`, for every model that has one"),
        key("limits", List(&Share), "suppression limits"),
        key("methods", List(&Words(methods)), "methods"),
        key("alpha", List(&Share), "weights of information utility; `beta` is the rest to 1"),
        key(
            SWEEP,
            Named(&Named(&List(&Either(&[Number, Text])))),
            "values of other parameters, by member and name: `sweep.t-closeness.t = [0.1, 0.2]`",
        ),
        key("risk", Words(RiskAxis::names), "which risk is plotted").usually("mean"),
        key("loss", Words(LossAxis::names), "which loss is plotted").usually("one that all methods have"),
    ],
);

const SWEEP: &str = "sweep";

fn methods() -> Vec<&'static str> {
    method::ALL.iter().map(|member| member.card.name).collect()
}

/// Reads `[frontier]`.
pub(super) fn frontier(table: &PolicyTable<'_>) -> Result<FrontierPolicy> {
    table.allow(&FRONTIER.names())?;
    Ok(FrontierPolicy {
        k: list(table, "k", |item| item.whole_in(1, i64::MAX))?,
        limits: list(table, "limits", Item::share)?,
        methods: list(table, "methods", |item| Ok(item.choice(methods())?.to_owned()))?,
        alpha: list(table, "alpha", Item::share)?,
        parameters: table.read(SWEEP, parameters)?.unwrap_or_default(),
        risk: table.read("risk", Item::word)?,
        loss: table.read("loss", |item| item.one_of(LossAxis::all().collect::<Vec<_>>(), LossAxis::name))?,
    })
}

fn list<'a, T>(table: &PolicyTable<'a>, key: &str, read: impl Fn(&Item<'a>) -> Result<T>) -> Result<Vec<T>> {
    Ok(table.read(key, |item| item.each(read))?.unwrap_or_default())
}

fn parameters(item: &Item<'_>) -> Result<Vec<ParameterSweep>> {
    let mut found = Vec::new();
    for member in item.table()?.items() {
        for parameter in member.table()?.items() {
            let values = parameter.each(value)?;
            let (member, name) = (member.key().to_owned(), parameter.key().to_owned());
            found.push(ParameterSweep { member, name, values });
        }
    }
    Ok(found)
}

fn value(item: &Item<'_>) -> Result<Value> {
    Ok(match item.raw() {
        DeValue::Integer(_) => Value::Integer(item.whole()?),
        DeValue::String(text) => Value::Text(text.to_string()),
        _ => Value::Number(item.number()?),
    })
}

/// The most points of a map.
pub const MOST_POINTS: usize = 10_000;

/// What is gone over where nothing is said.
const USUAL_K: [i64; 6] = [2, 3, 5, 10, 20, 50];
const USUAL_LIMITS: [f64; 4] = [0.0, 0.01, 0.05, 0.1];

impl FrontierPolicy {
    /// Whether it lists no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { k, limits, methods, alpha, parameters, .. } = self;
        k.is_empty() && limits.is_empty() && methods.is_empty() && alpha.is_empty() && parameters.is_empty()
    }

    /// The same; or the usual values where it lists none.
    #[must_use]
    pub fn or_usual(mut self, policy: &Policy) -> Self {
        if self.is_empty() {
            self.k = if has_k(policy) { USUAL_K.to_vec() } else { Vec::new() };
            self.limits = USUAL_LIMITS.to_vec();
        }
        self
    }

    /// The methods that it goes over.
    pub fn methods<'a>(&'a self, policy: &'a Policy) -> Vec<&'a str> {
        let own = std::slice::from_ref(&policy.method.name);
        distinct(if self.methods.is_empty() { own } else { &self.methods }).into_iter().map(String::as_str).collect()
    }

    /// The settings of each point, in the order of the lists.
    pub fn points(&self, policy: &Policy) -> Result<Vec<Vec<PolicySetting>>> {
        self.check(policy)?;
        let mut points = Vec::new();
        for name in self.methods(policy) {
            let dimensions = self.of_method(policy, name);
            let count = dimensions.iter().try_fold(1_usize, |count, one| count.checked_mul(one.len()));
            if count.is_none_or(|count| count.saturating_add(points.len()) > MOST_POINTS) {
                return Err(Error::input(format!("the map would have more than {MOST_POINTS} points"))
                    .hint("list fewer values"));
            }
            let mut settings = vec![Vec::new()];
            for dimension in dimensions {
                let with = |one: &PolicySetting, so_far: &Vec<PolicySetting>| {
                    [so_far.as_slice(), std::slice::from_ref(one)].concat()
                };
                settings = settings.iter().flat_map(|so_far| dimension.iter().map(|one| with(one, so_far))).collect();
            }
            points.extend(settings);
        }
        Ok(points)
    }

    /// What a method takes part in.
    fn of_method(&self, policy: &Policy, name: &str) -> Vec<Vec<PolicySetting>> {
        let member = method::find(name);
        let has_search = member.is_some_and(|member| !matches!(member.work, MethodWork::Classes(_)));
        let marks = member.is_some_and(|member| member.values().is_some());
        // Where every quasi-identifier gets new values, nothing is left for models and limits.
        let recodes = !marks || policy.of_role(Role::QuasiIdentifying).any(|one| one.marked.is_none());
        let mut dimensions = vec![vec![PolicySetting::Method(name.to_owned())]];
        for sweep in &self.parameters {
            let is_model = policy.privacy.iter().any(|model| model.model == sweep.member) && recodes;
            let is_loss = sweep.member == policy.method.loss && has_search && recodes;
            if is_model || is_loss || sweep.member == name {
                let values = distinct(&sweep.values).into_iter();
                dimensions.push(values.map(|value| sweep.setting(value.clone())).collect());
            }
        }
        let mut add = |is_heeded: bool, settings: Vec<PolicySetting>| {
            dimensions.extend(Some(settings).filter(|settings| is_heeded && recodes && !settings.is_empty()));
        };
        add(true, distinct(&self.k).into_iter().copied().map(PolicySetting::K).collect());
        add(has_search, distinct(&self.alpha).into_iter().copied().map(PolicySetting::Alpha).collect());
        add(true, distinct(&self.limits).into_iter().copied().map(PolicySetting::Limit).collect());
        dimensions
    }

    /// Refuses what no point would heed.
    fn check(&self, policy: &Policy) -> Result<()> {
        if !self.k.is_empty() && !has_k(policy) {
            return Err(Error::input("no privacy model of the policy has a `k` to go over"));
        }
        if let Some(name) = self.methods.iter().find(|name| method::find(name).is_none()) {
            return Err(Error::input(format!("there is no method {}", quoted(name))).hint(known(name, methods())));
        }
        let by_preferences = search::find(&policy.method.search).is_some_and(|member| member.by_preferences);
        if !self.alpha.is_empty() && !by_preferences {
            return Err(Error::input(format!("`alpha` says nothing to the search `{}`", policy.method.search))
                .hint("use a search by preferences: search = \"balance\""));
        }
        self.parameters.iter().try_for_each(|sweep| sweep.check(policy, &self.methods(policy)))
    }
}

impl ParameterSweep {
    /// The values of `member.parameter=value,value`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (path, values) = text.split_once('=')?;
        let (member, name) = path.trim().split_once('.')?;
        let values = values.split(',').map(|value| read(value.trim())).collect::<Option<Vec<_>>>()?;
        let is_named = !member.is_empty() && !name.is_empty();
        is_named.then(|| Self { member: member.to_owned(), name: name.to_owned(), values })
    }

    fn setting(&self, value: Value) -> PolicySetting {
        PolicySetting::Parameter { member: self.member.clone(), name: self.name.clone(), value }
    }

    fn check(&self, policy: &Policy, methods: &[&str]) -> Result<()> {
        let models = policy.privacy.iter().map(|model| model.model.as_str());
        let members: Vec<&str> = models.chain(methods.iter().copied()).chain([policy.method.loss.as_str()]).collect();
        if !members.contains(&self.member.as_str()) {
            return Err(Error::input(format!("nothing that the map asks for is called {}", quoted(&self.member)))
                .hint(known(&self.member, members)));
        }
        let names: Vec<&str> =
            card(&self.member).into_iter().flat_map(|card| card.parameters).map(|p| p.name).collect();
        if names.contains(&self.name.as_str()) {
            return Ok(());
        }
        Err(Error::input(format!("{} has no parameter {}", quoted(&self.member), quoted(&self.name)))
            .hint(known(&self.name, names)))
    }
}

/// A value as it stands on a command line.
fn read(text: &str) -> Option<Value> {
    let number = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::Number);
    let word = || (!text.is_empty()).then(|| Value::Text(text.to_owned()));
    text.parse().ok().map(Value::Integer).or_else(number).or_else(word)
}

/// The card of a privacy model, a method or a loss.
fn card(name: &str) -> Option<&'static Card> {
    let model = privacy::find(name).map(|member| &member.card);
    let method = || method::find(name).map(|member| &member.card);
    model.or_else(method).or_else(|| loss::find(name).map(|member| &member.card))
}

/// Whether a model of the policy has a `k`.
fn has_k(policy: &Policy) -> bool {
    policy.privacy.iter().any(|model| takes_k(&model.model))
}

/// Each once, in their order.
fn distinct<T: PartialEq>(list: &[T]) -> Vec<&T> {
    list.iter().enumerate().filter(|(place, one)| !list[..*place].contains(one)).map(|(_, one)| one).collect()
}
