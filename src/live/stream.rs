//! An open stream, as its HTTP response reads it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::mpsc::Receiver;

use super::{Streams, open::Event};

/// The events of an open stream. It ends after its last event, with the server, or if the client does
/// not read. Dropping it closes the stream.
pub struct Stream {
    pub(super) number: u64,
    pub(super) events: Receiver<Event>,
    pub(super) streams: Streams,
}

impl futures_util::Stream for Stream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        self.events.poll_recv(context)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.streams.remove(self.number);
    }
}
