//! Events for open streams, the arrivals log, and reads of it.

use redwing::store::calls::ScriptCall;

use super::{
    Bench,
    bench::parse,
    calls::{follow, mirror_follow, unfollow, unmirror_follow},
};

const DELIVER: &str = "deliver home:{1} following:{1} active:{1} excluded:{1} reading:{1} arrivals:{1} live:{1} , DEADLINE '2 0 0'";
const LOOK: &str = "read_live arrivals:{1} home:{1} active:{1} profile:{1} user:{1} session:{1}:d auth:{1} notifications:{1} read_marker:{1} , e1 1767225600000";
const READ: &str = "read_home home:{1} active:{1} reading:{1} profile:{1} arrivals:{1} , -inf 31 2592000 0 1767225600000 30 ''";

/// A user with a session and a watched home, who follows 2.
const SCENE: &str = "
    HSET user:{1} id 1 login alice posts 1 followers 1 following 1
    HSET auth:{1} hash old epoch e1
    SET session:{1}:d x EX 100
    ZADD following:{1} 10 2
    ZADD followers:{1} 10 4
    ZADD notifications:{1} 10 follow:0:4
    ZADD profile:{1} -5 5
    ZADD home:{1} -5 5 -4 4
    SET active:{1} 0 EX 9000
    XADD arrivals:{1} 1767225600000-0 begun 1
    EXPIRE arrivals:{1} 3600
";

/// Each change that a stream shows.
const CHANGES: &[&str] = &[
    "deliver home:{1} following:{1} active:{1} excluded:{1} reading:{1} arrivals:{1} live:{1} , DEADLINE '2 0 0' 6 1000 7",
    "withdraw home:{1} active:{1} arrivals:{1} live:{1} , 500 4",
    "prune_timeline home:{1} following:{1} active:{1} excluded:{1} hidden_reposts:{1} followed_tags:{1} arrivals:{1} live:{1} , 500 '3 0 0' 4",
    "begin_rebuild home:{1} active:{1} user:{1} arrivals:{1} live:{1} , ab 60 wrong login 500",
    "file_status profile:{1} user:{1} home:{1} active:{1} arrivals:{1} live:{1} , DEADLINE 6 1000",
    "unfile_status profile:{1} user:{1} home:{1} arrivals:{1} live:{1} posts:{1} notifications:{1} , 5",
    "notify notifications:{1} read_marker:{1} user:{1} arrivals:{1} live:{1} , DEADLINE 1000 follow:0:9 7",
    "unnotify notifications:{1} read_marker:{1} arrivals:{1} live:{1} , DEADLINE 1000 follow:0:4 retracted",
    "read_notifications notifications:{1} read_marker:{1} arrivals:{1} live:{1} , ''",
    "recount_user user:{1} following:{1} followers:{1} profile:{1} arrivals:{1} live:{1} , 1",
];

/// Each typed call that is a change.
fn typed_changes() -> Vec<ScriptCall> {
    vec![
        (&follow(3)).into(),
        (&unfollow(2)).into(),
        (&mirror_follow(1, 3)).into(),
        (&unmirror_follow(1, 4)).into(),
    ]
}

/// Each end of sessions, which is always published.
const ENDS: &[&str] = &[
    "end_session session:{1}:d sessions:{1} live:{1} , d",
    "new_epoch auth:{1} live:{1} , DEADLINE e2",
    "set_password auth:{1} live:{1} , DEADLINE old new e2 e1",
];

fn scene() -> Bench {
    let mut redis = Bench::start();
    redis.given(SCENE);
    redis
}

/// Returns the number of published messages.
fn said(redis: &mut Bench) -> u64 {
    let stats = redis.run("INFO commandstats");
    let calls = stats.split("cmdstat_spublish:calls=").nth(1);
    calls.map_or(0, |calls| {
        let digits = calls.split(',').next().unwrap_or_default();
        digits.parse().expect("a number")
    })
}

#[test]
fn each_change_is_published_once_and_only_for_a_watched_home() {
    let as_text = CHANGES.iter().map(|line| parse(line));
    for change in as_text.chain(typed_changes()) {
        let mut redis = scene();
        let answer = redis.run_call(&change);
        assert!(!answer.starts_with("(error)"), "{change:?}: {answer}");
        assert_eq!(said(&mut redis), 1, "{change:?}");
        let mut redis = scene();
        redis.given("DEL arrivals:{1}");
        redis.run_call(&change);
        assert_eq!(said(&mut redis), 0, "{change:?}");
        assert_eq!(redis.run("EXISTS arrivals:{1}"), "0", "{change:?}");
    }
}

#[test]
fn a_rebuilt_home_is_published() {
    let mut redis = scene();
    redis.given("SET active:{1} building:ab:0 EX 60");
    redis.eval("finish_rebuild home:{1} active:{1} arrivals:{1} live:{1} , ab 0 9000 500");
    assert_eq!(said(&mut redis), 1);
}

#[test]
fn the_end_of_a_session_is_always_published() {
    for end in ENDS {
        let mut redis = scene();
        redis.given("DEL arrivals:{1}");
        redis.eval(end);
        assert_eq!(said(&mut redis), 1, "{end}");
    }
}

#[test]
fn nothing_is_published_without_a_change() {
    for idle in [
        "withdraw home:{1} active:{1} arrivals:{1} live:{1} , 500 77",
        "notify notifications:{1} read_marker:{1} user:{1} arrivals:{1} live:{1} , DEADLINE 1000 follow:0:4 7",
        "unnotify notifications:{1} read_marker:{1} arrivals:{1} live:{1} , DEADLINE 1000 follow:0:9 retracted",
        "read_notifications notifications:{1} read_marker:{1} arrivals:{1} live:{1} , prefetch",
        "set_password auth:{1} live:{1} , DEADLINE old rehashed ''",
    ] {
        let mut redis = scene();
        redis.eval(idle);
        assert_eq!(said(&mut redis), 0, "{idle}");
    }
    let mut redis = scene();
    redis.call(&follow(2));
    redis.call(&unfollow(3));
    assert_eq!(said(&mut redis), 0);
}

#[test]
fn a_delivery_is_logged_once_and_the_oldest_of_too_many_is_dropped() {
    let mut redis = scene();
    for _ in 0..2 {
        redis.eval(&format!("{DELIVER} 6 1000 7"));
    }
    assert_eq!(redis.run("XLEN arrivals:{1}"), "2");
    for id in 10..220 {
        redis.eval(&format!("{DELIVER} {id} 1000 7"));
    }
    assert_eq!(redis.run("XLEN arrivals:{1}"), "200");
}

#[test]
fn reading_the_first_page_starts_the_log_and_returns_its_position() {
    let mut redis = scene();
    redis.given("DEL arrivals:{1}");
    let answer = redis.eval(READ);
    let last = redis.run("XINFO STREAM arrivals:{1}");
    let begun = answer
        .trim_end_matches(']')
        .rsplit(", ")
        .next()
        .expect("an arrival");
    assert!(last.contains(begun), "{begun}: {last}");
    let ttl_ms = redis.ttl_ms("arrivals:{1}");
    assert!((3_590_000..=3_600_000).contains(&ttl_ms), "{ttl_ms}");
    // Older pages have no new statuses.
    let older = redis.eval(&READ.replace("-inf 31 2592000 0", "(-5 31 2592000 5"));
    assert!(older.ends_with("nil]"), "{older}");
}

#[test]
fn reading_a_log_extends_its_lifetime() {
    let mut redis = scene();
    redis.given("EXPIRE arrivals:{1} 1700");
    redis.eval(&format!("{LOOK} '' ''"));
    assert!(redis.ttl_ms("arrivals:{1}") > 3_590_000);
}

#[test]
fn a_read_counts_newer_statuses_that_still_exist() {
    let mut redis = scene();
    let look = format!("{LOOK} 1767225600000 0");
    assert_eq!(
        redis.eval(&look),
        "[exactly, [1, 1, 1, 1], 1767225600000-0, 0]"
    );
    for id in [9, 8, 7] {
        redis.eval(&format!("{DELIVER} {id} 1000 7"));
    }
    redis.given("ZREM home:{1} 8");
    redis.eval(&format!("{DELIVER} 8 1000 7"));
    redis.given("ZREM home:{1} 7");
    let answer = redis.eval(&look);
    assert!(
        answer.starts_with("[exactly, ") && answer.ends_with(", 2]"),
        "{answer}"
    );
}

#[test]
fn a_log_that_is_too_short_counts_newer_statuses_of_others() {
    let mut redis = scene();
    // Written in the first second of the epoch of ids: 4096 ids per millisecond.
    redis.given(
        "ZADD home:{1} -8192000 8192000 -8192001 8192001\nZADD profile:{1} -8192001 8192001",
    );
    for (since, number) in [
        ("1767225600001 0", "1"),
        ("1767225599999 5", "2"),
        ("0 0", "0"),
    ] {
        redis.given("DEL arrivals:{1}");
        let answer = redis.eval(&format!("{LOOK} {since}"));
        assert!(
            answer.starts_with("[about, ") && answer.ends_with(&format!(", {number}]")),
            "{since}: {answer}"
        );
    }
}

#[test]
fn a_read_finds_no_entry_of_a_home_under_construction_and_reports_a_dormant_one() {
    let mut redis = scene();
    redis.given("SET active:{1} building:ab:0 EX 60");
    let look = format!("{LOOK} 1767225600000 0");
    assert_eq!(redis.eval(&look), "[counts, [1, 1, 1, 1]]");
    redis.given("DEL active:{1} home:{1}");
    let answer = redis.eval(&look);
    assert!(
        answer.starts_with("[about, ") && answer.ends_with(", 0]"),
        "{answer}"
    );
}

#[test]
fn an_ended_session_sees_nothing() {
    for end in [
        "DEL session:{1}:d",
        "HSET auth:{1} epoch e2",
        "DEL auth:{1}",
    ] {
        let mut redis = scene();
        redis.given(end);
        assert_eq!(
            redis.eval(&format!("{LOOK} '' ''")),
            "[session_ended]",
            "{end}"
        );
    }
}
