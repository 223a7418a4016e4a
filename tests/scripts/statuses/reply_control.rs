//! Who can reply and quote, hidden replies and detached quotes: only by those who may, and of living statuses.

use redwing::store::calls::{DetachQuote, HideReply, SetReplyControl};

use crate::scripts::{
    Bench,
    calls::DEADLINE,
    statuses::{bury, edit},
};

/// A user changes who can reply to a status.
pub fn set_control(
    id: u64,
    user_id: u64,
    (repliers, quoting): (&'static str, &'static str),
) -> SetReplyControl {
    SetReplyControl {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id,
        repliers,
        expected_repliers: String::new(),
        quoting,
    }
}

/// The author of status 5 hides a reply in its conversation, or shows it.
pub fn hide(id: u64, hidden: &'static str) -> HideReply {
    HideReply {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        root: 5,
        hidden,
    }
}

/// A user removes their status from this quote.
pub fn detach(id: u64, user_id: u64) -> DetachQuote {
    DetachQuote {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id,
    }
}

/// Creates status 8 by user 2, a reply to status 5 and a quote of it. User 1 wrote that one.
fn scene() -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET status:{5} id 5 uid 1 login alice message one posted 1 idempotency_key n5
         HSET status:{8} id 8 uid 2 login bob message two posted 9000000000000 idempotency_key n8 quote_of 5:1
         HSET status:{8} reply_to 5:1
         EVAL 'redis.call(\"HSET\", KEYS[1], \"thread\", \"5 1 5\")' 1 status:{8}",
    );
    redis
}

#[test]
fn an_author_changes_who_can_reply_and_back() {
    let mut redis = scene();
    let stored = |redis: &mut Bench| redis.run("HGET status:{5} reply_control");
    for _ in 0..2 {
        assert_eq!(redis.call(&set_control(5, 1, ("nobody", "closed"))), "done");
        assert_eq!(stored(&mut redis), "nobody quoting_closed");
    }
    assert_eq!(
        redis.call(&set_control(5, 2, ("everyone", "open"))),
        "not_found"
    );
    assert_eq!(redis.call(&set_control(6, 1, ("nobody", ""))), "not_found");
    assert_eq!(redis.run("EXISTS status:{6}"), "0");
    assert_eq!(redis.call(&set_control(5, 1, ("everyone", "open"))), "done");
    assert_eq!(redis.run("HEXISTS status:{5} reply_control"), "0");
}

#[test]
fn a_change_of_one_choice_keeps_the_other() {
    let mut redis = scene();
    for (change, stored) in [
        (("", "closed"), "[everyone quoting_closed]"),
        (("nobody", ""), "[nobody quoting_closed]"),
        (("", "open"), "[nobody]"),
        (("", ""), "[nobody]"),
        (("everyone", ""), "[nil]"),
        (("", ""), "[nil]"),
    ] {
        assert_eq!(redis.call(&set_control(5, 1, change)), "done");
        assert_eq!(redis.run("HMGET status:{5} reply_control"), stored);
    }
}

#[test]
fn a_rule_stays_with_the_tombstone_and_is_not_changed_there() {
    let mut redis = scene();
    redis.call(&set_control(5, 1, ("mentioned", "")));
    redis.given("HSET status:{5} mentioned 7");
    redis.call(&bury(5, 1));
    assert_eq!(
        redis.run("HMGET status:{5} reply_control mentioned"),
        "[mentioned, 7]"
    );
    assert_eq!(
        redis.call(&set_control(5, 1, ("everyone", "open"))),
        "not_found"
    );
    assert_eq!(redis.run("HGET status:{5} reply_control"), "mentioned");
}

#[test]
fn a_reply_of_the_conversation_is_hidden_and_shown_until_it_is_deleted() {
    let mut redis = scene();
    let is_hidden = |redis: &mut Bench| redis.run("HEXISTS status:{8} hidden") == "1";
    for (hidden, expected) in [("1", true), ("1", true), ("", false), ("1", true)] {
        assert_eq!(redis.call(&hide(8, hidden)), "done");
        assert_eq!(is_hidden(&mut redis), expected);
    }
    assert_eq!(
        redis.call(&HideReply {
            root: 50,
            ..hide(8, "")
        }),
        "not_found"
    );
    assert_eq!(redis.call(&hide(5, "1")), "not_found", "it is no reply");
    assert_eq!(redis.call(&hide(9, "1")), "not_found");
    assert_eq!(redis.run("EXISTS status:{9}"), "0");
    assert_eq!(redis.call(&edit(8, "another text")), "edited");
    assert!(is_hidden(&mut redis), "an edit changes nothing");
    redis.call(&bury(8, 2));
    assert!(!is_hidden(&mut redis), "it goes with the reply");
    assert_eq!(redis.call(&hide(8, "1")), "not_found");
    assert!(!is_hidden(&mut redis));
}

#[test]
fn only_the_quoted_author_detaches_a_quote_and_an_edit_does_not_attach_it_again() {
    let mut redis = scene();
    let fields = "HMGET status:{8} quote_of detached_from message";
    for stranger in [2, 3, 11] {
        assert_eq!(redis.call(&detach(8, stranger)), "not_found");
    }
    assert_eq!(redis.call(&detach(5, 1)), "not_found", "it is no quote");
    assert_eq!(redis.run(fields), "[5:1, nil, two]");
    for _ in 0..2 {
        assert_eq!(redis.call(&detach(8, 1)), "done");
        assert_eq!(redis.run(fields), "[nil, 5:1, two]");
    }
    assert_eq!(redis.call(&edit(8, "another text")), "edited");
    assert_eq!(redis.run(fields), "[nil, 5:1, another text]");
    redis.call(&bury(8, 2));
    assert_eq!(
        redis.run(fields),
        "[nil, 5:1, nil]",
        "so that its copies go"
    );
    assert_eq!(redis.call(&detach(8, 1)), "not_found");
}
