//! A type has a name of its own in its crate.
//!
//! A type is met far from its module. A name that two types share says nothing there.

use std::collections::BTreeMap;

use super::{File, Finding};
use crate::source::Source;

/// The names that two types of a crate still share. A name that is no longer shared goes; none is added.
const KNOWN: &str = include_str!("twins.txt");

/// The types of a crate by their names.
type Types<'a> = BTreeMap<(&'a str, &'a str), Vec<(&'a File, usize)>>;

/// Compares the names of types within each crate.
pub fn check(files: &[File]) -> Vec<Finding> {
    check_beside(files, KNOWN)
}

fn check_beside(files: &[File], known: &str) -> Vec<Finding> {
    let known: Vec<(&str, &str)> = known.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut types = Types::new();
    for file in files {
        let Some((name, text)) = crate_name(&file.path).zip(file.text()) else { continue };
        for (line, type_name) in names(&Source::new(&file.path, text)) {
            types.entry((name, type_name)).or_default().push((file, line));
        }
    }
    let is_shared = |name: &(&str, &str)| types.get(name).is_some_and(|places| places.len() > 1);
    let gone = known.iter().filter(|name| !is_shared(name)).map(|(room, name)| Finding {
        path: "xtask/src/tidy/twins.txt".to_owned(),
        line: 0,
        message: format!("`{name}` is one type in {room} now: take it off the list"),
    });
    let twins = types.iter().filter(|(name, places)| places.len() > 1 && !known.contains(name));
    let twins = twins.flat_map(|((_, name), places)| {
        let others = places.iter().skip(1);
        others.map(move |(file, line)| {
            Finding::line(file, *line, format!("`{name}` is a type of {}, too", places[0].0.path))
        })
    });
    gone.chain(twins).collect()
}

/// The crate to whose program a file belongs.
fn crate_name(path: &str) -> Option<&str> {
    let (room, rest) = path.strip_prefix("crates/").unwrap_or(path).split_once('/')?;
    (rest.starts_with("src/") && path.rsplit('.').next() == Some("rs")).then_some(room)
}

/// The types that a source declares. An indented `type` belongs to a trait.
fn names<'t>(source: &Source<'t>) -> impl Iterator<Item = (usize, &'t str)> {
    source.code.iter().filter_map(|(number, line)| {
        let words = line.trim_start();
        let words = match words.strip_prefix("pub") {
            Some(rest) => {
                rest.strip_prefix('(').and_then(|rest| Some(rest.split_once(')')?.1)).unwrap_or(rest).trim_start()
            }
            None => words,
        };
        let (kind, rest) = words.split_once(' ')?;
        let is_type =
            ["struct", "enum", "trait", "union"].contains(&kind) || (kind == "type" && !line.starts_with(' '));
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        is_type.then_some((*number, &rest[..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(known: &str, files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
        let files: Vec<File> = files.iter().map(file).collect();
        check_beside(&files, known).iter().map(ToString::to_string).collect()
    }

    const A: (&str, &str) = ("crates/core/src/a.rs", "pub struct Band<'a> {}\n");
    const B: (&str, &str) = ("crates/core/src/b/mod.rs", "//! B.\n\npub(super) enum Band {}\n");

    #[test]
    fn a_name_stands_once_in_a_crate() {
        assert_eq!(
            findings("", &[A, B]),
            ["crates/core/src/b/mod.rs:3: `Band` is a type of crates/core/src/a.rs, too"]
        );
        assert_eq!(findings("core Band\n", &[A, B]), [""; 0]);
    }

    #[test]
    fn names_of_other_crates_and_of_tests_are_free() {
        let elsewhere = [
            A,
            ("crates/engine/src/b.rs", "type Band = u8;\n"),
            ("crates/core/tests/b.rs", "struct Band;\n"),
            ("crates/core/src/c.rs", "#[cfg(test)]\nmod tests {\n    struct Band;\n}\n"),
            ("crates/core/src/d.rs", "impl X for Y {\n    type Band = u8;\n}\n// struct Band\n"),
        ];
        assert_eq!(findings("", &elsewhere), [""; 0]);
    }

    #[test]
    fn the_list_only_shrinks() {
        assert_eq!(
            findings("core Band\n", &[A]),
            ["xtask/src/tidy/twins.txt: `Band` is one type in core now: take it off the list"]
        );
    }
}
