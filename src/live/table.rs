//! Which streams are open, which of them have to look, and what each has told its page. It waits for
//! nothing: it is told what there was to see, and passes on what is new about that.

use std::collections::{HashMap, HashSet};

use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender, channel};

use super::{Full, stream::Event};
use crate::{
    domain::UserId,
    store::{Arrivals, Counts, Glance, Glimpse, Reach, Wish},
};

/// How many events wait for a client that does not read before its stream is dropped.
const EVENTS_WAITING: usize = 8;

pub(super) struct Table {
    most: usize,
    most_each: usize,
    open: HashMap<u64, Open>,
    /// Each person's, the oldest first.
    of: HashMap<UserId, Vec<u64>>,
    waiting: HashSet<u64>,
    /// Whom to listen for, said in the order in which streams open and close.
    wishes: UnboundedSender<Wish>,
    next: u64,
    closed: bool,
}

/// One stream, and what it has told its page.
struct Open {
    glance: Glance,
    events: Sender<Event>,
    counts: Option<Counts>,
    arrivals: Option<(u64, Reach)>,
}

impl Table {
    pub(super) fn new(most: usize, most_each: usize, wishes: UnboundedSender<Wish>) -> Self {
        Self {
            most,
            most_each,
            open: HashMap::new(),
            of: HashMap::new(),
            waiting: HashSet::new(),
            wishes,
            next: 0,
            closed: false,
        }
    }

    /// Opens a stream, which has to look: its number and its events. Of more than a person may have
    /// the oldest ends.
    pub(super) fn open(&mut self, glance: Glance) -> Result<(u64, Receiver<Event>), Full> {
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
        let open = Open {
            glance,
            events,
            counts: None,
            arrivals: None,
        };
        self.open.insert(number, open);
        let theirs = self.of.entry(person).or_default();
        theirs.push(number);
        if theirs.len() == 1 {
            self.wish(Wish::Hear(person));
        }
        self.waiting.insert(number);
        self.note();
        Ok((number, heard))
    }

    /// Something may have changed for that person.
    pub(super) fn mark(&mut self, person: UserId) {
        self.waiting
            .extend(self.of.get(&person).into_iter().flatten());
    }

    /// One part of all streams has its turn to look and to send a sign of life.
    pub(super) fn beat(&mut self, part: u64, parts: u64) {
        let turn = |number: &u64| number % parts == part;
        let numbers: Vec<u64> = self.open.keys().copied().filter(turn).collect();
        for number in numbers {
            if self.say(number, &[Event::Beat]) {
                self.waiting.insert(number);
            } else {
                self.remove(number);
            }
        }
    }

    /// Some of those that wait, and what they want to know.
    pub(super) fn take(&mut self, at_most: usize) -> (Vec<u64>, Vec<Glance>) {
        let some: Vec<u64> = self.waiting.iter().copied().take(at_most).collect();
        for number in &some {
            self.waiting.remove(number);
        }
        let glance = |number| Some((number, self.open.get(&number)?.glance.clone()));
        some.into_iter().filter_map(glance).unzip()
    }

    /// They have not looked.
    pub(super) fn put_back(&mut self, numbers: Vec<u64>) {
        self.waiting.extend(numbers);
    }

    /// Tells each page what its stream saw.
    pub(super) fn tell(&mut self, numbers: &[u64], glimpses: Vec<Glimpse>) {
        for (number, glimpse) in numbers.iter().zip(glimpses) {
            let Some(open) = self.open.get_mut(number) else {
                continue;
            };
            let events = open.news(&glimpse);
            let said = self.say(*number, &events);
            if !said || glimpse == Glimpse::Ended {
                self.remove(*number);
            }
        }
    }

    /// A stream is no more.
    pub(super) fn remove(&mut self, number: u64) {
        let Some(Open { glance, .. }) = self.open.remove(&number) else {
            return;
        };
        self.waiting.remove(&number);
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
        self.note();
    }

    /// `false` where the stream's client reads nothing.
    fn say(&self, number: u64, events: &[Event]) -> bool {
        let Some(open) = self.open.get(&number) else {
            return true;
        };
        events
            .iter()
            .all(|event| open.events.try_send(*event).is_ok())
    }

    fn wish(&self, wish: Wish) {
        // Nobody hears it where the server is about to end.
        let _ = self.wishes.send(wish);
    }

    fn note(&self) {
        metrics::gauge!("redwing_live_streams").set(self.open.len() as f64);
    }
}

impl Open {
    /// What the page does not know yet.
    fn news(&mut self, glimpse: &Glimpse) -> Vec<Event> {
        let Glimpse::Seen { counts, arrivals } = glimpse else {
            return vec![Event::Ended];
        };
        let mut events = Vec::new();
        if self.counts.replace(*counts) != Some(*counts) {
            events.push(Event::Counts(*counts));
        }
        events.extend(arrivals.and_then(|arrivals| self.arrived(arrivals)));
        events
    }

    fn arrived(&mut self, arrivals: Arrivals) -> Option<Event> {
        let Arrivals {
            last: at,
            new,
            reach,
        } = arrivals;
        // The first look is told in any case: the page may know of more, which has been deleted.
        if self.arrivals.replace((new, reach)) == Some((new, reach)) {
            return None;
        }
        Some(match reach {
            Reach::Back => Event::Arrived { at, new },
            Reach::Short => Event::Reset { at, new },
        })
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError, unbounded_channel};

    use super::*;

    fn table(most: usize, most_each: usize) -> (Table, UnboundedReceiver<Wish>) {
        let (wishes, wished) = unbounded_channel();
        (Table::new(most, most_each, wishes), wished)
    }

    fn glance(person: u64) -> Glance {
        Glance {
            person: UserId::new(person).unwrap(),
            session: "s".to_owned(),
            epoch: "e".to_owned(),
            since: None,
        }
    }

    fn seen(posts: u64) -> Glimpse {
        let counts = Counts {
            posts,
            followers: 0,
            following: 0,
        };
        Glimpse::Seen {
            counts,
            arrivals: None,
        }
    }

    #[test]
    fn a_page_is_told_what_it_does_not_know_yet() {
        let (mut table, _) = table(9, 9);
        let (number, mut heard) = table.open(glance(1)).unwrap();
        for posts in [1, 1, 2] {
            table.tell(&[number], vec![seen(posts)]);
        }
        let mut told = Vec::new();
        while let Ok(Event::Counts(counts)) = heard.try_recv() {
            told.push(counts.posts);
        }
        assert_eq!(told, [1, 2]);
    }

    #[test]
    fn a_stream_that_nobody_reads_is_dropped() {
        let (mut table, _) = table(9, 9);
        let (number, mut heard) = table.open(glance(1)).unwrap();
        for posts in 0..=EVENTS_WAITING as u64 {
            table.tell(&[number], vec![seen(posts)]);
        }
        let waiting = std::iter::from_fn(|| heard.try_recv().ok()).count();
        assert_eq!(waiting, EVENTS_WAITING);
        assert_eq!(heard.try_recv(), Err(TryRecvError::Disconnected));
    }

    #[test]
    fn a_person_is_listened_for_from_their_first_stream_to_their_last() {
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
    fn only_those_look_for_whom_something_was_said_or_whose_turn_it_is() {
        let (mut table, _) = table(9, 9);
        let (one, _events) = table.open(glance(1)).unwrap();
        let (two, _events) = table.open(glance(2)).unwrap();
        assert_eq!(table.take(9).0.len(), 2, "a new one looks at once");
        assert!(table.take(9).0.is_empty());
        table.mark(UserId::new(2).unwrap());
        assert_eq!(table.take(9).0, [two]);
        table.beat(one % 5, 5);
        assert_eq!(table.take(9).0, [one]);
    }
}
