//! What privacy models see of the sensitive variables: how often each value occurs and, for models that look at it, their
//! order and their ladder.
//!
//! Spellings of one value are one value here, and so are the ways to write a number where the policy says that the variable is
//! one. The missing value is a value: it comes before all others in an order, and meets them at the top of a ladder.
//!
//! A value without a place in the order or the ladder is an error: nobody can say how far it is from the others. Messages
//! count such values and show none.

use equanym_core::frequency::Table;
use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::hierarchy::{Builder, Code, Hierarchy, HierarchyError};
use equanym_core::privacy::{ModelNeeds, SensitiveVariable};
use equanym_core::walk::OrderedWords;
use hashbrown::HashMap;

use crate::count::spelling::folded;
use crate::count::tabulate::{distinct, seen, seen_values};
use crate::error::{Error, Result};
use crate::mask::StoredMeaning;
use crate::policy::{Policy, ValueKind};

/// What is known of the values of a sensitive variable besides how often they occur, as far as a model looks at it.
pub(crate) struct Meaning {
    name: String,
    /// Whether its values are numbers, written in one way only.
    number: bool,
    needs: Vec<ModelNeeds>,
    /// The order of the values, where they are no numbers.
    order: Option<OrderedWords>,
    ladder: Option<Builder>,
}

impl Meaning {
    /// What a policy says of a variable.
    pub(super) fn from_policy(policy: &Policy, name: &str) -> Self {
        let needs = policy.needs(name);
        let variable = policy.variables.iter().find(|variable| variable.name == name);
        let (order, ladder) = variable.map_or((None, None), |one| (one.order.clone(), Some(one.hierarchy.clone())));
        let number = variable.is_some_and(|one| one.kind == ValueKind::Number);
        Self { name: name.to_owned(), number, needs, order, ladder }
    }

    /// The same as a mask keeps it; nothing where models look at counts, or at numbers in their order.
    pub(super) fn to_store(&self, raw: &[String]) -> Result<Option<StoredMeaning>> {
        // A ladder may give the missing value a label, which the next table may need.
        let values: Vec<String> = raw.iter().cloned().chain([String::new()]).collect();
        let ladder = self.ladder().map(|ladder| ladder.fit(&distinct(&values))).transpose();
        let ladder = ladder.map_err(|error| unfit(&self.name, &error.to_string()))?.map(|ladder| ladder.to_csv());
        let order = self.order.clone().filter(|_| self.needs.contains(&ModelNeeds::Order));
        let is_some = order.is_some() || ladder.is_some();
        Ok(is_some.then(|| StoredMeaning { variable: self.name.clone(), order, ladder }))
    }

    /// The ladder, if a model looks at it.
    fn ladder(&self) -> Option<&Builder> {
        self.ladder.as_ref().filter(|_| self.needs.contains(&ModelNeeds::Ladder))
    }

    /// What models see, given the raw values of the column and how many have each code.
    fn sensitive(&self, raw: &[String], counts: Vec<u64>) -> Result<SensitiveVariable> {
        let values = seen_values(raw, self.number);
        let order = self.needs.contains(&ModelNeeds::Order).then(|| self.in_order(&values)).transpose()?;
        let ladder = self.ladder().map(|ladder| self.labels(ladder, raw, &values)).transpose()?;
        Ok(SensitiveVariable { name: self.name.clone(), counts, order, ladder })
    }

    /// All codes in the order of the values.
    fn in_order(&self, values: &[String]) -> Result<Vec<Code>> {
        let places = self.order.as_ref().map(|words| self.places(words.list())).transpose()?;
        let position = |value: &String| match &places {
            Some(places) => places.get(value).copied(),
            None => Decimal::parse(value),
        };
        // The missing value has no position, and comes first.
        let mut codes: Vec<(Option<Decimal>, Code)> = values.iter().map(position).zip(0..).collect();
        let lost = codes.iter().zip(values).filter(|((place, _), value)| place.is_none() && !value.is_empty()).count();
        if lost > 0 {
            return Err(self.without_place(lost));
        }
        codes.sort();
        Ok(codes.into_iter().map(|(_, code)| code).collect())
    }

    /// The places of words, by what is left of them without matters of spelling.
    fn places(&self, words: &[String]) -> Result<HashMap<String, Decimal>> {
        let place = |(place, word): (i128, &String)| Some((folded(word), Decimal::new(place, 0)?));
        let places: HashMap<String, Decimal> = (0..).zip(words).filter_map(place).collect();
        if places.len() == words.len() {
            return Ok(places);
        }
        let more = words.len() - places.len();
        Err(unfit(&self.name, &format!("{more} of the values in its order are other spellings of others in it"))
            .hint("keep one spelling of each"))
    }

    fn without_place(&self, lost: usize) -> Error {
        let values = if lost == 1 { "1 distinct value has".to_owned() } else { format!("{lost} distinct values have") };
        if self.order.is_some() {
            return unfit(&self.name, &format!("{values} no place in the order that the policy gives"))
                .hint("add them to the order, or name the tokens that mean missing in `[data] missing`");
        }
        let name = self.name.escape_debug();
        let hint = format!(
            "list all values from the lowest to the highest in [variables.{name}]: values = [\"low\", \"high\"]"
        );
        unfit(&self.name, &format!("{values} no place in an order: no number, and the policy gives no other order"))
            .hint(hint)
    }

    /// For each level below the top the label of each code; each value is a label of its own at the lowest.
    fn labels(&self, builder: &Builder, raw: &[String], values: &[String]) -> Result<Vec<Vec<u32>>> {
        let ladder = builder.fit(&distinct(raw)).map_err(|error| self.gap(&error))?;
        if let Some(level) = ladder.first_unnested() {
            let message = format!("level {level} of its hierarchy splits a label of the level below");
            return Err(unfit(&self.name, &message).hint("use a nested ladder"));
        }
        let codes: HashMap<&str, usize> = values.iter().map(String::as_str).zip(0..).collect();
        let place: HashMap<&str, usize> = ladder.values().iter().map(String::as_str).zip(0..).collect();
        let spelt: Vec<(usize, usize)> = raw
            .iter()
            .filter_map(|one| Some((*codes.get(seen(one, self.number).as_str())?, *place.get(one.as_str())?)))
            .collect();
        let mut levels = vec![(0..).take(values.len()).collect()];
        for level in 1..usize::from(ladder.height()) {
            levels.push(self.level(&ladder, level, &spelt, values.len())?);
        }
        Ok(levels)
    }

    /// The labels of codes at a level, given the code and the place in the ladder of each spelling.
    fn level(&self, ladder: &Hierarchy, level: usize, spelt: &[(usize, usize)], codes: usize) -> Result<Vec<u32>> {
        let of = &ladder.levels()[level].of;
        let mut labels: Vec<Option<u32>> = vec![None; codes];
        let mut torn = 0;
        for &(code, place) in spelt {
            let label = of[place];
            torn += usize::from(labels[code].replace(label).is_some_and(|other| other != label));
        }
        if torn > 0 {
            let message =
                format!("its hierarchy gives {torn} spellings of values another label than their other spellings");
            return Err(unfit(&self.name, &message).hint("give all spellings of a value the same labels"));
        }
        Ok(labels.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn gap(&self, error: &HierarchyError) -> Error {
        let unfit = unfit(&self.name, &error.to_string());
        Error { hint: error.hint().map(str::to_owned), ..unfit }
    }
}

fn unfit(column: &str, why: &str) -> Error {
    Error::input(format!("column `{}`: {why}", column.escape_debug()))
}

/// What models see of the sensitive variables of a table; `values` are the raw values of each.
pub(crate) fn known(table: &Table, meanings: &[Meaning], values: &[Vec<String>]) -> Result<Vec<SensitiveVariable>> {
    let each = meanings.iter().zip(values).enumerate();
    each.map(|(place, (meaning, raw))| meaning.sensitive(raw, table.spread_counts(place))).collect()
}
