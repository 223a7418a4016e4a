//! The invariants of the data model, one module an invariant or a family about the same keys. A module
//! states the claim, the keys that it examines, the wording of its faults, and their repairs.
//!
//! A new invariant is a new module and its line in the table.

mod chats;
mod counts;
mod deliveries;
mod groups;
mod keys;
mod lists;
mod moderation;
mod people;
mod prelude;
mod profiles;
mod reading;
mod scores;
mod source_data;
mod statuses;
mod tasks;
mod timelines;

use self::{
    people::{
        administration, author_preferences, blocks, follow_requests, follows, invitations, leaving,
        logins, mutes, notifications, pinned_posts, suggestions, tag_follows,
    },
    statuses::{favourites, indexes, newest_posts, polls, post_bytes, replies, reposts, search},
};
use super::{
    examination::{Examination, Group},
    fault::{Fault, Invariant, Subject},
};
use crate::store::{Error, Result};

impl Invariant {
    /// Returns all invariants in the order of the report.
    pub fn all() -> &'static [Self] {
        ALL
    }
}

/// Each module with its invariants. All sorted sets are checked for [`scores`] as well.
macro_rules! table {
    ($($module:ident: $($invariant:ident),+;)+) => {
        const ALL: &[Invariant] = &[$($($module::$invariant,)+)+ scores::SCORES_ARE_IN_ORDER];

        /// Examines a target for every invariant. An unreadable value of a single thing is a fault.
        pub(super) async fn examine(exam: &mut Examination<'_>, group: &Group) -> Result<()> {
            $(let examined = $module::examine(exam).await;
            if let Err(Error::Unexpected { answer, .. }) = &examined
                && let Some(single) = group.single()
            {
                exam.found(unreadable(single, answer));
            } else {
                examined?;
            })+
            Ok(())
        }
    };
}

table! {
    logins: LOGINS_MATCH_USERS;
    source_data: SOURCE_DATA_IS_COMPLETE;
    follows: FOLLOWS_MIRROR;
    follow_requests: REQUESTS_MIRROR;
    counts: COUNTS_MATCH;
    profiles: PROFILES_ARE_COMPLETE;
    pinned_posts: PINNED_POSTS_ARE_OWN;
    timelines: HOMES_ARE_COMPLETE, LIST_TIMELINES_ARE_COMPLETE;
    lists: LIST_MEMBERSHIPS_MIRROR;
    favourites: FAVOURITES_MIRROR;
    reposts: REPOSTS_MIRROR;
    tag_follows: TAG_FOLLOWS_MIRROR;
    indexes: TAG_INDEX_IS_COMPLETE, MENTION_INDEX_IS_COMPLETE, GROUP_TIMELINES_ARE_COMPLETE;
    newest_posts: NEWEST_POSTS_ARE_CURRENT;
    replies: REPLIES_MIRROR;
    polls: POLLS_MATCH_BALLOTS;
    post_bytes: POST_BYTES_MATCH;
    suggestions: SUGGESTIONS_ARE_CURRENT;
    leaving: LEAVING_IS_SCHEDULED, APPLICANTS_ARE_QUEUED, RESTRICTIONS_ARE_COPIED;
    keys: KEYS_ARE_KNOWN, LIFETIMES_MATCH;
    tasks: TASKS_RUN, NO_TASK_WAS_GIVEN_UP;
    deliveries: DELIVERIES_HAVE_TASKS;
    reading: READING_PROGRESS_IS_VALID;
    search: SEARCH_INDEX_IS_COMPLETE;
    author_preferences: PREFERENCES_ARE_OF_FOLLOWED;
    blocks: BLOCKS_MIRROR, BLOCKS_SEPARATE;
    mutes: MUTED_ARE_USERS, MUTES_ARE_VALID;
    notifications: NOTIFICATIONS_ARE_TRUE;
    administration: ADMIN_LOG_IS_READABLE, ACTS_ARE_COUNTED;
    invitations: INVITED_MIRROR;
    chats: CHATS_MIRROR, CHATS_ARE_COUNTED;
    groups: GROUP_MEMBERSHIPS_MIRROR, GROUPS_ARE_CONSISTENT, GROUPS_ARE_LISTED;
    moderation: CASES_ARE_QUEUED, ROLES_MIRROR, POST_MARKS_MATCH, MEASURES_ARE_IN_FORCE, REPORTS_ARE_READABLE;
}

/// Returns the fault of a value that does not have its documented form.
pub(super) fn unreadable((subject, name): (Subject, String), answer: &str) -> Fault {
    let text = format!("{name} cannot be read");
    Fault::new(source_data::SOURCE_DATA_IS_COMPLETE, subject, text).detail(answer)
}
