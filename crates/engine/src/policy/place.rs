//! Where in the policy something stands, and how an error says so.
//!
//! Every complaint about a policy starts with its line number. Names are shown as they were written, cut when long
//! and with control characters escaped, so that a hostile policy cannot paint the terminal.

use crate::error::Error;
use crate::policy::nearest::nearest;

/// Longest piece of a name that a message shows, in characters.
const SHOWN: usize = 60;

/// The line starts of a policy.
#[derive(Debug)]
pub(super) struct LineStarts {
    starts: Vec<usize>,
}

impl LineStarts {
    pub(super) fn new(text: &str) -> Self {
        Self { starts: text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1).collect() }
    }

    /// The line of a byte offset, counted from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        1 + self.starts.partition_point(|start| *start <= at)
    }

    /// An error at a byte offset.
    pub(super) fn error(&self, at: usize, message: impl AsRef<str>) -> Error {
        at_line(self.line(at), message)
    }
}

/// An error at a line.
pub(super) fn at_line(line: usize, message: impl AsRef<str>) -> Error {
    Error::input(format!("policy line {line}: {}", message.as_ref()))
}

/// A name in backticks, harmless and of bounded length.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", shown(name))
}

/// A name, harmless and of bounded length.
pub(super) fn shown(name: &str) -> String {
    let mut shown: String = name.chars().take(SHOWN).flat_map(escaped).collect();
    if name.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn escaped(letter: char) -> Vec<char> {
    if letter.is_control() { letter.escape_default().collect() } else { vec![letter] }
}

/// Names in backticks, the first ten of them.
pub(super) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const LISTED: usize = 10;
    let mut names = names.into_iter();
    let listed: Vec<String> = names.by_ref().take(LISTED).map(quoted).collect();
    match names.count() {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

/// The next step after an unknown name: the nearest known one, and all of them.
pub(super) fn known<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let all = match quoted_list(names.clone()) {
        list if list.is_empty() => "none is known here".to_owned(),
        list => format!("known: {list}"),
    };
    match nearest(wanted, names) {
        Some(name) => format!("did you mean {}? {all}", quoted(name)),
        None => all,
    }
}
