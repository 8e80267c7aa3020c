//! The values of a column, and what labels say about them.
//!
//! Values are numbered by their place: numbers in their order, other texts in theirs, the missing value last. A label that
//! nobody explains is read by its form: a value is itself, a [`LabelBand`] holds the numbers within, `123**` the values that begin
//! like it. What explains a label better, such as a ladder, is asked first ([`ExplainedLabels`]).

use std::iter;

use hashbrown::HashMap;

use super::band::LabelBand;
use super::categories::Meaning;
use crate::hierarchy::decimal::Decimal;
use crate::hierarchy::{Date, Hierarchy, MISSING, TOP, auto, date};

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueDomain {
    /// By place.
    texts: Vec<String>,
    /// The same as numbers, where all are; the missing value is none.
    numbers: Option<Vec<Decimal>>,
    missing: Option<u32>,
    /// The places in the order of the texts.
    by_text: Vec<u32>,
}

/// Labels that are explained, each with the values that may have it, by place.
#[derive(Debug, Clone, Default)]
pub struct ExplainedLabels(HashMap<String, Vec<u32>>);

impl ValueDomain {
    /// The different ones of these texts, but `*`; numbers where all of them are and `may_be_numbers` allows it. Numbers and
    /// dates are in their own order.
    #[must_use]
    pub fn from_values<'a>(values: impl IntoIterator<Item = &'a str>, may_be_numbers: bool) -> Self {
        let mut texts: Vec<&str> = values.into_iter().filter(|text| *text != TOP).collect();
        texts.sort_unstable();
        texts.dedup();
        let has_missing = texts.first() == Some(&MISSING);
        texts.retain(|text| *text != MISSING);
        let numbers = may_be_numbers.then(|| numbers(&texts)).flatten();
        if let Some(format) = numbers.is_none().then(|| auto::date_format(&texts)).flatten() {
            texts.sort_by_cached_key(|text| date::parse(text, format).map(Date::days));
        }
        let mut texts: Vec<String> = match &numbers {
            Some(numbers) => numbers.iter().map(ToString::to_string).collect(),
            None => texts.into_iter().map(str::to_owned).collect(),
        };
        let missing = has_missing.then(|| place(texts.len()));
        texts.extend(has_missing.then(String::new));
        let mut by_text: Vec<u32> = (0..).zip(&texts).map(|(place, _)| place).collect();
        by_text.sort_unstable_by_key(|place| texts[*place as usize].as_str());
        Self { texts, numbers, missing, by_text }
    }

    /// The values by place.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The place of the missing value, where there is one.
    #[must_use]
    pub fn missing(&self) -> Option<u32> {
        self.missing
    }

    /// Whether they are numbers.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.numbers.is_some()
    }

    /// The place of a value.
    #[must_use]
    pub fn place(&self, text: &str) -> Option<u32> {
        if let (Some(numbers), Some(number)) = (&self.numbers, Decimal::parse(text)) {
            return numbers.binary_search(&number).ok().map(place);
        }
        let found = self.by_text.binary_search_by_key(&text, |place| self.texts[*place as usize].as_str());
        found.ok().map(|at| self.by_text[at])
    }

    /// What a label says: as it is known, otherwise by its form.
    #[must_use]
    pub fn meaning(&self, label: &str, known: &ExplainedLabels) -> Meaning {
        if label == TOP {
            return Meaning::Unknown;
        }
        match known.0.get(label) {
            Some(places) => Meaning::among(places.clone()),
            None => self.by_form(label),
        }
    }

    fn by_form(&self, label: &str) -> Meaning {
        if let Some(place) = self.place(label) {
            return Meaning::value(place);
        }
        let band = self.numbers.as_ref().zip(LabelBand::read(label));
        if let Some((numbers, band)) = band {
            let places = band.places(numbers);
            let run = place(places.start)..place(places.end);
            return if run.is_empty() { Meaning::Unmatched } else { Meaning::Among(iter::once(run).collect()) };
        }
        Meaning::among(self.beginning(label))
    }

    /// The values that a shortened label may stand for: `123**` for those that begin with 123 and are no longer than the label,
    /// `123*` for longer ones as well.
    fn beginning(&self, label: &str) -> Vec<u32> {
        let start = label.trim_end_matches(TOP);
        let lost = label.len() - start.len();
        if lost == 0 || start.is_empty() {
            return Vec::new();
        }
        let longest = if lost == 1 { usize::MAX } else { label.chars().count() };
        let text = |place: &u32| self.texts[*place as usize].as_str();
        let first = self.by_text.partition_point(|place| text(place) < start);
        let begin = self.by_text[first..].iter().take_while(|place| text(place).starts_with(start));
        begin.filter(|place| text(place).chars().count() <= longest).copied().collect()
    }
}

impl ExplainedLabels {
    /// By whoever gives a value its label; no value where it has none.
    #[must_use]
    pub fn by(domain: &ValueDomain, label_of: impl Fn(&str) -> Option<String>) -> Self {
        let mut known = Self::default();
        for (place, text) in (0..).zip(&domain.texts) {
            known.add(label_of(text).as_deref(), place);
        }
        known
    }

    /// By a ladder: a label may stand for all values that have it at any level.
    #[must_use]
    pub fn by_ladder(domain: &ValueDomain, ladder: &Hierarchy) -> Self {
        let mut known = Self::default();
        let code_of: HashMap<&str, usize> = ladder.values().iter().map(String::as_str).zip(0..).collect();
        for (place, text) in (0..).zip(&domain.texts) {
            let collected = ladder.collected(text);
            let Some(code) = collected.and_then(|value| code_of.get(value.as_ref()).copied()) else { continue };
            for level in ladder.levels() {
                known.add(
                    level.of.get(code).and_then(|label| level.labels.get(*label as usize)).map(String::as_str),
                    place,
                );
            }
        }
        known
    }

    /// One place after the other: a value that keeps its label over several levels has it once.
    fn add(&mut self, label: Option<&str>, place: u32) {
        let places = self.0.entry_ref(label.unwrap_or(TOP)).or_default();
        if places.last() != Some(&place) {
            places.push(place);
        }
    }
}

/// All of them as numbers, sorted, each once.
fn numbers(texts: &[&str]) -> Option<Vec<Decimal>> {
    let mut numbers = texts.iter().map(|text| Decimal::parse(text)).collect::<Option<Vec<Decimal>>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    (!numbers.is_empty()).then_some(numbers)
}

/// A place among fewer than 2³² values: what is beyond is the last.
fn place(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Builder;
    use crate::hierarchy::csv::HierarchyFile;

    fn meaning(domain: &ValueDomain, label: &str) -> Meaning {
        domain.meaning(label, &ExplainedLabels::default())
    }

    #[test]
    fn numbers_stand_in_their_order_and_the_missing_value_last() {
        let domain = ValueDomain::from_values(["100", "20", "", "20.0", "3", "*"], true);
        assert_eq!((domain.texts(), domain.missing()), (["3", "20", "100", ""].map(String::from).as_slice(), Some(3)));
        assert_eq!((domain.place("2e1"), domain.place(""), domain.place("4")), (Some(1), Some(3), None));
        let words = ValueDomain::from_values(["b", "", "a", "10", "9"], true);
        assert_eq!(words.texts(), ["10", "9", "a", "b", ""].map(String::from));
        assert_eq!((words.place("a"), words.is_number()), (Some(2), false));
    }

    #[test]
    fn labels_are_read_by_their_form() {
        let ages = ValueDomain::from_values(["17", "23", "24", "60", ""], true);
        assert_eq!(meaning(&ages, "*"), Meaning::Unknown);
        assert_eq!(meaning(&ages, "20-24"), Meaning::among(vec![1, 2]));
        assert_eq!(meaning(&ages, ">= 24"), Meaning::among(vec![2, 3]));
        assert_eq!(meaning(&ages, "23.0"), Meaning::value(1));
        assert_eq!(meaning(&ages, ""), Meaning::value(4));
        assert_eq!([meaning(&ages, "[30, 40["), meaning(&ages, "old")], [Meaning::Unmatched, Meaning::Unmatched]);
        let codes = ValueDomain::from_values(["I50", "I50.1", "I50.14", "J10"], true);
        assert_eq!(meaning(&codes, "I50"), Meaning::value(0));
        assert_eq!(meaning(&codes, "I50*"), Meaning::among(vec![0, 1, 2]));
        assert_eq!(meaning(&codes, "I50**"), Meaning::among(vec![0, 1]));
        assert_eq!(meaning(&codes, "K*"), Meaning::Unmatched);
        assert_eq!(meaning(&ValueDomain::from_values(["20-24"], true), "20-24"), Meaning::value(0));
    }

    #[test]
    fn a_ladder_explains_words() {
        let domain = ValueDomain::from_values(["Bern", "Basel", "Rom"], true);
        let rows = [["Basel", "CH"], ["Bern", "CH"], ["Rom", "IT"]];
        let text: String = rows.iter().map(|row| row.join(";") + "\n").collect();
        let ladder = Builder::File(HierarchyFile::parse(&text).unwrap()).fit(domain.texts()).unwrap();
        let known = ExplainedLabels::by_ladder(&domain, &ladder);
        assert_eq!(domain.meaning("CH", &known), Meaning::among(vec![0, 1]));
        assert_eq!(domain.meaning("Rom", &known), Meaning::value(2));
        assert_eq!(domain.meaning("FR", &known), Meaning::Unmatched);
        let by_mask = ExplainedLabels::by(&domain, |value| (value != "Rom").then(|| "CH".to_owned()));
        assert_eq!(domain.meaning("CH", &by_mask), Meaning::among(vec![0, 1]));
    }
}
