//! The memory of form bodies: a limit over all connections, and one for each network. Further bodies are rejected at
//! once, so that slow forms cannot fill the memory.

use std::{ops::Deref, sync::Arc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::network_counts::NetworkCounts;
use crate::store::Network;

/// The bodies of one network take at most this part of the memory.
const PART_OF_NETWORK: usize = 4;
/// Bytes that each network has at least, if the memory for all is small. Several long forms fit.
const LEAST_OF_NETWORK: usize = 1 << 20;

/// The memory for all bodies, in bytes. Clones share it.
#[derive(Clone)]
pub struct Bodies(Arc<AllBodies>);

struct AllBodies {
    room: Arc<Semaphore>,
    of_networks: NetworkCounts,
}

/// The memory limit is reached.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// The bytes of one body. Its memory is released on drop.
pub struct Body {
    bytes: Vec<u8>,
    most: usize,
    held: Option<OwnedSemaphorePermit>,
    network: Network,
    of: Bodies,
}

impl Bodies {
    /// Allows this many bytes, over all threads.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(AllBodies {
            room: Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))),
            of_networks: NetworkCounts::new((bytes / PART_OF_NETWORK).max(LEAST_OF_NETWORK)),
        }))
    }

    /// Creates an empty body of at most `most` bytes, from a client of this network.
    pub(super) fn begin(&self, network: Network, most: usize) -> Body {
        Body {
            bytes: Vec::new(),
            most,
            held: None,
            network,
            of: self.clone(),
        }
    }

    fn take(&self, network: Network, bytes: usize) -> Result<OwnedSemaphorePermit, Full> {
        let count = u32::try_from(bytes).map_err(|_| Full)?;
        let room = Arc::clone(&self.0.room).try_acquire_many_owned(count);
        let room = room.map_err(|_| Full)?;
        match self.0.of_networks.add(network, bytes) {
            true => Ok(room),
            false => Err(Full),
        }
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
        let more = capacity - self.bytes.capacity();
        let more = self.of.take(self.network, more)?;
        match &mut self.held {
            Some(held) => held.merge(more),
            None => self.held = Some(more),
        }
        self.bytes.reserve_exact(capacity - self.bytes.len());
        Ok(())
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let held = self
            .held
            .as_ref()
            .map_or(0, OwnedSemaphorePermit::num_permits);
        self.of.0.of_networks.remove(self.network, held);
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

    fn network(number: u8) -> Network {
        Network::of([192, 0, 2, number].into())
    }

    #[test]
    fn bodies_share_a_memory_limit_and_release_it() {
        let bodies = Bodies::new(10);
        let begin = |number, most| bodies.begin(network(number), most);
        let (mut first, mut second) = (begin(1, 8), begin(2, 8));
        assert_eq!(first.add(b"123456"), Ok(()));
        assert_eq!(second.add(b"12345"), Err(Full));
        assert_eq!(second.add(b"1234"), Ok(()));
        assert_eq!(first.add(b"7"), Err(Full));
        drop(second);
        assert_eq!(first.add(b"78"), Ok(()));
        assert_eq!(&*first, b"12345678");
        drop(first);
        assert_eq!(begin(1, 10).add(b"1234567890"), Ok(()));
    }

    #[test]
    fn a_network_takes_a_part_of_the_memory() {
        let bodies = Bodies::new(8 * LEAST_OF_NETWORK);
        let begin = |number| bodies.begin(network(number), LEAST_OF_NETWORK);
        let chunk = vec![b'x'; LEAST_OF_NETWORK];
        let (mut first, mut second) = (begin(1), begin(1));
        assert_eq!((first.add(&chunk), second.add(&chunk)), (Ok(()), Ok(())));
        assert_eq!(begin(1).add(b"x"), Err(Full));
        assert_eq!(begin(2).add(&chunk), Ok(()));
        drop(first);
        assert_eq!(begin(1).add(b"x"), Ok(()));
    }

    #[test]
    fn a_body_is_counted_by_its_allocated_memory() {
        let bodies = Bodies::new(100);
        let mut body = bodies.begin(network(1), 64);
        for _ in 0..40 {
            body.add(b"x").expect("there is room");
        }
        assert_eq!(body.bytes.capacity(), 64);
        assert_eq!(bodies.0.room.available_permits(), 36);
    }
}
