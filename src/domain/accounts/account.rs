//! The states of an account.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::{Application, UnixMs};

/// The state of an account. Other people find only active accounts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AccountState {
    #[default]
    Active,
    /// Deactivated by its person. It is deleted at this time, unless the person returns before.
    Deactivated { deletion: UnixMs },
    /// Suspended by the people who run the site.
    Suspended { reason: String },
    /// The person asked to join, with this answer, and waits. The request ends at this time.
    Waiting { answer: String, end: UnixMs },
    /// The request to join was refused. The account is deleted at this time.
    Refused { reason: String, deletion: UnixMs },
    /// Its data is being removed. Nothing stops that.
    BeingDeleted,
}

/// Why the sessions of an account reach one page only. Sessions hold a copy of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restriction {
    Suspended,
    Deactivated,
    /// The person reads and does not write until this time (ms).
    Frozen(u64),
    /// The request to join waits for an answer.
    Waiting,
    /// The request to join was refused.
    Refused,
}

/// The person who begins a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletedBy {
    /// The host, in any state of the account.
    Host,
    /// The owner of a suspended or deactivated account.
    Person,
    /// No one: the account is deactivated, and its time is over at this time.
    Schedule(UnixMs),
}

/// The plan of an account to go, as its user record states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    No,
    /// It is deleted at this time.
    At(UnixMs),
    /// Its data is being removed.
    Now,
}

/// The facts behind the copies of an account's state: the schedule of deletions and the queue of applicants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountPlan {
    pub leaving: Leaving,
    pub signup: UnixMs,
    pub is_waiting: bool,
    /// Whether the person asked to join and was let in.
    pub is_approved: bool,
    /// Whether the sign-up claimed an invitation or the set-up of the site.
    pub has_claim: bool,
}

impl Leaving {
    /// The stored text of [`Leaving::Now`].
    const NOW: &str = "deleting";

    /// Reads the stored field. Text that is no time counts as none.
    pub fn stored(text: Option<&str>) -> Self {
        match text {
            Some(Self::NOW) => Self::Now,
            Some(time) => time.parse().map_or(Self::No, |ms| Self::At(UnixMs(ms))),
            None => Self::No,
        }
    }
}

impl AccountState {
    /// Reads the stored fields: the reason of a suspension, the plan to leave, and the request to join.
    pub fn stored(
        suspended: Option<String>,
        leaving: Option<&str>,
        application: Option<&str>,
    ) -> Self {
        let leaving = Leaving::stored(leaving);
        if leaving == Leaving::Now {
            return Self::BeingDeleted;
        }
        if let Some(application) = application.and_then(Application::stored) {
            return Self::of_applicant(application, leaving);
        }
        match (leaving, suspended) {
            (Leaving::Now, _) => Self::BeingDeleted,
            (_, Some(reason)) => Self::Suspended { reason },
            (Leaving::At(deletion), None) => Self::Deactivated { deletion },
            (Leaving::No, None) => Self::Active,
        }
    }

    fn of_applicant(application: Application, leaving: Leaving) -> Self {
        let time = match leaving {
            Leaving::At(time) => time,
            Leaving::No | Leaving::Now => UnixMs(0),
        };
        match application {
            Application::Waiting { answer } => Self::Waiting { answer, end: time },
            Application::Refused { reason, .. } => Self::Refused {
                reason,
                deletion: time,
            },
        }
    }

    /// Returns whether the person asked to join and was not let in.
    pub fn is_applicant(&self) -> bool {
        matches!(self, Self::Waiting { .. } | Self::Refused { .. })
    }

    /// Returns why sessions of the account reach one page only.
    pub fn restriction(&self) -> Option<Restriction> {
        match self {
            Self::Active | Self::BeingDeleted => None,
            Self::Suspended { .. } => Some(Restriction::Suspended),
            Self::Deactivated { .. } => Some(Restriction::Deactivated),
            Self::Waiting { .. } => Some(Restriction::Waiting),
            Self::Refused { .. } => Some(Restriction::Refused),
        }
    }

    /// Returns the memory of its text.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Suspended { reason } | Self::Refused { reason, .. } => reason.len(),
            Self::Waiting { answer, .. } => answer.len(),
            Self::Active | Self::Deactivated { .. } | Self::BeingDeleted => 0,
        }
    }
}

impl fmt::Display for Restriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suspended => f.write_str("suspended"),
            Self::Deactivated => f.write_str("deactivated"),
            Self::Frozen(until_ms) => write!(f, "frozen {until_ms}"),
            Self::Waiting => f.write_str("waiting"),
            Self::Refused => f.write_str("refused"),
        }
    }
}

impl Restriction {
    /// Reads the stored word. `None` for other words.
    pub fn stored(text: &str) -> Option<Self> {
        match text {
            "suspended" => Some(Self::Suspended),
            "deactivated" => Some(Self::Deactivated),
            "waiting" => Some(Self::Waiting),
            "refused" => Some(Self::Refused),
            _ => {
                let until_ms = text.strip_prefix("frozen ")?;
                Some(Self::Frozen(until_ms.parse().ok()?))
            }
        }
    }
}

impl DeletedBy {
    /// Returns the words that are stored and sent for it.
    pub fn words(self) -> String {
        match self {
            Self::Host => "host".to_owned(),
            Self::Person => "person".to_owned(),
            Self::Schedule(now) => format!("schedule {}", now.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::account::*;

    #[test]
    fn the_state_follows_from_the_stored_fields() {
        let state = |suspended: Option<&str>, leaving| {
            AccountState::stored(suspended.map(str::to_owned), leaving, None)
        };
        let deactivated = AccountState::Deactivated {
            deletion: UnixMs(5),
        };
        let suspended = AccountState::Suspended {
            reason: "Spam.".to_owned(),
        };
        assert_eq!(state(None, None), AccountState::Active);
        assert_eq!(state(None, Some("5")), deactivated);
        assert_eq!(state(Some("Spam."), None), suspended);
        assert_eq!(state(Some("Spam."), Some("5")), suspended);
        for suspended in [None, Some("Spam.")] {
            let state = state(suspended, Some("deleting"));
            assert_eq!(state, AccountState::BeingDeleted);
        }
        assert_eq!(state(None, Some("soon")), AccountState::Active);
    }

    #[test]
    fn a_request_to_join_comes_before_a_suspension() {
        let state = |leaving, application| {
            AccountState::stored(Some("Spam.".to_owned()), leaving, Some(application))
        };
        let waiting = AccountState::Waiting {
            answer: "I sail.".to_owned(),
            end: UnixMs(5),
        };
        let refused = AccountState::Refused {
            reason: "No boat.".to_owned(),
            deletion: UnixMs(5),
        };
        assert_eq!(state(Some("5"), "waiting I sail."), waiting);
        assert_eq!(state(Some("5"), "refused 7 No boat."), refused);
        let deleted = state(Some("deleting"), "waiting I sail.");
        assert_eq!(deleted, AccountState::BeingDeleted);
    }

    #[test]
    fn a_restriction_is_read_from_its_word() {
        for restriction in [
            Restriction::Suspended,
            Restriction::Deactivated,
            Restriction::Frozen(5),
            Restriction::Waiting,
            Restriction::Refused,
        ] {
            let word = restriction.to_string();
            assert_eq!(Restriction::stored(&word), Some(restriction));
        }
        for text in ["deleted", "frozen", "frozen x"] {
            assert_eq!(Restriction::stored(text), None);
        }
    }
}
