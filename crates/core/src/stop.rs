//! When a search stops before its end.
//!
//! A measure of *work* is asked between steps only, by one thread. The steps are the same on every machine, so the answer is too.
//! A *clock* is asked anywhere and by any thread. Work in progress is dropped as soon as the clock says so, so a search ends in time
//! even if one step takes long. What was dropped counts as never begun.
//!
//! A search that was asked for a release goes on until it has an answer, however late it is.

type StopQuestion<'a> = &'a (dyn Fn() -> bool + Sync);

/// Says when to stop. Once it is over it stays so.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    is_over: StopQuestion<'a>,
    is_clock: bool,
    /// Whether a search goes on until it has an answer.
    wants_answer: bool,
}

impl<'a> Stop<'a> {
    /// When so much work is done.
    #[must_use]
    pub fn after_work(is_over: StopQuestion<'a>) -> Self {
        Self { is_over, is_clock: false, wants_answer: true }
    }

    /// When so much time is over.
    #[must_use]
    pub fn by_clock(is_over: StopQuestion<'a>) -> Self {
        Self { is_over, is_clock: true, wants_answer: true }
    }

    /// The same for a search whose answer can be done without.
    pub(crate) fn with_or_without_answer(self) -> Self {
        Self { wants_answer: false, ..self }
    }

    /// Between steps: whether to stop, given whether there is an answer.
    pub(crate) fn is_over(&self, has_answer: bool) -> bool {
        (has_answer || !self.wants_answer) && (self.is_over)()
    }

    /// Within a step: whether to leave it.
    pub(crate) fn is_late(&self, has_answer: bool) -> bool {
        self.is_clock && self.is_over(has_answer)
    }

    /// How many things that take long may be done at once: as many as are ready together, where a clock waits for them.
    pub(crate) fn at_once(stop: Option<Self>, most: usize) -> usize {
        let is_clock = stop.is_some_and(|stop| stop.is_clock);
        if is_clock { rayon::current_num_threads().max(1) } else { most.max(1) }
    }
}
