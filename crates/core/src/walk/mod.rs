//! The property-preserving walk: exact values that keep the patterns of columns.
//!
//! A column is positions on a line ([`ColumnScale`]): numbers, days, or places in an order. It is cut into segments. Of each, the
//! [`locality`] relations say which values lie nearer to which, and a [`Selection`] says which of these are kept; a policy
//! can add [`Property`]s of its own. All tables that have these properties make up a [`region`], a polytope in which the data
//! are one point. A sampler (see [`ALL`]) walks from there until it has forgotten where it came from, and the point at which
//! it ends is released: exact values, not ranges, with the kept properties true.
//!
//! **No privacy is proven.** With the order kept, ranks are published: whoever knows the original values of a segment finds
//! each record again by its rank, whatever the change. A release must say so and print linkage risks beside utility.
//!
//! **The domain decides the utility.** All points alike means that a segment of n values reaches over (n - 1) / (n + 1) of
//! its domain on average. The default domain is the segment's own range and a margin, so that values of different segments
//! can still be compared; a wide domain stretches every segment over all of it.
//!
//! Source: Xue, Karras, Raïssi, Pung: Utility-driven anonymization in data publishing, CIKM 2011.
//!
//! ```
//! use equanym_core::random::Seed;
//! use equanym_core::walk::{WalkColumn, WalkSettings, walk};
//!
//! let ages = WalkColumn::parse("age", ["23", "31", "31", "36", "52", "", "64"], None)?;
//! let walked = walk(&[ages.clone()], &[], &WalkSettings::default(), Seed::from(1))?;
//! let new = &walked.columns[0].values;
//! assert_eq!((new[1], new[5]), (new[2], None));
//! assert!(new[0] < new[1] && new[3] <= new[4]);
//! assert_eq!(ages.text(new[5]), "");
//! # Ok::<(), equanym_core::walk::WalkError>(())
//! ```

mod circuit;
mod column;
mod cut;
mod error;
mod findings;
mod job;
pub mod locality;
mod null_space;
pub mod pace;
mod parcel;
mod property;
pub mod region;
mod relation;
mod run;
mod sampler;
mod scale;
mod segment;
mod selection;
mod settings;
mod settle;
mod system;
mod whole;

pub use column::{ColumnLimits, WalkColumn};
pub use error::WalkError;
pub use findings::{ColumnFindings, WalkFindings, WalkedColumn, WalkedColumns};
pub use job::SegmentOutcome;
pub use parcel::Parcel;
pub use property::{Property, RecordGroups, RecordPair, Relation, Term, TermRecords};
pub use run::{WalkTask, walk};
pub use sampler::{ALL, Chain, DEFAULT, SamplerMember, find};
pub use scale::{ColumnScale, NumberWriting, OrderedWords};
pub use segment::runs;
pub use selection::{SELECTIONS, Selection};
pub use settings::{LARGEST_SEGMENT, LastDigits, MARGIN, Segmentation, Sweeps, TieRule, WalkDomain, WalkSettings};

/// A segment is frozen when at least this share of its values come out as they went in …
pub const FROZEN_SHARE: f64 = 0.9;
/// … or when its mean change is below this share of its domain.
pub const FROZEN_CHANGE: f64 = 0.001;

/// A place as it is stored; there are fewer than 2³².
fn stored(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
