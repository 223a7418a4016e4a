//! The periods of the numbers of acts.

use std::{fmt, str::FromStr};

use jiff::civil::{Date, date};

use crate::domain::{ParseError, UnixMs};

pub(super) const DAY_MS: u64 = 86_400_000;

/// A day or a month (UTC). Text in Redis: the day since 1970, or `<year>-<month>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountPeriod {
    Day(u64),
    Month(i16, i8),
}

impl CountPeriod {
    pub fn day_of(time: UnixMs) -> Self {
        Self::Day(time.0 / DAY_MS)
    }

    pub fn month_of(time: UnixMs) -> Self {
        let day = date_of(time);
        Self::Month(day.year(), day.month())
    }

    /// Returns the month before.
    pub(super) fn previous_month(year: i16, month: i8) -> Self {
        match month {
            1 => Self::Month(year - 1, 12),
            _ => Self::Month(year, month - 1),
        }
    }
}

impl fmt::Display for CountPeriod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => write!(f, "{day}"),
            Self::Month(year, month) => write!(f, "{year:04}-{month:02}"),
        }
    }
}

impl FromStr for CountPeriod {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once('-') {
            Some((year, month)) => {
                let year = year.parse().map_err(|_| ParseError)?;
                let month = month.parse().map_err(|_| ParseError)?;
                Ok(Self::Month(year, month))
            }
            None => text.parse().map(Self::Day).map_err(|_| ParseError),
        }
    }
}

pub(super) fn date_of(time: UnixMs) -> Date {
    let days = i64::try_from(time.0 / DAY_MS).unwrap_or_default();
    let span = jiff::Span::new().try_days(days).unwrap_or_default();
    date(1970, 1, 1).saturating_add(span)
}
