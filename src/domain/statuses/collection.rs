//! The two collections of statuses that each person has.

/// A collection of saved statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display(rename_all = "lowercase")]
pub enum Collection {
    /// Visible to everybody.
    Favourites,
    /// Visible to its owner alone.
    Bookmarks,
}

impl Collection {
    pub const ALL: [Self; 2] = [Self::Favourites, Self::Bookmarks];
}
