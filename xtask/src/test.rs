//! `cargo xtask test`: everything that must hold before a change lands.
//!
//! The cheap steps come first, and a failure keeps nothing from running. Tests run under `cargo nextest` where it is
//! installed and under `cargo test` elsewhere; documentation examples always run under `cargo test`. All commands are
//! `--locked`: a test never changes what is tested.
//!
//! The Python package is built with everything else and tested under pytest (`python.rs`), where there is a Python. The studio's pages are
//! opened in a real browser (`browser.rs`), where there is one.
//!
//! The cluster doubles what a first build compiles. It is built where `CI` is set or `--cluster` is given, and the
//! command says so when it is not. Where it is, one more step shows that the program builds without it.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{self, Step};
use crate::tally::Tally;
use crate::{adding, browser, cannot_start, is_for_integration, postgres, python, report, rooms, succeeds, tidy};

/// What is built and tested.
#[derive(Clone, Copy)]
struct Scope<'a> {
    root: &'a Path,
    with_cluster: bool,
}

/// Runs all steps; the last line says how it went.
pub fn run(root: &Path, asks_for_cluster: bool) -> bool {
    let scope = Scope { root, with_cluster: asks_for_cluster || is_for_integration() };
    let tally = RefCell::new(Tally::default());
    let mut steps = vec![
        Step::new("format", || succeeds(&mut cargo(root, "fmt --all --check"))),
        Step::new("tidy", || report("tidy", &tidy::run(root))),
        Step::new("rooms", || report("rooms", &rooms::run(root))),
        Step::new("lints", || succeeds(scope.cargo("clippy --all-targets").args(["--", "-D", "warnings"]))),
        Step::new("adding members", || report("adding", &adding::run(root))),
        Step::new("tests", || scope.tests(&mut tally.borrow_mut())),
        Step::new("Python package", || scope.python(&mut tally.borrow_mut())),
        Step::new("browser", || scope.browser(&mut tally.borrow_mut())),
        Step::new("documentation examples", || scope.examples(&mut tally.borrow_mut())),
        Step::new("documentation", || scope.documentation()),
    ];
    if scope.with_cluster {
        let check = || succeeds(&mut cargo(root, "check --package equanym --locked"));
        steps.insert(4, Step::new("without the cluster", check));
    }
    let passed = steps::run(&mut steps);
    drop(steps);
    print!("{}", ending(scope.with_cluster, passed, &tally.into_inner()));
    passed
}

/// Runs the tests of the Python package alone.
pub fn python(root: &Path) -> bool {
    Scope { root, with_cluster: is_for_integration() }.python(&mut Tally::default())
}

/// Runs the tests of the studio's pages alone.
pub fn browser(root: &Path) -> bool {
    Scope { root, with_cluster: is_for_integration() }.browser(&mut Tally::default())
}

impl Scope<'_> {
    /// Cargo with a command for the whole workspace and what it is built with.
    fn cargo(self, arguments: &str) -> Command {
        let mut command = cargo(self.root, arguments);
        command.args(["--workspace", "--locked"]);
        if self.with_cluster {
            command.args(["--features", "equanym/cluster"]);
        }
        command
    }

    fn tests(self, tally: &mut Tally) -> bool {
        let (mut command, stream) = if has_nextest(self.root) {
            (self.cargo("nextest run --no-fail-fast"), Stream::Error)
        } else {
            (self.cargo("test --lib --bins --tests --no-fail-fast"), Stream::Output)
        };
        let server = postgres::start();
        if let Some(server) = &server {
            command.env(postgres::VARIABLE, &server.address);
        }
        let passed = counts(&mut command, stream, tally);
        drop(server);
        passed
    }

    fn python(self, tally: &mut Tally) -> bool {
        let build = self.cargo("build --lib --bin equanym");
        python::test(self.root, build, |pytest| counts(pytest, Stream::Output, tally))
    }

    fn browser(self, tally: &mut Tally) -> bool {
        let build = self.cargo("build --lib --bin equanym");
        browser::test(self.root, build, |pytest| counts(pytest, Stream::Output, tally))
    }

    fn examples(self, tally: &mut Tally) -> bool {
        counts(&mut self.cargo("test --doc --no-fail-fast"), Stream::Output, tally)
    }

    fn documentation(self) -> bool {
        succeeds(self.cargo("doc --no-deps --lib").env("RUSTDOCFLAGS", "-D warnings"))
    }
}

fn has_nextest(root: &Path) -> bool {
    let mut command = cargo(root, "nextest --version");
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Cargo with its arguments separated by blanks.
fn cargo(root: &Path, arguments: &str) -> Command {
    let mut command = crate::cargo(root);
    command.args(arguments.split(' '));
    command
}

/// Where a runner tells of its tests: nextest on standard error, the built-in runner and pytest on standard output.
#[derive(Clone, Copy)]
enum Stream {
    Output,
    Error,
}

/// Runs a command, passes that stream on line by line, and counts the tests it tells of.
fn counts(command: &mut Command, stream: Stream, tally: &mut Tally) -> bool {
    let piped = match stream {
        Stream::Output => command.stdout(Stdio::piped()),
        Stream::Error => command.stderr(Stdio::piped()),
    };
    let mut child = match piped.spawn() {
        Ok(child) => child,
        Err(error) => return cannot_start(command, &error),
    };
    if let Some(output) = child.stdout.take() {
        pass_on(output, tally);
    }
    if let Some(error) = child.stderr.take() {
        pass_on(error, tally);
    }
    child.wait().is_ok_and(|status| status.success())
}

fn pass_on(stream: impl Read, tally: &mut Tally) {
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        tally.add(&line);
    }
}

/// What is left to say: what failed, what was not built, and the last line.
fn ending(with_cluster: bool, passed: bool, tally: &Tally) -> String {
    let mut lines: Vec<String> = tally.failures.iter().map(|name| format!("   failed: {name}")).collect();
    if !with_cluster {
        lines.push("   the cluster's tests were not built: set CI or pass --cluster".to_owned());
    }
    let verdict = if passed { "ok" } else { "FAILED" };
    lines.push(format!("test result: {verdict}. {} passed; {} failed", tally.passed, tally.failed));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_result() {
        let tally = Tally { passed: 3, failed: 1, failures: ["docs::fits".to_owned()].into() };
        let text = ending(false, false, &tally);
        assert_eq!(text.lines().last(), Some("test result: FAILED. 3 passed; 1 failed"));
        assert!(text.contains("failed: docs::fits") && text.contains("were not built"), "{text}");
        assert_eq!(ending(true, true, &Tally::default()), "test result: ok. 0 passed; 0 failed\n");
    }
}
