//! The scripts of groups, on the group 7 of user 1 with the member 2.

use std::time::{SystemTime, UNIX_EPOCH};

use redwing::store::calls::{
    AddGroupNotice, ChangeMembership, ClearGroup, DeleteGroup, DropNotificationsOf, EditGroup,
    FoundGroup, GroupKeys, ListGroup, LogGroupAct, LoggedGroupKeys, ManageMember, MarkNoticed,
    MirrorMembership, RaiseActivity,
};

use super::{Bench, calls::DEADLINE};

/// The group 7, and the group 9 whose deletion has begun.
pub const SCENE: &str = "
    HSET group:{7} slug birds name Birds kind public readers everyone joining open past whole owner 1 members 2
    HSET group:{9} slug gone gone 5
    ZADD group:{7}:members 10 1 11 2
    HSET group:{7}:roles 1 owner
    ZADD group:{7}:home 10 1 11 2
";

fn key(of: &str) -> String {
    format!("group:{{7}}{of}")
}

fn tied() -> GroupKeys {
    GroupKeys {
        group: key(""),
        members: key(":members"),
        roles: key(":roles"),
        home: key(":home"),
        notified: key(":notified"),
        muted: key(":muted"),
        banned: key(":banned"),
        requests: key(":requests"),
        invited: key(":invited"),
        inviters: key(":inviters"),
    }
}

fn logged() -> LoggedGroupKeys {
    let (tied, log) = (tied(), key(":log"));
    LoggedGroupKeys { tied, log }
}

pub fn change_membership(person: u64, change: &'static str) -> ChangeMembership {
    ChangeMembership {
        keys: logged(),
        deadline_ms: DEADLINE,
        person,
        change,
        delivery: "page",
        max_members: 3,
        max_requests: 1,
        max_acts: 3,
        token: "t".into(),
        tie_to_undo: String::new(),
        age_ms: 0,
    }
}

pub fn manage_member(actor: u64, person: u64, change: &'static str) -> ManageMember {
    ManageMember {
        keys: logged(),
        deadline_ms: DEADLINE,
        actor,
        person,
        change,
        until_ms: 99,
        entry: format!("{actor} {change} {person}"),
        max_members: 3,
        max_invitations: 1,
        max_moderators: 1,
        max_bans: 1,
        max_acts: 3,
        removable_ms: DEADLINE,
        age_ms: 0,
    }
}

pub fn found_group(slug: &str) -> FoundGroup {
    let key = |of: &str| format!("group:{{8}}{of}");
    FoundGroup {
        group: key(""),
        members: key(":members"),
        roles: key(":roles"),
        home: key(":home"),
        notified: key(":notified"),
        log: key(":log"),
        deadline_ms: DEADLINE,
        founder: 1,
        slug: slug.into(),
        digest: "d1".into(),
        entry: "founded".into(),
        age_ms: 0,
        fields: ["name", "Boats"].map(str::to_owned).into(),
    }
}

pub fn edit_group(name: &str) -> EditGroup {
    EditGroup {
        group: key(""),
        roles: key(":roles"),
        log: key(":log"),
        deadline_ms: DEADLINE,
        actor: 1,
        name: name.into(),
        expected_name: String::new(),
        entry: format!("named {name}"),
        max_acts: 3,
        max_former: 2,
        fields: ["unlisted", "", ""].map(str::to_owned).into(),
    }
}

pub fn delete_group(actor: &str) -> DeleteGroup {
    DeleteGroup {
        group: key(""),
        roles: key(":roles"),
        deadline_ms: DEADLINE,
        actor: actor.into(),
    }
}

pub fn log_group_act(entry: &str) -> LogGroupAct {
    LogGroupAct {
        group: key(""),
        log: key(":log"),
        deadline_ms: DEADLINE,
        entry: entry.into(),
        max_acts: 3,
    }
}

pub fn clear_group() -> ClearGroup {
    let key = |of: &str| format!("group:{{9}}{of}");
    ClearGroup {
        group: key(""),
        members: key(":members"),
        requests: key(":requests"),
        invited: key(":invited"),
        others: vec![key(":log")],
        deadline_ms: DEADLINE,
    }
}

pub fn mark_noticed() -> MarkNoticed {
    MarkNoticed {
        group: key(""),
        deadline_ms: DEADLINE,
        at_us: 9,
    }
}

pub fn list_group(group: u64, active_us: u64) -> ListGroup {
    ListGroup {
        groups_listed: "groups:listed".into(),
        deadline_ms: DEADLINE,
        group,
        active_us,
        mode: "put",
    }
}

/// Notes an activity of the group 7 that must be 10 µs later.
pub fn raise_activity(active_us: u64) -> RaiseActivity {
    RaiseActivity {
        group: key(""),
        deadline_ms: DEADLINE,
        active_us,
        least_us: 10,
    }
}

#[test]
fn the_activity_of_a_group_rises_in_steps_and_only_a_group_of_the_directory_moves_there() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    for (active_us, answer, stored) in [
        (50, "raised", "50"),
        (59, "unchanged", "50"),
        (60, "raised", "60"),
        (5, "unchanged", "60"),
    ] {
        assert_eq!(redis.call(&raise_activity(active_us)), answer);
        assert_eq!(redis.run("HGET group:{7} active"), stored);
    }
    let gone = RaiseActivity {
        group: "group:{9}".into(),
        ..raise_activity(70)
    };
    assert_eq!(redis.call(&gone), "unchanged");
    let moved = |active_us| ListGroup {
        mode: "move",
        ..list_group(7, active_us)
    };
    redis.call(&moved(70));
    assert_eq!(redis.run("EXISTS groups:listed"), "0");
    redis.call(&list_group(7, 5));
    redis.call(&moved(70));
    assert_eq!(redis.run("ZSCORE groups:listed 7"), "70");
}

pub fn mirror_tie(group: u64, state: &'static str) -> MirrorMembership {
    MirrorMembership {
        user: "user:{1}".into(),
        memberships: "memberships:{1}".into(),
        home_groups: "home_groups:{1}".into(),
        asked_groups: "asked_groups:{1}".into(),
        group_invitations: "group_invitations:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        deadline_ms: DEADLINE,
        group: group.to_string(),
        state,
        at_us: 10 + group,
        is_home: 1,
        max_groups: 2,
        max_waiting: 1,
    }
}

pub fn add_group_notice(notice: &str, at_us: u64) -> AddGroupNotice {
    AddGroupNotice {
        user: "user:{1}".into(),
        group_notices: "group_notices:{1}".into(),
        deadline_ms: DEADLINE,
        notice: notice.into(),
        at_us,
        max_notices: 2,
    }
}

pub fn drop_notifications_of(beginning: &str) -> DropNotificationsOf {
    DropNotificationsOf {
        notifications: "notifications:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        deadline_ms: DEADLINE,
        beginnings: vec![beginning.into()],
    }
}

fn bench() -> Bench {
    let mut redis = Bench::start();
    redis.given(SCENE);
    redis
}

#[test]
fn a_person_joins_by_the_rule_of_the_group() {
    let mut redis = bench();
    for _ in 0..2 {
        assert_eq!(redis.call(&change_membership(3, "join")), "done");
    }
    assert_eq!(redis.run("HGET group:{7} members"), "3");
    assert_eq!(redis.call(&change_membership(4, "join")), "full");
    redis.given("HSET group:{7} joining request");
    assert_eq!(redis.call(&change_membership(4, "join")), "done");
    assert_eq!(redis.run("HGET group:{7} requests"), "1");
    assert_eq!(redis.call(&change_membership(5, "join")), "too_many");
    assert_eq!(redis.call(&change_membership(4, "withdraw")), "done");
    redis.given("HSET group:{7} joining invitation");
    assert_eq!(redis.call(&change_membership(4, "join")), "closed");
    redis.given("HSET group:{7} unlisted 1");
    assert_eq!(redis.call(&change_membership(4, "join")), "not_found");
    redis.given("HSET group:{7} gone 5");
    assert_eq!(redis.call(&change_membership(2, "leave")), "not_found");
}

#[test]
fn only_the_tie_that_was_refused_is_taken_back() {
    let mut redis = bench();
    redis.given("HSET group:{7} joining request");
    assert_eq!(redis.call(&change_membership(4, "join")), "done");
    let undo = |tie_to_undo: String| ChangeMembership {
        tie_to_undo,
        ..change_membership(4, "undo")
    };
    let asked = redis.run("ZSCORE group:{7}:requests 4");
    // The owner accepts before the refused request is taken back.
    assert_eq!(redis.call(&manage_member(1, 4, "accept")), "done");
    assert_eq!(redis.call(&undo(format!("asked {asked}"))), "done");
    let joined = redis.run("ZSCORE group:{7}:members 4");
    assert_ne!(joined, "nil");
    let member = format!("member {joined} member home 0");
    assert_eq!(redis.call(&undo(member)), "done");
    assert_eq!(redis.run("ZSCORE group:{7}:members 4"), "nil");
}

#[test]
fn the_owner_stays_until_the_account_is_gone_and_then_the_first_moderator_inherits() {
    let mut redis = bench();
    redis.given("HSET group:{7}:roles 3 moderator");
    redis.given("ZADD group:{7}:members 12 3");
    assert_eq!(redis.call(&change_membership(1, "leave")), "owner");
    assert_eq!(redis.call(&change_membership(1, "go")), "done");
    assert_eq!(redis.run("HGET group:{7} owner"), "3");
    assert_eq!(redis.run("HGET group:{7}:roles 3"), "owner");
    assert_eq!(redis.call(&change_membership(2, "go")), "done");
    assert_eq!(redis.call(&change_membership(3, "go")), "deserted");
    assert_eq!(redis.run("HEXISTS group:{7} gone"), "1");
}

#[test]
fn a_delivery_and_an_inheritance_are_dated_back() {
    const DAY_MS: u64 = 86_400_000;
    let mut redis = bench();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let yesterday_us = now.expect("a time").as_micros() - u128::from(DAY_MS) * 1000;
    assert_eq!(redis.call(&change_membership(2, "deliver")), "done");
    for (person, change) in [(2, "deliver"), (1, "go")] {
        let dated_back = ChangeMembership {
            delivery: "home",
            age_ms: 2 * DAY_MS,
            ..change_membership(person, change)
        };
        assert_eq!(redis.call(&dated_back), "done");
    }
    for set in [":home", ":log"] {
        let dated_back = format!("ZCOUNT {} 100 {yesterday_us}", key(set));
        assert_eq!(redis.run(&dated_back), "1", "{set}");
    }
}

#[test]
fn powers_are_checked_in_the_step_that_acts() {
    let mut redis = bench();
    redis.given("ZADD group:{7}:members 12 3");
    for change in ["remove", "ban", "mute", "invite", "offer", "promote"] {
        assert_eq!(
            redis.call(&manage_member(2, 3, change)),
            "not_found",
            "{change}"
        );
        assert_eq!(
            redis.call(&manage_member(9, 3, change)),
            "not_found",
            "{change}"
        );
    }
    assert_eq!(redis.call(&manage_member(1, 2, "promote")), "done");
    assert_eq!(redis.call(&manage_member(1, 3, "promote")), "too_many");
    assert_eq!(redis.call(&manage_member(2, 1, "ban")), "unchanged");
    assert_eq!(redis.call(&manage_member(2, 3, "offer")), "not_found");
    assert_eq!(redis.call(&manage_member(2, 3, "ban")), "done");
    assert_eq!(
        redis.call(&manage_member(2, 3, "ban")),
        "done",
        "the same entry again"
    );
    assert_eq!(redis.call(&manage_member(1, 3, "invite")), "banned");
    assert_eq!(redis.call(&manage_member(1, 4, "ban")), "too_many");
    assert_eq!(redis.call(&manage_member(1, 4, "invite")), "done");
    assert_eq!(redis.call(&manage_member(1, 5, "invite")), "too_many");
    assert_eq!(redis.run("ZCARD group:{7}:log"), "3", "the oldest acts go");
}

#[test]
fn a_user_has_at_most_so_many_groups_and_waiting_ones() {
    let mut redis = bench();
    redis.given("HSET user:{1} login alice");
    for group in [7, 8] {
        assert_eq!(redis.call(&mirror_tie(group, "member")), "done");
    }
    assert_eq!(redis.call(&mirror_tie(9, "member")), "too_many");
    assert_eq!(redis.call(&mirror_tie(8, "member")), "done", "it is there");
    assert_eq!(redis.call(&mirror_tie(9, "asked")), "done");
    assert_eq!(redis.call(&mirror_tie(5, "asked")), "too_many");
    assert_eq!(redis.call(&mirror_tie(8, "none")), "done");
    assert_eq!(redis.run("ZRANGE home_groups:{1} 0 -1"), "[7]");
    redis.given("HDEL user:{1} login");
    assert_eq!(redis.call(&mirror_tie(6, "invited")), "deleted");
}

#[test]
fn an_edit_keeps_what_it_does_not_change_and_an_unlisted_group_invites() {
    let mut redis = bench();
    redis.call(&found_group("boats"));
    let stored = |redis: &mut Bench| redis.run("HMGET group:{7} name joining unlisted former");
    let edit = |[field, value]: [&str; 2]| EditGroup {
        fields: [field, "", value].map(str::to_owned).into(),
        entry: [field, value].concat(),
        ..edit_group("")
    };
    for (fields, expected) in [
        (["joining", "request"], "[Birds, request, nil, nil]"),
        (["unlisted", "1"], "[Birds, invitation, 1, nil]"),
        (["joining", "request"], "[Birds, invitation, 1, nil]"),
        (["unlisted", ""], "[Birds, invitation, nil, nil]"),
    ] {
        assert_eq!(redis.call(&edit(fields)), "done");
        assert_eq!(stored(&mut redis), expected);
    }
}

#[test]
fn a_form_founds_one_group_and_names_are_remembered_for_the_search() {
    let mut redis = bench();
    assert_eq!(redis.call(&found_group("boats")), "founded");
    assert_eq!(redis.call(&found_group("boats")), "founded");
    assert_eq!(redis.call(&found_group("ships")), "conflict");
    let other_texts = FoundGroup {
        digest: "d2".into(),
        ..found_group("boats")
    };
    assert_eq!(redis.call(&other_texts), "conflict");
    for name in ["Owls", "Hawks", "Birds"] {
        assert_eq!(redis.call(&edit_group(name)), "done");
    }
    assert_eq!(redis.run("HGET group:{7} former"), "Hawks\nOwls");
    assert_eq!(redis.call(&delete_group("2")), "not_found");
    for actor in ["1", "host", "1"] {
        assert_eq!(redis.call(&delete_group(actor)), "deleted");
    }
    assert_eq!(redis.call(&clear_group()), "cleared");
    let absent = DeleteGroup {
        group: "group:{9}".into(),
        roles: "group:{9}:roles".into(),
        ..delete_group("host")
    };
    assert_eq!(redis.call(&absent), "not_found");
    assert_eq!(redis.run("HGETALL group:{9}"), "[gone, 5]");
    assert_eq!(redis.call(&clear_group()), "cleared", "again");
    for slug in ["gone", "ships"] {
        let key = |of: &str| format!("group:{{9}}{of}");
        let again = FoundGroup {
            group: key(""),
            members: key(":members"),
            roles: key(":roles"),
            home: key(":home"),
            notified: key(":notified"),
            log: key(":log"),
            ..found_group(slug)
        };
        assert_eq!(redis.call(&again), "conflict");
    }
    assert_eq!(redis.run("HGETALL group:{9}"), "[gone, 5]");
}
