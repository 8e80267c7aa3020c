//! A guard around a reader that may panic on hostile bytes.
//!
//! The Parquet reader asserts what a well-formed file promises. Such a panic is caught and becomes "not readable", and its
//! message is kept off the terminal: it is not ours, and it might quote the file. Panics elsewhere are shown as ever.
//!
//! Limit: a program built with `panic = "abort"` ends instead.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use parquet::errors::ParquetError;

use super::ReadFailure;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}
static HOOK: Once = Once::new();

/// Runs a piece of reading; an error or panic of the reader becomes the one word `what`.
pub(super) fn guarded<T>(what: &'static str, read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ReadFailure> {
    HOOK.call_once(silence_inside);
    INSIDE.set(true);
    // What a panic leaves half done is never used again: the caller stops at the first unreadable record.
    let outcome = panic::catch_unwind(AssertUnwindSafe(read));
    INSIDE.set(false);
    outcome.ok().and_then(Result::ok).ok_or(ReadFailure::Content { what, record: None })
}

fn silence_inside() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |information| {
        if !INSIDE.get() {
            previous(information);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_unreadable_file() {
        let outcome = guarded("broken", || -> Result<(), ParquetError> { panic!("the reader gave up") });
        assert!(matches!(outcome, Err(ReadFailure::Content { what: "broken", record: None })));
        assert!(!INSIDE.get());
        assert!(matches!(guarded("broken", || Ok(7)), Ok(7)));
    }
}
