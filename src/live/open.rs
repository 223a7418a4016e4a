//! An open stream: its query, the state of its read, and the values that its page has.

use std::mem::replace;

use tokio::sync::mpsc::Sender;

use crate::{
    domain::Arrival,
    store::{Arrivals, Counts, LiveQuery, LiveState, Reach},
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
    /// The session has ended. This is the last event.
    Ended,
    /// The same person opened too many other streams. This is the last event.
    Crowded,
    /// A sign of life.
    Beat,
}

/// A stream and the values that its page has.
pub(super) struct Open {
    pub(super) glance: LiveQuery,
    look: Look,
    failing: bool,
    events: Sender<Event>,
    counts: Option<Counts>,
    unread: Option<u64>,
    arrivals: Option<(u64, Reach)>,
}

/// State of a stream's read. There is one at a time, so an older result never comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Done,
    Waits,
    UnderWay,
    /// A notice arrived meanwhile.
    UnderWayAndWaits,
    Failed,
}

/// Whether the stream failed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failing {
    Since,
    Still,
}

impl Open {
    pub(super) fn new(glance: LiveQuery, events: Sender<Event>) -> Self {
        Self {
            glance,
            look: Look::Done,
            failing: false,
            events,
            counts: None,
            unread: None,
            arrivals: None,
        }
    }

    /// Requests a read. Returns whether the stream starts to wait for one.
    pub(super) fn want(&mut self) -> bool {
        let (look, waits) = match self.look {
            Look::UnderWay | Look::UnderWayAndWaits => (Look::UnderWayAndWaits, false),
            Look::Waits => (Look::Waits, false),
            Look::Done | Look::Failed => (Look::Waits, true),
        };
        self.look = look;
        waits
    }

    /// Starts the read if the stream is in the expected state.
    pub(super) fn begin(&mut self, from: Look) -> Option<LiveQuery> {
        if self.look != from {
            return None;
        }
        self.look = Look::UnderWay;
        Some(self.glance.clone())
    }

    /// Ends the read. Returns whether another one is needed.
    pub(super) fn see(&mut self) -> bool {
        self.failing = false;
        replace(&mut self.look, Look::Done) == Look::UnderWayAndWaits
    }

    /// Records a failed read. Returns also whether another one is needed once failed streams retry.
    pub(super) fn fail(&mut self) -> (Failing, bool) {
        let failing = match replace(&mut self.failing, true) {
            true => Failing::Still,
            false => Failing::Since,
        };
        let wants = replace(&mut self.look, Look::Failed) == Look::UnderWayAndWaits;
        (failing, wants)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.look == Look::Failed
    }

    /// Sends an event. Returns `false` if the client does not read.
    pub(super) fn say(&self, event: Event) -> bool {
        self.events.try_send(event).is_ok()
    }

    /// Returns the events for everything that the page does not have.
    pub(super) fn news(&mut self, live_state_of: &LiveState) -> Vec<Event> {
        let LiveState::Seen {
            counts,
            unread,
            arrivals,
        } = live_state_of
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
        events.extend(arrivals.and_then(|arrivals| self.arrived(arrivals)));
        events
    }

    fn arrived(&mut self, arrivals: Arrivals) -> Option<Event> {
        let Arrivals {
            last: at,
            new,
            reach,
        } = arrivals;
        // The first result is always sent: the page may have statuses that were deleted meanwhile.
        if self.arrivals.replace((new, reach)) == Some((new, reach)) {
            return None;
        }
        Some(match reach {
            Reach::Back => Event::Arrived { at, new },
            Reach::Short => Event::Reset { at, new },
        })
    }
}
