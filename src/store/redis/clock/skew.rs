//! The difference between the clocks of the primaries. A write is refused if its deadline seems to have passed, so a
//! large difference makes writes fail. The log, the metrics, the readiness check and `redwing status` warn then.

use std::{collections::HashMap, fmt};

use crate::store::{Result, Store};

/// The offset of a primary's clock from the clock of this process, in ms. It is between these two, which are as far apart
/// as the time that the reply took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::redis) struct Offset {
    least: i64,
    most: i64,
}

impl Offset {
    /// Computes it from the time in a reply, and from the clock of this process at the request and at the reply.
    pub(in crate::store::redis) fn of(time: i64, sent: i64, received: i64) -> Self {
        Self {
            least: time - received,
            most: time - sent,
        }
    }

    pub(super) fn least(self) -> i64 {
        self.least
    }

    /// Returns by how many ms this clock is ahead of another one at least. Negative if it may be behind.
    fn ahead_of(self, other: Self) -> i64 {
        self.least - other.most
    }
}

/// The difference between the fastest and the slowest clock of a primary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClockSkew {
    /// Address of the one of the two that differs more from the other primaries.
    pub(super) node: String,
    is_ahead: bool,
    /// 0 if a slow reply leaves open whether the clocks differ.
    pub(super) difference_ms: i64,
}

impl ClockSkew {
    /// The largest difference without a warning, in ms. docs/cluster.md states it.
    const ALLOWED_MS: i64 = 1_000;

    /// Compares the clocks of the primaries. A reply that was slow shows no difference of less than its time.
    pub(super) fn among(primaries: &HashMap<String, Offset>) -> Self {
        let fastest = primaries.iter().max_by_key(|(_, offset)| offset.least);
        let slowest = primaries.iter().min_by_key(|(_, offset)| offset.most);
        let (Some((fast_name, fast)), Some((slow_name, slow))) = (fastest, slowest) else {
            return Self::default();
        };
        let mut offsets: Vec<Offset> = primaries.values().copied().collect();
        offsets.sort_unstable_by_key(|offset| offset.least);
        let middle = offsets[offsets.len() / 2];
        let is_ahead = fast.ahead_of(middle) > middle.ahead_of(*slow);
        let node = match is_ahead {
            true => fast_name,
            false => slow_name,
        };
        Self {
            node: node.clone(),
            is_ahead,
            difference_ms: fast.ahead_of(*slow).max(0),
        }
    }

    /// Returns whether the operator should act.
    pub fn is_high(&self) -> bool {
        self.difference_ms > Self::ALLOWED_MS
    }
}

/// For a high skew.
impl fmt::Display for ClockSkew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.difference_ms + 50) / 100;
        let (seconds, tenth) = (tenths / 10, tenths % 10);
        let direction = match self.is_ahead {
            true => "ahead of",
            false => "behind",
        };
        let node = &self.node;
        write!(
            f,
            "the clock of {node} is {seconds}.{tenth} s {direction} that of another primary"
        )
    }
}

impl Store {
    /// Compares the clocks of the primaries now. A single node is not asked.
    pub async fn measure_clock_skew(&self) -> Result<ClockSkew> {
        if self.connection.is_cluster() {
            self.measure_clock().await?;
        }
        Ok(self.clock.skew())
    }
}

#[cfg(test)]
mod tests {
    use super::{ClockSkew, Offset};

    /// Compares primaries `a`, `b` and so on. Each has the time of its clock, and the time that its reply took. All are
    /// asked at once, and their clocks are read when they get the request.
    fn skew(primaries: &[(i64, i64)]) -> ClockSkew {
        let named = ('a'..).zip(primaries);
        let offsets = named.map(|(name, (time, took))| {
            let offset = Offset::of(*time, 0, *took);
            (name.to_string(), offset)
        });
        ClockSkew::among(&offsets.collect())
    }

    fn warning(primaries: &[(i64, i64)]) -> Option<String> {
        let skew = skew(primaries);
        skew.is_high().then(|| skew.to_string())
    }

    #[test]
    fn the_primary_that_differs_from_the_others_is_named() {
        let ahead = warning(&[(0, 0), (10_300, 0), (300, 0)]);
        let expected = "the clock of b is 10.3 s ahead of that of another primary";
        assert_eq!(ahead.as_deref(), Some(expected));
        let behind = warning(&[(0, 0), (200, 0), (-1_900, 0)]);
        let expected = "the clock of c is 2.1 s behind that of another primary";
        assert_eq!(behind.as_deref(), Some(expected));
        let one_of_four = warning(&[(-5_000, 0), (0, 0), (0, 0), (0, 0)]);
        assert!(one_of_four.is_some_and(|text| text.contains("clock of a is 5.0 s behind")));
    }

    #[test]
    fn a_second_is_allowed_between_the_fastest_and_the_slowest() {
        assert_eq!(warning(&[(0, 0), (500, 0), (1_000, 0)]), None);
        assert!(warning(&[(0, 0), (500, 0), (1_001, 0)]).is_some());
    }

    #[test]
    fn a_slow_reply_is_no_difference() {
        assert_eq!(warning(&[(0, 0), (0, 1_900), (0, 0)]), None);
        assert_eq!(warning(&[(0, 0), (2_500, 1_900), (0, 0)]), None);
        let more_than_the_reply_took = warning(&[(0, 0), (3_500, 1_900), (0, 0)]);
        let expected = "the clock of b is 1.6 s ahead of that of another primary";
        assert_eq!(more_than_the_reply_took.as_deref(), Some(expected));
        let beside_a_slow_one = warning(&[(0, 0), (1_500, 0), (0, 1_900)]);
        assert!(beside_a_slow_one.is_some_and(|text| text.contains("clock of b is 1.5 s ahead")));
    }

    #[test]
    fn one_node_does_not_differ_from_itself() {
        assert_eq!(skew(&[(5_000, 300)]).difference_ms, 0);
        assert_eq!(skew(&[]), ClockSkew::default());
    }
}
