//! Columns that are released as collected: what their cells give away.
//!
//! A few texts that come again and again are a choice, however long they are, and no running text.

use equanym_core::checklist::{Advice, Check, ChecklistLine};
use equanym_core::variable::Role;

use super::{Subject, UnrecodedColumn, about, columns_in_words, counted, grouped, or_ok, percent};
use crate::count::Sketch;
use crate::count::content::Content;

/// A column with this share of distinct values, or more, tells nearly every record apart.
const NEARLY_UNIQUE: f64 = 0.9;

/// So much of a column makes it one of running text.
const MUCH_TEXT: f64 = 0.05;

/// So much of a column makes it one of telephone numbers, or of names.
const MUCH: f64 = 0.1;

/// A choice has so many values at most, and each of them so often in the mean.
const CHOICES: f64 = 20.0;
const CHOSEN: f64 = 5.0;

/// What is looked for in a column, and what is said where nothing is found.
struct Rule {
    check: Check,
    find: fn(&Subject<'_>, &UnrecodedColumn<'_>, &Sketch) -> Option<ChecklistLine>,
    clean: &'static str,
}

const RULES: [Rule; 8] = [
    Rule {
        check: Check::NearUnique,
        find: near_unique,
        clean: "no insensitive column tells nearly every record apart",
    },
    Rule { check: Check::FreeText, find: free_text, clean: "none holds running text" },
    Rule { check: Check::EMail, find: e_mail, clean: "none holds an address of e-mail" },
    Rule { check: Check::Phone, find: phone, clean: "none holds telephone numbers" },
    Rule { check: Check::Date, find: date, clean: "none holds dates" },
    Rule { check: Check::Names, find: names, clean: "none holds words of an identifying column" },
    Rule { check: Check::RareValues, find: rare, clean: "no value is that of few people" },
    Rule { check: Check::Unguarded, find: unguarded, clean: "a privacy model looks at every sensitive column" },
];

/// The lines about all columns that are released as collected.
pub(super) fn lines(subject: &Subject<'_>) -> Vec<ChecklistLine> {
    let mut lines: Vec<ChecklistLine> = RULES.iter().flat_map(|rule| rule.lines(subject)).collect();
    lines.extend(subject.collected().filter(|column| !column.is_guarded).filter_map(spelling));
    lines
}

impl Rule {
    fn lines(&self, subject: &Subject<'_>) -> Vec<ChecklistLine> {
        let columns = subject.collected().count();
        let nothing = Sketch::default();
        let needs_cells = self.check != Check::Unguarded;
        let found = |column: &UnrecodedColumn<'_>| match column.sketch {
            None if needs_cells => None,
            sketch => (self.find)(subject, column, sketch.unwrap_or(&nothing)),
        };
        let mut lines: Vec<ChecklistLine> = subject.collected().filter_map(found).collect();
        let unseen = subject.collected().filter(|column| needs_cells && column.sketch.is_none()).count();
        if unseen > 0 {
            let message =
                format!("not looked at: a cluster counted, and nobody saw the cells of {}", columns_in_words(unseen));
            lines.push(ChecklistLine::look(self.check, message).count("columns", unseen as u64));
        }
        or_ok(lines, || {
            let message = format!("{} released as collected: {}", columns_in_words(columns), self.clean);
            ChecklistLine::ok(self.check, message).count("columns", columns as u64)
        })
    }
}

fn near_unique(_: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let share = share_of_distinct(sketch);
    (column.role == Role::Insensitive && is_nearly_unique(sketch)).then(|| {
        let message = format!(
            "column `{}` is insensitive and tells nearly every record apart: whoever knows its values elsewhere \
             recognises people; is it identifying or quasi-identifying?",
            column.name.escape_debug()
        );
        ChecklistLine::look(Check::NearUnique, message)
            .in_column(column.name)
            .share("distinct", share)
            .count("records", sketch.present)
    })
}

fn free_text(_: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let records = sketch.holding(Content::FreeText);
    let texts = sketch.distinct_holding(Content::FreeText);
    let is_choice = texts <= CHOICES && texts * CHOSEN <= records as f64;
    let share = share(records, sketch.present);
    (records > 0 && !is_choice).then(|| {
        let what = format!(
            "{} of its cells hold running text, which may name anybody; give it the role identifying, or make categories \
             of it",
            percent(share)
        );
        let advice = if share >= MUCH_TEXT { Advice::Stop } else { Advice::Look };
        held(about(Check::FreeText, advice, column.name, &what), records, share)
    })
}

fn e_mail(_: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let records = sketch.holding(Content::EMail);
    (records > 0).then(|| {
        let hold = counted(records, "record holds", "records hold");
        let what = format!("{hold} an address of e-mail; remove them, or give it the role identifying");
        let line = about(Check::EMail, Advice::Stop, column.name, &what);
        held(line, records, share(records, sketch.present))
    })
}

fn phone(_: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let records = sketch.holding(Content::Phone);
    let share = share(records, sketch.present);
    (records > 0).then(|| {
        let hold = counted(records, "record holds", "records hold");
        let what = format!("{hold} what looks like a telephone number; is it identifying?");
        let advice = if share >= MUCH { Advice::Stop } else { Advice::Look };
        held(about(Check::Phone, advice, column.name, &what), records, share)
    })
}

fn date(_: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let records = sketch.holding(Content::Date);
    (records > 0).then(|| {
        let what = format!(
            "{} a date as collected: others may know when something happened; is it quasi-identifying?",
            counted(records, "record holds", "records hold")
        );
        held(about(Check::Date, Advice::Look, column.name, &what), records, share(records, sketch.present))
    })
}

fn names(subject: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let records = sketch.holding(Content::Name);
    let share = share(records, sketch.present);
    let sources = subject.identifying().count();
    (records > 0 && sources > 0).then(|| {
        let what = format!(
            "{} a word that stands in an identifying column, such as a name; remove them, or give it the role identifying",
            counted(records, "record holds", "records hold")
        );
        let advice = if share >= MUCH { Advice::Stop } else { Advice::Look };
        held(about(Check::Names, advice, column.name, &what), records, share)
    })
}

fn rare(subject: &Subject<'_>, column: &UnrecodedColumn<'_>, sketch: &Sketch) -> Option<ChecklistLine> {
    let (lookout, rare) = (subject.lookout, sketch.rare(subject.lookout));
    // What tells all apart is told already.
    let is_told = column.role == Role::Insensitive && is_nearly_unique(sketch);
    (rare.values > 0 && !is_told).then(|| {
        let (occur, noun) = if lookout.tells_people { ("for", "people") } else { ("in", "records") };
        let about_so_many = if rare.is_exact { "" } else { "about " };
        let values = counted(rare.values, "value occurs", "values occur");
        let what = format!(
            "{about_so_many}{values} {occur} fewer than {} {noun} and may be released as collected: whoever knows one may \
             find its person",
            grouped(lookout.few)
        );
        about(Check::RareValues, Advice::Look, column.name, &what)
            .count("values", rare.values)
            .count("records", rare.records)
            .count("below", lookout.few)
    })
}

fn unguarded(_: &Subject<'_>, column: &UnrecodedColumn<'_>, _: &Sketch) -> Option<ChecklistLine> {
    (column.role == Role::Sensitive && !column.is_guarded).then(|| {
        let message = format!(
            "column `{}` is sensitive and no privacy model looks at it: everybody in a class may share one value",
            column.name.escape_debug()
        );
        ChecklistLine::look(Check::Unguarded, message).in_column(column.name)
    })
}

/// Spellings of one value, where each is released as it stands.
fn spelling(column: &UnrecodedColumn<'_>) -> Option<ChecklistLine> {
    let values = column.sketch?.alike();
    (values > 0).then(|| {
        let differ = counted(values as u64, "value differs", "values differ");
        let what = format!("{differ} from others only in blanks, Unicode form or case");
        about(Check::Spelling, Advice::Look, column.name, &what).count("values", values as u64)
    })
}

fn held(line: ChecklistLine, records: u64, share: f64) -> ChecklistLine {
    line.count("records", records).share("share", share)
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn share_of_distinct(sketch: &Sketch) -> f64 {
    sketch.distinct() / (sketch.present.max(1) as f64)
}

fn is_nearly_unique(sketch: &Sketch) -> bool {
    share_of_distinct(sketch) >= NEARLY_UNIQUE && sketch.present > 1
}
