//! `cargo xtask bench …` and `cargo xtask reproduce …`: start the benchmarks, built for speed.

use std::path::Path;

use crate::cargo;

/// Runs a part of the benchmarks with these options; they are explained by the benchmarks themselves.
pub fn run(root: &Path, part: &str, options: &[&str]) -> bool {
    let mut command = cargo(root);
    command.args(["run", "--release", "--quiet", "--package", "equanym-benches", "--", part]).args(options);
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            false
        }
    }
}
