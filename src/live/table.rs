//! The table of open streams: which of them have to read, and the values that their pages have. It never
//! blocks.

use std::collections::{HashMap, VecDeque};

use tokio::sync::mpsc::{Receiver, UnboundedSender, channel};

use super::open::{Event, OpenStream, ReadFailure, ReadState};
use crate::{
    domain::UserId,
    store::{LiveQuery, LiveState, SubscriptionRequest},
};

/// Number of unread events after which a stream is dropped.
const MAX_UNREAD_EVENTS: usize = 8;

/// The limit of streams is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

pub(super) struct Table {
    max_streams: usize,
    max_per_person: usize,
    open: HashMap<u64, OpenStream>,
    /// The streams of each person, oldest first.
    by_person: HashMap<UserId, Vec<u64>>,
    /// Streams that have to read or failed to, in order. Some may have changed state since.
    waiting: VecDeque<u64>,
    failed: VecDeque<u64>,
    /// Requests to start or stop listening, in the order in which streams open and close.
    requests: UnboundedSender<SubscriptionRequest>,
    next: u64,
    closed: bool,
}

impl Table {
    pub(super) fn new(
        max_streams: usize,
        max_per_person: usize,
        requests: UnboundedSender<SubscriptionRequest>,
    ) -> Self {
        Self {
            max_streams,
            max_per_person,
            open: HashMap::new(),
            by_person: HashMap::new(),
            waiting: VecDeque::new(),
            failed: VecDeque::new(),
            requests,
            next: 0,
            closed: false,
        }
    }

    /// Opens a stream, which has to read. Beyond the limit per person the oldest one ends.
    pub(super) fn open(&mut self, query: LiveQuery) -> Result<(u64, Receiver<Event>), Full> {
        let person = query.person;
        if self.closed {
            return Err(Full);
        }
        let streams_of_person = self.by_person.get(&person).map_or(&[][..], Vec::as_slice);
        let oldest = streams_of_person.first().copied();
        if let Some(oldest) = oldest.filter(|_| streams_of_person.len() >= self.max_per_person) {
            self.send(oldest, &[Event::Crowded]);
            self.remove(oldest);
        }
        if self.open.len() >= self.max_streams {
            return Err(Full);
        }
        let (events, events_receiver) = channel(MAX_UNREAD_EVENTS);
        self.next += 1;
        let number = self.next;
        self.open.insert(number, OpenStream::new(query, events));
        let streams_of_person = self.by_person.entry(person).or_default();
        streams_of_person.push(number);
        if streams_of_person.len() == 1 {
            self.request(SubscriptionRequest::Subscribe(person));
        }
        self.queue_read(number);
        self.record_count();
        Ok((number, events_receiver))
    }

    pub(super) fn mark_changed(&mut self, person: UserId) {
        for number in self.by_person.get(&person).cloned().unwrap_or_default() {
            self.queue_read(number);
        }
    }

    /// Gives one part of the streams their turn to read and to send a heartbeat. Streams with a
    /// failed read have turns of their own.
    pub(super) fn queue_part(&mut self, part: u64, parts: u64) {
        let turn = |number: &u64| number % parts == part;
        let numbers: Vec<u64> = self.open.keys().copied().filter(turn).collect();
        for number in numbers {
            if self.send(number, &[Event::Heartbeat]) {
                if !self.open.get(&number).is_some_and(OpenStream::has_failed) {
                    self.queue_read(number);
                }
            } else {
                self.remove(number);
            }
        }
    }

    /// Returns a waiting stream, which starts to read, with its query.
    pub(super) fn start_next_read(&mut self) -> Option<(u64, LiveQuery)> {
        start_first(&mut self.waiting, &mut self.open, ReadState::Queued)
    }

    /// Returns a stream with a failed read, which starts to read again.
    pub(super) fn start_next_retry(&mut self) -> Option<(u64, LiveQuery)> {
        start_first(&mut self.failed, &mut self.open, ReadState::Failed)
    }

    pub(super) fn deliver(&mut self, number: u64, state: &LiveState) {
        let Some(open) = self.open.get_mut(&number) else {
            return;
        };
        let is_requested = open.finish_read();
        let events = open.changed_events(state);
        if !self.send(number, &events) || *state == LiveState::Ended {
            self.remove(number);
        } else if is_requested {
            self.queue_read(number);
        }
    }

    pub(super) fn fail(&mut self, number: u64) -> ReadFailure {
        let Some(open) = self.open.get_mut(&number) else {
            return ReadFailure::Repeated;
        };
        let (failure, is_requested) = open.fail_read();
        match is_requested {
            true => self.queue_read(number),
            false => self.failed.push_back(number),
        }
        failure
    }

    pub(super) fn remove(&mut self, number: u64) {
        let Some(OpenStream { query, .. }) = self.open.remove(&number) else {
            return;
        };
        self.record_count();
        if let Some(streams_of_person) = self.by_person.get_mut(&query.person) {
            streams_of_person.retain(|other| *other != number);
            if streams_of_person.is_empty() {
                self.by_person.remove(&query.person);
                self.request(SubscriptionRequest::Unsubscribe(query.person));
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
        self.open.clear();
        self.by_person.clear();
        self.waiting.clear();
        self.failed.clear();
        self.record_count();
    }

    fn queue_read(&mut self, number: u64) {
        if self
            .open
            .get_mut(&number)
            .is_some_and(OpenStream::request_read)
        {
            self.waiting.push_back(number);
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

/// Starts the read of the first stream that is still in this state.
fn start_first(
    numbers: &mut VecDeque<u64>,
    open: &mut HashMap<u64, OpenStream>,
    state: ReadState,
) -> Option<(u64, LiveQuery)> {
    while let Some(number) = numbers.pop_front() {
        let open = open.get_mut(&number);
        if let Some(query) = open.and_then(|open| open.start_read(state)) {
            return Some((number, query));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError, unbounded_channel};

    use super::super::table::*;
    use crate::store::Counts;

    fn table() -> (Table, UnboundedReceiver<SubscriptionRequest>) {
        let (requests, receiver) = unbounded_channel();
        (Table::new(9, 9, requests), receiver)
    }

    fn person(number: u64) -> UserId {
        UserId::new(number).unwrap()
    }

    fn query(number: u64) -> LiveQuery {
        LiveQuery {
            person: person(number),
            session: "s".to_owned(),
            epoch: "e".to_owned(),
            since: None,
            chat: None,
        }
    }

    fn seen(posts: u64) -> LiveState {
        let counts = Counts {
            posts,
            followers: 0,
            following: 0,
        };
        LiveState::Seen {
            counts,
            unread: 0,
            unread_chats: 0,
            chat_version: None,
            arrivals: None,
        }
    }

    #[test]
    fn a_page_receives_only_changed_counts() {
        let (mut table, _) = table();
        let (number, mut events_receiver) = table.open(query(1)).unwrap();
        for posts in [1, 1, 2] {
            table.deliver(number, &seen(posts));
        }
        let events = std::iter::from_fn(|| events_receiver.try_recv().ok());
        let counts = events.filter_map(|event| match event {
            Event::Counts(counts) => Some(counts.posts),
            _ => None,
        });
        assert_eq!(counts.collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn an_unread_stream_is_dropped() {
        let (mut table, _) = table();
        let (number, mut events_receiver) = table.open(query(1)).unwrap();
        for posts in 0..=MAX_UNREAD_EVENTS as u64 {
            table.deliver(number, &seen(posts));
        }
        let waiting = std::iter::from_fn(|| events_receiver.try_recv().ok()).count();
        assert_eq!(waiting, MAX_UNREAD_EVENTS);
        assert_eq!(events_receiver.try_recv(), Err(TryRecvError::Disconnected));
    }

    #[test]
    fn a_user_is_subscribed_from_the_first_stream_to_the_last() {
        let (mut table, mut receiver) = table();
        let (first, _events) = table.open(query(1)).unwrap();
        let (second, _events) = table.open(query(1)).unwrap();
        table.remove(first);
        table.remove(second);
        table.remove(second);
        let mut next = || receiver.try_recv().ok();
        assert_eq!(next(), Some(SubscriptionRequest::Subscribe(person(1))));
        assert_eq!(next(), Some(SubscriptionRequest::Unsubscribe(person(1))));
        assert_eq!(next(), None);
    }

    #[test]
    fn only_notified_or_due_streams_are_read() {
        let (mut table, _) = table();
        let (one, _events) = table.open(query(1)).unwrap();
        let (two, _events) = table.open(query(2)).unwrap();
        let new = read_all(&mut table);
        assert_eq!(new, [one, two], "a new stream reads immediately");
        assert!(read_all(&mut table).is_empty());
        table.mark_changed(person(2));
        assert_eq!(read_all(&mut table), [two]);
        table.queue_part(one % 5, 5);
        assert_eq!(read_all(&mut table), [one]);
    }

    #[test]
    fn a_stream_is_read_once_at_a_time_and_again_after_a_notification() {
        let (mut table, _) = table();
        let (number, _events) = table.open(query(1)).unwrap();
        assert_eq!(next_read(&mut table), Some(number));
        table.mark_changed(person(1));
        table.mark_changed(person(1));
        assert_eq!(next_read(&mut table), None, "it already reads");
        table.deliver(number, &seen(1));
        assert_eq!(next_read(&mut table), Some(number));
        table.deliver(number, &seen(1));
        assert_eq!(next_read(&mut table), None);
    }

    #[test]
    fn a_failed_stream_is_retried_in_turn_or_after_a_notification() {
        let (mut table, _) = table();
        let (number, _events) = table.open(query(1)).unwrap();
        assert_eq!(next_read(&mut table), Some(number));
        assert_eq!(table.fail(number), ReadFailure::First);
        table.queue_part(number % 5, 5);
        let queued = next_read(&mut table);
        assert_eq!(queued, None, "it is not queued with the others");
        let retried = table.start_next_retry().map(|(number, _)| number);
        assert_eq!(retried, Some(number));
        assert_eq!(table.fail(number), ReadFailure::Repeated);
        table.mark_changed(person(1));
        assert_eq!(next_read(&mut table), Some(number));
        assert!(table.start_next_retry().is_none());
        table.deliver(number, &seen(1));
        assert_eq!(next_read(&mut table), None);
    }

    fn next_read(table: &mut Table) -> Option<u64> {
        table.start_next_read().map(|(number, _)| number)
    }

    /// All waiting streams read the same state.
    fn read_all(table: &mut Table) -> Vec<u64> {
        let numbers: Vec<u64> = std::iter::from_fn(|| next_read(table)).collect();
        for number in &numbers {
            table.deliver(*number, &seen(1));
        }
        numbers
    }
}
