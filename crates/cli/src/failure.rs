//! What people and scripts see when something fails.
//!
//! People get `error: …` and `hint: …` on standard error; with `--json` standard output carries the same as
//! `{"error": {"kind", "message", "hint", "exit"}}`. Kinds are `usage`, `input`, `unsafe`, `environment` and `internal`.
//!
//! `internal` is the last safety net: a panic anywhere that nobody caught. Its words are thrown away, because they may
//! hold values; unfinished releases are removed; the exit code is 3, since neither policy nor input is to blame.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use clap::error::ErrorKind;
use equanym_engine::error::{Error, Kind};
use equanym_engine::sink::staging::abandon_unfinished;
use serde_json::{Value, json};

use crate::console::{Console, message};
use crate::show;

/// Exit code of a panic.
const INTERNAL: u8 = 3;
/// Exit code of a call that the parser refuses.
const USAGE: u8 = 2;

/// Keeps panics from printing their words.
pub fn silence_panics() {
    set_hook(Box::new(|_| {}));
}

/// Runs the program; a panic becomes an error without its words.
pub fn guarded(json: bool, run: impl FnOnce() -> u8) -> u8 {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        drop(abandon_unfinished());
        let hint = "please report this, with the command and the policy and without the data";
        tell("internal", "internal error: the program stopped at a fault of its own", Some(hint), INTERNAL, json);
        INTERNAL
    })
}

/// Shows an error; gives the exit code.
pub fn report(error: &Error, console: Console) -> u8 {
    tell(kind(error.kind), &error.message, error.hint.as_deref(), error.exit_code(), console.json);
    error.exit_code()
}

/// Shows what the parser has to say: help and version, or why it refuses; gives the exit code.
pub fn usage(error: &clap::Error, json: bool) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader that went away needs no help.
            let _ = error.print();
            0
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            let _ = error.print();
            USAGE
        }
        _ if json => {
            let text = error.render().to_string();
            let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
            let words = first.strip_prefix("error: ").unwrap_or(first).trim_end();
            let hint = rest.lines().find(|line| line.starts_with("Usage:"));
            tell("usage", words, hint, USAGE, json);
            USAGE
        }
        _ => {
            let _ = error.print();
            USAGE
        }
    }
}

/// An error of the audit as one of the program.
pub fn of_audit(error: &equanym_audit::AuditError) -> Error {
    let text = error.to_string();
    let (words, hint) = text.split_once("\nhint: ").map_or((text.as_str(), None), |(words, hint)| (words, Some(hint)));
    let made = if error.exit_code() == USAGE { Error::input(words) } else { Error::environment(words) };
    match hint {
        Some(hint) => made.hint(hint),
        None => made,
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Unsafe => "unsafe",
        Kind::Input => "input",
        Kind::Environment => "environment",
    }
}

fn tell(kind: &str, words: &str, hint: Option<&str>, exit: u8, json: bool) {
    let next = hint.map(|hint| format!("{} {}\n", show::accent("hint:"), show::lines(hint))).unwrap_or_default();
    message(&format!("{} {}\n{next}", show::alarm("error:"), show::lines(words)));
    if json {
        // The exit code tells the same; there is nothing left to do about a broken standard output.
        let _ = Console { json, quiet: true }.document(&document(kind, words, hint, exit));
    }
}

fn document(kind: &str, words: &str, hint: Option<&str>, exit: u8) -> Value {
    json!({ "error": { "kind": kind, "message": words, "hint": hint, "exit": exit } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_in_three_and_says_nothing_of_its_words() {
        assert_eq!(guarded(false, || std::panic::panic_any("secret")), 3);
        assert_eq!(guarded(false, || 1), 1);
    }

    #[test]
    fn hints_of_the_audit_become_hints() {
        let error = of_audit(&equanym_audit::AuditError::NoManifest);
        assert_eq!(error.message, "the folder has no manifest.json");
        assert_eq!(error.hint.as_deref(), Some("give the `public` folder of a release"));
        assert_eq!(error.exit_code(), 2);
    }
}
