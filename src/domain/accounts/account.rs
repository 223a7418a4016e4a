//! The states of an account.

use serde::{Deserialize, Serialize};

use crate::domain::UnixMs;

/// The state of an account. Other people find only active accounts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AccountState {
    #[default]
    Active,
    /// Deactivated by its person. It is deleted at this time, unless the person returns before.
    Deactivated { deletion: UnixMs },
    /// Suspended by the host.
    Suspended { reason: String },
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
}

/// The person who begins a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletedBy {
    /// The host, in any state of the account.
    Host,
    /// The owner of a suspended or deactivated account.
    Person,
    /// No one: the account is deactivated and its time is over.
    Schedule,
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
    /// Reads the stored fields: the reason of a suspension, and the plan to leave.
    pub fn stored(suspended: Option<String>, leaving: Option<&str>) -> Self {
        match (Leaving::stored(leaving), suspended) {
            (Leaving::Now, _) => Self::BeingDeleted,
            (_, Some(reason)) => Self::Suspended { reason },
            (Leaving::At(deletion), None) => Self::Deactivated { deletion },
            (Leaving::No, None) => Self::Active,
        }
    }

    /// Returns the memory of its text.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Suspended { reason } => reason.len(),
            Self::Active | Self::Deactivated { .. } | Self::BeingDeleted => 0,
        }
    }
}

impl Restriction {
    /// Reads the stored word. `None` for other words.
    pub fn stored(text: &str) -> Option<Self> {
        match text {
            "suspended" => Some(Self::Suspended),
            "deactivated" => Some(Self::Deactivated),
            _ => {
                let until_ms = text.strip_prefix("frozen ")?;
                Some(Self::Frozen(until_ms.parse().ok()?))
            }
        }
    }
}

impl DeletedBy {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Person => "person",
            Self::Schedule => "schedule",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::account::*;

    #[test]
    fn the_state_follows_from_the_stored_fields() {
        let state = |suspended: Option<&str>, leaving| {
            AccountState::stored(suspended.map(str::to_owned), leaving)
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
    fn a_restriction_is_read_from_its_word() {
        for restriction in [Restriction::Suspended, Restriction::Deactivated] {
            let word = serde_json::to_value(restriction).expect("it is a word");
            let word = word.as_str().expect("it is a word").to_owned();
            assert_eq!(Restriction::stored(&word), Some(restriction));
        }
        let frozen = Restriction::Frozen(5);
        assert_eq!(Restriction::stored("frozen 5"), Some(frozen));
        for text in ["deleted", "frozen", "frozen x"] {
            assert_eq!(Restriction::stored(text), None);
        }
    }
}
