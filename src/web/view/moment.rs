//! Times as people read them: relative while fresh, a date later, the full time beside.

use jiff::{Timestamp, tz::TimeZone};

use crate::store::UnixMs;

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

/// One point in time, in the three forms that a `time` element shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// `now`, `5 min`, `3 h`, `12 Nov`, or `12 Nov 2025` of another year.
    pub short: String,
    /// `12 November 2025, 14:05 UTC`.
    pub full: String,
    /// RFC 3339 with milliseconds, for machines.
    pub datetime: String,
}

impl Moment {
    /// That time as it reads at `now`. A clock that is a little ahead reads as now.
    #[must_use]
    pub fn new(time: UnixMs, now: UnixMs) -> Self {
        let stamp = timestamp(time);
        Self {
            short: short(time, now),
            full: stamp.strftime("%-d %B %Y, %H:%M UTC").to_string(),
            datetime: stamp.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
        }
    }
}

/// The month of a time: `November 2025`.
pub(super) fn month(time: UnixMs) -> String {
    timestamp(time).strftime("%B %Y").to_string()
}

fn short(time: UnixMs, now: UnixMs) -> String {
    let age = now.0.saturating_sub(time.0);
    if age < MINUTE_MS {
        "now".to_owned()
    } else if age < HOUR_MS {
        format!("{} min", age / MINUTE_MS)
    } else if age < DAY_MS {
        format!("{} h", age / HOUR_MS)
    } else if year(time) == year(now) {
        timestamp(time).strftime("%-d %b").to_string()
    } else {
        timestamp(time).strftime("%-d %b %Y").to_string()
    }
}

fn year(time: UnixMs) -> i16 {
    timestamp(time).to_zoned(TimeZone::UTC).year()
}

/// Times beyond the calendar's end (a damaged record) read as its last moment.
fn timestamp(time: UnixMs) -> Timestamp {
    i64::try_from(time.0)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-12T14:05:00Z.
    const NOON: UnixMs = UnixMs(1_794_492_300_000);

    fn after(ms: u64) -> String {
        Moment::new(NOON, UnixMs(NOON.0 + ms)).short
    }

    #[test]
    fn a_time_reads_as_its_age_for_a_day_and_then_as_its_date() {
        let read = [
            0,
            MINUTE_MS,
            HOUR_MS - 1,
            HOUR_MS,
            DAY_MS - 1,
            DAY_MS,
            60 * DAY_MS,
        ]
        .map(after);
        assert_eq!(
            read,
            [
                "now",
                "1 min",
                "59 min",
                "1 h",
                "23 h",
                "12 Nov",
                "12 Nov 2026"
            ]
        );
    }

    #[test]
    fn a_clock_ahead_reads_as_now() {
        assert_eq!(Moment::new(UnixMs(NOON.0 + HOUR_MS), NOON).short, "now");
    }

    #[test]
    fn the_full_time_is_given_to_people_and_to_machines() {
        let moment = Moment::new(NOON, NOON);
        assert_eq!(moment.full, "12 November 2026, 14:05 UTC");
        assert_eq!(moment.datetime, "2026-11-12T14:05:00.000Z");
    }

    #[test]
    fn a_damaged_time_does_not_break_the_page() {
        assert!(Moment::new(UnixMs(u64::MAX), NOON).full.contains("9999"));
    }
}
