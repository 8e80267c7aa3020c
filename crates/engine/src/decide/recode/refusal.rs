//! Why a mask is not safe on other data, by how much, and what would be.

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::Table;
use equanym_core::privacy::{self, Guard, Requirement, SensitiveVariable, Verdict};

use super::levels::SafeLevels;
use crate::error::{Error, Result};
use crate::mask::{Promise, StoredMask};
use crate::words::grouped;

/// What was judged.
pub(super) struct RefusedMask<'a> {
    pub stored: &'a StoredMask,
    /// The table as the mask recodes it.
    pub table: &'a Table,
    pub sensitive: &'a [SensitiveVariable],
    /// Of what the limit counts: how many fail, of how many, and how many may.
    pub failing: u64,
    pub whole: u64,
    pub allowance: u64,
    /// Records with a value that the mask has no label for, where those are withheld.
    pub unknown: u64,
}

impl RefusedMask<'_> {
    /// The refusal: each model with what fails it, what the mask was made for, and what to do.
    pub(super) fn refusal(&self, safe: Option<&SafeLevels>) -> Result<Error> {
        let [failing, whole, allowance] = [self.failing, self.whole, self.allowance].map(grouped);
        let noun = self.stored.limit_unit.noun();
        let mut parts = vec![format!(
            "the stored mask is not safe here: {failing} of {whole} {noun} fail, {allowance} may be suppressed"
        )];
        for promise in &self.stored.privacy {
            parts.extend(self.model(promise)?);
        }
        parts.extend(
            (self.unknown > 0)
                .then(|| format!("{} records hold values that the mask has no label for", grouped(self.unknown))),
        );
        parts.extend(self.scale());
        Ok(Error::unsafe_release(parts.join("; ")).hint(self.remedies(safe)))
    }

    /// What fails a model; nothing where nothing does.
    fn model(&self, promise: &Promise) -> Result<Option<String>> {
        let model = privacy::build(&promise.model, &promise.parameters, self.sensitive);
        let model = model.map_err(|error| Error::input(error.to_string()))?;
        let asked = asked(promise, &model.requirements(), self.sensitive, self.table.persons().is_some());
        let set = self.table.keys();
        let Verdict { kept, suppressed, people_suppressed, .. } = Guard::new(vec![model]).judge(set);
        let classes = kept.iter().filter(|kept| !**kept).count();
        let people =
            self.table.persons().map(|_| format!(" of {} people", grouped(people_suppressed))).unwrap_or_default();
        let words = || {
            let [classes, all, suppressed] = [classes as u64, set.len() as u64, suppressed].map(grouped);
            format!("{}: {classes} of {all} classes {asked}, {suppressed} records{people}", promise.model)
        };
        Ok((classes > 0).then(words))
    }

    /// A mask that was fitted to many records is too fine for few.
    fn scale(&self) -> Option<String> {
        let fitted = self.stored.fitted_to?;
        let here = self.table.records;
        (here.saturating_mul(2) <= fitted).then(|| {
            let [fitted, here] = [fitted, here].map(grouped);
            format!("the mask was fitted to {fitted} records and these are {here}: its levels are too fine for so few")
        })
    }

    fn remedies(&self, safe: Option<&SafeLevels>) -> String {
        let share = (self.failing as f64 / self.whole.max(1) as f64 * 1e6).ceil() / 1e6;
        let limit = format!("`--suppression-limit {share}` would do at the levels of the mask");
        let limit = (self.failing < self.whole).then_some(limit);
        let found = match safe {
            Some(safe) => safe.words(self.table.records),
            None if self.stored.population.is_some() => {
                "run `equanym release` on these data and this population to find the best safe release".to_owned()
            }
            None if self.stored.ladders.is_empty() => {
                "run `equanym release` on these data to find the best safe release (this mask knows one level of each column \
                 only)"
                    .to_owned()
            }
            None => "no levels of the mask's ladders are safe here within the limit: wait for more records, or ask for less \
                     privacy with `equanym release`"
                .to_owned(),
        };
        [Some(found), limit].into_iter().flatten().collect::<Vec<_>>().join("; or ")
    }
}

impl SafeLevels {
    fn words(&self, records: u64) -> String {
        let changed: Vec<&(String, u8, u8)> = self.columns.iter().filter(|(_, mask, safe)| mask != safe).collect();
        let levels: Vec<String> = changed
            .iter()
            .map(|(name, mask, safe)| format!("`{}` {safe} instead of {mask}", name.escape_debug()))
            .collect();
        let flags: Vec<String> =
            changed.iter().map(|(name, _, safe)| format!("--level {}", word(name, *safe))).collect();
        format!(
            "these levels would be safe here: {} ({} of {} records withheld); run again with `{}`",
            levels.join(", "),
            grouped(self.withheld),
            grouped(records),
            flags.join(" ")
        )
    }
}

/// A level as a word for a shell.
fn word(name: &str, level: u8) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "._-".contains(character);
    if name.chars().all(is_plain) { format!("{name}={level}") } else { format!("'{}={level}'", name.escape_debug()) }
}

/// What a model asks of a class and these do not have, in words.
fn asked(promise: &Promise, requirements: &[Requirement], seen: &[SensitiveVariable], counts_people: bool) -> String {
    let name = |place: usize| seen.get(place).map_or(String::new(), |one| one.name.escape_debug().to_string());
    let people = if counts_people { "people" } else { "records" };
    match requirements {
        [Requirement::People { least }] => format!("with fewer than {least} {people}"),
        [Requirement::Distinct { sensitive, least }] => {
            format!("with fewer than {least} different values of `{}`", name(*sensitive))
        }
        [Requirement::Share { sensitive, most }] => {
            format!("in which one value of `{}` has more than {most} of the {people}", name(*sensitive))
        }
        _ => format!("that fail it{}", parameters(&promise.parameters)),
    }
}

fn parameters(parameters: &Parameters) -> String {
    let shown = |(name, value): (&String, &Value)| match value {
        Value::Integer(number) => format!("{name} = {number}"),
        Value::Number(number) => format!("{name} = {number}"),
        Value::Bool(choice) => format!("{name} = {choice}"),
        Value::Text(text) => format!("{name} = {}", text.escape_debug()),
    };
    let shown: Vec<String> = parameters.iter().map(shown).collect();
    if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) }
}
