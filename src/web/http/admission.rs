//! The limit of concurrent requests, of all clients and of each network. Requests beyond it are rejected at once,
//! instead of queueing. A rejected form returns with its text.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::network_counts::{LEAST, NetworkCounts};
use crate::store::Network;

/// The places of concurrent requests. Clones share them.
#[derive(Clone)]
pub struct Admission(Arc<AllPlaces>);

struct AllPlaces {
    places: Arc<Semaphore>,
    log_ins: NetworkCounts,
    others: NetworkCounts,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The pages and forms to log in. Nothing else limits them before the log-in.
    LogIn,
    Other,
}

/// Marks a request without a place: it must not use Redis.
pub(super) struct TurnedAway;

/// Who takes a place.
#[derive(Debug, Clone, Copy)]
struct Client {
    network: Network,
    purpose: Purpose,
}

/// A place among the concurrent requests. It is released on drop.
struct Place {
    _place: OwnedSemaphorePermit,
    client: Client,
    all: Arc<AllPlaces>,
}

impl Admission {
    /// Allows this many concurrent requests, over all threads. The log-ins of a network take at most half of the places
    /// in which log-ins wait for their password hashes, so that they do not keep others out.
    pub fn new(requests: usize, waiting_hashes: usize) -> Self {
        Self(Arc::new(AllPlaces {
            places: Arc::new(Semaphore::new(requests.min(Semaphore::MAX_PERMITS))),
            log_ins: NetworkCounts::new((waiting_hashes / 2).max(LEAST)),
            others: NetworkCounts::eighth_of(requests),
        }))
    }

    /// Takes a place for a client of this network, if one is free now and the network has not used its share for this
    /// purpose.
    pub(super) fn take(&self, network: Network, purpose: Purpose) -> Option<HeldPlace> {
        let client = Client { network, purpose };
        let place = self.take_place(client)?;
        Some(HeldPlace {
            admission: self.clone(),
            client,
            place: Rc::new(RefCell::new(Some(place))),
        })
    }

    fn take_place(&self, client: Client) -> Option<Place> {
        let place = Arc::clone(&self.0.places).try_acquire_owned().ok()?;
        let is_free = self.0.of_each_network(client).add(client.network, 1);
        is_free.then(|| Place {
            _place: place,
            client,
            all: Arc::clone(&self.0),
        })
    }
}

impl AllPlaces {
    fn of_each_network(&self, client: Client) -> &NetworkCounts {
        match client.purpose {
            Purpose::LogIn => &self.log_ins,
            Purpose::Other => &self.others,
        }
    }
}

/// The place of a request. A request that waits for its turn among those of the same person holds none. Clones share the
/// place.
#[derive(Clone)]
pub(super) struct HeldPlace {
    admission: Admission,
    client: Client,
    place: Rc<RefCell<Option<Place>>>,
}

impl HeldPlace {
    /// Returns the network of the client.
    pub(super) fn network(&self) -> Network {
        self.client.network
    }

    #[cfg(test)]
    pub(super) fn is_taken(&self) -> bool {
        self.place.borrow().is_some()
    }

    pub(super) fn release(&self) {
        self.place.take();
    }

    /// Takes a place again. Returns whether one was free.
    pub(super) fn take_again(&self) -> bool {
        let place = self.admission.take_place(self.client);
        let is_free = place.is_some();
        self.place.replace(place);
        is_free
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let counts = self.all.of_each_network(self.client);
        counts.remove(self.client.network, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::admission::*;

    fn network(number: u8) -> Network {
        Network::of([192, 0, 2, number].into())
    }

    fn take(admission: &Admission, number: u8) -> Option<HeldPlace> {
        admission.take(network(number), Purpose::Other)
    }

    #[test]
    fn a_response_frees_its_admission_slot() {
        let admission = Admission::new(1, 64);
        let first = take(&admission, 1);
        assert!(first.is_some() && take(&admission, 1).is_none());
        drop(first);
        assert!(take(&admission, 1).is_some());
    }

    #[test]
    fn one_network_takes_a_part_of_the_places_and_others_have_the_rest() {
        let admission = Admission::new(160, 64);
        let mut places: Vec<_> = (0..20).map(|_| take(&admission, 1)).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(take(&admission, 1).is_none());
        let log_in = admission.take(network(1), Purpose::LogIn);
        assert!(log_in.is_some(), "pages do not use the places of log-ins");
        drop(log_in);
        let others: Vec<_> = (2..9)
            .flat_map(|network| [network; 20])
            .map(|network| take(&admission, network))
            .collect();
        assert!(others.iter().all(Option::is_some));
        assert!(take(&admission, 9).is_none(), "all are taken");
        places.pop();
        assert!(take(&admission, 1).is_some());
        drop((places, others));
        let waiting = take(&admission, 1).expect("one is free");
        waiting.release();
        assert!(admission.0.others.is_empty(), "none is counted for ever");
        assert!(waiting.take_again());
        assert!(!admission.0.others.is_empty());
    }
}
