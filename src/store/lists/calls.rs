//! The calls of the scripts of lists.

use crate::store::redis::script_call::script_calls;

script_calls! {
    AddMember = "add_member"(
        lists, members, excluded, home, active_mark, following, auth, followed_tags, home_groups, blocked,
        blocked_by;
        deadline_ms: u64, owner_id: u64, list_number: u64, member: u64, limit: usize, session_epoch: String
    );
    ClearList = "clear_list"(lists, members; list_number: u64);
    CreateList = "create_list"(
        lists, idempotency_key, user, auth;
        deadline_ms: u64, name: String, digest: String, key_ttl_s: u64, limit: usize, session_epoch: String
    );
    DeleteList = "delete_list"(
        lists, members, excluded, home, active_mark, list_timeline, list_active_mark, auth;
        deadline_ms: u64, owner_id: u64, list_number: u64, session_epoch: String
    );
    EditList = "edit_list"(
        lists, members, excluded, home, active_mark, auth;
        deadline_ms: u64, owner_id: u64, list_number: u64, name: String, expected_name: String,
        exclusive: &'static str, session_epoch: String
    );
    RemoveMember = "remove_member"(
        lists, members, excluded, home, active_mark, following, auth, followed_tags, home_groups, block;
        deadline_ms: u64, owner_id: u64, list_number: u64, member: u64, session_epoch: String, block_member: String,
        block_score: String
    );
}
