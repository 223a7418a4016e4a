//! An open stream: its query, the state of its read, and the values that its page has.

use std::mem::replace;

use tokio::sync::mpsc::Sender;

use super::table::Client;
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
    /// Number of newer watched posts since the page was rendered.
    Newer(u64),
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
    pub(super) client: Client,
    events: Sender<Event>,
    counts: Option<Counts>,
    unread: Option<u64>,
    unread_chats: Option<u64>,
    chat_version: Option<u64>,
    /// Whether the next read counts the newer posts of its page.
    is_newer_due: bool,
    newer: u64,
    arrivals: Option<(u64, Precision)>,
}

impl OpenStream {
    pub(super) fn new(query: LiveQuery, client: Client, events: Sender<Event>) -> Self {
        Self {
            query,
            client,
            events,
            counts: None,
            unread: None,
            unread_chats: None,
            chat_version: None,
            is_newer_due: true,
            newer: 0,
            arrivals: None,
        }
    }

    /// Lets the next read count the newer posts of the page. Other reads do not: most events are about something else,
    /// and a count reads the posts.
    pub(super) fn request_newer(&mut self) {
        self.is_newer_due = true;
    }

    /// Returns the query of a read that starts now.
    pub(super) fn next_query(&mut self) -> LiveQuery {
        let is_newer_due = replace(&mut self.is_newer_due, false);
        LiveQuery {
            watched: self.query.watched.clone().filter(|_| is_newer_due),
            ..self.query.clone()
        }
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
            newer,
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
        if let Some(newer) = *newer
            && replace(&mut self.newer, newer) != newer
        {
            events.push(Event::Newer(newer));
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
