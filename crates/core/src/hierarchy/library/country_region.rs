//! Countries by sub-region and region of the world.
//!
//! Read are the two and three letters of ISO 3166-1 and common English names, in any case and without regard to blanks
//! and signs. Sub-regions are those of the United Nations' M49 (its intermediate regions for Africa and the Americas),
//! regions are its five, and Antarctica stands for itself.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::{Library, StepLabels};
use crate::card::{Card, Promise};

pub(super) const LIBRARY: Library = Library {
    card: Card {
        name: "country-region",
        summary: "countries: sub-region, region of the world",
        about: "For codes of two or three letters (DE, DEU) and English names (Germany): Western Europe, then Europe. Names are \
                compared by their letters, so United-States is read, too. Codes that ISO 3166-1 does not know are refused.",
        promises: &[Promise::InWords("each step joins labels of the one below")],
        parameters: &[],
        source: "ISO 3166-1; United Nations Statistics Division, standard country or area codes for statistical use (M49)",
    },
    example: "DE",
    steps: &["sub-region", "region"],
    ladder: StepLabels::Codes { label, wanted: "a country: two or three letters of ISO 3166-1, or its English name" },
};

/// Areas and their countries: a line `# sub-region | region`, then a line for each country with its codes and names.
const COUNTRIES: &str = include_str!("countries.txt");

/// The sub-region and the region of each spelling.
static AREAS: LazyLock<HashMap<String, (&str, &str)>> = LazyLock::new(|| {
    let mut areas = HashMap::new();
    let mut area = ("", "");
    for line in COUNTRIES.lines() {
        match line.strip_prefix("# ") {
            Some(names) => area = names.split_once(" | ").unwrap_or_default(),
            None => areas.extend(spellings(line).map(|spelling| (spelling, area))),
        }
    }
    areas
});

/// The codes and names of a line.
fn spellings(line: &str) -> impl Iterator<Item = String> {
    let (codes, names) = line.split_at_checked(7).unwrap_or_default();
    codes.split_whitespace().chain(names.split(" | ")).map(letters)
}

/// The letters of a name, which decide; a digit makes it none.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn label(value: &str, step: usize) -> Option<String> {
    let (sub_region, region) = AREAS.get(&letters(value))?;
    Some(if step == 1 { sub_region } else { region }.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_nested, labels};
    use super::*;

    #[test]
    fn codes_and_names_are_read() {
        for country in ["DE", "DEU", "de", "Germany", " germany "] {
            assert_eq!(labels(&LIBRARY, country), ["Western Europe", "Europe"], "{country}");
        }
        assert_eq!(labels(&LIBRARY, "United-States"), ["Northern America", "Americas"]);
        assert_eq!(labels(&LIBRARY, "Côte d’Ivoire"), ["Western Africa", "Africa"]);
        assert_eq!(labels(&LIBRARY, "ATA"), ["Antarctica", "Antarctica"]);
    }

    #[test]
    fn each_spelling_means_one_country() {
        let lines = COUNTRIES.lines().filter(|line| !line.starts_with('#'));
        let spellings: Vec<String> = lines.clone().flat_map(spellings).collect();
        assert_eq!((lines.count(), AREAS.len()), (249, spellings.len()));
        check_nested(&LIBRARY, &spellings);
        assert!(AREAS.values().all(|(sub_region, region)| !sub_region.is_empty() && !region.is_empty()));
    }

    #[test]
    fn what_is_no_country_is_refused() {
        for text in ["", "XX", "D", "Atlantis", "276", "*", "DE1"] {
            assert!(labels(&LIBRARY, text).is_empty(), "{text}");
        }
    }
}
