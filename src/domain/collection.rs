//! The two collections of statuses that each person has.

use std::fmt;

/// A collection of saved statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collection {
    /// Visible to everybody.
    Favourites,
    /// Visible to its owner alone.
    Bookmarks,
}

impl Collection {
    pub const ALL: [Self; 2] = [Self::Favourites, Self::Bookmarks];
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Favourites => "favourites",
            Self::Bookmarks => "bookmarks",
        })
    }
}
