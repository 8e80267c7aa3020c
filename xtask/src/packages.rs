//! Packages of the system that tests want: installed where a machine is there for that, and nowhere else.

use std::process::{Command, Stdio};

/// Installs packages of Debian, on a machine for continuous integration (`CI` is set) on which this is root. Nothing here waits
/// for ever; whoever asks looks again for what it needs.
pub fn install(title: &str, packages: &str) {
    if !crate::is_for_integration() || !is_root() {
        return;
    }
    println!("{title}: installing it");
    let install = format!(
        "timeout 300 apt-get -qq update; \
         DEBIAN_FRONTEND=noninteractive timeout 600 apt-get -qq install -y --no-install-recommends {packages}"
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &install]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !shell.status().is_ok_and(|status| status.success()) {
        println!("{title}: it could not be installed");
    }
}

/// Whether this may install packages.
pub fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
