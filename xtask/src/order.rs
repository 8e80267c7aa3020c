//! The rooms of the engine stand in an order: each uses rooms before it, and none behind it.
//!
//! So the way of the data can be read from one end. What a room needs of a later one moves to the earlier of the two. Test
//! modules do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::cycles::{self, Module};

/// The rooms, the first ones first. ARCHITECTURE.md tells the same order.
const ROOMS: &[&str] = &[
    "error", "words", "progress", "machine", "read", "policy", "treat", "count", "mask", "workers", "decide", "write",
    "sql", "inquiry", "run",
];

/// What stands behind the modules of a crate against the order, with file and line.
pub fn backward(source: &Path) -> Result<Vec<String>, String> {
    let files = cycles::read(source)?;
    Ok(against(ROOMS, &files))
}

/// Whether the map of the house tells this order.
pub fn is_told(map: &str) -> bool {
    let words: Vec<&str> = map.split_whitespace().collect();
    words.join(" ").contains(&format!("{}.", ROOMS.join(", ")))
}

fn against(rooms: &[&str], files: &BTreeMap<Module, String>) -> Vec<String> {
    let uses = cycles::uses(files);
    let modules = uses.iter().filter_map(|(module, used)| Some((module, used, module.first()?)));
    let found = modules.flat_map(|(module, used, room)| {
        let Some(own) = place(rooms, room) else {
            return vec![format!(
                "room {room} has no place in the order of rooms: give it one in `xtask/src/order.rs`"
            )];
        };
        let later: BTreeSet<&str> = used
            .iter()
            .filter_map(|used| used.first())
            .map(String::as_str)
            .filter(|used| place(rooms, used) > Some(own))
            .collect();
        later.into_iter().map(|later| told(module, room, later, &files[module])).collect()
    });
    found.collect()
}

fn place(rooms: &[&str], room: &str) -> Option<usize> {
    rooms.iter().position(|one| *one == room)
}

/// A use of a later room: the module, and the first line of code that names that room.
fn told(module: &Module, room: &str, later: &str, text: &str) -> String {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let names =
        |line: &str| !line.trim_start().starts_with("//") && line.split(|one| !is_name(one)).any(|one| one == later);
    let line = cycles::without_tests(text).lines().position(names).map_or(0, |line| line + 1);
    format!("{}, line {line}: {room} stands before {later} and must not use it", module.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: [(&str, &str); 3]) -> BTreeMap<Module, String> {
        let module = |path: &str| path.split('/').map(str::to_owned).collect();
        texts.into_iter().map(|(path, text)| (module(path), text.to_owned())).collect()
    }

    #[test]
    fn a_use_of_a_later_room_is_found_with_its_line() {
        let files = files([
            ("read/csv", "//! After write.\nuse crate::error::Error;\nuse crate::{error, write::sink};\n"),
            ("error", "#[cfg(test)]\nmod tests { use crate::write; }"),
            ("write", "use crate::read::csv;"),
        ]);
        let found = against(&["error", "read", "write"], &files);
        assert_eq!(found, ["read/csv, line 3: read stands before write and must not use it"]);
    }

    #[test]
    fn the_map_tells_the_order() {
        assert!(is_told(&format!("One way:\n{}. More.", ROOMS.join(",\n"))));
        assert!(!is_told(&ROOMS[1..].join(", ")));
    }

    #[test]
    fn a_new_room_needs_a_place() {
        let files = files([("error", ""), ("attic", "use crate::error;"), ("read", "")]);
        assert!(against(&["error", "read"], &files).concat().contains("room attic has no place"));
    }
}
