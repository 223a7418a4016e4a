//! Which statuses somebody has seen, as ranges of ids: a new one lies between two of them, or above
//! the last.

use std::{ops::RangeInclusive, str::FromStr};

use super::StatusId;

/// Ranges of ids that were seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen(Vec<RangeInclusive<u64>>);

impl Seen {
    #[must_use]
    pub fn holds(&self, id: StatusId) -> bool {
        self.0.iter().any(|range| range.contains(&id.get()))
    }
}

/// The text is not one of ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not ranges of ids")]
pub struct ParseSeenError;

impl FromStr for Seen {
    type Err = ParseSeenError;

    /// Reads `low-high,low-high`; no text is no range.
    fn from_str(text: &str) -> Result<Self, ParseSeenError> {
        let number = |text: &str| text.parse().map_err(|_| ParseSeenError);
        let range = |text: &str| {
            let (low, high) = text.split_once('-').ok_or(ParseSeenError)?;
            Ok(number(low)?..=number(high)?)
        };
        let parts = text.split(',').filter(|_| !text.is_empty());
        parts.map(range).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_range_was_seen_and_what_lies_between_or_above_was_not() {
        let seen: Seen = "0-5,7-9".parse().unwrap();
        let held: Vec<u64> = (1..=12)
            .filter(|id| seen.holds(StatusId::new(*id).unwrap()))
            .collect();
        assert_eq!(held, [1, 2, 3, 4, 5, 7, 8, 9]);
    }

    #[test]
    fn no_text_is_nothing_seen_and_other_text_is_refused() {
        assert!(!"".parse::<Seen>().unwrap().holds(StatusId::new(1).unwrap()));
        for text in ["5", "5-", "a-b", "1-2,", "-1-2"] {
            assert_eq!(text.parse::<Seen>(), Err(ParseSeenError), "{text}");
        }
    }
}
