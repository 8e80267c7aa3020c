//! Both tables as far as they can be compared: every column as categories, some as numbers besides.

use equanym_core::hierarchy::Hierarchy;
use equanym_core::mask::ColumnMask;
use equanym_core::risk::linkage::{self, Linkage};
use equanym_core::utility::bars::ColumnFrequencies;
use equanym_core::utility::domain::{ExplainedLabels, ValueDomain};
use equanym_core::utility::frequencies::Frequencies;
use equanym_core::utility::{CategoryColumn, Meaning, MeasuredTable};
use equanym_core::variable::Role;
use equanym_core::walk::ColumnScale;
use hashbrown::HashMap;
use serde::Serialize;

use super::RecordCounts;
use super::cells::{self, CodedColumn};
use super::numbers::{numbers, positions};
use crate::count::canonical;
use crate::error::{Error, Result};
use crate::policy::{Policy, ValueKind, VariablePolicy};
use crate::progress::Progress;
use crate::read::Source;

/// A category with more values than this chooses no groups.
const MOST_CATEGORIES: usize = 1000;

/// What is known about the columns besides their cells.
pub(in crate::run) struct Knowledge<'a> {
    pub policy: Option<&'a Policy>,
    /// What the mask says about them; empty where there is none.
    pub masked: &'a [ColumnMask],
    /// The columns whose labels make classes, where the release or the policy says which they are; empty where nothing does.
    pub labelled: &'a [String],
    /// The column to be predicted.
    pub target: Option<&'a str>,
    /// How many bars a column may have; none where values must not be shown.
    pub bars: usize,
    pub memory: usize,
    /// Hears how far reading has come.
    pub progress: &'a dyn Progress,
}

impl Knowledge<'_> {
    /// Reads columns of a table, by name.
    pub(in crate::run) fn read(&self, source: &Source, names: &[&str]) -> Result<Vec<CodedColumn>> {
        cells::read(source, names, self.memory, self.progress)
    }
}

/// How the labels of a column were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelReading {
    /// By the mask of the release.
    Mask,
    /// By the ladder of the policy.
    Policy,
    /// By their form alone.
    Form,
}

/// What became of a column.
#[derive(Debug, Clone, Serialize)]
pub struct ComparedColumn {
    /// How its labels were read.
    pub read_by: LabelReading,
    /// Its values before and after.
    #[serde(flatten)]
    pub frequencies: ColumnFrequencies,
}

/// Both tables as far as they can be compared.
pub(super) struct BothTables {
    pub before: MeasuredTable,
    pub after: MeasuredTable,
    pub records: RecordCounts,
    pub persons: Option<u64>,
    /// Columns of both tables that are not compared as numbers.
    pub left_out: Vec<String>,
    pub category: Option<String>,
    pub frequencies: Vec<ComparedColumn>,
}

impl BothTables {
    /// Reads the columns that both tables have.
    pub(super) fn read(original: &Source, released: &Source, knowledge: &Knowledge<'_>) -> Result<Self> {
        let has = |name: &&String| original.columns().contains(name);
        let shared: Vec<&str> = released.columns().iter().filter(has).map(String::as_str).collect();
        if shared.is_empty() {
            return Err(Error::input("the tables have no column in common")
                .hint("give the original first and its release second; --delimiter says how the original is read"));
        }
        let (before, after) = (knowledge.read(original, &shared)?, knowledge.read(released, &shared)?);
        let records = |columns: &[CodedColumn]| columns.first().map_or(0, |column| column.cells.len() as u64);
        let records = RecordCounts { original: records(&before), released: records(&after) };
        if records.original == 0 || records.released == 0 {
            return Err(Error::unsafe_release("0 records: there is nothing to compare"));
        }
        let people = knowledge.policy.and_then(|policy| policy.person.as_ref());
        let people = people.map(|name| people_of(original, name, knowledge)).transpose()?;
        let mut found = Self {
            before: MeasuredTable::default(),
            after: MeasuredTable::default(),
            records,
            persons: people.as_ref().map(|people| people.texts.len() as u64),
            left_out: Vec::new(),
            category: None,
            frequencies: Vec::new(),
        };
        let mut categories = Vec::new();
        for ((name, before), after) in shared.into_iter().zip(before).zip(after) {
            let is_number = found.add_numbers(name, (&before, &after), knowledge.policy);
            if !is_number {
                found.left_out.push(name.to_owned());
                categories.extend(category(&before, &after).map(|codes| (name.to_owned(), codes)));
            }
            found.add_categories(name, (before, after), is_number, knowledge);
        }
        found.choose_category(categories, knowledge.policy);
        found.after.classes = classes(&found.after, knowledge.labelled);
        found.before.people = people.map(|people| people.cells);
        Ok(found)
    }

    /// Adds a column as numbers, if it is that.
    fn add_numbers(
        &mut self,
        name: &str,
        (before, after): (&CodedColumn, &CodedColumn),
        policy: Option<&Policy>,
    ) -> bool {
        let numbers = match scale(policy, name) {
            Some(scale) => positions(name, scale, before, after),
            None if is_text(policy, name) => None,
            None => numbers(name, before, after),
        };
        let Some((before, after)) = numbers else { return false };
        self.before.columns.push(before);
        self.after.columns.push(after);
        true
    }

    /// Adds a column as categories, and what became of its values.
    fn add_categories(
        &mut self,
        name: &str,
        (before, after): (CodedColumn, CodedColumn),
        is_number: bool,
        knowledge: &Knowledge<'_>,
    ) {
        let (domain, (read_by, known)) = domain(name, &before, &after, knowledge);
        let value = |text: &String| domain.place(text).map_or(Meaning::Unknown, Meaning::value);
        let is_number = is_number && domain.is_number();
        let column = |coded: CodedColumn, labels: Vec<Meaning>| CategoryColumn {
            name: name.to_owned(),
            cells: coded.cells,
            labels,
            values: u32::try_from(domain.texts().len()).unwrap_or(u32::MAX),
            missing: domain.missing(),
            is_number,
        };
        let old = before.texts.iter().map(value).collect();
        let new: Vec<Meaning> = after.texts.iter().map(|text| domain.meaning(text, &known)).collect();
        let labels = after.texts.len();
        let (before, after) = (column(before, old), column(after, new));
        let found = Frequencies::of_columns(&before, &after);
        let frequencies = ColumnFrequencies::new(name, &domain, labels, &found, knowledge.bars);
        self.frequencies.push(ComparedColumn { read_by, frequencies });
        if knowledge.target == Some(name) {
            (self.before.target, self.after.target) =
                (Some(self.before.categories.len()), Some(self.before.categories.len()));
        }
        self.before.categories.push(before);
        self.after.categories.push(after);
    }

    /// The columns of numbers that have ranges in the release.
    pub(super) fn by_middle(&self) -> Vec<String> {
        let ranges = self.after.columns.iter().filter(|column| column.ranges.is_some());
        ranges.map(|column| column.name.clone()).collect()
    }

    /// A sensitive column if there is one, otherwise the first that kept its values.
    fn choose_category(&mut self, mut candidates: Vec<(String, [Vec<u32>; 2])>, policy: Option<&Policy>) {
        let is_sensitive =
            |name: &str| policy.is_some_and(|policy| policy.of_role(Role::Sensitive).any(|one| one.name == name));
        let place = candidates.iter().position(|(name, _)| is_sensitive(name)).unwrap_or(0);
        if place < candidates.len() {
            let (name, [before, after]) = candidates.swap_remove(place);
            (self.before.category, self.after.category) = (Some(before), Some(after));
            self.category = Some(name);
        }
    }
}

/// The class of each released record: those that share every label.
fn classes(released: &MeasuredTable, labelled: &[String]) -> Option<Vec<u32>> {
    let labelled = released.categories.iter().filter(|column| labelled.contains(&column.name));
    let columns: Vec<&[u32]> = labelled.map(|column| column.cells.as_slice()).collect();
    let records = columns.first()?.len();
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let class = |record: usize| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let key = columns.iter().map(|cells| cells.get(record).copied().unwrap_or(u32::MAX)).collect();
        *numbers.entry(key).or_insert(next)
    };
    Some((0..records).map(class).collect())
}

/// What somebody finds again of columns of numbers whose records stand in the same order; nothing where one is no number.
pub(in crate::run) fn linkage(
    names: &[&str],
    [before, after]: &[Vec<CodedColumn>; 2],
    segment: Option<usize>,
    policy: Option<&Policy>,
) -> Option<Linkage> {
    let column = |((name, before), after): ((&&str, &CodedColumn), &CodedColumn)| match scale(policy, name) {
        Some(scale) => positions(name, scale, before, after),
        None => numbers(name, before, after),
    };
    let columns = names.iter().zip(before).zip(after).map(column).collect::<Option<Vec<_>>>()?;
    let (old, new): (Vec<&[f64]>, Vec<&[f64]>) =
        columns.iter().map(|(old, new)| (old.values.as_slice(), new.values.as_slice())).unzip();
    Some(linkage::linkage(names, &old, &new, segment))
}

/// The values of a column, and what is known about its labels.
pub(in crate::run) fn domain(
    name: &str,
    before: &CodedColumn,
    after: &CodedColumn,
    knowledge: &Knowledge<'_>,
) -> (ValueDomain, (LabelReading, ExplainedLabels)) {
    let texts = before.texts.iter().map(String::as_str);
    // What is missing after was a value of its own, even where nothing was missing before.
    let texts = texts.chain(after.texts.iter().map(String::as_str).filter(|text| text.is_empty()));
    let domain = ValueDomain::from_values(texts, !is_text(knowledge.policy, name));
    let known = known(name, &domain, before, knowledge);
    (domain, known)
}

/// What is known about the labels of a column: by the mask, or else by the ladder of the policy.
fn known(
    name: &str,
    domain: &ValueDomain,
    before: &CodedColumn,
    knowledge: &Knowledge<'_>,
) -> (LabelReading, ExplainedLabels) {
    let masked = knowledge.masked.iter().find(|column| column.name == name);
    if let Some((column, recoding)) = masked.and_then(|column| Some((column, column.recoding.as_ref()?))) {
        let label = |value: &str| recoding.label(&canonical(value, column.number)).ok();
        return (LabelReading::Mask, ExplainedLabels::by(domain, label));
    }
    let variable = variable(knowledge.policy, name).filter(|one| one.hierarchy_given);
    match variable.and_then(|variable| ladder(variable, domain, before)) {
        Some(ladder) => (LabelReading::Policy, ExplainedLabels::by_ladder(domain, &ladder)),
        None => (LabelReading::Form, ExplainedLabels::default()),
    }
}

/// The ladder of a column, where it fits the values.
fn ladder(variable: &VariablePolicy, domain: &ValueDomain, column: &CodedColumn) -> Option<Hierarchy> {
    let number = variable.kind == ValueKind::Number;
    let values: Vec<String> = domain.texts().iter().map(|value| canonical(value, number)).collect();
    let places: Option<Vec<u32>> = column.texts.iter().map(|text| domain.place(text)).collect();
    let mut counts = vec![0; values.len()];
    column.each(&places?).into_iter().for_each(|place| counts[place as usize] += 1);
    variable.hierarchy.fit_counted(&values, &counts).ok()
}

/// The people of a table, told apart by this column.
fn people_of(source: &Source, name: &str, knowledge: &Knowledge<'_>) -> Result<CodedColumn> {
    if !source.columns().iter().any(|column| column == name) {
        return Err(Error::input(format!(
            "the original has no column `{}`, which names the person",
            name.escape_debug()
        ))
        .hint("give the original first and its release second, or another policy"));
    }
    Ok(knowledge.read(source, &[name])?.pop().unwrap_or_default())
}

fn variable<'p>(policy: Option<&'p Policy>, name: &str) -> Option<&'p VariablePolicy> {
    policy?.variables.iter().find(|variable| variable.name == name)
}

/// Whether the policy says that a quasi-identifier is text, whatever it looks like: codes are no numbers.
fn is_text(policy: Option<&Policy>, name: &str) -> bool {
    variable(policy, name).is_some_and(|one| one.role == Role::QuasiIdentifying && one.kind == ValueKind::Text)
}

/// What the policy says about a column of dates or ordered words that gets new values.
fn scale<'p>(policy: Option<&'p Policy>, name: &str) -> Option<&'p ColumnScale> {
    variable(policy, name)?.marked.as_ref().map(|marked| &marked.scale).filter(|scale| !scale.has_zero())
}

/// The same codes for equal texts before and after, if the release kept the values of a column.
fn category(before: &CodedColumn, after: &CodedColumn) -> Option<[Vec<u32>; 2]> {
    if !(2..=MOST_CATEGORIES).contains(&before.texts.len()) {
        return None;
    }
    let code = |text: &String| before.texts.binary_search(text).ok().and_then(|place| u32::try_from(place).ok());
    let codes = after.texts.iter().map(code).collect::<Option<Vec<u32>>>()?;
    Some([before.cells.clone(), after.each(&codes)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recoded_column_is_no_category() {
        let column = |cells: &[u32], texts: &[&str]| CodedColumn {
            cells: cells.to_vec(),
            texts: texts.iter().map(ToString::to_string).collect(),
        };
        let before = column(&[0, 1, 0], &["a", "b"]);
        assert_eq!(category(&before, &column(&[0, 1], &["b", "a"])), Some([vec![0, 1, 0], vec![1, 0]]));
        assert_eq!(category(&before, &column(&[0], &["*"])), None);
    }
}
