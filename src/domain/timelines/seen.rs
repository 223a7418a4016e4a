//! Seen statuses as ranges of ids. A new status lies between two ranges or above the last.

use std::{ops::RangeInclusive, str::FromStr};

use crate::domain::{ParseError, StatusId};

/// Ranges of seen ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen(Vec<RangeInclusive<u64>>);

impl Seen {
    /// Maximum number of ranges.
    pub const MOST: usize = 24;

    pub fn holds(&self, id: StatusId) -> bool {
        self.0.iter().any(|range| range.contains(&id.get()))
    }

    /// Returns whether the ranges are valid: at most [`Self::MOST`], ascending, with gaps, up to `largest`.
    pub fn are_in_order(&self, largest: u64) -> bool {
        let mut from = 0;
        let each = self.0.iter().all(|range| {
            let in_order = (from..=*range.end()).contains(range.start()) && *range.end() <= largest;
            from = range.end().saturating_add(2);
            in_order
        });
        each && self.0.len() <= Self::MOST
    }

    /// Returns whether these ranges cover all others.
    pub fn cover(&self, others: &Self) -> bool {
        let within = |range: &RangeInclusive<u64>| {
            let held = |mine: &RangeInclusive<u64>| {
                mine.start() <= range.start() && range.end() <= mine.end()
            };
            self.0.iter().any(held)
        };
        others.0.iter().all(within)
    }
}

impl FromStr for Seen {
    type Err = ParseError;

    /// Parses `low-high,low-high`. Empty text is an empty list.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |text: &str| text.parse().map_err(|_| ParseError);
        let range = |text: &str| {
            let (low, high) = text.split_once('-').ok_or(ParseError)?;
            Ok(number(low)?..=number(high)?)
        };
        let parts = text.split(',').filter(|_| !text.is_empty());
        parts.map(range).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::seen::*;

    #[test]
    fn only_ids_within_the_ranges_are_seen() {
        let seen: Seen = "0-5,7-9".parse().unwrap();
        let held = (1..=12).filter(|id| seen.holds(StatusId::new(*id).unwrap()));
        assert_eq!(held.collect::<Vec<u64>>(), [1, 2, 3, 4, 5, 7, 8, 9]);
    }

    #[test]
    fn ordered_ranges_ascend_disjointly_and_number_at_most_24() {
        let in_order = |text: &str| text.parse::<Seen>().unwrap().are_in_order(90);
        for text in ["", "0-5", "3-3", "0-5,7-9,20-90"] {
            assert!(in_order(text), "{text}");
        }
        for text in ["5-3", "0-5,6-9", "0-5,4-9", "7-9,0-5", "0-91", "0-5,0-5"] {
            assert!(!in_order(text), "{text}");
        }
        let many = |count: u64| {
            let ranges = (0..count).map(|n| format!("{}-{}", 3 * n, 3 * n + 1));
            ranges.collect::<Vec<_>>().join(",")
        };
        assert!(in_order(&many(24)) && !in_order(&many(25)));
    }

    #[test]
    fn ranges_cover_the_ranges_contained_in_one_of_them() {
        let cover = |these: &str, others: &str| {
            let [these, others] = [these, others].map(|text| text.parse::<Seen>().unwrap());
            these.cover(&others)
        };
        for (these, others) in [
            ("0-9", "0-9"),
            ("0-9,20-29", "3-4,25-29"),
            ("0-9", ""),
            ("", ""),
        ] {
            assert!(cover(these, others), "{these} and {others}");
        }
        for (these, others) in [("", "0-0"), ("0-9", "9-10"), ("0-9,20-29", "5-25")] {
            assert!(!cover(these, others), "{these} and {others}");
        }
    }

    #[test]
    fn empty_text_means_nothing_seen_and_malformed_text_is_refused() {
        assert!(!"".parse::<Seen>().unwrap().holds(StatusId::new(1).unwrap()));
        for text in ["5", "5-", "a-b", "1-2,", "-1-2"] {
            assert_eq!(text.parse::<Seen>(), Err(ParseError), "{text}");
        }
    }
}
