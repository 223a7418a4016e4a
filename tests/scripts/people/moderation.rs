//! The scripts of reports and decisions, about user 1.

use redwing::store::calls::{
    Appeal, ClaimCase, Decide, DropReports, EndDecision, HandleCase, MarkPost, NoteReport,
    NoteSightings, RepairMeasures, Report,
};

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
fn a_shield_notes_up_to_a_number_of_things_and_forgets_them_together() {
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

const SCENE: &str = "
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
fn the_posts_of_one_reporter_push_out_no_post_that_another_reported() {
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
fn the_oldest_closed_reports_and_posts_give_way() {
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
