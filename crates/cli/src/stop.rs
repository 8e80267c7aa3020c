//! Ctrl-C, termination and a closed terminal leave no half-written release behind.
//!
//! A thread of its own waits for SIGINT, SIGTERM and SIGHUP; at the first of them what unfinished releases have written
//! is removed, and the process ends with 130, 143 or 129. It waits for nobody else: threads that still count or sort die
//! with the process. Signals often come in pairs, as from `timeout` or a shell that ends its jobs, so those that follow at
//! once change nothing. One that comes after [`PATIENCE`] ends the process there and then, should the disk be slow; the
//! next run to the same folder then cleans up. A signal that whoever started the program wants ignored, as `nohup` does,
//! is ignored.
//!
//! Limit: what is to be ignored is known on Linux; on other kinds of Unix SIGHUP has the system's own effect, and the next
//! run cleans up. So it is with all signals elsewhere.

use equanym_engine::error::Result;

/// Starts to wait for signals.
#[cfg(unix)]
pub fn watch() -> Result<()> {
    unix::watch()
}

#[cfg(target_os = "linux")]
pub use unix::heeded;

/// There are no signals to wait for.
#[cfg(not(unix))]
pub fn watch() -> Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::time::{Duration, Instant};
    use std::{fs, io, thread};

    use equanym_engine::error::{Error, Result};
    use equanym_engine::write::abandon_unfinished;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level;

    use crate::console::message;

    /// How long what was written may take to go before another signal is obeyed at once.
    const PATIENCE: Duration = Duration::from_secs(1);

    pub(super) fn watch() -> Result<()> {
        listen().map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
                Error::environment("the system refuses to start another thread").hint("raise its limits")
            }
            kind => Error::environment(format!("cannot wait for signals: {kind}")),
        })
    }

    /// The signals that end a run: those that nobody wants ignored.
    pub fn heeded() -> impl Iterator<Item = i32> {
        let ignored = ignored();
        let heeded = [SIGINT, SIGTERM].into_iter().filter(move |signal| !ignored.is_some_and(|set| has(set, *signal)));
        heeded.chain(ignored.filter(|set| !has(*set, SIGHUP)).map(|_| SIGHUP))
    }

    fn listen() -> io::Result<()> {
        let mut signals = Signals::new(heeded())?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || obey(&mut signals))?;
        Ok(())
    }

    /// Stops at the first signal; while that takes long, a further one ends the process.
    fn obey(signals: &mut Signals) {
        let Some(first) = signals.forever().next() else { return };
        let begun = Instant::now();
        if thread::Builder::new().spawn(move || stop(first)).is_err() {
            stop(first);
        }
        for signal in signals.forever() {
            if begun.elapsed() > PATIENCE {
                low_level::exit(exit_code(signal));
            }
        }
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

    /// The set of signals that whoever started the program wants ignored, where the system tells it.
    fn ignored() -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(set.trim(), 16).ok()
    }

    fn has(set: u64, signal: i32) -> bool {
        signal > 0 && set >> (signal - 1) & 1 == 1
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn sets_of_signals_are_counted_from_one() {
            assert!(has(0b1, SIGHUP) && has(0b10, SIGINT) && has(1 << 14, SIGTERM));
            assert!(!has(0b1, SIGINT) && !has(0, SIGTERM));
        }
    }
}
