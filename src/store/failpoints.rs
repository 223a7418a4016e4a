//! Numbered failpoints: an operation is cut off before its n-th command, as by a crash. In test
//! builds only.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::{Error, Result, Store};

/// Lets so many commands through, then none any more.
#[derive(Debug, Clone)]
pub struct Fuse(Arc<AtomicUsize>);

impl Fuse {
    #[must_use]
    pub fn of(commands: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(commands)))
    }

    pub(super) fn burn(&self, commands: usize) -> Result<()> {
        let spend = |left: usize| left.checked_sub(commands);
        match self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, spend)
        {
            Ok(_) => Ok(()),
            Err(_) => {
                self.0.store(0, Ordering::SeqCst);
                Err(Error::Failpoint)
            }
        }
    }
}

impl Store {
    /// The same store, whose operations die before the command after the fuse's last.
    #[must_use]
    pub fn with_fuse(&self, fuse: Fuse) -> Self {
        Self {
            connection: self.connection.with_fuse(fuse),
            ..self.clone()
        }
    }
}
