use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError, unbounded_channel};

use super::*;
use crate::store::{Counts, Watched};

fn table() -> (Table, UnboundedReceiver<SubscriptionRequest>) {
    table_with(Duration::ZERO, 9)
}

fn table_with(
    read_interval: Duration,
    max_per_address: usize,
) -> (Table, UnboundedReceiver<SubscriptionRequest>) {
    let (requests, receiver) = unbounded_channel();
    let limits = StreamLimits {
        max_streams: 9,
        max_per_person: 9,
        max_per_address,
        read_interval,
    };
    let read_limits = ReadLimits {
        wait: Box::new(|reader| match reader.person == person(OVER_THE_LIMIT) {
            true => Duration::from_secs(3600),
            false => Duration::ZERO,
        }),
        charge: Box::new(|_, _| {}),
    };
    (
        Table::new(limits, Arc::new(read_limits), requests),
        receiver,
    )
}

/// The person who has used more processor time than allowed.
const OVER_THE_LIMIT: u64 = 66;

/// Returns a client in these networks.
fn client(networks: Vec<(String, u32)>) -> Client {
    let network = Network::of([192, 0, 2, 1].into());
    Client { network, networks }
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
        watched: None,
    }
}

fn open(table: &mut Table, of: u64) -> (u64, Receiver<Event>) {
    table.open(query(of), client(Vec::new())).unwrap()
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
        newer: None,
        arrivals: None,
    }
}

/// Passes this number of posts to these streams of a person.
fn deliver(table: &mut Table, of: u64, numbers: &[u64], posts: u64) {
    let states: Vec<LiveState> = numbers.iter().map(|_| seen(posts)).collect();
    table.deliver(person(of), numbers, &states);
}

#[test]
fn a_page_receives_only_changed_counts() {
    let (mut table, _) = table();
    let (number, mut events_receiver) = open(&mut table, 1);
    for posts in [1, 1, 2] {
        deliver(&mut table, 1, &[number], posts);
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
    let (number, mut events_receiver) = open(&mut table, 1);
    for posts in 0..=MAX_UNREAD_EVENTS as u64 {
        deliver(&mut table, 1, &[number], posts);
    }
    let waiting = std::iter::from_fn(|| events_receiver.try_recv().ok()).count();
    assert_eq!(waiting, MAX_UNREAD_EVENTS);
    assert_eq!(events_receiver.try_recv(), Err(TryRecvError::Disconnected));
}

#[test]
fn a_user_is_subscribed_from_the_first_stream_to_the_last() {
    let (mut table, mut receiver) = table();
    let (first, _events) = open(&mut table, 1);
    let (second, _events) = open(&mut table, 1);
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
    let (one, _events) = open(&mut table, 1);
    let (two, _events) = open(&mut table, 2);
    let new = read_all(&mut table);
    assert_eq!(
        new,
        [vec![one], vec![two]],
        "a new stream reads immediately"
    );
    assert!(read_all(&mut table).is_empty());
    table.mark_changed(person(2));
    assert_eq!(read_all(&mut table), [[two]]);
    table.queue_part(1, 5);
    assert_eq!(read_all(&mut table), [[one]]);
}

#[test]
fn newer_posts_are_counted_for_a_new_page_after_a_reply_and_at_heartbeats_only() {
    let (mut table, _) = table();
    let id = |number| StatusId::new(number).unwrap();
    let watching = LiveQuery {
        watched: Some(Watched::Replies {
            to: vec![id(4096)],
            after: id(5000),
        }),
        ..query(1)
    };
    let (number, _events) = table.open(watching, client(Vec::new())).unwrap();
    let counts_newer = |table: &mut Table, fails: bool| {
        let read = table.start_next_read().or_else(|| table.start_next_retry());
        let read = read.expect("a read");
        match fails {
            true => drop(table.fail(person(1))),
            false => deliver(table, 1, &[number], 1),
        }
        read.queries[0].watched.is_some()
    };
    assert!(counts_newer(&mut table, false), "a new page");
    table.mark_changed(person(1));
    assert!(!counts_newer(&mut table, false), "another event");
    table.mark_reply(id(8192));
    assert_eq!(next_read(&mut table), None, "a reply elsewhere");
    table.mark_reply(id(4096));
    assert!(counts_newer(&mut table, true), "a reply");
    assert!(counts_newer(&mut table, false), "after a failure");
    table.queue_part(1, 5);
    assert!(counts_newer(&mut table, false), "a heartbeat");
    table.mark_changed(person(1));
    assert!(!counts_newer(&mut table, false), "another event");
}

#[test]
fn the_streams_of_a_person_share_a_read() {
    let (mut table, _) = table();
    let (one, mut events_of_one) = open(&mut table, 1);
    let (two, mut events_of_two) = open(&mut table, 1);
    assert_eq!(read_all(&mut table), [[one, two]]);
    for events in [&mut events_of_one, &mut events_of_two] {
        assert!(matches!(events.try_recv(), Ok(Event::Counts(_))));
    }
    table.mark_changed(person(1));
    assert_eq!(read_all(&mut table), [[one, two]]);
}

#[test]
fn a_person_is_read_again_only_after_the_interval() {
    let interval = Duration::from_secs(3600);
    let (mut table, _) = table_with(interval, 9);
    let (one, _events) = open(&mut table, 1);
    assert_eq!(read_all(&mut table), [[one]]);
    assert_eq!(table.next_delayed(), None);
    table.mark_changed(person(1));
    table.mark_changed(person(1));
    let (two, _events) = open(&mut table, 1);
    assert_eq!(next_read(&mut table), None);
    let due = table.next_delayed().unwrap();
    table.queue_delayed(due - Duration::from_secs(1));
    assert_eq!(next_read(&mut table), None);
    table.queue_delayed(due);
    assert_eq!(read_all(&mut table), [[one, two]]);
    assert_eq!(table.next_delayed(), None, "it was requested once");
}

#[test]
fn the_read_of_a_person_over_the_limit_of_processor_time_is_delayed() {
    let (mut table, _) = table();
    let (_number, _events) = open(&mut table, OVER_THE_LIMIT);
    let (other, _events) = open(&mut table, 1);
    assert_eq!(read_all(&mut table), [[other]]);
    table.mark_changed(person(OVER_THE_LIMIT));
    assert_eq!(next_read(&mut table), None);
    let due = table.next_delayed().unwrap();
    assert!(due > Instant::now() + Duration::from_secs(3000));
    table.queue_delayed(due);
    assert_eq!(next_read(&mut table), None, "it is still over the limit");
    assert!(table.next_delayed().is_some());
}

#[test]
fn a_read_names_the_network_of_each_stream() {
    let (mut table, _) = table();
    let networks = [1, 2, 2].map(|number| Network::of([192, 0, 2, number].into()));
    for network in networks {
        let from = Client {
            network,
            networks: Vec::new(),
        };
        table.open(query(1), from).unwrap();
    }
    let read = table.start_next_read().unwrap();
    assert_eq!(read.reader.networks, networks);
}

#[test]
fn an_address_has_a_limited_number_of_streams() {
    let (mut table, _) = table_with(Duration::ZERO, 2);
    let from = |address: &str| client(vec![(address.to_owned(), 1), ("all".to_owned(), 2)]);
    let mut opened = Vec::new();
    for address in ["a", "a", "b", "b"] {
        let (number, events) = table.open(query(1), from(address)).unwrap();
        opened.push((number, events));
        if address == "a" && opened.len() == 2 {
            let refused = table.open(query(2), from("a")).err();
            assert_eq!(refused, Some(Refusal::AddressFull));
        }
    }
    let refused = table.open(query(3), from("c")).err();
    assert_eq!(refused, Some(Refusal::AddressFull), "the wide network");
    table.remove(opened[0].0);
    assert!(table.open(query(3), from("a")).is_ok());
}

#[test]
fn a_person_is_read_once_at_a_time_and_again_after_a_notification() {
    let (mut table, _) = table();
    let (number, _events) = open(&mut table, 1);
    assert_eq!(next_read(&mut table), Some(vec![number]));
    table.mark_changed(person(1));
    table.mark_changed(person(1));
    assert_eq!(next_read(&mut table), None, "it already reads");
    deliver(&mut table, 1, &[number], 1);
    assert_eq!(next_read(&mut table), Some(vec![number]));
    deliver(&mut table, 1, &[number], 1);
    assert_eq!(next_read(&mut table), None);
}

#[test]
fn the_end_of_a_read_for_closed_streams_changes_nothing() {
    let (mut table, _) = table();
    let (old, _events) = open(&mut table, 1);
    assert_eq!(next_read(&mut table), Some(vec![old]));
    table.remove(old);
    let (new, _events) = open(&mut table, 1);
    deliver(&mut table, 1, &[old], 1);
    assert_eq!(next_read(&mut table), Some(vec![new]));
}

#[test]
fn a_failed_read_is_retried_in_turn_or_after_a_notification() {
    let (mut table, _) = table();
    let (number, _events) = open(&mut table, 1);
    assert_eq!(next_read(&mut table), Some(vec![number]));
    assert_eq!(table.fail(person(1)), ReadFailure::First);
    table.queue_part(1, 5);
    let queued = next_read(&mut table);
    assert_eq!(queued, None, "it is not queued with the others");
    let retried = table.start_next_retry().map(|read| read.numbers);
    assert_eq!(retried, Some(vec![number]));
    assert_eq!(table.fail(person(1)), ReadFailure::Repeated);
    table.mark_changed(person(1));
    assert_eq!(next_read(&mut table), Some(vec![number]));
    assert!(table.start_next_retry().is_none());
    deliver(&mut table, 1, &[number], 1);
    assert_eq!(next_read(&mut table), None);
}

fn next_read(table: &mut Table) -> Option<Vec<u64>> {
    table.start_next_read().map(|read| read.numbers)
}

/// The streams of all waiting people read the same state.
fn read_all(table: &mut Table) -> Vec<Vec<u64>> {
    let reads: Vec<SharedRead> = std::iter::from_fn(|| table.start_next_read()).collect();
    for read in &reads {
        deliver(table, read.reader.person.get(), &read.numbers, 1);
    }
    reads.into_iter().map(|read| read.numbers).collect()
}
