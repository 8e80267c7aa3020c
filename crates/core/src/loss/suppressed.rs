//! Whether a loss charges suppressed records.
//!
//! Charged, a suppressed record costs as much as one that is fully generalised, so that withholding is never a bargain.
//! Free, every record pays its cells at the node, whether it is withheld or not, and nothing more. The loss is then a sum
//! over the levels of a node that never falls on the way up.
//!
//! The exact search needs no other bound. Free is a [`PerCell`](super::PerCell) without charges: the bound of an interval
//! is what its lowest node costs, all nodes above cost as much or more, and the lowest node attains it. Slack is what a
//! suppressed record is charged beyond its cells, hence 0, so `optimal` claims nothing for it.
//!
//! Source: El Emam et al. 2009, appendix, equations 2 and 4, which print no charge.

use crate::card::{Kind, Parameter, Parameters, text};

const NAME: &str = "suppressed";
const FREE: &str = "free";

/// The parameter of losses that can leave suppression uncharged.
pub(super) const PARAMETER: Parameter = Parameter::defaulting(
    NAME,
    Kind::Choice(&["charged", FREE]),
    "charged",
    "whether a suppressed record pays as if fully generalised, or its cells at the node and nothing more",
);

/// Whether suppressed records are charged, by a loss that charges them unless told otherwise.
pub(super) fn charges(parameters: &Parameters) -> bool {
    text(parameters, NAME) != FREE
}
