//! Who stands behind the records: people against records, and identifying columns that repeat.

use equanym_core::checklist::{Advice, Check, ChecklistLine};

use super::{Subject, UnrecodedColumn, columns_in_words, counted, grouped, or_ok, percent};
use crate::count::Sketch;
use crate::count::spelling::folded;
use crate::decide::look_alike;
use crate::read::column_name::is_number_of_person;
use crate::read::missing::means_missing;

/// A column with at least this share of values that occur more than once repeats.
const REPEATING: f64 = 0.01;

/// Fewer distinct values than this are categories, not people.
const FEWEST_PEOPLE: f64 = 20.0;

/// So many distinct values are people, and so are fewer if they are this share of the records.
const MANY_PEOPLE: f64 = 1000.0;
const SHARE_OF_PEOPLE: f64 = 0.05;

pub(super) fn lines(subject: &Subject<'_>) -> Vec<ChecklistLine> {
    [people(subject), repeated(subject)].concat()
}

/// People against records; ids that may not mean what the policy says.
fn people(subject: &Subject<'_>) -> Vec<ChecklistLine> {
    let records = subject.records;
    let Some((name, ids)) = subject.person else {
        let message = format!("{} records, each of which counts as a person: the policy names none", grouped(records));
        return vec![ChecklistLine::ok(Check::People, message).count("records", records)];
    };
    let people = ids.len() as u64;
    let texts = || ids.iter().map(String::as_str);
    let alone = people == records && people > 1;
    let alone = alone.then(|| "each record has its own id: nobody has two records; is it the right column?".to_owned());
    let words = texts().filter(|id| means_missing(id)).count();
    let words = (words > 0).then(|| {
        let (one, many) = (
            "id looks like a word for missing and counts as a person",
            "ids look like words for missing and count as one person each",
        );
        format!("{}; name such words in `[data] missing`", counted(words as u64, one, many))
    });
    let spellings = if texts().all(look_alike::is_plain) { 0 } else { look_alike::alike(texts(), folded) };
    let spellings = (spellings > 0).then(|| {
        let differ = counted(spellings as u64, "id differs", "ids differ");
        format!("{differ} from others only in blanks, Unicode form or case; each counts as another person")
    });
    let with_counts = |line: ChecklistLine| line.count("records", records).count("people", people);
    let told = [alone, words, spellings].into_iter().flatten();
    let told = told.map(|what| format!("column `{}` names the person: {what}", name.escape_debug()));
    let told = told.map(|message| with_counts(ChecklistLine::look(Check::People, message).in_column(name)));
    let all = || format!("{} of {}", counted(records, "record", "records"), counted(people, "person", "people"));
    or_ok(told.collect(), || with_counts(ChecklistLine::ok(Check::People, all())))
}

/// Identifying columns that repeat where no person is named, or where each record is one.
fn repeated(subject: &Subject<'_>) -> Vec<ChecklistLine> {
    let columns = subject.identifying().count();
    let is_told = subject.person.is_some_and(|(_, ids)| (ids.len() as u64) < subject.records);
    if is_told {
        return vec![ChecklistLine::ok(Check::RepeatedId, "a person is named, and has several records")];
    }
    let unseen = subject.identifying().filter(|column| column.sketch.is_none()).count();
    let mut lines: Vec<ChecklistLine> =
        subject.identifying().filter_map(|column| about_id(column, column.sketch?)).collect();
    if unseen > 0 {
        let message = format!("not looked at: nobody saw the cells of {} of identifiers", columns_in_words(unseen));
        lines.push(ChecklistLine::look(Check::RepeatedId, message).count("columns", unseen as u64));
    }
    or_ok(lines, || {
        let message =
            format!("{} of identifiers: none says that a person has several records", columns_in_words(columns));
        ChecklistLine::ok(Check::RepeatedId, message).count("columns", columns as u64)
    })
}

fn about_id(column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let name = column.name.escape_debug();
    let values = sketch.distinct();
    let distinct = values / (sketch.present.max(1) as f64);
    let are_people = values >= FEWEST_PEOPLE && (distinct >= SHARE_OF_PEOPLE || values >= MANY_PEOPLE);
    (are_people && sketch.repeating() >= REPEATING).then(|| {
        let message = format!(
            "column `{name}` is identifying and {} of its values occur more than once: one person may have several \
             records, and the privacy models count records, not people; if it tells people apart, say so: \
             `[data] person = \"{name}\"`",
            percent(sketch.repeating())
        );
        // Two people may share a name; a number is theirs.
        let advice = if is_number_of_person(column.name) { Advice::Stop } else { Advice::Look };
        ChecklistLine::new(Check::RepeatedId, advice, message)
            .in_column(column.name)
            .share("repeating", sketch.repeating())
    })
}
