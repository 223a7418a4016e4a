//! The streams of one person, and the state of the read that they share.

use std::{mem::replace, time::Duration};

use tokio::time::Instant;

/// The open streams of a person.
#[derive(Debug, Default)]
pub(super) struct PersonStreams {
    /// The numbers of the streams, oldest first.
    pub(super) numbers: Vec<u64>,
    read: ReadState,
    is_failing: bool,
    last_read: Option<Instant>,
}

/// State of the read of a person's streams. A person has one read at a time, so an older result never
/// overwrites a newer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ReadState {
    #[default]
    Idle,
    /// It waits until the interval since the last read has passed, and for the share of processor time.
    Delayed,
    Queued,
    Running,
    /// A message arrived meanwhile.
    RunningAndQueued,
    Failed,
}

/// When a requested read can start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadStart {
    Now,
    At(Instant),
    /// It was requested before.
    Requested,
}

/// Whether the previous read of the person failed too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadFailure {
    First,
    Repeated,
}

impl PersonStreams {
    /// Requests a read, which starts at least the interval after the last one.
    pub(super) fn request_read(&mut self, interval: Duration, now: Instant) -> ReadStart {
        match self.read {
            ReadState::Idle | ReadState::Failed => {}
            ReadState::Running | ReadState::RunningAndQueued => {
                self.read = ReadState::RunningAndQueued;
                return ReadStart::Requested;
            }
            ReadState::Delayed | ReadState::Queued => return ReadStart::Requested,
        }
        let earliest = self.last_read.map(|last| last + interval);
        match earliest.filter(|earliest| *earliest > now) {
            Some(earliest) => {
                self.read = ReadState::Delayed;
                ReadStart::At(earliest)
            }
            None => {
                self.read = ReadState::Queued;
                ReadStart::Now
            }
        }
    }

    /// Delays a queued read. Returns `false` if there is none.
    pub(super) fn delay_read(&mut self) -> bool {
        let is_queued = self.read == ReadState::Queued;
        if is_queued {
            self.read = ReadState::Delayed;
        }
        is_queued
    }

    /// Queues a delayed read that is due. Returns `false` if there is none.
    pub(super) fn queue_delayed(&mut self) -> bool {
        let is_delayed = self.read == ReadState::Delayed;
        if is_delayed {
            self.read = ReadState::Queued;
        }
        is_delayed
    }

    /// Starts the read. Returns `false` if it is not in the expected state.
    pub(super) fn start_read(&mut self, from: ReadState, now: Instant) -> bool {
        if self.read != from {
            return false;
        }
        self.read = ReadState::Running;
        self.last_read = Some(now);
        true
    }

    /// Ends the read. Returns whether another one is needed.
    pub(super) fn finish_read(&mut self) -> bool {
        self.is_failing = false;
        self.end_read(ReadState::Idle)
    }

    /// Records a failed read. Returns also whether another one is needed once failed reads are retried.
    pub(super) fn fail_read(&mut self) -> (ReadFailure, bool) {
        let failure = match replace(&mut self.is_failing, true) {
            true => ReadFailure::Repeated,
            false => ReadFailure::First,
        };
        (failure, self.end_read(ReadState::Failed))
    }

    /// Ends the read. Does nothing if all streams closed and others opened during it.
    fn end_read(&mut self, to: ReadState) -> bool {
        match self.read {
            ReadState::Running | ReadState::RunningAndQueued => {
                replace(&mut self.read, to) == ReadState::RunningAndQueued
            }
            _ => false,
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.read == ReadState::Failed
    }
}
