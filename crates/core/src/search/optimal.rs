//! The best of all safe nodes, by branch and bound over intervals of the lattice.
//!
//! An interval holds the nodes from `lowest` to `highest`, of which the highest was counted. In nested ladders with
//! monotone models every node of the interval suppresses at least the records that `highest` does. Therefore
//!
//! * if `highest` suppresses more than is permitted, no node of the interval is safe, and
//! * no node of it ranks before (bound, suppressed at `highest`, height of `lowest`, `lowest`), where the bound is what
//!   the loss says of the interval ([`crate::loss::Loss::bound`]): each of the four components is at most that of the
//!   node, and the last compares correctly because a node of the interval is nowhere below `lowest`.
//!
//! The first interval leaves out levels at which one variable alone suppresses too much: further labels only split its
//! classes.
//!
//! The interval of least rank is split along one variable: the upper part raises `lowest` by one level and keeps
//! `highest`; the lower part holds the variable at the level of `lowest`, and its new highest node is counted. Both parts
//! together are the interval, so nothing is lost; each split shrinks, so it ends. When the least rank is not before that
//! of the best safe node seen, no node anywhere is better: the answer is exact, ties included.
//!
//! The variable to split is the one whose next level costs most, times the levels it still has room for, times the root
//! of the labels that its level at `highest` makes one: the upper part then gets out of the way, and the lower part holds
//! much at once and splits many classes. (Measured on adult and adult13: fewer nodes are counted than with any of these
//! alone. On cup, with thousands of labels in a variable, Iyengar's loss has many more counted: the root is too much there.)
//!
//! Counting: where the loss charges each cell by its level and the models look at sizes only, an interval carries its
//! rows with the classes of `highest`, and the new highest node differs from it in one variable
//! ([`Refinement`](crate::frequency::Refinement)). Otherwise nodes are counted from sets at hand (`evaluator`).
//!
//! When it is told to stop, the least bound of the open intervals is what every node that was not looked at loses at
//! least: the answer comes with a proven gap.
//!
//! Where ladders are not nested or a model is not monotone nothing can be pruned, and the exhaustive search answers.
//!
//! Source: our own, after the exact repair of the k-minimal rule; Land & Doig 1960 for the principle.
//! Spec: `specs/search/optimal.md`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::evaluator::Evaluator;
use super::refiner::Refiner;
use super::{Found, Member, Problem, SearchError, exhaustive, rank};
use crate::card::Card;
use crate::frequency::Refinement;
use crate::hierarchy::Level;
use crate::lattice::Node;
use crate::loss::{self, Counted};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "optimal",
        summary: "the best of all safe nodes, proved, for every loss and suppression limit",
        about: "Branch and bound over intervals of the lattice, pruned by what the highest node of an interval must \
                suppress and what its lowest node must lose. With ladders that are not nested it looks at every node.",
        promises: &["exact", "same answer as exhaustive, ties included", "stops at a time limit with a proven gap"],
        parameters: &[],
        source: "equanym; the principle is that of A. Land, A. Doig, Econometrica 28(3), 1960",
    },
    anytime: true,
    by_preferences: false,
    run,
};

pub(super) fn run(problem: &Problem<'_>) -> Result<Found, SearchError> {
    if problem.table.first_unnested().is_some() || !problem.guard.is_monotone() {
        return exhaustive::run(problem);
    }
    // On a thread of the pool, so that no round waits for one to wake.
    rayon::scope(|_| branch_and_bound(problem, ROWS))
}

fn branch_and_bound(problem: &Problem<'_>, room: usize) -> Result<Found, SearchError> {
    let mut search = Branching::new(problem, room)?;
    let mut bound = None;
    loop {
        let tasks = search.next_tasks();
        if tasks.is_empty() {
            break;
        }
        if problem.is_over() {
            let open = tasks.iter().map(|task| &task.interval).chain(&search.open);
            bound = open.map(|interval| interval.bound).min();
            break;
        }
        search.branch(tasks);
        (problem.progress)(search.evaluated);
    }
    let Branching { best, evaluated, .. } = search;
    let bound = bound.map_or(best.summary.units, |bound| bound.min(best.summary.units));
    Ok(Found { bound, evaluated, tagged: 0, minimal: Vec::new(), best })
}

/// The bottom, without levels at which one variable alone, whatever the others tell, suppresses more than is permitted.
fn lowest(problem: &Problem<'_>) -> Node {
    let (bottom, top) = (&problem.lattice.bottom, &problem.lattice.top);
    let Some(least) = problem.guard.least_size() else { return bottom.clone() };
    let level = |variable: usize| {
        let counts = problem.table.value_counts(variable);
        let levels = problem.table.variables[variable].hierarchy.levels();
        let suppressed = |level: u8| {
            let Level { of, labels, .. } = &levels[level as usize];
            let mut sizes = vec![0; labels.len()];
            of.iter().zip(&counts).for_each(|(&label, records)| sizes[label as usize] += records);
            sizes.into_iter().filter(|&size| size < least).sum()
        };
        let mut below_top = bottom.0[variable]..top.0[variable];
        below_top.find(|&level| problem.permits(suppressed(level))).unwrap_or(top.0[variable])
    };
    (0..bottom.0.len()).map(level).collect::<Vec<_>>().into()
}

/// Intervals that are split at once where nodes are counted from rows, and from sets. (The former hardly ever counts a
/// node in vain, the latter does when it goes far beyond the most promising ones.)
const AT_ONCE: (usize, usize) = (64, 8);

/// Rows that open intervals may carry together, roughly.
const ROWS: usize = 8 << 20;

struct Branching<'a> {
    problem: &'a Problem<'a>,
    counting: Counting<'a>,
    evaluated: u64,
    cost: Vec<Vec<u128>>,
    best: Counted,
    open: BTreeSet<Interval>,
    /// The rows that the open intervals carry, and how many they may.
    rows: usize,
    room: usize,
}

/// How nodes are counted.
enum Counting<'a> {
    Rows(Refiner<'a>),
    Sets(Evaluator<'a>),
}

/// An interval and the node to count next for it.
pub(super) struct Task {
    pub interval: Interval,
    /// The variable to split along; without one the lowest node is counted for a sharper bound.
    variable: Option<usize>,
    pub node: Node,
}

/// The counted node of a task, with its rows and classes where nodes are counted from them and it may be of use.
pub(super) struct Below {
    pub counted: Counted,
    pub classes: Option<Refinement>,
}

pub(super) struct Interval {
    pub bound: u128,
    pub lowest: Node,
    pub highest: Arc<Counted>,
    /// Its rows with the classes of `highest`, where nodes are counted from them.
    pub classes: Option<Refinement>,
    low_counted: bool,
}

impl Interval {
    fn rank(&self) -> super::Rank<'_> {
        (self.bound, self.highest.suppressed, self.lowest.height(), &self.lowest)
    }

    fn rows(&self) -> usize {
        self.classes.as_ref().map_or(0, Refinement::len)
    }
}

impl Ord for Interval {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank()).then_with(|| self.highest.node.cmp(&other.highest.node))
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Interval {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Interval {}

impl<'a> Branching<'a> {
    /// Counts the top first: where it is not safe, nothing is.
    fn new(problem: &'a Problem<'a>, room: usize) -> Result<Self, SearchError> {
        let (counting, top, classes) = if let Some(refiner) = Refiner::new(problem) {
            let (top, classes) = refiner.top()?;
            (Counting::Rows(refiner), top, Some(classes))
        } else {
            let (evaluator, top) = Evaluator::from_the_top(problem)?;
            (Counting::Sets(evaluator), top, None)
        };
        let cost = loss::cost_by_level(problem.loss, problem.table);
        let (best, open) = (top.clone(), BTreeSet::new());
        let mut search = Self { problem, counting, evaluated: 1, cost, best, open, rows: 0, room };
        search.push(lowest(problem), Arc::new(top), classes, 0);
        Ok(search)
    }

    fn push(&mut self, lowest: Node, highest: Arc<Counted>, classes: Option<Refinement>, inherited: u128) {
        let bound = self.problem.loss.bound(&lowest, None, Some(&highest)).max(inherited);
        let interval = Interval { bound, lowest, highest, classes, low_counted: false };
        if interval.rank() < rank(&self.best) {
            self.put(interval);
        }
    }

    fn put(&mut self, interval: Interval) {
        self.rows += interval.rows();
        self.open.insert(interval);
    }

    /// Takes the most promising intervals, as long as they may hold something better than the best node seen. How many are
    /// taken at once is fixed, so that the course of the search does not depend on the number of threads.
    ///
    /// When the open intervals carry too many rows, a search to the end takes the least promising ones, which are soon
    /// done with; one that may be stopped goes on raising the bound, and counts from sets.
    fn next_tasks(&mut self) -> Vec<Task> {
        let is_full = self.rows > self.room;
        if is_full && self.problem.stop.is_some() {
            self.forget_rows();
        }
        let at_once = if matches!(self.counting, Counting::Rows(_)) { AT_ONCE.0 } else { AT_ONCE.1 };
        let (mut tasks, mut rows) = (Vec::with_capacity(at_once), 0);
        while tasks.len() < at_once
            && rows <= self.room
            && let Some(interval) =
                if is_full && self.problem.stop.is_none() { self.open.pop_last() } else { self.open.pop_first() }
        {
            self.rows -= interval.rows();
            if interval.lowest != interval.highest.node && interval.rank() < rank(&self.best) {
                rows += interval.rows();
                tasks.push(self.task(interval));
            }
        }
        tasks
    }

    fn forget_rows(&mut self) {
        let forget = |interval| Interval { classes: None, ..interval };
        self.open = std::mem::take(&mut self.open).into_iter().map(forget).collect();
        self.rows = 0;
        self.counting = Counting::Sets(Evaluator::new(self.problem));
    }

    fn task(&self, interval: Interval) -> Task {
        if self.problem.loss.needs_low() && !interval.low_counted {
            return Task { node: interval.lowest.clone(), variable: None, interval };
        }
        let variable = self.widest(&interval);
        let node = interval.highest.node.with(variable, interval.lowest.0[variable]);
        Task { node, variable: Some(variable), interval }
    }

    fn branch(&mut self, mut tasks: Vec<Task>) {
        let counts = self.count(&mut tasks);
        for (Task { interval, variable, .. }, below) in tasks.into_iter().zip(counts) {
            if self.problem.is_safe(&below.counted) && rank(&below.counted) < rank(&self.best) {
                self.best = below.counted.clone();
            }
            match variable {
                Some(variable) => self.split(interval, variable, below),
                None => self.sharpen(interval, &below.counted),
            }
        }
    }

    fn count(&mut self, tasks: &mut [Task]) -> Vec<Below> {
        match &mut self.counting {
            Counting::Rows(refiner) => {
                self.evaluated += tasks.len() as u64;
                refiner.count(tasks, self.best.summary.units)
            }
            Counting::Sets(evaluator) => {
                let nodes: Vec<Node> = tasks.iter().map(|task| task.node.clone()).collect();
                // Where bounds need the lowest node, it may be the highest of another interval, and is recalled.
                let recalls = self.problem.loss.needs_low();
                let before = evaluator.evaluated();
                let counts = if recalls { evaluator.count_all(&nodes) } else { evaluator.count_afresh(&nodes) };
                self.evaluated += evaluator.evaluated() - before;
                counts.into_iter().map(|counted| Below { counted, classes: None }).collect()
            }
        }
    }

    fn split(&mut self, interval: Interval, variable: usize, below: Below) {
        if self.problem.is_safe(&below.counted) {
            self.push(interval.lowest.clone(), Arc::new(below.counted), below.classes, interval.bound);
        }
        let raised = interval.lowest.with(variable, interval.lowest.0[variable] + 1);
        self.push(raised, interval.highest, interval.classes, interval.bound);
    }

    /// Takes the sharper bound that the counted lowest node gives, and puts the interval back.
    fn sharpen(&mut self, mut interval: Interval, low: &Counted) {
        let bound = self.problem.loss.bound(&interval.lowest, Some(low), Some(&interval.highest));
        interval.bound = interval.bound.max(bound);
        interval.low_counted = true;
        self.put(interval);
    }

    /// The variable to split along.
    fn widest(&self, interval: &Interval) -> usize {
        let gain = |variable: usize| {
            let (low, high) = (interval.lowest.0[variable], interval.highest.node.0[variable]);
            let cost = &self.cost[variable];
            let step = cost[low as usize + 1].saturating_sub(cost[low as usize]) as f64;
            let joined = self.problem.table.labels_per_label(variable, low, high);
            step * f64::from(high - low) * joined.sqrt()
        };
        let open = (0..interval.lowest.0.len())
            .filter(|&variable| interval.lowest.0[variable] < interval.highest.node.0[variable]);
        // The first of several equals.
        open.rev().max_by(|&one, &other| gain(one).total_cmp(&gain(other))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Parameters, Value};
    use crate::frequency::Table;
    use crate::hierarchy::Builder;
    use crate::privacy::{self, Guard};
    use crate::variable::Variable;

    fn table() -> Table {
        let values: Vec<String> = (0..30).map(|value| value.to_string()).collect();
        let ladder = Builder::Intervals { widths: ["2", "6", "12"].map(String::from).to_vec() };
        let variable = |name: &str| {
            let hierarchy = ladder.fit(&values).unwrap();
            Variable { name: name.to_owned(), max_level: hierarchy.height(), hierarchy, min_level: 0, weight: 1.0 }
        };
        let column = |step: u32| (0..400_u32).map(|row| (row * row * step + row / 3) % 30).collect();
        Table::new(["a", "b", "c"].map(variable).to_vec(), &[column(3), column(7), column(1)], vec![1; 400], vec![])
            .unwrap()
    }

    #[test]
    fn little_room_changes_the_order_and_not_the_answer() {
        let table = table();
        let three = Parameters::from([("k".to_owned(), Value::Integer(3))]);
        let guard = Guard::new(vec![privacy::build("k-anonymity", &three, &[]).unwrap()]);
        let loss = loss::find(loss::DEFAULT).unwrap().build(&table, &Parameters::new()).unwrap();
        for budget in [0, 20, 400] {
            let lattice = table.lattice();
            let (progress, stop) = (&|_| {}, None);
            let problem = Problem { table: &table, guard: &guard, loss: &*loss, budget, lattice, progress, stop };
            let every = exhaustive::run(&problem).unwrap();
            let mut answers = vec![branch_and_bound(&problem, ROWS).unwrap(), branch_and_bound(&problem, 0).unwrap()];
            let may_stop = Problem { stop: Some(&|| false), lattice: problem.lattice.clone(), ..problem };
            answers.push(branch_and_bound(&may_stop, 0).unwrap());
            for answer in answers {
                assert_eq!((&answer.best, answer.bound), (&every.best, every.bound), "limit {budget}");
            }
        }
    }
}
