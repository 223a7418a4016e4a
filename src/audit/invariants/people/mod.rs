//! Invariants of users and of the relations between them.

pub(super) mod administration;
pub(super) mod author_preferences;
pub(super) mod blocks;
pub(super) mod follow_requests;
pub(super) mod follows;
pub(super) mod invitations;
pub(super) mod leaving;
pub(super) mod logins;
pub(super) mod mutes;
pub(super) mod notifications;
pub(super) mod pinned_posts;
pub(super) mod suggestions;
pub(super) mod tag_follows;
