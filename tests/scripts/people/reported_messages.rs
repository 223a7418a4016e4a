//! The scripts of reports, with messages of user 1.

use redwing::store::calls::Report;

use super::moderation::{drop_reports, report};
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
