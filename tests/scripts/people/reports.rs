//! The scripts of reports, about user 1.

use redwing::store::calls::{DropReports, NoteReport, NoteSightings, Report};

use super::decisions::decide;
use crate::scripts::{Bench, calls::DEADLINE};

/// User 2 reports status 5 of user 1.
pub fn report(name: &str) -> Report {
    Report {
        user: "user:{1}".into(),
        case: "case:{1}".into(),
        reports: "reports:{1}".into(),
        open_reports: "open_reports:{1}".into(),
        closed_reports: "closed_reports:{1}".into(),
        reported_posts: "reported_posts:{1}".into(),
        deadline_ms: DEADLINE,
        name: name.into(),
        report: "{}".into(),
        max_open: 2,
        max_of_reporter: 2,
        max_kept: 3,
        max_posts: 9,
        max_bytes: 99,
        post_name: "5:0".into(),
        post: "{}".into(),
    }
}

pub fn drop_reports(closed_before_us: u64, name: &str) -> DropReports {
    DropReports {
        case: "case:{1}".into(),
        reports: "reports:{1}".into(),
        open_reports: "open_reports:{1}".into(),
        closed_reports: "closed_reports:{1}".into(),
        reported_posts: "reported_posts:{1}".into(),
        deadline_ms: DEADLINE,
        closed_before_us,
        name: name.into(),
    }
}

/// User 1 notes a report about user 2.
pub fn note_report(epoch: &str) -> NoteReport {
    NoteReport {
        auth: "auth:{1}".into(),
        own_reports: "own_reports:{1}".into(),
        deadline_ms: DEADLINE,
        session_epoch: epoch.into(),
        member: "2:0".into(),
        max_reports: 1,
    }
}

#[test]
fn a_shield_notes_up_to_a_number_of_sightings_and_they_expire_together() {
    let mut redis = Bench::start();
    let note = |members: &[&str]| NoteSightings {
        seen: "seen:{text:a}".into(),
        ttl_s: 60,
        max_seen: 3,
        members: members.iter().map(|one| (*one).to_owned()).collect(),
    };
    assert_eq!(redis.call(&note(&["1"])), "[1]");
    let ttl = redis.run("TTL seen:{text:a}");
    assert!(["59", "60"].contains(&ttl.as_str()), "{ttl}");
    redis.given("EXPIRE seen:{text:a} 30");
    assert_eq!(redis.call(&note(&["1", "2", "3", "4"])), "[1, 2, 3]");
    assert_eq!(redis.call(&note(&["5"])), "[1, 2, 3]");
    let ttl = redis.run("TTL seen:{text:a}");
    assert!(["29", "30"].contains(&ttl.as_str()), "{ttl}");
}

pub const SCENE: &str = "
    HSET user:{1} id 1 login alice name Alice
    HSET auth:{1} hash h epoch e1
";

#[test]
fn a_report_waits_once_and_reports_have_a_limit() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    for (name, answer) in [
        ("2:5", "reported"),
        ("2:5", "reported"),
        ("3:5", "reported"),
        ("4:5", "full"),
    ] {
        assert_eq!(redis.call(&report(name)), answer, "{name}");
    }
    assert_eq!(redis.run("ZRANGE open_reports:{1} 0 -1"), "[2:5, 3:5]");
    assert_eq!(redis.run("HLEN reported_posts:{1}"), "1");
    redis.given("HSET user:{1} leaving deleting");
    assert_eq!(redis.call(&report("4:5")), "unknown_user");
}

#[test]
fn one_reporter_has_a_share_of_the_open_reports() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    for (name, answer) in [
        ("2:5", "reported"),
        ("2:6", "reported"),
        ("2:7", "waiting"),
        ("2:6", "reported"),
        ("22:7", "reported"),
    ] {
        let more = Report {
            max_open: 9,
            ..report(name)
        };
        assert_eq!(redis.call(&more), answer, "{name}");
    }
    assert_eq!(redis.run("HKEYS reports:{1}"), "[2:5, 2:6, 22:7]");
}

#[test]
fn the_posts_of_one_reporter_displace_no_post_that_another_reported() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    let of = |by: u64, status: u64, size: usize| Report {
        name: format!("{by}:{status}"),
        max_open: 9,
        max_of_reporter: 9,
        post_name: format!("{status}:0"),
        post: "x".repeat(size),
        ..report("")
    };
    for (by, status) in [(3, 20), (7, 10), (3, 21), (3, 22), (3, 23)] {
        assert_eq!(redis.call(&of(by, status, 30)), "reported");
        // A friend reports the same post, to make it count for someone with many bytes.
        assert_eq!(redis.call(&of(3, 10, 30)), "reported");
    }
    assert_eq!(redis.run("HEXISTS reported_posts:{1} 10:0"), "1");
    assert_eq!(redis.run("HLEN reported_posts:{1}"), "3");
}

#[test]
fn the_oldest_closed_reports_and_posts_are_removed_first() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    let of = |status: u64, post: &str| Report {
        post_name: format!("{status}:0"),
        post: post.into(),
        ..report(&format!("2:{status}"))
    };
    for status in [5, 6, 7] {
        assert_eq!(redis.call(&of(status, "{}")), "reported");
        redis.call(&decide(&status.to_string(), "dismiss"));
    }
    assert_eq!(redis.call(&of(8, "{}")), "reported");
    assert_eq!(redis.run("ZRANGE closed_reports:{1} 0 -1"), "[2:6, 2:7]");
    assert_eq!(redis.run("HKEYS reports:{1}"), "[2:6, 2:7, 2:8]");
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), "[6:0, 7:0, 8:0]");
    let large = of(9, &"x".repeat(97));
    assert_eq!(redis.call(&large), "reported");
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), "[8:0, 9:0]");
    let few = Report {
        max_open: 9,
        max_of_reporter: 9,
        max_posts: 1,
        ..of(10, "{}")
    };
    assert_eq!(redis.call(&few), "reported");
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), "[10:0]");
}

#[test]
fn dropped_reports_take_their_posts_with_them() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    redis.call(&report("2:5"));
    redis.call(&decide("a", "dismiss"));
    assert_eq!(redis.call(&drop_reports(5, "")), "dropped");
    assert_eq!(redis.run("HLEN reports:{1}"), "1");
    assert_eq!(
        redis.call(&drop_reports(9_007_199_254_740_991, "")),
        "dropped"
    );
    for key in ["reports", "closed_reports", "reported_posts"] {
        assert_eq!(redis.run(&format!("EXISTS {key}:{{1}}")), "0", "{key}");
    }
    redis.call(&report("2:5"));
    redis.call(&drop_reports(0, "2:5"));
    assert_eq!(
        redis.run("EXISTS reports:{1} open_reports:{1} reported_posts:{1}"),
        "0"
    );
}

#[test]
fn a_noted_report_needs_a_session_and_room() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    assert_eq!(redis.call(&note_report("e0")), "session_ended");
    assert_eq!(redis.call(&note_report("e1")), "noted");
    assert_eq!(redis.call(&note_report("e1")), "noted");
    let more = NoteReport {
        member: "3:0".into(),
        ..note_report("e1")
    };
    assert_eq!(redis.call(&more), "full");
}
