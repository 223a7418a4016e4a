//! One open stream, as the one who sends it to a page reads it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::mpsc::Receiver;

use super::Streams;
use crate::{domain::Arrival, store::Counts};

/// What a page is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// So many statuses came since the page was made, up to that arrival.
    Arrived {
        at: Arrival,
        new: u64,
    },
    /// What came since the page was made is not known any more: about so many were written.
    Reset {
        at: Arrival,
        new: u64,
    },
    Counts(Counts),
    /// So many notifications are unread.
    Unread(u64),
    /// The session is over. It is the last.
    Ended,
    /// The same person opened so many others that this one gives way. It is the last.
    Crowded,
    /// Nothing, so that the connection is known to stand.
    Beat,
}

/// The events of an open stream, which ends with its last one, with the server, and where nobody
/// reads it. It is closed when this is dropped.
pub struct Stream {
    number: u64,
    events: Receiver<Event>,
    streams: Streams,
}

impl Stream {
    pub(super) fn new(number: u64, events: Receiver<Event>, streams: Streams) -> Self {
        Self {
            number,
            events,
            streams,
        }
    }
}

impl futures_util::Stream for Stream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        self.events.poll_recv(context)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.streams.end(self.number);
    }
}
