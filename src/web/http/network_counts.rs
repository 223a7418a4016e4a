//! What the clients of each network use at the moment, such as connections, with one limit for each network. So no
//! address can use up what all clients share.

use std::collections::HashMap;

use parking_lot::Mutex;

pub(super) struct NetworkCounts {
    most: usize,
    used: Mutex<HashMap<String, usize>>,
}

impl NetworkCounts {
    /// Allows each network to use this many.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            used: Mutex::default(),
        }
    }

    /// Adds to what a network uses, unless it would be too much. Returns whether it was added.
    pub(super) fn add(&self, network: &str, count: usize) -> bool {
        let mut all = self.used.lock();
        let used = all.get(network).copied().unwrap_or(0);
        let has_room = used + count <= self.most;
        if has_room {
            all.insert(network.to_owned(), used + count);
        }
        has_room
    }

    /// Takes back what was added.
    pub(super) fn remove(&self, network: &str, count: usize) {
        let mut all = self.used.lock();
        if let Some(used) = all.get_mut(network) {
            *used = used.saturating_sub(count);
            if *used == 0 {
                all.remove(network);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.used.lock().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::network_counts::*;

    #[test]
    fn each_network_has_its_own_limit_and_none_is_counted_for_ever() {
        let counts = NetworkCounts::new(3);
        assert!(counts.add("192.0.2.1", 2) && counts.add("192.0.2.2", 3));
        assert!(!counts.add("192.0.2.1", 2));
        assert!(counts.add("192.0.2.1", 1));
        counts.remove("192.0.2.1", 3);
        counts.remove("192.0.2.2", 3);
        assert!(counts.is_empty());
    }
}
