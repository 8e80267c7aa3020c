//! What reports and faces show as pictures: data in, a picture out.
//!
//! One file for each picture; [`pen`](crate::write::pen) plots it. A picture is as wide as a telephone; where there is room,
//! several stand side by side. What it shows is also told in words, for readers who do not see it.
//!
//! Whether a reader may know something is decided by whoever asks for the picture: nothing here looks at a table. Long text is
//! cut.
//!
//! | File | Picture |
//! |---|---|
//! | `class_sizes` | how many records are in classes of which size, and where `k` is |
//! | `distribution` | the values of a column before and after, or its labels by frequency |
//! | `detail` | how much of each column's detail is lost |
//! | `ladder` | the rungs of a column in words, with an example made up from the rules |
//! | `map` | the points of a risk–utility map, and its front |
//! | `nearby` | a release among its neighbours, by risk and loss |
//! | `risk` | risk before and after, with thresholds that others set |
//! | `scales` | what each rung gives to a user and keeps from an intruder |
//! | `withheld` | the share of each group that is withheld |

mod class_sizes;
mod detail;
mod distribution;
pub mod example;
mod ladder;
pub(crate) mod map;
mod nearby;
mod risk;
mod scales;
mod withheld;

pub use class_sizes::{ClassSizes, SizeStep};
pub use detail::{DetailPicture, LostShare};
pub use distribution::{Distribution, LabelShares};
pub use ladder::{LadderPicture, LadderRung};
pub use nearby::{NearbyPicture, NearbyPlace};
pub use risk::{RiskPair, Risks, THRESHOLDS, Threshold};
pub use scales::{RungGoods, Scales};
pub use withheld::{GroupShare, WithheldGroups};
