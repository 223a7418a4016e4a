//! One open stream: what it wants to know, how it is with its look, and what it has told its page.

use std::mem::replace;

use tokio::sync::mpsc::Sender;

use super::stream::Event;
use crate::store::{Arrivals, Counts, LiveQuery, LiveState, Reach};

/// One stream, and what it has told its page.
pub(super) struct Open {
    pub(super) glance: LiveQuery,
    look: Look,
    failing: bool,
    events: Sender<Event>,
    counts: Option<Counts>,
    unread: Option<u64>,
    arrivals: Option<(u64, Reach)>,
}

/// How it is with a stream's look. There is one at a time, so that no older one is told last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Done,
    Waits,
    UnderWay,
    /// Something was said meanwhile.
    UnderWayAndWaits,
    Failed,
}

/// Whether a look that failed is the first of its stream to do so.
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

    /// It has to look. Says whether it waits for that only now.
    pub(super) fn want(&mut self) -> bool {
        let (look, waits) = match self.look {
            Look::UnderWay | Look::UnderWayAndWaits => (Look::UnderWayAndWaits, false),
            Look::Waits => (Look::Waits, false),
            Look::Done | Look::Failed => (Look::Waits, true),
        };
        self.look = look;
        waits
    }

    /// It looks from now on, if it is as it was to be.
    pub(super) fn begin(&mut self, from: Look) -> Option<LiveQuery> {
        if self.look != from {
            return None;
        }
        self.look = Look::UnderWay;
        Some(self.glance.clone())
    }

    /// It has looked. Says whether it has to once more.
    pub(super) fn see(&mut self) -> bool {
        self.failing = false;
        replace(&mut self.look, Look::Done) == Look::UnderWayAndWaits
    }

    /// It could not look. Says as well whether it has to, whenever those do whose look failed.
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

    /// `false` where its client reads nothing.
    pub(super) fn say(&self, event: Event) -> bool {
        self.events.try_send(event).is_ok()
    }

    /// What the page does not know yet.
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
