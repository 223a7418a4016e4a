//! Every write: outbox entry, source of truth, derived copies, removal of the entry. The web, the worker,
//! the seed, `redwing admin` and the audit call the same actions.

pub mod accounts;
pub mod groups;
pub mod messages;
pub mod moderation;
mod notifications;
mod operations;
pub mod people;
mod prelude;
pub mod reconcile;
pub mod search;
pub mod statuses;
mod timelines;

use self::statuses::{derived_copies, index_entries};
pub use self::{
    accounts::{
        account_deletion, account_states, administration, approvals, device_log_ins, invitations,
        passwords, recovery, rename,
    },
    notifications::notify_group_pass,
    people::{blocks, follow_requests, follows, muted_texts, mutes, people_files},
    statuses::{
        bookmarks, edits, favourites, muted_conversations, pinned_posts, polls, replies,
        reply_control, reposts,
    },
    timelines::{fan_out, homes, importance, lists, tag_follows},
};
