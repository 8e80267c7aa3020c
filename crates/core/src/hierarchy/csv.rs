//! Hierarchy files in the layout of ARX.
//!
//! One line per value, no header: the value, then its label at each level, separated by `;`, `,` or tab. The separator
//! is the one that cuts all lines alike; labels such as `[15, 20[` hold commas, so one line is not enough to tell. A top
//! level `*` is added unless the last column is the same for all values.
//!
//! [`HierarchyFile`] keeps line numbers, ragged entries and contradictions as they are: [`HierarchyFile::fit`] refuses them, and
//! [`lint`](super::lint()) lists them. All values of the file belong to the ladder, whether the column holds them or not.
//!
//! ```
//! use equanym_core::hierarchy::csv::HierarchyFile;
//!
//! let file = HierarchyFile::parse("Single;Never married\nWidowed;Been married\nDivorced;Been married\n")?;
//! let ladder = file.fit(&["Widowed".into()])?;
//! assert_eq!((ladder.values().len(), ladder.height()), (3, 2));
//! # Ok::<(), equanym_core::hierarchy::HierarchyError>(())
//! ```

use hashbrown::{HashMap, HashSet};

use super::entry::{self, Entries, Entry};
use super::{Code, Hierarchy, HierarchyError, LabelRule, Level, MISSING, TOP, cycle};

/// The separator of files that are written.
pub(super) const SEPARATOR: char = ';';

/// The separators that are tried, the usual one first.
const SEPARATORS: [char; 3] = [SEPARATOR, '\t', ','];

/// A hierarchy file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyFile {
    /// What separates the cells.
    pub separator: char,
    /// The entries in file order.
    pub(super) entries: Entries,
    /// The number of cells that most entries have.
    width: usize,
    /// The labels of each level, each once; none where entries differ in width.
    pub(super) levels: Vec<LevelLabels>,
}

/// The labels of one level, each once, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LevelLabels {
    /// For each label the first entry that has it.
    pub first: Vec<usize>,
    /// For each entry the number of its label.
    pub of: Vec<Code>,
}

impl HierarchyFile {
    /// Reads a file; a byte order mark at its start is skipped.
    pub fn parse(text: &str) -> Result<Self, HierarchyError> {
        if let Some((before, _)) = text.split_once('\0') {
            return Err(HierarchyError::Nul { line: before.matches('\n').count() + 1 });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let read = |separator| Ok((separator, entry::split(text, separator)?));
        let present = SEPARATORS.into_iter().filter(|separator| text.contains(*separator));
        let (good, bad): (Vec<_>, Vec<_>) = present.map(read).partition(Result::is_ok);
        // Of equals the last is taken, hence the reverse: the usual separator comes first.
        let best = good.into_iter().flatten().rev().max_by_key(|(_, entries)| plausibility(entries));
        let best = best.map(Ok).or(bad.into_iter().next()).unwrap_or_else(|| read(SEPARATOR));
        best.and_then(|(separator, entries)| Self::new(separator, entries))
    }

    /// A file of these entries.
    pub(super) fn new(separator: char, entries: Entries) -> Result<Self, HierarchyError> {
        let width = usual_width(&entries);
        let is_regular = entries.iter().all(|entry| entry.width() == width);
        let mut levels: Vec<LevelLabels> = Vec::new();
        for level in (0..width).filter(|_| is_regular) {
            // Mostly fewer labels from level to level.
            let room = levels.last().map_or(entries.len(), |below| below.first.len());
            levels.push(labels(&entries, level, room)?);
        }
        Ok(Self { separator, entries, width, levels })
    }

    /// The number of columns that most entries have.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The texts of a level's labels.
    pub(super) fn texts(&self, level: usize) -> impl Iterator<Item = &str> {
        let first = self.levels.get(level).map_or(&[][..], |labels| &labels.first);
        first.iter().map(move |entry| self.entries.get(*entry).and_then(|entry| entry.cell(level)).unwrap_or_default())
    }

    /// The ladder over all values of the file, and the missing value when the column holds it.
    pub fn fit(&self, values: &[String]) -> Result<Hierarchy, HierarchyError> {
        self.check()?;
        let mut places: HashMap<&str, usize> = HashMap::with_capacity(self.entries.len());
        places.extend(self.entries.iter().filter_map(|entry| entry.leaf()).zip(0..));
        super::all_listed(values, |value| places.contains_key(value))?;
        let adds_missing = values.iter().any(String::is_empty) && !places.contains_key(MISSING);
        let mut levels: Vec<Level> = (0..self.width).map(|level| self.level(level, adds_missing)).collect();
        let present = values.iter().filter(|value| !value.is_empty()).filter_map(|value| places.get(value.as_str()));
        if self.reaches_top(present.copied())
            && let Some(last) = levels.last_mut()
        {
            *last = Level::single(TOP, last.of.len(), LabelRule::Listed);
        }
        let ladder = Hierarchy::rooted(levels)?;
        match cycle::find(&ladder) {
            None => Ok(ladder),
            Some(codes) => Err(HierarchyError::Cycle { lines: self.lines(codes) }),
        }
    }

    fn level(&self, level: usize, adds_missing: bool) -> Level {
        let Some(labels) = self.levels.get(level) else { return Level::single(TOP, 0, LabelRule::Listed) };
        let mut texts: Vec<String> = self.texts(level).map(str::to_owned).collect();
        let mut of = labels.of.clone();
        if adds_missing {
            let known = texts.iter().position(String::is_empty);
            let code = known.unwrap_or_else(|| {
                texts.push(MISSING.to_owned());
                texts.len() - 1
            });
            of.push(Code::try_from(code).unwrap_or(Code::MAX));
        }
        Level { labels: texts, of, rule: if level == 0 { LabelRule::AsCollected } else { LabelRule::Listed } }
    }

    /// Whether these entries, all that the column holds, end with `*`. Then the last column is the top, whatever it says of
    /// other values: one stray line shall not add a level that changes nothing.
    fn reaches_top(&self, mut present: impl Iterator<Item = usize>) -> bool {
        let ends = |place: usize| self.entries.get(place).and_then(|entry| entry.last()) == Some(TOP);
        self.width > 1 && present.next().is_some_and(ends) && present.all(ends)
    }

    /// The same for the values of a column.
    pub(super) fn all_reach_top(&self, values: &[String]) -> bool {
        let present: HashSet<&str> = values.iter().map(String::as_str).filter(|value| *value != MISSING).collect();
        let is_present = |place: &usize| {
            self.entries.get(*place).and_then(|entry| entry.leaf()).is_some_and(|leaf| present.contains(leaf))
        };
        !present.is_empty() && self.reaches_top((0..self.entries.len()).filter(is_present))
    }

    /// The lines of entries, in order and each once.
    pub(super) fn lines(&self, entries: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut lines: Vec<usize> =
            entries.into_iter().filter_map(|place| self.entries.get(place)).map(|entry| entry.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Refuses what no ladder can be made of.
    fn check(&self) -> Result<(), HierarchyError> {
        if self.width == 0 {
            return Err(HierarchyError::NoRows);
        }
        if let Some(entry) = self.ragged().next() {
            return Err(HierarchyError::Ragged { line: entry.line, expected: self.width, found: entry.width() });
        }
        if let Some((entry, level)) = self.empty_labels().next() {
            return Err(HierarchyError::EmptyLabel { line: entry.line, level });
        }
        match self.repeats().first().map(Vec::as_slice) {
            Some([first, second, ..]) => Err(repeat(first, second)),
            _ => Ok(()),
        }
    }

    /// Entries with another number of columns than most.
    pub(super) fn ragged(&self) -> impl Iterator<Item = Entry<'_>> {
        self.entries.iter().filter(|entry| entry.width() != self.width)
    }

    /// Values that would become missing on the way up. The missing value itself may stay so.
    pub(super) fn empty_labels(&self) -> impl Iterator<Item = (Entry<'_>, usize)> {
        let has_empty = |level: usize| self.texts(level).any(str::is_empty);
        let is_possible = self.levels.is_empty() || (1..self.width).any(has_empty);
        let present = self.entries.iter().filter(move |entry| is_possible && entry.leaf() != Some(MISSING));
        present.filter_map(|entry| Some((entry, entry.cells().position(str::is_empty)?)))
    }

    /// Entries that list the same value, in file order.
    pub(super) fn repeats(&self) -> Vec<Vec<Entry<'_>>> {
        if self.levels.first().is_some_and(|leaves| leaves.first.len() == self.entries.len()) {
            return Vec::new();
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut groups: Vec<Vec<Entry<'_>>> = Vec::new();
        for entry in self.entries.iter() {
            let Some(leaf) = entry.leaf() else { continue };
            let place = *places.entry(leaf).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

/// The number of cells that most entries have.
fn usual_width(entries: &Entries) -> usize {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for entry in entries.iter() {
        *counts.entry(entry.width()).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width)
}

/// How well a separator explains a file: it cuts all entries alike and one last label remains; it cuts all entries; or it
/// cuts some of them.
fn plausibility(entries: &Entries) -> (u8, usize) {
    let width = usual_width(entries);
    let alike = entries.iter().filter(|entry| entry.width() == width).count();
    let mut last = entries.iter().filter_map(|entry| entry.last());
    let first = last.next();
    if width > 1 && alike == entries.len() && last.all(|label| Some(label) == first) {
        (3, 0)
    } else if entries.iter().all(|entry| entry.width() > 1) {
        (2, 0)
    } else {
        (1, alike)
    }
}

/// Numbers the labels of a level, about so many.
fn labels(entries: &Entries, level: usize, about: usize) -> Result<LevelLabels, HierarchyError> {
    let mut codes: HashMap<&str, Code> = HashMap::with_capacity(about);
    let mut labels = LevelLabels { first: Vec::new(), of: Vec::with_capacity(entries.len()) };
    for (place, label) in entries.iter().filter_map(|entry| entry.cell(level)).enumerate() {
        let next = Code::try_from(codes.len()).map_err(|_| HierarchyError::TooMany)?;
        let code = *codes.entry(label).or_insert(next);
        if code == next {
            labels.first.push(place);
        }
        labels.of.push(code);
    }
    Ok(labels)
}

fn repeat(first: &Entry<'_>, second: &Entry<'_>) -> HierarchyError {
    let (one, two) = (first.line, second.line);
    if first.cells().eq(second.cells()) {
        HierarchyError::RepeatedLeaf { first: one, second: two }
    } else {
        HierarchyError::TwoParents { first: one, second: two }
    }
}

/// Writes a cell, quoted where a reader would misunderstand it.
pub(super) fn write_cell(text: &mut String, cell: &str) {
    if cell.contains([SEPARATOR, '"', '\n', '\r']) || cell.starts_with('\u{feff}') {
        text.push('"');
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(cell);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, LabelRule};
    use super::*;
    use crate::made_up::texts;
    use proptest::prelude::*;

    fn fit(text: &str, values: &[&str]) -> Result<Hierarchy, HierarchyError> {
        HierarchyFile::parse(text)?.fit(&texts(values))
    }

    #[test]
    fn the_separator_cuts_all_lines_alike() {
        let check = |text: &str, separator: char, width: usize| {
            let file = HierarchyFile::parse(text).unwrap();
            assert_eq!((file.separator, file.width()), (separator, width), "{text:?}");
        };
        check("a;x;*\nb;y;*\n", ';', 3);
        check("a,x,*\nb,y,*\n", ',', 3);
        check("a\tx\t*\nb\ty\t*\n", '\t', 3);
        check("17;[15, 20[;*\n23;[20, 25[;*\n", ';', 3);
        check("17;[15, 20[\n23;[20, 25[\n", ';', 2);
        check("17,[15;20[,*\n23,[20;25[,*\n", ',', 3);
        check("17,\"[15, 20[\",*\n23,\"[20, 25[\",*\n", ',', 3);
        check("a;{a, b}\nb;{a, b}\n", ';', 2);
        check("a, b;x\nc;y\n", ';', 2);
        check("17;[15, 20[;[0, 20[;*\n23;[20, 25[\n24;[20, 25[;[20, 40[;*\n", ';', 4);
        check("a\nb\n", ';', 1);
        check("", ';', 0);
    }

    #[test]
    fn a_file_becomes_a_ladder() {
        let check = |text: &str, values: &[&str], expected: &str| {
            assert_eq!(fit(text, values).unwrap().to_csv(), expected, "{text:?}");
        };
        check("\u{feff}a;x;*\r\nb;y;*\r\n", &["a"], "a;x;*\nb;y;*\n");
        check("a;x\nb;y\n", &[], "a;x;*\nb;y;*\n");
        check("a;all\nb;all\n", &[""], "a;all\nb;all\n;all\n");
        check("a;x;*\nb;y;*\n", &["", "b"], "a;x;*\nb;y;*\n;;*\n");
        check("a;x;*\n;unknown;*\n", &["", "a"], "a;x;*\n;unknown;*\n");
        check("a;x;*\nb;y;*\n;;\n", &[], "a;x;*\nb;y;*\n;;*\n");
        check("a\nb\n", &[], "a;*\nb;*\n");
    }

    #[test]
    fn a_stray_line_adds_no_level() {
        let text = "a;x;*\nb;y;*\nstray;z;z\n";
        assert_eq!(fit(text, &["", "a", "b"]).unwrap().to_csv(), "a;x;*\nb;y;*\nstray;z;*\n;;*\n");
        assert_eq!(fit(text, &["a", "stray"]).unwrap().height(), 3);
        assert_eq!(fit(text, &[]).unwrap().height(), 3);
    }

    #[test]
    fn the_rules_say_that_labels_are_listed() {
        let ladder = fit("a;x;*\nb;y;*\n", &[]).unwrap();
        let rules: Vec<&LabelRule> = ladder.levels().iter().map(|level| &level.rule).collect();
        assert_eq!(rules, [&LabelRule::AsCollected, &LabelRule::Listed, &LabelRule::Top]);
        assert_eq!(ladder.levels()[1].of, [0, 1]);
    }

    #[test]
    fn a_label_with_two_parents_loads_but_is_not_nested() {
        let ladder = fit("a;x;p;*\nb;x;q;*\n", &[]).unwrap();
        assert_eq!(ladder.first_unnested(), Some(2));
    }

    #[test]
    fn files_that_make_no_ladder_name_their_lines() {
        let check = |text: &str, expected: HierarchyError| assert_eq!(fit(text, &[]), Err(expected), "{text:?}");
        check("", HierarchyError::NoRows);
        check("\n\n", HierarchyError::NoRows);
        check("a;x;*\nb;*\nc;y;*\n", HierarchyError::Ragged { line: 2, expected: 3, found: 2 });
        check("a;x;*\n\na;x;*\n", HierarchyError::RepeatedLeaf { first: 1, second: 3 });
        check("a;x;*\nb;x;*\na;y;*\n", HierarchyError::TwoParents { first: 1, second: 3 });
        check("a;b;*\nb;a;*\n", HierarchyError::Cycle { lines: vec![1, 2] });
        check("a;b;a\n", HierarchyError::Cycle { lines: vec![1] });
        check("a;x;*\nb;;*\n", HierarchyError::EmptyLabel { line: 2, level: 1 });
        check("a;x;*;\nb;y;*;\n", HierarchyError::EmptyLabel { line: 1, level: 3 });
        check("a;\"x;*\n", HierarchyError::UnclosedQuote { line: 1 });
        check("a;x\nb;\0\n", HierarchyError::Nul { line: 2 });
    }

    #[test]
    fn unlisted_values_are_counted_and_not_shown() {
        let error = fit("a;x;*\n", &["", "a", "secret", "other"]).unwrap_err();
        assert_eq!(error, HierarchyError::Unlisted { count: 2, positions: vec![2, 3] });
        assert!(!error.to_string().contains("secret"));
    }

    #[test]
    fn a_hundred_thousand_rows_are_no_trouble() {
        let line = |zip: u32| format!("{zip:05};{:04}*;{:03}**;*\n", zip / 10, zip / 100);
        let text = (0..100_000).fold(String::new(), |text, zip| text + &line(zip));
        let ladder = fit(&text, &["00000", "99999"]).unwrap();
        assert_eq!((ladder.values().len(), ladder.levels()[1].labels.len()), (100_000, 10_000));
        assert!(ladder.is_nested());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            values in prop::collection::hash_set("[a-c;,\"\t\r\n é\u{feff}-]{0,4}", 1..20), keep in 1_usize..4,
        ) {
            let values: Vec<String> = values.into_iter().collect();
            let ladder = Builder::Prefix { keep: vec![keep] }.fit(&values).unwrap();
            let file = HierarchyFile::parse(&ladder.to_csv()).unwrap();
            prop_assert_eq!(file.separator, SEPARATOR);
            let reread = file.fit(&values).unwrap();
            prop_assert_eq!(reread.to_csv(), ladder.to_csv());
            for (left, right) in reread.levels().iter().zip(ladder.levels()) {
                prop_assert_eq!((&left.labels, &left.of), (&right.labels, &right.of));
            }
        }

        #[test]
        fn no_text_breaks_the_reader(text in "[ab;,\"\t\r\n*\0é]{0,60}", values in prop::collection::vec("[ab]?", 0..4)) {
            if let Ok(ladder) = HierarchyFile::parse(&text).and_then(|file| file.fit(&values)) {
                let size = ladder.values().len();
                prop_assert!(ladder.levels().iter().all(|level| level.of.len() == size));
                prop_assert!(ladder.levels().last().unwrap().labels.len() == 1);
                prop_assert!(values.iter().all(|value| ladder.values().contains(value)));
            }
        }
    }
}
