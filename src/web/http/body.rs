//! The memory of form bodies: a limit over all connections. Further bodies are rejected at once, so
//! that slow forms cannot fill the memory.

use std::{ops::Deref, sync::Arc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The memory for all bodies, in bytes. Clones share it.
#[derive(Clone)]
pub struct Bodies(Arc<Semaphore>);

/// The memory limit is reached.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// The bytes of one body. Its memory is released on drop.
pub struct Body {
    bytes: Vec<u8>,
    most: usize,
    held: Option<OwnedSemaphorePermit>,
    of: Bodies,
}

impl Bodies {
    /// Allows this many bytes, over all threads.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))))
    }

    /// Creates an empty body of at most `most` bytes.
    pub(super) fn begin(&self, most: usize) -> Body {
        Body {
            bytes: Vec::new(),
            most,
            held: None,
            of: self.clone(),
        }
    }

    fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Full> {
        let bytes = u32::try_from(bytes).map_err(|_| Full)?;
        let room = Arc::clone(&self.0).try_acquire_many_owned(bytes);
        room.map_err(|_| Full)
    }
}

impl Body {
    /// Appends a chunk, which must not exceed the declared maximum. Counts the allocated memory,
    /// which grows by doubling.
    pub fn add(&mut self, chunk: &[u8]) -> Result<(), Full> {
        let length = self.bytes.len() + chunk.len();
        if length > self.bytes.capacity() {
            let doubled = (2 * self.bytes.capacity()).min(self.most);
            self.grow(length.max(doubled))?;
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    fn grow(&mut self, capacity: usize) -> Result<(), Full> {
        let more = self.of.take(capacity - self.bytes.capacity())?;
        match &mut self.held {
            Some(held) => held.merge(more),
            None => self.held = Some(more),
        }
        self.bytes.reserve_exact(capacity - self.bytes.len());
        Ok(())
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::*;

    #[test]
    fn bodies_share_a_memory_limit_and_release_it() {
        let bodies = Bodies::new(10);
        let (mut first, mut second) = (bodies.begin(8), bodies.begin(8));
        assert_eq!(first.add(b"123456"), Ok(()));
        assert_eq!(second.add(b"12345"), Err(Full));
        assert_eq!(second.add(b"1234"), Ok(()));
        assert_eq!(first.add(b"7"), Err(Full));
        drop(second);
        assert_eq!(first.add(b"78"), Ok(()));
        assert_eq!(&*first, b"12345678");
        drop(first);
        assert_eq!(bodies.begin(10).add(b"1234567890"), Ok(()));
    }

    #[test]
    fn a_body_is_counted_by_its_allocated_memory() {
        let bodies = Bodies::new(100);
        let mut body = bodies.begin(64);
        for _ in 0..40 {
            body.add(b"x").expect("there is room");
        }
        assert_eq!(body.bytes.capacity(), 64);
        assert_eq!(bodies.0.available_permits(), 36);
    }
}
