//! With full memory, scripts that only free memory, revoke access or keep the task queue going still run.
//! All other writes are refused.

use redwing::store::calls::ScriptCall;

use crate::scripts::{
    Bench,
    bench::{flags, names},
    calls::{clear, durable, follow, with_deadlines},
};

/// Every script with the flag `allow-oom`, and why it has it.
const ALLOWED: [(&str, &str); 90] = [
    ("add_outbox_entry", "a deletion begins with it"),
    (
        "add_reset_link",
        "restores access; replaces the link before",
    ),
    ("add_tasks", "the rest of a deletion is a task"),
    ("bury_status", "deletes a post"),
    ("cancel_rename", "ends a change that was not made"),
    ("change_account", "revokes access; people leave"),
    ("change_chat_member", "people leave conversations"),
    (
        "change_membership",
        "people leave groups; joining takes less than a rate limit",
    ),
    ("change_message", "deletes a message"),
    ("charge_rate_limit", "a log-in is counted; expires"),
    ("charge_reading", "a reading is counted; expires"),
    (
        "claim_device",
        "people log in to delete; has a fixed size and expires",
    ),
    ("clear_group", "deletes a group"),
    ("clear_list", "deletes the members of a deleted list"),
    ("clear_relation", "removes a relation"),
    (
        "confirm_device",
        "people log in to delete; has a fixed size and expires",
    ),
    ("copy_login", "repairs a copy; has a fixed size"),
    (
        "count_tombstone",
        "a deletion counts; takes less than the post",
    ),
    (
        "create_task_group",
        "a deletion can be the first task; has a fixed size",
    ),
    ("decide", "revokes access of people who do harm"),
    ("delete_chat", "deletes a chat"),
    ("delete_group", "deletes a group"),
    ("delete_list", "deletes a list"),
    ("detach_quote", "revokes access; has a fixed size"),
    (
        "drop_notifications_by",
        "removes notifications of a blocked person",
    ),
    ("drop_notifications_of", "removes notifications"),
    ("drop_posting", "removes entries of the index"),
    ("drop_reports", "deletes reports"),
    ("end_decision", "gives access back"),
    ("end_session", "revokes access"),
    ("expire_messages", "deletes messages"),
    ("finish_deletion", "deletes an account"),
    (
        "finish_device",
        "people log in to delete; the key is there and expires",
    ),
    ("finish_task", "removes a task; its successor is as large"),
    ("forget_former", "deletes a former text"),
    ("free_login", "deletes a claim"),
    ("handle_case", "a suspension ends with it; has a fixed size"),
    ("hide_reply", "revokes access; has a fixed size"),
    ("keep_site", "removes the settings from before a set-up"),
    ("leave_name", "removes entries of the index"),
    ("leave_posting", "removes entries of the index"),
    ("log_act", "an act that revokes access is logged before it"),
    (
        "log_group_act",
        "an act that removes a post is in the log; has a limit",
    ),
    ("manage_member", "removes and bans members of a group"),
    (
        "mark_noticed",
        "an act that revokes access ends with it; has a fixed size",
    ),
    ("mark_post", "revokes access to a post; has a bounded size"),
    (
        "mirror_block",
        "revokes access; has a fixed size and a limited number",
    ),
    (
        "mirror_chat",
        "leaving a conversation and deletions need it",
    ),
    ("mirror_membership", "leaving a group and deletions need it"),
    ("move_due", "moves entries of the task queue"),
    (
        "narrow_status",
        "revokes access; the text and its bytes stay",
    ),
    (
        "narrow_tombstone",
        "a deletion keeps replies private; has a fixed size",
    ),
    ("new_epoch", "revokes access"),
    ("note_clock", "deletions wait for it; has a fixed size"),
    ("note_network", "people log in to delete; has a limit"),
    (
        "offer_device",
        "people log in to delete; has a fixed size and expires",
    ),
    (
        "place_reply",
        "removes a reply; a new one is refused before",
    ),
    ("prune_timeline", "removes statuses from a timeline"),
    ("rank_followed", "an unfollow ranks; has a fixed size"),
    ("recover_account", "revokes access; replaces a hash"),
    (
        "release_invitation",
        "moves an entry back after a sign-up failed",
    ),
    ("release_lease", "removes a lease"),
    ("release_repost", "deletes a claim"),
    ("release_site", "takes back a set-up that failed"),
    ("remove_ballot", "removes a vote"),
    (
        "remove_group_post",
        "revokes access to a post; the act takes little",
    ),
    ("remove_index_entry", "removes entries of the index"),
    ("remove_member", "removes a member of a list"),
    ("remove_user", "deletes an account without a login"),
    ("repair_pinned", "removes wrong pinned posts"),
    (
        "reserve_login",
        "deletes an account; replaces a value by a shorter one",
    ),
    ("retire_consumer", "removes a consumer"),
    ("revive_task", "moves an entry of the task queue"),
    ("revoke_invitation", "revokes access"),
    ("save_session", "people log in to delete; expires"),
    ("set_choice", "an account becomes private; has a fixed size"),
    (
        "set_mute",
        "keeps others away; has a limited number and size",
    ),
    ("set_password", "revokes access; replaces a hash"),
    (
        "set_protective_relation",
        "revokes access; has a fixed size and a limited number",
    ),
    (
        "set_reply_control",
        "revokes access; replaces a short value",
    ),
    (
        "set_score",
        "deletions move members of mirrors; has a fixed size",
    ),
    ("shrink_tombstone", "removes tags of a deleted post"),
    ("take_lease", "a rewrite removes deleted texts; expires"),
    (
        "take_over_rename",
        "ends a change that was not made; has a fixed size",
    ),
    ("unfile_status", "removes a deleted post from its profile"),
    ("unmirror_relation", "removes the mirror of a relation"),
    ("unnotify", "removes a notification"),
    ("unpin_status", "removes a pinned post"),
    (
        "wait_for_sweep",
        "the rest of an account is deleted; has a fixed size",
    ),
    ("withdraw", "removes a deleted post from a timeline"),
];

#[test]
fn exactly_the_listed_scripts_run_with_full_memory() {
    let flagged = names().into_iter();
    let flagged: Vec<String> = flagged.filter(|name| flags(name).is_some()).collect();
    let allowed: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    assert_eq!(flagged, allowed);
    for name in flagged {
        assert_eq!(flags(&name).as_deref(), Some("allow-oom"), "{name}");
    }
}

/// The data that the calls need.
const SCENE: &str = "
    HSET user:{1} id 1 login alice name Alice posts 0 followers 0 following 1 last 5
    HSET user:{8} id 8 login hal name Hal leaving deleting
    HSET user:{11} id 11 login ivy name Ivy renaming 't Robin'
    SET login:{ghost} 11
    HSET device_log_in:{11} link link device device code 123456 epoch e1
    HSET auth:{12} epoch e1
    HSET device_log_in:{12} link link device device code 123456 epoch e1 confirmed 1
    HSET auth:{1} hash old epoch e1 idempotency_key n
    HSET recovery:{1} made 1 code 0
    ZADD invitations:{1} 99999999999999 code
    ZADD following:{1} 10 2
    ZADD followers:{1} 10 4
    HSET lists:{1} last 4 4 1:Boats
    ZADD list:{1}:4:members 10 2
    ZADD excluded:{1} 1 2
    SADD postings:{word}:0 5
    ZADD names:{b} 0 'bobby 2'
    HSET status:{5} id 5 uid 1 login alice message hi posted 1 idempotency_key n5
    HSET group:{7} slug birds name Birds kind public readers everyone joining open past whole owner 1 members 2
    HSET group:{9} slug gone gone 5
    ZADD group:{7}:members 10 1 11 2
    HSET group:{7}:roles 1 owner
";

/// Returns an answer on a Redis without memory left.
fn answer_when_full(call: &ScriptCall) -> String {
    let mut redis = Bench::start();
    redis.given(SCENE);
    redis.given("CONFIG SET maxmemory 1");
    redis.run_call(call)
}

#[test]
fn a_listed_script_runs_with_full_memory() {
    let calls = durable().into_iter().chain(with_deadlines());
    for call in calls.filter(|call| flags(call.script).is_some()) {
        let answer = answer_when_full(&call);
        assert!(!answer.starts_with("(error)"), "{call:?}: {answer}");
    }
    let answer = answer_when_full(&(&clear("following:{1}", "2")).into());
    assert_eq!(answer, "cleared");
}

#[test]
fn a_write_that_grows_is_refused_with_full_memory() {
    const GROWING: [&str; 7] = [
        "add_member",
        "claim_user",
        "create_list",
        "create_status",
        "draw_status",
        "enter_posting",
        "notify",
    ];
    for call in durable().into_iter().chain(with_deadlines()) {
        if GROWING.contains(&call.script) {
            let answer = answer_when_full(&call);
            assert!(answer.contains("OOM"), "{call:?}: {answer}");
        }
    }
    let answer = answer_when_full(&(&follow(3)).into());
    assert!(answer.contains("OOM"), "{answer}");
}
