//! Numbers, names and tables as plain text.
//!
//! Names come from files that anybody may have written, so whatever could move the cursor, turn the direction of the
//! writing or begin a line of its own is shown as an escape. Colours are few and carry no meaning that the words do not.

use std::fmt::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
pub use equanym_engine::words::{counted, grouped as count, percent};
use unicode_width::UnicodeWidthStr;

/// The most columns of the terminal that a name fills.
const LONGEST_NAME: usize = 40;
/// The most columns that running text fills.
const LINE: usize = 100;

/// A text in which nothing moves the cursor.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hazard(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// A name, harmless and short enough for a table.
pub fn name(text: &str) -> String {
    let shown = plain(text);
    if shown.width() <= LONGEST_NAME {
        return shown;
    }
    let mut short = String::new();
    for character in shown.chars() {
        short.push(character);
        if short.width() >= LONGEST_NAME - 1 {
            break;
        }
    }
    short + "…"
}

/// A path, harmless.
pub fn path(path: &Path) -> String {
    plain(&path.display().to_string())
}

/// A path as a word of a command that a shell understands.
pub fn shell_word(path: &Path) -> String {
    let text = self::path(path);
    let is_safe = |character: char| character.is_ascii_alphanumeric() || "/._-+,:@%".contains(character);
    if !text.is_empty() && text.chars().all(is_safe) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// A message of several lines, of which only the first begins at the margin: no line can pose as another message.
pub fn lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n  ")
}

/// A paragraph, broken and indented.
pub fn paragraph(text: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let mut shown = String::new();
    let mut line = margin.clone();
    for word in text.split_whitespace() {
        let is_full = line.width() + 1 + word.width() > LINE;
        if is_full && line.len() > indent {
            shown.push_str(&line);
            shown.push('\n');
            line.clone_from(&margin);
        }
        if line.len() > indent {
            line.push(' ');
        }
        line.push_str(word);
    }
    shown + &line + "\n"
}

/// A measure with three digits after the point, where they say anything.
pub fn measure(number: f64) -> String {
    let rounded = format!("{number:.3}");
    let (whole, fraction) = trimmed(&rounded).split_once('.').unwrap_or((trimmed(&rounded), ""));
    let whole = whole.parse::<u128>().map_or(whole.to_owned(), count);
    if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") }
}

/// A decimal number without zeros that say nothing.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches('0').trim_end_matches('.')
}

/// Titles with what there is to say under each, one line a title.
pub fn facts(facts: &[(&str, String)]) -> String {
    let width = facts.iter().map(|(title, _)| title.width()).max().unwrap_or(0);
    facts.iter().fold(String::new(), |mut shown, (title, words)| {
        // A `String` takes everything.
        let _ = writeln!(shown, "  {title:<width$}  {words}");
        shown
    })
}

/// A table with aligned columns; cells must be harmless. Columns of numbers, whose title begins with `>`, stand to the right. A
/// title that comes from elsewhere begins with `<` or `>`.
pub fn table(header: &[impl AsRef<str>], rows: &[Vec<String>]) -> String {
    let header: Vec<(&str, bool)> = header.iter().map(|title| aligned(title.as_ref())).collect();
    let width = |(column, (title, _)): (usize, &(&str, bool))| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width());
        cells.chain([title.width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = header.iter().enumerate().map(width).collect();
    let titles: Vec<String> = header.iter().map(|(title, _)| (*title).to_owned()).collect();
    let line = |cells: &[String]| {
        let mut line = String::from(" ");
        for ((cell, (_, to_the_right)), width) in cells.iter().zip(&header).zip(&widths) {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            let cell = if *to_the_right { format!("{gap}{cell}") } else { format!("{cell}{gap}") };
            // A `String` takes everything.
            let _ = write!(line, " {cell} ");
        }
        line.trim_end().to_owned() + "\n"
    };
    let head = strong(line(&titles).trim_end());
    rows.iter().fold(head + "\n", |shown, row| shown + &line(row))
}

/// A title without its sign, and whether its column stands to the right.
fn aligned(title: &str) -> (&str, bool) {
    match title.strip_prefix('>') {
        Some(number) => (number, true),
        None => (title.strip_prefix('<').unwrap_or(title), false),
    }
}

/// A heading or something else to see first.
pub fn strong(text: &str) -> String {
    styled(text, Style::new().bold())
}

/// Something that is as it should be.
pub fn good(text: &str) -> String {
    styled(text, AnsiColor::Green.on_default())
}

/// Something to look at.
pub fn accent(text: &str) -> String {
    styled(text, AnsiColor::Yellow.on_default())
}

/// Something that went wrong.
pub fn alarm(text: &str) -> String {
    styled(text, AnsiColor::Red.on_default().bold())
}

/// A command to type.
pub fn command(text: &str) -> String {
    styled(text, AnsiColor::Cyan.on_default())
}

fn styled(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Control characters, line ends of any script and marks that turn or hide what follows.
fn is_hazard(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_move_the_cursor_or_forge_lines() {
        assert_eq!(plain("a\nerror: b\u{1b}[2J\r\u{202e}"), r"a\nerror: b\u{1b}[2J\r\u{202e}");
        assert_eq!(plain("Größe 年齢"), "Größe 年齢");
        assert_eq!(lines("one\nerror: two\u{7}"), "one\n  error: two\\u{7}");
    }

    #[test]
    fn long_names_are_cut() {
        let long = name(&"x".repeat(10_000));
        assert_eq!((long.width(), long.ends_with('…')), (LONGEST_NAME, true));
        assert_eq!(name("age"), "age");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0_u64, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        let shares = [0.0, 0.000_001, 0.001_23, 0.05, 0.2, 0.999_999, 1.0].map(percent);
        assert_eq!(shares, ["0%", "<0.01%", "0.12%", "5%", "20%", ">99.9%", "100%"]);
        assert_eq!([28.0, 407_289.539_2].map(measure), ["28", "407,289.539"]);
        assert_eq!(
            (counted(1, "record", "records"), counted(0, "record", "records")),
            ("1 record".into(), "0 records".into())
        );
    }

    #[test]
    fn columns_line_up_also_with_wide_letters() {
        let header = ["name", ">records"];
        let rows = [vec!["年齢".to_owned(), "5".to_owned()], vec!["x".to_owned(), "12".to_owned()]];
        let shown = anstream::adapter::strip_str(&table(&header, &rows)).to_string();
        assert_eq!(shown, "  name  records\n  年齢        5\n  x          12\n");
    }

    #[test]
    fn paragraphs_keep_their_margin() {
        let shown = paragraph(&"word ".repeat(60), 4);
        assert!(shown.lines().all(|line| line.starts_with("    word") && line.width() <= LINE));
        assert_eq!(shown.lines().count(), 4);
    }

    #[test]
    fn paths_become_words_for_a_shell() {
        assert_eq!(shell_word(Path::new("a/b-1.csv")), "a/b-1.csv");
        assert_eq!(shell_word(Path::new("my data.csv")), "'my data.csv'");
        assert_eq!(shell_word(Path::new("it's")), r"'it'\''s'");
    }
}
