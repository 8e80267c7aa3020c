//! Processor time: what work costs, however many others want the machine.
//!
//! Linux counts the nanoseconds of each thread. Where nobody counts, the clock on the wall stands in.

use std::path::Path;
use std::time::Instant;

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub enum Whose {
    /// This thread.
    Thread,
    /// All threads of this process.
    Process,
}

/// A stopwatch for processor time.
pub struct Stopwatch {
    whose: Whose,
    before: Option<f64>,
    start: Instant,
}

impl Stopwatch {
    /// Starts.
    pub fn start(whose: Whose) -> Self {
        Self { whose, before: used(whose), start: Instant::now() }
    }

    /// The seconds of processor time since the start.
    pub fn seconds(&self) -> f64 {
        let wall = self.start.elapsed().as_secs_f64();
        self.before.zip(used(self.whose)).map_or(wall, |(before, now)| now - before)
    }
}

/// The seconds used so far.
fn used(whose: Whose) -> Option<f64> {
    match whose {
        Whose::Thread => of_thread(Path::new("/proc/thread-self")),
        Whose::Process => {
            let threads = std::fs::read_dir("/proc/self/task").ok()?;
            // A thread that has just ended counts no more.
            Some(threads.filter_map(|thread| of_thread(&thread.ok()?.path())).sum())
        }
    }
}

fn of_thread(folder: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(folder.join("schedstat")).ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
