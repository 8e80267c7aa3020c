//! What an owner should look at before handing a release over.
//!
//! Each check gives one line that says `ok`, or a line for each column that asks for a look. None of this makes a release
//! unsafe by the models: a promise that fails is an error. The lines point to columns that may not mean what the policy
//! says, and to people whom the release treats unlike. They name columns and counts, never values.
//!
//! | File | Looks at |
//! |---|---|
//! | `cells` | columns that are released as collected |
//! | `people` | who stands behind the records |
//! | `quasi` | values and ladders of the quasi-identifiers |
//! | `classes` | sensitive values within the released classes |
//! | `minimality` | what the choice of levels tells |
//! | `withheld` | who was withheld |
//! | `detail` | columns that ended at the top |
//! | `treated` | what treatments of single cells leave open |
//!
//! Limits: a cluster looks at no cells, and the lines say so. Which words are names is known from the first 200,000 records
//! of the identifying columns.

mod cells;
mod classes;
mod detail;
mod minimality;
mod people;
mod quasi;
mod treated;
mod withheld;

use equanym_core::card::Parameters;
use equanym_core::checklist::{Advice, Check, ChecklistLine};
use equanym_core::frequency::Table;
use equanym_core::privacy::{self, ModelNeeds};
use equanym_core::report::Guarantee;
use equanym_core::variable::Role;

use crate::count::counted_table::Case;
use crate::count::{Lookout, Sketch};
use crate::policy::RecordOrder;
use crate::read::Source;
use crate::words::{counted, grouped, percent};
pub(crate) use classes::{ClassShare, of_classes, skew};
pub(crate) use detail::{line as detail, of_local as local_detail};
pub(crate) use minimality::{ChoiceEvidence, minimality};
pub(super) use quasi::refuse_identifiers;
pub(crate) use treated::{alone, linked_records};
pub(crate) use withheld::{WithheldCounts, group_of, of_table as withheld};

/// A table on its way out, as far as its columns are not recoded.
pub(crate) struct Subject<'a> {
    /// Columns released as collected, and identifying ones.
    pub columns: Vec<UnrecodedColumn<'a>>,
    /// The column that tells people apart, and its ids.
    pub person: Option<(&'a str, &'a [String])>,
    /// The records of the table.
    pub records: u64,
    /// What was looked for.
    pub lookout: &'a Lookout,
}

/// A column of it.
pub(crate) struct UnrecodedColumn<'a> {
    pub name: &'a str,
    pub role: Role,
    /// Whether a privacy model looks at it.
    pub is_guarded: bool,
    /// What is known of its cells; nothing where nobody looked.
    pub sketch: Option<&'a Sketch>,
}

impl<'a> UnrecodedColumn<'a> {
    /// Columns of one kind, with what is known of each where somebody looked.
    pub(crate) fn all(
        columns: impl Iterator<Item = (&'a str, Role)>,
        sketches: &'a [Sketch],
        is_guarded: bool,
    ) -> impl Iterator<Item = Self> {
        let sketches = sketches.iter().map(Some).chain(std::iter::repeat(None));
        columns.zip(sketches).map(move |((name, role), sketch)| Self { name, role, is_guarded, sketch })
    }
}

impl<'a> Subject<'a> {
    fn of_case(case: &'a Case<'_>) -> Self {
        let Case { columns, sketches, .. } = case;
        let guarded = columns.sensitive.iter().map(|name| (name.as_str(), Role::Sensitive));
        let collected = columns.collected.iter().map(|one| (one.name.as_str(), one.role));
        let identifying = columns.identifying.iter().map(|one| (one.name.as_str(), one.role));
        let all = UnrecodedColumn::all(guarded, &case.guarded, true)
            .chain(UnrecodedColumn::all(collected, &case.watched, false))
            .chain(UnrecodedColumn::all(identifying, &sketches.identifying, false));
        let person = columns.person.zip(case.ids());
        Self { columns: all.collect(), person, records: case.records, lookout: &sketches.lookout }
    }

    /// The lines that need no classes.
    pub(crate) fn lines(&self) -> Vec<ChecklistLine> {
        [cells::lines(self), people::lines(self)].concat()
    }

    /// The columns that are released as collected.
    fn collected(&self) -> impl Iterator<Item = &UnrecodedColumn<'a>> {
        self.columns.iter().filter(|column| column.role != Role::Identifying)
    }

    /// The columns that are not released.
    fn identifying(&self) -> impl Iterator<Item = &UnrecodedColumn<'a>> {
        self.columns.iter().filter(|column| column.role == Role::Identifying)
    }
}

/// All that a counted table tells before anything is decided, and how it is read and written.
pub(super) fn of_columns(case: &Case<'_>, table: Option<&Table>) -> Vec<ChecklistLine> {
    let mut lines = Subject::of_case(case).lines();
    if let Some(table) = table {
        lines.extend(quasi::lines(case, table));
    }
    lines.extend(treated::still_dates(case.policy));
    lines.push(output(case.policy.output.order));
    lines.extend(reading(case.source));
    lines
}

/// What is said of a model whose estimator finds no estimate for the classes of the node: it does not hold for all of them.
pub(crate) fn no_estimate(model: &str) -> ChecklistLine {
    let message = format!(
        "the estimator of {model} finds no estimate for all classes of these levels; that counts as too many, and smallest \
         classes are withheld until one is found"
    );
    ChecklistLine::look(Check::Guarantee, message)
}

/// What a release promises.
pub(crate) struct PromiseFacts<'a> {
    pub privacy: &'a [Guarantee],
    pub is_recoded: bool,
    /// The people of its smallest class.
    pub smallest: u64,
    /// Whether preferences chose the levels.
    pub is_balanced: bool,
}

/// Whether anything is promised.
pub(crate) fn guarantee(promised: &PromiseFacts<'_>) -> ChecklistLine {
    let models = promised.privacy.len() as u64;
    if models > 0 {
        let holds = counted(models, "privacy model holds", "privacy models hold");
        let judge_all =
            |name: &str| privacy::find(name).is_some_and(|one| (one.needs)(&Parameters::new()) == ModelNeeds::Classes);
        let are_all = promised.privacy.iter().any(|held| judge_all(&held.model));
        let of = if are_all { "of all released classes together" } else { "in every released class" };
        return ChecklistLine::ok(Check::Guarantee, format!("{holds} {of}")).count("models", models);
    }
    let line = |message: String| ChecklistLine::look(Check::Guarantee, message).count("models", 0);
    if !promised.is_recoded {
        return line("nothing is guaranteed: no column is recoded, and no privacy model is asked for".to_owned());
    }
    let alone =
        if promised.smallest == 1 { "there are records whose labels nobody shares" } else { "look at the classes" };
    let how = if promised.is_balanced {
        "the levels were balanced one column at a time"
    } else {
        "no privacy model is asked for"
    };
    line(format!("nothing is guaranteed: {how}, and a combination of labels may point to a person; {alone}"))
}

/// What is known against local recoding.
pub(super) fn of_local_recoding() -> [ChecklistLine; 2] {
    [
        "labels differ from class to class: tables of the release do not add up as after global recoding",
        "the privacy models say nothing about how skewed or how similar the sensitive values of a class are (skewness and \
         similarity attacks), nor about a second release of the same records (intersection attack)",
    ]
    .map(|message| ChecklistLine::look(Check::LocalRecoding, message))
}

/// How the release is written.
pub(crate) fn output(order: RecordOrder) -> ChecklistLine {
    match order {
        RecordOrder::Input => {
            ChecklistLine::look(Check::Order, "the rows keep the order of the input, which may tell who is who")
        }
        RecordOrder::Canonical => {
            ChecklistLine::ok(Check::Order, "the rows are sorted by all columns: their order tells nothing")
        }
    }
}

/// How the table was read.
pub(crate) fn reading(source: &Source) -> Vec<ChecklistLine> {
    let notes = source.notes();
    let mut lines = Vec::new();
    if notes.filled_records > 0 {
        let message =
            format!("{} rows had too few cells; the absent ones count as missing", grouped(notes.filled_records));
        lines.push(ChecklistLine::look(Check::Reading, message).count("rows", notes.filled_records));
    }
    if notes.mixed_line_ends > 0 {
        let files = if notes.mixed_line_ends == 1 { "file" } else { "files" };
        let message = format!(
            "the lines of {} {files} end in more than one way (LF, CRLF, CR): is one of them part of a cell?",
            grouped(notes.mixed_line_ends)
        );
        lines.push(ChecklistLine::look(Check::Reading, message).count("files", notes.mixed_line_ends));
    }
    or_ok(lines, || ChecklistLine::ok(Check::Reading, "every row had all its cells"))
}

/// The lines that were found, or that there is nothing to say.
fn or_ok(found: Vec<ChecklistLine>, ok: impl FnOnce() -> ChecklistLine) -> Vec<ChecklistLine> {
    if found.is_empty() { vec![ok()] } else { found }
}

/// A line about a column, which its message names.
fn about(check: Check, advice: Advice, name: &str, what: &str) -> ChecklistLine {
    ChecklistLine::new(check, advice, format!("column `{}`: {what}", name.escape_debug())).in_column(name)
}

/// So many columns, in words.
fn columns_in_words(count: usize) -> String {
    counted(count as u64, "column", "columns")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is where a cluster counts: what nobody saw is never in order.
    #[test]
    fn what_was_not_looked_at_is_said() {
        let columns = [("ward", Role::Insensitive), ("illness", Role::Sensitive), ("name", Role::Identifying)];
        let columns = UnrecodedColumn::all(columns.into_iter(), &[], false).collect();
        let subject = Subject { columns, person: None, records: 100, lookout: &Lookout::default() };
        let lines = subject.lines();
        let of_cells = [
            Check::NearUnique,
            Check::FreeText,
            Check::EMail,
            Check::Phone,
            Check::Date,
            Check::Names,
            Check::RareValues,
        ];
        for check in of_cells.into_iter().chain([Check::RepeatedId]) {
            let found: Vec<&ChecklistLine> = lines.iter().filter(|line| line.check == check).collect();
            let is_said =
                |line: &&ChecklistLine| line.advice == Advice::Look && line.message.starts_with("not looked at: ");
            assert!(found.len() == 1 && found.iter().all(is_said), "{found:?}");
        }
        // What needs no cells is known.
        let unguarded: Vec<_> = lines.iter().filter(|line| line.check == Check::Unguarded).collect();
        assert!(unguarded.len() == 1 && unguarded[0].column.as_deref() == Some("illness"), "{unguarded:?}");
    }
}
