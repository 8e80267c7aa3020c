//! What a cell's text becomes: trimmed and normalised when asked, and missing when it says so.
//!
//! The order is trim, normalise, then the test for missing, so that ` NA ` counts as the token `NA` when blanks are
//! trimmed. Without these wishes a cell is taken exactly as it stands: blanks and composed letters distinguish values.

use std::borrow::Cow;

use arrow_array::builder::StringBuilder;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::Reading;
use super::missing::is_blank;

/// Applies the wishes of a [`Reading`] to one cell after the other.
#[derive(Debug, Clone)]
pub(super) struct Cleaner {
    trim: bool,
    normalise: bool,
    missing: Vec<String>,
    exact: bool,
}

impl Cleaner {
    /// The cleaner that a reading asks for.
    pub(super) fn new(reading: &Reading) -> Self {
        let missing: Vec<String> = reading.missing.iter().filter(|token| !token.is_empty()).cloned().collect();
        let exact = !reading.trim && !reading.normalise;
        Self { trim: reading.trim, normalise: reading.normalise, missing, exact }
    }

    /// The text as asked for; empty when blank.
    pub(super) fn shape<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let text = if self.trim { text.trim_matches(is_blank) } else { text };
        if self.normalise && is_nfc_quick(text.chars()) != IsNormalized::Yes {
            return Cow::Owned(text.nfc().collect());
        }
        Cow::Borrowed(text)
    }

    /// Column names, shaped like cells.
    pub(super) fn names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        names.map(|name| self.shape(name).into_owned()).collect()
    }

    /// Appends the cell to a column: its text, or null when it is missing.
    #[inline]
    pub(super) fn push(&self, column: &mut StringBuilder, text: &str) {
        if self.exact { self.push_shaped(column, text) } else { self.push_shaped(column, &self.shape(text)) }
    }

    /// Whether this text is kept byte by byte; lets whole columns pass through untouched.
    pub(super) fn keeps(&self, text: &str) -> bool {
        self.exact && !self.is_missing(text)
    }

    #[inline]
    fn push_shaped(&self, column: &mut StringBuilder, text: &str) {
        if self.is_missing(text) { column.append_null() } else { column.append_value(text) }
    }

    #[inline]
    fn is_missing(&self, text: &str) -> bool {
        text.is_empty() || self.missing.iter().any(|token| token == text)
    }
}
