//! No module of a room needs another that needs it back.
//!
//! For every module, its children are looked at: an edge leads from one to another where code below the first names
//! something below the second. These edges must not form a circle, so that each room can be read from one end. A child may
//! use what stands in its parent, and a parent names its children. Test modules do not count.
//!
//! Limit: paths are read from the text of the files. What a parent hands on with `pub use` counts as the parent's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module by its names, from the root of the crate on.
pub type Module = Vec<String>;

/// The circles of a crate, each as `a → b → a`.
pub fn find(source: &Path) -> Result<Vec<String>, String> {
    let uses = uses(&read(source)?);
    let parents: BTreeSet<&[String]> = uses.keys().filter_map(|module| Some(module.split_last()?.1)).collect();
    Ok(parents
        .into_iter()
        .filter_map(|parent| circle(&between_children(parent, &uses)).map(|circle| show(parent, &circle)))
        .collect())
}

/// Reads the files of a crate, each as a module.
pub fn read(source: &Path) -> Result<BTreeMap<Module, String>, String> {
    let mut files = BTreeMap::new();
    collect(source, &mut Vec::new(), &mut files)?;
    Ok(files)
}

/// The modules that each module names, outside its tests.
pub fn uses(files: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let modules: BTreeSet<&Module> = files.keys().collect();
    files.iter().map(|(module, text)| (module.clone(), used(module, text, &modules))).collect()
}

fn show(parent: &[String], circle: &[&str]) -> String {
    let within = if parent.is_empty() { String::new() } else { format!(" in {}", parent.join("/")) };
    format!("{}{within}", circle.join(" → "))
}

fn collect(folder: &Path, module: &mut Module, files: &mut BTreeMap<Module, String>) -> Result<(), String> {
    let unread = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
        if path.is_dir() {
            module.push(name);
            collect(&path, module, files)?;
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut own = module.clone();
            if !["lib", "main", "mod"].contains(&name.as_str()) {
                own.push(name);
            }
            files.insert(own, fs::read_to_string(&path).map_err(unread)?);
        }
    }
    Ok(())
}

/// The modules that a file names.
fn used(module: &Module, text: &str, modules: &BTreeSet<&Module>) -> BTreeSet<Module> {
    let tokens = tokens(without_tests(text));
    let mut found = BTreeSet::new();
    let mut place = 0;
    while place < tokens.len() {
        let mut paths = Vec::new();
        if tokens[place] == "use" {
            place = tree(&tokens, place + 1, &mut Vec::new(), &mut paths);
        } else {
            let mut path = Vec::new();
            place = simple(&tokens, place, &mut path).max(place + 1);
            paths.push(path);
        }
        found.extend(paths.iter().filter_map(|path| resolve(module, path, modules)));
    }
    found.remove(module);
    found
}

/// The text before its test module.
pub fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests").map_or(text, |end| &text[..end])
}

/// Names and the marks that join them; comments and texts are left out.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            end_of_text(rest)
        } else if is_name(first) {
            let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
            tokens.push(&rest[..end]);
            end
        } else if rest.starts_with("::") {
            tokens.push("::");
            2
        } else {
            if "{},;*".contains(first) {
                tokens.push(&rest[..1]);
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

fn end_of_text(rest: &str) -> usize {
    let mut escaped = false;
    for (place, letter) in rest.char_indices().skip(1) {
        match letter {
            '"' if !escaped => return place + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest.len()
}

/// Reads `a::b::c` from a place on; the place behind it.
fn simple(tokens: &[&str], mut place: usize, path: &mut Module) -> usize {
    while let Some(name) = tokens.get(place).filter(|token| !"{},;*::".contains(**token)) {
        path.push((*name).to_owned());
        place += 1;
        if tokens.get(place) != Some(&"::") {
            break;
        }
        place += 1;
    }
    place
}

/// Reads the tree of a `use`; the place behind it.
fn tree(tokens: &[&str], place: usize, before: &mut Module, paths: &mut Vec<Module>) -> usize {
    let length = before.len();
    let mut place = simple(tokens, place, before);
    if tokens.get(place) == Some(&"{") {
        while !matches!(tokens.get(place), None | Some(&"}")) {
            place = tree(tokens, place + 1, before, paths);
        }
        place += 1;
    } else {
        paths.push(before.clone());
        while !matches!(tokens.get(place), None | Some(&("," | "}" | ";"))) {
            place += 1;
        }
    }
    before.truncate(length);
    place
}

/// The module that a path leads to, or into.
fn resolve(module: &Module, path: &[String], modules: &BTreeSet<&Module>) -> Option<Module> {
    let (first, mut rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" => Module::new(),
        "self" => module.clone(),
        "super" => module.split_last()?.1.to_vec(),
        name => {
            rest = path;
            let child: Module = module.iter().cloned().chain([name.to_owned()]).collect();
            (path.len() > 1 && modules.contains(&child)).then(|| module.clone())?
        }
    };
    for name in rest {
        if name == "super" {
            at.pop();
            continue;
        }
        at.push(name.clone());
        if !modules.contains(&at) {
            at.pop();
            break;
        }
    }
    Some(at)
}

/// Which children of a module use which others.
fn between_children<'m>(
    parent: &[String],
    uses: &'m BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeMap<&'m str, BTreeSet<&'m str>> {
    let child = |module: &'m Module| -> Option<&'m str> { module.strip_prefix(parent)?.first().map(String::as_str) };
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (user, others) in uses {
        let Some(from) = child(user) else { continue };
        let others = others.iter().filter_map(child).filter(|to| *to != from);
        edges.entry(from).or_default().extend(others);
    }
    edges
}

/// A circle of edges, if there is one: what nothing leads out of is taken away until only circles and ways into them stay.
fn circle<'m>(edges: &BTreeMap<&'m str, BTreeSet<&'m str>>) -> Option<Vec<&'m str>> {
    let mut left = edges.clone();
    loop {
        let open: BTreeSet<&str> = left.keys().copied().collect();
        let before = left.len();
        left.retain(|_, others| others.iter().any(|other| open.contains(other)));
        if left.len() == before {
            break;
        }
    }
    let mut way = vec![*left.keys().next()?];
    loop {
        let next = *left.get(way.last()?)?.iter().find(|other| left.contains_key(*other))?;
        if let Some(start) = way.iter().position(|met| *met == next) {
            way.push(next);
            return Some(way.split_off(start));
        }
        way.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: &str) -> Module {
        path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let folder = std::env::temp_dir().join(format!("equanym-cycles-{}-{}", std::process::id(), files.len()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = find(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        found
    }

    #[test]
    fn uses_are_read_from_trees_and_paths() {
        let all = ["", "a", "a/x", "b", "b/y", "c"].map(module);
        let modules: BTreeSet<&Module> = all.iter().collect();
        let text = "// crate::c\nuse crate::{b::{self, y::Thing}, a};\nuse super::x::*;\nlet _ = \"crate::c\";\n\
                    #[cfg(test)]\nmod tests { use crate::c; }";
        let found = used(&module("a/x"), text, &modules);
        assert_eq!(found, ["a", "b", "b/y"].map(module).into_iter().collect());
        let inline = used(&module("a"), "fn f() { x::g(); crate::c::h(); x; }", &modules);
        assert_eq!(inline, ["a/x", "c"].map(module).into_iter().collect());
    }

    #[test]
    fn circles_between_children_are_found_and_parents_are_free() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::Thing;"),
            ("b/mod.rs", "mod y;"),
            ("b/y.rs", "use crate::c;"),
            ("c.rs", "use crate::a;"),
        ];
        assert_eq!(circles(&files), ["a → b → c → a"]);
        let within = [
            ("lib.rs", ""),
            ("b/mod.rs", "mod y; mod z; y::f();"),
            ("b/y.rs", "use super::z; use super::Item;"),
            ("b/z.rs", "use super::y::f;"),
        ];
        assert_eq!(circles(&within), ["y → z → y in b"]);
        let free =
            [("lib.rs", "mod a; a::f();"), ("a.rs", "use crate::Item; use crate::b::B;"), ("b.rs", "use crate::Item;")];
        assert_eq!(circles(&free), Vec::<String>::new());
    }
}
