//! Steps that run one after the other, with a summary of how each ended and how long it took.
//!
//! A step that fails does not keep the next ones from running: one call shows all there is to mend.

use std::time::{Duration, Instant};

/// A heading and what to do under it. The work says whether it went well.
pub struct Step<'a> {
    pub title: &'a str,
    pub work: Box<dyn FnMut() -> bool + 'a>,
}

impl<'a> Step<'a> {
    pub fn new(title: &'a str, work: impl FnMut() -> bool + 'a) -> Self {
        Self { title, work: Box::new(work) }
    }
}

/// How a step ended.
#[derive(Clone, Copy)]
struct End {
    passed: bool,
    time: Duration,
}

/// Runs all steps and prints the summary. Returns whether all passed.
pub fn run(steps: &mut [Step<'_>]) -> bool {
    let ends: Vec<End> = steps.iter_mut().map(run_one).collect();
    println!("\n== summary");
    for (step, end) in steps.iter().zip(&ends) {
        println!("{}", line(step.title, *end));
    }
    ends.iter().all(|end| end.passed)
}

fn run_one(step: &mut Step<'_>) -> End {
    println!("\n== {}", step.title);
    let start = Instant::now();
    End { passed: (step.work)(), time: start.elapsed() }
}

fn line(title: &str, end: End) -> String {
    let verdict = if end.passed { "passed" } else { "FAILED" };
    format!("   {verdict} {:>8.1} s  {title}", end.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_failure_does_not_keep_the_rest_from_running() {
        let ran = Cell::new(0);
        let count = |outcome| {
            ran.set(ran.get() + 1);
            outcome
        };
        assert!(!run(&mut [
            Step::new("first", || count(true)),
            Step::new("second", || count(false)),
            Step::new("third", || count(true))
        ]));
        assert_eq!(ran.get(), 3);
        assert!(run(&mut [Step::new("only", || count(true))]));
    }

    #[test]
    fn lines_stand_in_columns() {
        let time = Duration::from_secs(1);
        assert_eq!(line("a", End { passed: true, time }).len(), line("b", End { passed: false, time }).len());
    }
}
