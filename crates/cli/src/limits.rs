//! Limits of the system end a run with an error, and leave nothing behind.
//!
//! Where memory is limited (`ulimit -v`, `-d`), an allocation that fails ends a process there and then, and a limit of processor
//! time (`ulimit -t`) does the same: no code of the process is asked. So under such a limit the program runs as a child of its own.
//! The parent waits and passes signals on. When a signal ends the child, the parent removes what the child has listed
//! ([`list_leftover`](equanym_engine::write::list_leftover)), says which limits there are, and exits with 3. Should the parent be killed, the child is
//! told to end.
//!
//! A file that would be larger than allowed (`ulimit -f`) comes with a signal, too. Once that is heeded, writing fails as on a full disk.
//!
//! Limit: this is so on Linux; elsewhere the next run to the same output cleans up. An embedded program, such as a library of
//! Python, ends with its process.

/// The exit code of the program where it ran as a child, and `None` in that child or where no limit asks for one.
#[cfg(target_os = "linux")]
pub fn run_as_child(json: bool) -> Option<u8> {
    linux::run_as_child(json)
}

/// Other systems have no such limits, or none that is known.
#[cfg(not(target_os = "linux"))]
pub fn run_as_child(_: bool) -> Option<u8> {
    None
}

/// Has files that grow too large fail instead of ending the process.
pub fn heed_file_size() {
    #[cfg(unix)]
    {
        // Where it cannot be heeded, the next run cleans up.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::env::{args_os, current_exe, var_os};
    use std::fs::File;
    use std::io::{self, Read, Seek};
    use std::os::fd::AsRawFd;
    use std::os::unix::process::{CommandExt, ExitStatusExt, parent_id};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, ExitStatus, id};

    use equanym_engine::error::{Error, Result};
    use equanym_engine::write::{keep_leftovers_in, remove_leftovers};
    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process, set_parent_process_death_signal};
    use signal_hook::consts::{SIGCHLD, SIGKILL, SIGXCPU};
    use signal_hook::iterator::Signals;

    use crate::console::Console;
    use crate::{failure, show, stop};

    /// Tells a child where it leaves its list: a file that its parent holds.
    const LEFTOVERS: &str = "EQUANYM_LEFTOVERS";

    /// How many heaps the threads share. Each reserves [`HEAP`] addresses, which may be most of what there is: all of them together
    /// take an eighth at most.
    const HEAPS: &str = "MALLOC_ARENA_MAX";
    const HEAP: u64 = 64 << 20;

    pub(super) fn run_as_child(json: bool) -> Option<u8> {
        let limits = Limits::of_this_process();
        if limits.are_none() || become_child() {
            return None;
        }
        let console = Console { json, quiet: false };
        Some(watch_child(&limits).unwrap_or_else(|error| failure::report(&error, console)))
    }

    /// Whether a parent watches this process; then it keeps its list.
    fn become_child() -> bool {
        let list =
            var_os(LEFTOVERS).map(PathBuf::from).filter(|list| list.starts_with(format!("/proc/{}/fd", parent_id())));
        let Some(list) = list else { return false };
        // Where either fails, a run that is ended leaves to the next one what it has written.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
        let _ = File::options().append(true).open(list).map(keep_leftovers_in);
        true
    }

    /// The exit code of a child that does what this process was asked for.
    fn watch_child(limits: &Limits) -> Result<u8> {
        let mut list =
            memfd_create("leftovers", MemfdFlags::CLOEXEC).map(File::from).map_err(|error| refused(&error.into()))?;
        let heeded = stop::heeded().chain([SIGCHLD]);
        let mut signals = Signals::new(heeded).map_err(|error| refused(&error))?;
        let mut child = start_child(&list, limits).map_err(|error| refused(&error))?;
        let status = wait(&mut child, &mut signals).map_err(|error| refused(&error))?;
        let Some(signal) = status.signal() else {
            return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(failure::INTERNAL));
        };
        let mut listed = Vec::new();
        if list.rewind().and_then(|()| list.read_to_end(&mut listed)).is_ok() {
            remove_leftovers(&listed);
        }
        Err(limits.refusal(signal))
    }

    fn start_child(list: &File, limits: &Limits) -> io::Result<Child> {
        let mut arguments = args_os();
        let mut command = Command::new(current_exe()?);
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        if let Some(bytes) = limits.addresses.filter(|_| var_os(HEAPS).is_none()) {
            command.env(HEAPS, (bytes / 8 / HEAP).max(1).to_string());
        }
        let list = Path::new("/proc").join(id().to_string()).join("fd").join(list.as_raw_fd().to_string());
        // A trace would be made where memory has just failed, and shown beside the reason.
        command.args(arguments).env(LEFTOVERS, list).env("RUST_BACKTRACE", "0").spawn()
    }

    /// Waits for the child to end, and passes on what it is told meanwhile.
    fn wait(child: &mut Child, signals: &mut Signals) -> io::Result<ExitStatus> {
        for signal in signals.forever() {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if let (Some(pid), Some(signal)) = (Pid::from_raw(child.id().cast_signed()), Signal::from_named_raw(signal))
                && signal != Signal::CHILD
            {
                // It may just have ended.
                let _ = kill_process(pid, signal);
            }
        }
        child.wait()
    }

    fn refused(error: &io::Error) -> Error {
        Error::environment(format!("the system refuses to start another process: {}", error.kind()))
            .hint("raise its limits")
    }

    /// What the system allows of that which ends a process where it runs out.
    struct Limits {
        addresses: Option<u64>,
        data: Option<u64>,
        seconds: Option<u64>,
    }

    impl Limits {
        fn of_this_process() -> Self {
            let limit = |resource| getrlimit(resource).current;
            Self { addresses: limit(Resource::As), data: limit(Resource::Data), seconds: limit(Resource::Cpu) }
        }

        fn are_none(&self) -> bool {
            self.addresses.or(self.data).or(self.seconds).is_none()
        }

        /// Why a signal has ended the child.
        fn refusal(&self, signal: i32) -> Error {
            match (self.seconds, self.addresses.into_iter().chain(self.data).min()) {
                (Some(seconds), _) if [SIGKILL, SIGXCPU].contains(&signal) => Error::environment(format!(
                    "the system ended the run: it allows {} of processor time",
                    show::counted(seconds, "second", "seconds")
                ))
                .hint("raise the limit (`ulimit -t`); an unfinished release leaves nothing behind"),
                (_, Some(bytes)) => Error::environment(format!(
                    "the run ended for lack of memory: the system allows {} MiB (signal {signal})",
                    show::count(bytes >> 20)
                ))
                .hint("raise the limit (`ulimit -v`, `ulimit -d`), or use less with --memory and --threads"),
                _ => Error::environment(format!("the run was ended by signal {signal}"))
                    .hint("an unfinished release leaves nothing behind; run it again"),
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_reason_is_the_limit() {
            let limits = |addresses, data, seconds| Limits { addresses, data, seconds };
            let said = |limits: Limits, signal| limits.refusal(signal).message;
            assert!(limits(None, None, None).are_none() && !limits(None, None, Some(0)).are_none());
            assert!(said(limits(Some(120 << 20), None, None), 6).contains("120 MiB (signal 6)"));
            assert!(said(limits(Some(120 << 20), Some(64 << 20), Some(1)), 6).contains("64 MiB"));
            assert!(said(limits(Some(120 << 20), None, Some(2)), SIGKILL).contains("2 seconds of processor time"));
            assert!(said(limits(None, None, Some(1)), 11).contains("signal 11"));
        }
    }
}
