//! The made-up hospital as files in a folder, and the real program run on it.

use std::fs;
use std::path::Path;
use std::process::Command;

use equanym_engine::run::demo::{HIERARCHIES, POLICY};

/// Writes the policy and its hierarchies.
pub fn write_policy(folder: &Path) {
    fs::write(folder.join("policy.toml"), POLICY).unwrap();
    for (name, text) in HIERARCHIES {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
}

/// A release to `out`, ready to start.
pub fn release(folder: &Path, policy: &str, data: &str, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_equanym"));
    command.current_dir(folder).args(["release", data, "--policy", policy, "--out", out, "--quiet"]);
    command
}
