//! Text of separated cells, read exactly.
//!
//! RFC 4180 with any separator: cells may be quoted, a quote inside is doubled, a quoted cell may hold separators and
//! line ends. Lines end with LF or CRLF; blank lines are skipped. A quote inside a bare cell is an ordinary character.
//! Each entry remembers the line it starts in, because that is where a person will look. The cells of a file lie in one
//! text: files of a hundred thousand entries are common, and a text for each cell would take most of the time.
//!
//! Source: RFC 4180.

use super::HierarchyError;

/// The entries of a hierarchy file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entries {
    /// All cells, one behind the other.
    text: String,
    /// Where each cell ends in the text.
    cell_ends: Vec<usize>,
    /// For each entry the line it starts in, and the number of cells up to its end.
    ends: Vec<(usize, usize)>,
}

/// One entry: a value, then its label at each level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'e> {
    all: &'e Entries,
    /// The line it starts in, counted from 1.
    pub line: usize,
    first: usize,
    end: usize,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, place: usize) -> Option<Entry<'_>> {
        let (line, end) = *self.ends.get(place)?;
        let first = place.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |(_, end)| *end);
        Some(Entry { all: self, line, first, end })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// Takes over an entry of another file.
    pub(super) fn push(&mut self, entry: Entry<'_>) {
        for cell in entry.cells() {
            self.text.push_str(cell);
            self.cell_ends.push(self.text.len());
        }
        self.ends.push((entry.line, self.cell_ends.len()));
    }
}

impl<'e> Entry<'e> {
    /// How many cells it has.
    pub(super) fn width(&self) -> usize {
        self.end - self.first
    }

    pub(super) fn cell(&self, level: usize) -> Option<&'e str> {
        let place = (self.first + level < self.end).then_some(self.first + level)?;
        let start = place.checked_sub(1).and_then(|before| self.all.cell_ends.get(before)).copied().unwrap_or(0);
        self.all.text.get(start..*self.all.cell_ends.get(place)?)
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &'e str> {
        (0..self.width()).filter_map(|level| self.cell(level))
    }

    /// The value that the entry is about.
    pub(super) fn leaf(&self) -> Option<&'e str> {
        self.cell(0)
    }

    /// Its label at the last level.
    pub(super) fn last(&self) -> Option<&'e str> {
        self.cell(self.width().checked_sub(1)?)
    }
}

/// The entries of a text whose separator, an ASCII character, is known.
pub(super) fn split(text: &str, separator: char) -> Result<Entries, HierarchyError> {
    let mut reader = EntryReader { rest: text, line: 1, separator, found: Entries::default() };
    reader.found.text.reserve(text.len());
    while !reader.rest.is_empty() {
        reader.entry()?;
    }
    Ok(reader.found)
}

struct EntryReader<'a> {
    rest: &'a str,
    line: usize,
    separator: char,
    found: Entries,
}

impl<'a> EntryReader<'a> {
    fn entry(&mut self) -> Result<(), HierarchyError> {
        let (line, is_quoted) = (self.line, self.rest.starts_with('"'));
        let (cells, letters) = (self.found.cell_ends.len(), self.found.text.len());
        loop {
            if self.rest.starts_with('"') {
                self.quoted()?;
            } else {
                self.bare();
            }
            self.found.cell_ends.push(self.found.text.len());
            match self.rest.strip_prefix(self.separator) {
                Some(after) => self.rest = after,
                None => break,
            }
        }
        if let Some(after) = self.rest.strip_prefix('\n') {
            self.rest = after;
            self.line += 1;
        }
        let is_blank = !is_quoted && self.found.cell_ends.len() == cells + 1 && self.found.text.len() == letters;
        if is_blank {
            self.found.cell_ends.pop();
        } else {
            self.found.ends.push((line, self.found.cell_ends.len()));
        }
        Ok(())
    }

    /// All up to the separator or the end of the line.
    fn bare(&mut self) {
        let is_end = |byte: &u8| char::from(*byte) == self.separator || *byte == b'\n';
        let end = self.rest.as_bytes().iter().position(is_end);
        let cell = self.take(end.unwrap_or(self.rest.len()));
        let ends_line = !self.rest.starts_with(self.separator);
        self.found.text.push_str(cell.strip_suffix('\r').filter(|_| ends_line).unwrap_or(cell));
    }

    /// All up to the closing quote, doubled quotes made single.
    fn quoted(&mut self) -> Result<(), HierarchyError> {
        let (opened, start) = (self.line, self.found.text.len());
        self.take(1);
        loop {
            let end = self.rest.find('"').ok_or(HierarchyError::UnclosedQuote { line: opened })?;
            let cell = self.take(end);
            self.found.text.push_str(cell);
            self.take(1);
            if !self.rest.starts_with('"') {
                break;
            }
            let quote = self.take(1);
            self.found.text.push_str(quote);
        }
        self.line += self.found.text.get(start..).unwrap_or_default().matches('\n').count();
        self.end_of_quoted(opened)
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
            entries.iter().map(|entry| (entry.line, entry.cells().collect())).collect();
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
                for entry in split(&text, separator).unwrap_or_default().iter() {
                    prop_assert!(entry.line <= lines && entry.width() > 0);
                }
            }
        }
    }
}
