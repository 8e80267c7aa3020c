//! How a table was written, in sentences for whoever has it drafted.

use super::Study;
use crate::read::{ColumnForm, Reading};

/// The sentences: what was learnt, and from where; no values but words for missing.
pub(super) fn sentences(study: &Study) -> Vec<String> {
    let Study { reading, columns, .. } = study;
    let usual = Reading::default();
    let mut notes = Vec::new();
    if reading.encoding != usual.encoding {
        notes.push(format!("Text was read as {}.", reading.encoding.label()));
    }
    if !reading.notation.is_usual() {
        notes.push(format!("Numbers have a decimal `{}`.", reading.notation.decimal));
    }
    if !reading.missing.is_empty() {
        let words: Vec<String> = reading.missing.iter().map(|word| format!("`{}`", word.escape_debug())).collect();
        notes.push(format!("Words that mean missing: {}.", words.join(", ")));
    }
    for (name, form) in &reading.forms {
        if let ColumnForm::Code(width) = form {
            let name = name.escape_debug();
            notes.push(format!("`{name}`: some codes have lost zeros in front; they are read with {width} digits."));
        }
    }
    match columns.iter().filter(|column| column.decision.ladder.file.is_some()).count() {
        0 => {}
        1 => notes.push("A ladder for 1 column was found beside the data.".to_owned()),
        files => notes.push(format!("Ladders for {files} columns were found beside the data.")),
    }
    for column in columns {
        if let Some(unfit) = &column.decision.ladder.unfit {
            notes.push(format!("{} was not used: {}.", unfit.file.escape_debug(), unfit.why));
        }
    }
    notes
}
