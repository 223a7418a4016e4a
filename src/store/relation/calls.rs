//! The calls of the scripts of relations.

use crate::store::redis::script_call::script_calls;

script_calls! {
    SetRelation = SET_RELATION(
        relation: String, user: String, auth: String, arrivals: String, channel: String,
        required: Option<String>;
        deadline_ms: u64, member: String, limit: usize, session_epoch: String, count_field: &'static str
    );
    ClearRelation = CLEAR_RELATION(
        relation: String, user: String, auth: String, arrivals: String, channel: String,
        dependents: Vec<String>;
        deadline_ms: u64, member: String, session_epoch: String, count_field: &'static str,
        hash_count: usize
    );
    MirrorSource = MIRROR_SOURCE(
        mirror: String, statuses: String, user: Option<String>, received_replies: Option<String>,
        notifications: Option<String>, read_marker: Option<String>, arrivals: Option<String>,
        channel: Option<String>;
        deadline_ms: u64, member: String, max_statuses: usize, count_field: &'static str,
        notification: String, max_notifications: usize
    );
    MirrorRelation = MIRROR_RELATION(
        mirror: String, status: String;
        deadline_ms: u64, member: String, count_field: &'static str, score: String
    );
    UnmirrorRelation = UNMIRROR_RELATION(
        mirror: String, record: Option<String>, notifications: Option<String>,
        read_marker: Option<String>, arrivals: Option<String>, channel: Option<String>;
        deadline_ms: String, member: String, count_field: &'static str, score: String,
        notification: String, max_notifications: usize
    );
}
