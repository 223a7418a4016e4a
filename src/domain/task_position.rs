//! The positions from which tasks continue.

use serde::{Deserialize, Serialize};

/// A position in the removal of what connects two people: the next kind of connection, and the score before which it
/// continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeparationPosition {
    pub kind: Separation,
    pub before: Option<u64>,
}

/// The connections that only a walk finds, in the order of their removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Separation {
    /// Favourites of the person who blocks.
    Favourites,
    /// Favourites of the blocked person.
    FavouritesOfBlocked,
    /// Votes of the person who blocks.
    Votes,
    /// Votes of the blocked person.
    VotesOfBlocked,
}

impl SeparationPosition {
    pub const START: Self = Self::begin(Separation::Favourites);

    const fn begin(kind: Separation) -> Self {
        Self { kind, before: None }
    }

    /// Returns the beginning of the next kind.
    pub fn next_kind(self) -> Option<Self> {
        let next = match self.kind {
            Separation::Favourites => Separation::FavouritesOfBlocked,
            Separation::FavouritesOfBlocked => Separation::Votes,
            Separation::Votes => Separation::VotesOfBlocked,
            Separation::VotesOfBlocked => return None,
        };
        Some(Self::begin(next))
    }
}

/// A position in a walk over all keys: the number of the node, and its cursor. It is valid only with the same servers,
/// because a restarted process of Redis orders its keys in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepPosition {
    pub node: usize,
    pub cursor: u64,
    /// Number of nodes. An earlier release reads it, and compares nothing else.
    pub nodes: usize,
    /// Digest of the processes of Redis and of their slots. Positions of an earlier release have none, and the walk begins
    /// again.
    #[serde(default)]
    pub servers: u64,
}

impl SweepPosition {
    pub const START: Self = Self {
        node: 0,
        cursor: 0,
        nodes: 0,
        servers: 0,
    };
}

#[cfg(test)]
mod tests {
    use super::super::task_position::*;

    #[test]
    fn a_position_of_an_earlier_release_has_unknown_servers() {
        let earlier = r#"{"node":1,"cursor":5,"nodes":3}"#;
        let position = SweepPosition {
            node: 1,
            cursor: 5,
            nodes: 3,
            servers: 0,
        };
        assert_eq!(serde_json::from_str(earlier).ok(), Some(position));
    }
}
