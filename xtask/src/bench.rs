//! `cargo xtask bench …` and `cargo xtask reproduce …`: start the benchmarks, built for speed.

use std::path::Path;
use std::process::Command;

use crate::{cargo, succeeds};

/// Runs a part of the benchmarks with these options; they are explained by the benchmarks themselves.
pub fn run(root: &Path, part: &str, options: &[&str]) -> bool {
    match part {
        // The cluster is measured, too.
        "scale" => return beside_the_program(root, part, options, &["--features", "equanym/cluster"]),
        "release" | "models" | "frontier" => return beside_the_program(root, part, options, &[]),
        _ => (),
    }
    let mut command = cargo(root);
    command.args(["run", "--release", "--quiet", "--package", "equanym-benches", "--", part]).args(options);
    succeeds(&mut command)
}

/// What is measured is the program that lies beside the benchmarks.
fn beside_the_program(root: &Path, part: &str, options: &[&str], features: &[&str]) -> bool {
    let mut build = cargo(root);
    build.args(["build", "--release", "--package", "equanym", "--package", "equanym-benches"]).args(features);
    let target = root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
    let mut run = Command::new(target.join("release").join("equanym-benches"));
    // Started without cargo, it has to be told where its pages are.
    run.current_dir(root).env("CARGO_MANIFEST_DIR", root.join("benches")).arg(part).args(options);
    succeeds(&mut build) && succeeds(&mut run)
}
