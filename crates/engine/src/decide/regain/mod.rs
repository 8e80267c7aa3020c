//! What a release is worth, and what would buy detail back.
//!
//! For each column that could be finer two answers are exact. *Alone*: the column one level finer and all others as they
//! are, with the records that this would withhold, and the greatest `k` at which it would be safe within the limit.
//! *Within*: the best safe release with the column one level finer and no other column finer, under the same models and limit:
//! what the others must give up for it. Besides, what one more percent of suppression and a `k` that is one less would buy: the
//! best release in which no column is coarser, and none more than a level finer.
//!
//! All of these nodes are at or above one: each column a level finer. So the keys are merged to that node once, and the searches
//! begin there, with few keys left. That is what makes them cheap.
//!
//! The release among its neighbours is looked for from the same merged keys (`surroundings`).
//!
//! Limits: together the searches may visit as many classes as [`CLASSES`] permits, each an equal part of them. A search that
//! would go beyond gives no answer, and that is said. The measure is work and not time, so the answers are the same on every
//! machine. Where the levels were balanced, or the search did not prove its answer, only *alone* is answered; where its time was over,
//! nothing.

mod surroundings;

use std::sync::atomic::{AtomicU64, Ordering};

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::lattice::{Lattice, Node};
use equanym_core::loss::{self, Loss};
use equanym_core::privacy::{Closure, Guard};
use equanym_core::report::{FinerColumn, NamedLevels, OtherRelease, Regain, Worth};
use equanym_core::search::{self, Problem, SearchAnswer, SearchError};
use equanym_core::stop::Stop;
use rayon::prelude::*;

use super::fit::levels;
use super::fitting::{Fitting, guard};
use super::search::{Answer, limited, prepared};
use crate::count::counted_table::Case;
use crate::error::{Error, Result};
use crate::policy::share_of;
use crate::progress::Step;
use crate::words::grouped;

/// The classes that all searches together may visit: so many, and more for each record, which takes longer to read.
const CLASSES: u64 = 10_000_000;
const CLASSES_OF_A_RECORD: u64 = 100;

/// What a node takes besides its classes, in classes.
const NODE: u64 = 2_000;

/// The parameter that says how large a class must be.
const K: &str = "k";

/// Why something was not looked at.
const BALANCED: &str = "the levels were balanced, not searched for";
const CHOSEN: &str = "another than the best node was chosen";
const UNPROVEN: &str = "the search did not prove that its answer is the best";
const TIME_IS_OVER: &str = "the time limit was over";
const TOO_MUCH: &str = "the table or its lattice is too large to search again for each column";

/// What a release is worth, and what would buy detail back.
pub(crate) fn worth(case: &Case<'_>, fitting: &Fitting, answer: &Answer) -> Result<Worth> {
    let (table, method) = (&fitting.table, &case.policy.method);
    let node = &answer.found.best.node;
    let heights = table.variables.iter().map(|variable| variable.hierarchy.height());
    let mut worth = Worth::of_levels(node.0.iter().copied().zip(heights));
    let member = loss::find(&method.loss).ok_or_else(|| Error::input("there is no loss of that name"))?;
    let whole = limited(fitting.guard.limits(), table);
    let finest = finer_everywhere(table, node);
    let is_nested = table.first_unnested().is_none();
    let merged = is_nested.then(|| table.collected_at(&finest));
    let columns: Vec<usize> = (0..node.0.len()).filter(|&one| finest.0[one] < node.0[one]).collect();
    let hindered = match () {
        () if answer.sought.is_some() => Some(BALANCED),
        () if !answer.found.is_optimal() && method.choose.is_some() => Some(CHOSEN),
        () if !answer.found.is_optimal() && method.time_limit.is_some() => Some(TIME_IS_OVER),
        () if !answer.found.is_optimal() => Some(UNPROVEN),
        () => None,
    };
    let loss = prepared(member, &method.loss_parameters, table)?;
    let pricing = DetailPrices {
        case,
        fitting,
        table: merged.as_ref().unwrap_or(table),
        is_nested,
        node,
        best: &answer.found.best,
        loss: loss.as_ref(),
        whole,
        allowance: method.suppression_allowance(whole),
        evaluated: answer.found.evaluated,
        searches: if hindered.is_none() { columns.len() as u64 + 2 } else { 0 },
    };
    let mut is_whole = true;
    if hindered.is_none() && !columns.is_empty() {
        let finer = || Lattice { bottom: finest.clone(), top: node.clone() };
        let more = share_of(hundredth_more(method.suppression_limit), whole);
        worth.one_more_percent = pricing.price(&fitting.guard, more, finer(), &mut is_whole);
        if let Some(guard) = pricing.k().and_then(|k| pricing.guard_with(k - 1)) {
            worth.one_less_k = pricing.price(&guard, pricing.allowance, finer(), &mut is_whole);
        }
    }
    // Whoever gave a time limit does not wait beyond it.
    let columns = if hindered == Some(TIME_IS_OVER) { Vec::new() } else { columns };
    worth.regain = columns.into_par_iter().map(|column| pricing.regain(column)).collect();
    is_whole &= worth.regain.iter().all(|regain| regain.looked_at);
    worth.not_looked_at = hindered.or((!is_whole).then_some(TOO_MUCH));
    worth.surroundings = surroundings::look_around(&pricing, finest, hindered);
    Ok(worth)
}

/// The node with each variable a level finer, where a release may use that level.
fn finer_everywhere(table: &Table, node: &Node) -> Node {
    let finer = |(level, lowest): (&u8, u8)| level.saturating_sub(1).max(lowest).min(*level);
    let lowest = table.variables.iter().map(|variable| variable.min_level);
    node.0.iter().zip(lowest).map(finer).collect::<Vec<_>>().into()
}

/// A limit and one percent of the whole, in decimals as people write them.
fn hundredth_more(limit: f64) -> f64 {
    format!("{:.12}", limit + 0.01).parse().unwrap_or(limit)
}

/// What another search found.
pub(super) enum SearchOutcome {
    Found(Box<SearchAnswer>),
    Nothing,
    /// It would have taken too long, or the search does not work here.
    Unknown,
}

impl SearchOutcome {
    /// What was found; notes whether that was looked at to the end.
    pub(super) fn take(self, is_whole: &mut bool) -> Option<SearchAnswer> {
        match self {
            Self::Found(found) => Some(*found),
            Self::Nothing => None,
            Self::Unknown => {
                *is_whole = false;
                None
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct DetailPrices<'a> {
    pub case: &'a Case<'a>,
    pub fitting: &'a Fitting,
    /// The table, merged to what may be asked for where ladders are nested.
    pub table: &'a Table,
    pub is_nested: bool,
    /// The node that was found, and what it withholds and loses.
    node: &'a Node,
    pub best: &'a loss::CountedNode,
    pub loss: &'a dyn Loss,
    /// What a suppression limit is a share of, and how much of it may be withheld.
    pub whole: u64,
    allowance: u64,
    /// The nodes that the search for it counted.
    evaluated: u64,
    /// How many searches there are at most; none where their answers would mean nothing.
    searches: u64,
}

impl<'a> DetailPrices<'a> {
    /// The same with a table of other keys.
    pub(super) fn on(self, table: &'a Table) -> Self {
        Self { table, ..self }
    }

    /// What one more level of detail in a column takes.
    fn regain(&self, variable: usize) -> Regain {
        self.tell();
        let (column, level) = (self.table.variables[variable].name.clone(), self.node.0[variable]);
        let bottom = self.node.with(variable, level - 1);
        let set = self.classes(&bottom);
        let suppressed = self.fitting.guard.judge(&set).suppressed;
        let alone = FinerColumn { suppressed, more: self.more(suppressed), k: self.greatest_k(&set) };
        let mut looked_at = self.searches > 0;
        let within = if looked_at {
            let top = self.table.lattice().top.with(variable, level - 1);
            self.price(&self.fitting.guard, self.allowance, Lattice { bottom, top }, &mut looked_at)
        } else {
            None
        };
        let regain = Regain { column, level, sentence: String::new(), alone, within, looked_at };
        Regain { sentence: self.in_words(&regain), ..regain }
    }

    /// Nothing new, but whoever hears it may stop the run.
    fn tell(&self) {
        self.case.progress.at(Step::Search, self.evaluated);
    }

    fn more(&self, suppressed: u64) -> i64 {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        signed(suppressed) - signed(self.best.suppressed)
    }

    pub(super) fn classes(&self, node: &Node) -> FrequencySet {
        self.table.roll_up(self.table.keys(), node).set
    }

    /// The best safe node of a lattice as a price; notes whether it was looked for to the end.
    fn price(&self, guard: &Guard, allowance: u64, lattice: Lattice, is_whole: &mut bool) -> Option<OtherRelease> {
        let nodes = self.nodes(self.searches);
        let loss::CountedNode { node, suppressed, .. } =
            self.search(guard, allowance, lattice, nodes).take(is_whole)?.best;
        Some(OtherRelease { node: self.changed(&node), suppressed, more: self.more(suppressed) })
    }

    /// The best safe node of a lattice under these models and this allowance, if so many nodes are enough to prove it.
    pub(super) fn search(&self, guard: &Guard, allowance: u64, lattice: Lattice, nodes: u64) -> SearchOutcome {
        if !self.can_stop(guard, allowance, &lattice) && lattice.size() > u128::from(nodes) {
            return SearchOutcome::Unknown;
        }
        let (evaluated, asked) = (AtomicU64::new(0), AtomicU64::new(0));
        // Whoever asks whether to stop has looked at something, counted or not.
        let is_over = || asked.fetch_add(1, Ordering::Relaxed).max(evaluated.load(Ordering::Relaxed)) >= nodes;
        let Some(search) = search::find(search::DEFAULT) else { return SearchOutcome::Unknown };
        let found = (search.run)(&Problem {
            progress: &|count| {
                evaluated.store(count, Ordering::Relaxed);
                self.tell();
            },
            stop: Some(Stop::after_work(&is_over)),
            lattice,
            ..Problem::new(self.table, guard, self.loss, allowance)
        });
        match found {
            Ok(found) if found.is_optimal() => SearchOutcome::Found(Box::new(found)),
            Err(SearchError::NoSafeNode { .. } | SearchError::Forbidden) => SearchOutcome::Nothing,
            Ok(_) | Err(_) => SearchOutcome::Unknown,
        }
    }

    /// The levels of a node that are others than now.
    fn changed(&self, node: &Node) -> NamedLevels {
        let (now, then) = (levels(self.table, self.node), levels(self.table, node));
        NamedLevels(then.0.into_iter().zip(now.0).filter(|(then, now)| then != now).map(|(then, _)| then).collect())
    }

    /// How many nodes one of so many searches may count.
    pub(super) fn nodes(&self, searches: u64) -> u64 {
        let classes = CLASSES.saturating_add(self.table.records.saturating_mul(CLASSES_OF_A_RECORD));
        classes / searches.max(1) / (NODE + self.table.keys().weight() as u64)
    }

    /// Whether a search ends early: it asks whether to stop once it knows a safe node, and knows one from the beginning or knows
    /// that there is none.
    fn can_stop(&self, guard: &Guard, allowance: u64, lattice: &Lattice) -> bool {
        let is_monotone = self.is_nested && guard.closure() == Closure::Any;
        is_monotone || self.is_safe(guard, allowance, &self.classes(&lattice.top))
    }

    /// The largest `k` of the models.
    pub(super) fn k(&self) -> Option<i64> {
        self.case.policy.privacy.iter().filter_map(|model| k_of(&model.parameters)).max()
    }

    /// The models, each with this `k` where it asks for more; there is none where a model refuses it.
    fn guard_with(&self, k: i64) -> Option<Guard> {
        self.guard_where(|asked| asked.min(k))
    }

    /// The models with another `k`, given that which each asks for; there is none where a model refuses it.
    pub(super) fn guard_where(&self, other: impl Fn(i64) -> i64) -> Option<Guard> {
        let changed = |parameters: &Parameters| {
            let mut changed = parameters.clone();
            if let Some(k) = k_of(parameters) {
                changed.insert(K.to_owned(), Value::Integer(other(k)));
            }
            changed
        };
        let models = self.case.policy.privacy.iter();
        let models: Vec<(&str, Parameters)> =
            models.map(|model| (model.model.as_str(), changed(&model.parameters))).collect();
        let models = models.iter().map(|(name, parameters)| (*name, parameters));
        Some(guard(models, &self.fitting.sensitive).ok()?.limiting(self.fitting.guard.limits()))
    }

    /// The greatest `k` at which a node is safe within the limit: the lower it is, the more classes are allowed.
    fn greatest_k(&self, set: &FrequencySet) -> Option<u64> {
        let is_safe = |k: i64| self.guard_with(k).is_some_and(|guard| self.is_safe(&guard, self.allowance, set));
        let (mut safe, mut above) = (None, self.k()? + 1);
        let mut low = 1;
        while above - low > 1 {
            let middle = low + (above - low) / 2;
            if is_safe(middle) {
                (safe, low) = (u64::try_from(middle).ok(), middle);
            } else {
                above = middle;
            }
        }
        safe
    }

    fn is_safe(&self, guard: &Guard, allowance: u64, set: &FrequencySet) -> bool {
        let verdict = guard.judge(set);
        verdict.limited(guard.limits()) <= allowance && verdict.suppressed < self.table.records
    }

    fn in_words(&self, regain: &Regain) -> String {
        let Regain { column, alone, .. } = regain;
        let k = match (alone.k, self.k()) {
            (Some(k), Some(asked)) if u64::try_from(asked) == Ok(k) => ", which is within the limit".to_owned(),
            (Some(k), _) => format!(", or k = {k}"),
            (None, Some(_)) => ", and no k would do".to_owned(),
            (None, None) => String::new(),
        };
        let within = match &regain.within {
            Some(bought) => format!("; within the limit: {}", self.others(column, bought)),
            None if regain.looked_at => "; within the limit the others cannot make up for it".to_owned(),
            None if self.searches == 0 => String::new(),
            None => "; what the others would have to give up was not looked at".to_owned(),
        };
        let finer = regain.level - 1;
        let more = more(alone.more);
        format!("`{}` at level {finer}: {more} with all else as it is{k}{within}", column.escape_debug())
    }

    /// What another release changes besides one column.
    fn others(&self, name: &str, bought: &OtherRelease) -> String {
        let now: NamedLevels = levels(self.table, self.node);
        let changed = now.0.iter().filter(|from| from.0 != name);
        let changed = changed.filter_map(|from| Some((from, bought.node.0.iter().find(|to| to.0 == from.0)?)));
        let changed = changed.map(|(from, to)| format!("`{}` {} → {}", from.0.escape_debug(), from.1, to.1));
        let changed: Vec<String> = changed.chain([more(bought.more)]).collect();
        changed.join(", ")
    }
}

fn k_of(parameters: &Parameters) -> Option<i64> {
    match parameters.get(K)? {
        Value::Integer(k) => Some(*k),
        _ => None,
    }
}

fn more(records: i64) -> String {
    let noun = if records.abs() == 1 { "record" } else { "records" };
    match records {
        0 => "no more records withheld".to_owned(),
        1.. => format!("{} more {noun} withheld", grouped(records.unsigned_abs())),
        _ => format!("{} fewer {noun} withheld", grouped(records.unsigned_abs())),
    }
}
