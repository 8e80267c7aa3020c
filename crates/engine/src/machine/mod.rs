//! Threads, memory and disk of one run.
//!
//! Work on a table falls into parts that are read side by side, one thread each ([`Runtime::each`]). What does not fit
//! in memory goes through a `sorter`. Nothing here waits for anything but threads and disk.

pub mod key_counts;
pub(crate) mod memory;
pub mod private_file;
pub(crate) mod sorter;
pub(crate) mod stopwatch;
pub(crate) mod turn;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::error::{Error, Result};
use sorter::Sorter;

/// What a run may use.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Worker threads; 0 means one per core, or as many as the limits of the process have room for.
    pub threads: usize,
    /// Bytes for counting and sorting.
    pub memory: usize,
    /// Bytes of disk for what does not fit in memory.
    pub disk: u64,
}

impl Default for Resources {
    fn default() -> Self {
        Self { threads: 0, memory: memory::default_limit(), disk: DISK }
    }
}

/// Enough for what a machine can sort in hours, and less than most disks.
const DISK: u64 = 100 << 30;

/// Threads, memory and disk of one run.
pub struct Runtime {
    threads: Threads,
    /// Bytes for counting and sorting.
    pub memory: usize,
    disk: u64,
    spill: Option<PathBuf>,
    spilled: AtomicU64,
}

impl Runtime {
    /// Starts the threads. Without a folder to spill to, work beyond the memory limit fails instead.
    pub fn start(resources: &Resources, spill: Option<&Path>) -> Result<Self> {
        let threads = match resources.threads {
            0 => thread::available_parallelism().map_or(1, usize::from).min(memory::most_threads()),
            threads => threads,
        };
        Ok(Self {
            threads: Threads::start(threads)?,
            memory: resources.memory,
            disk: resources.disk,
            spill: spill.map(Path::to_path_buf),
            spilled: AtomicU64::new(0),
        })
    }

    /// Spills to the system's folder for temporary files where there is one: only codes are spilled, never values.
    pub(crate) fn in_temporary_folder(resources: &Resources) -> Result<Self> {
        Self::start(resources, Some(&std::env::temp_dir())).or_else(|_| Self::start(resources, None))
    }

    /// Does work that falls into parts of its own on as many threads as the run may use.
    pub(crate) fn side_by_side<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.threads.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Does the work of each part, as many at a time as there are threads. After an error no further part is begun.
    pub fn each<T: Send>(&self, parts: usize, work: impl Fn(usize) -> Result<T> + Send + Sync) -> Result<Vec<T>> {
        self.side_by_side(|| (0..parts).into_par_iter().with_max_len(1).map(work).collect())
    }

    /// The worker threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.handles.len()
    }

    /// Sorts the keys of so many parts and adds up their counts, in a quarter of the memory.
    #[must_use]
    pub(crate) fn sorter(&self, parts: usize) -> Sorter<'_> {
        Sorter::new(self, parts)
    }

    /// The bytes that were written to disk so far because memory ran short.
    #[must_use]
    pub fn spilled(&self) -> u64 {
        self.spilled.load(Ordering::Relaxed)
    }
}

/// Threads that have ended when they are dropped: whoever started a run in a process of their own is rid of them after it.
struct Threads {
    /// Taken when they shall end.
    pool: Option<rayon::ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    fn start(count: usize) -> Result<Self> {
        let mut handles = Vec::with_capacity(count);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).spawn_handler(|thread| {
            let named = thread::Builder::new().name("equanym".to_owned());
            handles.push(named.spawn(|| thread.run())?);
            Ok(())
        });
        let pool = pool.build().map_err(|_| too_few(count))?;
        Ok(Self { pool: Some(pool), handles })
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        drop(self.pool.take());
        // One that panicked has told so where its work was waited for.
        self.handles.drain(..).for_each(|handle| drop(handle.join()));
    }
}

fn too_few(threads: usize) -> Error {
    Error::environment(format!("the system refuses to start {threads} threads"))
        .hint("use fewer with --threads, or raise its limits")
}
