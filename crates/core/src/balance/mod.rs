//! The price theory of privacy: how much of each variable to show, given what users want and intruders are after.
//!
//! Each quasi-identifier offers two goods: *utility* x, what its labels tell a user, and *protection* y, what they keep
//! from an intruder. Both are entropy times points: a user and an intruder share 100 points each among the variables. A
//! point is a price: a bit of utility of a variable with q user points costs 1/q, a bit of protection 1/r. The income is
//! the entropy of all variables, and every level of a ladder spends exactly that of its variable ([`Market`]). What α and
//! β make of the goods is the *satisfaction*, a Cobb-Douglas value. A *target* says which optimum is sought
//! ([`target`]), a *distance* which level is nearest to it ([`distance`]), and *rations* keep goods within bounds
//! ([`ration`]). [`Balance`] puts it together; [`Imbalance`] makes it something that a search minimises among safe nodes.
//!
//! Limit: entropies are those of one variable at a time, as in the paper: what variables tell together does not count.
//!
//! Source: M. Zielinski, M. Olivier, On the use of economic price theory to find the optimum levels of privacy and
//! information utility in non-perturbative microdata anonymisation, DKE 69(5), 2010.
//!
//! ```
//! use equanym_core::balance::{Balance, Market, Offer, Points, Preferences};
//!
//! // One variable: 1.75 bits as collected, 1 bit at level 1, nothing at the top. Users and intruders are even.
//! let points = Points { user: 100.0, intruder: 100.0 };
//! let age = Offer::new("age", vec![1.75, 1.0, 0.0], points);
//! let market = Market::new(0.5, 0.5, vec![age])?;
//! let balance = Balance::solve(market, Preferences::default())?;
//! assert_eq!(balance.node(), [1]);
//! assert!((balance.optimum()[0].utility - 87.5).abs() < 1e-9);
//! # Ok::<(), equanym_core::balance::BalanceError>(())
//! ```

mod bounds;
mod choice;
pub mod distance;
mod error;
mod imbalance;
mod market;
mod optimum;
pub mod ration;
pub mod reading;
mod score;
mod shadow;
mod spending;
mod sweep;
pub mod target;
mod totals;

pub use choice::{Balance, Preferences, UnwantedLevel};
pub use error::BalanceError;
pub use imbalance::{Imbalance, Suppression, shown};
pub use market::{Goods, Market, Offer, POINTS, Points, Price};
pub use optimum::{closed_form, coupled, rationed};
pub use ration::{Amount, Ration};
pub use reading::{NewValueReading, ToldBits, offer_of_new_values};
pub use score::Score;
pub use shadow::{RationCost, ration_costs};
pub use spending::{Demand, SpendingError, spend};
pub use sweep::{AlphaPiece, sweep};
