//! Tables as Markdown, and the part of a file that a command writes anew.

use std::path::Path;

use crate::failure::Result;

/// A table. The first `texts` columns stand to the left, the others are numbers and stand to the right.
pub fn table(head: &[&str], texts: usize, rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut text = line(&mut head.iter().copied());
    text += &line(&mut (0..head.len()).map(|place| if place < texts { "---" } else { "---:" }));
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// Puts the content between the marks of a part of a file.
pub fn write_part(file: &Path, part: &str, content: &str) -> Result<()> {
    let old = std::fs::read_to_string(file)?;
    let new = replace(&old, part, content).ok_or_else(|| format!("{}: no marks of {part}", file.display()))?;
    Ok(std::fs::write(file, new)?)
}

/// The text with the content between the marks of a part.
fn replace(text: &str, part: &str, content: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {part} -->\n"), format!("<!-- end {part} -->"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{content}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_left_and_numbers_right() {
        let rows = [vec!["a".to_owned(), "1".to_owned()]];
        assert_eq!(table(&["name", "n"], 1, &rows), "| name | n |\n| --- | ---: |\n| a | 1 |\n");
    }

    #[test]
    fn only_the_marked_part_changes() {
        let text = "x\n<!-- begin a -->\nold\n<!-- end a -->\ny\n";
        let new = "x\n<!-- begin a -->\nnew\n<!-- end a -->\ny\n";
        assert_eq!(replace(text, "a", "new\n").as_deref(), Some(new));
        assert_eq!(replace(new, "a", "new\n").as_deref(), Some(new));
        assert_eq!(replace(text, "b", "new\n"), None);
    }
}
