//! Numbered failpoints: an operation is cut off before its n-th command, as by a crash. In test
//! builds only.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::store::{Error, Result, Store};

/// Lets so many commands through, then none any more.
#[derive(Debug, Clone)]
pub struct Fuse {
    left: Arc<AtomicUsize>,
    end: End,
}

/// What becomes of the command after the last.
#[derive(Debug, Clone, Copy)]
enum End {
    Fails,
    Panics,
    Never,
}

impl Fuse {
    #[must_use]
    pub fn of(commands: usize) -> Self {
        Self::ending(commands, End::Fails)
    }

    /// One whose end is a panic, as of a fault in the code that calls.
    #[must_use]
    pub fn panicking_after(commands: usize) -> Self {
        Self::ending(commands, End::Panics)
    }

    /// One without an end, which counts trips.
    #[must_use]
    pub fn endless() -> Self {
        Self::ending(usize::MAX, End::Never)
    }

    /// How many trips one without an end has seen.
    #[must_use]
    pub fn trips(&self) -> usize {
        usize::MAX - self.left.load(Ordering::SeqCst)
    }

    pub(in crate::store) fn ends(&self) -> bool {
        !matches!(self.end, End::Never)
    }

    fn ending(commands: usize, end: End) -> Self {
        Self {
            left: Arc::new(AtomicUsize::new(commands)),
            end,
        }
    }

    pub(super) fn burn(&self, commands: usize) -> Result<()> {
        let spend = |left: usize| left.checked_sub(commands);
        let burnt = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, spend);
        match (burnt, self.end) {
            (Ok(_), _) => Ok(()),
            (Err(_), End::Fails | End::Never) => {
                self.left.store(0, Ordering::SeqCst);
                Err(Error::Failpoint)
            }
            (Err(_), End::Panics) => panic!("a failpoint, as a fault would"),
        }
    }
}

impl Store {
    /// As if Redis' clock had been set by so many ms since this process last looked at it.
    pub fn set_redis_clock(&self, by_ms: i64) {
        self.clock.misjudge(by_ms);
    }

    /// The same store, whose operations die before the command after the fuse's last.
    #[must_use]
    pub fn with_fuse(&self, fuse: Fuse) -> Self {
        Self {
            connection: self.connection.with_fuse(fuse),
            ..self.clone()
        }
    }
}
