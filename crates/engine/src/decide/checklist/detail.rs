//! Columns that ended at the top, and what would buy detail back.

use equanym_core::checklist::{Advice, Check, ChecklistLine};
use equanym_core::report::{LocalFindings, NamedLevels, OtherRelease, Worth};

use super::columns_in_words;

/// More of the columns at the top than one in so many is worth a look.
const ONE_IN: usize = 3;

/// The line about levels that hold everywhere.
pub(crate) fn line(worth: &Worth, now: &NamedLevels) -> ChecklistLine {
    let mut message = worth.sentence.clone();
    for (bought, what) in
        [(&worth.one_more_percent, "one more percent of suppression"), (&worth.one_less_k, "a k that is one less")]
    {
        if let Some(bought) = bought {
            message = format!("{message}; {what} {}", moves(now, bought));
        }
    }
    if let (Some(why), None) = (worth.not_looked_at, &worth.one_more_percent) {
        message = format!("{message}; what more suppression or a lower k would buy was not looked at: {why}");
    }
    judged(message, worth.top, worth.columns)
}

/// The line where each class has labels of its own.
pub(crate) fn of_local(found: &LocalFindings) -> ChecklistLine {
    let columns = found.lost.len();
    let top = found.lost.iter().filter(|lost| lost.share >= 1.0).count();
    judged(format!("{top} of {} became `*` in every class", columns_in_words(columns)), top, columns)
}

fn judged(message: String, top: usize, columns: usize) -> ChecklistLine {
    let advice = if top * ONE_IN > columns { Advice::Look } else { Advice::Ok };
    ChecklistLine::new(Check::Detail, advice, message).count("top", top as u64).count("columns", columns as u64)
}

/// What another release would change, in words; none of its columns is coarser.
fn moves(now: &NamedLevels, bought: &OtherRelease) -> String {
    let finer = now.0.iter().filter_map(|from| Some((from, bought.node.0.iter().find(|to| to.0 == from.0)?)));
    let finer = finer.map(|(from, to)| format!("`{}` {} → {}", from.0.escape_debug(), from.1, to.1));
    let finer: Vec<String> = finer.collect();
    if finer.is_empty() {
        return "would buy no level back unless others become coarser".to_owned();
    }
    format!("would buy {} back", finer.join(", "))
}
