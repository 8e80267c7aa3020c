//! `cargo xtask test`: everything that must hold before a change lands.
//!
//! The cheap steps come first. Tests run under `cargo nextest` where it is installed and under `cargo test` elsewhere;
//! documentation examples always run under `cargo test`. All commands are `--locked`: a test never changes what is
//! tested. They build the cluster along with the rest; that the program builds without it is a step of its own.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{self, Step};
use crate::tally::Tally;
use crate::{cannot_start, postgres, report, rooms, succeeds, tidy};

/// Runs all steps; the last line says how it went.
pub fn run(root: &Path) -> bool {
    let tally = RefCell::new(Tally::default());
    let passed = steps::run(&mut [
        Step::new("format", || succeeds(&mut cargo(root, "fmt --all --check"))),
        Step::new("tidy", || report("tidy", &tidy::run(root))),
        Step::new("rooms", || report("rooms", &rooms::run(root))),
        Step::new("lints", || {
            succeeds(&mut cargo(
                root,
                "clippy --workspace --all-targets --features equanym/cluster --locked -- -D warnings",
            ))
        }),
        Step::new("without the cluster", || succeeds(&mut cargo(root, "check --package equanym --locked"))),
        Step::new("tests", || tests(root, &mut tally.borrow_mut())),
        Step::new("documentation examples", || examples(root, &mut tally.borrow_mut())),
        Step::new("documentation", || documentation(root)),
    ]);
    println!("{}", last_line(passed, *tally.borrow()));
    passed
}

fn tests(root: &Path, tally: &mut Tally) -> bool {
    let (mut command, stream) = if has_nextest(root) {
        (cargo(root, "nextest run --workspace --features equanym/cluster --locked"), Stream::Error)
    } else {
        (cargo(root, "test --workspace --features equanym/cluster --lib --bins --tests --locked"), Stream::Output)
    };
    let server = postgres::start();
    if let Some(server) = &server {
        command.env(postgres::VARIABLE, &server.address);
    }
    let passed = counts(&mut command, stream, tally);
    drop(server);
    passed
}

fn examples(root: &Path, tally: &mut Tally) -> bool {
    counts(&mut cargo(root, "test --doc --workspace --features equanym/cluster --locked"), Stream::Output, tally)
}

fn documentation(root: &Path) -> bool {
    let mut command = cargo(root, "doc --no-deps --workspace --features equanym/cluster --lib --locked");
    succeeds(command.env("RUSTDOCFLAGS", "-D warnings"))
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

/// Where a runner tells of its tests: nextest on standard error, the built-in runner on standard output.
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

fn last_line(passed: bool, tally: Tally) -> String {
    let verdict = if passed { "ok" } else { "FAILED" };
    format!("test result: {verdict}. {} passed; {} failed", tally.passed, tally.failed)
}
