//! Changes of a policy's text. Comments stay, and so does everything else that was not touched.
//!
//! A change knows the keys of a policy, never a member: which parameters name variables stands on the cards. Whether the result
//! is a policy is for the engine to say.

use equanym_core::card::{Card, Kind};
use equanym_core::variable::Role;
use equanym_core::{method, privacy};
use equanym_engine::error::{Error, Result};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

/// Keys that only a quasi-identifying variable has.
const OF_QUASI: [&str; 4] = ["hierarchy", "levels", "points", "weight"];

/// Keys that only a variable with new values has.
const OF_MARKED: [&str; 2] = ["domain", "interval"];

/// Ladders that say what the values of a variable are.
const SAYING: [&str; 2] = ["date", "order"];

/// A policy's text in parts.
pub(crate) struct Edit(DocumentMut);

impl Edit {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        text.parse().map(Self).map_err(|_| Error::input("the policy is no TOML any more").hint("undo the last change"))
    }

    pub(crate) fn finish(self) -> String {
        self.0.to_string()
    }

    fn variable(&mut self, name: &str) -> Result<&mut dyn TableLike> {
        let variables = self.0.get_mut("variables").and_then(Item::as_table_like_mut);
        let found = variables.and_then(|all| all.get_mut(name)).and_then(Item::as_table_like_mut);
        found.ok_or_else(|| Error::input("the policy has no such variable"))
    }

    /// A section, made where there is none.
    fn section(&mut self, name: &str) -> Result<&mut dyn TableLike> {
        let item = self.0.entry(name).or_insert_with(|| Item::Table(Table::new()));
        item.as_table_like_mut().ok_or_else(|| Error::input("the policy has something else in the place of a section"))
    }

    /// Gives a variable another role; a ladder where it becomes quasi-identifying and has none.
    pub(crate) fn role(&mut self, name: &str, role: Role, ladder: Option<&str>) -> Result<()> {
        let variable = self.variable(name)?;
        put(variable, "role", role.name());
        if role == Role::QuasiIdentifying {
            if let (Some(ladder), None) = (ladder, variable.get("hierarchy")) {
                self.ladder(name, Some(ladder))?;
            }
        } else {
            for key in OF_QUASI {
                variable.remove(key);
            }
            self.ration(Some(name), &[])?;
        }
        if role != Role::Sensitive {
            self.without_guards_of(name, role);
        }
        if role != Role::Identifying && self.person().as_deref() == Some(name) {
            self.set_person(None)?;
        }
        Ok(())
    }

    /// Takes away the models that guard a variable which can no longer be guarded so.
    fn without_guards_of(&mut self, name: &str, role: Role) {
        let guards = |table: &Table| {
            let card = table.get("model").and_then(Item::as_str).and_then(privacy::find).map(|member| &member.card);
            let named = card.into_iter().flat_map(|card| card.parameters).filter(|one| names_variable(one.kind, role));
            named.filter_map(|one| table.get(one.name)?.as_str()).any(|given| given == name)
        };
        if let Some(models) = self.models() {
            models.retain(|table| !guards(table));
        }
        self.drop_empty_models();
    }

    /// Gives a variable a ladder, as it stands between the braces, or none.
    pub(crate) fn ladder(&mut self, name: &str, ladder: Option<&str>) -> Result<()> {
        let variable = self.variable(name)?;
        variable.remove("levels");
        let Some(ladder) = ladder else {
            variable.remove("hierarchy");
            return Ok(());
        };
        let ladder: Value = format!("{{ {ladder} }}").parse().map_err(|_| Error::input("this is no ladder"))?;
        variable.insert("hierarchy", value(ladder));
        Ok(())
    }

    /// Gives a variable new values in place of labels, or labels again. A ladder stays where it says what the values are.
    pub(crate) fn mark(&mut self, name: &str, mark: Option<&str>, ladder: Option<&str>) -> Result<()> {
        let variable = self.variable(name)?;
        let is_quasi = variable.get("role").and_then(Item::as_str) == Some(Role::QuasiIdentifying.name());
        marks().map(|(mark, _)| mark).chain(OF_MARKED).for_each(|key| drop(variable.remove(key)));
        if let Some(mark) = mark {
            let (_, card) =
                marks().find(|(one, _)| *one == mark).ok_or_else(|| Error::input("there is no such mark"))?;
            let says = |ladder: &Item| SAYING.iter().any(|kind| ladder.get(*kind).is_some());
            if !variable.get("hierarchy").is_some_and(says) {
                variable.remove("hierarchy");
            }
            for key in ["levels", "points", "weight"] {
                variable.remove(key);
            }
            put(variable, mark, true);
            self.ration(Some(name), &[])?;
            return self.set_in("method", "name", Some(card.name.into()));
        }
        if is_quasi && variable.get("hierarchy").is_none() {
            self.ladder(name, ladder)?;
        }
        if self.is_marked() { Ok(()) } else { self.usual_method() }
    }

    /// Whether any variable gets new values.
    fn is_marked(&self) -> bool {
        let variables = self.0.get("variables").and_then(Item::as_table_like);
        let is_marked = |item: &Item| marks().any(|(mark, _)| item.get(mark).and_then(Item::as_bool) == Some(true));
        variables.is_some_and(|all| all.iter().any(|(_, item)| is_marked(item)))
    }

    /// Takes the method that gave new values back, with its parameters.
    fn usual_method(&mut self) -> Result<()> {
        let section = self.section("method")?;
        let name = section.get("name").and_then(Item::as_str).unwrap_or_default().to_owned();
        let Some((_, card)) = marks().find(|(_, card)| card.name == name) else { return Ok(()) };
        let keys = card.parameters.iter().map(|parameter| parameter.name);
        keys.chain(["property", "seed"]).for_each(|key| drop(section.remove(key)));
        put(section, "name", method::DEFAULT);
        Ok(())
    }

    /// Bounds the new values of a variable; without ends they go.
    pub(crate) fn domain(&mut self, name: &str, (low, high): (&str, &str)) -> Result<()> {
        let variable = self.variable(name)?;
        if low.is_empty() && high.is_empty() {
            variable.remove("domain");
            return Ok(());
        }
        let ends: toml_edit::Array = [low, high].iter().map(|end| read(Kind::Number, end)).collect();
        put(variable, "domain", ends);
        Ok(())
    }

    /// Bounds the levels of a variable.
    pub(crate) fn levels(&mut self, name: &str, bounds: (u8, Option<u8>)) -> Result<()> {
        let variable = self.variable(name)?;
        let mut levels = InlineTable::new();
        if bounds.0 > 0 {
            levels.insert("min", i64::from(bounds.0).into());
        }
        if let Some(max) = bounds.1 {
            levels.insert("max", i64::from(max).into());
        }
        variable.remove("levels");
        if !levels.is_empty() {
            variable.insert("levels", value(levels));
        }
        Ok(())
    }

    /// The column that tells people apart.
    fn person(&self) -> Option<String> {
        self.0.get("data")?.get("person")?.as_str().map(str::to_owned)
    }

    /// Names the column that tells people apart, or none; such a column is never released.
    pub(crate) fn set_person(&mut self, name: Option<&str>) -> Result<()> {
        let Some(name) = name else {
            if let Some(data) = self.0.get_mut("data").and_then(Item::as_table_like_mut) {
                data.remove("person");
            }
            return Ok(());
        };
        self.role(name, Role::Identifying, None)?;
        put(self.section("data")?, "person", name);
        Ok(())
    }

    fn models(&mut self) -> Option<&mut ArrayOfTables> {
        let item = self.0.get_mut("privacy")?;
        if item.is_value() {
            let array = std::mem::take(item).into_array_of_tables();
            *item = array.map_or(Item::None, Item::ArrayOfTables);
        }
        item.as_array_of_tables_mut()
    }

    fn drop_empty_models(&mut self) {
        if self.models().is_some_and(|models| models.is_empty()) {
            self.0.remove("privacy");
        }
    }

    /// Adds a model with these parameters.
    pub(crate) fn add_model(&mut self, name: &str, parameters: Vec<(&str, Value)>) -> Result<()> {
        let mut table = Table::new();
        table.insert("model", value(name));
        for (key, given) in parameters {
            table.insert(key, value(given));
        }
        self.add_entry(table)
    }

    fn add_entry(&mut self, table: Table) -> Result<()> {
        if self.0.get("privacy").is_none() {
            self.0.insert("privacy", Item::ArrayOfTables(ArrayOfTables::new()));
        }
        self.models().ok_or_else(|| Error::input("the models of the policy cannot be read"))?.push(table);
        Ok(())
    }

    /// Adds a preset.
    pub(crate) fn add_preset(&mut self, name: &str) -> Result<()> {
        let mut table = Table::new();
        table.insert("preset", value(name));
        self.add_entry(table)
    }

    /// Takes a model away.
    pub(crate) fn remove_model(&mut self, place: usize) {
        if let Some(models) = self.models().filter(|models| place < models.len()) {
            models.remove(place);
        }
        self.drop_empty_models();
    }

    /// Gives a parameter of a model another value, or takes it away.
    pub(crate) fn parameter(&mut self, place: usize, name: &str, given: Option<Value>) -> Result<()> {
        let models = self.models().and_then(|models| models.get_mut(place));
        let model = models.ok_or_else(|| Error::input("the policy has no such model any more"))?;
        match given {
            Some(given) => put(model, name, given),
            None => drop(model.remove(name)),
        }
        Ok(())
    }

    /// Sets a key of a section, or takes it away.
    pub(crate) fn set_in(&mut self, section: &str, key: &str, given: Option<Value>) -> Result<()> {
        let table = self.section(section)?;
        match given {
            Some(given) => put(table, key, given),
            None => drop(table.remove(key)),
        }
        Ok(())
    }

    /// Bounds the goods of a variable, or of all together; without bounds the ration goes.
    pub(crate) fn ration(&mut self, name: Option<&str>, bounds: &[(&str, Value)]) -> Result<()> {
        if bounds.is_empty() && self.0.get("preferences").is_none() {
            return Ok(());
        }
        let preferences = self.section("preferences")?;
        let unread = || Error::input("the rations of the policy cannot be read");
        let Some(name) = name else { return rationed(preferences, "total", bounds).ok_or_else(unread) };
        let empty = || {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        let rations = preferences.entry("ration").or_insert_with(empty).as_table_like_mut().ok_or_else(unread)?;
        rationed(rations, name, bounds).ok_or_else(unread)?;
        if rations.is_empty() {
            preferences.remove("ration");
        }
        Ok(())
    }

    /// Gives a variable points.
    pub(crate) fn points(&mut self, name: &str, user: u32, intruder: u32) -> Result<()> {
        let mut points = InlineTable::new();
        points.insert("user", i64::from(user).into());
        points.insert("intruder", i64::from(intruder).into());
        put(self.variable(name)?, "points", points);
        Ok(())
    }
}

/// The ends between which the new values of a variable lie, as the policy has them.
pub(crate) fn domain(text: &str, name: &str) -> Option<[String; 2]> {
    let document: DocumentMut = text.parse().ok()?;
    let ends = document.get("variables")?.get(name)?.get("domain")?.as_array()?;
    let text = |end: &Value| end.as_str().map_or_else(|| end.to_string().trim().to_owned(), str::to_owned);
    Some([ends.get(0).map(text)?, ends.get(1).map(text)?])
}

/// The marks of variables that get new values, each with the card of its method.
fn marks() -> impl Iterator<Item = (&'static str, &'static Card)> {
    method::ALL.iter().filter_map(|member| Some((member.values()?.mark, &member.card)))
}

/// The place of the entry among the `[[privacy]]` of a text in which a model stands, by its line. Other entries may bring
/// several models, or none.
pub(crate) fn entry_at(text: &str, line: usize, otherwise: usize) -> usize {
    let heads = text.lines().take(line).filter(|one| one.trim_start().starts_with("[[privacy]]")).count();
    heads.checked_sub(1).unwrap_or(otherwise)
}

/// Sets the bounds of a ration, or takes it away; nothing where something else stands in its place.
fn rationed(table: &mut dyn TableLike, key: &str, bounds: &[(&str, Value)]) -> Option<()> {
    if bounds.is_empty() {
        table.remove(key);
        return Some(());
    }
    let ration = table.entry(key).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()?;
    ration.clear();
    for (key, given) in bounds {
        put(ration, key, given.clone());
    }
    Some(())
}

/// Sets a key; a comment beside it stays.
fn put(table: &mut dyn TableLike, key: &str, given: impl Into<Value>) {
    let mut given = given.into();
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *given.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(item) => *item = value_as_is(given),
        None => drop(table.insert(key, value_as_is(given))),
    }
}

fn value_as_is(given: Value) -> Item {
    Item::Value(given)
}

/// Whether a parameter names a variable that a variable of this role cannot be.
fn names_variable(kind: Kind, role: Role) -> bool {
    match kind {
        Kind::WithChoice { kind, .. } => names_variable(*kind, role),
        Kind::SensitiveVariable => true,
        Kind::UnrecodedVariable => role != Role::Insensitive,
        _ => false,
    }
}

/// A text as the value that a parameter takes.
pub(crate) fn read(kind: Kind, text: &str) -> Value {
    let number = || {
        let whole = text.parse::<i64>().ok().map(Value::from);
        whole.or_else(|| text.parse::<f64>().ok().filter(|it| it.is_finite()).map(Value::from))
    };
    let given = match kind.given() {
        Kind::Flag => text.parse::<bool>().ok().map(Value::from),
        Kind::SensitiveVariable
        | Kind::UnrecodedVariable
        | Kind::Choice(_)
        | Kind::Column
        | Kind::ColumnOrDate
        | Kind::Table => None,
        _ => number(),
    };
    given.unwrap_or_else(|| text.into())
}

/// What a model begins with: its compulsory parameters, as small as they may be; variables from those that can be guarded.
pub(crate) fn beginning(card: &Card, variables: &[String]) -> Vec<(&'static str, Value)> {
    let first = |one: &equanym_core::card::Parameter| {
        let given: Value = match one.kind {
            Kind::SensitiveVariable | Kind::UnrecodedVariable | Kind::Column | Kind::ColumnOrDate => {
                variables.first()?.as_str().into()
            }
            Kind::Integer { min } => min.max(3).into(),
            Kind::Between { min, max } => 2.clamp(min, max).into(),
            Kind::Choice(words) => (*words.first()?).into(),
            Kind::Share | Kind::PositiveShare | Kind::ShareOr(_) | Kind::UpTo(_) => 0.5.into(),
            Kind::Above(least) => (least + 1).into(),
            Kind::CountOr(_) | Kind::Number => 1.into(),
            Kind::Flag => true.into(),
            Kind::WithChoice { .. } | Kind::WithParameter { .. } | Kind::Optional(_) | Kind::Table => return None,
        };
        Some((one.name, given))
    };
    card.parameters.iter().filter(|one| one.default.is_none()).filter_map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "# mine\n[variables.age] # years\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [5] } # bands\n\
                          levels = { max = 1 }\n\n[variables.\"dia g\"]\nrole = \"sensitive\"\n\n[[privacy]]\nmodel = \"k-anonymity\"\n\
                          k = 5 # common\n\n[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"dia g\"\nl = 3\n";

    fn edited(change: impl FnOnce(&mut Edit) -> Result<()>) -> String {
        let mut edit = Edit::parse(POLICY).unwrap();
        change(&mut edit).unwrap();
        edit.finish()
    }

    #[test]
    fn comments_stay() {
        let text = edited(|edit| edit.parameter(0, "k", Some(7.into())));
        assert_eq!(text, POLICY.replace("k = 5", "k = 7"));
        let text = edited(|edit| edit.levels("age", (1, Some(1))));
        assert_eq!(text, POLICY.replace("levels = { max = 1 }", "levels = { min = 1, max = 1 }"));
    }

    #[test]
    fn whoever_is_no_longer_sensitive_is_no_longer_guarded() {
        let text = edited(|edit| edit.role("dia g", Role::Insensitive, None));
        assert!(
            !text.contains("l-diversity") && text.contains("k = 5 # common") && text.contains("\"insensitive\""),
            "{text}"
        );
        let text = edited(|edit| edit.role("age", Role::Identifying, None));
        assert!(!text.contains("hierarchy") && !text.contains("levels"), "{text}");
        let text = edited(|edit| edit.role("dia g", Role::QuasiIdentifying, Some("prefix = [1]")));
        assert!(text.contains("hierarchy = { prefix = [1] }"), "{text}");
    }

    #[test]
    fn people_are_named_and_taken_back() {
        let named = edited(|edit| edit.set_person(Some("dia g")));
        assert!(named.contains("person = \"dia g\"") && named.contains("role = \"identifying\""), "{named}");
        let mut edit = Edit::parse(&named).unwrap();
        edit.role("dia g", Role::Insensitive, None).unwrap();
        assert!(!edit.finish().contains("person"));
    }

    #[test]
    fn models_come_and_go() {
        let text = edited(|edit| {
            edit.remove_model(1);
            edit.remove_model(0);
            edit.remove_model(7);
            Ok(())
        });
        assert!(!text.contains("privacy"), "{text}");
        let text = edited(|edit| edit.add_model("t-closeness", vec![("t", 0.2.into())]));
        let preset = edited(|edit| edit.add_preset("rule"));
        assert!(preset.ends_with("[[privacy]]\npreset = \"rule\"\n"), "{preset}");
        assert!(text.ends_with("[[privacy]]\nmodel = \"t-closeness\"\nt = 0.2\n"), "{text}");
    }

    #[test]
    fn entries_are_found_by_their_lines() {
        let lines = |word: &str| 1 + POLICY.lines().position(|line| line.contains(word)).unwrap();
        assert_eq!([entry_at(POLICY, lines("k-anonymity"), 9), entry_at(POLICY, lines("l-diversity"), 9)], [0, 1]);
        assert_eq!(entry_at("privacy = [{ model = \"x\" }]", 1, 9), 9);
    }

    #[test]
    fn a_name_cannot_break_out() {
        let hostile = "x\"]\nrole = \"insensitive\"";
        let mut document = DocumentMut::new();
        document["variables"][hostile]["role"] = value("sensitive");
        let text = document.to_string();
        let mut edit = Edit::parse(&text).unwrap();
        edit.set_person(Some(hostile)).unwrap();
        let again = Edit::parse(&edit.finish()).unwrap();
        assert_eq!(again.person().as_deref(), Some(hostile));
    }
}
