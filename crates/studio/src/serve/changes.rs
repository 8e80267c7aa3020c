//! Changes of the policy, as the controls of the pages send them.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use equanym_core::card::{Card, Kind};
use equanym_core::privacy;
use equanym_core::variable::Role;
use equanym_engine::error::{Error, Result};
use equanym_engine::policy::{PrivacyPolicy, VariablePolicy};
use toml_edit::{Array, InlineTable, Value};

use crate::desk::edit::{Edit, beginning, entry_at, read};
use crate::desk::{Answer, Desk, Moment, Note, nothing_open};
use crate::pages::{BOUNDS, grouped};

/// What a form sent.
pub(super) struct FormEntries(Vec<(String, String)>);

impl FormEntries {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn last(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn text(&self, name: &str) -> Result<&str> {
        self.get(name).ok_or_else(|| Error::input(format!("the form has no `{name}`")))
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<T> {
        self.text(name)?.trim().parse().map_err(|_| Error::input(format!("`{name}` is no number that fits")))
    }

    fn share(&self, name: &str) -> Result<f64> {
        let number: f64 = self.number(name)?;
        if (0.0..=1.0).contains(&number) { Ok(number) } else { Err(Error::input(format!("`{name}` is no share"))) }
    }
}

/// Leads back to a page of the studio, with a message by its number.
pub(super) fn back(page: &str, note: Option<u64>) -> Response {
    // Only pages of the studio: no address of anybody else.
    let is_own = page.starts_with('/')
        && !page.starts_with("//")
        && page.chars().all(|it| it.is_ascii_alphanumeric() || it == '/');
    let page = if is_own { page } else { "/table" };
    let target = note.map_or_else(|| page.to_owned(), |number| format!("{page}?note={number}"));
    Redirect::to(&target).into_response()
}

fn led_back(desk: &Desk, sent: &FormEntries, done: Result<Option<String>>) -> Response {
    let note = match done {
        Ok(None) => None,
        Ok(Some(words)) => Some(desk.note(Note::Done(words))),
        Err(error) => Some(desk.note(Note::Failed(error))),
    };
    back(sent.get("back").unwrap_or("/table"), note)
}

pub(super) async fn undo(State(desk): State<Arc<Desk>>, Form(sent): Form<Vec<(String, String)>>) -> Response {
    desk.step(true);
    led_back(&desk, &FormEntries(sent), Ok(None))
}

pub(super) async fn redo(State(desk): State<Arc<Desk>>, Form(sent): Form<Vec<(String, String)>>) -> Response {
    desk.step(false);
    led_back(&desk, &FormEntries(sent), Ok(None))
}

/// Keeps the policy in its file.
pub(super) async fn keep(State(desk): State<Arc<Desk>>, Form(sent): Form<Vec<(String, String)>>) -> Response {
    let kept = desk.now().ok_or_else(nothing_open).and_then(|now| Ok((desk.keep(&now)?, now)));
    let told = kept.map(|(path, now)| {
        let table = now.table.files.table.as_ref().map(|(name, _)| format!(", the table in {name} beside it"));
        Some(format!("The policy is kept in {}{}.", path.display(), table.unwrap_or_default()))
    });
    led_back(&desk, &FormEntries(sent), told)
}

/// A change of the policy.
pub(super) async fn edit(State(desk): State<Arc<Desk>>, Form(sent): Form<Vec<(String, String)>>) -> Response {
    let sent = FormEntries(sent);
    // A slider says who it is while it moves.
    let moving = sent.get("moving").map(str::to_owned);
    let done = match sent.get("what") {
        Some("text") => desk
            .now()
            .ok_or_else(nothing_open)
            .and_then(|now| desk.replace(&now, sent.text("text")?.replace("\r\n", "\n"), None)),
        Some("point") => point(&desk, &sent).await,
        Some(what) => desk.change(moving.as_deref(), |now, edit| change(what, &sent, now, edit)),
        None => Err(Error::input("the form says not what to change")),
    };
    if moving.is_none() {
        desk.rest();
    }
    led_back(&desk, &sent, done.map(|()| None))
}

fn change(what: &str, sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    match what {
        "role" => role(sent, now, edit),
        "person" => match sent.text("column")? {
            "" => edit.set_person(None),
            _ => edit.set_person(Some(column(sent, now)?)),
        },
        "ladder" => ladder(sent, now, edit),
        "levels" => {
            let (min, max): (u8, u8) = (sent.number("min")?, sent.number("max")?);
            edit.levels(column(sent, now)?, (min.min(max), Some(max.max(min))))
        }
        "hold" => hold(sent, now, edit),
        "group" => regroup(sent, now, edit, sent.text("label")?),
        "new-group" => match sent.text("label")?.trim() {
            "" => Err(Error::input("a group needs a name")),
            label => regroup(sent, now, edit, label),
        },
        "model" => model(sent, now, edit),
        "add-model" => add_model(sent, now, edit),
        "add-preset" => {
            let found = privacy::preset::find(sent.text("preset")?);
            edit.add_preset(found.ok_or_else(|| Error::input("there is no such preset"))?.card.name)
        }
        "remove-preset" => {
            let place: usize = sent.number("preset")?;
            let preset =
                now.version.policy.presets.get(place).ok_or_else(|| Error::input("the policy has no such preset"))?;
            edit.remove_model(entry_at(&now.version.text, preset.line, place));
            Ok(())
        }
        "remove-model" => {
            let (_, entry) = asked_model(sent, now)?;
            edit.remove_model(entry);
            Ok(())
        }
        "limit" => edit.set_in("method", "suppression_limit", Some(sent.share("limit")?.into())),
        "method" => ["loss", "search", "name"].into_iter().try_for_each(|key| {
            let is_other = |given: &&str| match key {
                "loss" => now.version.policy.method.loss != **given,
                "search" => now.version.policy.method.search != **given,
                _ => now.version.policy.method.name != **given,
            };
            sent.get(key).filter(is_other).map_or(Ok(()), |given| edit.set_in("method", key, Some(given.into())))
        }),
        "choose" => {
            let place: i64 = sent.number("place")?;
            edit.set_in("method", "choose", (place > 1).then(|| place.into()))
        }
        "preferences" => {
            let alpha = sent.share("alpha")?;
            edit.set_in("preferences", "alpha", Some(alpha.into()))?;
            edit.set_in("preferences", "beta", Some((((1.0 - alpha) * 100.0).round() / 100.0).into()))?;
            edit.set_in("preferences", "target", sent.get("target").map(Value::from))?;
            edit.set_in("preferences", "distance", sent.get("distance").map(Value::from))
        }
        "ration" => ration(sent, now, edit),
        "mark" => mark(sent, now, edit),
        "domain" => {
            let [low, high] = ["low", "high"].map(|end| sent.get(end).unwrap_or_default().trim());
            edit.domain(column(sent, now)?, (low, high))
        }
        "method-parameters" => method_parameters(sent, now, edit),
        "points" => points(sent, now, edit),
        "even-points" => shared_out(now, edit, None, |_, _| 1.0),
        "by-preferences" => {
            let search = equanym_core::search::ALL.iter().find(|member| member.by_preferences);
            edit.set_in("method", "choose", None)?;
            edit.set_in("method", "search", search.map(|member| member.card.name.into()))
        }
        _ => Err(Error::input("the studio knows no such change")),
    }
}

/// Takes over the policy of a point of the map.
async fn point(desk: &Desk, sent: &FormEntries) -> Result<()> {
    let now = desk.now().ok_or_else(nothing_open)?;
    let place: usize = sent.number("point")?;
    let Answer::Here(map) = desk.map(&now).await else {
        return Err(Error::input("the map is not there yet").hint("wait for it"));
    };
    let text = map.policies.get(place).ok_or_else(|| Error::input("the map has no such point"))?;
    desk.replace(&now, text.clone(), None)
}

fn column<'n>(sent: &FormEntries, now: &'n Moment) -> Result<&'n str> {
    now.table.column(sent.number("column")?)
}

fn role(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let role = Role::ALL.into_iter().find(|role| Some(role.name()) == sent.get("role"));
    let role = role.ok_or_else(|| Error::input("there is no such role"))?;
    let place: usize = sent.number("column")?;
    let ladder = now.table.look.columns.get(place).and_then(|column| column.ladder.as_deref());
    edit.role(now.table.column(place)?, role, ladder)
}

/// Holds a column at a level, or lets it go where it is held there.
fn hold(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let (name, level): (&str, u8) = (column(sent, now)?, sent.number("level")?);
    let variable = now.version.policy.variables.iter().find(|one| one.name == name);
    let bounds = variable.and_then(|one| one.levels);
    let is_held = bounds.is_some_and(|levels| levels.min == level && levels.max == Some(level));
    edit.levels(name, if is_held { (0, None) } else { (level, Some(level)) })
}

fn ladder(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let name = column(sent, now)?;
    let steps = sent.get("steps").unwrap_or_default();
    let kind = sent.last("kind").unwrap_or_default();
    let written = match kind {
        "intervals" | "prefix" | "rare" => format!("{kind} = {}", numbers(steps)?),
        "date" => {
            let grains: Array = sent.all("grain").collect();
            format!("date = {grains}, format = {}", Value::from(sent.text("format")?))
        }
        "library" => format!("library = {}", Value::from(steps)),
        "none" => return edit.ladder(name, None),
        "draft" => {
            let found = now.table.look.columns.iter().find(|one| one.name == name);
            return edit.ladder(name, found.and_then(|one| one.ladder.as_deref()));
        }
        _ => return Err(Error::input("the studio knows no such ladder")),
    };
    edit.ladder(name, Some(&written))
}

/// Numbers that people write with commas or blanks between.
fn numbers(text: &str) -> Result<Array> {
    let mut array = Array::new();
    for word in text.split([',', ';', ' ']).filter(|word| !word.is_empty()) {
        match (word.parse::<i64>(), word.parse::<f64>()) {
            (Ok(whole), _) => array.push(whole),
            (_, Ok(number)) if number.is_finite() => array.push(number),
            _ => return Err(Error::input("the steps are numbers with commas between")),
        }
    }
    if array.is_empty() {
        Err(Error::input("a ladder needs a step").hint("write numbers, such as 5, 10, 20"))
    } else {
        Ok(array)
    }
}

/// Puts a value into a group of the first level; higher levels stay.
fn regroup(sent: &FormEntries, now: &Moment, edit: &mut Edit, label: &str) -> Result<()> {
    let place: usize = sent.number("column")?;
    let name = now.table.column(place)?;
    let value =
        now.table.look.columns.get(place).and_then(|column| column.values.get(sent.number::<usize>("value").ok()?));
    let (value, _) = value.ok_or_else(|| Error::input("the column has no such value"))?;
    let variable = now.version.policy.variables.iter().find(|one| one.name == name).ok_or_else(nothing_open)?;
    let mut groups = grouped(variable);
    for (_, members) in &mut groups {
        members.retain(|member| member != value);
    }
    if !label.is_empty() {
        match groups.iter_mut().find(|(known, _)| known == label) {
            Some((_, members)) => members.push(value.clone()),
            None => groups.push((label.to_owned(), vec![value.clone()])),
        }
    }
    groups.retain(|(_, members)| !members.is_empty());
    let above = match &variable.hierarchy {
        equanym_core::hierarchy::Builder::Groups { levels } => levels.get(1..).unwrap_or_default().to_vec(),
        _ => Vec::new(),
    };
    if groups.is_empty() && above.is_empty() {
        return edit.ladder(name, None);
    }
    let level = |groups: &Vec<(String, Vec<String>)>| {
        let mut table = InlineTable::new();
        for (label, members) in groups {
            table.insert(label, Value::Array(members.iter().map(String::as_str).collect()));
        }
        Value::InlineTable(table)
    };
    let levels: Array = std::iter::once(&groups).chain(&above).map(level).collect();
    edit.ladder(name, Some(&format!("groups = {levels}")))
}

/// Gives a column new values in place of labels, or labels again. Its points go to the others in proportion.
fn mark(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let place: usize = sent.number("column")?;
    let (name, policy) = (now.table.column(place)?, &now.version.policy);
    let wanted = sent.get("mark").filter(|mark| !mark.is_empty());
    let ladder = now.table.look.columns.get(place).and_then(|column| column.ladder.as_deref());
    edit.mark(name, wanted, ladder)?;
    if wanted.is_some() && policy.variables.iter().any(|one| one.points.is_some()) {
        shared_out(now, edit, Some(name), points_of)?;
    }
    Ok(())
}

/// The points of a variable as they are.
fn points_of(one: &VariablePolicy, for_user: bool) -> f64 {
    one.points.map_or(0.0, |points| if for_user { points.user } else { points.intruder })
}

/// The parameters of the method, as their form has them; one that says what it says anyway stands in no policy.
fn method_parameters(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let member = equanym_core::method::find(&now.version.policy.method.name).ok_or_else(Error::internal)?;
    for parameter in member.card.parameters {
        let given = sent.get(parameter.name).map(str::trim).filter(|text| !text.is_empty());
        let is_usual = given.is_none() || given == parameter.default;
        edit.set_in("method", parameter.name, given.filter(|_| !is_usual).map(|text| read(parameter.kind, text)))?;
    }
    Ok(())
}

/// Bounds what must not be traded, of a column or of all together.
fn ration(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let name = sent.get("column").map(|_| column(sent, now)).transpose()?;
    let given = BOUNDS.iter().map(|(key, ..)| (*key, sent.get(key).unwrap_or_default().trim()));
    let given = given.filter(|(_, text)| !text.is_empty()).map(|(key, text)| Ok((key, amount(text)?)));
    edit.ration(name, &given.collect::<Result<Vec<_>>>()?)
}

/// An amount, or a level, as people write them.
fn amount(text: &str) -> Result<Value> {
    if let Some(level) = text.strip_prefix("level").and_then(|level| level.trim().parse::<u8>().ok()) {
        return Ok(Value::InlineTable(InlineTable::from_iter([("level", i64::from(level))])));
    }
    let amount = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
    let unread =
        || Error::input("this is no bound").hint("write an amount, such as 112.5, or a level, such as level 2");
    amount.map(Value::from).ok_or_else(unread)
}

/// The model that a form is about, and the place of its entry.
fn asked_model<'n>(sent: &FormEntries, now: &'n Moment) -> Result<(&'n PrivacyPolicy, usize)> {
    let place: usize = sent.number("model")?;
    let model = now.version.policy.privacy.get(place);
    let model = model.ok_or_else(|| Error::input("the policy has no such model any more"))?;
    Ok((model, entry_at(&now.version.text, model.line, place)))
}

/// The parameters of a model, as its form has them.
fn model(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let (model, place) = asked_model(sent, now)?;
    let card = privacy::find(&model.model).map(|member| &member.card).ok_or_else(Error::internal)?;
    let given = |name: &str| {
        let now = model.parameters.get(name).map(|value| match value {
            equanym_core::card::Value::Integer(number) => number.to_string(),
            equanym_core::card::Value::Number(number) => number.to_string(),
            equanym_core::card::Value::Text(text) => text.clone(),
            equanym_core::card::Value::Bool(flag) => flag.to_string(),
        });
        sent.get(name).map(str::to_owned).or(now)
    };
    for parameter in card.parameters {
        if let Kind::WithChoice { parameter: other, word, .. } = parameter.kind
            && given(other).as_deref() != Some(word)
        {
            edit.parameter(place, parameter.name, None)?;
            continue;
        }
        let may_be_absent = matches!(parameter.kind, Kind::Optional(_) | Kind::WithParameter { .. });
        match sent.get(parameter.name) {
            Some(text) if may_be_absent && text.trim().is_empty() => edit.parameter(place, parameter.name, None)?,
            Some(text) => edit.parameter(place, parameter.name, Some(read(parameter.kind, text)))?,
            None if !model.parameters.contains_key(parameter.name) && parameter.default.is_none() => {
                let first = beginning_of(card, parameter.name);
                edit.parameter(place, parameter.name, first)?;
            }
            None => {}
        }
    }
    Ok(())
}

/// What a parameter begins with that comes into effect.
fn beginning_of(card: &Card, name: &str) -> Option<Value> {
    let one = card.parameters.iter().find(|one| one.name == name)?;
    let Kind::WithChoice { kind, .. } = one.kind else { return None };
    Some(match kind {
        Kind::Integer { min } => (*min).max(3).into(),
        Kind::Above(least) => (least + 1).into(),
        _ => 0.5.into(),
    })
}

fn add_model(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let name = sent.text("model")?;
    let card = privacy::find(name).map(|member| &member.card).ok_or_else(|| Error::input("there is no such model"))?;
    let taken = |variable: &str| {
        now.version.policy.privacy.iter().any(|one| {
            one.model == name
                && one.parameters.values().any(|value| *value == equanym_core::card::Value::Text(variable.to_owned()))
        })
    };
    let sensitive = now.version.policy.of_role(Role::Sensitive).map(|one| one.name.clone());
    let free: Vec<String> = sensitive.filter(|one| !taken(one)).collect();
    edit.add_model(card.name, beginning(card, &free))
}

/// Gives a column so many points of a kind; the others share the rest as they did.
fn points(sent: &FormEntries, now: &Moment, edit: &mut Edit) -> Result<()> {
    let name = column(sent, now)?;
    let points: f64 = sent.number("points")?;
    if !points.is_finite() {
        return Err(Error::input("`points` is no number that fits"));
    }
    let points = points.clamp(0.0, 100.0).round();
    let is_user = sent.text("kind")? == "user";
    let quasi = || now.version.policy.of_role(Role::QuasiIdentifying).filter(|one| one.marked.is_none());
    let others: f64 = quasi().filter(|one| one.name != name).map(|one| points_of(one, is_user)).sum();
    let count = quasi().count().saturating_sub(1).max(1) as f64;
    let weight = |one: &VariablePolicy| match one.name == name {
        true => points,
        false if others > 0.0 => points_of(one, is_user) / others * (100.0 - points),
        false => (100.0 - points) / count,
    };
    shared_out(
        now,
        edit,
        None,
        |one, for_user| {
            if for_user == is_user { weight(one) } else { points_of(one, for_user) }
        },
    )
}

/// Shares out 100 points of each kind by weights, in whole numbers: what is left goes to the largest remainders.
fn shared_out(
    now: &Moment,
    edit: &mut Edit,
    without: Option<&str>,
    weight: impl Fn(&VariablePolicy, bool) -> f64,
) -> Result<()> {
    let quasi = now.version.policy.of_role(Role::QuasiIdentifying).filter(|one| one.marked.is_none());
    let quasi: Vec<_> = quasi.filter(|one| Some(one.name.as_str()) != without).collect();
    let [user, intruder] =
        [true, false].map(|for_user| whole(&quasi.iter().map(|one| weight(one, for_user)).collect::<Vec<_>>()));
    for ((one, user), intruder) in quasi.iter().zip(user).zip(intruder) {
        edit.points(&one.name, user, intruder)?;
    }
    Ok(())
}

/// Whole numbers that sum to 100, in the proportion of these.
fn whole(weights: &[f64]) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let share = |weight: &f64| if sum > 0.0 { weight / sum * 100.0 } else { 100.0 / weights.len().max(1) as f64 };
    let exact: Vec<f64> = weights.iter().map(share).collect();
    let mut shares: Vec<u32> =
        exact.iter().map(|share| (1..=100).rev().find(|whole| f64::from(*whole) <= *share).unwrap_or(0)).collect();
    let mut places: Vec<usize> = (0..exact.len()).collect();
    places.sort_by(|one, other| (exact[*other].fract()).total_cmp(&exact[*one].fract()));
    let left = 100_u32.saturating_sub(shares.iter().sum());
    for place in places.into_iter().cycle().take(if shares.is_empty() { 0 } else { left as usize }) {
        shares[place] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_keep_their_sum() {
        for weights in [&[1.0, 1.0, 1.0][..], &[0.0, 0.0], &[33.3, 33.3, 33.4], &[100.0, 0.0], &[7.0]] {
            assert_eq!(whole(weights).iter().sum::<u32>(), 100, "{weights:?}");
        }
        assert_eq!(whole(&[50.0, 25.0, 25.0]), [50, 25, 25]);
        assert_eq!(whole(&[]), [0; 0]);
    }

    #[test]
    fn steps_are_numbers() {
        assert_eq!(numbers("5, 10,20").unwrap().to_string(), "[5, 10, 20]");
        assert_eq!(numbers("0.5 1").unwrap().to_string(), "[0.5, 1]");
        assert!(numbers("").is_err() && numbers("a").is_err() && numbers("inf").is_err());
    }

    #[test]
    fn nobody_is_led_elsewhere() {
        for page in ["//evil.example", "https://evil.example", "/\\evil", "/best?x=1", "javascript:alert(1)"] {
            let response = back(page, None);
            assert_eq!(response.headers()["location"], "/table", "{page}");
        }
        assert_eq!(back("/columns/3", Some(7)).headers()["location"], "/columns/3?note=7");
    }
}
