//! The glossary, for whoever asks what a word means.
//!
//! It is the page of the repository, so no word is told in two ways. A row has the words, the idea, and what the same idea is called
//! elsewhere: in ARX, in sdcMicro and in the literature. Those words find it, too.

use equanym_engine::error::{Error, Result};
use serde::Serialize;

const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../GLOSSARY.md"));

/// What stands where there is no word.
const NONE: &str = "–";

/// A row of the glossary.
#[derive(Debug, Serialize)]
pub struct GlossaryWord {
    /// The word, and those that stand beside it.
    #[serde(rename = "word")]
    pub words: Vec<&'static str>,
    /// What it means.
    #[serde(rename = "about")]
    pub idea: String,
    /// What it is called elsewhere, each with where.
    pub elsewhere: Vec<(&'static str, &'static str)>,
}

/// The row of a word. Our own words come first, then those of others; capitals do not matter.
pub fn find(word: &str) -> Result<Option<GlossaryWord>> {
    let wanted = plain(word);
    let rows = rows()?;
    let is_own = |row: &GlossaryWord| row.words.iter().any(|own| plain(own) == wanted);
    let own = rows.iter().position(is_own);
    let place = own.or_else(|| rows.iter().position(|row| row.others().any(|other| plain(other) == wanted)));
    Ok(place.and_then(|place| rows.into_iter().nth(place)))
}

/// Our own words, for whoever mistypes one.
pub fn words() -> Result<Vec<&'static str>> {
    Ok(rows()?.into_iter().flat_map(|row| row.words).collect())
}

impl GlossaryWord {
    /// What others call it; an abbreviation in brackets is a word of its own.
    fn others(&self) -> impl Iterator<Item = &'static str> {
        let words = || self.elsewhere.iter().map(|(_, words)| *words);
        let phrases = words().flat_map(|words| words.split([',', ';', '(', ')', ':']));
        let code = words().flat_map(|words| words.split('`').skip(1).step_by(2));
        phrases.map(|word| word.trim().trim_matches('"')).chain(code).filter(|word| !word.is_empty())
    }
}

/// A word as it is looked for.
fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace(['-', '_'], " ")
}

fn rows() -> Result<Vec<GlossaryWord>> {
    let mut places = Vec::new();
    let mut rows = Vec::new();
    for line in PAGE.lines().filter(|line| line.starts_with("| ")) {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        let (Some(first), Some(idea)) = (cells.next(), cells.next()) else { return Err(Error::internal()) };
        if first == "Word" {
            places = cells.collect();
            continue;
        }
        let elsewhere = places.iter().copied().zip(cells).filter(|(_, words)| *words != NONE).collect();
        rows.push(GlossaryWord {
            words: first.split("**").skip(1).step_by(2).collect(),
            idea: idea.replace("**", "").replace('*', ""),
            elsewhere,
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_words_and_an_idea() {
        let rows = rows().unwrap();
        assert!(rows.len() > 150 && rows.iter().all(|row| !row.words.is_empty() && row.idea.len() > 8));
        assert!(rows.iter().all(|row| row.elsewhere.iter().all(|(_, words)| !words.contains('|'))));
    }

    #[test]
    fn words_of_others_lead_to_ours() {
        let word = |asked: &str| find(asked).unwrap().map(|row| row.words[0]);
        for (asked, found) in [
            ("ANOPI", "balance"),
            ("anopi", "balance"),
            ("PoI", "property"),
            ("Locality", "locality"),
            ("k-minimal", "k-minimal"),
            ("domain", "domain"),
            ("equivalence class", "class"),
            ("fk", "class"),
            ("MaxSup", "suppression limit"),
        ] {
            assert_eq!(word(asked), Some(found), "{asked}");
        }
        assert_eq!(word("no such word"), None);
    }
}
