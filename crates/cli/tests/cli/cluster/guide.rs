//! The commands of `docs/cluster.md` work as they stand there.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::processes::program;

/// The blocks of shell commands of the page.
fn commands() -> String {
    let page = include_str!("../../../../../docs/cluster.md");
    page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_commands_of_the_page_release_what_one_machine_releases() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::os::unix::fs::symlink(root.join("examples"), folder.path().join("examples")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_equanym")).parent().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    // Another port, for others may use that of the page; and all processes end with the last command.
    let script = format!("trap 'trap - TERM; kill 0' EXIT\nset -e\n{}", commands().replace("50050", &port));
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).env("PATH", path).process_group(0);
    let output = shell.output().unwrap();
    assert!(folder.path().join("release/public/data.csv").exists(), "{output:?}");
    let here =
        ["release", "examples/hospital/admissions.csv", "--policy", "examples/hospital/policy.toml", "--out", "here"];
    assert!(program(&here).arg("--quiet").current_dir(folder.path()).status().unwrap().success());
    super::processes::assert_same(&folder.path().join("here"), &folder.path().join("release"));
    fs::remove_file(folder.path().join("examples")).unwrap();
}
