//! An open stream: its query, the state of its read, and the values that its page has.

use std::mem::replace;

use tokio::sync::mpsc::Sender;

use crate::{
    domain::Arrival,
    store::{Arrivals, Counts, LiveQuery, LiveState, Precision},
};

/// An event for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// So many statuses arrived since the page was made, up to this arrival.
    Arrived {
        at: Arrival,
        new: u64,
    },
    /// The arrivals since the page was made are unknown; about so many statuses were written.
    Reset {
        at: Arrival,
        new: u64,
    },
    Counts(Counts),
    /// Number of unread notifications.
    Unread(u64),
    /// Number of conversations with unread messages.
    UnreadChats(u64),
    /// The conversation on the page has so many changes.
    Chat(u64),
    /// The session has ended. This is the last event.
    Ended,
    /// The same person opened too many other streams. This is the last event.
    Crowded,
    /// Keeps the connection open.
    Heartbeat,
}

/// A stream and the values that its page has.
pub(super) struct OpenStream {
    pub(super) query: LiveQuery,
    read: ReadState,
    failing: bool,
    events: Sender<Event>,
    counts: Option<Counts>,
    unread: Option<u64>,
    unread_chats: Option<u64>,
    chat_version: Option<u64>,
    arrivals: Option<(u64, Precision)>,
}

/// State of a stream's read. There is one at a time, so an older result never comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadState {
    Idle,
    Queued,
    Running,
    /// A message arrived meanwhile.
    RunningAndQueued,
    Failed,
}

/// Whether the previous read of the stream failed too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadFailure {
    First,
    Repeated,
}

impl OpenStream {
    pub(super) fn new(query: LiveQuery, events: Sender<Event>) -> Self {
        Self {
            query,
            read: ReadState::Idle,
            failing: false,
            events,
            counts: None,
            unread: None,
            unread_chats: None,
            chat_version: None,
            arrivals: None,
        }
    }

    /// Requests a read. Returns whether the stream starts to wait for one.
    pub(super) fn request_read(&mut self) -> bool {
        let is_queued = matches!(self.read, ReadState::Idle | ReadState::Failed);
        self.read = match self.read {
            ReadState::Running | ReadState::RunningAndQueued => ReadState::RunningAndQueued,
            ReadState::Idle | ReadState::Failed | ReadState::Queued => ReadState::Queued,
        };
        is_queued
    }

    /// Starts the read if the stream is in the expected state.
    pub(super) fn start_read(&mut self, from: ReadState) -> Option<LiveQuery> {
        if self.read != from {
            return None;
        }
        self.read = ReadState::Running;
        Some(self.query.clone())
    }

    /// Ends the read. Returns whether another one is needed.
    pub(super) fn finish_read(&mut self) -> bool {
        self.failing = false;
        replace(&mut self.read, ReadState::Idle) == ReadState::RunningAndQueued
    }

    /// Records a failed read. Returns also whether another one is needed once failed streams retry.
    pub(super) fn fail_read(&mut self) -> (ReadFailure, bool) {
        let failure = match replace(&mut self.failing, true) {
            true => ReadFailure::Repeated,
            false => ReadFailure::First,
        };
        let before = replace(&mut self.read, ReadState::Failed);
        (failure, before == ReadState::RunningAndQueued)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.read == ReadState::Failed
    }

    /// Sends an event. Returns `false` if the client does not read.
    pub(super) fn send(&self, event: Event) -> bool {
        self.events.try_send(event).is_ok()
    }

    /// Returns the events for everything that the page does not have.
    pub(super) fn changed_events(&mut self, state: &LiveState) -> Vec<Event> {
        let LiveState::Seen {
            counts,
            unread,
            unread_chats,
            chat_version,
            arrivals,
        } = state
        else {
            return vec![Event::Ended];
        };
        let mut events = Vec::new();
        if self.counts.replace(*counts) != Some(*counts) {
            events.push(Event::Counts(*counts));
        }
        if self.unread.replace(*unread) != Some(*unread) {
            events.push(Event::Unread(*unread));
        }
        if self.unread_chats.replace(*unread_chats) != Some(*unread_chats) {
            events.push(Event::UnreadChats(*unread_chats));
        }
        if self.chat_version != *chat_version {
            self.chat_version = *chat_version;
            events.extend(chat_version.map(Event::Chat));
        }
        events.extend(arrivals.and_then(|arrivals| self.arrival_event(arrivals)));
        events
    }

    fn arrival_event(&mut self, arrivals: Arrivals) -> Option<Event> {
        let (at, new) = (arrivals.last, arrivals.new);
        let found = Some((new, arrivals.precision));
        // The first result is always sent: the page may have statuses that were deleted meanwhile.
        let is_changed = replace(&mut self.arrivals, found) != found;
        is_changed.then_some(match arrivals.precision {
            Precision::Exact => Event::Arrived { at, new },
            Precision::Approximate => Event::Reset { at, new },
        })
    }
}
