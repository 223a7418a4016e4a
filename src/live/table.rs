//! The table of open streams: which of them have to read, and the values that their pages have. It never
//! blocks.

use std::collections::{HashMap, VecDeque};

use tokio::sync::mpsc::{Receiver, UnboundedSender, channel};

use super::open::{Event, Failing, Look, Open};
use crate::{
    domain::UserId,
    store::{LiveQuery, LiveState, Wish},
};

/// Number of unread events after which a stream is dropped.
const EVENTS_WAITING: usize = 8;

/// The limit of streams is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

pub(super) struct Table {
    most: usize,
    most_each: usize,
    open: HashMap<u64, Open>,
    /// The streams of each person, oldest first.
    of: HashMap<UserId, Vec<u64>>,
    /// Streams that have to read, and streams with a failed read, in order. Some may have changed state
    /// since.
    waiting: VecDeque<u64>,
    failed: VecDeque<u64>,
    /// Requests to start or stop listening, in the order in which streams open and close.
    wishes: UnboundedSender<Wish>,
    next: u64,
    closed: bool,
}

impl Table {
    pub(super) fn new(most: usize, most_each: usize, wishes: UnboundedSender<Wish>) -> Self {
        Self {
            most,
            most_each,
            open: HashMap::new(),
            of: HashMap::new(),
            waiting: VecDeque::new(),
            failed: VecDeque::new(),
            wishes,
            next: 0,
            closed: false,
        }
    }

    /// Opens a stream, which has to read, and returns its number and events. Beyond the limit per person
    /// the oldest one ends.
    pub(super) fn open(&mut self, glance: LiveQuery) -> Result<(u64, Receiver<Event>), Full> {
        let person = glance.person;
        if self.closed {
            return Err(Full);
        }
        let theirs = self.of.get(&person).map_or(&[][..], Vec::as_slice);
        let oldest = theirs.first().copied();
        if let Some(oldest) = oldest.filter(|_| theirs.len() >= self.most_each) {
            self.say(oldest, &[Event::Crowded]);
            self.remove(oldest);
        }
        if self.open.len() >= self.most {
            return Err(Full);
        }
        let (events, heard) = channel(EVENTS_WAITING);
        self.next += 1;
        let number = self.next;
        self.open.insert(number, Open::new(glance, events));
        let theirs = self.of.entry(person).or_default();
        theirs.push(number);
        if theirs.len() == 1 {
            self.wish(Wish::Hear(person));
        }
        self.want(number);
        self.note();
        Ok((number, heard))
    }

    /// Records a possible change for a person.
    pub(super) fn mark(&mut self, person: UserId) {
        for number in self.of.get(&person).cloned().unwrap_or_default() {
            self.want(number);
        }
    }

    /// Gives one part of the streams their turn to read and to send a sign of life. Streams with a
    /// failed read have turns of their own.
    pub(super) fn beat(&mut self, part: u64, parts: u64) {
        let turn = |number: &u64| number % parts == part;
        let numbers: Vec<u64> = self.open.keys().copied().filter(turn).collect();
        for number in numbers {
            if self.say(number, &[Event::Beat]) {
                if !self.open.get(&number).is_some_and(Open::has_failed) {
                    self.want(number);
                }
            } else {
                self.remove(number);
            }
        }
    }

    /// Returns a waiting stream, which starts to read, with its query.
    pub(super) fn take(&mut self) -> Option<(u64, LiveQuery)> {
        while let Some(number) = self.waiting.pop_front() {
            let open = self.open.get_mut(&number);
            if let Some(glance) = open.and_then(|open| open.begin(Look::Waits)) {
                return Some((number, glance));
            }
        }
        None
    }

    /// Returns a stream with a failed read, which starts to read again.
    pub(super) fn take_failed(&mut self) -> Option<(u64, LiveQuery)> {
        while let Some(number) = self.failed.pop_front() {
            let open = self.open.get_mut(&number);
            if let Some(glance) = open.and_then(|open| open.begin(Look::Failed)) {
                return Some((number, glance));
            }
        }
        None
    }

    /// Passes the result of a read to its stream.
    pub(super) fn tell(&mut self, number: u64, live_state_of: &LiveState) {
        let Some(open) = self.open.get_mut(&number) else {
            return;
        };
        let wants = open.see();
        let events = open.news(live_state_of);
        if !self.say(number, &events) || *live_state_of == LiveState::Ended {
            self.remove(number);
        } else if wants {
            self.want(number);
        }
    }

    /// Records the failed read of a stream.
    pub(super) fn fail(&mut self, number: u64) -> Failing {
        let Some(open) = self.open.get_mut(&number) else {
            return Failing::Still;
        };
        let (failing, wants) = open.fail();
        match wants {
            true => self.want(number),
            false => self.failed.push_back(number),
        }
        failing
    }

    /// Removes a stream.
    pub(super) fn remove(&mut self, number: u64) {
        let Some(Open { glance, .. }) = self.open.remove(&number) else {
            return;
        };
        self.note();
        if let Some(theirs) = self.of.get_mut(&glance.person) {
            theirs.retain(|other| *other != number);
            if theirs.is_empty() {
                self.of.remove(&glance.person);
                self.wish(Wish::Leave(glance.person));
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
        self.open.clear();
        self.of.clear();
        self.waiting.clear();
        self.failed.clear();
        self.note();
    }

    fn want(&mut self, number: u64) {
        if self.open.get_mut(&number).is_some_and(Open::want) {
            self.waiting.push_back(number);
        }
    }

    /// Sends events. Returns `false` if the client does not read.
    fn say(&self, number: u64, events: &[Event]) -> bool {
        let Some(open) = self.open.get(&number) else {
            return true;
        };
        events.iter().all(|event| open.say(*event))
    }

    fn wish(&self, wish: Wish) {
        // The receiver is gone if the server is about to stop.
        let _ = self.wishes.send(wish);
    }

    fn note(&self) {
        metrics::gauge!("redwing_live_streams").set(self.open.len() as f64);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError, unbounded_channel};

    use super::super::table::*;
    use crate::store::Counts;

    fn table(most: usize, most_each: usize) -> (Table, UnboundedReceiver<Wish>) {
        let (wishes, wished) = unbounded_channel();
        (Table::new(most, most_each, wishes), wished)
    }

    fn glance(person: u64) -> LiveQuery {
        LiveQuery {
            person: UserId::new(person).unwrap(),
            session: "s".to_owned(),
            epoch: "e".to_owned(),
            since: None,
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
            arrivals: None,
        }
    }

    #[test]
    fn a_page_receives_only_changed_counts() {
        let (mut table, _) = table(9, 9);
        let (number, mut heard) = table.open(glance(1)).unwrap();
        for posts in [1, 1, 2] {
            table.tell(number, &seen(posts));
        }
        let mut told = Vec::new();
        while let Ok(event) = heard.try_recv() {
            if let Event::Counts(counts) = event {
                told.push(counts.posts);
            }
        }
        assert_eq!(told, [1, 2]);
    }

    #[test]
    fn an_unread_stream_is_dropped() {
        let (mut table, _) = table(9, 9);
        let (number, mut heard) = table.open(glance(1)).unwrap();
        for posts in 0..=EVENTS_WAITING as u64 {
            table.tell(number, &seen(posts));
        }
        let waiting = std::iter::from_fn(|| heard.try_recv().ok()).count();
        assert_eq!(waiting, EVENTS_WAITING);
        assert_eq!(heard.try_recv(), Err(TryRecvError::Disconnected));
    }

    #[test]
    fn a_user_is_subscribed_from_the_first_stream_to_the_last() {
        let (mut table, mut wished) = table(9, 9);
        let (first, _events) = table.open(glance(1)).unwrap();
        let (second, _events) = table.open(glance(1)).unwrap();
        table.remove(first);
        table.remove(second);
        table.remove(second);
        let person = UserId::new(1).unwrap();
        let wishes: Vec<Wish> = std::iter::from_fn(|| wished.try_recv().ok()).collect();
        assert_eq!(wishes, [Wish::Hear(person), Wish::Leave(person)]);
    }

    #[test]
    fn only_notified_or_due_streams_are_read() {
        let (mut table, _) = table(9, 9);
        let (one, _events) = table.open(glance(1)).unwrap();
        let (two, _events) = table.open(glance(2)).unwrap();
        assert_eq!(looks(&mut table), [one, two], "a new one looks at once");
        assert!(looks(&mut table).is_empty());
        table.mark(UserId::new(2).unwrap());
        assert_eq!(looks(&mut table), [two]);
        table.beat(one % 5, 5);
        assert_eq!(looks(&mut table), [one]);
    }

    #[test]
    fn a_stream_is_read_once_at_a_time_and_again_after_a_notification() {
        let (mut table, _) = table(9, 9);
        let (number, _events) = table.open(glance(1)).unwrap();
        let person = UserId::new(1).unwrap();
        assert_eq!(take(&mut table), Some(number));
        table.mark(person);
        table.mark(person);
        assert_eq!(take(&mut table), None, "it looks already");
        table.tell(number, &seen(1));
        assert_eq!(take(&mut table), Some(number));
        table.tell(number, &seen(1));
        assert_eq!(take(&mut table), None);
    }

    #[test]
    fn a_failed_stream_is_retried_in_turn_or_after_a_notification() {
        let (mut table, _) = table(9, 9);
        let (number, _events) = table.open(glance(1)).unwrap();
        assert_eq!(take(&mut table), Some(number));
        assert_eq!(table.fail(number), Failing::Since);
        table.beat(number % 5, 5);
        assert_eq!(take(&mut table), None, "no beat brings it among the others");
        assert_eq!(table.take_failed().map(|(number, _)| number), Some(number));
        assert_eq!(table.fail(number), Failing::Still);
        table.mark(UserId::new(1).unwrap());
        assert_eq!(take(&mut table), Some(number));
        assert!(table.take_failed().is_none());
        table.tell(number, &seen(1));
        assert_eq!(take(&mut table), None);
    }

    fn take(table: &mut Table) -> Option<u64> {
        table.take().map(|(number, _)| number)
    }

    /// All waiting streams read the same state.
    fn looks(table: &mut Table) -> Vec<u64> {
        let mut numbers = Vec::new();
        while let Some(number) = take(table) {
            table.tell(number, &seen(1));
            numbers.push(number);
        }
        numbers
    }
}
