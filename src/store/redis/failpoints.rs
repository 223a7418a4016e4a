//! Numbered failpoints, which stop an operation before its n-th command like a crash. Test builds only.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::store::{Error, Result};

/// A fuse that lets so many commands through.
#[derive(Debug, Clone)]
pub struct Fuse {
    left: Arc<AtomicUsize>,
    end: End,
}

/// The effect on the command after the last.
#[derive(Debug, Clone, Copy)]
enum End {
    Fails,
    Panics,
    Never,
}

impl Fuse {
    pub fn of(commands: usize) -> Self {
        Self::ending(commands, End::Fails)
    }

    /// Returns a fuse that panics at its end, like a bug in the calling code.
    pub fn panicking_after(commands: usize) -> Self {
        Self::ending(commands, End::Panics)
    }

    /// Returns a fuse without an end, which counts round trips.
    pub fn endless() -> Self {
        Self::ending(usize::MAX, End::Never)
    }

    /// Returns the number of round trips counted.
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
