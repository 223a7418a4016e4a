//! The posts that a person shows first on their profile.

use std::fmt;

use crate::domain::StatusId;

/// The pinned posts of a person, last pinned first. Stored as ids with spaces between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PinnedPosts(Vec<StatusId>);

impl PinnedPosts {
    /// Number of posts that a person can pin.
    pub const MAX: usize = 5;

    /// Parses the stored text. Words that are no ids, repeated ones and those beyond the limit are left out.
    pub fn stored(text: Option<&str>) -> Self {
        let mut ids: Vec<StatusId> = Vec::new();
        for id in text.unwrap_or_default().split(' ') {
            let id = id.parse().ok().filter(|id| !ids.contains(id));
            ids.extend(id.filter(|_| ids.len() < Self::MAX));
        }
        Self(ids)
    }

    pub fn ids(&self) -> &[StatusId] {
        &self.0
    }

    pub fn contains(&self, id: StatusId) -> bool {
        self.0.contains(&id)
    }

    /// Returns those among them that pass.
    #[must_use]
    pub fn retained(&self, passes: impl Fn(StatusId) -> bool) -> Self {
        Self(self.0.iter().copied().filter(|id| passes(*id)).collect())
    }

    /// Returns the memory that it takes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<StatusId>()
    }
}

impl fmt::Display for PinnedPosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<String> = self.0.iter().map(StatusId::to_string).collect();
        f.write_str(&ids.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::PinnedPosts;

    #[test]
    fn the_stored_text_has_five_ids_at_most_each_once() {
        let pinned = PinnedPosts::stored(Some("7 9 7 nonsense  8 1 2 3"));
        assert_eq!(pinned.to_string(), "7 9 8 1 2");
        assert_eq!(PinnedPosts::stored(Some(&pinned.to_string())), pinned);
        assert!(pinned.contains("8".parse().unwrap()));
        assert!(!pinned.contains("3".parse().unwrap()));
        assert_eq!(pinned.retained(|id| id.get() > 7).to_string(), "9 8");
        for text in [None, Some(""), Some("x")] {
            assert_eq!(PinnedPosts::stored(text), PinnedPosts::default());
        }
    }
}
