//! Turns failures of the machine and of libraries into our own words.
//!
//! Messages of libraries are never passed on: they may quote the data. What the operating system says is: it knows
//! paths and devices, not cells. A fault of the machine is the environment's turn, a damaged file the user's.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use crate::error::{Error, Result};

/// An error of finding or opening `name`.
pub(super) fn opening(name: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::InvalidFilename
        | io::ErrorKind::InvalidInput => Error::input(format!("{name}: no such file or folder")),
        io::ErrorKind::PermissionDenied => Error::environment(format!("{name}: permission denied")),
        _ => Error::environment(format!("{name}: cannot be opened: {error}")),
    }
}

/// An error of reading the bytes of `name`, by whose turn it is.
pub(super) fn reading(name: &str, error: &io::Error) -> Error {
    if let Some(own) = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        return own.clone();
    }
    if error.raw_os_error().is_some() {
        return Error::environment(format!("{name}: cannot be read: {error}"));
    }
    if error.kind() == io::ErrorKind::OutOfMemory {
        return no_room(name, "what is read at once");
    }
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "cut short: the end is missing",
        _ => "the compressed data is damaged",
    };
    Error::input(format!("{name}: {what}")).hint("write or download the file again")
}

/// What is said where a part of a file would not fit in memory.
pub(super) fn no_room(name: &str, what: &str) -> Error {
    Error::environment(format!("{name}: size cap reached: {what} would not fit in memory"))
        .hint("give the program more memory or fewer --threads, or write the table as CSV and read that")
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder of a library and turns its panic, should it have one, into an input error.
///
/// A panic's own message may quote the data it stumbled over, so it is not printed either. The decoder must not be
/// used again after an error.
pub(super) fn guarded<T>(name: &str, decode: impl FnOnce() -> Result<T>) -> Result<T> {
    silence_guarded_panics();
    let before = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(damaged(name)))
}

/// The file breaks the rules of its format.
pub(super) fn damaged(name: &str) -> Error {
    Error::input(format!("{name}: the file is damaged or not of the format its name says"))
        .hint("write or download the file again")
}

fn silence_guarded_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                previous(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn the_kind_tells_whose_turn_it_is() {
        let opened = |kind| opening("x", &io::Error::from(kind)).kind;
        assert_eq!(opened(io::ErrorKind::PermissionDenied), Kind::Environment);
        assert_eq!(opened(io::ErrorKind::NotFound), Kind::Input);
        let device = io::Error::from_raw_os_error(5);
        assert_eq!(opening("x", &device).kind, Kind::Environment);
        assert_eq!(reading("x", &device).kind, Kind::Environment);
        assert_eq!(reading("x", &io::Error::from(io::ErrorKind::UnexpectedEof)).kind, Kind::Input);
        assert_eq!(reading("x", &io::Error::other(Error::environment("cap"))).message, "cap");
    }

    #[test]
    fn a_panic_becomes_an_error_without_its_message() {
        let error = guarded::<()>("x", || panic!("a cell")).unwrap_err();
        assert!(error.kind == Kind::Input && !error.to_string().contains("a cell"));
        assert_eq!(guarded("x", || Ok(7)), Ok(7));
    }
}
