//! The two views of a person's profile.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileView {
    /// Posts without replies.
    Posts,
    /// All statuses.
    PostsAndReplies,
}
