//! A fitted mask over a second reading of the table, and what is written with it.
//!
//! | Room | Idea |
//! |---|---|
//! | `table` | the second reading: rewritten, sorted, handed to a sink |
//! | `sink` | one output format per file; the folder that appears in one step |
//! | `frame` | released cells in the types they had in memory |
//! | `manifest`, `reports` | what is written beside the data |
//! | `pen` | everything that is plotted, in reports and elsewhere |

pub(crate) mod frame;
pub mod manifest;
pub mod pen;
pub mod reports;
pub(crate) mod sink;
pub(crate) mod table;

#[cfg(unix)]
pub use sink::leftovers::remove_leftovers;
pub use sink::leftovers::{keep_leftovers_in, list_leftover};
pub use sink::staging::abandon_unfinished;
