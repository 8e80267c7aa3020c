//! Reads, counts, rewrites and writes tables.
//!
//! The way of the data, a room for each stage. [`read`] opens a table, [`treat`] changes single cells. `count` finds its distinct keys. `decide` puts the
//! questions of the [`policy`] to the core and makes a [`mask`] of the answer. [`write`](mod@write) applies the mask to a second
//! reading, into a folder that appears in one step, after the audit has read it back. [`run`] holds the whole runs. [`machine`]
//! has the threads, the memory and the disk; [`workers`] may be a cluster; [`sql`] is for other engines.
//!
//! Tables that are in memory already, as Arrow record batches, are released by [`run::in_memory::release_batches`].
//!
//! What is public here blocks. Names and values of the data are hostile: messages name columns and counts, never values.
//!
//! ```no_run
//! use std::sync::Arc;
//! use equanym_engine::{machine::Resources, policy::Policy, progress::Silent, run::release};
//!
//! let policy = Policy::load("policy.toml".as_ref())?;
//! let released = release::release(&release::ReleaseRequest {
//!     data: "patients.csv".as_ref(),
//!     policy: &policy,
//!     out: "release".as_ref(),
//!     folder: None,
//!     against: &[],
//!     cluster: None,
//!     resources: Resources::default(),
//!     show_values: false,
//!     progress: Arc::new(Silent),
//! })?;
//! println!("{} of {} records released", released.report.released, released.report.records);
//! # Ok::<(), equanym_engine::error::Error>(())
//! ```

// What nobody outside can reach does not look as if they could.
#![warn(unreachable_pub)]

pub mod count;
mod decide;
pub mod error;
mod inquiry;
pub mod machine;
pub mod mask;
pub mod policy;
pub mod progress;
pub mod read;
pub mod run;
pub mod sql;
pub mod treat;
pub mod words;
pub mod workers;
pub mod write;
