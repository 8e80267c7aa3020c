//! The memory that DataFusion's operators share.
//!
//! Operators that can write to disk get fair shares, and do so when theirs is used up. That alone fails now and then,
//! depending on which thread is faster: an operator that writes its rows to disk needs memory to merge them first, and when
//! another one has filled its own share at that moment, there is none. So whoever is in the middle of something may
//! borrow: an operator that cannot write to disk, such as a merge, and one that holds nothing.
//!
//! Limit: loans end at half as much again as is shared out.

use std::fmt;
use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::memory_pool::{FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};

/// Fair shares, and loans to who cannot do without.
#[derive(Debug)]
pub struct LendingPool {
    shares: Arc<FairSpillPool>,
    bytes: usize,
}

impl LendingPool {
    /// Shares out so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { shares: Arc::new(FairSpillPool::new(bytes)), bytes }
    }

    /// The same memory without loans, for who can do without at any time.
    #[must_use]
    pub fn shares(&self) -> Arc<dyn MemoryPool> {
        Arc::clone(&self.shares) as Arc<dyn MemoryPool>
    }

    fn lends(&self, reservation: &MemoryReservation, additional: usize) -> bool {
        let is_needed = !reservation.consumer().can_spill() || reservation.size() == 0;
        is_needed && self.reserved() + additional <= self.bytes + self.bytes / 2
    }
}

impl fmt::Display for LendingPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lending({} bytes)", self.bytes)
    }
}

impl MemoryPool for LendingPool {
    fn name(&self) -> &'static str {
        "lending"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.shares.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.shares.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.shares.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.shares.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        match self.shares.try_grow(reservation, additional) {
            Err(_) if self.lends(reservation, additional) => {
                self.shares.grow(reservation, additional);
                Ok(())
            }
            outcome => outcome,
        }
    }

    fn reserved(&self) -> usize {
        self.shares.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consumer(name: &str, can_spill: bool, pool: &Arc<dyn MemoryPool>) -> MemoryReservation {
        MemoryConsumer::new(name).with_can_spill(can_spill).register(pool)
    }

    #[test]
    fn a_merge_borrows_when_others_have_filled_their_shares() {
        let lending = LendingPool::new(1600);
        let shares = lending.shares();
        let pool: Arc<dyn MemoryPool> = Arc::new(lending);
        let (one, other) = (consumer("one", true, &pool), consumer("other", true, &pool));
        assert!(one.try_grow(800).is_ok() && one.try_grow(1).is_err(), "a fair share and no more");
        other.try_grow(800).unwrap();
        let merge = consumer("merge", false, &pool);
        merge.try_grow(500).unwrap();
        assert!(merge.try_grow(301).is_err(), "loans end");
        other.free();
        assert!(other.try_grow(701).is_ok() && other.try_grow(1).is_err(), "a loan to begin with");
        assert!(consumer("keys", false, &shares).try_grow(300).is_err(), "keys get no loan");
        drop((one, other, merge));
        assert_eq!(pool.reserved(), 0);
    }
}
