//! Whole runs, each to be read from top to bottom.
//!
//! [`release`] is the main job; [`apply`] does the same with a stored mask, and both end in `publish`; [`in_memory`] has both without
//! a folder. [`sql`] writes the
//! release as statements instead. [`risk`], [`draft`], [`balance`], [`compare`] and [`hierarchy`] look at a table without
//! releasing anything, and so do [`alternatives`] and [`frontier`]; [`live`] keeps one at hand; [`attack`] attacks one; [`demo`] makes one up. [`audit`] has a release checked, [`report`] fills in forms about one.

pub mod alternatives;
pub mod apply;
pub mod attack;
pub mod audit;
pub mod balance;
pub mod compare;
pub mod demo;
pub mod draft;
pub mod frontier;
pub mod hierarchy;
pub mod in_memory;
pub mod live;
mod publish;
pub mod release;
pub mod report;
pub mod risk;
pub mod sql;

pub use publish::FinishedRelease;
