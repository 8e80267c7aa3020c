//! What a form is made of.
//!
//! Words are the program's own. What comes from the data or the policy is a [`FormCell::Name`] or [`FormCell::Said`], which each
//! writer escapes.

use crate::write::pen::Picture;

/// A piece of a form.
pub(super) enum FormPart {
    /// A heading.
    Heading(&'static str),
    /// A paragraph; words between backticks are code.
    Text(String),
    /// A list of lines.
    List(Vec<String>),
    /// Terms with what is known of them; what is not is left open.
    Facts(Vec<(&'static str, Option<FormCell>)>),
    /// A table.
    Table(FormTable),
    /// What a person must judge.
    Open(&'static str),
    /// A picture, on the page alone.
    Picture {
        /// What it shows.
        caption: &'static str,
        /// How to read it.
        note: &'static str,
        /// The drawing.
        picture: Picture,
    },
    /// Lines to sign.
    Signatures,
}

/// A table with a heading for each column.
pub(super) struct FormTable {
    /// What it shows.
    pub caption: &'static str,
    /// The headings.
    pub headings: Vec<&'static str>,
    /// The rows, as long as the headings.
    pub rows: Vec<Vec<FormCell>>,
}

/// A cell of a table.
#[derive(Clone)]
pub(super) enum FormCell {
    /// The program's own words.
    Words(String),
    /// A name from the data or the policy.
    Name(String),
    /// A sentence with such names in it, between backticks.
    Said(String),
    /// What a person must judge.
    Open,
}

impl FormCell {
    pub(super) fn words(words: impl Into<String>) -> Self {
        Self::Words(words.into())
    }

    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }
}

/// A paragraph.
pub(super) fn text(words: impl Into<String>) -> FormPart {
    FormPart::Text(words.into())
}
