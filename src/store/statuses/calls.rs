//! The calls of the scripts of statuses.

use crate::store::redis::script_call::script_calls;

script_calls! {
    BuryStatus = "bury_status"(
        status, favourited_by, ballots, versions, quotes, replies, gaps;
        deadline_ms: u64, user_id: u64, now_ms: u64, tombstone_ttl_s: u64, new_readers: String
    );
    CountTombstone = "count_tombstone"(user, post_bytes; status_id: u64, bytes: u64);
    CreateStatus = "create_status"(
        status;
        deadline_ms: u64, author_id: u64, idempotency_key: String,
        [fields: Vec<(&'static str, String)>]
    );
    DrawStatus = "draw_status"(
        user, idempotency_key, auth, profile, post_bytes;
        digest: String, key_ttl_s: u64, random_bits: u32, epoch_ms: u64, refused_id: String,
        session_epoch: String, above: u64, extra_bytes: u64, base_bytes: u64, quota_bytes: u64,
        visibility: &'static str, age_ms: u64
    );
    EditStatus = "edit_status"(
        status, versions;
        deadline_ms: u64, user_id: u64, edit_window_ms: u64, max_edits: u64, base_revision: u64,
        new_message: String, new_warning: String, beyond_base_bytes: i64, new_readers: String,
        waits: &'static str, age_ms: u64, [fields: Vec<(&'static str, String)>]
    );
    FileStatus = "file_status"(
        profile, user, home, active_mark, arrivals, channel, post_bytes, [posts: Option<String>];
        deadline_ms: u64, status_id: u64, home_size: usize, extra_bytes: u64
    );
    NarrowStatus = "narrow_status"(
        status;
        deadline_ms: u64, user_id: u64, edit_window_ms: u64, base_revision: u64, message: String,
        warning: String, new_readers: String, [fields: Vec<(&'static str, String)>]
    );
    NarrowTombstone = "narrow_tombstone"(status; user_id: u64, new_readers: String);
    NotePass = "note_pass"(status; deadline_ms: u64, delivered_to: u64, tags: String, readers: String);
    ReserveEdit = "reserve_edit"(
        profile, post_bytes;
        status_id: u64, extra_bytes: u64, base_bytes: u64, quota_bytes: u64
    );
    SetCountedBytes = "set_counted_bytes"(counted; found_sum: String, sum: u64);
    ShrinkTombstone = "shrink_tombstone"(status;);
    UnfileStatus = "unfile_status"(
        profile, user, home, arrivals, channel, posts, notifications, post_bytes;
        status_id: u64
    );
}
