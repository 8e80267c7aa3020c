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
//! An interval is split along one variable: the upper part raises `lowest` by one level and keeps `highest`; the lower
//! part holds the variable at the level of `lowest`, and its new highest node is counted. Both parts together are the
//! interval, so nothing is lost; each split shrinks, so it ends (`branching`).
//!
//! Where nothing may be suppressed and the lattice is small, single rows rule out nodes instead (`witnesses`). Otherwise,
//! where the loss charges each cell by its level and the models look at sizes only, every variable is tried before an
//! interval is split, which tells more and costs little (`probing`). Here are the others: the lowest node is counted for
//! a sharper bound, then the interval is split along the variable whose next level costs most, times the levels it has
//! room for, times the root of the labels that its level at `highest` makes one. Nodes are counted from sets at hand
//! (`evaluator`). Where every merge costs, nothing above a safe node ranks before it, and a safe lowest node is all that
//! an interval has to offer.
//!
//! Where ladders are not nested or a model is not monotone nothing can be pruned, and the exhaustive search answers.
//!
//! Source: our own, after the exact repair of the k-minimal rule; Land & Doig 1960 for the principle.
//! Spec: `specs/search/optimal.md`.

use std::sync::Arc;

use super::branching::{self, Measure, Opened, Part, rank_of_interval};
use super::evaluator::Evaluator;
use super::probing::Probing;
use super::witnesses::Witnesses;
use super::{Found, Member, Problem, Rank, SearchError, exhaustive};
use crate::card::{Card, Promise};
use crate::lattice::Node;
use crate::loss::{self, Counted};

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "optimal",
        summary: "the best of all safe nodes, proved, for every loss and suppression limit",
        about: "Branch and bound over intervals of the lattice, pruned by what the highest node of an interval must \
                suppress and what its lowest node must lose. With ladders that are not nested it looks at every node.",
        promises: &[
            Promise::Exact,
            Promise::InWords("same answer as exhaustive, ties included"),
            Promise::ProvesItsGap,
        ],
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
    search(problem, ROWS)
}

/// Rows that intervals may carry together, roughly.
const ROWS: usize = 8 << 20;

fn search(problem: &Problem<'_>, rows: usize) -> Result<Found, SearchError> {
    let lowest = lowest(problem);
    if let Some(witnesses) = Witnesses::new(problem, &lowest) {
        return witnesses.search();
    }
    // On a thread of the pool, so that no round waits for one to wake.
    rayon::scope(|_| branch_and_bound(problem, lowest, rows))
}

fn branch_and_bound(problem: &Problem<'_>, lowest: Node, rows: usize) -> Result<Found, SearchError> {
    if let Some(probing) = Probing::new(problem, &lowest) {
        let (top, first) = probing.first()?;
        let measure = Measure { parts: 32, rows };
        return Ok(branching::search(problem, measure, top, Some(first), |parts, best| probing.open(parts, best)));
    }
    let (evaluator, top) = Evaluator::from_the_top(problem)?;
    let mut splitting = Splitting { problem, evaluator, cost: None };
    let first = (lowest != top.node).then(|| splitting.interval(lowest, Arc::new(top.clone()), 0));
    Ok(branching::search(problem, Measure { parts: 8, rows }, top, first, |parts, _| splitting.open(parts)))
}

/// The bottom, without levels at which one variable alone, whatever the others tell, suppresses more than is permitted.
fn lowest(problem: &Problem<'_>) -> Node {
    let (bottom, top) = (&problem.lattice.bottom, &problem.lattice.top);
    let Some(least) = problem.guard.least_size().filter(|_| problem.budget < problem.table.records) else {
        return bottom.clone();
    };
    let level = |variable: usize| {
        let counts = problem.table.value_counts(variable);
        let levels = problem.table.variables[variable].hierarchy.levels();
        let suppressed = |level: u8| {
            let sizes = levels[level as usize].counts(counts);
            sizes.into_iter().filter(|&size| size < least).sum()
        };
        let mut below_top = bottom.0[variable]..top.0[variable];
        below_top.find(|&level| problem.permits(suppressed(level))).unwrap_or(top.0[variable])
    };
    (0..bottom.0.len()).map(level).collect::<Vec<_>>().into()
}

/// Splits intervals and counts their nodes from sets at hand.
struct Splitting<'a> {
    problem: &'a Problem<'a>,
    evaluator: Evaluator<'a>,
    /// For each variable and level what all records together lose; found when it is needed.
    cost: Option<Vec<Vec<u128>>>,
}

struct Interval {
    bound: u128,
    lowest: Node,
    highest: Arc<Counted>,
    low_counted: bool,
}

impl Part for Interval {
    fn rank(&self) -> Rank<'_> {
        rank_of_interval(self.bound, &self.lowest, &self.highest)
    }
}

impl Splitting<'_> {
    fn interval(&self, lowest: Node, highest: Arc<Counted>, inherited: u128) -> Interval {
        let bound = self.problem.loss.bound(&lowest, None, Some(&highest)).max(inherited);
        Interval { bound, lowest, highest, low_counted: false }
    }

    fn open(&mut self, parts: Vec<Interval>) -> Vec<Opened<Interval>> {
        // The variable to split along; without one the lowest node is counted for a sharper bound.
        let variables: Vec<Option<usize>> = parts.iter().map(|interval| self.variable(interval)).collect();
        let node = |(interval, variable): (&Interval, &Option<usize>)| match *variable {
            Some(variable) => interval.highest.node.with(variable, interval.lowest.0[variable]),
            None => interval.lowest.clone(),
        };
        let nodes: Vec<Node> = parts.iter().zip(&variables).map(node).collect();
        let before = self.evaluator.evaluated();
        // Where bounds need the lowest node, it may be the highest of another interval, and is recalled.
        let recalls = self.problem.loss.needs_low();
        let counts = if recalls { self.evaluator.count_all(&nodes) } else { self.evaluator.count_afresh(&nodes) };
        let mut counted = self.evaluator.evaluated() - before;
        let opened = parts.into_iter().zip(variables).zip(counts).map(|((interval, variable), count)| {
            let best = self.problem.is_safe(&count).then(|| count.clone());
            let parts = match variable {
                Some(variable) => self.split(interval, variable, count),
                None => self.sharpened(interval, &count).into_iter().collect(),
            };
            Opened { best, parts, counted: std::mem::take(&mut counted) }
        });
        opened.collect()
    }

    fn variable(&mut self, interval: &Interval) -> Option<usize> {
        let is_sharp = interval.low_counted || !self.problem.loss.needs_low();
        is_sharp.then(|| self.widest(interval))
    }

    fn split(&self, interval: Interval, variable: usize, below: Counted) -> Vec<Interval> {
        let Interval { bound, lowest, highest, .. } = interval;
        let raised = lowest.with(variable, lowest.0[variable] + 1);
        let mut parts = Vec::with_capacity(2);
        if self.problem.is_safe(&below) && lowest != below.node {
            parts.push(self.interval(lowest, Arc::new(below), bound));
        }
        if raised != highest.node {
            parts.push(self.interval(raised, highest, bound));
        }
        parts
    }

    /// The interval with the sharper bound that its counted lowest node gives, if there is more to it than that node.
    fn sharpened(&self, mut interval: Interval, low: &Counted) -> Option<Interval> {
        if self.problem.grows_with_merges() && self.problem.is_safe(low) {
            return None;
        }
        let bound = self.problem.loss.bound(&interval.lowest, Some(low), Some(&interval.highest));
        interval.bound = interval.bound.max(bound);
        interval.low_counted = true;
        Some(interval)
    }

    /// The variable to split along.
    fn widest(&mut self, interval: &Interval) -> usize {
        let Problem { table, loss, .. } = *self.problem;
        let cost = self.cost.get_or_insert_with(|| loss::cost_by_level(loss, table));
        let gain = |variable: usize| {
            let (low, high) = (interval.lowest.0[variable], interval.highest.node.0[variable]);
            let step = cost[variable][low as usize + 1].saturating_sub(cost[variable][low as usize]) as f64;
            step * f64::from(high - low) * table.labels_per_label(variable, low, high).sqrt()
        };
        let open = (0..interval.lowest.0.len())
            .filter(|&variable| interval.lowest.0[variable] < interval.highest.node.0[variable]);
        // The first of several equals.
        open.rev().max_by(|&one, &other| gain(one).total_cmp(&gain(other))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::claims::VARIABLES;
    use super::*;
    use crate::card::{Parameters, Value};
    use crate::frequency::Table;
    use crate::hierarchy::Builder;
    use crate::privacy::{self, Guard};
    use crate::variable::Variable;

    /// Three variables with ladders to climb, and others that are told at their last level but one.
    fn table(variables: usize) -> Table {
        let values: Vec<String> = (0..30).map(|value| value.to_string()).collect();
        let ladder = Builder::Intervals { widths: ["2", "6", "12"].map(String::from).to_vec() };
        let variable = |place: usize| {
            let hierarchy = ladder.fit(&values).unwrap();
            let last = hierarchy.height();
            let (min_level, max_level) = if place < 3 { (0, last) } else { (last - 1, last - 1) };
            Variable { name: place.to_string(), hierarchy, min_level, max_level, weight: 1.0 }
        };
        let column = |place: usize| {
            let step = [3, 7, 1].get(place).copied().unwrap_or(0);
            (0..400_u32).map(|row| (row * row * step + row / 3) % 30).collect()
        };
        let columns: Vec<Vec<u32>> = (0..variables).map(column).collect();
        Table::new((0..variables).map(variable).collect(), &columns, vec![1; 400], vec![]).unwrap()
    }

    #[test]
    fn a_lattice_of_one_node_has_one_answer() {
        let mut table = table(4);
        let fixed = |variable: &mut Variable| (variable.min_level, variable.max_level) = (2, 2);
        table.variables.iter_mut().for_each(fixed);
        let three = Parameters::from([("k".to_owned(), Value::Integer(3))]);
        let guard = Guard::new(vec![privacy::build("k-anonymity", &three, &[]).unwrap()]);
        let losses = loss::ALL.iter().filter_map(|member| member.build(&table, &Parameters::new()).ok());
        for loss in losses {
            let (lattice, progress, stop) = (table.lattice(), &|_| {}, None);
            let problem = Problem { table: &table, guard: &guard, loss: &*loss, budget: 300, lattice, progress, stop };
            let every = exhaustive::run(&problem).unwrap();
            let found = search(&problem, ROWS).unwrap();
            assert_eq!((&found.best, found.bound), (&every.best, every.bound));
        }
    }

    /// Compares what the search finds with every node, for several limits; `room` is how many rows intervals may carry.
    fn attack(table: &Table, rooms: &[usize]) {
        let three = Parameters::from([("k".to_owned(), Value::Integer(3))]);
        let guard = Guard::new(vec![privacy::build("k-anonymity", &three, &[]).unwrap()]);
        let loss = loss::find(loss::DEFAULT).unwrap().build(table, &Parameters::new()).unwrap();
        for budget in [0, 20, 400] {
            let lattice = table.lattice();
            let (progress, stop) = (&|_| {}, None);
            let problem = Problem { table, guard: &guard, loss: &*loss, budget, lattice, progress, stop };
            let may_stop = Problem { stop: Some(&|| false), lattice: problem.lattice.clone(), ..problem };
            let every = exhaustive::run(&problem).unwrap();
            for answer in rooms.iter().flat_map(|&room| [&problem, &may_stop].map(|problem| search(problem, room))) {
                let answer = answer.unwrap();
                assert_eq!((&answer.best, answer.bound), (&every.best, every.bound), "limit {budget}");
            }
        }
    }

    #[test]
    fn little_room_changes_the_order_and_not_the_answer() {
        attack(&table(3), &[ROWS, 0]);
    }

    #[test]
    fn more_variables_than_trials_can_tell_apart_are_searched_without() {
        attack(&table(VARIABLES + 1), &[ROWS]);
    }
}
