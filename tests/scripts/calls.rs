//! Calls of the scripts of relations, on the keys of users 1 and 2, of status 5 and of the tag birds.

use redwing::store::calls::{
    ChangeMember, ClearRelation, MirrorRelation, MirrorSource, ScriptCall, SetRelation,
    UnmirrorRelation,
};

/// A deadline that is never reached, and one that has passed.
pub const DEADLINE: u64 = 99_999_999_999_999;
pub const PAST: u64 = 1;

/// The largest number of notifications.
const KEPT: usize = 1000;

/// User 1 sets a relation that is not counted.
pub fn set(relation: &str, member: &str) -> SetRelation {
    SetRelation {
        relation: relation.into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        required: None,
        deadline_ms: DEADLINE,
        member: member.into(),
        limit: 9,
        session_epoch: String::new(),
        count_field: "",
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
        dependents: Vec::new(),
        deadline_ms: DEADLINE,
        member: member.into(),
        session_epoch: String::new(),
        count_field: "",
        hash_count: 0,
    }
}

/// User 1 follows another user.
pub fn follow(followed: u64) -> SetRelation {
    SetRelation {
        count_field: "following",
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
        required: Some("following:{1}".into()),
        ..set("hidden_reposts:{1}", &of.to_string())
    }
}

/// The mirror of a follow of this user.
pub fn mirror_follow(user: u64, follower: u64) -> MirrorSource {
    MirrorSource {
        notifications: Some(format!("notifications:{{{user}}}")),
        read_marker: Some(format!("read_marker:{{{user}}}")),
        arrivals: Some(format!("arrivals:{{{user}}}")),
        channel: Some(format!("live:{{{user}}}")),
        mirror: format!("followers:{{{user}}}"),
        member: follower.to_string(),
        count_field: "followers",
        notification: format!("follow:0:{follower}"),
        ..mirror_membership(user, "")
    }
}

/// The mirror of the membership of this user in a list.
pub fn mirror_membership(user: u64, list: &str) -> MirrorSource {
    MirrorSource {
        mirror: format!("list_memberships:{{{user}}}"),
        statuses: format!("profile:{{{user}}}"),
        user: Some(format!("user:{{{user}}}")),
        received_replies: Some(format!("received_replies:{{{user}}}")),
        ..mirror_tag_follow(list)
    }
}

/// The mirror of a follow of the tag birds.
pub fn mirror_tag_follow(follower: &str) -> MirrorSource {
    MirrorSource {
        mirror: "tag_followers:{birds}".into(),
        statuses: "tag_index:{birds}".into(),
        user: None,
        received_replies: None,
        notifications: None,
        read_marker: None,
        arrivals: None,
        channel: None,
        deadline_ms: DEADLINE,
        member: follower.into(),
        max_statuses: 10,
        count_field: "",
        notification: String::new(),
        max_notifications: KEPT,
    }
}

/// Removes the mirror of a follow of this user.
pub fn unmirror_follow(user: u64, follower: u64) -> UnmirrorRelation {
    UnmirrorRelation {
        record: Some(format!("user:{{{user}}}")),
        notifications: Some(format!("notifications:{{{user}}}")),
        read_marker: Some(format!("read_marker:{{{user}}}")),
        arrivals: Some(format!("arrivals:{{{user}}}")),
        channel: Some(format!("live:{{{user}}}")),
        count_field: "followers",
        notification: format!("follow:0:{follower}"),
        ..unmirror(&format!("followers:{{{user}}}"), &follower.to_string())
    }
}

/// Removes a mirror that is not counted.
pub fn unmirror(mirror: &str, member: &str) -> UnmirrorRelation {
    UnmirrorRelation {
        mirror: mirror.into(),
        record: None,
        notifications: None,
        read_marker: None,
        arrivals: None,
        channel: None,
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
        record: Some("status:{5}".into()),
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

/// Adds a member to a list of user 1 (change 1) or removes one (change -1).
pub fn change_member(list_number: u64, member: u64, change: i8) -> ChangeMember {
    ChangeMember {
        lists: "lists:{1}".into(),
        members: format!("list:{{1}}:{list_number}:members"),
        excluded: "excluded:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        following: "following:{1}".into(),
        auth: "auth:{1}".into(),
        followed_tags: "followed_tags:{1}".into(),
        deadline_ms: DEADLINE,
        owner_id: 1,
        list_number,
        member,
        change,
        limit: 3,
        session_epoch: "e1".into(),
    }
}

/// A call of each script with a deadline, in the scene of `rules/deadlines.rs`.
pub fn with_deadlines() -> Vec<ScriptCall> {
    let mut calls = durable();
    calls.extend([
        (&mirror_favourite(2)).into(),
        (&mirror_repost(1, 7)).into(),
        (&unmirror_favourite(1)).into(),
        (&mirror_tag_follow("1")).into(),
        (&mirror_follow(1, 3)).into(),
        (&unmirror_follow(1, 4)).into(),
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
        (&change_member(4, 3, 1)).into(),
        (&change_member(4, 2, -1)).into(),
    ]
}
