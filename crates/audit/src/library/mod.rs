//! Ladders of classifications that everybody shares, written for this crate anew.
//!
//! The audit has tables and rules of its own: what the making got wrong is not repeated in the checking. A label is one
//! of its step when the step makes it of some value. Most labels are codes themselves, and a code is its own label at its
//! own step; ranges and names are looked up.
//!
//! Limit: both sides were written from the same classifications, so what these leave open both leave open alike.

mod codes;
mod country;
mod icd;

/// A ladder of the library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    Icd,
    Zip,
    Country,
    Isco,
    Nace,
}

impl Library {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "icd-10" => Self::Icd,
            "hipaa-zip3" => Self::Zip,
            "country-region" => Self::Country,
            "isco-08" => Self::Isco,
            "nace-2" => Self::Nace,
            _ => return None,
        })
    }

    /// How many steps it has below the top.
    pub fn steps(self) -> u64 {
        match self {
            Self::Zip => 1,
            Self::Country => 2,
            Self::Isco => 3,
            Self::Icd | Self::Nace => 4,
        }
    }

    /// The label of a value at a step, which counts from 1; nothing where the value cannot be read.
    pub fn label(self, step: u64, value: &str) -> Option<String> {
        match self {
            Self::Icd => icd::label(step, value),
            Self::Zip => codes::zip(value),
            Self::Country => country::label(step, value),
            Self::Isco => codes::isco(step, value),
            Self::Nace => codes::nace(step, value),
        }
    }

    /// The label of a step that joins a label of a finer one, or the same.
    pub fn above(self, finer: u64, label: &str, step: u64) -> Option<String> {
        match self {
            _ if finer == step => Some(label.to_owned()),
            Self::Country => country::region(label),
            // A range lies where its first category lies.
            Self::Icd => icd::label(step, label.split_once('-').map_or(label, |(first, _)| first)),
            _ => self.label(step, label),
        }
    }

    /// Whether a step makes this label of some value.
    pub fn is_label(self, step: u64, label: &str) -> bool {
        match self {
            Self::Icd if step >= 3 => icd::is_range(step, label),
            Self::Country => country::is_area(step, label),
            _ => self.label(step, label).is_some_and(|again| again == label),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_labels_of_their_step() {
        for (name, value, labels) in [
            ("icd-10", "i5014 G", &["I50.1", "I50", "I30-I52", "I00-I99"][..]),
            ("icd-10", "M1A.9", &["M1A.9", "M1A", "M05-M14", "M00-M99"]),
            ("icd-10", "Z66", &["Z66", "Z66", "Z00-Z99", "Z00-Z99"]),
            ("icd-10", "Y00", &["Y00", "Y00", "X85-Y09", "V00-Y99"]),
            ("hipaa-zip3", "02138-1234", &["021"]),
            ("hipaa-zip3", "89301", &["000"]),
            ("country-region", "united-states", &["Northern America", "Americas"]),
            ("isco-08", "2512", &["251", "25", "2"]),
            ("nace-2", "J62.01Z", &["62.01", "62.0", "62", "J"]),
            ("nace-2", "a", &["A", "A", "A", "A"]),
        ] {
            let library = Library::named(name).unwrap();
            assert_eq!(library.steps(), labels.len() as u64);
            for (step, label) in (1..).zip(labels) {
                assert_eq!(library.label(step, value).as_deref(), Some(*label), "{value} {step}");
                assert!(library.is_label(step, label), "{label} {step}");
            }
        }
    }

    #[test]
    fn other_texts_are_none() {
        for (name, step, label) in [
            ("icd-10", 1, "I50.14"),
            ("icd-10", 1, "i50.1"),
            ("icd-10", 2, "I50.1"),
            ("icd-10", 2, "D95"),
            ("icd-10", 3, "I30-I51"),
            ("icd-10", 3, "I50"),
            ("icd-10", 4, "I30-I52"),
            ("hipaa-zip3", 1, "036"),
            ("hipaa-zip3", 1, "02138"),
            ("country-region", 1, "Germany"),
            ("country-region", 1, "Europe"),
            ("country-region", 2, "Western Europe"),
            ("isco-08", 1, "2512"),
            ("isco-08", 2, "99"),
            ("nace-2", 2, "62.01"),
            ("nace-2", 1, "6201"),
            ("nace-2", 3, "04"),
            ("nace-2", 4, "V"),
        ] {
            assert!(!Library::named(name).unwrap().is_label(step, label), "{name} {step} {label}");
        }
        assert!(Library::named("icd-9").is_none());
    }
}
