//! Mutes of people and texts: how long one lasts, and one that has not ended. The limit of muted conversations.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::UnixMs;

/// Maximum number of conversations that one person mutes.
pub const MAX_MUTED_CONVERSATIONS: usize = 500;

/// Term of a mute, as its form names it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MuteTerm {
    Hour,
    Day,
    Week,
    #[default]
    Forever,
}

/// A mute that has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mute {
    /// Its end. `None`: it lasts until it is lifted.
    pub until: Option<UnixMs>,
}

impl MuteTerm {
    pub const ALL: [Self; 4] = [Self::Hour, Self::Day, Self::Week, Self::Forever];

    /// Returns the number of hours. `None`: for ever.
    #[must_use]
    pub fn hours(self) -> Option<u64> {
        match self {
            Self::Hour => Some(1),
            Self::Day => Some(24),
            Self::Week => Some(7 * 24),
            Self::Forever => None,
        }
    }
}

/// Formats as in forms.
impl fmt::Display for MuteTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Forever => "forever",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::mute::*;

    #[test]
    fn the_text_of_each_term_is_read_back() {
        for term in MuteTerm::ALL {
            let text = format!("\"{term}\"");
            assert_eq!(serde_json::from_str::<MuteTerm>(&text).unwrap(), term);
        }
    }
}
