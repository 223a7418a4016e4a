//! The position of a page or a stream in the arrivals of a home. Ids of statuses cannot serve as
//! positions, because a slow delivery brings older ids.

use std::str::FromStr;

use crate::domain::ParseError;

/// An entry of a home's log of arrivals: its time (ms on Redis' clock) and its number within that
/// millisecond. Later entries are larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, derive_more::Display)]
#[display("{ms}-{number}")]
pub struct Arrival {
    ms: u64,
    number: u64,
}

impl Arrival {
    /// The position before every entry.
    pub const NONE: Self = Self { ms: 0, number: 0 };

    /// The largest value of both parts, so that scripts hold them exactly.
    const MOST: u64 = (1 << 53) - 1;

    pub fn ms(self) -> u64 {
        self.ms
    }

    pub fn number(self) -> u64 {
        self.number
    }
}

impl FromStr for Arrival {
    type Err = ParseError;

    /// Parses `ms-number`, as Redis writes it.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |text: &str| match text.parse() {
            Ok(number @ 0..=Self::MOST) if !text.starts_with('+') => Ok(number),
            _ => Err(ParseError),
        };
        let (ms, rest) = text.split_once('-').ok_or(ParseError)?;
        Ok(Self {
            ms: number(ms)?,
            number: number(rest)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::arrival::*;

    #[test]
    fn arrivals_sort_by_time() {
        let parse = |text: &str| text.parse::<Arrival>().unwrap();
        assert!(parse("9-1") < parse("10-0") && parse("10-0") < parse("10-2"));
        assert!(Arrival::NONE < parse("1-0"));
    }
}
