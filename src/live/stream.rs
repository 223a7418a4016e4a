//! An open stream, as its HTTP response reads it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::mpsc::Receiver;

use super::Streams;
use crate::{domain::Arrival, store::Counts};

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
    /// The session has ended. This is the last event.
    Ended,
    /// The same person opened too many other streams. This is the last event.
    Crowded,
    /// A sign of life.
    Beat,
}

/// The events of an open stream. It ends after its last event, with the server, or if the client does
/// not read. Dropping it closes the stream.
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
