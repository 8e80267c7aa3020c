//! The decisions of equanym.
pub mod card;
pub mod frequency;
pub mod hierarchy;
pub mod lattice;
pub mod loss;
pub mod mask;
pub mod method;
pub mod privacy;
pub mod report;
pub mod risk;
pub mod search;
pub mod variable;
