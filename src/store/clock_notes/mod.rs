//! Notes of Redis' clock. Scheduled work that removes data for good waits for a day after a jump of the clock, so that a
//! wrong clock removes nothing. A note is a key of its own. On a cluster it is about the clock of one primary. Work gets the
//! time of the note, and no clock of another primary makes it due.

use crate::store::prelude::*;

script_calls! {
    NoteClock = "note_clock"(clock; max_forwards_ms: u64, max_backwards_ms: u64);
}

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

/// Difference between two notes from which on the clock has jumped, forwards and backwards. A site that was stopped for
/// longer looks the same.
const MAX_FORWARDS_MS: u64 = DAY_MS;
const MAX_BACKWARDS_MS: u64 = HOUR_MS;
/// Time after a jump for which scheduled work waits.
const WAIT_MS: u64 = DAY_MS;

/// The clock of Redis at a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockNote {
    pub now: UnixMs,
    /// The time since which the clock has not jumped. 0 if it never did.
    pub since: UnixMs,
}

impl ClockNote {
    /// Returns for how many more ms scheduled work waits. `None` if it does not.
    pub fn wait_ms(&self) -> Option<u64> {
        let end = self.since.0.saturating_add(WAIT_MS);
        (self.since.0 > 0 && self.now.0 < end).then(|| end - self.now.0)
    }
}

fn warn_of_jump(note: ClockNote, last: UnixMs) {
    let direction = match note.now > last {
        true => "forwards",
        false => "backwards",
    };
    tracing::warn!(
        direction,
        minutes = note.now.0.abs_diff(last.0) / MINUTE_MS,
        "the clock of Redis jumped, or the site was stopped for more than a day. Check the clock. Deletions of deactivated \
         accounts, and removals of expired messages and old reports, wait for 24 hours"
    );
}

impl Store {
    /// Notes the clock of Redis, and logs a jump. One round trip.
    pub async fn note_clock(&self) -> Result<ClockNote> {
        let note = NoteClock {
            clock: keys::CLOCK.to_owned(),
            max_forwards_ms: MAX_FORWARDS_MS,
            max_backwards_ms: MAX_BACKWARDS_MS,
        };
        let (word, now, last, since): (String, u64, u64, u64) =
            self.connection.query(note.command()).await?;
        let has_jumped = match word.as_str() {
            "steady" => false,
            "jumped" => true,
            _ => return Err(NoteClock::SCRIPT.undocumented(word)),
        };
        let note = ClockNote {
            now: UnixMs(now),
            since: UnixMs(since),
        };
        if has_jumped {
            warn_of_jump(note, UnixMs(last));
        }
        Ok(note)
    }

    /// Returns the time up to which ended entries can be removed. It is the last note of a clock without a recent jump,
    /// else 0: entries that a wrong clock has ended stay, and are valid again when the clock is right. One round trip.
    pub async fn removable_until(&self) -> UnixMs {
        let note = self.last_clock_note().await.ok().flatten();
        let steady = note.filter(|note| note.wait_ms().is_none());
        steady.map_or(UnixMs(0), |note| note.now)
    }

    /// Returns the last note, as if it was made now. `None` before the first one.
    pub async fn last_clock_note(&self) -> Result<Option<ClockNote>> {
        let read = redis::cmd("HMGET").with((keys::CLOCK, "seen", "since"));
        let (seen, since): (Option<u64>, Option<u64>) = self.connection.query(read).await?;
        Ok(seen.zip(since).map(|(seen, since)| ClockNote {
            now: UnixMs(seen),
            since: UnixMs(since),
        }))
    }
}
