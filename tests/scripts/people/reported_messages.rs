//! The scripts of reports, with messages of user 1.

use redwing::store::calls::Report;

use super::{
    decisions::decide,
    reports::{drop_reports, report},
};
use crate::scripts::Bench;

#[test]
fn the_messages_of_each_reporter_are_kept_and_dropped_with_their_report() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    let of = |reporter: u64| Report {
        post_name: format!("c1.7:{reporter}"),
        max_open: 9,
        ..report(&format!("{reporter}:c1.7"))
    };
    for reporter in [2, 3, 3] {
        assert_eq!(redis.call(&of(reporter)), "reported");
    }
    redis.call(&Report {
        max_open: 9,
        ..report("2:5")
    });
    let kept = "[c1.7:2, c1.7:3, 5:0]";
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), kept);
    assert_eq!(redis.call(&drop_reports(0, "3:c1.7")), "dropped");
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), "[c1.7:2, 5:0]");
    assert_eq!(redis.run("HKEYS reports:{1}"), "[2:c1.7, 2:5]");
    assert_eq!(redis.call(&drop_reports(0, "2:c1.7")), "dropped");
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), "[5:0]");
}

/// Reports of message 7 by several people, each with as many bytes of other messages.
fn with_bytes(reporter: u64, size: usize) -> Report {
    Report {
        max_open: 9,
        max_kept: 9,
        post_name: format!("c1.7:{reporter}"),
        post: "x".repeat(size),
        ..report(&format!("{reporter}:c1.7"))
    }
}

#[test]
fn people_who_report_the_same_message_displace_no_messages_of_another_reporter() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    for (reporter, size) in [(2, 20), (3, 40), (4, 40), (5, 40)] {
        assert_eq!(redis.call(&with_bytes(reporter, size)), "reported");
        assert_eq!(redis.run("HEXISTS reported_posts:{1} c1.7:2"), "1");
    }
    assert_eq!(redis.run("HLEN reported_posts:{1}"), "2");
}

#[test]
fn the_messages_of_a_closed_report_are_removed_with_it() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login alice");
    for reporter in [2, 3] {
        let full = Report {
            max_kept: 1,
            ..with_bytes(reporter, 9)
        };
        assert_eq!(redis.call(&full), "reported");
        if reporter == 2 {
            redis.call(&decide("a", "dismiss"));
        }
    }
    assert_eq!(redis.run("HKEYS reports:{1}"), "[3:c1.7]");
    assert_eq!(redis.run("HKEYS reported_posts:{1}"), "[c1.7:3]");
}
