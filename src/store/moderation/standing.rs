//! The states of an account that follow from the decisions about its person.

use super::case::{Case, RecordedDecision};
use crate::{domain::Measure, store::prelude::*};

/// The states of an account that follow from the decisions in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandingMeasures {
    pub is_limited: bool,
    pub frozen_until: Option<UnixMs>,
    pub suspension: SuspensionRecord,
}

/// State of the suspension according to the decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuspensionRecord {
    /// There was no decision. A suspended account was suspended before decisions were recorded.
    Unknown,
    InForce,
    Ended,
}

impl Case {
    /// Returns the states that the decisions in force at this time give the account.
    pub fn standing_measures(&self, now: UnixMs) -> StandingMeasures {
        let standing = self.decisions.iter().filter(|one| one.is_in_force(now));
        let measures: Vec<&Measure> = standing.map(|one| &one.decision.measure).collect();
        StandingMeasures {
            is_limited: measures.contains(&&Measure::Limit),
            frozen_until: measures.iter().find_map(|measure| match measure {
                Measure::Freeze { until_ms } => Some(UnixMs(*until_ms)),
                _ => None,
            }),
            suspension: match measures.contains(&&Measure::Suspend) {
                true => SuspensionRecord::InForce,
                false if self.suspensions().next().is_some() => SuspensionRecord::Ended,
                false => SuspensionRecord::Unknown,
            },
        }
    }

    fn suspensions(&self) -> impl Iterator<Item = &RecordedDecision> {
        let decisions = self.decisions.iter();
        decisions.filter(|one| one.decision.measure == Measure::Suspend)
    }

    /// Returns the reason of the newest suspension in force.
    pub fn suspension_grounds(&self) -> Option<String> {
        let mut standing = self.suspensions().filter(|one| one.ended.is_none());
        standing.next().map(|one| one.decision.grounds())
    }
}
