//! The policy as a JSON schema, with which editors complete and check policies while they are written.
//!
//! It says what the reader's own lists and the cards say about single tables. What several keys say together is left to the
//! reader: a policy that the reader accepts fits the schema, not the other way round. Draft 7, because editors of TOML read
//! that.

use equanym_core::card::{Card, Kind};
use serde_json::{Map, Value, json};

use super::POLICY;
use super::keys::{KeyShape, Members, PolicyKey, Section};

/// The schema.
#[must_use]
pub fn schema() -> Value {
    let mut schema = table(&POLICY);
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("equanym policy");
    schema
}

fn table(section: &Section) -> Value {
    let more = (section.more)();
    let keys = section.keys.iter().chain(&more);
    let mut properties: Map<String, Value> = keys.map(|key| (key.name.to_owned(), described(key))).collect();
    for (name, fitting) in section.members.iter().flat_map(parameters) {
        let entry = properties.entry(name).or_insert_with(|| json!({ "anyOf": [] }));
        if let Some(list) = entry["anyOf"].as_array_mut().filter(|list| !list.contains(&fitting)) {
            list.push(fitting);
        }
    }
    let conditions: Vec<Value> = section.members.iter().flat_map(conditions).collect();
    let mut schema = json!({ "type": "object", "description": section.about, "additionalProperties": false });
    schema["properties"] = Value::Object(properties);
    if !conditions.is_empty() {
        schema["allOf"] = Value::Array(conditions);
    }
    schema
}

fn described(key: &PolicyKey) -> Value {
    let mut schema = fitting(&key.takes);
    let default = if key.default.is_empty() { String::new() } else { format!(" Without it: {}.", key.default) };
    schema["description"] = json!(format!("{}.{default}", key.meaning));
    schema
}

fn fitting(takes: &KeyShape) -> Value {
    match takes {
        KeyShape::Text => json!({ "type": "string" }),
        KeyShape::Flag => json!({ "type": "boolean" }),
        KeyShape::Whole(least) => json!({ "type": "integer", "minimum": least }),
        KeyShape::Number => json!({ "type": "number" }),
        KeyShape::Amount => json!({ "type": "number", "minimum": 0 }),
        KeyShape::Share => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        KeyShape::Words(words) => json!({ "enum": words() }),
        KeyShape::Parameter(kind) => of_kind(*kind),
        KeyShape::List(one) => json!({ "type": "array", "minItems": 1, "items": fitting(one) }),
        KeyShape::Table(section) => table(section),
        KeyShape::Named(one) => json!({ "type": "object", "additionalProperties": fitting(one) }),
        KeyShape::Either(some) => json!({ "anyOf": some.iter().map(fitting).collect::<Vec<_>>() }),
    }
}

fn of_kind(kind: Kind) -> Value {
    match kind {
        Kind::Integer { min } => json!({ "type": "integer", "minimum": min }),
        Kind::Between { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Number => json!({ "type": "number" }),
        Kind::SensitiveVariable | Kind::UnrecodedVariable | Kind::Column | Kind::ColumnOrDate | Kind::Table => {
            json!({ "type": "string" })
        }
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Share => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        Kind::PositiveShare => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 }),
        Kind::UpTo(most) => json!({ "type": "number", "minimum": 0, "maximum": most }),
        Kind::ShareOr(word) => json!({ "anyOf": [of_kind(Kind::PositiveShare), { "const": word }] }),
        Kind::Above(least) => json!({ "type": "number", "exclusiveMinimum": least }),
        Kind::WithChoice { kind, .. } | Kind::WithParameter { kind, .. } | Kind::Optional(kind) => of_kind(*kind),
        Kind::CountOr(word) => json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "const": word }] }),
        Kind::Flag => json!({ "type": "boolean" }),
    }
}

/// What the parameters of all members take, by their names.
fn parameters(members: &Members) -> Vec<(String, Value)> {
    let all = (members.cards)().into_iter().flat_map(|card| card.parameters);
    all.map(|parameter| (parameter.name.to_owned(), of_kind(parameter.kind))).collect()
}

/// What holds where a member is named: its parameters fit, and those that it needs are there.
fn conditions(members: &Members) -> Vec<Value> {
    (members.cards)()
        .into_iter()
        .filter(|card| !card.parameters.is_empty())
        .map(|card| condition(members.key, card))
        .collect()
}

fn condition(key: &str, card: &Card) -> Value {
    let properties: Map<String, Value> =
        card.parameters.iter().map(|one| (one.name.to_owned(), of_kind(one.kind))).collect();
    let goes_with =
        |kind: &Kind| matches!(kind, Kind::WithChoice { .. } | Kind::WithParameter { .. } | Kind::Optional(_));
    let needed = card.parameters.iter().filter(|one| one.default.is_none() && !goes_with(&one.kind));
    let needed: Vec<&str> = needed.map(|one| one.name).collect();
    json!({
        "if": { "properties": { key: { "const": card.name } }, "required": [key] },
        "then": { "properties": properties, "required": needed },
    })
}
