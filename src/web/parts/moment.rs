//! Times for people: the age while fresh, later the date, and always the full time as a title.

use std::fmt;

use askama::Template;
use jiff::{Timestamp, civil::DateTime, tz::Offset};

use crate::{domain::Zone, store::UnixMs};

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;
const TWO_DAYS_MS: u64 = 2 * DAY_MS;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A point in time in the formats of a `time` element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// `now`, `5 min`, `3 h`, `12 Nov`, or `12 Nov 2025` in another year.
    pub short: String,
    /// The same for a sentence: `5 min ago`.
    pub ago: String,
    /// `12 November 2025, 14:05 UTC`, or in another time zone.
    pub full: String,
    /// RFC 3339, for machines.
    pub datetime: String,
}

impl Moment {
    /// Returns the time as seen at `now`. A time slightly in the future is shown as now.
    pub fn new(time: UnixMs, now: UnixMs, zone: &Zone) -> Self {
        let Stamp { datetime } = Stamp::of(time);
        let age = Age::of(time, now);
        Self {
            short: age.to_string(),
            ago: age.ago(),
            full: full(time, zone),
            datetime,
        }
    }
}

/// A point in time as attributes of a `time` element: the part that is independent of the current
/// time and of the reader.
#[derive(Debug, Template)]
#[template(path = "statuses/_time_attributes.html")]
pub struct Stamp {
    datetime: String,
}

impl askama::filters::HtmlSafe for Stamp {}

impl Stamp {
    pub fn of(time: UnixMs) -> Self {
        Self {
            datetime: timestamp(time).strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        }
    }
}

/// The age of a time: the short format of a [`Moment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    Now,
    Minutes(u64),
    Hours(u64),
    /// Day, month and, in another year, the year.
    Date(i8, &'static str, Option<i16>),
    /// A placeholder in cached HTML, replaced by the age when it is sent.
    Later,
}

impl askama::filters::HtmlSafe for Age {}

impl Age {
    pub fn of(time: UnixMs, now: UnixMs) -> Self {
        let age = now.0.saturating_sub(time.0);
        if age < MINUTE_MS {
            Self::Now
        } else if age < HOUR_MS {
            Self::Minutes(age / MINUTE_MS)
        } else if age < DAY_MS {
            Self::Hours(age / HOUR_MS)
        } else {
            let (day, year) = (date(time), date(now).year());
            let month = usize::from(day.month().unsigned_abs() - 1);
            let other = (day.year() != year).then_some(day.year());
            Self::Date(day.day(), MONTHS[month], other)
        }
    }
}

impl Age {
    /// The text of the placeholder. People cannot type it, because `<` is escaped.
    pub const LATER: &'static str = "<!age>";

    /// Returns the age for a sentence: `5 min ago`.
    pub fn ago(self) -> String {
        match self {
            Self::Minutes(_) | Self::Hours(_) => format!("{self} ago"),
            Self::Now | Self::Date(..) | Self::Later => self.to_string(),
        }
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now => f.write_str("now"),
            Self::Later => f.write_str(Self::LATER),
            Self::Minutes(minutes) => write!(f, "{minutes} min"),
            Self::Hours(hours) => write!(f, "{hours} h"),
            Self::Date(day, month, None) => write!(f, "{day} {month}"),
            Self::Date(day, month, Some(year)) => write!(f, "{day} {month} {year}"),
        }
    }
}

/// Returns a duration, rounded up: `40 minutes`, `24 hours`, `3 days`.
pub fn span(ms: u64) -> String {
    let (number, unit) = if ms <= HOUR_MS {
        (ms.div_ceil(MINUTE_MS), "minute")
    } else if ms <= TWO_DAYS_MS {
        (ms.div_ceil(HOUR_MS), "hour")
    } else {
        (ms.div_ceil(DAY_MS), "day")
    };
    match (number, unit) {
        (60, "minute") => "1 hour".to_owned(),
        (1, _) => format!("1 {unit}"),
        _ => format!("{number} {unit}s"),
    }
}

/// Returns the full time: `12 November 2025, 14:05 UTC`.
pub fn full(time: UnixMs, zone: &Zone) -> String {
    zone.format(time, "%-d %B %Y, %H:%M %Z")
}

/// Returns the time of day: `14:05 UTC`.
pub fn time_of_day(time: UnixMs, zone: &Zone) -> String {
    zone.format(time, "%H:%M %Z")
}

/// Returns the month: `November 2025`.
pub fn month(time: UnixMs) -> String {
    timestamp(time).strftime("%B %Y").to_string()
}

/// Returns the day and the month: `12 Nov`.
pub fn day_and_month(time: UnixMs) -> String {
    timestamp(time).strftime("%-d %b").to_string()
}

fn date(time: UnixMs) -> DateTime {
    Offset::UTC.to_datetime(timestamp(time))
}

/// Clamps times beyond the calendar's end (a damaged record) to its last moment.
fn timestamp(time: UnixMs) -> Timestamp {
    i64::try_from(time.0)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::moment::*;

    /// 2026-11-12T14:05:00Z.
    const NOON: UnixMs = UnixMs(1_794_492_300_000);

    fn after(ms: u64) -> String {
        Moment::new(NOON, UnixMs(NOON.0 + ms), &Zone::default()).short
    }

    #[test]
    fn a_time_is_shown_as_an_age_for_a_day_and_then_as_a_date() {
        for (age_ms, shown) in [
            (0, "now"),
            (MINUTE_MS, "1 min"),
            (HOUR_MS - 1, "59 min"),
            (HOUR_MS, "1 h"),
            (DAY_MS - 1, "23 h"),
            (DAY_MS, "12 Nov"),
            (60 * DAY_MS, "12 Nov 2026"),
        ] {
            assert_eq!(after(age_ms), shown);
        }
    }

    #[test]
    fn a_span_uses_the_largest_unit_that_fits() {
        for (ms, shown) in [
            (1, "1 minute"),
            (MINUTE_MS, "1 minute"),
            (59 * MINUTE_MS, "59 minutes"),
            (HOUR_MS, "1 hour"),
            (HOUR_MS + 1, "2 hours"),
            (2 * DAY_MS, "48 hours"),
            (2 * DAY_MS + 1, "3 days"),
            (7 * DAY_MS, "7 days"),
        ] {
            assert_eq!(span(ms), shown);
        }
    }

    #[test]
    fn a_future_time_is_shown_as_now() {
        let later = UnixMs(NOON.0 + HOUR_MS);
        assert_eq!(Moment::new(later, NOON, &Zone::default()).short, "now");
    }

    #[test]
    fn the_full_time_has_a_readable_and_a_machine_form() {
        let moment = Moment::new(NOON, NOON, &Zone::default());
        assert_eq!(moment.full, "12 November 2026, 14:05 UTC");
        assert_eq!(moment.datetime, "2026-11-12T14:05:00Z");
    }

    #[test]
    fn the_full_time_is_in_the_zone_and_the_other_forms_are_not() {
        let zone = Zone::named("Asia/Kolkata").unwrap();
        let (there, utc) = (
            Moment::new(NOON, NOON, &zone),
            Moment::new(NOON, NOON, &Zone::default()),
        );
        assert_eq!(there.full, "12 November 2026, 19:35 IST");
        assert_eq!(there.datetime, utc.datetime);
        assert_eq!(time_of_day(NOON, &zone), "19:35 IST");
    }

    #[test]
    fn an_out_of_range_time_is_clamped() {
        let moment = Moment::new(UnixMs(u64::MAX), NOON, &Zone::default());
        assert!(moment.full.contains("9999"));
    }
}
