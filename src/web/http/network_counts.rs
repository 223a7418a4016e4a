//! What the clients of each network use at the moment, such as connections, with one limit for each network. So no
//! address can use up what all clients share.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::store::Network;

/// One network has at most this part of what all clients share.
const PART: usize = 8;
/// The least that a network has, for a site with small limits behind one proxy.
pub(super) const LEAST: usize = 16;

pub(super) struct NetworkCounts {
    most: usize,
    used: Mutex<HashMap<Network, usize>>,
}

impl NetworkCounts {
    /// Allows each network to use this many.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            used: Mutex::default(),
        }
    }

    /// Allows each network an eighth of all, but at least 16.
    pub(super) fn eighth_of(all: usize) -> Self {
        Self::new((all / PART).max(LEAST))
    }

    /// Adds to what a network uses, unless it would be too much. Returns whether it was added.
    pub(super) fn add(&self, network: Network, count: usize) -> bool {
        let mut all = self.used.lock();
        let used = all.get(&network).copied().unwrap_or(0);
        let has_room = used + count <= self.most;
        if has_room {
            all.insert(network, used + count);
        }
        has_room
    }

    /// Takes back what was added.
    pub(super) fn remove(&self, network: Network, count: usize) {
        let mut all = self.used.lock();
        if let Some(used) = all.get_mut(&network) {
            *used = used.saturating_sub(count);
            if *used == 0 {
                all.remove(&network);
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
        let [one, other] = ["192.0.2.1", "2001:db8::1"].map(|it| Network::of(it.parse().unwrap()));
        assert!(counts.add(one, 2) && counts.add(other, 3));
        assert!(!counts.add(one, 2));
        assert!(counts.add(one, 1));
        counts.remove(one, 3);
        counts.remove(other, 3);
        assert!(counts.is_empty());
    }
}
