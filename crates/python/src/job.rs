//! A run, without the interpreter's lock, that Ctrl-C can stop.
//!
//! The work is done on a thread of its own. The one that asked waits, looks for signals as Python wants it, and tells how far the
//! work has come. A signal that raises, as Ctrl-C does, stops the work at its next word about progress; the thread has ended before
//! the exception is passed on, so nothing of the run is left. Signals reach Python's main thread only.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Resources;
use equanym_engine::progress::{Progress, Step, stop, until_stopped};
use pyo3::prelude::*;

use crate::failure::raised;

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(50);

/// What a run may use, and who hears of it.
#[pyclass(frozen, module = "equanym._equanym")]
pub(crate) struct Options {
    pub(crate) resources: Resources,
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl Options {
    /// Threads (0: one per core), bytes of memory, and what is called with a step and how much of it is done.
    #[new]
    #[pyo3(signature = (threads=0, memory=None, progress=None))]
    fn new(threads: usize, memory: Option<usize>, progress: Option<Py<PyAny>>) -> Self {
        let usual = Resources::default();
        Self { resources: Resources { threads, memory: memory.unwrap_or(usual.memory), ..usual }, progress }
    }
}

/// How far a run has come, and whether it shall end.
#[derive(Default)]
struct JobProgress {
    is_stopped: AtomicBool,
    step: AtomicU8,
    done: AtomicU64,
}

impl Progress for JobProgress {
    fn at(&self, step: Step, done: u64) {
        if self.is_stopped.load(Ordering::Relaxed) {
            stop();
        }
        self.step.store(step.place(), Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }
}

impl JobProgress {
    fn told(&self) -> Option<(&'static str, u64)> {
        let step = Step::at(self.step.load(Ordering::Relaxed))?;
        Some((step.name(), self.done.load(Ordering::Relaxed)))
    }
}

/// Does the work and waits for it.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    options: &Options,
    work: impl FnOnce(Arc<dyn Progress>) -> Result<T> + Send,
) -> PyResult<T> {
    let heard = Arc::new(JobProgress::default());
    let ended = py.detach(|| wait(options, &heard, work));
    match ended {
        JobEnd::Done(Ok(given)) => Ok(given),
        JobEnd::Done(Err(error)) => Err(raised(py, &error)),
        JobEnd::Raised(error) => Err(error),
    }
}

enum JobEnd<T> {
    Done(Result<T>),
    Raised(PyErr),
}

fn wait<T: Send>(
    options: &Options,
    heard: &Arc<JobProgress>,
    work: impl FnOnce(Arc<dyn Progress>) -> Result<T> + Send,
) -> JobEnd<T> {
    let (sender, receiver) = channel();
    let listener = Arc::clone(heard) as Arc<dyn Progress>;
    thread::scope(|scope| {
        let worker = Builder::new().name("equanym".to_owned()).spawn_scoped(scope, move || {
            let given = until_stopped(|| work(listener));
            // Whoever waits hears the end of the channel, too.
            let _ = sender.send(());
            given
        });
        let Ok(worker) = worker else {
            return JobEnd::Done(Err(Error::environment("the system refuses to start another thread")));
        };
        let mut raised = None;
        while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if raised.is_none()
                && let Err(error) = Python::attach(|py| look_up(py, options, heard))
            {
                heard.is_stopped.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
        match (worker.join(), raised) {
            (_, Some(error)) => JobEnd::Raised(error),
            (Ok(Some(given)), None) => JobEnd::Done(given),
            (Ok(None) | Err(_), None) => JobEnd::Done(Err(Error::internal())),
        }
    })
}

/// Lets Python act on signals, and tells how far the work has come.
fn look_up(py: Python<'_>, options: &Options, heard: &JobProgress) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(progress), Some(told)) = (&options.progress, heard.told()) {
        progress.call1(py, told)?;
    }
    Ok(())
}
