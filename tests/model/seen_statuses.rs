//! Statuses that a reader has seen, as a plain log of shown ranges. Where the result depends on
//! moments unknown to the model, the log says so.

use std::collections::BTreeSet;

use redwing::domain::StatusId;

/// Knowledge about an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Seen,
    New,
    /// Either is possible.
    Open,
}

#[derive(Debug, Clone, Copy)]
enum Event {
    /// Everything from the first id to the second was shown.
    Shown(u64, u64),
    /// Everything from the first id to the second may have been shown.
    MaybeShown(u64, u64),
    Posted(u64),
}

/// Events, in order.
#[derive(Debug, Clone, Default)]
pub struct ShownLog(Vec<Event>);

impl ShownLog {
    pub fn shown(&mut self, low: u64, high: u64) {
        self.0.push(Event::Shown(low, high));
    }

    pub fn maybe_shown(&mut self, low: u64, high: u64) {
        self.0.push(Event::MaybeShown(low, high));
    }

    pub fn posted(&mut self, id: StatusId) {
        self.0.push(Event::Posted(id.get()));
    }

    /// Records an id that lies within the shown range and may arrive later.
    pub fn may_come(&mut self, id: StatusId) {
        self.posted(id);
        self.maybe_shown(id.get(), id.get());
    }

    pub fn of(&self, id: StatusId) -> Known {
        let id = id.get();
        let mut known = Known::New;
        for event in &self.0 {
            known = match *event {
                Event::Shown(low, high) if (low..=high).contains(&id) => Known::Seen,
                Event::MaybeShown(low, high)
                    if (low..=high).contains(&id) && known == Known::New =>
                {
                    Known::Open
                }
                Event::Posted(posted) if posted == id => Known::New,
                _ => known,
            };
        }
        known
    }
}

/// Statuses that one reader has seen.
#[derive(Debug, Clone, Default)]
pub struct SeenStatuses {
    /// Events before this visit.
    pub before: ShownLog,
    /// Events including this visit.
    pub shown: ShownLog,
    /// Whether home was ever read. A first visit marks everything as seen.
    pub has_read: bool,
    /// Whether the visit is over.
    pub paused: bool,
    /// Largest id that counts as shown to this reader, assigned or not. It covers ids that are drawn
    /// at the moment of reading home.
    pub moment: u64,
}

impl SeenStatuses {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn posted(&mut self, id: StatusId) {
        for log in [&mut self.before, &mut self.shown] {
            log.posted(id);
            if id.get() <= self.moment {
                log.maybe_shown(id.get(), id.get());
            }
        }
    }

    pub fn maybe_seen(&mut self, low: u64, high: u64) {
        self.before.maybe_shown(low, high);
        self.shown.maybe_shown(low, high);
    }

    /// Records a read of home at the time of the newest id; the late statuses may not have arrived.
    pub fn read(&mut self, newest: u64, late: &BTreeSet<StatusId>) {
        if !self.has_read {
            self.shown.shown(0, newest);
            for id in late {
                self.shown.may_come(*id);
            }
        }
        if !self.has_read || self.paused {
            self.before = self.shown.clone();
        }
        (self.has_read, self.paused) = (true, false);
    }
}
