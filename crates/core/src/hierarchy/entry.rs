//! Text of separated cells, read exactly.
//!
//! RFC 4180 with any separator: cells may be quoted, a quote inside is doubled, a quoted cell may hold separators and
//! line ends. Lines end with LF or CRLF; blank lines are skipped. A quote inside a bare cell is an ordinary character.
//! Each entry remembers the line it starts in, because that is where a person will look.
//!
//! Source: RFC 4180.

use super::HierarchyError;

/// One entry of a hierarchy file: a value with its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line it starts in, counted from 1.
    pub line: usize,
    /// The value, then its label at each level.
    pub cells: Vec<String>,
}

/// The entries of a text whose separator is known.
pub(super) fn split(text: &str, separator: char) -> Result<Vec<Entry>, HierarchyError> {
    let mut reader = EntryReader { rest: text, line: 1, separator };
    let mut entries = Vec::new();
    while !reader.rest.is_empty() {
        let line = reader.line;
        let is_quoted = reader.rest.starts_with('"');
        let cells = reader.entry()?;
        let is_blank_line = !is_quoted && matches!(cells.as_slice(), [cell] if cell.is_empty());
        if !is_blank_line {
            entries.push(Entry { line, cells });
        }
    }
    Ok(entries)
}

struct EntryReader<'a> {
    rest: &'a str,
    line: usize,
    separator: char,
}

impl<'a> EntryReader<'a> {
    fn entry(&mut self) -> Result<Vec<String>, HierarchyError> {
        let mut cells = Vec::new();
        loop {
            cells.push(if self.rest.starts_with('"') { self.quoted()? } else { self.bare() });
            match self.rest.strip_prefix(self.separator) {
                Some(after) => self.rest = after,
                None => break,
            }
        }
        if let Some(after) = self.rest.strip_prefix('\n') {
            self.rest = after;
            self.line += 1;
        }
        Ok(cells)
    }

    /// All up to the separator or the end of the line.
    fn bare(&mut self) -> String {
        let end = self.rest.find([self.separator, '\n']);
        let cell = self.take(end.unwrap_or(self.rest.len()));
        let ends_line = !self.rest.starts_with(self.separator);
        cell.strip_suffix('\r').filter(|_| ends_line).unwrap_or(cell).to_owned()
    }

    /// All up to the closing quote, doubled quotes made single.
    fn quoted(&mut self) -> Result<String, HierarchyError> {
        let opened = self.line;
        let mut cell = String::new();
        self.take(1);
        loop {
            let end = self.rest.find('"').ok_or(HierarchyError::UnclosedQuote { line: opened })?;
            cell.push_str(self.take(end));
            self.take(1);
            if !self.rest.starts_with('"') {
                break;
            }
            cell.push_str(self.take(1));
        }
        self.line += cell.matches('\n').count();
        self.end_of_quoted(opened)?;
        Ok(cell)
    }

    fn end_of_quoted(&mut self, opened: usize) -> Result<(), HierarchyError> {
        if self.rest.starts_with("\r\n") || self.rest == "\r" {
            self.take(1);
        }
        let ends = self.rest.is_empty() || self.rest.starts_with([self.separator, '\n']);
        if ends { Ok(()) } else { Err(HierarchyError::TextAfterQuote { line: opened }) }
    }

    /// Moves on; the length must end at a character, which separators, quotes and line ends are.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[(usize, &[&str])]) {
        let entries = split(text, ';').unwrap();
        let found: Vec<(usize, Vec<&str>)> =
            entries.iter().map(|entry| (entry.line, entry.cells.iter().map(String::as_str).collect())).collect();
        let expected: Vec<(usize, Vec<&str>)> = expected.iter().map(|(line, cells)| (*line, cells.to_vec())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn rows_and_cells() {
        check("", &[]);
        check("a;b", &[(1, &["a", "b"])]);
        check("a;b\n", &[(1, &["a", "b"])]);
        check("a;b\r\nc;d\r\n", &[(1, &["a", "b"]), (2, &["c", "d"])]);
        check("a;b\r", &[(1, &["a", "b"])]);
        check("a;\n;b\n", &[(1, &["a", ""]), (2, &["", "b"])]);
        check("a\n\n\r\nb\n\n", &[(1, &["a"]), (4, &["b"])]);
        check("é;日本\n", &[(1, &["é", "日本"])]);
    }

    #[test]
    fn quoted_cells() {
        check("\"a;b\";\"c\"\"d\"\n", &[(1, &["a;b", "c\"d"])]);
        check("\"a\nb\";c\nd;e", &[(1, &["a\nb", "c"]), (3, &["d", "e"])]);
        check("\"\"\n\"\";\"\"\r\n", &[(1, &[""]), (2, &["", ""])]);
        check("a \"b\" c;6\"\n", &[(1, &["a \"b\" c", "6\""])]);
        check("a;\"b\"\r", &[(1, &["a", "b"])]);
    }

    #[test]
    fn broken_quotes_name_their_line() {
        assert_eq!(split("a;b\nc;\"d\ne;f\n", ';'), Err(HierarchyError::UnclosedQuote { line: 2 }));
        assert_eq!(split("a;\"b\"c\n", ';'), Err(HierarchyError::TextAfterQuote { line: 1 }));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[a\";,\r\n\u{feff}é]{0,40}") {
            for separator in [';', ',', '\t'] {
                let lines = text.matches('\n').count() + 1;
                for entry in split(&text, separator).unwrap_or_default() {
                    prop_assert!(entry.line <= lines && !entry.cells.is_empty());
                }
            }
        }
    }
}
