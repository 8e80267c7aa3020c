//! Every member of a family has a spec, and every spec a member.
//!
//! A member is a file of the family's folder that holds a card; its name is the file's, with dashes. One that takes several
//! files is a folder, with its card in `mod.rs`. A folder may hold other files, such as what several members stand on.
//! Hierarchies are no family: their pages are free.

use super::{File, Finding};

/// A family.
pub struct Family {
    /// The word of the command line and of `specs/`.
    name: &'static str,
    /// The folder of its members.
    folder: &'static str,
    /// What one of them is called.
    pub word: &'static str,
}

const fn family(name: &'static str, folder: &'static str, word: &'static str) -> Family {
    Family { name, folder, word }
}

/// All families.
pub const FAMILIES: &[Family] = &[
    family("privacy", "crates/core/src/privacy/", "privacy model"),
    family("preset", "crates/core/src/privacy/preset/", "preset"),
    family("loss", "crates/core/src/loss/", "loss"),
    family("search", "crates/core/src/search/", "search"),
    family("method", "crates/core/src/method/", "method"),
    family("treatment", "crates/core/src/treatment/", "treatment"),
    family("walk", "crates/core/src/walk/sampler/", "sampler"),
    family("utility", "crates/core/src/utility/", "utility metric"),
    family("target", "crates/core/src/balance/target/", "target"),
    family("distance", "crates/core/src/balance/distance/", "distance"),
    family("dialect", "crates/engine/src/sql/dialect/", "dialect"),
    family("form", "crates/engine/src/write/reports/forms/", "form"),
];

/// Compares the members of each family with `specs/<family>/*.md`.
pub fn check(files: &[File]) -> Vec<Finding> {
    FAMILIES.iter().flat_map(|family| check_family(files, family)).collect()
}

fn check_family(files: &[File], Family { name: family, folder, .. }: &Family) -> Vec<Finding> {
    let members = within(files, folder, ".rs");
    let members: Vec<(String, &File)> = members.into_iter().filter(|(_, file)| holds_card(file)).collect();
    let specs = within(files, &format!("specs/{family}/"), ".md");
    let has = |list: &[(String, &File)], name: &str| list.iter().any(|(other, _)| other == name);
    let unspecified = members.iter().filter(|(name, _)| !has(&specs, name));
    let unspecified = unspecified.map(|(name, file)| Finding::file(file, format!("no specs/{family}/{name}.md")));
    let orphans = specs.iter().filter(|(name, _)| !has(&members, name));
    let orphans = orphans.map(|(name, file)| Finding::file(file, format!("the family {family} has no member {name}")));
    unspecified.chain(orphans).collect()
}

/// The files in a folder that end so, each with its name written with dashes: the stem of the file, or that of its own
/// folder where it is `mod.rs`.
fn within<'a>(files: &'a [File], folder: &str, end: &str) -> Vec<(String, &'a File)> {
    let name = |file: &File| {
        let stem = file.path.strip_prefix(folder)?.strip_suffix(end)?;
        let name = stem.strip_suffix("/mod").unwrap_or(stem);
        (name != "mod" && !name.contains('/')).then(|| name.replace('_', "-"))
    };
    files.iter().filter_map(|file| Some((name(file)?, file))).collect()
}

fn holds_card(file: &File) -> bool {
    file.text().is_some_and(|text| text.contains("Card {"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    fn paths(files: &[File]) -> Vec<String> {
        check(files).into_iter().map(|finding| finding.path).collect()
    }

    #[test]
    fn members_and_specs_meet() {
        let files = [
            file("crates/core/src/privacy/mod.rs", "Card {"),
            file("crates/core/src/privacy/k_anonymity.rs", "card: Card {"),
            file("crates/core/src/privacy/counting.rs", "fn count() {}"),
            file("specs/privacy/k-anonymity.md", ""),
            file("crates/core/src/method/global_recoding.rs", "pub const CARD: Card = Card {"),
            file("specs/method/global-recoding.md", ""),
            file("crates/core/src/search/optimal/mod.rs", "card: Card {"),
            file("crates/core/src/search/optimal/claims.rs", "Card {"),
            file("specs/search/optimal.md", ""),
            file("specs/hierarchy/date.md", ""),
        ];
        assert_eq!(paths(&files), [""; 0]);
    }

    #[test]
    fn a_member_without_spec_and_a_spec_without_member_are_found() {
        let files = [file("crates/core/src/loss/precision.rs", "Card {"), file("specs/loss/precise.md", "")];
        assert_eq!(paths(&files), ["crates/core/src/loss/precision.rs", "specs/loss/precise.md"]);
        let wrong_family = [file("crates/core/src/loss/a.rs", "Card {"), file("specs/search/a.md", "")];
        assert_eq!(paths(&wrong_family).len(), 2);
    }
}
