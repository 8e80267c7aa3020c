//! What a cell's text becomes: trimmed and normalised when asked, and missing when it says so.
//!
//! The order is trim, normalise, then the test for missing, so that ` NA ` counts as the token `NA` when blanks are
//! trimmed; then numbers become plain decimals and codes get their width, in columns that hold such. Without these wishes
//! a cell is taken exactly as it stands: blanks and composed letters distinguish values.

use std::borrow::Cow;

use arrow_array::builder::StringBuilder;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::missing::is_blank;
use super::notation::{Notation, QUICK, with_other_sign};
use super::{ColumnForm, Reading};

/// Applies the wishes of a [`Reading`] to one cell after the other.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)] // each is a wish of its own
pub(super) struct Cleaner {
    trim: bool,
    normalise: bool,
    missing: Vec<String>,
    /// How the column's numbers are written, where that is not as plain decimals.
    notation: Option<Notation>,
    /// The same, where most numbers can be read quickly: none of them is a word for missing.
    quick: Option<Notation>,
    /// Whether it holds labels with decimal commas.
    is_released: bool,
    /// How many digits the column's codes have.
    width: Option<usize>,
    /// Whether a cell that is not missing stays byte by byte.
    exact: bool,
}

/// Why a cell is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellRefusal {
    /// A number, and not in the notation of the table.
    OtherNotation,
    /// A code with more digits than codes have.
    TooWide,
}

impl CellRefusal {
    /// In our words.
    pub(super) fn why(self) -> &'static str {
        match self {
            Self::OtherNotation => "a number that is not written with the decimal sign of the others",
            Self::TooWide => "more digits than the `width` of the column",
        }
    }

    /// What to do about it.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::OtherNotation => {
                "say thousands = \".\" in [data] (or --thousands) where points group digits; otherwise write all numbers alike"
            }
            Self::TooWide => "give the longest width that a code of this column has, or mend the cell",
        }
    }
}

impl Cleaner {
    /// The cleaner of names, and of columns that hold text.
    pub(super) fn new(reading: &Reading) -> Self {
        let missing: Vec<String> = reading.missing.iter().filter(|token| !token.is_empty()).cloned().collect();
        let exact = !reading.trim && !reading.normalise;
        Self {
            trim: reading.trim,
            normalise: reading.normalise,
            missing,
            notation: None,
            quick: None,
            is_released: false,
            width: None,
            exact,
        }
    }

    /// The cleaner of a column.
    pub(super) fn for_column(reading: &Reading, column: &str) -> Self {
        let form = reading.forms.get(column);
        let notation = (form == Some(&ColumnForm::Number) && !reading.notation.is_usual()).then_some(reading.notation);
        let width = form.and_then(|form| form.width());
        let is_released = form == Some(&ColumnForm::Released);
        let new = Self::new(reading);
        let exact = new.exact && notation.is_none() && width.is_none() && !is_released;
        let is_number = |word: &String| word.contains(reading.notation.decimal);
        let quick = notation.filter(|_| !new.missing.iter().any(is_number));
        Self { notation, quick, is_released, width, exact, ..new }
    }

    /// The cleaners of columns.
    pub(super) fn all(reading: &Reading, columns: &[String], projection: &[usize]) -> Vec<Self> {
        let name = |place: &usize| columns.get(*place).map_or("", String::as_str);
        projection.iter().map(|place| Self::for_column(reading, name(place))).collect()
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
    pub(super) fn push(&self, column: &mut StringBuilder, text: &str) -> Result<(), CellRefusal> {
        if self.exact {
            self.push_shaped(column, text);
            return Ok(());
        }
        let mut room = [0; QUICK];
        if let Some(number) = self.quick.and_then(|notation| notation.quick(text, &mut room)) {
            column.append_value(number);
            return Ok(());
        }
        self.push_formed(column, &self.shape(text), self.notation)
    }

    /// The same for a cell that is no text in the file: its number, if it is one, is a plain decimal already.
    #[inline]
    pub(super) fn push_typed(&self, column: &mut StringBuilder, text: &str) -> Result<(), CellRefusal> {
        self.push_formed(column, &self.shape(text), None)
    }

    /// Whether this text is kept byte by byte; lets whole columns pass through untouched.
    pub(super) fn keeps(&self, text: &str) -> bool {
        self.exact && !self.is_missing(text)
    }

    fn push_formed(
        &self,
        column: &mut StringBuilder,
        text: &str,
        notation: Option<Notation>,
    ) -> Result<(), CellRefusal> {
        if self.is_missing(text) {
            column.append_null();
            return Ok(());
        }
        let plain = notation.map_or(Ok(Cow::Borrowed(text)), |notation| notation.plain(text));
        let plain = plain.map_err(|_| CellRefusal::OtherNotation)?;
        let plain = if self.is_released { with_other_sign(&plain) } else { plain };
        match self.width {
            Some(width) if plain.bytes().all(|byte| byte.is_ascii_digit()) && plain.len() != width => {
                column.append_value(padded(&plain, width)?);
            }
            _ => column.append_value(plain),
        }
        Ok(())
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

/// A code with the zeros that it lost.
fn padded(digits: &str, width: usize) -> Result<String, CellRefusal> {
    if digits.len() > width { Err(CellRefusal::TooWide) } else { Ok(format!("{digits:0>width$}")) }
}
