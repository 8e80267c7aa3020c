//! Ctrl-C and termination leave no half-written release behind.
//!
//! A thread of its own waits for SIGINT and SIGTERM, removes what unfinished releases have written and ends the process
//! with 130 or 143. It waits for nobody else: threads that still count or sort die with the process. A second signal ends
//! the process at once, should the disk be slow; the next run to the same folder then cleans up.
//!
//! Limit: elsewhere than on Unix the system's own way of stopping applies, and the next run cleans up.

use equanym_engine::error::Result;

/// Starts to wait for signals.
#[cfg(unix)]
pub fn watch() -> Result<()> {
    unix::watch()
}

/// There are no signals to wait for.
#[cfg(not(unix))]
pub fn watch() -> Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use equanym_engine::error::{Error, Result};
    use equanym_engine::write::abandon_unfinished;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    use crate::console::message;

    pub(super) fn watch() -> Result<()> {
        listen().map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
                Error::environment("the system refuses to start another thread").hint("raise its limits")
            }
            kind => Error::environment(format!("cannot wait for signals: {kind}")),
        })
    }

    fn listen() -> io::Result<()> {
        let is_stopping = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down and raises it, the second finds it raised.
            flag::register_conditional_shutdown(signal, exit_code(signal), Arc::clone(&is_stopping))?;
            flag::register(signal, Arc::clone(&is_stopping))?;
        }
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                stop(signal);
            }
        })?;
        Ok(())
    }

    fn stop(signal: i32) {
        // Held until the end, so that no release is completed after its files were removed.
        let _unfinished = abandon_unfinished();
        message("\nstopped before the end; an unfinished release leaves nothing behind\n");
        low_level::exit(exit_code(signal));
    }

    fn exit_code(signal: i32) -> i32 {
        128 + signal
    }
}
