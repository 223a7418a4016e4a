//! The calls of the scripts of relations.

use crate::store::{
    notifications::calls::{NotificationKeys, NotifiedKeys},
    redis::script_call::{key_groups, script_calls},
};

key_groups! {
    /// A user who is a source of timelines. One with a count is notified.
    SourceUser(user: String, received_replies: String, notified: Option<NotifiedKeys>);

    /// The user or status with the count. A user loses the notification.
    CountedRecord(record: String, notified: Option<NotificationKeys>);
}

script_calls! {
    SetRelation = "set_relation"(
        relation, user, auth, arrivals, channel, blocked, blocked_by, [other: Option<String>];
        deadline_ms: u64, member: String, limit: usize, session_epoch: String, count_field: &'static str,
        person: String, role: &'static str, age_ms: u64
    );
    SetProtectiveRelation = "set_protective_relation"(
        relation, user, auth;
        deadline_ms: u64, member: String, limit: usize, session_epoch: String
    );
    MirrorBlock = "mirror_block"(blocked_by, user; deadline_ms: u64, member: u64);
    ClearRelation = "clear_relation"(
        relation, user, auth, arrivals, channel, block, [dependents: Vec<String>];
        deadline_ms: u64, member: String, session_epoch: String, count_field: &'static str,
        hash_count: usize, block_member: String, block_score: String
    );
    MirrorSource = "mirror_source"(
        mirror, statuses, [user: Option<SourceUser>];
        deadline_ms: u64, member: String, max_statuses: usize, count_field: &'static str,
        notification: String, max_notifications: usize, age_ms: u64
    );
    MirrorRelation = "mirror_relation"(
        mirror, status;
        deadline_ms: u64, member: String, count_field: &'static str, score: String
    );
    UnmirrorRelation = "unmirror_relation"(
        mirror, [record: Option<CountedRecord>];
        deadline_ms: String, member: String, count_field: &'static str, score: String,
        notification: String, max_notifications: usize
    );
}
