//! The calls of the scripts of sessions.

use crate::store::redis::script_call::script_calls;

script_calls! {
    EndSession = "end_session"(session, sessions, channel, device_log_in; digest: String);
    LoadSession = "load_session"(session, auth, notifications, read_marker, requests, unread_chats;);
    SaveSession = "save_session"(
        session, sessions, auth;
        epoch: String, digest: String, state: String, ttl_s: u64, now_ms: u64, max_sessions: usize
    );
    SetZone = "set_zone"(auth; deadline_ms: u64, zone: String, session_epoch: String);
}
