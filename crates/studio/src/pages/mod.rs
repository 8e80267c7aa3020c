//! The pages, one file each, in the order in which people go through them.

mod balance;
mod best;
mod column;
mod columns;
mod frame;
mod map;
mod new_values;
mod release;
mod safety;
mod table;

pub(crate) use balance::{BOUNDS, BalanceAnswers, page as balance};
pub(crate) use best::{BestAnswers, page as best};
pub(crate) use column::{grouped, page as column};
pub(crate) use columns::page as columns;
pub(crate) use frame::{Page, Sheet};
pub(crate) use map::page as map;
pub(crate) use release::{LastRelease, page as release};
pub(crate) use safety::page as safety;
pub(crate) use table::page as table;
