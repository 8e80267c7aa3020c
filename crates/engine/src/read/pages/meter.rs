//! What the pages of one reader hold in memory, and what they add to its batch: both have bounds, asked before memory is taken.
//!
//! A page is unpacked as a whole, and stays until the next one of its column comes. A batch copies texts out of pages; one
//! entry of a dictionary may go there once for each record. What a batch gathers is
//!
//! `Σ over the pages of this batch that are used up + Σ over columns of what the page in use may add to one batch`
//!
//! A batch that would gather too much is read again with fewer records; pages that do not fit are refused.

use std::sync::{Mutex, MutexGuard, PoisonError};

use parquet::errors::{ParquetError, Result as ParquetResult};

/// The meter of a reader.
pub(in crate::read) struct Meter {
    /// The most that pages may hold.
    room: u64,
    /// The most that a batch may gather.
    most: u64,
    load: Mutex<Load>,
}

#[derive(Default)]
struct Load {
    held: u64,
    used_up: u64,
    in_use: u64,
    batch: u64,
    refusal: Option<PageRefusal>,
}

/// Why a page was not handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::read) enum PageRefusal {
    /// It does not fit.
    Room,
    /// The batch has too many records.
    Batch,
}

/// What a page weighs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PageWeight {
    /// In memory, as long as it is there.
    pub(super) held: u64,
    /// What it may add to one batch beyond that.
    pub(super) share: u64,
    /// What it has added to a batch that used it up.
    pub(super) whole: u64,
    batch: u64,
}

impl PageWeight {
    pub(super) fn new(held: u64, share: u64, whole: u64) -> Self {
        Self { held, share, whole, batch: 0 }
    }
}

impl Meter {
    /// For a reader with so much room, whose batches have so many records. A batch of one cannot be made smaller.
    pub(in crate::read) fn new(room: u64, batch_records: usize) -> Self {
        Self { room, most: if batch_records > 1 { room / 4 } else { room }, load: Mutex::default() }
    }

    /// Begins the next batch.
    pub(in crate::read) fn begin(&self) {
        let mut load = self.load();
        load.batch += 1;
        load.used_up = 0;
    }

    /// Why a page was refused, if one was.
    pub(in crate::read) fn refusal(&self) -> Option<PageRefusal> {
        self.load().refusal
    }

    /// Refuses bytes that do not fit beside what is held.
    pub(super) fn admit(&self, bytes: u64) -> ParquetResult<()> {
        let mut load = self.load();
        if load.held.saturating_add(bytes) > self.room {
            load.refusal = Some(PageRefusal::Room);
            return Err(refused());
        }
        Ok(())
    }

    /// Takes a page in the place of another.
    pub(super) fn replace(&self, old: &mut PageWeight, new: PageWeight) -> ParquetResult<()> {
        self.release(old);
        self.admit(new.held)?;
        let mut load = self.load();
        let is_of_this_batch = old.batch == load.batch;
        load.used_up = load.used_up.saturating_add(if is_of_this_batch { old.whole } else { old.share });
        load.held += new.held;
        load.in_use = load.in_use.saturating_add(new.share);
        *old = PageWeight { batch: load.batch, ..new };
        if load.used_up.saturating_add(load.in_use) > self.most {
            load.refusal = Some(if self.most < self.room { PageRefusal::Batch } else { PageRefusal::Room });
            return Err(refused());
        }
        Ok(())
    }

    /// Forgets a page.
    pub(super) fn release(&self, old: &PageWeight) {
        let mut load = self.load();
        load.held = load.held.saturating_sub(old.held);
        load.in_use = load.in_use.saturating_sub(old.share);
    }

    fn load(&self) -> MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error whose words nobody reads.
pub(super) fn refused() -> ParquetError {
    ParquetError::General(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fit_or_are_refused() {
        let meter = Meter::new(100, 1);
        let (mut one, mut other) = (PageWeight::default(), PageWeight::default());
        assert!(meter.replace(&mut one, PageWeight::new(60, 0, 60)).is_ok());
        assert!(meter.admit(40).is_ok() && meter.refusal().is_none());
        assert!(meter.replace(&mut other, PageWeight::new(41, 0, 41)).is_err());
        assert_eq!(meter.refusal(), Some(PageRefusal::Room));
        assert!(meter.replace(&mut one, PageWeight::new(100, 0, 100)).is_ok());
    }

    #[test]
    fn a_batch_gathers_what_its_pages_add() {
        let meter = Meter::new(400, 10);
        let (mut one, mut other) = (PageWeight::default(), PageWeight::default());
        meter.begin();
        assert!(meter.replace(&mut one, PageWeight::new(50, 0, 50)).is_ok());
        assert!(meter.replace(&mut one, PageWeight::new(50, 0, 50)).is_ok());
        assert!(meter.replace(&mut other, PageWeight::new(1, 50, 50)).is_ok());
        assert!(meter.replace(&mut one, PageWeight::new(1, 0, 1)).is_err(), "two of 50 used up, and 50 in use");
        assert_eq!(meter.refusal(), Some(PageRefusal::Batch));
        let meter = Meter::new(400, 10);
        for _ in 0..9 {
            meter.begin();
            assert!(meter.replace(&mut one, PageWeight::new(50, 0, 100)).is_ok());
        }
    }
}
