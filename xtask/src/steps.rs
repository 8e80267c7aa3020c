//! Steps that run one after the other and stop at the first failure, with a summary of how long each took.

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
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Passed(Duration),
    Failed(Duration),
    NotRun,
}

/// Runs the steps and prints the summary. Returns whether all passed.
pub fn run(steps: &mut [Step<'_>]) -> bool {
    let mut ends = vec![End::NotRun; steps.len()];
    for (step, end) in steps.iter_mut().zip(&mut ends) {
        *end = run_one(step);
        if matches!(end, End::Failed(_)) {
            break;
        }
    }
    println!("\n== summary");
    for (step, end) in steps.iter().zip(&ends) {
        println!("{}", line(step.title, *end));
    }
    ends.iter().all(|end| matches!(end, End::Passed(_)))
}

fn run_one(step: &mut Step<'_>) -> End {
    println!("\n== {}", step.title);
    let start = Instant::now();
    if (step.work)() { End::Passed(start.elapsed()) } else { End::Failed(start.elapsed()) }
}

fn line(title: &str, end: End) -> String {
    match end {
        End::Passed(time) => format!("   passed {:>8.1} s  {title}", time.as_secs_f64()),
        End::Failed(time) => format!("   FAILED {:>8.1} s  {title}", time.as_secs_f64()),
        End::NotRun => format!("  not run             {title}"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_first_failure_stops_the_rest() {
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
        assert_eq!(ran.get(), 2);
        assert!(run(&mut [Step::new("only", || count(true))]));
    }

    #[test]
    fn lines_stand_in_columns() {
        let second = Duration::from_secs(1);
        let widths = [End::Passed(second), End::Failed(second), End::NotRun].map(|end| line("", end).len());
        assert_eq!(widths, [widths[0]; 3]);
    }
}
