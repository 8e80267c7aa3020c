//! `[release]`: what a release is for, in the words of its owner.
//!
//! Reports and forms repeat these words; nothing is decided by them. There is no clock in a run, so the day is the one that
//! the owner gives, or a line to fill in: the same input and policy give the same bytes on every day. What names the table
//! itself stays with the owner; the other words go into the manifest, because the public report is written from it.

use equanym_core::hierarchy::{DateFormat, date};
use serde::{Deserialize, Serialize};

use super::keys::KeyShape::{List, Text};
use super::keys::{Section, key};
use super::table::{Item, PolicyTable};
use crate::error::{Error, Result};

/// What a release is for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReleaseNotes {
    /// What anybody may read.
    #[serde(flatten)]
    pub about: About,
    /// What the table is called; for its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The forms that are filled in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<String>,
    /// The hash of the policy's text, where it was read from a file.
    #[serde(skip)]
    pub policy_sha256: Option<[u8; 32]>,
}

/// What anybody may read about a release in the words of its owner.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct About {
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Whom it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The version of the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl ReleaseNotes {
    /// Whether nothing is said that a stored mask would keep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { about, table, forms, .. } = self;
        about.is_empty() && table.is_none() && forms.is_empty()
    }
}

impl About {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

pub(super) const RELEASE: Section = Section::new(
    "[release]",
    "What the release is for, in your words: reports and forms repeat them. A word that is absent is a line to fill in.",
    &[
        key("title", Text, "what the release is called; public"),
        key("purpose", Text, "what it is for; public"),
        key("recipient", Text, "whom it is for; public"),
        key("date", Text, "its day, YYYY-MM-DD; public. The clock is not asked, so that bytes repeat")
            .usually("a line to fill in"),
        key("version", Text, "the version of this policy; public"),
        key("table", Text, "what the table is called; in the private report alone"),
        key("forms", List(&Text), "forms to fill in for readers who expect them: `equanym list form`"),
    ],
);

/// Reads `[release]`.
pub(super) fn notes(table: &PolicyTable<'_>) -> Result<ReleaseNotes> {
    table.allow(&RELEASE.names())?;
    let text = |key: &str| table.read(key, Item::string);
    let day = |item: &Item<'_>| day(item.text()?).ok_or_else(|| item.fail("is no day").hint(DAY));
    let about = About {
        title: text("title")?,
        purpose: text("purpose")?,
        recipient: text("recipient")?,
        date: table.read("date", day)?,
        version: text("version")?,
    };
    let forms = table.read("forms", |item| item.each(Item::string))?.unwrap_or_default();
    Ok(ReleaseNotes { about, table: text("table")?, forms, policy_sha256: None })
}

const DAY: &str = "write it as YYYY-MM-DD";

/// A day as it is written everywhere: YYYY-MM-DD.
fn day(text: &str) -> Option<String> {
    date::parse(text, DateFormat::Iso).filter(|_| text.len() == DAY_LENGTH).map(|day| DateFormat::Iso.write(day))
}

const DAY_LENGTH: usize = 10;

/// The day that a flag gives.
pub fn day_of(text: &str) -> Result<String> {
    day(text).ok_or_else(|| Error::input("this is no day").hint(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_in_one_way() {
        assert_eq!(day_of("2026-11-18").unwrap(), "2026-11-18");
        for odd in ["2026-11-18T10:00", "18.11.2026", "2026-02-30", "today", ""] {
            assert!(day_of(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let about = About { purpose: Some("a".into()), ..About::default() };
        let notes = ReleaseNotes { about, forms: vec!["wp216".into()], ..ReleaseNotes::default() };
        let text = serde_json::to_string(&notes).unwrap();
        assert_eq!(text, r#"{"purpose":"a","forms":["wp216"]}"#);
        assert!(
            serde_json::from_str::<About>(&text).is_ok() && ReleaseNotes::default().is_empty() && !notes.is_empty()
        );
    }
}
