//! Calls of the scripts of relations, on the keys of users 1 and 2, of status 5 and of the tag birds. Also
//! the lists of calls that the rules try.

use redwing::{
    domain::UserId,
    store::calls::{
        AcceptRequest, ClearRelation, CountedRecord, MirrorBlock, MirrorRelation, MirrorSource,
        NotificationKeys, NotifiedKeys, ScriptCall, SetMute, SetProtectiveRelation, SetRelation,
        SourceUser, UnmirrorRelation,
    },
};

use super::{
    groups::{
        add_group_notice, change_membership, clear_group, delete_group, drop_notifications_of,
        edit_group, found_group, list_group, log_group_act, manage_member, mark_noticed,
        mirror_tie, raise_activity,
    },
    lists::{add_member, create_list, delete_list, edit_list, remove_member},
    messages::{change_member, change_message, delete_chat, expire, mirror, rename, reserve, send},
    newest_posts::add_newest,
    notifications::{notify, unnotify},
    people::{
        add_reset_link, appeal, begin_export, begin_rename, change_account, change_site,
        claim_case, claim_device, claim_invitation, claim_site, claim_user, commit_login,
        confirm_device, decide, drop_reports, edit_user, end_decision, end_session,
        finish_deletion, finish_device, finish_rename, free_login, handle_case, log_act,
        make_invitation, mark_post, new_epoch, note_report, offer_device, recover_account, report,
        reserve_login, revoke_invitation, save_session, set_choice, set_password,
        set_recovery_codes, set_zone, take_over_rename,
    },
    search::{enter_name, enter_posting, leave_name, leave_posting},
    statuses::{
        bury, cast_ballot, claim, create, detach, draw, edit, file, hide, hold, narrow, note_pass,
        pin, place, record, remove_post, set_control, unpin,
    },
    tag_index::{add, add_mention, set_use},
    timelines::{deliver, importance::set_preference, merge, note_shown},
};

/// A deadline that is never reached, and one that has passed.
pub const DEADLINE: u64 = 99_999_999_999_999;
pub const PAST: u64 = 1;

/// A time beyond all others (µs).
const FOREVER_US: u64 = 9_000_000_000_000_000;

/// The largest number of notifications.
const KEPT: usize = 1000;

pub fn user(id: u64) -> UserId {
    UserId::new(id).expect("in range")
}

/// User 1 sets a relation that is not counted.
pub fn set(relation: &str, member: &str) -> SetRelation {
    SetRelation {
        relation: relation.into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        blocked: "blocked:{1}".into(),
        blocked_by: "blocked_by:{1}".into(),
        other: None,
        deadline_ms: DEADLINE,
        member: member.into(),
        limit: 9,
        session_epoch: String::new(),
        count_field: "",
        person: String::new(),
        role: "",
        age_ms: 0,
    }
}

/// User 1 blocks another user.
pub fn block(person: u64) -> SetProtectiveRelation {
    SetProtectiveRelation {
        relation: "blocked:{1}".into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        deadline_ms: DEADLINE,
        member: person.to_string(),
        limit: 2,
        session_epoch: String::new(),
    }
}

/// The mirror of a block of user 1.
pub fn mirror_block(by: u64) -> MirrorBlock {
    MirrorBlock {
        blocked_by: "blocked_by:{1}".into(),
        user: "user:{1}".into(),
        deadline_ms: DEADLINE,
        member: by,
    }
}

/// User 1 asks to follow another user.
pub fn ask(person: u64) -> SetRelation {
    SetRelation {
        other: Some("following:{1}".into()),
        role: "prevents",
        person: person.to_string(),
        ..set("requested:{1}", &person.to_string())
    }
}

/// User 2 accepts the request of user 1.
pub fn accept_request() -> AcceptRequest {
    AcceptRequest {
        following: "following:{1}".into(),
        requested: "requested:{1}".into(),
        user: "user:{1}".into(),
        notifications: "notifications:{1}".into(),
        read_marker: "read_marker:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        muted: "muted:{1}".into(),
        blocked: "blocked:{1}".into(),
        blocked_by: "blocked_by:{1}".into(),
        deadline_ms: DEADLINE,
        person: 2,
        limit: 2,
        notification: "accepted:0:2".into(),
        max_notifications: 9,
    }
}

/// User 1 clears a relation that is not counted.
pub fn clear(relation: &str, member: &str) -> ClearRelation {
    ClearRelation {
        relation: relation.into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        block: "blocked:{1}".into(),
        dependents: Vec::new(),
        deadline_ms: DEADLINE,
        member: member.into(),
        session_epoch: String::new(),
        count_field: "",
        hash_count: 0,
        block_member: String::new(),
        block_score: String::new(),
    }
}

/// User 1 follows another user.
pub fn follow(followed: u64) -> SetRelation {
    SetRelation {
        count_field: "following",
        person: followed.to_string(),
        other: Some("requested:{1}".into()),
        role: "replaced",
        ..set("following:{1}", &followed.to_string())
    }
}

/// User 1 unfollows another user.
pub fn unfollow(followed: u64) -> ClearRelation {
    ClearRelation {
        dependents: vec!["author_preferences:{1}".into(), "hidden_reposts:{1}".into()],
        count_field: "following",
        hash_count: 1,
        ..clear("following:{1}", &followed.to_string())
    }
}

/// User 1 hides the reposts of another user.
pub fn hide_reposts(of: u64) -> SetRelation {
    SetRelation {
        other: Some("following:{1}".into()),
        role: "required",
        ..set("hidden_reposts:{1}", &of.to_string())
    }
}

/// User 1 mutes another user for so many microseconds; 0 lifts the mute.
pub fn mute(person: u64, term_us: u64) -> SetMute {
    SetMute {
        muted: "muted:{1}".into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        deadline_ms: DEADLINE,
        member: person.to_string(),
        limit: 2,
        session_epoch: String::new(),
        term_us,
        max_bytes: 0,
        removable_us: FOREVER_US,
    }
}

/// The mirror of a follow of this user.
pub fn mirror_follow(of: u64, follower: u64) -> MirrorSource {
    MirrorSource {
        mirror: format!("followers:{{{of}}}"),
        user: Some(SourceUser {
            notified: Some(NotifiedKeys::of(user(of))),
            ..source_user(of)
        }),
        member: follower.to_string(),
        count_field: "followers",
        notification: format!("follow:0:{follower}"),
        ..mirror_membership(of, "")
    }
}

/// The mirror of the membership of this user in a list.
pub fn mirror_membership(of: u64, list: &str) -> MirrorSource {
    MirrorSource {
        mirror: format!("list_memberships:{{{of}}}"),
        statuses: format!("profile:{{{of}}}"),
        user: Some(source_user(of)),
        ..mirror_tag_follow(list)
    }
}

fn source_user(id: u64) -> SourceUser {
    SourceUser {
        user: format!("user:{{{id}}}"),
        received_replies: format!("received_replies:{{{id}}}"),
        notified: None,
    }
}

/// The mirror of a follow of the tag birds.
pub fn mirror_tag_follow(follower: &str) -> MirrorSource {
    MirrorSource {
        mirror: "tag_followers:{birds}".into(),
        statuses: "tag_index:{birds}".into(),
        user: None,
        deadline_ms: DEADLINE,
        member: follower.into(),
        max_statuses: 10,
        count_field: "",
        notification: String::new(),
        max_notifications: KEPT,
        age_ms: 0,
    }
}

/// Removes the mirror of a follow of this user.
pub fn unmirror_follow(of: u64, follower: u64) -> UnmirrorRelation {
    UnmirrorRelation {
        record: Some(CountedRecord {
            record: format!("user:{{{of}}}"),
            notified: Some(NotificationKeys::of(user(of))),
        }),
        count_field: "followers",
        notification: format!("follow:0:{follower}"),
        ..unmirror(&format!("followers:{{{of}}}"), &follower.to_string())
    }
}

/// Removes a mirror that is not counted.
pub fn unmirror(mirror: &str, member: &str) -> UnmirrorRelation {
    UnmirrorRelation {
        mirror: mirror.into(),
        record: None,
        deadline_ms: DEADLINE.to_string(),
        member: member.into(),
        count_field: "",
        score: String::new(),
        notification: String::new(),
        max_notifications: KEPT,
    }
}

/// The mirror of a favourite of status 5.
pub fn mirror_favourite(by: u64) -> MirrorRelation {
    MirrorRelation {
        mirror: "favourited_by:{5}".into(),
        status: "status:{5}".into(),
        deadline_ms: DEADLINE,
        member: by.to_string(),
        count_field: "favourite_count",
        score: String::new(),
    }
}

/// Removes the mirror of a favourite of status 5.
pub fn unmirror_favourite(by: u64) -> UnmirrorRelation {
    UnmirrorRelation {
        record: Some(CountedRecord {
            record: "status:{5}".into(),
            notified: None,
        }),
        count_field: "favourite_count",
        ..unmirror("favourited_by:{5}", &by.to_string())
    }
}

/// The mirror of a repost of status 5.
pub fn mirror_repost(by: u64, id: u64) -> MirrorRelation {
    MirrorRelation {
        mirror: "reposted_by:{5}".into(),
        count_field: "repost_count",
        score: format!("-{id}"),
        ..mirror_favourite(by)
    }
}

/// Removes the mirror of a repost of status 5, however late.
pub fn unmirror_repost(by: u64, id: u64) -> UnmirrorRelation {
    UnmirrorRelation {
        mirror: "reposted_by:{5}".into(),
        deadline_ms: String::new(),
        count_field: "repost_count",
        score: format!("-{id}"),
        ..unmirror_favourite(by)
    }
}

/// A call of each script with a deadline, in the scene of `rules/deadlines.rs`.
pub fn with_deadlines() -> Vec<ScriptCall> {
    let mut calls = durable();
    calls.retain(|call| call.argument_names.first() == Some(&"deadline_ms"));
    calls.extend([
        (&enter_posting("word", 6, 0)).into(),
        (&leave_posting("word", 5, 0)).into(),
        (&enter_name(&["bob 2"])).into(),
        (&leave_name(&["bobby 2"])).into(),
        (&free_login("ghost", 11)).into(),
        (&take_over_rename(11, "Robin")).into(),
        (&offer_device(1, "link")).into(),
        (&claim_device(11, "link", "device")).into(),
        (&confirm_device(11, "123456")).into(),
        (&finish_device(12, "device")).into(),
        (&begin_export(1, "token")).into(),
        (&note_pass(5, 7, "")).into(),
        (&mirror(7, 1)).into(),
        (&delete_chat()).into(),
        (&reserve("chat", 2)).into(),
        (&file(6)).into(),
        (&add(5, 1)).into(),
        (&add_newest(5)).into(),
        // The use of an id of long ago would be removed at once.
        (&set_use(9_007_199_254_740_001, 1, 1)).into(),
        (&add_mention(1, 6)).into(),
        (&notify("favourite:5:4")).into(),
        (&unnotify("follow:0:4", "retracted")).into(),
        (&place(6, "reply")).into(),
        (&record(6)).into(),
        (&hold(6, 7)).into(),
        (&deliver("7 0 0", 6)).into(),
        (&note_shown(5, 9, &[])).into(),
        (&merge(7, 0, &[("7 0 0", 6)])).into(),
        (&mirror_block(3)).into(),
        (&mirror_favourite(2)).into(),
        (&mirror_repost(1, 7)).into(),
        (&unmirror_favourite(1)).into(),
        (&mirror_tag_follow("1")).into(),
        (&mirror_follow(1, 3)).into(),
        (&unmirror_follow(1, 4)).into(),
        (&handle_case(9)).into(),
        (&add_group_notice("notice", 5)).into(),
        (&clear_group()).into(),
        (&drop_notifications_of("follow:0:")).into(),
        (&list_group(7, 5)).into(),
        (&mark_noticed()).into(),
        (&mirror_tie(7, "member")).into(),
        (&raise_activity(50)).into(),
        (&mark_post("1", "Spiders")).into(),
        (&mark_post("1", "Spiders")).into(),
    ]);
    calls
}

/// A call of each durable script, in the scenes of `rules/deadlines.rs` and `rules/confirmations.rs`.
pub fn durable() -> Vec<ScriptCall> {
    vec![
        (&set("favourites:{1}", "6")).into(),
        (&set("followed_tags:{1}", "birds")).into(),
        (&follow(3)).into(),
        (&hide_reposts(2)).into(),
        (&clear("favourites:{1}", "5")).into(),
        (&unfollow(2)).into(),
        (&ask(3)).into(),
        (&AcceptRequest {
            person: 9,
            limit: 9,
            ..accept_request()
        })
            .into(),
        (&add_member(4, 3)).into(),
        (&remove_member(4, 2)).into(),
        (&create_list("Birds", "ab")).into(),
        (&edit_list(4, "0")).into(),
        (&delete_list(4)).into(),
        (&set_preference(2, "more")).into(),
        (&mute(2, 9)).into(),
        (&block(9)).into(),
        (&claim_user(9)).into(),
        (&commit_login("bob", 9)).into(),
        (&begin_rename(1, "Robin")).into(),
        (&finish_rename(11, "Robin")).into(),
        (&edit_user(1, "Name", "Bio")).into(),
        (&set_choice(1, "default_visibility", "members")).into(),
        (&set_zone(1, "Asia/Kolkata")).into(),
        (&set_password(1, "old", "new")).into(),
        (&log_act("entry")).into(),
        (&make_invitation("new")).into(),
        (&revoke_invitation("code")).into(),
        (&claim_invitation("code", 9)).into(),
        (&claim_site(9)).into(),
        (&send(1, "new")).into(),
        (&change_member(2, "mute", 0)).into(),
        (&change_message(1, 1, "delete")).into(),
        (&rename(1, "Boats")).into(),
        (&expire(9)).into(),
        (&change_site(&[["name", "", "Harbour"]])).into(),
        (&set_recovery_codes(1, &["digest"])).into(),
        (&add_reset_link(1, "digest", 9)).into(),
        (&recover_account(1, "code")).into(),
        (&new_epoch(1)).into(),
        (&change_account(1, "suspend", "Spam.")).into(),
        (&reserve_login("hal", 8)).into(),
        (&finish_deletion(8)).into(),
        (&save_session(1, "d", 1)).into(),
        (&end_session(1, "d")).into(),
        (&cast_ballot(7, 1, 2)).into(),
        (&draw("n", "ab")).into(),
        (&create(6)).into(),
        (&bury(5, 1)).into(),
        (&edit(7, "hello")).into(),
        (&narrow(7, "hi", "followers:2")).into(),
        (&set_control(5, 1, ("followers", ""))).into(),
        (&hide(8, "1")).into(),
        (&detach(8, 1)).into(),
        (&remove_post(8, 3, "entry")).into(),
        (&claim(6)).into(),
        (&pin(5)).into(),
        (&unpin(4)).into(),
        (&report("2:5")).into(),
        (&drop_reports(9, "2:5")).into(),
        (&note_report("e1")).into(),
        (&claim_case(7)).into(),
        (&decide("a", "warn")).into(),
        (&end_decision("{}", "")).into(),
        (&appeal("please")).into(),
        (&change_membership(2, "leave")).into(),
        (&manage_member(1, 2, "mute")).into(),
        (&found_group("boats")).into(),
        (&edit_group("Owls")).into(),
        (&delete_group("1")).into(),
        (&log_group_act("act")).into(),
    ]
}
