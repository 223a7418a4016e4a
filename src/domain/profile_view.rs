//! The two views of a person's profile.

/// Which of their statuses a profile shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileView {
    /// What they posted, without answers.
    Posts,
    /// All.
    PostsAndReplies,
}
