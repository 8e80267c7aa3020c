//! Which crates each room may depend on, that no module of a room needs another that needs it back, and that no room of the
//! engine uses a later one.
//!
//! Core is pure algorithms: everything it depends on, at any depth, stands on a short list, so that no Arrow, no
//! `DataFusion` and no tokio slips in through a dependency of a dependency. Audit is the second opinion: it shares no
//! code with core or engine and reads files without `DataFusion`. The engine knows no cluster: what one stands on is below
//! `crates/cluster` alone.

use std::path::Path;
use std::process::Command;

use crate::{cycles, order};

/// Everything that core may depend on.
const CORE: &[&str] = &[
    "equanym-core",
    // Hash tables, and the hash function they use.
    "hashbrown",
    "foldhash",
    // Counting nodes side by side, and what that is made of.
    "rayon",
    "rayon-core",
    "crossbeam-deque",
    "crossbeam-epoch",
    "crossbeam-utils",
    "either",
    // Random streams from a seed that is handed in, and what they are made of; logarithms that are the same everywhere.
    "rand_chacha",
    "rand_core",
    "ppv-lite86",
    "zerocopy",
    "libm",
    // The assignment problem, for matching clusters, and what it is made of.
    "pathfinding",
    "deprecate-until",
    "equivalent",
    "indexmap",
    "integer-sqrt",
    "num-traits",
    "rustc-hash",
    "semver",
    // Serialisable findings and masks.
    "serde",
    "serde_core",
    "serde_derive",
    // Error types.
    "thiserror",
    "thiserror-impl",
    // What the derives of serde and thiserror are made of; they run in the compiler only.
    "proc-macro2",
    "quote",
    "syn",
    "unicode-ident",
];

/// What audit must do without; a name that ends in `*` stands for all that begin so.
const NOT_AUDIT: &[&str] = &["equanym-core", "equanym-engine", "datafusion*", "tokio"];

/// What the engine must do without.
const NOT_ENGINE: &[&str] = &["equanym-cluster", "ballista*", "datafusion*", "tonic*"];

/// The rooms whose modules must not form circles.
const ROOMS: &[&str] = &["core", "engine", "audit", "cluster", "cli", "python", "studio"];

/// Checks dependencies and modules.
pub fn run(root: &Path) -> Result<String, String> {
    let core = strangers(dependencies(root, "equanym-core")?);
    let audit = unwanted(NOT_AUDIT, dependencies(root, "equanym-audit")?);
    let engine = unwanted(NOT_ENGINE, dependencies(root, "equanym-engine")?);
    let core = core.iter().map(|name| format!("equanym-core must not depend on {name}"));
    let audit = audit.iter().map(|name| format!("equanym-audit must not depend on {name}"));
    let engine = engine.iter().map(|name| format!("equanym-engine must not depend on {name}"));
    let mut found: Vec<String> = core.chain(audit).chain(engine).collect();
    for room in ROOMS {
        let circles = cycles::find(&root.join("crates").join(room).join("src"))?;
        found.extend(circles.iter().map(|circle| format!("modules of {room} need each other: {circle}")));
    }
    let map =
        std::fs::read_to_string(root.join("ARCHITECTURE.md")).map_err(|error| format!("ARCHITECTURE.md: {error}"))?;
    if !order::is_told(&map) {
        found.push("ARCHITECTURE.md does not tell the order of rooms that stands in `xtask/src/order.rs`".to_owned());
    }
    found.extend(order::backward(&root.join("crates/engine/src"))?);
    if found.is_empty() {
        return Ok(
            "each room depends only on what it may, no modules need each other, and none uses a later room".to_owned()
        );
    }
    Err(found.join("\n       "))
}

/// The names of all packages that a package is built from, itself included.
fn dependencies(root: &Path, package: &str) -> Result<Vec<String>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if output.status.success() {
        Ok(names(&String::from_utf8_lossy(&output.stdout)))
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The first word of each line, without repetition.
fn names(tree: &str) -> Vec<String> {
    let mut names: Vec<String> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

fn strangers(names: Vec<String>) -> Vec<String> {
    names.into_iter().filter(|name| !CORE.contains(&name.as_str())).collect()
}

fn unwanted(list: &[&str], names: Vec<String>) -> Vec<String> {
    let is_unwanted = |name: &str| {
        list.iter().any(|pattern| pattern.strip_suffix('*').map_or(name == *pattern, |start| name.starts_with(start)))
    };
    names.into_iter().filter(|name| is_unwanted(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "\
equanym-core v0.1.0 (crates/core)
hashbrown v0.17.1
foldhash v0.2.0
serde v1.0.229
serde v1.0.229 (*)
arrow v59.3.0
";

    #[test]
    fn names_are_read_once_each() {
        assert_eq!(names(TREE), ["arrow", "equanym-core", "foldhash", "hashbrown", "serde"]);
    }

    #[test]
    fn core_meets_no_strangers() {
        assert_eq!(strangers(names(TREE)), ["arrow"]);
    }

    #[test]
    fn audit_does_without_the_other_rooms() {
        let tree =
            "equanym-audit v0.1.0\ncsv v1.4.0\nequanym-core v0.1.0\ndatafusion-common v55.2.0\ntokio-util v0.7.0\n";
        assert_eq!(unwanted(NOT_AUDIT, names(tree)), ["datafusion-common", "equanym-core"]);
    }
}
