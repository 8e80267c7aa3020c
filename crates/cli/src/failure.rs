//! What people and scripts see when something fails.
//!
//! People get `error: …` and `hint: …` on standard error; with `--json` standard output carries the same as
//! `{"error": {"kind", "message", "hint", "exit"}}`. Kinds are `usage`, `input`, `unsafe`, `environment` and `internal`.
//!
//! `internal` is the last safety net: a panic that nobody catches ends the process at once, from the hook, because waiting
//! for other threads could take forever. Its text is thrown away, since they may hold values; unfinished releases are
//! removed; the exit code is 3, for neither policy nor input is to blame. Rooms that catch the panics of a library keep
//! them from this hook.

use std::panic::set_hook;
use std::process::exit;

use clap::error::ErrorKind;
use equanym_engine::error::{Error, Kind};
use equanym_engine::write::abandon_unfinished;
use serde_json::{Value, json};

use crate::console::{Console, message};
use crate::show;

/// Exit code of a panic.
pub const INTERNAL: u8 = 3;
/// Exit code of a call that the parser refuses.
const USAGE: u8 = 2;

/// What is shown of a failure.
struct Failure<'a> {
    kind: &'static str,
    message: &'a str,
    hint: Option<&'a str>,
    exit: u8,
}

/// Lets a panic end the process with an error that holds none of its text.
pub fn end_on_panic(json: bool) {
    set_hook(Box::new(move |panic| {
        let _unfinished = abandon_unfinished();
        of_panic(panic.payload_as_str().unwrap_or_default()).tell(json);
        exit(INTERNAL.into());
    }));
}

/// What a panic means: threads that the system refuses and clocks before 1970 are no fault of the program, though libraries
/// panic over them.
fn of_panic(text: &str) -> Failure<'static> {
    // The last two: a new thread that finds no room for its second stack, and the threads that core works with.
    let is_refused = text.contains("spawn") && text.contains("thread")
        || text.contains("alternative stack")
        || text.contains("global thread pool has not been initialized");
    let (kind, message, hint) = if is_refused {
        ("environment", "the system refuses to start another thread", "use fewer with --threads, or raise its limits")
    } else if text.contains("SystemTimeError") {
        ("environment", "the system's clock stands before 1970", "set it to the time of today")
    } else {
        let hint = "please report this, with the command and the policy and without the data";
        ("internal", "internal error: the program stopped at a fault of its own", hint)
    };
    Failure { kind, message, hint: Some(hint), exit: INTERNAL }
}

/// Shows an error; gives the exit code.
pub fn report(error: &Error, console: Console) -> u8 {
    let (kind, exit) = (name(error.kind), error.exit_code());
    Failure { kind, message: &error.message, hint: error.hint.as_deref(), exit }.tell(console.json);
    exit
}

/// Shows what the parser has to say: help and version, or why it refuses; gives the exit code.
pub fn usage(error: &clap::Error, json: bool) -> u8 {
    let is_asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if json && !is_asked_for {
        let (message, hint) = of_parser(error);
        Failure { kind: "usage", message: &message, hint: Some(&hint), exit: USAGE }.tell(json);
    } else {
        // A reader that went away needs no help.
        let _ = error.print();
    }
    if is_asked_for { 0 } else { USAGE }
}

/// What the parser says, in one line and without its usage.
fn of_parser(error: &clap::Error) -> (String, String) {
    let text = error.render().to_string();
    let usage = text.lines().find(|line| line.starts_with("Usage:")).unwrap_or("`equanym --help` shows what there is");
    let message = match error.kind() {
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing",
        _ => text.split("\n\n").next().unwrap_or_default(),
    };
    (message.trim_start_matches("error: ").trim_end().to_owned(), usage.to_owned())
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Unsafe => "unsafe",
        Kind::Input => "input",
        Kind::Environment => "environment",
    }
}

impl Failure<'_> {
    fn tell(&self, json: bool) {
        let hint = self.hint.map(|hint| format!("{} {}\n", show::accent("hint:"), show::lines(hint)));
        let hint = hint.unwrap_or_default();
        message(&format!("{} {}\n{hint}", show::alarm("error:"), show::lines(self.message)));
        if json {
            // The exit code tells the same; there is nothing left to do about a broken standard output.
            let _ = Console { json, quiet: true }.document(&self.document());
        }
    }

    fn document(&self) -> Value {
        let Self { kind, message, hint, exit } = self;
        json!({ "error": { "kind": kind, "message": message, "hint": hint, "exit": exit } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_says_nothing_of_its_text() {
        let failure = of_panic("index out of bounds: secret");
        assert_eq!(failure.kind, "internal");
        assert!(!failure.document().to_string().contains("secret"));
        for text in [
            "OS can't spawn worker thread: Resource temporarily unavailable (os error 11)",
            "failed to spawn thread: Os { code: 11, kind: WouldBlock, message: \"Resource temporarily unavailable\" }",
            "The global thread pool has not been initialized.: ThreadPoolBuildError { kind: IOError(Os { code: 11 }) }",
            "failed to allocate an alternative stack: Cannot allocate memory (os error 12)",
        ] {
            assert_eq!(of_panic(text).kind, "environment", "{text}");
        }
        let failure = of_panic("system time before Unix epoch: SystemTimeError(86400s)");
        assert_eq!((failure.kind, failure.message), ("environment", "the system's clock stands before 1970"));
    }
}
