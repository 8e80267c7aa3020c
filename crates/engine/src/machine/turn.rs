//! One at a time: the others wait their turn, and can be stopped while they do.
//!
//! A lock cannot be left before it is had. Whoever waits here says so again and again, so that whoever hears it may stop them.
//! No thread of a pool may wait here: the one that works would wait for it.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::sleep;
use std::time::Duration;

/// How often whoever waits says so.
const TICK: Duration = Duration::from_millis(10);

/// Waits for a turn, which ends when what is returned goes; `waits` is called until it comes.
pub(crate) fn turn(turns: &Mutex<()>, mut waits: impl FnMut()) -> MutexGuard<'_, ()> {
    loop {
        match turns.try_lock() {
            Ok(turn) => return turn,
            // Whoever had it was stopped, and left nothing half done.
            Err(TryLockError::Poisoned(turn)) => return turn.into_inner(),
            Err(TryLockError::WouldBlock) => {
                waits();
                sleep(TICK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::progress::{stop, until_stopped};

    #[test]
    fn one_works_and_whoever_waits_can_be_stopped() {
        let (turns, at_work, done) = (Mutex::new(()), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _turn = turn(&turns, || ());
                    assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0);
                    std::thread::yield_now();
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    done.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(done.into_inner(), 8);
        let held = turn(&turns, || ());
        assert!(until_stopped(|| drop(turn(&turns, || stop()))).is_none());
        drop(held);
        // A turn that was stopped in the middle is over.
        let stopped: Option<()> = until_stopped(|| {
            let _turn = turn(&turns, || ());
            stop()
        });
        assert!(stopped.is_none());
        drop(turn(&turns, || unreachable!("nobody has it")));
    }
}
