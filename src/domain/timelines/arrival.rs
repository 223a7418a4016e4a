//! The position of a page or a stream in the arrivals of a home. Ids of statuses cannot serve as
//! positions, because a slow delivery brings older ids.

use std::{fmt, str::FromStr};

/// An entry of a home's log of arrivals: its time (ms on Redis' clock) and its number within that
/// millisecond. Later entries are larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    ms: u64,
    number: u64,
}

impl Arrival {
    /// The position before every entry.
    pub const NONE: Self = Self { ms: 0, number: 0 };

    /// The largest value of both parts, so that scripts hold them exactly.
    const MOST: u64 = (1 << 53) - 1;

    #[must_use]
    pub fn ms(self) -> u64 {
        self.ms
    }

    #[must_use]
    pub fn number(self) -> u64 {
        self.number
    }
}

/// The text is not an arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an arrival")]
pub struct ParseArrivalError;

impl FromStr for Arrival {
    type Err = ParseArrivalError;

    /// Parses `ms-number`, as Redis writes it.
    fn from_str(text: &str) -> Result<Self, ParseArrivalError> {
        let number = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse().ok().filter(|_| plain);
            number
                .filter(|number| *number <= Self::MOST)
                .ok_or(ParseArrivalError)
        };
        let (ms, rest) = text.split_once('-').ok_or(ParseArrivalError)?;
        Ok(Self {
            ms: number(ms)?,
            number: number(rest)?,
        })
    }
}

impl fmt::Display for Arrival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arrival::*;

    #[test]
    fn an_arrival_round_trips_and_other_text_is_refused() {
        let written = "1795000000000-12";
        assert_eq!(written.parse::<Arrival>().unwrap().to_string(), written);
        for text in [
            "",
            "5",
            "5-",
            "-5",
            "+5-1",
            "5-1-1",
            "9007199254740992-0",
            "a-b",
        ] {
            assert_eq!(text.parse::<Arrival>(), Err(ParseArrivalError), "{text}");
        }
    }

    #[test]
    fn arrivals_sort_by_time() {
        let parse = |text: &str| text.parse::<Arrival>().unwrap();
        assert!(parse("9-1") < parse("10-0") && parse("10-0") < parse("10-2"));
        assert!(Arrival::NONE < parse("1-0"));
    }
}
