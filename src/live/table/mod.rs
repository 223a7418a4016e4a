//! The table of open streams: which people's streams have to be read, and the values that the pages have. It never
//! blocks.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    net::IpAddr,
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::mpsc::{Receiver, UnboundedSender, channel},
    time::Instant,
};

#[cfg(test)]
mod tests;

use super::{
    ReadLimits, Reader,
    open::{Event, OpenStream},
    person::{PersonStreams, ReadFailure, ReadStart, ReadState},
};
use crate::{
    domain::{StatusId, UserId},
    store::{LiveQuery, LiveState, Network, SubscriptionRequest, networks},
};

/// Number of unread events after which a stream is dropped.
const MAX_UNREAD_EVENTS: usize = 8;

/// Why a stream cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The limit of all streams is reached, or the server stops.
    Full,
    /// The address has too many open streams.
    AddressFull,
}

/// Limits of open streams and of their reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamLimits {
    pub(super) max_streams: usize,
    pub(super) max_per_person: usize,
    /// Per IPv4 address and IPv6 /64.
    pub(super) max_per_address: usize,
    /// The shortest time between two reads for one person.
    pub(super) read_interval: Duration,
}

/// The client of a stream.
pub(super) struct Client {
    /// The network for the processor time of reads.
    pub(super) network: Network,
    /// The networks with a limited number of streams, each with the factor of its limit.
    pub(super) networks: Vec<(String, u32)>,
}

impl Client {
    pub(super) fn at(address: IpAddr) -> Self {
        Self {
            network: Network::of(address),
            networks: networks(address),
        }
    }
}

/// A read for all streams of a person, with the number of each.
pub(super) struct SharedRead {
    pub(super) reader: Reader,
    pub(super) numbers: Vec<u64>,
    pub(super) queries: Vec<LiveQuery>,
}

pub(super) struct Table {
    limits: StreamLimits,
    read_limits: Arc<ReadLimits>,
    open: HashMap<u64, OpenStream>,
    people: HashMap<UserId, PersonStreams>,
    /// Number of streams of each network.
    by_network: HashMap<String, usize>,
    /// People with streams that have to be read, in order. Some may have changed state since.
    waiting: VecDeque<UserId>,
    /// People whose next read is delayed, with its earliest time.
    delayed: BTreeSet<(Instant, UserId)>,
    failed: VecDeque<UserId>,
    /// Requests to start or stop listening, in the order in which streams open and close.
    requests: UnboundedSender<SubscriptionRequest>,
    next: u64,
    closed: bool,
}

impl Table {
    pub(super) fn new(
        limits: StreamLimits,
        read_limits: Arc<ReadLimits>,
        requests: UnboundedSender<SubscriptionRequest>,
    ) -> Self {
        Self {
            limits,
            read_limits,
            open: HashMap::new(),
            people: HashMap::new(),
            by_network: HashMap::new(),
            waiting: VecDeque::new(),
            delayed: BTreeSet::new(),
            failed: VecDeque::new(),
            requests,
            next: 0,
            closed: false,
        }
    }

    /// Opens a stream, which has to be read. Beyond the limit per person the oldest one ends.
    pub(super) fn open(
        &mut self,
        query: LiveQuery,
        client: Client,
    ) -> Result<(u64, Receiver<Event>), Refusal> {
        let person = query.person;
        if self.closed {
            return Err(Refusal::Full);
        }
        let streams_of_person = self.people.get(&person);
        let numbers = streams_of_person.map_or(&[][..], |streams| &streams.numbers);
        let oldest = numbers.first().copied();
        let oldest = oldest.filter(|_| numbers.len() >= self.limits.max_per_person);
        self.check_room(&client.networks, oldest)?;
        if let Some(oldest) = oldest {
            self.send(oldest, &[Event::Crowded]);
            self.remove(oldest);
        }
        for (network, _) in &client.networks {
            *self.by_network.entry(network.clone()).or_default() += 1;
        }
        let (events, events_receiver) = channel(MAX_UNREAD_EVENTS);
        self.next += 1;
        let number = self.next;
        let stream = OpenStream::new(query, client, events);
        self.open.insert(number, stream);
        let streams_of_person = self.people.entry(person).or_default();
        streams_of_person.numbers.push(number);
        if streams_of_person.numbers.len() == 1 {
            self.request(SubscriptionRequest::Subscribe(person));
        }
        self.request_read(person);
        self.record_count();
        Ok((number, events_receiver))
    }

    /// Checks the limits of a new stream that replaces this one.
    fn check_room(&self, networks: &[(String, u32)], replaced: Option<u64>) -> Result<(), Refusal> {
        let replaced = replaced.and_then(|number| self.open.get(&number));
        if self.open.len() - usize::from(replaced.is_some()) >= self.limits.max_streams {
            return Err(Refusal::Full);
        }
        let is_full = |network: &(String, u32)| {
            let factor = usize::try_from(network.1).unwrap_or(usize::MAX);
            let limit = self.limits.max_per_address.saturating_mul(factor);
            let freed = replaced.is_some_and(|replaced| replaced.client.networks.contains(network));
            let count = self.by_network.get(&network.0);
            count.is_some_and(|count| count - usize::from(freed) >= limit)
        };
        match networks.iter().any(is_full) {
            true => Err(Refusal::AddressFull),
            false => Ok(()),
        }
    }

    pub(super) fn mark_changed(&mut self, person: UserId) {
        self.request_read(person);
    }

    /// Lets the pages be read that show replies to this status.
    pub(super) fn mark_reply(&mut self, to: StatusId) {
        let shows_replies = |open: &OpenStream| {
            let watched = open.query.watched.as_ref();
            watched.is_some_and(|watched| watched.shows_replies_to(to))
        };
        let mut people = Vec::new();
        for open in self.open.values_mut().filter(|open| shows_replies(open)) {
            open.request_newer();
            people.push(open.query.person);
        }
        for person in people {
            self.request_read(person);
        }
    }

    /// Sends a heartbeat to the streams of one part of the people, and queues their reads. Failed reads are retried
    /// separately.
    pub(super) fn queue_part(&mut self, part: u64, parts: u64) {
        let turn = |person: &UserId| person.get() % parts == part;
        let people: Vec<UserId> = self.people.keys().copied().filter(turn).collect();
        for person in people {
            let numbers = self.people.get(&person).map(|streams| &streams.numbers);
            for number in numbers.cloned().unwrap_or_default() {
                if !self.send(number, &[Event::Heartbeat]) {
                    self.remove(number);
                }
                self.request_newer(number);
            }
            let streams = self.people.get(&person);
            if streams.is_some_and(|streams| !streams.has_failed()) {
                self.request_read(person);
            }
        }
    }

    /// Returns when the next delayed read can start.
    pub(super) fn next_delayed(&self) -> Option<Instant> {
        self.delayed.first().map(|(at, _)| *at)
    }

    /// Queues the delayed reads that are due.
    pub(super) fn queue_delayed(&mut self, now: Instant) {
        while let Some((at, person)) = self.delayed.first().copied() {
            if at > now {
                break;
            }
            self.delayed.pop_first();
            let streams = self.people.get_mut(&person);
            if streams.is_some_and(PersonStreams::queue_delayed) {
                self.waiting.push_back(person);
            }
        }
    }

    /// Starts the next waiting read. One beyond the limit of processor time is delayed.
    pub(super) fn start_next_read(&mut self) -> Option<SharedRead> {
        while let Some(person) = self.waiting.pop_front() {
            let wait = (self.read_limits.wait)(&self.reader(person));
            if !wait.is_zero() {
                self.delay_read(person, Instant::now() + wait);
                continue;
            }
            if let Some(read) = self.start_read(person, ReadState::Queued) {
                return Some(read);
            }
        }
        None
    }

    fn reader(&self, person: UserId) -> Reader {
        let streams = self.people.get(&person);
        let numbers = streams.map_or(&[][..], |streams| &streams.numbers);
        let open = numbers.iter().filter_map(|number| self.open.get(number));
        Reader {
            person,
            networks: open.map(|open| open.client.network).collect(),
        }
    }

    fn delay_read(&mut self, person: UserId, until: Instant) {
        let streams = self.people.get_mut(&person);
        if streams.is_some_and(PersonStreams::delay_read) {
            self.delayed.insert((until, person));
        }
    }

    /// Starts the next read that failed before.
    pub(super) fn start_next_retry(&mut self) -> Option<SharedRead> {
        while let Some(person) = self.failed.pop_front() {
            if let Some(read) = self.start_read(person, ReadState::Failed) {
                return Some(read);
            }
        }
        None
    }

    /// Starts the read of a person's streams if it is still in this state.
    fn start_read(&mut self, person: UserId, from: ReadState) -> Option<SharedRead> {
        let streams = self.people.get_mut(&person)?;
        if !streams.start_read(from, Instant::now()) {
            return None;
        }
        let numbers = streams.numbers.clone();
        let mut queries = Vec::with_capacity(numbers.len());
        for number in &numbers {
            queries.extend(self.open.get_mut(number).map(OpenStream::next_query));
        }
        Some(SharedRead {
            reader: self.reader(person),
            queries,
            numbers,
        })
    }

    /// Passes the states to the streams with these numbers.
    pub(super) fn deliver(&mut self, person: UserId, numbers: &[u64], states: &[LiveState]) {
        let streams = self.people.get_mut(&person);
        let is_requested = streams.is_some_and(PersonStreams::finish_read);
        for (number, state) in numbers.iter().zip(states) {
            let Some(open) = self.open.get_mut(number) else {
                continue;
            };
            let events = open.changed_events(state);
            if !self.send(*number, &events) || *state == LiveState::Ended {
                self.remove(*number);
            }
        }
        if is_requested {
            self.request_read(person);
        }
    }

    pub(super) fn fail(&mut self, person: UserId) -> ReadFailure {
        let Some(streams) = self.people.get_mut(&person) else {
            return ReadFailure::Repeated;
        };
        let (failure, is_requested) = streams.fail_read();
        for number in streams.numbers.clone() {
            self.request_newer(number);
        }
        match is_requested {
            true => self.request_read(person),
            false => self.failed.push_back(person),
        }
        failure
    }

    pub(super) fn remove(&mut self, number: u64) {
        let Some(OpenStream { query, client, .. }) = self.open.remove(&number) else {
            return;
        };
        self.record_count();
        for (network, _) in client.networks {
            if let Some(count) = self.by_network.get_mut(&network) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.by_network.remove(&network);
                }
            }
        }
        if let Some(streams) = self.people.get_mut(&query.person) {
            streams.numbers.retain(|other| *other != number);
            if streams.numbers.is_empty() {
                self.people.remove(&query.person);
                self.request(SubscriptionRequest::Unsubscribe(query.person));
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
        self.open.clear();
        self.people.clear();
        self.by_network.clear();
        self.waiting.clear();
        self.delayed.clear();
        self.failed.clear();
        self.record_count();
    }

    fn request_newer(&mut self, number: u64) {
        if let Some(open) = self.open.get_mut(&number) {
            open.request_newer();
        }
    }

    fn request_read(&mut self, person: UserId) {
        let Some(streams) = self.people.get_mut(&person) else {
            return;
        };
        match streams.request_read(self.limits.read_interval, Instant::now()) {
            ReadStart::Now => self.waiting.push_back(person),
            ReadStart::At(at) => drop(self.delayed.insert((at, person))),
            ReadStart::Requested => {}
        }
    }

    /// Sends events. Returns `false` if the client does not read.
    fn send(&self, number: u64, events: &[Event]) -> bool {
        let Some(open) = self.open.get(&number) else {
            return true;
        };
        events.iter().all(|event| open.send(*event))
    }

    fn request(&self, request: SubscriptionRequest) {
        // The receiver is gone if the server is about to stop.
        let _ = self.requests.send(request);
    }

    fn record_count(&self) {
        metrics::gauge!("redwing_live_streams").set(self.open.len() as f64);
    }
}
