//! Events for open streams, the arrivals log, and reads of it.

use redwing::{
    domain::StatusId,
    store::calls::{ReadHome, ReadLive, ScriptCall},
};

use super::{
    Bench,
    calls::{follow, mirror_follow, mute, unfollow, unmirror_follow},
    notifications::{notify, read, unnotify},
    people::{end_session, new_epoch, rehash_password, set_password},
    repairs::recount_user,
    statuses::{file, unfile},
    timelines::{
        deliver, prune,
        rebuilds::{begin, finish},
        visit, withdraw,
    },
};

/// Reads for a stream of user 1 whose page includes the arrivals up to this one, or shows no home.
fn read_live(since: Option<(u64, u64)>) -> ReadLive {
    read_all(&[("d", since)])
}

/// Reads for streams of user 1, each of a session and a page.
fn read_all(streams: &[(&str, Option<(u64, u64)>)]) -> ReadLive {
    let text = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let arguments = |(_, since): &(&str, Option<(u64, u64)>)| {
        let (ms, number) = (since.map(|since| since.0), since.map(|since| since.1));
        ["e1".to_owned(), text(ms), text(number)]
    };
    let session = |(digest, _): &(&str, _)| format!("session:{{1}}:{digest}");
    ReadLive {
        arrivals: "arrivals:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        profile: "profile:{1}".into(),
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        notifications: "notifications:{1}".into(),
        read_marker: "read_marker:{1}".into(),
        muted: "muted:{1}".into(),
        blocked: "blocked:{1}".into(),
        blocked_by: "blocked_by:{1}".into(),
        muted_texts: "muted_texts:{1}".into(),
        unread_chats: "unread_chats:{1}".into(),
        sessions: streams.iter().map(session).collect(),
        epoch_ms: StatusId::EPOCH_MS,
        streams: streams.iter().flat_map(arguments).collect(),
    }
}

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
fn changes() -> Vec<ScriptCall> {
    vec![
        (&follow(3)).into(),
        (&unfollow(2)).into(),
        (&mirror_follow(1, 3)).into(),
        (&unmirror_follow(1, 4)).into(),
        (&recount_user()).into(),
        (&deliver("2 0 0", 6)).into(),
        (&withdraw(4)).into(),
        (&prune(&[("3 0 0", 4)])).into(),
        (&begin("wrong", 500)).into(),
        (&mute(2, 9)).into(),
        (&file(6)).into(),
        (&unfile(5)).into(),
        (&notify("follow:0:9")).into(),
        (&unnotify("follow:0:4", "retracted")).into(),
        (&read("")).into(),
    ]
}

/// Each end of sessions, which is always published.
fn ends() -> [ScriptCall; 3] {
    [
        (&end_session(1, "d")).into(),
        (&new_epoch(1)).into(),
        (&set_password(1, "old", "new")).into(),
    ]
}

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
    for change in changes() {
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
    redis.given("SET active:{1} building:abc:0 EX 60");
    redis.call(&finish(0, 500));
    assert_eq!(said(&mut redis), 1);
}

#[test]
fn the_end_of_a_session_is_always_published() {
    for end in ends() {
        let mut redis = scene();
        redis.given("DEL arrivals:{1}");
        redis.run_call(&end);
        assert_eq!(said(&mut redis), 1, "{end:?}");
    }
}

#[test]
fn nothing_is_published_without_a_change() {
    let mut redis = scene();
    redis.call(&follow(2));
    redis.call(&unfollow(3));
    redis.call(&rehash_password(1, "old", "rehashed"));
    redis.call(&withdraw(77));
    redis.call(&notify("follow:0:4"));
    redis.call(&unnotify("follow:0:9", "retracted"));
    redis.call(&read("prefetch"));
    assert_eq!(said(&mut redis), 0);
}

#[test]
fn a_delivery_is_logged_once_and_the_oldest_of_too_many_is_dropped() {
    let mut redis = scene();
    for _ in 0..2 {
        redis.call(&deliver("2 0 0", 6));
    }
    assert_eq!(redis.run("XLEN arrivals:{1}"), "2");
    for id in 10..220 {
        redis.call(&deliver("2 0 0", id));
    }
    assert_eq!(redis.run("XLEN arrivals:{1}"), "200");
}

#[test]
fn reading_the_first_page_starts_the_log_and_returns_its_position() {
    let mut redis = scene();
    redis.given("DEL arrivals:{1}");
    let answer = redis.call(&visit());
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
    let older = redis.call(&ReadHome {
        from_score: "(-5".into(),
        began_before: 5,
        ..visit()
    });
    assert!(older.ends_with("nil]"), "{older}");
}

#[test]
fn reading_a_log_extends_its_lifetime() {
    let mut redis = scene();
    redis.given("EXPIRE arrivals:{1} 1700");
    redis.call(&read_live(None));
    assert!(redis.ttl_ms("arrivals:{1}") > 3_590_000);
}

#[test]
fn a_read_counts_newer_statuses_that_still_exist() {
    let mut redis = scene();
    let read = read_live(Some((StatusId::EPOCH_MS, 0)));
    assert_eq!(
        redis.call(&read),
        "[[1, 1, 1, 1, 0], [], 1767225600000-0, [exactly, 0]]"
    );
    for id in [9, 8, 7] {
        redis.call(&deliver("2 0 0", id));
    }
    redis.given("ZREM home:{1} 8");
    redis.call(&deliver("2 0 0", 8));
    redis.given("ZREM home:{1} 7");
    let answer = redis.call(&read);
    assert!(answer.ends_with(", [exactly, 2]]"), "{answer}");
}

#[test]
fn a_log_that_is_too_short_counts_newer_statuses_of_others() {
    let mut redis = scene();
    // Written in the first second of the epoch of ids: 4096 ids per millisecond.
    redis.given(
        "ZADD home:{1} -8192000 8192000 -8192001 8192001\nZADD profile:{1} -8192001 8192001",
    );
    for (since, number) in [
        ((StatusId::EPOCH_MS + 1, 0), "1"),
        ((StatusId::EPOCH_MS - 1, 5), "2"),
        ((0, 0), "0"),
    ] {
        redis.given("DEL arrivals:{1}");
        let answer = redis.call(&read_live(Some(since)));
        let state = format!(", [about, {number}]]");
        assert!(answer.ends_with(&state), "{since:?}: {answer}");
    }
}

#[test]
fn a_read_finds_no_entry_of_a_home_under_construction_and_reports_a_dormant_one() {
    let mut redis = scene();
    redis.given("SET active:{1} building:ab:0 EX 60");
    let read = read_live(Some((StatusId::EPOCH_MS, 0)));
    let answer = redis.call(&read);
    assert!(
        answer.starts_with("[[1, 1, 1, 1, 0], [], ") && answer.ends_with(", [counts, 0]]"),
        "{answer}"
    );
    redis.given("DEL active:{1} home:{1}");
    let answer = redis.call(&read);
    assert!(answer.ends_with(", [about, 0]]"), "{answer}");
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
        let reply = redis.call(&read_live(None));
        assert_eq!(reply, "[[], [], , [session_ended, 0]]", "{end}");
    }
}

#[test]
fn a_reader_who_mutes_texts_gets_the_ids_of_new_statuses() {
    let mut redis = scene();
    let read = read_live(Some((StatusId::EPOCH_MS, 0)));
    redis.call(&read);
    redis.given("ZADD muted_texts:{1} 5 rust");
    for id in [9, 8] {
        redis.call(&deliver("2 0 0", id));
    }
    let answer = redis.call(&read);
    assert!(
        answer.starts_with("[[1, 1, 1, 1, 0], [8, 9], ") && answer.ends_with(", [exactly, 2]]"),
        "{answer}"
    );
}

/// Returns the positions of the log, oldest first.
fn positions(redis: &mut Bench) -> Vec<(u64, u64)> {
    let log = redis.run("XRANGE arrivals:{1} - +");
    let words = log.split(['[', ']', ',', ' ']);
    let positions = words.filter_map(|word| {
        let (ms, number) = word.split_once('-')?;
        Some((ms.parse().ok()?, number.parse().ok()?))
    });
    positions.collect()
}

/// Each page counts the statuses above its own position, and an ended session ends only its stream.
#[test]
fn the_streams_of_a_user_count_from_their_own_positions() {
    let mut redis = scene();
    redis.given("SET session:{1}:other x EX 100");
    for id in [9, 8, 7] {
        redis.call(&deliver("2 0 0", id));
    }
    redis.given("ZREM home:{1} 8");
    let at = positions(&mut redis);
    assert_eq!(at.len(), 4);
    let streams = [
        ("d", Some(at[0])),
        ("other", Some(at[3])),
        ("gone", Some(at[0])),
        ("d", None),
        ("other", Some(at[1])),
        ("d", Some((1, 1))),
        ("d", Some(at[2])),
    ];
    let answer = redis.call(&read_all(&streams));
    let states = "[exactly, 2], [exactly, 0], [session_ended, 0], [counts, 0], [exactly, 1], \
                  [about, 3], [exactly, 1]]";
    assert!(answer.ends_with(states), "{answer}");
}

#[test]
fn arrivals_of_muted_and_blocked_people_do_not_count() {
    let mut redis = scene();
    redis.given(
        "ZADD following:{1} 11 3 12 4 13 5 14 6
        ZADD muted:{1} 9000000000000000 3 1 4
        ZADD blocked:{1} 1 5
        ZADD blocked_by:{1} 1 6",
    );
    let read = read_live(Some((StatusId::EPOCH_MS, 0)));
    redis.call(&read);
    for author in 2..=6 {
        redis.call(&deliver(&format!("{author} 0 0"), 90 + author));
    }
    let answer = redis.call(&read);
    assert!(answer.ends_with(", [exactly, 2]]"), "{answer}");
}

/// The relations of all authors and the days of follows are looked up in four commands, and the home is read once, whatever
/// the number of streams.
#[test]
fn a_read_for_many_streams_costs_as_many_commands_as_one() {
    let mut redis = scene();
    redis.call(&read_live(Some((StatusId::EPOCH_MS, 0))));
    for id in 10..200 {
        redis.call(&deliver("2 0 0", id));
    }
    redis.given("CONFIG RESETSTAT");
    let answer = redis.call(&read_all(&[("d", Some((StatusId::EPOCH_MS, 0))); 8]));
    assert_eq!(answer.matches("[exactly, 190]").count(), 8, "{answer}");
    let stats = redis.run("INFO commandstats");
    for (command, calls) in [
        ("zmscore", 4),
        ("zscore", 0),
        ("xrevrange", 2),
        ("zrange", 2),
    ] {
        let stated = stats.contains(&format!("cmdstat_{command}:calls={calls},"));
        let is_absent = !stats.contains(&format!("cmdstat_{command}:"));
        assert!(stated || calls == 0 && is_absent, "{command}: {stats}");
    }
}
