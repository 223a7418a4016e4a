//! Reading a home: its new statuses, the record of shown statuses, and when that is written.

use redwing::{domain::Timeline, store::calls::ReadHome};

use super::{deliver, note_shown, read_home};
use crate::{
    scripts::Bench,
    support::{core::Core, crowd},
};

/// Reads a page of four: from a score, this many ids, of a page that started before an id.
fn read(redis: &mut Bench, from: &str, count: usize, began: u64) -> String {
    let reply = redis.call(&read_home(from, count, began));
    // The last fields are the remaining time and the position of the page. `live` tests them.
    let parts: Vec<&str> = reply.rsplitn(3, ", ").collect();
    format!("{}]", parts.last().expect("a reply of many parts"))
}

fn fill(redis: &mut Bench, ids: impl Iterator<Item = u64>) {
    let members: Vec<String> = ids.map(|id| format!("-{id} {id}")).collect();
    redis.given(&format!("ZADD home:{{1}} {}", members.join(" ")));
}

/// Creates a reader who has seen ten statuses, and for whom ten are new.
fn reader() -> Bench {
    let mut redis = Bench::start();
    redis.given("SET active:{1} 0 EX 9000");
    fill(&mut redis, 1..=10);
    read(&mut redis, "-inf", 5, 0);
    fill(&mut redis, 11..=20);
    redis
}

fn shown(redis: &mut Bench) -> String {
    redis.run("HGET reading:{1} shown")
}

/// Lets more time pass since home was read than a visit lasts.
fn pause(redis: &mut Bench) {
    redis.given("HSET reading:{1} at 1");
}

#[test]
fn a_home_is_read_from_an_exclusive_cursor_together_with_its_mark() {
    let mut redis = Bench::start();
    redis.given("SET active:{1} 4 EX 5000");
    fill(&mut redis, 5..=9);
    let all_seen = "0-9, 0, nil, nil]";
    let page = read(&mut redis, "-inf", 2, 0);
    assert_eq!(page, format!("[4, 9 8, {all_seen}"));
    let page = read(&mut redis, "(-8", 9, 8);
    assert_eq!(page, format!("[4, 7 6 5, {all_seen}"));
}

#[test]
fn no_visit_is_stored_for_a_missing_or_unfinished_home() {
    let mut redis = Bench::start();
    let page = read(&mut redis, "-inf", 2, 0);
    assert_eq!(page, "[nil, , nil, 0, nil, nil]");
    assert_eq!(redis.run("KEYS *"), "[]", "a visit makes no mark");
    redis.given("SET active:{1} building:abc:0 EX 50");
    let page = read(&mut redis, "-inf", 2, 0);
    assert_eq!(page, "[building:abc:0, , nil, 0, nil, nil]");
    assert!(redis.ttl_ms("active:{1}") <= 50_000);
    assert_eq!(redis.run("KEYS *"), "[active:{1}]");
}

#[test]
fn a_visit_extends_a_mark_once_an_hour() {
    let mut redis = Bench::start();
    redis.given("SET active:{1} 0 EX 5000");
    redis.call(&ReadHome {
        mark_ttl_s: 8000,
        ..read_home("-inf", 2, 0)
    });
    let ttl = redis.ttl_ms("active:{1}");
    assert!(ttl <= 5_000_000, "less than an hour has passed");
    read(&mut redis, "-inf", 2, 0);
    assert!(redis.ttl_ms("active:{1}") > 8_000_000);
}

#[test]
fn newer_statuses_are_counted_and_the_oldest_is_named_with_its_page() {
    let mut redis = reader();
    let page = "[0, 20 19 18 17 16, 0-10, 10, 11, 13]";
    for _ in 0..2 {
        assert_eq!(
            read(&mut redis, "-inf", 5, 0),
            page,
            "also on a repeated read"
        );
    }
    let page = "[0, 12 11 10 9 8, 0-10, 10, 11, 13]";
    assert_eq!(read(&mut redis, "(-13", 5, 13), page);
}

#[test]
fn only_shown_statuses_are_seen_by_the_next_visit() {
    let mut redis = reader();
    read(&mut redis, "-inf", 5, 0);
    assert_eq!(shown(&mut redis), "0-10,17-20");
    pause(&mut redis);
    let page = "[0, 20 19 18 17 16, 0-10,17-20, 6, 11, 13]";
    assert_eq!(read(&mut redis, "-inf", 5, 0), page);
    read(&mut redis, "(-13", 5, 13);
    assert_eq!(
        shown(&mut redis),
        "0-12,17-20",
        "a page between was left out"
    );
    read(&mut redis, "(-17", 5, 17);
    assert_eq!(shown(&mut redis), "0-20");
    pause(&mut redis);
    let page = "[0, 20 19 18 17 16, 0-20, 0, nil, nil]";
    assert_eq!(read(&mut redis, "-inf", 5, 0), page);
}

#[test]
fn a_page_that_skips_deleted_statuses_has_shown_all_down_to_its_end() {
    let mut redis = reader();
    read(&mut redis, "-inf", 5, 0);
    read(&mut redis, "(-16", 2, 0);
    assert_eq!(shown(&mut redis), "0-10,15-20");
    read(&mut redis, "(-15", 1, 0);
    assert_eq!(shown(&mut redis), "0-10,15-20", "the last one is not shown");
}

#[test]
fn a_cursor_above_all_statuses_marks_no_future_status() {
    let mut redis = reader();
    let far = 9_007_199_254_740_991;
    read(&mut redis, &format!("(-{far}"), 5, far);
    assert_eq!(shown(&mut redis), "0-10,17-20");
}

#[test]
fn a_page_read_again_writes_nothing_for_a_minute() {
    let mut redis = reader();
    read(&mut redis, "-inf", 5, 0);
    let before = redis.everything();
    read(&mut redis, "-inf", 5, 0);
    read(&mut redis, "(-18", 2, 18);
    assert_eq!(redis.everything(), before);
    let now = redis.run("HGET reading:{1} at");
    let earlier: u64 = now.parse::<u64>().expect("ms") - 61_000;
    redis.given(&format!("HSET reading:{{1}} at {earlier}"));
    read(&mut redis, "-inf", 5, 0);
    assert_ne!(redis.run("HGET reading:{1} at"), earlier.to_string());
}

#[test]
fn a_visit_ends_after_a_quarter_of_an_hour_and_not_before() {
    for (pause_ms, count) in [(890_000, "10"), (901_000, "6")] {
        let mut redis = reader();
        read(&mut redis, "-inf", 5, 0);
        let now = redis.run("HGET reading:{1} at");
        let earlier = now.parse::<u64>().expect("ms") - pause_ms;
        redis.given(&format!("HSET reading:{{1}} at {earlier}"));
        let page = read(&mut redis, "-inf", 5, 0);
        assert!(page.ends_with(&format!(" {count}, 11, 13]")), "{page}");
    }
}

#[test]
fn a_visit_from_before_the_clock_was_set_back_is_stored_again() {
    let mut redis = reader();
    read(&mut redis, "-inf", 5, 0);
    redis.given("HSET reading:{1} at 99999999999999");
    read(&mut redis, "-inf", 5, 0);
    let at: u64 = redis.run("HGET reading:{1} at").parse().expect("ms");
    assert!(at < 99_999_999_999_999);
}

#[test]
fn own_statuses_are_never_new() {
    let mut redis = reader();
    redis.given("ZADD profile:{1} -20 20 -11 11");
    let page = read(&mut redis, "-inf", 5, 0);
    assert!(page.ends_with(" 0-10, 8, 12, 13]"), "{page}");
    redis.given("DEL profile:{1}\nZUNIONSTORE profile:{1} 1 home:{1}");
    let page = read(&mut redis, "-inf", 5, 0);
    assert!(page.ends_with(" 0-10, 0, nil, nil]"), "{page}");
}

#[test]
fn trimmed_statuses_count_as_seen() {
    let mut redis = reader();
    redis.given("SET active:{1} 15 EX 9000\nZREMRANGEBYSCORE home:{1} (-15 +inf");
    let page = read(&mut redis, "-inf", 5, 0);
    assert!(page.ends_with(" 0-14, 6, 15, 17]"), "{page}");
    read(&mut redis, "(-17", 5, 17);
    assert_eq!(shown(&mut redis), "0-20", "down to the end of the home");
}

#[test]
fn a_late_status_among_seen_ones_is_new_once() {
    let mut redis = reader();
    redis.given("ZADD following:{1} 10 2\nZREM home:{1} 5 18");
    read(&mut redis, "-inf", 5, 0);
    assert_eq!(shown(&mut redis), "0-10,16-20");
    for late in [5, 18] {
        assert_eq!(redis.call(&deliver("2 0 0", late)), "[]");
    }
    assert_eq!(redis.run("HGET reading:{1} before"), "0-4,6-10");
    assert_eq!(shown(&mut redis), "0-4,6-10,16-17,19-20");
    let page = read(&mut redis, "-inf", 5, 0);
    assert!(page.ends_with(" 0-4,6-10, 11, 5, 9]"), "{page}");
    let before = redis.everything();
    redis.call(&deliver("2 0 0", 18));
    assert_eq!(redis.everything(), before, "the same delivery again");
}

#[test]
fn a_delivery_to_a_new_reader_records_nothing() {
    let mut redis = Bench::start();
    redis.given("ZADD following:{1} 10 2\nSET active:{1} 0 EX 50");
    redis.call(&deliver("2 0 0", 5));
    assert_eq!(redis.run("EXISTS reading:{1}"), "0");
}

#[test]
fn seen_ranges_are_bounded_and_the_oldest_gap_is_dropped() {
    let mut redis = Bench::start();
    redis.given("ZADD following:{1} 10 2\nSET active:{1} 0 EX 50");
    fill(&mut redis, 100..=100);
    read(&mut redis, "-inf", 5, 0);
    for late in (10..=60).step_by(2) {
        redis.call(&deliver("2 0 0", late));
    }
    let ranges = shown(&mut redis);
    assert_eq!(ranges.split(',').count(), 24, "{ranges}");
    assert!(
        ranges.starts_with("0-15,") && ranges.ends_with("59-59,61-100"),
        "{ranges}"
    );
}

#[test]
fn a_gap_dropped_from_seen_ranges_is_dropped_from_shown_ranges_too() {
    let mut redis = Bench::start();
    redis.given("ZADD following:{1} 10 2\nSET active:{1} 0 EX 50");
    let ranges = |from: u64| (0..from).map(|n| format!("{}-{}", 10 * n, 10 * n + 4));
    let before: Vec<String> = ranges(24).collect();
    let shown_too: Vec<String> = ranges(22).chain(["220-234".to_owned()]).collect();
    let (before, shown_too) = (before.join(","), shown_too.join(","));
    redis.given(&format!(
        "HSET reading:{{1}} before {before} shown {shown_too}"
    ));
    assert_eq!(redis.call(&deliver("2 0 0", 232)), "[]");
    let seen_before = redis.run("HGET reading:{1} before");
    assert!(seen_before.starts_with("0-14,20-24,"), "{seen_before}");
    let shown = shown(&mut redis);
    assert!(shown.starts_with("0-14,20-24,"), "{shown}");
    assert!(shown.ends_with(",220-231,233-234"), "{shown}");
}

#[tokio::test]
async fn homes_and_lists_stay_active_for_the_configured_time() {
    let core = Core::with(&["--dormant-days", "2"]);
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let list = Timeline::List(crowd::list(store, reader, &[reader]).await);
    let mut redis = Bench::on(core.redis.one_node());
    for timeline in [Timeline::Home(reader), list] {
        for _ in 0..2 {
            crowd::timeline(store, timeline).await;
            let mark = crate::support::state::mark_name(timeline);
            let days = redis.ttl_ms(&mark) as f64 / 86_400_000.0;
            assert!((1.9..=2.0).contains(&days), "{timeline}: {days}");
            redis.given(&format!("EXPIRE {mark} 60"));
        }
    }
}

#[test]
fn an_extended_page_records_all_but_statuses_that_arrived_meanwhile() {
    let mut redis = reader();
    read(&mut redis, "-inf", 5, 0);
    assert_eq!(shown(&mut redis), "0-10,17-20");
    let note = note_shown(13, 16, &[16, 15, 13]);
    assert_eq!(redis.call(&note), "stored", "14 arrived meanwhile");
    assert_eq!(shown(&mut redis), "0-10,13-13,15-20");
    assert_eq!(redis.run("HGET reading:{1} before"), "0-10");
    let before = redis.everything();
    assert_eq!(redis.call(&note_shown(15, 19, &[15, 16])), "unchanged");
    assert_eq!(redis.everything(), before, "it was known");
}

#[test]
fn seen_statuses_stay_seen_when_an_extended_page_skips_them() {
    let mut redis = reader();
    read(&mut redis, "-inf", 5, 0);
    let note = note_shown(8, 16, &[16, 15, 14, 13, 12, 11]);
    assert_eq!(redis.call(&note), "stored");
    assert_eq!(shown(&mut redis), "0-20");
}

#[test]
fn a_never_read_home_is_not_started_by_an_extended_page() {
    let mut redis = Bench::start();
    fill(&mut redis, 1..=5);
    let before = redis.everything();
    assert_eq!(redis.call(&note_shown(1, 5, &[1, 2, 3])), "unchanged");
    assert_eq!(redis.everything(), before);
}
