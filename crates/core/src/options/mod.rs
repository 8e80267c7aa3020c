//! What there is to choose from, besides the best node.
//!
//! A search answers with one node. Here the same exact search is asked again, in parts of the lattice: for the next best
//! nodes and for the price of each level ([`alternatives`]). How high each variable must be allowed to climb ([`ceiling`])
//! is told without a search. Which of many releases are worth a look is told by their costs alone ([`front`]).

mod alternatives;
mod ceiling;
mod front;

pub use alternatives::{alternatives, at_level, choose};
pub use ceiling::ceiling;
pub use front::front;
