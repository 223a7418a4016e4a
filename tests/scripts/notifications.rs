//! The notification log: additions, removals, and the read marker.

use redwing::{
    domain::{Bundle, Notification},
    store::calls::{
        LoadSession, NotificationKeys, NotifiedKeys, Notify, ReadNotifications, Unnotify,
    },
};

use super::{
    Bench,
    calls::{DEADLINE, mirror_follow, mirror_membership, unmirror, unmirror_follow, user},
    statuses::unfile,
};

const MINUTE_MS: u64 = 60_000;
/// A score beyond the clock.
const AHEAD: u64 = 9_000_000_000_000_000;

/// User 1 is notified of an old event.
pub fn notify(notification: &str) -> Notify {
    Notify {
        user: "user:{1}".into(),
        muted_texts: "muted_texts:{1}".into(),
        muted_conversations: "muted_conversations:{1}".into(),
        keys: NotifiedKeys::of(user(1)),
        deadline_ms: DEADLINE,
        max_notifications: 1000,
        notification: notification.into(),
        at_us: 7,
        decided_by: String::new(),
    }
}

/// User 1 is notified of an event in the future.
fn notify_ahead(notification: &str) -> Notify {
    Notify {
        at_us: AHEAD,
        ..notify(notification)
    }
}

/// Takes a notification of user 1 back.
pub fn unnotify(notification: &str, reason: &'static str) -> Unnotify {
    Unnotify {
        keys: NotificationKeys::of(user(1)),
        deadline_ms: DEADLINE.to_string(),
        max_notifications: 1000,
        notification: notification.into(),
        reason,
    }
}

/// User 1 reads the notifications.
pub fn read(mode: &'static str) -> ReadNotifications {
    ReadNotifications {
        keys: NotificationKeys::of(user(1)),
        mode,
        part: "first",
    }
}

fn alice() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login alice");
    redis
}

/// Returns the unread count of a session.
fn unread(redis: &mut Bench) -> u64 {
    let answer = redis.call(&LoadSession {
        session: "session:{1}:d".into(),
        auth: "auth:{1}".into(),
        notifications: "notifications:{1}".into(),
        read_marker: "read_marker:{1}".into(),
        requests: "requests:{1}".into(),
        unread_chats: "unread_chats:{1}".into(),
    });
    // The restriction of the account, its changed login, two other numbers and the time zone come last.
    let number = answer.trim_end_matches(']').rsplit(", ").nth(5);
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

#[test]
fn a_repeated_notification_is_stored_once_and_keeps_its_place() {
    let mut redis = alice();
    assert_eq!(redis.call(&notify("favourite:5:2")), "notified");
    assert_eq!(redis.call(&notify("favourite:5:3")), "notified");
    let before = redis.everything();
    assert_eq!(redis.call(&notify("favourite:5:2")), "unchanged");
    assert_eq!(redis.everything(), before);
}

/// Adds these numbers of favourites of posts from 1 on by these senders, oldest first, in a log of 20.
fn given_favourites(redis: &mut Bench, sent: &[(u64, u64)]) {
    let mut score = 0;
    for (sender, count) in sent {
        for post in 1..=*count {
            score += 1;
            redis.run(&format!(
                "ZADD notifications:{{1}} {score} favourite:{post}:{sender}"
            ));
        }
    }
}

/// User 1, whose log takes 20, is notified at this time.
fn notify_of_20(notification: &str, at_us: u64) -> Notify {
    Notify {
        max_notifications: 20,
        at_us,
        ..notify(notification)
    }
}

#[test]
fn in_a_full_log_a_sender_displaces_own_notifications_only() {
    let mut redis = alice();
    given_favourites(&mut redis, &[(7, 1), (8, 2), (9, 17)]);
    for post in 101..=140 {
        let answer = redis.call(&notify_of_20(&format!("favourite:{post}:9"), AHEAD));
        assert_eq!(answer, "notified", "{post}");
    }
    let log = redis.run("ZRANGE notifications:{1} 0 -1");
    assert!(log.starts_with("[favourite:1:7, favourite:1:8, favourite:2:8, favourite:124:9,"));
    assert_eq!(redis.run("ZCARD notifications:{1}"), "20");
    // Another sender takes the place of the one with too many, and the oldest of all stays.
    assert_eq!(redis.call(&notify_of_20("follow:0:6", AHEAD)), "notified");
    let log = redis.run("ZRANGE notifications:{1} 0 -1");
    assert!(log.starts_with("[favourite:1:7, favourite:1:8, favourite:2:8, favourite:125:9,"));
}

#[test]
fn in_a_full_log_of_many_senders_the_oldest_notification_goes() {
    let mut redis = alice();
    let senders: Vec<(u64, u64)> = (1..=10).map(|sender| (sender, 2)).collect();
    given_favourites(&mut redis, &senders);
    assert_eq!(
        redis.call(&notify_of_20("favourite:9:99", AHEAD)),
        "notified"
    );
    assert_eq!(redis.run("ZCARD notifications:{1}"), "20");
    assert_eq!(redis.run("ZRANGE notifications:{1} 0 0"), "[favourite:2:1]");
}

#[test]
fn a_notification_that_a_sender_displaced_does_not_return() {
    let mut redis = alice();
    given_favourites(&mut redis, &[(7, 1), (9, 19)]);
    assert_eq!(
        redis.call(&notify_of_20("favourite:101:9", AHEAD)),
        "notified"
    );
    let before = redis.everything();
    // It was the second of all, and the first of its sender.
    assert_eq!(redis.call(&notify_of_20("favourite:1:9", 2)), "unchanged");
    assert_eq!(redis.everything(), before);
    // Another sender's event of that time was never in the log.
    assert_eq!(redis.call(&notify_of_20("favourite:1:8", 2)), "notified");
}

/// Returns the number of calls of a command so far.
fn call_count(redis: &mut Bench, command: &str) -> u64 {
    let stats = redis.run("INFO commandstats");
    let calls = stats.split(&format!("cmdstat_{command}:calls=")).nth(1);
    let digits = calls.and_then(|calls| calls.split(',').next());
    digits.map_or(0, |digits| digits.parse().expect("a number"))
}

/// Only a read of the whole log looks up which senders are followed.
#[test]
fn a_full_log_is_read_once_for_many_new_notifications() {
    let mut redis = alice();
    // Too many to be read completely.
    let followed: Vec<String> = (2000..4000).map(|id| format!("{id} {id}")).collect();
    redis.given(&format!("ZADD following:{{1}} {}", followed.join(" ")));
    for by in 1..=1000 {
        redis.call(&notify_ahead(&format!("favourite:5:{by}")));
    }
    assert_eq!(call_count(&mut redis, "zmscore"), 0);
    for by in 1001..=1082 {
        let answer = redis.call(&notify_ahead(&format!("favourite:5:{by}")));
        assert_eq!(answer, "notified", "{by}");
    }
    assert_eq!(call_count(&mut redis, "zmscore"), 2);
    // An event that may have been removed is compared with the log.
    assert_eq!(redis.call(&notify("favourite:5:1")), "unchanged");
    assert_eq!(call_count(&mut redis, "zmscore"), 3);
}

/// The rest of a log of 1000 after the removal of what is beyond the limit.
#[test]
fn a_sender_far_above_the_share_loses_all_places_that_are_removed_at_once() {
    let mut redis = alice();
    given_favourites(&mut redis, &[(7, 100), (8, 100), (9, 800)]);
    assert_eq!(redis.call(&notify_ahead("follow:0:6")), "notified");
    assert_eq!(redis.run("ZCARD notifications:{1}"), "960");
    let log = redis.run("ZRANGE notifications:{1} 0 -1");
    let count_of = |sender: u64| log.matches(&format!(":{sender},")).count();
    assert_eq!((count_of(7), count_of(8), count_of(9)), (100, 100, 759));
    assert!(!log.contains("favourite:41:9,") && log.contains("favourite:42:9,"));
}

#[test]
fn a_missing_user_gets_no_notification() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} gone 5");
    let before = redis.everything();
    assert_eq!(redis.call(&notify("favourite:5:2")), "unchanged");
    assert_eq!(redis.everything(), before);
    redis.call(&mirror_follow(1, 3));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_read_and_removed_notification_returns_to_its_place_as_read() {
    let mut redis = alice();
    for by in [2, 3] {
        redis.call(&notify(&format!("favourite:5:{by}")));
    }
    let before = redis.call(&read(""));
    assert_eq!(
        redis.call(&unnotify("favourite:5:2", "retracted")),
        "removed"
    );
    assert_eq!(
        redis.call(&unnotify("favourite:5:2", "retracted")),
        "unchanged"
    );
    let seen = redis.call(&read(""));
    assert!(!seen.contains("favourite:5:2"), "{seen}");
    assert_eq!(redis.call(&notify("favourite:5:2")), "unchanged");
    assert_eq!(redis.call(&read("")), before);
    assert_eq!(unread(&mut redis), 0);
}

#[test]
fn an_unread_or_unrepeatable_notification_is_removed_for_good() {
    let mut redis = alice();
    redis.call(&notify("favourite:5:2"));
    assert_eq!(
        redis.call(&unnotify("favourite:5:2", "retracted")),
        "removed"
    );
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    redis.call(&notify("reply:5:2"));
    redis.call(&read(""));
    assert_eq!(redis.call(&unnotify("reply:5:2", "gone")), "removed");
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_thousand_removed_notifications_are_remembered_and_use_no_space_of_others() {
    let mut redis = alice();
    for by in 1..=1000 {
        redis.call(&notify_ahead(&format!("favourite:5:{by}")));
    }
    redis.call(&read(""));
    for by in 1..=1000 {
        redis.call(&unnotify(&format!("favourite:5:{by}"), "retracted"));
    }
    assert_eq!(redis.run("ZCOUNT notifications:{1} -inf (0"), "1000");
    for by in 1..=1001 {
        redis.call(&notify_ahead(&format!("favourite:6:{by}")));
    }
    redis.call(&read(""));
    assert_eq!(redis.run("ZCARD notifications:{1}"), "1960");
    assert_eq!(redis.run("ZSCORE notifications:{1} favourite:6:1"), "nil");
    redis.call(&unnotify("favourite:6:77", "retracted"));
    assert_eq!(redis.run("ZCOUNT notifications:{1} -inf (0"), "1000");
    assert_eq!(
        redis.run("ZSCORE notifications:{1} favourite:5:1"),
        "nil",
        "the oldest"
    );
    assert_eq!(redis.call(&notify_ahead("favourite:5:2")), "unchanged");
}

#[test]
fn a_thousand_are_stored_and_removed_ones_are_not_repeated() {
    let mut redis = alice();
    for by in 1..=1000 {
        redis.call(&notify_ahead(&format!("favourite:5:{by}")));
    }
    assert_eq!(redis.run("ZCARD notifications:{1}"), "1000");
    for by in 1001..=1003 {
        assert_eq!(
            redis.call(&notify_ahead(&format!("favourite:5:{by}"))),
            "notified"
        );
    }
    assert_eq!(redis.run("ZCARD notifications:{1}"), "962");
    assert_eq!(redis.run("ZSCORE notifications:{1} favourite:5:41"), "nil");
    assert_ne!(redis.run("ZSCORE notifications:{1} favourite:5:42"), "nil");
    let before = redis.everything();
    assert_eq!(redis.call(&notify("favourite:5:3")), "unchanged");
    assert_eq!(redis.everything(), before);
}

#[test]
fn new_notifications_are_above_the_read_marker_even_with_a_slow_clock() {
    let mut redis = alice();
    redis.given(&format!(
        "HSET read_marker:{{1}} read {AHEAD} before 0 at 1"
    ));
    for by in [2, 3] {
        redis.call(&notify(&format!("favourite:5:{by}")));
    }
    assert_eq!(unread(&mut redis), 1, "one line");
    let rows = redis.run("ZRANGE notifications:{1} 0 -1 WITHSCORES");
    let (one, two) = (AHEAD + 1, AHEAD + 2);
    assert_eq!(
        rows,
        format!("[favourite:5:2, {one}, favourite:5:3, {two}]")
    );
}

#[test]
fn a_new_follower_is_notified_with_the_mirror_and_once() {
    let mut redis = alice();
    redis.call(&mirror_follow(1, 3));
    let before = redis.everything();
    redis.call(&mirror_follow(1, 3));
    assert_eq!(redis.everything(), before);
    assert_eq!(unread(&mut redis), 1);
    redis.call(&unmirror_follow(1, 3));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
    redis.call(&mirror_follow(1, 3));
    redis.call(&read(""));
    redis.call(&unmirror_follow(1, 3));
    redis.call(&mirror_follow(1, 3));
    assert_eq!(unread(&mut redis), 0, "it was read");
}

#[test]
fn a_list_membership_is_not_notified() {
    let mut redis = alice();
    redis.call(&mirror_membership(1, "2:1"));
    redis.call(&unmirror("list_memberships:{1}", "2:1"));
    assert_eq!(redis.run("EXISTS notifications:{1}"), "0");
}

#[test]
fn a_deleted_status_removes_its_own_notifications_only() {
    for others in [0, 400] {
        let mut redis = alice();
        for by in 2..=3 {
            for kind in [
                "favourite:5",
                "repost:5",
                "favourite:55",
                "follow:0",
                "reply:5000",
            ] {
                redis.call(&notify(&format!("{kind}:{by}")));
            }
        }
        for by in 0..others {
            redis.call(&notify(&format!("favourite:{}:5", 100 + by)));
        }
        redis.call(&unfile(5));
        assert_eq!(
            redis.run("ZCARD notifications:{1}"),
            (6 + others).to_string()
        );
        for gone in ["favourite:5:2", "repost:5:3"] {
            let score = redis.run(&format!("ZSCORE notifications:{{1}} {gone}"));
            assert_eq!(score, "nil", "{gone}");
        }
    }
}

#[test]
fn a_visit_marks_all_as_read_and_a_prefetch_nothing() {
    let mut redis = alice();
    for post in 2..=4 {
        redis.call(&notify(&format!("favourite:{post}:9")));
    }
    assert_eq!(unread(&mut redis), 3);
    let before = redis.everything();
    let seen = redis.call(&read("prefetch"));
    assert!(seen.starts_with("[0, [favourite:4:9, "), "{seen}");
    assert_eq!(redis.everything(), before);
    assert_eq!(redis.call(&read("")), seen);
    assert_eq!(unread(&mut redis), 0);
}

/// The unread count and the page make the same lines, also at the end of a day.
#[test]
fn the_unread_count_is_the_number_of_lines() {
    const DAY_US: u64 = 86_400_000_000;
    let noon = 20_000 * DAY_US + DAY_US / 2;
    let log = [
        (noon - DAY_US / 2 - 1, "follow:0:2"),
        (noon - DAY_US / 2, "follow:0:3"),
        (noon, "follow:0:4"),
        (noon + 1, "favourite:5:2"),
        (noon + 2, "favourite:5:3"),
        (noon + 3, "repost:5:3"),
        (noon + 4, "favourite:55:3"),
        (noon + 5, "reply:6:3"),
        (noon + 6, "reply:7:3"),
        (noon + DAY_US / 2 - 1, "follow:0:5"),
        (noon + DAY_US / 2, "follow:0:6"),
    ];
    let mut redis = alice();
    for (at, notification) in log {
        redis.given(&format!("ZADD notifications:{{1}} {at} {notification}"));
    }
    for read in 0..=log.len() {
        let above =
            |(at, notification): &(u64, &str)| (notification.parse().expect("a notification"), *at);
        let unread_entries: Vec<(Notification, u64)> =
            log[read..].iter().rev().map(above).collect();
        let marker = read.checked_sub(1).map_or(0, |last| log[last].0);
        redis.given(&format!("HSET read_marker:{{1}} read {marker}"));
        let lines = Bundle::all(&unread_entries).len() as u64;
        assert_eq!(unread(&mut redis), lines, "after {read} entries");
    }
}

#[test]
fn new_notifications_stay_new_for_a_minute() {
    let mut redis = alice();
    redis.call(&notify("follow:0:2"));
    let first = redis.call(&read(""));
    assert_eq!(redis.call(&read("")), first, "loaded again");
    redis.call(&notify("follow:0:3"));
    let more = redis.call(&read(""));
    assert!(more.starts_with("[0, [follow:0:3, "), "{more}");
    let at: u64 = redis.run("HGET read_marker:{1} at").parse().expect("ms");
    redis.given(&format!("HSET read_marker:{{1}} at {}", at - MINUTE_MS));
    let marker = redis.run("HGET read_marker:{1} read");
    let later = redis.call(&read(""));
    assert!(later.starts_with(&format!("[{marker}, ")), "{later}");
    assert_eq!(redis.call(&read("")), later, "loaded again");
}

#[test]
fn later_pages_show_what_is_new_for_fifteen_minutes() {
    let mut redis = alice();
    redis.call(&notify("follow:0:2"));
    redis.call(&read(""));
    let shown_at: u64 = redis.run("HGET read_marker:{1} at").parse().expect("ms");
    let marker = redis.run("HGET read_marker:{1} read");
    for (minutes, score) in [(14, "0"), (15, marker.as_str())] {
        let at = shown_at - minutes * MINUTE_MS;
        redis.given(&format!("HSET read_marker:{{1}} at {at}"));
        let later = ReadNotifications {
            part: "later",
            ..read("prefetch")
        };
        let seen = redis.call(&later);
        assert!(seen.starts_with(&format!("[{score}, ")), "{seen}");
    }
}

#[test]
fn reading_again_writes_nothing() {
    let mut redis = alice();
    redis.call(&notify("follow:0:2"));
    redis.call(&read(""));
    redis.given("HSET read_marker:{1} at 1");
    let before = redis.everything();
    redis.call(&read(""));
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_visit_from_before_the_clock_was_set_back_is_stored_again() {
    let mut redis = alice();
    redis.given("HSET read_marker:{1} read 0 before 0 at 99999999999999");
    redis.call(&read(""));
    let at: u64 = redis.run("HGET read_marker:{1} at").parse().expect("ms");
    assert!(at < 99_999_999_999_999);
}

#[test]
fn the_read_marker_never_falls() {
    let mut redis = alice();
    redis.given(&format!(
        "HSET read_marker:{{1}} read {AHEAD} before 0 at 1"
    ));
    redis.given("ZADD notifications:{1} 10 follow:0:4");
    redis.call(&read(""));
    assert_eq!(redis.run("HGET read_marker:{1} read"), AHEAD.to_string());
}

#[test]
fn notifications_are_readable_while_redis_refuses_writes() {
    let mut redis = alice();
    redis.call(&notify("follow:0:2"));
    redis.given("CONFIG SET maxmemory 1");
    let seen = redis.call(&read(""));
    assert!(seen.starts_with("[0, [follow:0:2, "), "{seen}");
    assert_eq!(unread(&mut redis), 1);
}
