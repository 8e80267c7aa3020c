//! The name that somebody probably meant.
//!
//! An unknown name in a policy or on the command line is an error, and the error is more useful with the known name
//! that looks most like it. Letter case, `_` and `-` do not count as differences; a word that merely begins another
//! one (`quasi`) finds it too. Very long names get no suggestion: comparing them costs time and helps nobody.

/// Longest name, in bytes, that is compared.
const LONGEST: usize = 128;

/// The candidate that looks most like `wanted`, when one looks alike at all; the first one wins a tie.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wanted.is_empty() || wanted.len() > LONGEST {
        return None;
    }
    let folded = fold(wanted);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter_map(|candidate| Some((distance(&folded, &fold(candidate))?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn fold(name: &str) -> String {
    name.to_lowercase().replace(['-', ' '], "_")
}

/// How far two names are apart, or nothing when they are strangers.
fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    let edits = strsim::osa_distance(wanted, candidate);
    let length = wanted.chars().count().max(candidate.chars().count());
    let begins = wanted.chars().count() >= 3 && candidate.starts_with(wanted);
    (begins || edits * 5 <= length * 2 || (edits == 1 && length == 2)).then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_name_that_was_meant() {
        let roles = ["identifying", "quasi-identifying", "sensitive", "insensitive"];
        assert_eq!(nearest("sensative", roles), Some("sensitive"));
        assert_eq!(nearest("QUASI_identifying", roles), Some("quasi-identifying"));
        assert_eq!(nearest("alfa", ["beta", "alpha"]), Some("alpha"));
        assert_eq!(nearest("quasi", roles), Some("quasi-identifying"));
        assert_eq!(nearest("supression_limit", ["search", "suppression_limit"]), Some("suppression_limit"));
    }

    #[test]
    fn strangers_get_no_suggestion() {
        assert_eq!(nearest("banana", ["name", "search"]), None);
        assert_eq!(nearest("", ["name"]), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), [&*"x".repeat(1_000_000)]), None);
    }
}
