//! What is wrong or doubtful in a hierarchy file.
//!
//! An *error* keeps the file from being used; a *warning* does not. All findings are listed at once, with line numbers
//! and without a value of the data, so the list can be pasted into a ticket.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};
use serde::Serialize;

use super::bands::{BandSeam, NumberBand, seams};
use super::csv::HierarchyFile;
use super::entry::{Entries, Entry};
use super::{Code, HierarchyError, MISSING, TOP};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but may not say what was meant.
    Warning,
}

/// One thing that is wrong or doubtful.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LadderFinding {
    /// How bad it is.
    pub severity: Severity,
    /// The kind of finding, one word for scripts.
    pub code: &'static str,
    /// Where to look: the first lines concerned.
    pub lines: Vec<usize>,
    /// What it is, without values.
    pub message: String,
}

/// The most lines that one finding names, and the most values with findings of their own.
const MOST: usize = 20;

/// All findings on a file, errors first; with the distinct values of a column also those that the file does not list.
#[must_use]
pub fn lint(file: &HierarchyFile, values: Option<&[String]>) -> Vec<LadderFinding> {
    let regular = regular(file);
    let mut findings: Vec<LadderFinding> = structure(file).into_iter().collect();
    findings.extend(repeated(file));
    findings.extend(values.and_then(|values| unlisted(file, values)));
    findings.extend(circles(&regular));
    findings.extend(rootless(&regular, values.unwrap_or_default()));
    findings.extend(doubts(&regular));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// What is doubtful in a file that makes a ladder, other than that its top has to be added.
#[must_use]
pub fn doubts(file: &HierarchyFile) -> Vec<LadderFinding> {
    let mut findings = Vec::new();
    for level in 0..file.width() {
        findings.extend(splits(file, level));
        findings.extend(echoes(file, level));
        findings.extend(look_alikes(file, level));
        findings.extend(inverted(file, level));
        findings.extend(unmet(file, level));
    }
    findings
}

/// The entries that a ladder could be made of: of the usual width, without empty labels, each value once.
fn regular(file: &HierarchyFile) -> Cow<'_, HierarchyFile> {
    let broken: HashSet<usize> =
        file.ragged().chain(file.empty_labels().map(|(entry, _)| entry)).map(|entry| entry.line).collect();
    if broken.is_empty() && file.repeats().is_empty() {
        return Cow::Borrowed(file);
    }
    let mut seen: HashSet<&str> = HashSet::new();
    let mut kept = Entries::default();
    for entry in file.entries.iter() {
        if !broken.contains(&entry.line) && entry.leaf().is_some_and(|leaf| seen.insert(leaf)) {
            kept.push(entry);
        }
    }
    HierarchyFile::new(file.separator, kept).map_or(Cow::Borrowed(file), Cow::Owned)
}

fn error(code: &'static str, lines: Vec<usize>, message: String) -> LadderFinding {
    finding(Severity::Error, code, lines, message)
}

fn warning(code: &'static str, lines: Vec<usize>, message: String) -> LadderFinding {
    finding(Severity::Warning, code, lines, message)
}

fn finding(severity: Severity, code: &'static str, mut lines: Vec<usize>, message: String) -> LadderFinding {
    lines.sort_unstable();
    lines.dedup();
    lines.truncate(MOST);
    LadderFinding { severity, code, lines, message }
}

/// Entries of which no ladder can be made.
fn structure(file: &HierarchyFile) -> Vec<LadderFinding> {
    let width = file.width();
    let ragged: Vec<usize> = file.ragged().map(|entry| entry.line).collect();
    let empty: Vec<usize> = file.empty_labels().map(|(entry, _)| entry.line).collect();
    let mut findings = Vec::new();
    if width == 0 {
        findings.push(error("empty", Vec::new(), "the file has no rows".into()));
    }
    if !ragged.is_empty() {
        let message = format!("{} row(s) do not have the {width} columns of the others", ragged.len());
        findings.push(error("ragged", ragged, message));
    }
    if !empty.is_empty() {
        let message = format!("{} row(s) have an empty label; only the missing value may have one", empty.len());
        findings.push(error("empty-label", empty, message));
    }
    findings
}

/// Values that are listed twice, with the same labels or with others.
fn repeated(file: &HierarchyFile) -> Vec<LadderFinding> {
    let repeats = file.repeats();
    let lines = |group: &[Entry<'_>]| group.iter().map(|entry| entry.line).collect();
    let one = |group: &Vec<Entry<'_>>| match group.as_slice() {
        [first, others @ ..] if others.iter().all(|entry| entry.cells().eq(first.cells())) => {
            error("duplicate-leaf", lines(group), format!("one value is listed {} times", group.len()))
        }
        _ => error("two-parents", lines(group), "one value is listed with different parents".into()),
    };
    let mut findings: Vec<LadderFinding> = repeats.iter().take(MOST).map(one).collect();
    if let Some(others) = repeats.get(MOST..).filter(|others| !others.is_empty()) {
        let all = others.iter().flatten().map(|entry| entry.line).collect();
        findings.push(error("duplicate-leaf", all, format!("{} more values are listed more than once", others.len())));
    }
    findings
}

/// Values of the column that the file does not list.
fn unlisted(file: &HierarchyFile, values: &[String]) -> Option<LadderFinding> {
    let listed: HashSet<&str> = file.entries.iter().filter_map(|entry| entry.leaf()).collect();
    let found = super::all_listed(values, |value| listed.contains(value)).err()?;
    Some(error("unlisted", Vec::new(), found.to_string()))
}

/// Labels that generalise into one another, and ladders with too many levels.
fn circles(regular: &HierarchyFile) -> Option<LadderFinding> {
    match regular.fit(&[]).err()? {
        HierarchyError::Cycle { lines } => Some(error(
            "cycle",
            lines,
            "labels generalise into one another: a label does not tell what it stands for".into(),
        )),
        HierarchyError::NoRows => None,
        other => Some(error("too-tall", Vec::new(), other.to_string())),
    }
}

/// A last level with several labels: the top is added, unless all values of the column reach it.
fn rootless(regular: &HierarchyFile, values: &[String]) -> Option<LadderFinding> {
    let mut present =
        regular.entries.iter().filter(|entry| entry.leaf() != Some(MISSING)).filter_map(|entry| entry.last());
    let first = present.next()?;
    if regular.width() > 1 && present.all(|label| label == first) {
        return None;
    }
    let below: Vec<usize> =
        regular.entries.iter().filter(|entry| entry.last() != Some(TOP)).map(|entry| entry.line).collect();
    Some(if regular.all_reach_top(values) {
        let message = format!("{} row(s) do not end with `*`; none of them is in the column", below.len());
        warning("no-root", below, message)
    } else {
        let message = "the last column is not the same for all values: a top level `*` is added";
        warning("no-root", if below.len() < regular.entries.len() { below } else { Vec::new() }, message.into())
    })
}

/// For each entry the numbers of its labels at a level and at the next.
fn steps(file: &HierarchyFile, level: usize) -> impl Iterator<Item = (usize, (Code, Code))> {
    let codes = |level: usize| file.levels.get(level).map_or(&[][..], |labels| &labels.of);
    codes(level).iter().copied().zip(codes(level + 1).iter().copied()).enumerate()
}

/// Labels of this level that the next level splits.
fn splits(regular: &HierarchyFile, level: usize) -> Option<LadderFinding> {
    // Two parents of a value are errors of their own.
    let labels = regular.levels.get(level).filter(|_| level > 0)?;
    let mut parents: Vec<Option<(usize, Code)>> = vec![None; labels.first.len()];
    let mut split: HashSet<Code> = HashSet::new();
    let mut entries = Vec::new();
    for (entry, (label, parent)) in steps(regular, level) {
        let Some(known) = parents.get_mut(label as usize) else { continue };
        let (first, expected) = *known.get_or_insert((entry, parent));
        if parent != expected && split.insert(label) {
            entries.extend([first, entry]);
        }
    }
    let message = |count| format!("level {} splits {count} label(s) of level {level}: not nested", level + 1);
    (!split.is_empty()).then(|| warning("not-nested", regular.lines(entries), message(split.len())))
}

/// Labels that are the same as the label above.
fn echoes(regular: &HierarchyFile, level: usize) -> Option<LadderFinding> {
    let mut labels: HashSet<Code> = HashSet::new();
    let mut entries = Vec::new();
    let (texts, above): (Vec<&str>, Vec<&str>) = (regular.texts(level).collect(), regular.texts(level + 1).collect());
    for (entry, (label, parent)) in steps(regular, level) {
        let text = texts.get(label as usize).filter(|text| !text.is_empty());
        if text.is_some() && text == above.get(parent as usize) && labels.insert(label) {
            entries.push(entry);
        }
    }
    let message = |count| format!("{count} label(s) of level {level} are the same at level {}", level + 1);
    (!labels.is_empty()).then(|| warning("same-as-parent", regular.lines(entries), message(labels.len())))
}

/// Labels that only white space or case tells apart. Labels without either differ at a glance from each other.
fn look_alikes(regular: &HierarchyFile, level: usize) -> Option<LadderFinding> {
    let labels = regular.levels.get(level)?;
    if regular.texts(level).all(is_plain) {
        return None;
    }
    let mut looks: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut entries = Vec::new();
    let mut count = 0_usize;
    for (text, &entry) in regular.texts(level).zip(&labels.first) {
        let look = if is_plain(text) { Cow::Borrowed(text) } else { Cow::Owned(look(text)) };
        let first = *looks.entry(look).or_insert(entry);
        if first != entry {
            entries.extend([first, entry]);
            count += 1;
        }
    }
    let message = || format!("{count} label(s) of level {level} differ from others by white space or case only");
    (count > 0).then(|| warning("look-alike", regular.lines(entries), message()))
}

/// Whether a label looks as it is written.
fn is_plain(label: &str) -> bool {
    label.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase())
}

/// What a label looks like at a glance: no white space, no invisible characters, no case.
fn look(label: &str) -> String {
    let is_seen = |character: &char| {
        !character.is_whitespace() && !matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
    };
    label.chars().filter(is_seen).flat_map(char::to_lowercase).collect()
}

/// Bands of this level whose ends are in the wrong order: no number is in them.
fn inverted(regular: &HierarchyFile, level: usize) -> Option<LadderFinding> {
    let labels = regular.levels.get(level)?;
    let found = regular.texts(level).zip(&labels.first).filter(|(text, _)| NumberBand::is_inverted(text));
    let entries: Vec<usize> = found.map(|(_, entry)| *entry).collect();
    let message = |count| format!("{count} band(s) of level {level} end below their start: no number is in them");
    (!entries.is_empty()).then(|| warning("inverted", regular.lines(entries.clone()), message(entries.len())))
}

/// Bands of this level that leave gaps or overlap, and numbers outside of their band.
fn unmet(regular: &HierarchyFile, level: usize) -> Vec<LadderFinding> {
    let Some(labels) = regular.levels.get(level).filter(|_| level > 0) else { return Vec::new() };
    let named: Vec<Option<NumberBand>> = regular.texts(level).map(NumberBand::parse).collect();
    if named.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut lines: Vec<usize> = Vec::new();
    let mut bands: Vec<NumberBand> = Vec::new();
    let mut seen: HashSet<NumberBand> = HashSet::new();
    let mut outside = Vec::new();
    for (entry, label) in regular.entries.iter().zip(&labels.of) {
        let Some(band) = named.get(*label as usize).copied().flatten() else { continue };
        if entry.leaf().is_some_and(|leaf| band.excludes(leaf)) {
            outside.push(entry.line);
        }
        if seen.insert(band) {
            bands.push(band);
            lines.push(entry.line);
        }
    }
    let found = seams(&bands);
    let kinds = [(BandSeam::Gap, "gap", "gap(s) between bands"), (BandSeam::Overlap, "overlap", "overlap(s) of bands")];
    let mut findings = Vec::new();
    for (kind, code, words) in kinds {
        let pairs = found.iter().filter(|(seam, ..)| *seam == kind);
        let count = pairs.clone().count();
        if count > 0 {
            let places =
                pairs.flat_map(|(_, left, right)| [*left, *right]).filter_map(|place| lines.get(place).copied());
            findings.push(warning(code, places.collect(), format!("level {level} has {count} {words}")));
        }
    }
    if !outside.is_empty() {
        let message = format!("{} number(s) lie outside of their band at level {level}", outside.len());
        findings.push(warning("outside-band", outside, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, values: Option<&[&str]>) -> Vec<(&'static str, Vec<usize>)> {
        let values: Option<Vec<String>> = values.map(|values| values.iter().map(ToString::to_string).collect());
        let findings = lint(&HierarchyFile::parse(text).unwrap(), values.as_deref());
        findings.into_iter().map(|finding| (finding.code, finding.lines)).collect()
    }

    fn check(text: &str, expected: &[(&'static str, &[usize])]) {
        let expected: Vec<_> = expected.iter().map(|(code, lines)| (*code, lines.to_vec())).collect();
        assert_eq!(found(text, None), expected, "{text:?}");
    }

    #[test]
    fn a_clean_file_has_no_findings() {
        check("a;x;*\nb;x;*\nc;y;*\n", &[]);
        check("3;[0, 5[;[0, 10[;*\n7;[5, 10[;[0, 10[;*\n12;[10, 15[;[10, 20[;*\n", &[]);
        check("3;0-4;*\n7;5-9;*\n;;*\n", &[]);
    }

    #[test]
    fn errors_name_their_lines() {
        check("", &[("empty", &[])]);
        check("a;x;*\nb;*\nc;x;*\n", &[("ragged", &[2])]);
        check("a;x;*\nb;;*\n", &[("empty-label", &[2])]);
        check("a;x;*\nb;x;*\na;x;*\na;x;*\n", &[("duplicate-leaf", &[1, 3, 4])]);
        check("a;x;*\nb;x;*\na;y;*\n", &[("two-parents", &[1, 3])]);
        check("a;b;*\nb;a;*\n", &[("cycle", &[1, 2])]);
    }

    #[test]
    fn warnings_name_their_lines() {
        check("a;x\nb;y\n", &[("no-root", &[])]);
        check("a\nb\n", &[("no-root", &[])]);
        check("a;*\nb;*\nc;x\n", &[("no-root", &[3])]);
        check("a;x;p;*\nb;x;q;*\nc;x;q;*\n", &[("not-nested", &[1, 2])]);
        check("a;a;*\nb;x;*\n", &[("same-as-parent", &[1])]);
        check("a;x;*\nb;x ;*\nc;X;*\n", &[("look-alike", &[1, 2, 3])]);
        check("ab;x;*\na\u{a0}b;x;*\na\u{200b}B;x;*\n", &[("look-alike", &[1, 2, 3])]);
        check("1;0-4;*\n2;0-4;*\n8;6-9;*\n", &[("gap", &[1, 3])]);
        check("1;[0, 5[;*\n8;[4, 9[;*\n", &[("overlap", &[1, 2])]);
        check("1;[0, 5[;*\n5;[0, 5[;*\n", &[("outside-band", &[2])]);
        check("20;[20, 22[;*\n22;[24, 22[;*\n", &[("inverted", &[2])]);
    }

    #[test]
    fn unlisted_values_are_counted_without_the_missing_one() {
        let text = "a;x;*\nb;y;*\n";
        assert_eq!(found(text, Some(&["", "a"])), []);
        assert_eq!(found("a;*\nb;*\nstray;x\n", Some(&["a"])), [("no-root", vec![3])]);
        let values = ["a".to_owned(), "secret".to_owned()];
        let findings = lint(&HierarchyFile::parse(text).unwrap(), Some(&values));
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].code, findings[0].severity), ("unlisted", Severity::Error));
        assert_eq!(findings[0].message, "1 distinct value of the column is not in the hierarchy");
    }

    #[test]
    fn a_flood_is_cut() {
        let once = (0..500).fold(String::new(), |text, value| text + &format!("v{value};x;*\n"));
        let findings = lint(&HierarchyFile::parse(&once.repeat(2)).unwrap(), None);
        assert_eq!(findings.len(), MOST + 1);
        assert_eq!(findings[MOST].message, "480 more values are listed more than once");
        assert_eq!(findings[MOST].lines.len(), MOST);
    }

    proptest! {
        #[test]
        fn errors_are_what_fit_refuses(
            text in "([abAB ]{0,2}|[0-9]-[0-9]|\\[[0-9], [0-9]\\[)([;,\n]([abAB* ]{0,2}|[0-9]-[0-9])){0,12}",
            values in prop::collection::vec("[ab]?", 0..3),
        ) {
            let file = HierarchyFile::parse(&text).unwrap();
            let has_errors = lint(&file, Some(&values)).iter().any(|finding| finding.severity == Severity::Error);
            prop_assert_eq!(has_errors, file.fit(&values).is_err());
        }

        #[test]
        fn no_text_breaks_the_lint(text in "\\PC{0,20}([;,\t\n\"]\\PC{0,6}){0,10}") {
            if let Ok(file) = HierarchyFile::parse(&text) {
                let lines = text.matches('\n').count() + 1;
                for finding in lint(&file, None) {
                    prop_assert!(finding.lines.iter().all(|line| *line <= lines));
                }
            }
        }
    }
}
