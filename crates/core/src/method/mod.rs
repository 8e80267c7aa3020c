//! Fits a mask: the family of methods.
//!
//! A method turns a counted table into a [`Mask`](crate::mask::Mask), which the engine applies. Each member is one file.

pub mod global_recoding;

use crate::card::Card;

/// Every method.
pub const ALL: &[Card] = &[global_recoding::CARD];

/// The method of a policy that names none.
pub const DEFAULT: &str = "global-recoding";
