//! The program `equanym`: parses what is asked, calls the engine, shows what was found.
//!
//! [`run`] is all of it. The binary hands it the arguments of the process; the console script of the Python package does the same.
//!
//! | Room | Promise |
//! |---|---|
//! | `commands/` | one file per command: its flags, its help, its call, its summary |
//! | `flags` | flags that several commands share |
//! | `families` | the members of all families, as their cards introduce them |
//! | `no_cluster` | what stands for a cluster in a program that was built without |
//! | `newfile` | small files that are made and never overwritten |
//! | `console` | what goes to standard output: results for people, or one JSON document |
//! | `show` | numbers, names and tables as plain text; no name can move the cursor or forge a line |
//! | `summary` | a release in words |
//! | `progress` | a line on the terminal that moves while the engine works |
//! | `limits` | memory, processor time and file sizes that the system allows end a run with an error |
//! | `failure` | errors with their next step, and what happens when the program itself is at fault |
//! | `stop` | Ctrl-C, termination and a closed terminal leave no half-written release behind |
//!
//! Exit codes: 0 done, 1 no safe release or a check failed, 2 wrong use, policy or input, 3 the environment or the program
//! itself failed, 129, 130 and 143 stopped by a signal. Nothing here knows a privacy model, loss, search or method by name:
//! what there is to say stands on their cards.

mod commands;
mod console;
mod failure;
mod families;
mod flags;
mod glossary;
mod limits;
mod newfile;
#[cfg(not(feature = "cluster"))]
mod no_cluster;
mod progress;
mod show;
mod stop;
mod summary;

use std::ffi::OsString;
use std::sync::LazyLock;

use clap::Parser;

use commands::Command;
use console::Console;
use flags::SharedFlags;

/// Releases microdata with the optimum balance of privacy and utility.
#[derive(Debug, Parser)]
#[command(name = "equanym", version = version(), arg_required_else_help = true, subcommand_required = true, after_help = AFTER)]
struct Program {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    shared: SharedFlags,
}

/// The version, with what the program was built with: `0.1.0 (excel, object-store, postgres)`.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let features = [
            ("cluster", cfg!(feature = "cluster")),
            ("excel", cfg!(feature = "excel")),
            ("object-store", cfg!(feature = "object-store")),
            ("postgres", cfg!(feature = "postgres")),
            ("studio", cfg!(feature = "studio")),
        ];
        let built: Vec<&str> = features.iter().filter(|(_, is_built)| *is_built).map(|(name, _)| *name).collect();
        let built = if built.is_empty() { "no features".to_owned() } else { built.join(", ") };
        format!("{} ({built})", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

const AFTER: &str = "\
Exit codes: 0 done · 1 no safe release, or a check failed · 2 wrong use, policy or input · 3 environment

Start here:
  equanym demo                                              the main job on a made-up hospital, explained
  equanym draft data.csv --out policy.toml                  a policy for your own table, to be reviewed
  equanym release data.csv --policy policy.toml --out DIR   the best safe release, audited";

/// Runs the program with these arguments, its own name the first; gives the exit code.
///
/// It is meant to be all that a process does: a panic ends it, and so do signals. Where the system limits memory, the process is
/// started a second time with the arguments that it has, and this one waits for it.
#[must_use]
pub fn run(arguments: &[OsString]) -> u8 {
    let json = arguments.iter().any(|argument| argument == "--json");
    failure::end_on_panic(json);
    limits::heed_file_size();
    if let Some(code) = limits::run_as_child(json) {
        return code;
    }
    let program = match Program::try_parse_from(arguments) {
        Ok(program) => program,
        Err(error) => return failure::usage(&error, json),
    };
    let console = Console { json: program.shared.json, quiet: program.shared.quiet };
    let watched = if program.command.waits_for_signals() { Ok(()) } else { stop::watch() };
    let ending = watched.and_then(|()| program.command.run(&program.shared, console));
    match ending {
        Ok(ending) => ending.exit_code(),
        Err(error) => failure::report(&error, console),
    }
}

/// Every family with the cards of its members.
#[must_use]
pub fn families() -> impl serde::Serialize {
    families::all()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_flags_of_all_commands_go_together() {
        super::Program::command().debug_assert();
    }
}
