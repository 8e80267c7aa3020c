//! A policy with a few settings changed, as text.
//!
//! The text is edited and then read like any other policy. So a variation is checked as strictly as a file, and what is written
//! for a point of a map is what the point was computed with. Comments and order stay.
//!
//! Another method keeps nothing that only the old one understands. Parameters of the old one go. Columns that it marked get the
//! mark of the new one. Where the new one makes no new values, these columns are recoded: by the ladder that they have, else as
//! collected or `*`, or in ranges by a method that makes them.

use equanym_core::card::{Card, Kind, Parameter, Value};
use equanym_core::method::MethodWork;
use equanym_core::variable::Role;
use equanym_core::{loss, method, privacy};
use toml_edit::{DocumentMut, Item, TableLike};

use super::marks;
use super::place::quoted;
use crate::error::{Error, Result};

/// What is changed.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicySetting {
    /// The method.
    Method(String),
    /// `k` of every model that has one.
    K(i64),
    /// The suppression limit.
    Limit(f64),
    /// The weight of utility; that of privacy is the rest to 1.
    Alpha(f64),
    /// A parameter of a member.
    Parameter {
        /// The member: a privacy model, the method or the loss.
        member: String,
        /// The parameter.
        name: String,
        /// Its value.
        value: Value,
    },
    /// Where draws come from.
    Seed(u64),
}

impl PolicySetting {
    /// What is set, as results name it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Method(_) => "method".to_owned(),
            Self::K(_) => "k".to_owned(),
            Self::Limit(_) => "suppression_limit".to_owned(),
            Self::Alpha(_) => "alpha".to_owned(),
            Self::Parameter { member, name, .. } => format!("{member}.{name}"),
            Self::Seed(_) => "seed".to_owned(),
        }
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Self::Method(name) => Value::Text(name.clone()),
            Self::K(k) => Value::Integer(*k),
            Self::Limit(share) | Self::Alpha(share) => Value::Number(*share),
            Self::Parameter { value, .. } => value.clone(),
            Self::Seed(seed) => Value::Integer(i64::try_from(*seed).unwrap_or(i64::MAX)),
        }
    }
}

/// A text of a policy with these settings. It is for one release: what maps go over is not in it.
pub fn varied(text: &str, settings: &[PolicySetting]) -> Result<String> {
    let mut document = document(text)?;
    document.remove("frontier");
    for setting in settings {
        match setting {
            PolicySetting::Method(name) => change_method(&mut document, name)?,
            PolicySetting::K(k) => each_model(&mut document, takes_k, |table| set(table, "k", (*k).into())),
            PolicySetting::Limit(limit) => set(table(&mut document, "method")?, "suppression_limit", (*limit).into()),
            PolicySetting::Alpha(alpha) => {
                let preferences = table(&mut document, "preferences")?;
                set(preferences, "alpha", (*alpha).into());
                set(preferences, "beta", rest(*alpha).into());
            }
            PolicySetting::Parameter { member, name, value } if privacy::find(member).is_some() => {
                each_model(&mut document, |model| model == member, |table| set(table, name, written(value)));
            }
            PolicySetting::Parameter { name, value, .. } => set(table(&mut document, "method")?, name, written(value)),
            PolicySetting::Seed(seed) => {
                let seed = i64::try_from(*seed).map_err(|_| Error::input("the seed is too large for a policy"))?;
                set(table(&mut document, "method")?, "seed", seed.into());
            }
        }
    }
    Ok(document.to_string())
}

/// The same policy for another folder: names of hierarchy files and of the population as `renamed` gives them.
pub fn moved(text: &str, renamed: impl Fn(&str) -> String) -> Result<String> {
    let mut document = document(text)?;
    each_variable(&mut document, |_, variable| {
        let ladder = variable.get_mut("hierarchy").and_then(Item::as_table_like_mut);
        if let Some(ladder) = ladder
            && let Some(file) = ladder.get("file").and_then(Item::as_str).map(&renamed)
        {
            set(ladder, "file", file.into());
        }
        Ok(())
    })?;
    let models = document.get_mut("privacy").and_then(Item::as_array_of_tables_mut);
    for model in models.into_iter().flat_map(|models| models.iter_mut()) {
        let member = model.get("model").and_then(Item::as_str).and_then(privacy::find);
        for parameter in member.map_or(&[][..], |member| member.card.parameters) {
            let named = model.get(parameter.name).and_then(Item::as_str).filter(|name| !name.contains("://"));
            if let Some(name) = named.filter(|_| matches!(parameter.kind.given(), Kind::Table)).map(&renamed) {
                set(model, parameter.name, name.into());
            }
        }
    }
    Ok(document.to_string())
}

fn document(text: &str) -> Result<DocumentMut> {
    // Whoever hands it in has read it as a policy.
    text.trim_start_matches('\u{feff}').parse().map_err(|_| Error::input("the policy is no TOML"))
}

/// What is left to 1, in decimals as people write them.
fn rest(share: f64) -> f64 {
    format!("{:.12}", 1.0 - share).parse().unwrap_or(1.0 - share)
}

fn written(value: &Value) -> toml_edit::Value {
    match value {
        Value::Integer(number) => (*number).into(),
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.into(),
        Value::Bool(flag) => (*flag).into(),
    }
}

fn table<'d>(document: &'d mut DocumentMut, key: &str) -> Result<&'d mut dyn TableLike> {
    let item = document.entry(key).or_insert_with(toml_edit::table);
    item.as_table_like_mut().ok_or_else(|| Error::input(format!("`{key}` of the policy is no table")))
}

/// Sets a value; what stands before and behind the old one, comments among it, stays.
fn set(table: &mut dyn TableLike, key: &str, mut value: toml_edit::Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(old) => *old = Item::Value(value),
        None => drop(table.insert(key, Item::Value(value))),
    }
}

fn each_model(document: &mut DocumentMut, is_meant: impl Fn(&str) -> bool, mut change: impl FnMut(&mut dyn TableLike)) {
    let mut one = |table: &mut dyn TableLike| {
        if table.get("model").and_then(Item::as_str).is_some_and(&is_meant) {
            change(table);
        }
    };
    match document.get_mut("privacy") {
        Some(Item::ArrayOfTables(models)) => models.iter_mut().for_each(|table| one(table)),
        Some(Item::Value(toml_edit::Value::Array(models))) => {
            models.iter_mut().filter_map(toml_edit::Value::as_inline_table_mut).for_each(|table| one(table));
        }
        _ => {}
    }
}

/// Whether a model asks for classes of a size.
pub(super) fn takes_k(model: &str) -> bool {
    let is_k = |parameter: &Parameter| parameter.name == "k" && matches!(parameter.kind, Kind::Integer { .. });
    privacy::find(model).is_some_and(|member| member.card.parameters.iter().any(is_k))
}

fn each_variable(
    document: &mut DocumentMut,
    mut change: impl FnMut(&str, &mut dyn TableLike) -> Result<()>,
) -> Result<()> {
    let Some(variables) = document.get_mut("variables").and_then(Item::as_table_like_mut) else { return Ok(()) };
    for (name, variable) in variables.iter_mut() {
        if let Some(variable) = variable.as_table_like_mut() {
            change(name.get(), variable)?;
        }
    }
    Ok(())
}

/// Keys of `[method]` that only some methods understand.
const ONLY_SOME: [&str; 3] = ["choose", "seed", "property"];

fn change_method(document: &mut DocumentMut, name: &str) -> Result<()> {
    let section = table(document, "method")?;
    let named =
        |key: &str, default: &'static str| section.get(key).and_then(Item::as_str).unwrap_or(default).to_owned();
    let (old, loss_name) = (named("name", method::DEFAULT), named("loss", loss::DEFAULT));
    if old == name {
        return Ok(());
    }
    let own = |card: Option<&'static Card>| card.into_iter().flat_map(|card| card.parameters).map(|one| one.name);
    let kept: Vec<&str> = own(loss::find(&loss_name).map(|member| &member.card)).collect();
    for key in own(method::find(&old).map(|member| &member.card)).filter(|key| !kept.contains(key)).chain(ONLY_SOME) {
        section.remove(key);
    }
    set(section, "name", name.into());
    if let Some(preferences) = document.get_mut("preferences").and_then(Item::as_table_like_mut) {
        preferences.remove(super::preferences::NEW_VALUES);
    }
    let values = method::find(name).and_then(method::MethodMember::values);
    let makes_ranges = method::find(name).is_some_and(|member| matches!(member.work, MethodWork::Classes(_)));
    each_variable(document, |column, variable| match values {
        Some(values) => {
            remark(variable, values.mark, values.takes_interval);
            Ok(())
        }
        None => unmark(column, variable, makes_ranges),
    })
}

/// The mark that a variable has.
fn mark(variable: &dyn TableLike) -> Option<&'static str> {
    marks::all().find(|mark| variable.get(mark).and_then(Item::as_bool) == Some(true))
}

/// Another method gives the variable new values.
fn remark(variable: &mut dyn TableLike, new: &str, takes_interval: bool) {
    let Some(old) = mark(variable) else { return };
    variable.remove(old);
    set(variable, new, true.into());
    if !takes_interval {
        variable.remove(marks::INTERVAL);
    }
}

/// The variable is recoded instead.
fn unmark(column: &str, variable: &mut dyn TableLike, makes_ranges: bool) -> Result<()> {
    let Some(old) = mark(variable) else { return Ok(()) };
    if variable.get("role").and_then(Item::as_str) != Some(Role::QuasiIdentifying.name()) {
        return Err(Error::input(format!(
            "{} gets new values; a method that recodes would release it as collected",
            quoted(column)
        ))
        .hint("give it the role \"quasi-identifying\", or leave methods that recode out of the map"));
    }
    let has_ladder = variable.get("hierarchy").is_some();
    let is_number = ["hierarchy", "type", marks::VALUES].iter().all(|key| variable.get(key).is_none());
    let goes = |key: &str| key == "type" && variable.get(key).and_then(Item::as_str) == Some("date");
    let goes: Vec<&str> =
        [old].into_iter().chain(marks::KEYS).chain(["type"].into_iter().filter(|key| goes(key))).collect();
    for key in goes {
        variable.remove(key);
    }
    if is_number {
        set(variable, "type", "number".into());
    }
    if !has_ladder && !makes_ranges {
        // Its owner knows it: as many values as records do not make it an identifier that was overlooked.
        let levels = toml_edit::InlineTable::from_iter([("max", 1)]);
        set(variable, "levels", levels.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    const TEXT: &str = r#"# A policy.
[variables.age]
role = "quasi-identifying"
hierarchy = { file = "ladders/age.csv" } # by hand

[variables.income]
role = "quasi-identifying"
perturb = true
interval = 5
domain = [0, 100]

[[privacy]]
model = "k-anonymity"
k = 5 # a family

[method]
name = "perturbation" # noise
noise = "uniform"
seed = 1

[preferences.new_values]
by = "distortion"
levels = [0.1, 0.2]

[frontier]
k = [2, 3]
"#;

    fn read(text: &str) -> Policy {
        Policy::parse(text, &|_| Ok("1;*\n".to_owned())).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn a_few_values_change_and_the_rest_stays() {
        let text = varied(TEXT, &[PolicySetting::K(7), PolicySetting::Limit(0.1), PolicySetting::Alpha(0.3)]).unwrap();
        for kept in ["# A policy.", "# by hand", "k = 7 # a family", "suppression_limit = 0.1", "beta = 0.7"] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        let policy = read(&text);
        assert_eq!((policy.frontier.is_empty(), policy.method.seed), (true, Some(1)));
        let inline = varied("privacy = [{ model = \"k-anonymity\", k = 2 }]\n", &[PolicySetting::K(3)]).unwrap();
        assert!(inline.contains("k = 3"), "{inline}");
    }

    #[test]
    fn another_method_keeps_nothing_that_only_the_old_one_knows() {
        let walked = varied(TEXT, &[PolicySetting::Method("random-walk".into()), PolicySetting::Seed(3)]).unwrap();
        assert!(
            walked.contains("walk = true") && !walked.contains("interval") && !walked.contains("noise ="),
            "{walked}"
        );
        assert_eq!(read(&walked).method.seed, Some(3));
        let recoded = read(&varied(TEXT, &[PolicySetting::Method("mondrian".into())]).unwrap());
        assert!(recoded.variables.iter().all(|variable| variable.marked.is_none()));
        let same = varied(TEXT, &[PolicySetting::Method("perturbation".into())]).unwrap();
        assert!(same.contains("interval = 5") && same.contains("noise = \"uniform\""), "{same}");
        let sensitive = TEXT.replace("role = \"quasi-identifying\"\nperturb", "role = \"sensitive\"\nperturb");
        assert!(varied(&sensitive, &[PolicySetting::Method("mondrian".into())]).is_err());
    }

    #[test]
    fn files_are_named_from_elsewhere() {
        let text = moved(TEXT, |name| format!("../{name}")).unwrap();
        assert!(text.contains("{ file = \"../ladders/age.csv\" } # by hand"), "{text}");
    }
}
