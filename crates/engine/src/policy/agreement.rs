//! Whether the method, the variables and the models of a policy go together.

use equanym_core::card::Value;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::ModelNeeds;

use super::method::MethodPolicy;
use super::person::{LIMIT_UNIT, LimitUnit};
use super::place::{at_line, quoted, shown};
use super::preferences::Preferences;
use super::privacy::PrivacyPolicy;
use super::table::PolicyTable;
use super::{Suppression, VariablePolicy};
use crate::error::Result;

/// Refuses marks of another method, a method without its marks, models that look at marked variables, and models beside the
/// word that nothing is guaranteed.
pub(super) fn check(variables: &[VariablePolicy], method: &MethodPolicy, privacy: &[PrivacyPolicy]) -> Result<()> {
    let wanted = method::find(&method.name).and_then(|member| Some(member.values()?.mark));
    let stranger = variables.iter().find(|variable| variable.marked.is_some() && variable.mark() != wanted);
    if let Some((variable, mark)) = stranger.and_then(|variable| Some((variable, variable.mark()?))) {
        let message =
            format!("{} of [variables.{}] has no effect on the method", quoted(mark), variable.name.escape_debug());
        let able = method::ALL.iter().filter(|member| member.values().is_some_and(|values| values.mark == mark));
        let able: Vec<&str> = able.map(|member| member.card.name).collect();
        return Err(at_line(variable.line, format!("{message} {}", quoted(&method.name)))
            .hint(format!("it goes with [method] name = \"{}\"", able.join("\", \""))));
    }
    if let Some(mark) = wanted
        && variables.iter().all(|variable| variable.marked.is_none())
    {
        return Err(crate::error::Error::input(format!(
            "the method {} has no variable to work on",
            quoted(&method.name)
        ))
        .hint(format!("mark the variables that get new values: {mark} = true")));
    }
    if let (Some(line), Some(model)) = (method.unguarded, privacy.first()) {
        let message = format!("`guarantee` = \"none\" contradicts {} of line {}", quoted(&model.model), model.line);
        return Err(at_line(line, message).hint("remove one of the two"));
    }
    let recodes_locally =
        method::find(&method.name).is_some_and(|member| matches!(member.work, MethodWork::Classes(_)));
    for model in privacy {
        if model.needs() == ModelNeeds::Parts && recodes_locally {
            let message = format!(
                "{} does not go with the method {}: labels of different classes overlap there, so that parts of keys do not tell who shares them",
                quoted(&model.model),
                quoted(&method.name)
            );
            return Err(at_line(model.line, message).hint("use [method] name = \"global-recoding\""));
        }
        if model.needs() == ModelNeeds::Ladder
            && let Some(name) = model.variables().into_iter().find(|name| !has_ladder(variables, name))
        {
            let message =
                format!("{} with these parameters needs a hierarchy of {}", quoted(&model.model), quoted(name));
            let hint = format!("give [variables.{}] a `hierarchy`: the variable is not recoded", shown(name));
            return Err(at_line(model.line, message).hint(hint));
        }
        let names =
            |name: &str| model.parameters.values().any(|value| matches!(value, Value::Text(text) if text == name));
        if let Some(variable) = variables.iter().find(|variable| variable.marked.is_some() && names(&variable.name)) {
            let message =
                format!("{} cannot guard {}, which gets new values", quoted(&model.model), quoted(&variable.name));
            return Err(at_line(model.line, message));
        }
    }
    Ok(())
}

fn has_ladder(variables: &[VariablePolicy], name: &str) -> bool {
    variables.iter().any(|variable| variable.name == name && variable.hierarchy_given)
}

/// Refuses a balance that may withhold records where none may be withheld.
pub(super) fn check_withholding(
    preferences: Option<&Preferences>,
    method: &MethodPolicy,
    table: &PolicyTable<'_>,
) -> Result<()> {
    let chooses = preferences.is_some_and(|preferences| preferences.suppression == Suppression::Chosen);
    table.refuse("suppression", chooses && method.suppression_limit <= 0.0, |item| {
        item.fail("has no effect: `suppression_limit` of [method] permits to withhold nothing")
            .hint("say how many records may be left out at most: suppression_limit = 0.05")
    })?;
    table.refuse("suppression", chooses && method.limit_unit == LimitUnit::Persons, |item| {
        item.fail("goes by records, and `limit_unit` of [method] counts people")
            .hint("use \"charged\", or limit_unit = \"records\"")
    })
}

/// Refuses to count people where nobody says who they are.
pub(super) fn check_limit(person: Option<&str>, method: &MethodPolicy, table: &PolicyTable<'_>) -> Result<()> {
    table.refuse(LIMIT_UNIT, person.is_none() && method.limit_unit == LimitUnit::Persons, |item| {
        item.fail("has no effect: nothing says which records belong to one person")
            .hint("name the column that does: [data] person = \"…\"")
    })
}
