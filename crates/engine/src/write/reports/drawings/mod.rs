//! The drawings of reports and faces: data in, a picture out.
//!
//! One file for each drawing, one style for all. A picture is as wide as a telephone; where there is room, several stand side
//! by side. Type and colours come from a style sheet ([`COLOURS`], [`STYLE`]), so that a page shows them light and dark; a
//! picture that stands alone ([`Picture::file`]) brings its own. What a drawing shows is also told in words, for readers who
//! do not see it.
//!
//! Names and values are hostile: all text passes the same door as that of the reports, and long text is cut. Whether a reader
//! may know something is decided by whoever draws: nothing here looks at a table. The same data give the same bytes.
//!
//! | File | Picture |
//! |---|---|
//! | `class_sizes` | how many records are in classes of which size, and where `k` is |
//! | `distribution` | the values of a column before and after, or its labels by frequency |
//! | `detail` | how much of each column's detail is lost |
//! | `ladder` | the rungs of a column in words, with an example made up from the rules |
//! | `nearby` | a release among its neighbours, by risk and loss |
//! | `risk` | risk before and after, with thresholds that others set |
//! | `scales` | what each rung gives to a user and keeps from an intruder |
//! | `withheld` | the share of each group that is withheld |

mod class_sizes;
mod detail;
mod distribution;
pub mod example;
mod ladder;
mod nearby;
mod pen;
mod picture;
mod risk;
mod rows;
mod scales;
mod withheld;

pub use class_sizes::{ClassSizes, SizeStep};
pub use detail::{DetailLost, LostOf};
pub use distribution::{Distribution, Shares};
pub use ladder::{Ladder, Rung};
pub use nearby::{Nearby, Place};
pub use pen::{Anchor, Pen};
pub use picture::{COLOURS, Picture, STYLE, WIDTH};
pub use risk::{RiskOf, Risks, THRESHOLDS, Threshold};
pub use scales::{GoodsOf, Scales};
pub use withheld::{GroupShare, Withheld};
