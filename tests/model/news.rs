//! What a reader has seen, as a plain log of what was shown. Where it depends on moments that a model
//! does not know, the log says so.

use std::collections::BTreeSet;

use redwing::domain::StatusId;

/// What is known of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    Seen,
    New,
    /// Either.
    Open,
}

#[derive(Debug, Clone, Copy)]
enum Event {
    /// From one id to another.
    Shown(u64, u64),
    /// It may have been shown, or not.
    MaybeShown(u64, u64),
    Posted(u64),
}

/// What has happened, in order.
#[derive(Debug, Clone, Default)]
pub struct Log(Vec<Event>);

impl Log {
    pub fn shown(&mut self, low: u64, high: u64) {
        self.0.push(Event::Shown(low, high));
    }

    pub fn maybe_shown(&mut self, low: u64, high: u64) {
        self.0.push(Event::MaybeShown(low, high));
    }

    pub fn posted(&mut self, id: StatusId) {
        self.0.push(Event::Posted(id.get()));
    }

    /// It lies among what was shown, and may come after it.
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

/// What one reader has seen.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Before this visit.
    pub before: Log,
    /// With it as well.
    pub shown: Log,
    /// Home was never read: a first visit takes everything for seen.
    pub has_read: bool,
    /// The visit is over.
    pub paused: bool,
    /// The largest id that was shown to this reader, whether it was drawn or not: one that is drawn
    /// in the moment in which home was read lies below.
    pub moment: u64,
}

impl Memory {
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

    /// Home is read, when ids had come that far, and these may not have reached it.
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
