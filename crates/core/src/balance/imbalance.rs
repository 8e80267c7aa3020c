//! The balance as something that a search minimises among safe nodes.
//!
//! A node costs the sum of the scores of its levels ([`Score`]), so the best node without guarantees is the one that
//! every variable chooses for itself, and with guarantees the first safe one in the order of the sum.
//!
//! **Suppressed records** do not count in the paper's way. They may be charged ([`Suppression`]): a suppressed record then
//! tells nothing about itself. Of n records let c share a label. The entropy that variable v shows is
//!
//! > u = (1/n) Σ over the released records of log₂(n/c) ≤ the entropy of its level.
//!
//! What is lost is protection: x/q + y/r = H goes on to hold. n (H − u) is the non-uniform entropy with its charge. The score of
//! a level is taken at u.
//!
//! **The bound.** At most B records may be suppressed. Let u⁻ be the entropy of the level without the B records whose labels
//! tell most. Then
//!
//! > u⁻ ≤ u ≤ entropy of the level ⇒ score(u) ≥ the least score between the two, part by part.
//!
//! These least scores add up over the variables, so nodes can be looked at in the order of their bounds. Once the next bound is
//! above the best cost, no node was missed.
//!
//! *Chosen* means charged, and more: the balance may withhold classes of its own accord where that costs less. It leaves
//! out the smallest classes of a node, all those of a size or none, up to the allowance. Every class that goes lowers u, so that
//! pays where levels show more than the optimum and the next ones too little. The bound is the same, because it holds for
//! any records that are suppressed.
//!
//! **Rations** hold for the levels, and where suppression is charged for what it leaves of them and for nothing else. Withholding
//! lowers utility and raises protection, so a level that shows too much may come to meet its ration. A level is left out only if
//! no entropy between u⁻ and its own meets the ration; a node is forbidden if what it really shows does not.
//!
//! Limit: of all sets of classes that could be withheld only those by size are looked at; rare groups are what an intruder
//! finds first.

use super::{Balance, BalanceError, Score};
use crate::entropy::{self, Coding};
use crate::frequency::Table;
use crate::lattice::Node;
use crate::loss::{CountedNode, FORBIDDEN, JudgedClasses, Loss, LossShape, LossSummary};
use crate::privacy::Verdict;

/// How suppressed records count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Suppression {
    /// As if they were released.
    #[default]
    Free,
    /// They tell nothing.
    Charged,
    /// They tell nothing, and more may be withheld than the guarantees ask for.
    Chosen,
}

impl Suppression {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Free, Self::Charged, Self::Chosen];

    /// The word used in policies and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Charged => "charged",
            Self::Chosen => "chosen",
        }
    }
}

/// What a node lacks of the balance; for searches.
pub struct Imbalance {
    balance: Balance,
    /// For each variable and level the least it costs; nothing for a level that may not be used.
    least: Vec<Vec<Option<u128>>>,
    /// How charged scores are computed.
    charged: Option<SuppressionCharge>,
}

struct SuppressionCharge {
    /// Units of entropy per bit, as the market counts it.
    unit: f64,
    /// For each variable and level.
    codings: Vec<Vec<Coding>>,
    /// How many records may be suppressed.
    allowance: u64,
    /// Whether more may be withheld than must be.
    chooses: bool,
}

impl Imbalance {
    /// Suppressed records count as if they were released.
    #[must_use]
    pub fn new(balance: &Balance) -> Self {
        let least = balance.costs(|variable, level| balance.score(variable, level).packed());
        Self { balance: balance.clone(), least, charged: None }
    }

    /// Suppressed records tell nothing, and at most so many may be suppressed. The market of the balance must be that of the
    /// table, with entropies of `unit` times their bits.
    pub fn charging(balance: &Balance, table: &Table, suppressed: u64, unit: f64) -> Result<Self, BalanceError> {
        let codings = (0..table.variables.len()).map(|variable| codings(table, variable)).collect();
        let charged = SuppressionCharge { unit, codings, allowance: suppressed, chooses: false };
        let low = |variable: usize, level: usize| charged.low(variable, level);
        let cost = |variable, level| balance.least_score(variable, level, low(variable, level)).packed();
        let least = balance.costs_down_to(low, cost)?;
        Ok(Self { balance: balance.clone(), least, charged: Some(charged) })
    }

    /// The same, and classes may be withheld that need not be.
    pub fn choosing(balance: &Balance, table: &Table, suppressed: u64, unit: f64) -> Result<Self, BalanceError> {
        let mut imbalance = Self::charging(balance, table, suppressed, unit)?;
        if let Some(charged) = &mut imbalance.charged {
            charged.chooses = true;
        }
        Ok(imbalance)
    }

    /// Whether more may be withheld than must be.
    #[must_use]
    pub fn chooses(&self) -> bool {
        self.charged.as_ref().is_some_and(|charged| charged.chooses)
    }

    /// The classes of a node that are released: those that the verdict keeps, less those that are better withheld.
    #[must_use]
    pub fn released(&self, table: &Table, count: &JudgedClasses<'_>) -> Verdict {
        let best = self.charged.as_ref().and_then(|charged| charged.best(&self.balance, table, count));
        let Some(WithheldClasses { below, .. }) = best else {
            return count.verdict.clone();
        };
        let kept = count.verdict.kept.iter().zip(&count.set.sizes);
        Verdict::keeping(kept.map(|(&is_kept, &size)| is_kept && size >= below).collect(), count.set)
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

/// What is withheld of a node: every class that the guarantees refuse, and those of fewer records than this.
#[derive(Clone, Copy)]
struct WithheldClasses {
    below: u64,
    score: Score,
}

impl SuppressionCharge {
    /// The least entropy that a level shows when all that may be is withheld.
    fn low(&self, variable: usize, level: usize) -> f64 {
        let coding = &self.codings[variable][level];
        self.unit * coding.entropy_without(coding.told_at_most(self.allowance))
    }

    /// The best that can be withheld of a node and keeps the rations; the fewest records, if it can be done in several ways.
    fn best(&self, balance: &Balance, table: &Table, count: &JudgedClasses<'_>) -> Option<WithheldClasses> {
        let (set, verdict) = (count.set, count.verdict);
        let mut classes: Vec<u32> =
            (0..).zip(&verdict.kept).filter(|(_, kept)| **kept).map(|(class, _)| class).collect();
        classes.sort_by_key(|&class| set.sizes[class as usize]);
        let mut told = told_by(&self.codings, table, count, &refused(verdict));
        let mut suppressed = verdict.suppressed;
        let mut best = self.judged(balance, count, &told, WithheldClasses { below: 0, score: Score::default() });
        if !self.chooses {
            return best;
        }
        for group in classes.chunk_by(|&one, &other| set.sizes[one as usize] == set.sizes[other as usize]) {
            let size = group.first().map_or(0, |&class| set.sizes[class as usize]);
            suppressed += size * group.len() as u64;
            if suppressed > self.allowance || suppressed >= table.records {
                break;
            }
            let more = told_by(&self.codings, table, count, group);
            told.iter_mut().zip(more).for_each(|(told, more)| *told += more);
            let withheld = WithheldClasses { below: size + 1, score: Score::default() };
            if let Some(found) = self.judged(balance, count, &told, withheld)
                && best.as_ref().is_none_or(|best| found.score < best.score)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The score of what is left when this was told by withheld records; nothing where a ration is missed.
    fn judged(
        &self,
        balance: &Balance,
        count: &JudgedClasses<'_>,
        told: &[u128],
        withheld: WithheldClasses,
    ) -> Option<WithheldClasses> {
        let shown: Vec<f64> =
            shown_by(&self.codings, &count.set.node, told).into_iter().map(|shown| self.unit * shown).collect();
        let score =
            |(variable, (&level, &shown)): (usize, (&u8, &f64))| balance.score_at(variable, usize::from(level), shown);
        let scores = count.set.node.0.iter().zip(&shown).enumerate().map(score);
        let score = scores.fold(Score::default(), |sum, score| sum + score);
        balance.keeps_rations(&shown).then_some(WithheldClasses { score, ..withheld })
    }
}

/// The bits that each variable shows at a node where suppressed records tell nothing.
#[must_use]
pub fn shown(table: &Table, count: &JudgedClasses<'_>) -> Vec<f64> {
    let codings: Vec<_> = (0..table.variables.len()).map(|variable| codings(table, variable)).collect();
    shown_by(&codings, &count.set.node, &told_by(&codings, table, count, &refused(count.verdict)))
}

/// The classes that a verdict does not keep.
fn refused(verdict: &Verdict) -> Vec<u32> {
    (0..).zip(&verdict.kept).filter(|(_, kept)| !**kept).map(|(class, _)| class).collect()
}

/// What the labels of some classes tell about their records, for each variable.
fn told_by(codings: &[Vec<Coding>], table: &Table, count: &JudgedClasses<'_>, classes: &[u32]) -> Vec<u128> {
    let records = table.records_by_value(count.set, classes);
    let told = |(variable, records): (usize, &Vec<(u32, u64)>)| {
        let level = usize::from(count.set.node.0[variable]);
        let coding = &codings[variable][level];
        let of = &table.variables[variable].hierarchy.levels()[level].of;
        let told =
            |&(value, records): &(u32, u64)| u128::from(records) * u128::from(coding.told(of[value as usize] as usize));
        records.iter().map(told).sum()
    };
    records.iter().enumerate().map(told).collect()
}

/// The bits that are left to each variable of a node.
fn shown_by(codings: &[Vec<Coding>], node: &Node, told: &[u128]) -> Vec<f64> {
    let shown =
        |((levels, &level), &told): ((&Vec<Coding>, &u8), &u128)| levels[usize::from(level)].entropy_without(told);
    codings.iter().zip(&node.0).zip(told).map(shown).collect()
}

impl Loss for Imbalance {
    fn summarise(&self, table: &Table, count: &JudgedClasses<'_>) -> LossSummary {
        let node = &count.set.node;
        let least = if self.rules_out(node) { FORBIDDEN } else { self.least_at(node) };
        let units = match &self.charged {
            Some(charged) if least < FORBIDDEN => {
                charged.best(&self.balance, table, count).map_or(FORBIDDEN, |best| best.score.packed())
            }
            _ => least,
        };
        LossSummary { units, parts: Vec::new() }
    }

    fn bound(&self, lowest: &Node, _: Option<&CountedNode>, high: Option<&CountedNode>) -> u128 {
        self.least_between(lowest, high.map(|high| &high.node))
    }

    fn rules_out(&self, node: &Node) -> bool {
        let levels: Vec<usize> = node.0.iter().map(|&level| usize::from(level)).collect();
        let high = self.balance.shown(&levels);
        let low =
            |(variable, &level): (usize, &usize)| self.charged.as_ref().map(|charged| charged.low(variable, level));
        let low: Option<Vec<f64>> = levels.iter().enumerate().map(low).collect();
        !self.balance.may_keep_total(low.as_ref().unwrap_or(&high), &high)
    }

    fn shape(&self) -> LossShape<'_> {
        LossShape::ByLevel(&self.least)
    }

    fn units_per_one(&self) -> f64 {
        Score::units_per_one()
    }
}

/// The codings of a variable of a table.
fn codings(table: &Table, variable: usize) -> Vec<Coding> {
    entropy::codings(&table.variables[variable].hierarchy, table.value_counts(variable))
}
