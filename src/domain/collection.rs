//! The two collections that each person has of statuses.

use std::fmt;

/// What somebody keeps a status in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collection {
    /// Its author and everybody else may know.
    Favourites,
    /// Nobody is told.
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
