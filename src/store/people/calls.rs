//! The calls of the scripts of accounts.

use crate::store::redis::script_call::script_calls;

script_calls! {
    BeginRename = "begin_rename"(
        user, auth;
        deadline_ms: u64, login: String, token: String, interval_ms: u64, max_former: usize, session_epoch: String
    );
    CancelRename = "cancel_rename"(user; login: String, token: String);
    ChangeAccount = "change_account"(
        user, auth, channel;
        deadline_ms: u64, change: &'static str, value: String, new_epoch: String, session_epoch: String
    );
    ClaimUser = "claim_user"(
        user, auth, active_mark;
        deadline_ms: u64, user_id: u64, login: String, name: String, signup_ms: u64, password_hash: String,
        epoch: String, idempotency_key: String, mark_ttl_s: u64, admission: String, role: &'static str,
        application: String, end_ms: u64, newcomer: &'static str
    );
    CopyLogin = "copy_login"(user, auth;);
    CommitLogin = "commit_login"(login; deadline_ms: u64, user_id: u64);
    EditUser = "edit_user"(
        user, auth;
        deadline_ms: u64, changes: &'static str, name: String, expected_name: String, bio: String,
        expected_bio: String, session_epoch: String
    );
    FinishDeletion = "finish_deletion"(
        user, [others: Vec<String>];
        deadline_ms: u64, now_ms: u64, connection_count: usize
    );
    FinishRename = "finish_rename"(
        user, auth, channel;
        deadline_ms: u64, login: String, token: String, redirect_ms: u64, session_epoch: String
    );
    FreeLogin = "free_login"(login; deadline_ms: u64, user_id: u64);
    NewEpoch = "new_epoch"(auth, channel; deadline_ms: u64, epoch: String, session_epoch: String);
    ReserveLogin = "reserve_login"(login; user_id: u64);
    SetChoice = "set_choice"(
        user, auth; deadline_ms: u64, field: &'static str, value: &'static str, session_epoch: String
    );
    RemoveUser = "remove_user"(user, auth, active_mark; now_ms: u64);
    SetPassword = "set_password"(
        auth, channel, recovery;
        deadline_ms: u64, old_hash: String, new_hash: String, new_epoch: String, session_epoch: String
    );
    TakeOverRename = "take_over_rename"(user; deadline_ms: u64, login: String);
    WaitForSweep = "wait_for_sweep"(waiting; now_ms: u64, user_id: u64);
}
