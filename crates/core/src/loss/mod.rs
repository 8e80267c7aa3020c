//! What a search minimises: the family of losses.
//!
//! A loss is a whole number of *units*: counts where the definition is made of counts, otherwise logarithms or shares that are
//! rounded once each to 2⁻⁴⁰. Sums of whole numbers depend neither on their order nor on the number of threads. So two nodes
//! tie or differ for good, and a bound is a bound to the last digit.
//!
//! Each loss is a sum over records of what the release withholds about them. Three promises make the exact search
//! possible, and the conformance suite attacks them on every member of [`ALL`]:
//!
//! 1. [`LossSummary::units`] is the loss of a node. Kept classes count as they stand. Suppressed records count like any other,
//!    or, where the loss charges suppression ([`LossMember::charges`]), so that withholding everything costs most. How a record
//!    is charged stands on the card: most losses charge it as if it were fully generalised.
//! 2. bound(interval) ≤ loss(x) for every node x in it: [`Loss::bound`].
//! 3. For an interval of one node, counted on both sides, the bound is attained or below.
//!
//! Source: El Emam et al. 2009, appendix.

mod ambiguity;
mod average_class_size;
mod classification;
mod discernibility;
mod discernibility_star;
mod height;
mod iyengar;
mod label_size;
mod non_uniform_entropy;
mod per_cell;
mod precision;
mod suppressed;
mod weighted_non_uniform_entropy;
mod weights;

use crate::card::{Card, ParameterError, Parameters, Promise};
use crate::entropy::{FIXED_POINT, bits, fixed};
use crate::frequency::{FrequencySet, Table};
use crate::hierarchy::Level;
use crate::lattice::Node;
use crate::privacy::Verdict;
use crate::variable::{Role, Variable};

pub use per_cell::PerCell;
pub(crate) use per_cell::SuppressedClasses;
pub use weights::WeightSource;

/// What a search minimises, from counts.
pub trait Loss: Send + Sync {
    /// What the loss takes from a counted node.
    fn summarise(&self, table: &Table, count: &JudgedClasses<'_>) -> LossSummary;

    /// What it takes from a counted node for bounds of what is below, where not all records that the node suppresses are
    /// suppressed there: `forced` says how many of each class are, and nobody knows which. It stands for
    /// [`LossSummary::parts`] then.
    fn forced_parts(&self, _table: &Table, _count: &JudgedClasses<'_>, _forced: &[u64]) -> Vec<u128> {
        Vec::new()
    }

    /// A number that no node between `lowest` and the node of `high` falls below. `low` is the summary of `lowest` when
    /// it was counted; `high` is absent when nothing is known about what the nodes suppress.
    fn bound(&self, lowest: &Node, low: Option<&CountedNode>, high: Option<&CountedNode>) -> u128;

    /// Whether a node may not be used, known before it is counted.
    fn rules_out(&self, _: &Node) -> bool {
        false
    }

    /// Whether it looks at sensitive values, or at any that are released as collected.
    fn looks_at_values(&self) -> bool {
        false
    }

    /// How many units make one.
    fn units_per_one(&self) -> f64 {
        1.0
    }

    /// What is known of the loss before a node is counted: searches choose their way by it.
    fn shape(&self) -> LossShape<'_>;
}

/// What a loss depends on.
#[derive(Debug, Clone, Copy)]
pub enum LossShape<'a> {
    /// Each cell is charged by its level alone.
    ByCell(&'a PerCell),
    /// Each level of each variable has a score, and no node costs less than the sum of its levels. A level without a score
    /// may not be used. Scores compare and add up, but their ratios mean nothing.
    ByLevel(&'a [Vec<Option<u128>>]),
    /// Classes are charged by what they hold. [`Loss::bound`] says little before the lowest node was counted.
    ByClass(LossGrowth),
}

/// When every merge of two classes costs, so that nothing above a safe node ranks before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossGrowth {
    /// At every merge.
    Always,
    /// At every merge, where no record is suppressed.
    UnlessSuppressing,
    /// Nothing is promised.
    Unknown,
}

impl<'a> LossShape<'a> {
    /// The loss as one that charges each cell by its level alone, if it is one.
    #[must_use]
    pub fn per_cell(self) -> Option<&'a PerCell> {
        if let Self::ByCell(loss) = self { Some(loss) } else { None }
    }

    /// Whether a bound wants the lowest node counted.
    #[must_use]
    pub fn needs_low(self) -> bool {
        matches!(self, Self::ByClass(_))
    }

    /// Whether every merge of two classes costs, where records may be suppressed or where none is.
    #[must_use]
    pub fn grows_with_merges(self, suppresses: bool) -> bool {
        match self {
            Self::ByClass(growth) => {
                growth == LossGrowth::Always || growth == LossGrowth::UnlessSuppressing && !suppresses
            }
            Self::ByCell(_) | Self::ByLevel(_) => false,
        }
    }

    /// Whether one loss can be said to be half of another.
    #[must_use]
    pub fn has_ratios(self) -> bool {
        !matches!(self, Self::ByLevel(_))
    }
}

/// The judged classes of a node, and where they came from.
#[derive(Debug, Clone, Copy)]
pub struct JudgedClasses<'a> {
    /// The classes of the node.
    pub set: &'a FrequencySet,
    /// Which of them may be released.
    pub verdict: &'a Verdict,
    /// The finer classes that they were merged from: they make bounds sharper.
    pub finer: Option<FinerClasses<'a>>,
}

/// The classes that those of a node were merged from.
#[derive(Debug, Clone, Copy)]
pub struct FinerClasses<'a> {
    /// The finer classes.
    pub set: &'a FrequencySet,
    /// For each of them its class in the node.
    pub class_of: &'a [u32],
}

impl<'a> JudgedClasses<'a> {
    /// Classes of which nobody says where they came from.
    #[must_use]
    pub fn new(set: &'a FrequencySet, verdict: &'a Verdict) -> Self {
        Self { set, verdict, finer: None }
    }

    /// The finest known classes that are suppressed at the node, and the set they are of.
    fn suppressed(&self) -> (&FrequencySet, Vec<u32>) {
        let kept = &self.verdict.kept;
        let refused = |is_kept: &mut dyn Iterator<Item = bool>| {
            (0..).zip(is_kept).filter(|(_, is_kept)| !is_kept).map(|(class, _)| class).collect()
        };
        match self.finer {
            Some(FinerClasses { set, class_of }) => {
                (set, refused(&mut class_of.iter().map(|&class| kept[class as usize])))
            }
            None => (self.set, refused(&mut kept.iter().copied())),
        }
    }
}

/// What a loss takes from a counted node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossSummary {
    /// The loss of the node.
    pub units: u128,
    /// Further sums, whose meaning only the loss knows: it bounds other nodes with them.
    pub parts: Vec<u128>,
}

/// The loss of a node that may not be used.
pub const FORBIDDEN: u128 = u128::MAX;

impl LossSummary {
    /// Whether the node may be used.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.units < FORBIDDEN
    }
}

/// A node whose classes were counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedNode {
    /// The node.
    pub node: Node,
    /// The number of suppressed records.
    pub suppressed: u64,
    /// How much of what the suppression limit counts is suppressed ([`crate::privacy::Verdict::limited`]).
    pub limited: u64,
    /// What the loss took.
    pub summary: LossSummary,
    /// What is suppressed at every node below, where that is not all that is suppressed here.
    pub forced: Option<ForcedSuppression>,
}

/// Records that are suppressed at every node below a counted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForcedSuppression {
    /// How many.
    pub records: u64,
    /// The same as the suppression limit counts.
    pub limited: u64,
    /// What the loss took from them: [`Loss::forced_parts`].
    pub parts: Vec<u128>,
}

impl CountedNode {
    /// How many records are suppressed at every node below.
    #[must_use]
    pub fn forced_records(&self) -> u64 {
        self.forced.as_ref().map_or(self.suppressed, |forced| forced.records)
    }

    /// How much of what the suppression limit counts is suppressed at every node below.
    #[must_use]
    pub fn forced_limited(&self) -> u64 {
        self.forced.as_ref().map_or(self.limited, |forced| forced.limited)
    }

    /// What the loss took from the records that are suppressed at every node below.
    fn forced_parts(&self) -> &[u128] {
        self.forced.as_ref().map_or(&self.summary.parts, |forced| &forced.parts)
    }
}

/// A member of the family.
pub struct LossMember {
    /// How it introduces itself.
    pub card: Card,
    /// Prepares the loss for a table, given parameters that fit the card.
    build: fn(&Table, &Parameters) -> Box<dyn Loss>,
}

impl LossMember {
    /// Prepares the loss for a table. A variable that a parameter names must be counted: one of [`Table::sensitive`].
    pub fn build(&self, table: &Table, given: &Parameters) -> Result<Box<dyn Loss>, ParameterError> {
        let is_counted = |name: &str| table.sensitive.iter().any(|counted| counted == name);
        let checked = self.card.check(given, |name| is_counted(name).then_some(Role::Sensitive))?;
        Ok((self.build)(table, &checked))
    }

    /// Whether it weighs the variables whatever its parameters.
    #[must_use]
    pub fn weighs_variables(&self) -> bool {
        weights::are_weighed(&self.card)
    }

    /// Where its weights of variables come from, given these parameters.
    #[must_use]
    pub fn weights(&self, parameters: &Parameters) -> WeightSource {
        match weights::source(parameters) {
            WeightSource::Equal if self.weighs_variables() => WeightSource::Points,
            source => source,
        }
    }

    /// Whether suppression is charged unless a parameter says otherwise: a release that withholds everything then costs most.
    /// Otherwise a suppressed record costs what it would cost released.
    #[must_use]
    pub fn charges_suppression(&self) -> bool {
        !self.card.keeps(Promise::ChargesNoSuppression)
    }

    /// Whether suppression is charged, given these parameters.
    #[must_use]
    pub fn charges(&self, parameters: &Parameters) -> bool {
        self.charges_suppression() && suppressed::charges(parameters)
    }
}

/// Every loss.
pub const ALL: &[LossMember] = &[
    non_uniform_entropy::MEMBER,
    weighted_non_uniform_entropy::MEMBER,
    discernibility::MEMBER,
    discernibility_star::MEMBER,
    precision::MEMBER,
    iyengar::MEMBER,
    ambiguity::MEMBER,
    average_class_size::MEMBER,
    classification::MEMBER,
    height::MEMBER,
];

/// The loss of a policy that names none.
pub const DEFAULT: &str = "non-uniform-entropy";

/// The member of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static LossMember> {
    ALL.iter().find(|member| member.card.name == name)
}

/// The loss of the fully generalised table, nothing suppressed: what `loss.share` divides by.
#[must_use]
pub fn units_of_full_generalisation(loss: &dyn Loss, table: &Table) -> u128 {
    let set = table.roll_up(table.keys(), &table.fully_generalised()).set;
    let verdict = Verdict::keeping(vec![true; set.len()], &set);
    loss.summarise(table, &JudgedClasses::new(&set, &verdict)).units
}

/// Units as the number that the definition speaks of.
#[must_use]
pub fn as_number(loss: &dyn Loss, units: u128) -> f64 {
    units as f64 / loss.units_per_one()
}

/// The square of a class size.
fn square(size: u64) -> u128 {
    u128::from(size) * u128::from(size)
}

/// For each variable and level what all records together lose, at least roughly: a guide for searches. Where the loss does
/// not charge by level alone it is about class sizes, and the logarithm of how many records each record looks like says
/// it: if variables were independent of each other, these would add up to that of the whole.
pub(crate) fn cost_by_level(loss: &dyn Loss, table: &Table) -> Vec<Vec<u128>> {
    let alike = |(variable, described): (usize, &Variable)| {
        let counts = table.value_counts(variable);
        let of_level = |level: &Level| bits(level.counts(counts).into_iter().map(square).sum()).into();
        described.hierarchy.levels().iter().map(of_level).collect()
    };
    let guide = || table.variables.iter().enumerate().map(alike).collect();
    loss.shape().per_cell().map_or_else(guide, |loss| loss.cost.clone())
}
