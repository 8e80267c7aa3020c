//! A line on the terminal that moves while the engine works.
//!
//! It is drawn on standard error, only when that is a terminal and nobody asked for quiet, and vanishes before results
//! are printed. It counts records or nodes; how many there will be is known only when the table is read again.
//!
//! No thread ticks: where threads are scarce, the work comes first.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use equanym_engine::progress::{Progress, Silent, Step};
use indicatif::{ProgressBar, ProgressStyle};

use crate::console::Console;

/// Hears what a run tells, and shows it if somebody looks.
pub fn listen(console: Console) -> Arc<dyn Progress> {
    if console.quiet || !stderr().is_terminal() { Arc::new(Silent) } else { Arc::new(Line::new()) }
}

struct Line {
    bar: ProgressBar,
    step: Mutex<Option<Step>>,
    records: AtomicU64,
    points: AtomicU64,
}

impl Line {
    fn new() -> Self {
        Self {
            bar: ProgressBar::new_spinner(),
            step: Mutex::new(None),
            records: AtomicU64::new(0),
            points: AtomicU64::new(0),
        }
    }

    fn begin(&self, step: Step) {
        let (message, template) = message_and_template(step);
        // The templates are our own; one that did not parse would only look plainer.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("━╸ "));
        }
        match step {
            Step::Write => self.bar.set_length(self.records.load(Ordering::Relaxed)),
            Step::Map => self.bar.set_length(self.points.load(Ordering::Relaxed)),
            _ => self.bar.unset_length(),
        }
        self.bar.set_message(message);
        self.bar.reset();
    }
}

impl Progress for Line {
    fn at(&self, step: Step, done: u64) {
        let mut current = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != Some(step) {
            *current = Some(step);
            self.begin(step);
        }
        drop(current);
        if step == Step::Count {
            self.records.fetch_max(done, Ordering::Relaxed);
        }
        self.bar.set_position(done);
    }

    fn whole(&self, step: Step, total: u64) {
        if step == Step::Map {
            self.points.store(total, Ordering::Relaxed);
        }
    }

    fn bytes(&self, step: Step, read: u64, total: u64) {
        if total > 0 {
            let percent = read.saturating_mul(100).checked_div(total).unwrap_or(0).min(100);
            self.bar.set_message(format!("{} ({percent}% of the bytes)", message_and_template(step).0));
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What a step does, and how its line looks.
fn message_and_template(step: Step) -> (&'static str, &'static str) {
    const COUNTING: &str = "{spinner} {msg} {human_pos}";
    match step {
        Step::Count => ("reading and counting records", COUNTING),
        Step::Search => ("searching; nodes counted", COUNTING),
        Step::Walk => ("walking; segments done", COUNTING),
        Step::Write => ("writing", "{spinner} {msg} {bar:30} {human_pos} of {human_len} records"),
        Step::Audit => ("auditing what was written; records", COUNTING),
        Step::Measure => ("measuring; metrics done", COUNTING),
        Step::Map => ("computing points", "{spinner} {msg} {bar:30} {human_pos} of {human_len}, {eta} left"),
    }
}
