//! The scripts of decisions and appeals, about user 1.

use redwing::store::calls::{
    Appeal, ClaimCase, Decide, EndDecision, HandleCase, MarkPost, RepairMeasures,
};

use super::reports::{SCENE, report};
use crate::scripts::{Bench, calls::DEADLINE};

pub fn claim_case(by: u64) -> ClaimCase {
    ClaimCase {
        case: "case:{1}".into(),
        deadline_ms: DEADLINE,
        by,
        lease_ms: 60_000,
        claim: "claim",
    }
}

pub fn decide(token: &str, measure: &'static str) -> Decide {
    Decide {
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        channel: "live:{1}".into(),
        case: "case:{1}".into(),
        decisions: "decisions:{1}".into(),
        open_reports: "open_reports:{1}".into(),
        closed_reports: "closed_reports:{1}".into(),
        deadline_ms: DEADLINE,
        token: token.into(),
        by: "3".into(),
        lease_ms: 60_000,
        revision: String::new(),
        seen_us: 9_007_199_254_740_991,
        decision: "{}".into(),
        measure,
        post: String::new(),
        value: "99999999999999".into(),
        new_epoch: String::new(),
        max_decisions: 9,
    }
}

/// Status 5 of user 1.
pub fn mark_post(hidden: &'static str, warning: &str) -> MarkPost {
    MarkPost {
        status: "status:{5}".into(),
        deadline_ms: DEADLINE,
        user_id: 1,
        hidden,
        warning: warning.into(),
        approved_revision: String::new(),
    }
}

#[test]
fn a_living_post_of_the_person_gets_exactly_the_marks_of_the_call() {
    let mut redis = Bench::start();
    redis.given("HSET status:{5} uid 1 message words");
    for (hidden, warning) in [("1", ""), ("1", "Spiders"), ("", "Snakes"), ("", "")] {
        for _ in 0..2 {
            assert_eq!(redis.call(&mark_post(hidden, warning)), "done");
            for (field, value) in [
                ("hidden_by_moderators", hidden),
                ("moderators_warning", warning),
            ] {
                let stored = redis.run(&format!("HGET status:{{5}} {field}"));
                let expected = if value.is_empty() { "nil" } else { value };
                assert_eq!(stored, expected, "{field}");
            }
        }
    }
    redis.given("HSET status:{5} waiting 2");
    for (approved_revision, waiting) in [("", "2"), ("1", "2"), ("2", "nil")] {
        let approval = MarkPost {
            approved_revision: approved_revision.into(),
            ..mark_post("", "")
        };
        assert_eq!(redis.call(&approval), "done");
        assert_eq!(redis.run("HGET status:{5} waiting"), waiting);
    }
    let of_another = MarkPost {
        user_id: 2,
        ..mark_post("1", "")
    };
    assert_eq!(redis.call(&of_another), "not_found");
    redis.given("HSET status:{5} deleted 7");
    assert_eq!(redis.call(&mark_post("1", "")), "not_found");
    redis.given("DEL status:{5}");
    assert_eq!(redis.call(&mark_post("1", "")), "not_found");
    assert_eq!(redis.run("EXISTS status:{5}"), "0");
}

#[test]
fn a_report_about_a_waiting_post_is_closed_by_a_decision_about_that_post_or_a_dismissal() {
    for (measure, post, open) in [
        ("warn", "", "[hold:5, hold:6]"),
        ("suspend", "", "[hold:5, hold:6]"),
        ("hide_post", "5", "[hold:6]"),
        ("approve_post", "6", "[hold:5]"),
        ("dismiss", "", "[]"),
    ] {
        let mut redis = Bench::start();
        redis.given("HSET user:{1} login alice");
        redis.given("ZADD open_reports:{1} 4 hold:5 5 hold:6 6 2:5");
        let decision = Decide {
            post: post.into(),
            ..decide("a", measure)
        };
        assert_eq!(redis.call(&decision), "decided");
        assert_eq!(redis.run("ZRANGE open_reports:{1} 0 -1"), open, "{measure}");
    }
}

pub fn end_decision(ending: &str, answer: &str) -> EndDecision {
    EndDecision {
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        channel: "live:{1}".into(),
        case: "case:{1}".into(),
        decisions: "decisions:{1}".into(),
        deadline_ms: DEADLINE,
        number: 5,
        measure: "freeze",
        not_before_us: 0,
        ending: ending.into(),
        answer: answer.into(),
    }
}

pub fn appeal(text: &str) -> Appeal {
    Appeal {
        auth: "auth:{1}".into(),
        case: "case:{1}".into(),
        decisions: "decisions:{1}".into(),
        deadline_ms: DEADLINE,
        session_epoch: String::new(),
        number: 5,
        text: text.into(),
    }
}

pub fn handle_case(handled_us: u64) -> HandleCase {
    HandleCase {
        case: "case:{1}".into(),
        deadline_ms: DEADLINE,
        handled_us,
    }
}

#[test]
fn a_decision_closes_the_seen_reports_once_and_needs_the_current_view() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    redis.call(&report("2:5"));
    let seen: u64 = redis
        .run("ZSCORE open_reports:{1} 2:5")
        .parse()
        .expect("a time");
    redis.call(&report("3:5"));
    let first = Decide {
        revision: "0".into(),
        seen_us: seen,
        ..decide("a", "warn")
    };
    assert_eq!(redis.call(&first), "decided");
    assert_eq!(redis.call(&first), "decided", "the same call again");
    let other = Decide {
        token: "b".into(),
        ..first.clone()
    };
    assert_eq!(redis.call(&other), "outdated");
    assert_eq!(redis.run("HLEN decisions:{1}"), "1");
    assert_eq!(redis.run("ZRANGE open_reports:{1} 0 -1"), "[3:5]");
    assert_eq!(redis.run("ZRANGE closed_reports:{1} 0 -1"), "[2:5]");
    let next = Decide {
        revision: "1".into(),
        ..other
    };
    assert_eq!(redis.call(&next), "decided");
}

#[test]
fn a_claimed_case_is_decided_by_its_moderator_or_the_host() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    assert_eq!(redis.call(&claim_case(7)), "nothing");
    redis.call(&report("2:5"));
    assert_eq!(redis.call(&claim_case(7)), "done");
    assert_eq!(redis.call(&claim_case(3)), "taken");
    assert_eq!(redis.call(&decide("a", "warn")), "claimed");
    let by_host = Decide {
        by: "host".into(),
        ..decide("b", "warn")
    };
    assert_eq!(redis.call(&by_host), "decided");
    assert_eq!(
        redis.call(&claim_case(3)),
        "done",
        "a decision ends the claim"
    );
}

#[test]
fn a_freeze_and_a_suspension_are_copied_to_where_sessions_read() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    assert_eq!(redis.call(&decide("a", "freeze")), "decided");
    assert_eq!(
        redis.run("HGET auth:{1} restriction"),
        "frozen 99999999999999"
    );
    assert_eq!(redis.call(&decide("b", "freeze")), "refused");
    assert_eq!(redis.call(&decide("c", "suspend")), "decided");
    assert_eq!(redis.run("HGET auth:{1} restriction"), "suspended");
    assert_eq!(redis.call(&decide("d", "suspend")), "refused");
    let by_host = |token: &str, value: &str| Decide {
        by: "host".into(),
        value: value.into(),
        revision: String::new(),
        ..decide(token, "suspend")
    };
    let reason = redis.run("HGET user:{1} suspended");
    assert_eq!(redis.call(&by_host("e", &reason)), "refused");
    assert_eq!(redis.call(&by_host("f", "Other.")), "decided");
    assert_eq!(redis.run("HGET user:{1} suspended"), "Other.");
    redis.given("HDEL user:{1} suspended");
    redis.given("HSET decisions:{1} 5 {}");
    assert_eq!(redis.call(&end_decision("{}", "")), "ended");
    assert_eq!(redis.call(&end_decision("{}", "")), "ended");
    assert_eq!(redis.run("HEXISTS auth:{1} restriction"), "0");
    let late = EndDecision {
        number: 6,
        not_before_us: 7,
        ..end_decision("{}", "")
    };
    redis.given("HSET decisions:{1} 6 {}");
    assert_eq!(redis.call(&late), "too_late");
}

#[test]
fn an_appeal_is_made_once_and_answered_once() {
    let mut redis = Bench::start();
    redis.given(SCENE);
    assert_eq!(redis.call(&appeal("please")), "not_found");
    redis.given("HSET decisions:{1} 5 {}");
    assert_eq!(
        redis.call(&end_decision("", "no")),
        "not_found",
        "no appeal"
    );
    assert_eq!(redis.call(&appeal("please")), "appealed");
    assert_eq!(redis.call(&appeal("please")), "appealed");
    assert_eq!(redis.call(&appeal("other")), "unchanged");
    assert_eq!(redis.call(&end_decision("", "no")), "upheld");
    assert_eq!(redis.call(&end_decision("", "no")), "upheld");
    assert_eq!(redis.call(&end_decision("{}", "yes")), "answered");
}

#[test]
fn the_handled_event_only_rises() {
    let mut redis = Bench::start();
    redis.given("HSET case:{1} last 9");
    for (us, handled) in [(5, "5"), (3, "5"), (9, "9")] {
        assert_eq!(redis.call(&handle_case(us)), "handled");
        assert_eq!(redis.run("HGET case:{1} handled"), handled);
    }
}

#[test]
fn a_repair_of_measures_changes_the_state_unless_there_was_another_decision() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login bob limited 1 suspended Spam");
    let repair = |changes_suspension| RepairMeasures {
        user: "user:{1}".into(),
        auth: "auth:{1}".into(),
        channel: "live:{1}".into(),
        case: "case:{1}".into(),
        revision: 3,
        limited: "",
        frozen: "5".into(),
        changes_suspension,
        suspended: String::new(),
    };
    let state = |redis: &mut Bench| redis.run("HMGET user:{1} limited frozen suspended");
    assert_eq!(redis.call(&repair("1")), "outdated");
    assert_eq!(state(&mut redis), "[1, nil, Spam]");
    redis.given("HSET case:{1} revision 3");
    assert_eq!(redis.call(&repair("")), "repaired");
    assert_eq!(state(&mut redis), "[nil, 5, Spam]");
    assert_eq!(redis.run("HGET auth:{1} restriction"), "suspended");
    assert_eq!(redis.call(&repair("1")), "repaired");
    assert_eq!(state(&mut redis), "[nil, 5, nil]");
    assert_eq!(redis.run("HGET auth:{1} restriction"), "frozen 5");
}

#[test]
fn a_person_with_two_suspensions_is_free_when_both_have_ended() {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} login bob suspended Spam");
    for number in [7, 9] {
        let decision = r#"{"measure":"suspend"}"#;
        redis.given(&format!("HSET decisions:{{1}} {number} '{decision}'"));
    }
    for (number, suspended) in [(7, "Spam"), (9, "nil")] {
        let end = EndDecision {
            number,
            measure: "suspend",
            ..end_decision("{}", "")
        };
        assert_eq!(redis.call(&end), "ended");
        assert_eq!(redis.run("HGET user:{1} suspended"), suspended);
    }
}
