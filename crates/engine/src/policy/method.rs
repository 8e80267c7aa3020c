//! `[method]`: how the release is found.
//!
//! Methods, searches and losses are families of the core; nothing here names a member.

use std::time::Duration;

use equanym_core::card::{Card, Parameters, Promise};
use equanym_core::loss::WeightSource;
use equanym_core::method::MethodWork;
use equanym_core::variable::Role;
use equanym_core::{loss, method, search};
use serde::{Deserialize, Serialize};

use super::keys::KeyShape::{Flag, List, Share, Table, Text, Whole, Words};
use super::keys::{Members, Section, Word, key, word_of};
use super::person::{LIMIT_UNIT, LimitUnit};
use super::place::{at_line, quoted};
use super::points::check_points;
use super::privacy::parameters;
use super::property::{self, PropertyPolicy};
use super::share::share_of;
use super::table::{Item, PolicyTable};
use super::variable::{POINTS, TOLERANCE, VariablePolicy};
use crate::error::{Error, Result};

/// How the release is found.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodPolicy {
    /// The name on the method's card.
    pub name: String,
    /// The method's own parameters, as its card wants them.
    pub parameters: Parameters,
    /// The name on the search's card.
    pub search: String,
    /// The name on the loss's card.
    pub loss: String,
    /// The loss's own parameters, as its card wants them.
    pub loss_parameters: Parameters,
    /// The share of records, or of people, that may be suppressed, 0 to 1.
    pub suppression_limit: f64,
    /// What it is a share of.
    pub limit_unit: LimitUnit,
    /// What a stored mask does with unknown values: those that it has no label for.
    pub unknown_values: UnknownValues,
    /// How long the search may take; then it answers with what it has and the proven gap.
    pub time_limit: Option<Duration>,
    /// Which of the safe nodes is released, by its place in the order of their loss; the best when absent.
    pub choose: Option<usize>,
    /// Whether the owner's reports list the k-minimal nodes.
    pub minimal_nodes: bool,
    /// Where the draws of a method that makes any come from; the system's generator when absent.
    pub seed: Option<u64>,
    /// The line that says that nothing is guaranteed, where one does.
    pub unguarded: Option<usize>,
    /// Linear relations that new values keep.
    pub properties: Vec<PropertyPolicy>,
}

/// What a stored mask does with an unknown value, when it is applied to other data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownValues {
    /// Nothing is released.
    #[default]
    Error,
    /// Its label is the top of every ladder.
    Top,
    /// Its records are withheld, and count towards the suppression limit.
    Suppress,
}

impl Word for UnknownValues {
    const WORDS: &'static [(&'static str, Self)] =
        &[("error", Self::Error), ("top", Self::Top), ("suppress", Self::Suppress)];
}

impl MethodPolicy {
    /// How many of so many records, or people, may be suppressed, exact in decimal: 0.29 of 100 is 29.
    #[must_use]
    pub fn suppression_allowance(&self, whole: u64) -> u64 {
        share_of(self.suppression_limit, whole)
    }

    /// Refuses a time limit for a search that cannot answer early.
    pub(crate) fn check_time_limit(&self) -> Result<()> {
        let is_anytime = search::find(&self.search).is_some_and(search::SearchMember::is_anytime);
        if self.time_limit.is_none() || is_anytime {
            return Ok(());
        }
        let able: Vec<&str> = search::ALL.iter().filter(|one| one.is_anytime()).map(|one| one.card.name).collect();
        Err(Error::input(format!("the search `{}` cannot answer before it is done", self.search))
            .hint(format!("remove the time limit, or use one of: {}", able.join(", "))))
    }

    /// Refuses a place in the order of safe nodes where there are no nodes, and beside a time limit: the order is proved.
    pub(crate) fn check_choice(&self) -> Result<()> {
        if self.choose.is_none() {
            return Ok(());
        }
        if !self.has_nodes() {
            return Err(Error::input(format!("the method {} has no nodes to choose from", quoted(&self.name)))
                .hint(format!("use name = \"{}\"", method::DEFAULT)));
        }
        if search::find(&self.search).is_some_and(search::SearchMember::tells_nothing) {
            return Err(Error::input(format!("the search `{}` knows no order of safe nodes", self.search))
                .hint("a choice among them would tell: remove the place, or use another search"));
        }
        match self.time_limit {
            None => Ok(()),
            Some(_) => Err(Error::input("a place among the safe nodes is found by searching to the end")
                .hint("remove the time limit, or choose none")),
        }
    }

    /// Whether each variable has one level everywhere.
    pub(crate) fn has_nodes(&self) -> bool {
        method::find(&self.name).is_none_or(|member| !matches!(member.work, MethodWork::Classes(_)))
    }
}

pub(super) const METHOD: Section = Section {
    members: &[Members { key: "name", cards: methods }, Members { key: "loss", cards: losses }],
    ..Section::new(
        "[method]",
        "How the release is found. Parameters of the method and of the loss stand in the same table.",
        &[
            key("name", Words(|| names(&methods())), "how the table is changed").usually(method::DEFAULT),
            key("search", Words(searches), "who looks for the levels").usually(search::DEFAULT),
            key("loss", Words(|| names(&losses())), "what is minimised").usually(loss::DEFAULT),
            key("suppression_limit", Share, "the share of records, or people, that may be withheld").usually("0"),
            key(LIMIT_UNIT, word_of::<LimitUnit>(), "what that is a share of").usually("records"),
            key("time_limit", Text, "how long the search may take: `\"10s\"`, `\"500ms\"`, `\"2m\"`").usually("none"),
            key("new_values", word_of::<UnknownValues>(), "what `apply` does with values that a mask has no label for")
                .usually("error"),
            key(CHOOSE, Whole(1), "which safe node is released, 1 being the best: see `equanym alternatives`")
                .usually("1"),
            key(MINIMAL_NODES, Flag, "whether the owner's report lists the k-minimal nodes").usually("false"),
            key(GUARANTEE, Words(|| vec!["none"]), "says that nothing is guaranteed, for a search by preferences"),
            key(SEED, Whole(0), "where the draws of a method that makes any come from").usually("from the system"),
            key(PROPERTY, List(&Table(&property::PROPERTY)), "what new values keep"),
        ],
    )
};

fn names(cards: &[&'static Card]) -> Vec<&'static str> {
    cards.iter().map(|card| card.name).collect()
}

fn methods() -> Vec<&'static Card> {
    method::ALL.iter().map(|member| &member.card).collect()
}

fn losses() -> Vec<&'static Card> {
    loss::ALL.iter().map(|member| &member.card).collect()
}

fn searches() -> Vec<&'static str> {
    search::ALL.iter().map(|member| member.card.name).collect()
}

/// The most safe nodes that are put in order.
pub const MOST_CHOICES: u32 = 1_000;

const CHOOSE: &str = "choose";
const MINIMAL_NODES: &str = "minimal_nodes";
const GUARANTEE: &str = "guarantee";
pub(super) const SEED: &str = "seed";
const PROPERTY: &str = "property";

/// Reads `[method]`.
pub(super) fn method(table: &PolicyTable<'_>, variables: &[VariablePolicy]) -> Result<MethodPolicy> {
    let name = member(table, "name", method::DEFAULT, names(&methods()))?;
    let loss = member(table, "loss", loss::DEFAULT, names(&losses()))?;
    let chosen = |cards: Vec<&'static Card>, name: &str| cards.into_iter().find(|card| card.name == name);
    let cards: Vec<&Card> = chosen(methods(), name).into_iter().chain(chosen(losses(), loss)).collect();
    let method = MethodPolicy {
        name: name.to_owned(),
        parameters: parameters_of(table, name, &cards, variables)?,
        search: member(table, "search", search::DEFAULT, searches())?.to_owned(),
        loss: loss.to_owned(),
        loss_parameters: parameters_of(table, loss, &cards, variables)?,
        suppression_limit: table.read("suppression_limit", Item::share)?.unwrap_or_default(),
        limit_unit: table.word(LIMIT_UNIT)?,
        unknown_values: table.word("new_values")?,
        time_limit: table.read("time_limit", time_limit)?,
        choose: table.read(CHOOSE, |item| item.whole_in(1, i64::from(MOST_CHOICES)))?,
        minimal_nodes: table.read(MINIMAL_NODES, Item::flag)?.unwrap_or_default(),
        seed: table.read(SEED, |item| item.whole_in(0, i64::MAX))?,
        unguarded: table.read(GUARANTEE, |item| item.choice(["none"]).map(|_| item.line()))?,
        properties: table.read(PROPERTY, |item| property::properties(item, variables))?.unwrap_or_default(),
    };
    check_effect(table, &method)?;
    check_minimal_nodes(table, &method)?;
    check_unguarded(table, &method)?;
    method.check_time_limit()?;
    method.check_choice()?;
    check_weights(table, &method, variables)?;
    if search::find(&method.search).is_some_and(|member| member.by_preferences) {
        check_points(variables, table.get("search").map(|item| item.line()))?;
    }
    Ok(method)
}

/// The parameters of one of the chosen members; those of the others stand in the same table.
fn parameters_of(
    table: &PolicyTable<'_>,
    name: &str,
    cards: &[&Card],
    variables: &[VariablePolicy],
) -> Result<Parameters> {
    let Some(card) = cards.iter().find(|card| card.name == name) else { return Ok(Parameters::new()) };
    let others = cards.iter().filter(|other| other.name != name).flat_map(|other| other.parameters);
    let others: Vec<&str> = METHOD.names().into_iter().chain(others.map(|parameter| parameter.name)).collect();
    parameters(table, card, &others, variables)
}

fn member(table: &PolicyTable<'_>, key: &str, default: &'static str, names: Vec<&'static str>) -> Result<&'static str> {
    Ok(table.read(key, |item| item.choice(names))?.unwrap_or(default))
}

/// Refuses keys that only mean something to other methods.
fn check_effect(table: &PolicyTable<'_>, method: &MethodPolicy) -> Result<()> {
    let values = method::find(&method.name).and_then(method::MethodMember::values);
    let idle = |item: &Item<'_>| item.fail(format!("has no effect on the method {}", quoted(&method.name)));
    table.refuse(PROPERTY, !values.is_some_and(|values| values.keeps_properties), idle)?;
    table.refuse(CHOOSE, !method.has_nodes(), idle)
}

/// Refuses to list k-minimal nodes with a search that does not find them.
fn check_minimal_nodes(table: &PolicyTable<'_>, method: &MethodPolicy) -> Result<()> {
    let finds = |member: &search::SearchMember| member.card.keeps(Promise::FindsMinimalNodes);
    table.refuse(MINIMAL_NODES, !search::find(&method.search).is_some_and(finds), |item| {
        let able: Vec<&str> = search::ALL.iter().filter(|one| finds(one)).map(|one| one.card.name).collect();
        item.fail(format!("has no effect on the search {}: it does not find them", quoted(&method.search)))
            .hint(format!("remove it, or use one of: {}", able.join(", ")))
    })
}

/// Without a guarantee every node is safe: what chooses one must be after more than detail.
fn check_unguarded(table: &PolicyTable<'_>, method: &MethodPolicy) -> Result<()> {
    let Some(item) = table.get(GUARANTEE) else { return Ok(()) };
    let is_searched = method::find(&method.name).is_some_and(|one| !matches!(one.work, method::MethodWork::Classes(_)));
    if is_searched && search::find(&method.search).is_some_and(|one| one.by_preferences) {
        return Ok(());
    }
    let able: Vec<&str> = search::ALL.iter().filter(|one| one.by_preferences).map(|one| one.card.name).collect();
    let message = "goes with a search by preferences only: any other would release the table as collected";
    Err(item.fail(message).hint(format!("search = \"{}\", or a guarantee by [[privacy]]", able.join("\", \""))))
}

fn time_limit(item: &Item<'_>) -> Result<Duration> {
    duration(item.text()?).ok_or_else(|| item.fail("must be a time such as \"10s\", \"500ms\" or \"2m\""))
}

/// A time such as `10s`, `500ms`, `2m` or `1h`; at least a millisecond.
#[must_use]
pub fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    let total = number.parse::<u64>().ok()?.checked_mul(milliseconds)?;
    (total > 0).then(|| Duration::from_millis(total))
}

/// A loss that weighs the variables needs all 100 user points, or a weight of each variable, as it was asked for; weights
/// that no loss takes are refused.
fn check_weights(table: &PolicyTable<'_>, method: &MethodPolicy, variables: &[VariablePolicy]) -> Result<()> {
    let loss = &method.loss;
    let source = loss::find(loss).map_or(WeightSource::Equal, |member| member.weights(&method.loss_parameters));
    match source {
        WeightSource::Given => check_given(table, loss, variables),
        _ if variables.iter().any(|variable| variable.given_weight.is_some()) => Err(unasked(loss, variables)),
        WeightSource::Points => check_user_points(table, loss, variables),
        WeightSource::Equal => Ok(()),
    }
}

/// Every variable that is recoded has a weight, and one of them more than 0.
fn check_given(table: &PolicyTable<'_>, loss: &str, variables: &[VariablePolicy]) -> Result<()> {
    let mut recoded = variables.iter().filter(|one| one.role == Role::QuasiIdentifying && one.marked.is_none());
    if let Some(without) = recoded.clone().find(|variable| variable.given_weight.is_none()) {
        let name = quoted(&without.name);
        return Err(at_line(without.line, format!("the loss `{loss}` takes given weights, and {name} has none"))
            .hint("give every quasi-identifying variable a `weight` from 0 to 1"));
    }
    if recoded.all(|variable| variable.weight() <= 0.0) {
        let message = format!("the loss `{loss}` takes given weights, and all of them are 0");
        return Err(at_line(line_of_loss(table), message).hint("give a variable that matters a `weight` above 0"));
    }
    Ok(())
}

/// Weights that a loss does not take.
fn unasked(loss: &str, variables: &[VariablePolicy]) -> Error {
    let line = variables.iter().find(|variable| variable.given_weight.is_some()).map_or(1, |variable| variable.line);
    at_line(line, format!("`weight` has no effect: the loss `{loss}` does not take given weights"))
        .hint("say weights = \"given\" in [method] with a loss that can weigh, or remove it")
}

fn check_user_points(table: &PolicyTable<'_>, loss: &str, variables: &[VariablePolicy]) -> Result<()> {
    let sum: f64 = variables.iter().filter_map(|variable| variable.points).map(|points| points.user).sum();
    if (sum - POINTS).abs() <= TOLERANCE {
        return Ok(());
    }
    let message = if sum == 0.0 {
        format!("the loss `{loss}` weighs the variables by their user points, and none has any")
    } else {
        format!("the loss `{loss}` needs user points that sum to 100; they sum to {sum}")
    };
    let hint = "share 100 points among the quasi-identifying variables: points = { user = 60 } under each; \
                a variable without points counts 0";
    Err(at_line(line_of_loss(table), message).hint(hint))
}

fn line_of_loss(table: &PolicyTable<'_>) -> usize {
    table.get("loss").map_or(table.line(), |item| item.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        let known = [("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000)];
        for (text, milliseconds) in known {
            assert_eq!(duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "10", "s", "0s", "-1s", "1.5s", "1 s", "99999999999999999999s", "18446744073709551615h"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
