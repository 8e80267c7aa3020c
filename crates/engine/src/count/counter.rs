//! Who counts the keys of a table: this machine, or others.
//!
//! Whoever counts, the keys are the same, in no order. Cells that are not counted are looked at while this machine reads;
//! where others count, it reads them once more, and only where somebody must know.

use std::path::Path;

use super::parts::KeyParts;
use super::{Keys, Places, count};
use crate::error::Result;
use crate::machine::Runtime;
use crate::progress::Progress;
use crate::read::{Reading, Source};

/// Who counts.
pub trait Counter {
    /// Whether every cell passes through this machine as it is counted, so that looking at cells costs no reading.
    fn sees_cells(&self) -> bool;

    /// Counts the keys of the table, and looks at columns where there is a lookout.
    fn count(&self, source: &Source, places: Places<'_>, progress: &dyn Progress) -> Result<Keys>;

    /// Counts the keys of another table, which lies at this path and is read like this.
    fn count_beside(
        &self,
        lies: (&Path, &Reading),
        source: &Source,
        places: &KeyParts<usize>,
        progress: &dyn Progress,
    ) -> Result<Keys>;
}

impl Counter for Runtime {
    fn sees_cells(&self) -> bool {
        true
    }

    fn count(&self, source: &Source, places: Places<'_>, progress: &dyn Progress) -> Result<Keys> {
        count(source, places, self, progress)
    }

    fn count_beside(
        &self,
        _: (&Path, &Reading),
        source: &Source,
        places: &KeyParts<usize>,
        progress: &dyn Progress,
    ) -> Result<Keys> {
        count(source, places, self, progress)
    }
}
