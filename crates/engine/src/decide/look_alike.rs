//! Values that only blanks, case or Unicode form tell apart.
//!
//! Most are one value in several spellings: its records fall into several classes, and more is withheld than need be. They
//! may also be different values, so nothing is joined that nobody asked to join; the owner is told how many there are.

use hashbrown::HashMap;
use unicode_normalization::UnicodeNormalization;

use crate::count::spelling::folded;
use crate::read::missing::is_blank;
use crate::words::grouped;

/// What is worth a look about values: how many there are, and what they are in words.
pub(super) fn found<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Vec<(usize, String)> {
    if values.clone().all(is_plain) {
        return Vec::new();
    }
    let blanks = alike(values.clone(), joined);
    let forms = alike(values.clone(), |value| value.nfc().collect());
    let cases = alike(values.clone(), str::to_lowercase);
    let together = alike(values, folded);
    let told = [
        (blanks > 0, blanks, "only by blanks; `[data] trim = true` removes those at the ends"),
        // Some blanks are forms of others.
        (forms > blanks, forms, "only by Unicode form; `[data] normalise = \"NFC\"` joins them"),
        (cases > 0, cases, "only by case; bring them into one spelling"),
        (together > blanks.max(forms).max(cases), together, "only by blanks, case and Unicode form together"),
    ];
    let told = told.into_iter().filter(|(is_told, ..)| *is_told);
    told.map(|(_, count, how)| (count, format!("{} values differ from others {how}", grouped(count as u64)))).collect()
}

/// Whether a value has no other spelling: most columns have only such values.
pub(super) fn is_plain(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase())
}

/// The value with one blank for each run of them, and none at its ends.
fn joined(value: &str) -> String {
    value.split(is_blank).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How many values become equal to another one under a change.
pub(super) fn alike<'a>(values: impl Iterator<Item = &'a str>, change: impl Fn(&str) -> String) -> usize {
    let mut forms: HashMap<String, usize> = HashMap::new();
    values.for_each(|value| *forms.entry(change(value)).or_default() += 1);
    forms.values().filter(|&&count| count > 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&str], expected: &[&str]) {
        let found = found(values.iter().copied());
        assert_eq!(found.len(), expected.len(), "{values:?}: {found:?}");
        assert!(found.iter().zip(expected).all(|((_, found), start)| found.starts_with(start)), "{found:?}");
    }

    #[test]
    fn blanks_of_every_kind_are_seen() {
        check(&["a b", "a\u{a0}b", "a\u{200b} b", "ab"], &["3 values differ from others only by blanks"]);
    }

    #[test]
    fn case_is_seen_and_all_together() {
        check(&["Wien", "wien", "Graz"], &["2 values differ from others only by case"]);
        check(&["Wien ", "WIEN"], &["2 values differ from others only by blanks, case and"]);
        check(&["\u{e9}", "e\u{301}", "E\u{301} "], &["2 values differ from others only by Unicode", "3 values"]);
        check(&["wien", "graz", "1010"], &[]);
    }
}
