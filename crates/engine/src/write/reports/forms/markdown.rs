//! A form in Markdown, to go on writing.
//!
//! Names and values are hostile: every mark that Markdown or HTML reads is escaped, and what cannot be seen shows.

use std::fmt::Write;

use super::ReportForm;
use super::document::{FormCell, FormPart, FormTable};
use crate::write::pen::markup::is_unseen;

/// The whole form.
pub(super) fn written(form: &ReportForm, lead: &str, parts: &[FormPart]) -> String {
    let mut text = format!("# {}\n\n{lead}\n\nStructure: {}.\n", form.title, form.card.source);
    for part in parts {
        text.push('\n');
        push(&mut text, part);
    }
    text
}

fn push(text: &mut String, part: &FormPart) {
    // A `String` takes everything.
    let _ = match part {
        FormPart::Heading(words) => writeln!(text, "## {words}"),
        FormPart::Text(words) => writeln!(text, "{words}"),
        FormPart::List(lines) => lines.iter().try_for_each(|line| writeln!(text, "- {line}")),
        FormPart::Facts(facts) => facts.iter().try_for_each(|(term, fact)| match fact {
            Some(cell) => writeln!(text, "- **{term}**: {}", of_cell(cell)),
            None => writeln!(text, "- **{term}**: **[OPEN]** to be filled in"),
        }),
        FormPart::Table(table) => of_table(text, table),
        FormPart::Open(question) => writeln!(text, "> **[OPEN]** {question}\n>\n> …"),
        FormPart::Picture { caption, picture, .. } => writeln!(text, "{caption}: {}", escaped(picture.words())),
        FormPart::Signatures => {
            let line = "| Prepared by | Checked by | Released by |\n|---|---|---|\n| | | |\n| Name, date, signature | Name, date, \
                        signature | Name, date, signature |";
            writeln!(text, "{line}")
        }
    };
}

fn of_table(text: &mut String, table: &FormTable) -> std::fmt::Result {
    writeln!(text, "{}\n", table.caption)?;
    writeln!(text, "| {} |", table.headings.join(" | "))?;
    writeln!(text, "|{}", "---|".repeat(table.headings.len()))?;
    for row in &table.rows {
        writeln!(text, "| {} |", row.iter().map(of_cell).collect::<Vec<_>>().join(" | "))?;
    }
    Ok(())
}

fn of_cell(cell: &FormCell) -> String {
    match cell {
        FormCell::Words(words) => words.replace('|', "\\|"),
        FormCell::Name(text) | FormCell::Said(text) => escaped(text),
        FormCell::Open => "**[OPEN]**".to_owned(),
    }
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            unseen if is_unseen(unseen) => safe.push(char::REPLACEMENT_CHARACTER),
            // Addresses become links by themselves where nothing stands between their parts.
            ':' | '@' | '/' => safe.extend(['\\', character]),
            mark if mark.is_ascii_punctuation() => safe.extend(['\\', mark]),
            plain => safe.push(plain),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        let name = "a|b <img src=x> [c](d) `e`\n\u{202e}_f_";
        assert_eq!(escaped(name), "a\\|b &lt;img src\\=x&gt; \\[c\\]\\(d\\) \\`e\\`\u{fffd}\u{fffd}\\_f\\_");
    }
}
