//! A mask as it is stored, and over batches of records.
//!
//! A mask says what becomes of each value; what must be known of single records stands beside it
//! ([`ByRecord`](rewrite::ByRecord)). Deciding makes both, writing applies them, and neither is needed here.
//!
//! | Room | Idea |
//! |---|---|
//! | `stored`, `ladder`, `layout` | the file that `apply` needs to do the same to other data |
//! | `terms`, `columns` | the policy that it keeps, and whether it fits a table |
//! | `rewrite` | cells become what they are in the release |
//! | `second_reading` | a table is read again and its records are rewritten |

mod columns;
mod ladder;
mod layout;
pub mod rewrite;
pub mod second_reading;
mod stored;
mod terms;

pub use ladder::{StoredLadder, StoredLevel};
pub use stored::{Promise, StoredMask, StoredMeaning};
