//! The chores of the house: `cargo xtask test`, `cargo xtask tidy`, `cargo xtask bench` and more.
//!
//! One file per chore. A chore prints what it does and fails with exit code 1; wrong use is exit code 2. Only the
//! standard library is used, so a chore starts within seconds on a new machine.

mod adding;
mod bench;
mod browser;
mod cycles;
mod lines;
mod order;
mod packages;
mod postgres;
mod python;
mod rooms;
mod source;
mod steps;
mod tally;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask CHORE

chores:
  test [--cluster]
         everything that must hold before a change lands: format, lints, tidy, rooms, tests, documentation; the
         cluster is built and tested where CI is set or --cluster is given
  python the tests of the Python package alone
  browser
         the studio's pages in a real browser alone; EQUANYM_SHOTS=FOLDER keeps pictures of them
  wheel  the Python package, built for people to install, in target/wheels
  tidy   the rules of the house that no compiler checks
  rooms  which crates each room may depend on, that no two modules need each other, and that no room of the engine uses
         a later one
  adding
         a new member of every family, in a copy of the house and in the files that ARCHITECTURE names: does it build?
  lines  how many lines of code and of tests each room has

  bench search [--quick] [--complete] [--large] [--write] [--data FOLDER]
         how fast the searches are, side by side; --write renews benches/README.md
  bench read [--quick] [--write]
         a table as people keep it beside the same in plain UTF-8
  bench instructions [--write] [--data FOLDER]
         instructions that three searches take, under valgrind
  bench release [--write] [--data FOLDER]
         the whole program on every data set at hand: what a user waits for, part by part
  bench models [--write] [--data FOLDER]
         every privacy model on adult, two large tables, and people beside records
  bench neighbours [--write]
         random samples of neighbouring tables, and what they tell
  bench frontier [--write] [--data FOLDER]
         the risk–utility map of adult beside its 24 releases, and its ten best safe nodes
  bench balance [--quick] [--write] [--data FOLDER]
         large markets, and the search by preferences beside every node
  bench scale [--quick] [--large] [--write]
         counting beside DuckDB and Polars, and whole releases; --large goes to a hundred million records
  bench studio [--dev] [--write] [--data FOLDER]
         the studio in a browser: from a slider's move to the new picture, and the first page; --dev takes the build for tests
  bench python
         a million records in memory, released by the Python package, beside the program with the same table as Parquet
  reproduce ola [--quick] [--data FOLDER]
         OLA against Datafly, Samarati and Incognito; renews benches/REPRODUCE_OLA.md and benches/ola.svg
  reproduce anopi
         the examples of the price-theory paper; renews benches/REPRODUCE_ANOPI.md and benches/anopi-*.svg
  bench walk [--quick] [--write]
         what the samplers of the walk are worth per second, and hopsy's beside them; --write renews benches/WALK.md
  bench totals [--quick] [--write]
         a walk of a whole table that keeps the totals of columns and groups; --write renews its part of benches/WALK.md
  reproduce walk [--quick] [--data FOLDER]
         the walk against noise and Mondrian; renews benches/REPRODUCE_WALK.md with its figures and tables";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = root();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test::run(&root, false),
        ["test", "--cluster"] => test::run(&root, true),
        ["python"] => test::python(&root),
        ["browser"] => test::browser(&root),
        ["wheel"] => python::wheel(&root),
        ["tidy"] => report("tidy", &tidy::run(&root)),
        ["rooms"] => report("rooms", &rooms::run(&root)),
        ["adding"] => report("adding", &adding::run(&root)),
        ["lines"] => report("lines", &lines::run(&root)),
        [
            "bench",
            part @ ("search" | "instructions" | "read" | "release" | "models" | "neighbours" | "frontier" | "balance"
            | "walk" | "totals" | "scale"),
            options @ ..,
        ] => bench::run(&root, part, options),
        ["bench", "studio", options @ ..] => browser::bench(&root, options),
        ["bench", "python"] => python::bench(&root),
        ["reproduce", "anopi", options @ ..] => bench::run(&root, "reproduce-anopi", options),
        ["reproduce", "ola", options @ ..] => bench::run(&root, "reproduce-ola", options),
        ["reproduce", "walk", options @ ..] => bench::run(&root, "reproduce-walk", options),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Shows how a chore ended and whether it went well.
fn report(chore: &str, outcome: &Result<String, String>) -> bool {
    let (Ok(message) | Err(message)) = outcome;
    println!("{chore}: {message}");
    outcome.is_ok()
}

/// The cargo that started this program, in the workspace. What it said about this package is taken back: build scripts
/// look at such variables, and everything that stands on them would be built anew whenever a chore follows a plain build.
fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let is_ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_ours)) {
        command.env_remove(name);
    }
    command.current_dir(root);
    command
}

/// Whether this machine is there for continuous integration: `CI` is set.
fn is_for_integration() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// Runs a command to its end.
fn succeeds(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => cannot_start(command, &error),
    }
}

fn cannot_start(command: &Command, error: &std::io::Error) -> bool {
    eprintln!("{} cannot be started: {error}", command.get_program().display());
    false
}

/// The folder of the workspace. Cargo says at run time where this package lies; a path fixed at compile time would be
/// wrong in a second clone that shares the target folder.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.as_deref().and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_owned)
}
