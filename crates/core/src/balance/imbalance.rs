//! The balance as something that a search minimises among safe nodes.
//!
//! A node costs the sum of the scores of its levels ([`Score`]), so the best node without guarantees is the one that
//! every variable chooses for itself, and with guarantees the first safe one in the order of the sum.
//!
//! **Suppressed records** count as the paper has it, that is, not at all, unless they are charged. *Charged* means: a
//! suppressed record tells nothing about itself. The entropy of a variable is the mean over all records of what their
//! labels tell, log₂(n/c) for a label that c of n records share; suppressed records enter with 0 and the others unchanged.
//! The shown entropy u of a variable is therefore at most that of its level, what is lost is protection (x/q + y/r = H goes
//! on to hold), and n·(H − u) is the non-uniform entropy with its charge. The score of a level is taken at u.
//!
//! Then the cost is no longer a sum of numbers per level, but it is bounded by one: at most B records may be suppressed, so
//! u is at least u⁻, the entropy of the level without the B records whose labels tell most, and the score is at least the
//! least score between u⁻ and the entropy of the level, part by part. A search that looks at nodes in the order of these
//! bounds and stops when the next bound is above the best cost so far has missed nothing: each node that it did not look at
//! costs at least its bound.
//!
//! Limit: rations speak of levels, not of what suppression leaves of them.

use super::{Balance, Score};
use crate::entropy::{self, Coding};
use crate::frequency::Table;
use crate::lattice::Node;
use crate::loss::{Count, Counted, Loss, Shape, Summary};

/// What a node lacks of the balance; for searches.
pub struct Imbalance {
    /// For each variable and level the least it costs; nothing for a level that may not be used.
    least: Vec<Vec<Option<u128>>>,
    /// How charged scores are computed.
    charged: Option<Charged>,
}

/// The cost of a level that may not be used.
const FORBIDDEN: u128 = u128::MAX;

struct Charged {
    balance: Balance,
    /// Units of entropy per bit, as the market counts it.
    unit: f64,
    /// For each variable and level.
    codings: Vec<Vec<Coding>>,
}

impl Imbalance {
    /// Suppressed records count as if they were released.
    #[must_use]
    pub fn new(balance: &Balance) -> Self {
        let score = |variable: usize, level: usize| {
            balance.is_allowed(variable, level).then(|| balance.score(variable, level).packed())
        };
        Self { least: by_level(balance, score), charged: None }
    }

    /// Suppressed records tell nothing, and at most so many may be suppressed. The market of the balance must be that of the
    /// table, with entropies of `unit` times their bits.
    #[must_use]
    pub fn charging(balance: &Balance, table: &Table, suppressed: u64, unit: f64) -> Self {
        let codings = (0..table.variables.len()).map(|variable| codings(table, variable)).collect();
        let charged = Charged { balance: balance.clone(), unit, codings };
        let score = |variable: usize, level: usize| {
            balance.is_allowed(variable, level).then(|| charged.least(variable, level, suppressed).packed())
        };
        Self { least: by_level(balance, score), charged: Some(charged) }
    }

    fn least_between(&self, lowest: &Node, highest: Option<&Node>) -> u128 {
        let least = |(variable, levels): (usize, &Vec<Option<u128>>)| {
            let low = usize::from(lowest.0[variable]);
            let high = highest.map_or(levels.len(), |node| usize::from(node.0[variable]) + 1);
            levels.iter().take(high).skip(low).filter_map(|cost| *cost).min().unwrap_or(FORBIDDEN)
        };
        self.least.iter().enumerate().map(least).fold(0, u128::saturating_add)
    }

    /// The least that a node costs; more than any other where a level may not be used.
    fn least_at(&self, node: &Node) -> u128 {
        let levels = self.least.iter().zip(&node.0);
        levels.map(|(costs, &level)| costs[usize::from(level)].unwrap_or(FORBIDDEN)).fold(0, u128::saturating_add)
    }
}

impl Charged {
    fn least(&self, variable: usize, level: usize, suppressed: u64) -> Score {
        let coding = &self.codings[variable][level];
        let low = self.unit * coding.entropy_without(coding.told_at_most(suppressed));
        self.balance.least_score(variable, level, low)
    }

    fn score(&self, table: &Table, count: &Count<'_>) -> Score {
        let shown = shown_by(&self.codings, table, count);
        let score = |(variable, (&level, shown)): (usize, (&u8, f64))| {
            self.balance.score_at(variable, usize::from(level), self.unit * shown)
        };
        count.set.node.0.iter().zip(shown).enumerate().map(score).fold(Score::default(), |sum, score| sum + score)
    }
}

/// The bits that each variable shows at a node where suppressed records tell nothing.
#[must_use]
pub fn shown(table: &Table, count: &Count<'_>) -> Vec<f64> {
    let codings: Vec<_> = (0..table.variables.len()).map(|variable| codings(table, variable)).collect();
    shown_by(&codings, table, count)
}

fn shown_by(codings: &[Vec<Coding>], table: &Table, count: &Count<'_>) -> Vec<f64> {
    let suppressed = (0..).zip(&count.verdict.kept).filter(|(_, kept)| !**kept).map(|(class, _)| class);
    let records = table.records_by_value(count.set, &suppressed.collect::<Vec<u32>>());
    let shown = |(variable, records): (usize, &Vec<(u32, u64)>)| {
        let level = usize::from(count.set.node.0[variable]);
        let coding = &codings[variable][level];
        let of = &table.variables[variable].hierarchy.levels()[level].of;
        let told =
            |&(value, records): &(u32, u64)| u128::from(records) * u128::from(coding.told(of[value as usize] as usize));
        coding.entropy_without(records.iter().map(told).sum())
    };
    records.iter().enumerate().map(shown).collect()
}

impl Loss for Imbalance {
    fn summarise(&self, table: &Table, count: &Count<'_>) -> Summary {
        let least = self.least_at(&count.set.node);
        let units = match &self.charged {
            Some(charged) if least < FORBIDDEN => charged.score(table, count).packed(),
            _ => least,
        };
        Summary { units, parts: Vec::new() }
    }

    fn bound(&self, lowest: &Node, _: Option<&Counted>, high: Option<&Counted>) -> u128 {
        self.least_between(lowest, high.map(|high| &high.node))
    }

    fn shape(&self) -> Shape<'_> {
        Shape::ByLevel(&self.least)
    }

    fn units_per_one(&self) -> f64 {
        Score::units_per_one()
    }
}

/// The codings of a variable of a table.
fn codings(table: &Table, variable: usize) -> Vec<Coding> {
    entropy::codings(&table.variables[variable].hierarchy, table.value_counts(variable))
}

fn by_level(balance: &Balance, score: impl Fn(usize, usize) -> Option<u128>) -> Vec<Vec<Option<u128>>> {
    let offers = balance.market().offers().iter().enumerate();
    offers.map(|(variable, offer)| (0..offer.entropies.len()).map(|level| score(variable, level)).collect()).collect()
}
