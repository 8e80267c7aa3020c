//! What is drawn: a risk from left to right, a loss from bottom to top.
//!
//! Unless the owner chooses, the loss is one that all methods of the map have: that of the policy where each finds levels, the detail
//! that is lost where one of them gives classes labels of their own, and how far frequencies moved where one makes new values.

use equanym_core::method::{self, MethodWork};
use equanym_core::utility;
use serde::Serialize;

use super::{Outcome, PointFinding, Prospect};
use crate::policy::{FrontierPolicy, LossAxis, Policy, RiskAxis};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Axes {
    /// From left to right.
    pub risk: Axis<RiskAxis>,
    /// From bottom to top.
    pub loss: Axis<LossAxis>,
}

/// One axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Axis<T> {
    /// Its word.
    pub name: &'static str,
    /// What it measures.
    pub measures: &'static str,
    /// The same for the program.
    #[serde(skip)]
    pub which: T,
}

/// Where a point is plotted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MapPlace {
    /// From left to right.
    pub risk: f64,
    /// From bottom to top.
    pub loss: f64,
}

/// The metric that is drawn where a method makes new values.
const OF_ALL: &str = "frequencies";

impl Axes {
    pub(super) fn new(sweeps: &FrontierPolicy, policy: &Policy) -> Self {
        let risk = sweeps.risk.unwrap_or_default();
        let loss = sweeps.loss.unwrap_or_else(|| usual(&sweeps.methods(policy)));
        Self {
            risk: Axis { name: risk.name(), measures: risk.in_words(), which: risk },
            loss: Axis { name: loss.name(), measures: loss.in_words(), which: loss },
        }
    }

    /// Where a point stands. Nowhere if there is no such release, or it has no such loss; then it is said why.
    pub(super) fn place(&self, found: &PointFinding) -> (Option<MapPlace>, Option<&'static str>) {
        let Outcome::Safe(release) = &found.outcome else { return (None, None) };
        let risk = match self.risk.which {
            RiskAxis::Highest => release.risk.prosecutor_max,
            RiskAxis::Mean => release.risk.prosecutor_mean,
            RiskAxis::AtRisk => release.risk.records_at_risk,
        };
        let loss = match self.loss.which {
            LossAxis::Loss => release.loss.as_ref().map(|loss| loss.share),
            LossAxis::Detail => release.detail_lost,
            LossAxis::Withheld => {
                Some(release.suppressed as f64 / (release.released + release.suppressed).max(1) as f64)
            }
            LossAxis::Metric(_) => found.measured.and_then(|(_, value)| value),
        };
        match loss {
            Some(loss) => (Some(MapPlace { risk, loss }), None),
            None => (None, Some(self.missing(release))),
        }
    }

    /// Why a release has no such loss.
    fn missing(&self, release: &Prospect) -> &'static str {
        match self.loss.which {
            LossAxis::Loss => "its method minimises no loss: take `detail`, or a metric of `compare`",
            LossAxis::Detail if !release.guaranteed => {
                "new values cover no part of their column: take a metric of `compare`"
            }
            LossAxis::Metric(name) if utility::find(name).is_some_and(|member| member.needs_alignment) => {
                "the metric compares record by record: say [output] order = \"input\" and let nobody be withheld, or take one \
                 that compares tables, such as `frequencies`"
            }
            LossAxis::Detail | LossAxis::Withheld | LossAxis::Metric(_) => "there is nothing to measure it on",
        }
    }
}

/// A loss that all of these methods have.
fn usual(methods: &[&str]) -> LossAxis {
    let works = || methods.iter().filter_map(|name| method::find(name)).map(|member| &member.work);
    let metric = LossAxis::named(OF_ALL).filter(|_| works().any(|work| matches!(work, MethodWork::Values(_))));
    let is_local = works().any(|work| matches!(work, MethodWork::Classes(_)));
    metric.unwrap_or(if is_local { LossAxis::Detail } else { LossAxis::Loss })
}
