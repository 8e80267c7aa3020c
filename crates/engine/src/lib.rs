//! Reads, counts, rewrites and writes tables.
//!
//! The way of the data: a [`source`] is read once to [`count`] its distinct keys, as codes; `tabulate` turns them into the
//! core's table with the ladders of the [`policy`]; the core decides; the mask is fitted, [`stored`] and applied
//! ([`apply`]) to a second reading; a [`sink`] writes the result into a folder that appears in one step, after the audit
//! has read it back. [`release`] is the whole run, [`reapply`] the run with a stored mask; [`risk`], [`draft`] and
//! [`balance`] look at a table without releasing anything.
//!
//! Everything asynchronous is inside [`runtime`]; what is public here blocks. Names and values of the data are hostile:
//! inside DataFusion columns are numbers, and messages name columns and counts, never values.
//!
//! ```no_run
//! use std::sync::Arc;
//! use equanym_engine::{policy::Policy, progress::Silent, release, runtime::Resources};
//!
//! let policy = Policy::load("policy.toml".as_ref())?;
//! let released = release::release(&release::Request {
//!     data: "patients.csv".as_ref(),
//!     policy: &policy,
//!     out: "release".as_ref(),
//!     folder: None,
//!     cluster: None,
//!     resources: Resources::default(),
//!     show_values: false,
//!     progress: Arc::new(Silent),
//! })?;
//! println!("{} of {} records released", released.report.released, released.report.records);
//! # Ok::<(), equanym_engine::error::Error>(())
//! ```

pub mod apply;
pub mod balance;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod compare;
pub mod count;
pub mod demo;
pub mod draft;
pub mod encode;
pub mod error;
mod fit;
pub mod ladders;
pub mod local;
mod manifest;
mod memory;
mod misfit;
pub mod new_values;
pub mod policy;
mod pool;
#[cfg(feature = "postgres")]
mod postgres;
pub mod progress;
mod publish;
pub mod reapply;
pub mod release;
pub mod reports;
pub mod risk;
pub mod runtime;
pub mod sink;
pub mod source;
pub mod sql;
pub mod stored;
pub mod svg;
mod tabulate;
mod tally;
pub mod text_file;
mod warnings;
mod workers;
