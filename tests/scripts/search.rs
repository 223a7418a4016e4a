//! The index of posts and of people, one term and one letter at a time.

use redwing::store::calls::{
    DropPosting, EnterName, EnterPosting, ForgetFormer, LeaveName, LeavePosting,
};

use super::{Bench, calls::DEADLINE, people::edit_user};

/// Enters an id under a word into chunks of at most three ids. The newest chunk has at most two.
pub fn enter_posting(word: &str, status_id: u64, bound: u64) -> EnterPosting {
    EnterPosting {
        bounds: format!("postings:{{{word}}}"),
        chunk: format!("postings:{{{word}}}:{bound}"),
        new_chunk: format!("postings:{{{word}}}:{status_id}"),
        deadline_ms: DEADLINE,
        status_id,
        bound,
        full_count: 3,
        newest_full_count: 2,
    }
}

pub fn leave_posting(word: &str, status_id: u64, bound: u64) -> LeavePosting {
    LeavePosting {
        bounds: format!("postings:{{{word}}}"),
        chunk: format!("postings:{{{word}}}:{bound}"),
        deadline_ms: DEADLINE,
        status_id,
        bound,
    }
}

/// Enters words of names that begin with b.
pub fn enter_name(entries: &[&str]) -> EnterName {
    EnterName {
        names: "names:{b}".into(),
        deadline_ms: DEADLINE,
        entries: entries.iter().copied().map(String::from).collect(),
    }
}

/// Removes words of names that begin with b.
pub fn leave_name(entries: &[&str]) -> LeaveName {
    LeaveName {
        names: "names:{b}".into(),
        deadline_ms: DEADLINE,
        entries: entries.iter().copied().map(String::from).collect(),
    }
}

pub fn forget_former(owner: &str, former: &str) -> ForgetFormer {
    ForgetFormer {
        owner: owner.into(),
        former: former.into(),
    }
}

fn enter(redis: &mut Bench, id: u64, bound: u64) -> String {
    redis.call(&enter_posting("w", id, bound))
}

fn leave(redis: &mut Bench, id: u64, bound: u64) -> String {
    redis.call(&leave_posting("w", id, bound))
}

fn chunk(redis: &mut Bench, bound: u64) -> String {
    redis.run(&format!("SMEMBERS postings:{{w}}:{bound}"))
}

#[test]
fn an_id_is_entered_once() {
    let mut redis = Bench::start();
    assert_eq!(enter(&mut redis, 10, 0), "first");
    let before = redis.everything();
    assert_eq!(enter(&mut redis, 10, 0), "unchanged");
    assert_eq!(redis.everything(), before);
}

#[test]
fn a_chunk_that_is_full_begins_another_with_the_new_id() {
    let mut redis = Bench::start();
    assert_eq!(enter(&mut redis, 10, 0), "first");
    for (id, bound) in [(20, 0), (30, 0)] {
        assert_eq!(enter(&mut redis, id, bound), "added");
    }
    assert_eq!(chunk(&mut redis, 0), "[10, 20]");
    assert_eq!(chunk(&mut redis, 30), "[30]");
    assert_eq!(
        redis.run("ZRANGE postings:{w} 0 -1 WITHSCORES"),
        "[30, -30, 0, 0]"
    );
    assert_eq!(
        enter(&mut redis, 40, 0),
        "wrong_chunk",
        "a newer one belongs there"
    );
    assert_eq!(enter(&mut redis, 40, 30), "added");
}

#[test]
fn a_late_id_fits_in_or_splits_its_chunk() {
    let mut redis = Bench::start();
    assert_eq!(enter(&mut redis, 10, 0), "first");
    for (id, bound) in [(20, 0), (30, 0), (15, 0)] {
        assert_eq!(enter(&mut redis, id, bound), "added");
    }
    assert_eq!(chunk(&mut redis, 0), "[10, 15, 20]");
    assert_eq!(enter(&mut redis, 12, 0), "added");
    assert_eq!(chunk(&mut redis, 0), "[10]");
    assert_eq!(chunk(&mut redis, 12), "[12, 15, 20]");
    assert_eq!(redis.run("ZRANGE postings:{w} 0 -1"), "[30, 12, 0]");
    assert_eq!(enter(&mut redis, 16, 0), "wrong_chunk");
}

#[test]
fn an_empty_chunk_is_deleted_and_the_last_one_with_its_bounds() {
    let mut redis = Bench::start();
    for (id, bound) in [(10, 0), (20, 0), (30, 0)] {
        enter(&mut redis, id, bound);
    }
    assert_eq!(leave(&mut redis, 30, 0), "wrong_chunk");
    assert_eq!(leave(&mut redis, 30, 30), "last");
    assert_eq!(redis.run("EXISTS postings:{w}"), "0");
    assert_eq!(leave(&mut redis, 30, 0), "unchanged");
    assert_eq!(leave(&mut redis, 10, 0), "removed");
    assert_eq!(leave(&mut redis, 20, 0), "last");
    assert!(redis.everything().is_empty());
}

#[test]
fn misplaced_ids_are_deleted_with_an_empty_chunk() {
    let mut redis = Bench::start();
    redis.given("ZADD postings:{w} 0 0 -30 30\nSADD postings:{w}:30 nonsense");
    let drop = DropPosting {
        bounds: "postings:{w}".into(),
        chunk: "postings:{w}:30".into(),
        bound: 30,
        members: vec!["nonsense".into()],
    };
    assert_eq!(redis.call(&drop), "2");
    assert_eq!(redis.call(&drop), "0");
    assert!(redis.everything().is_empty());
}

#[test]
fn names_can_be_entered_and_removed_repeatedly() {
    let mut redis = Bench::start();
    assert_eq!(redis.call(&enter_name(&["bob 2", "bo 2"])), "2");
    assert_eq!(redis.call(&enter_name(&["bob 2"])), "0");
    assert_eq!(redis.run("ZRANGE names:{b} 0 -1"), "[bo 2, bob 2]");
    assert_eq!(redis.call(&leave_name(&["bob 2", "x 2"])), "1");
    assert_eq!(redis.call(&leave_name(&["bob 2"])), "0");
}

#[test]
fn former_words_are_stored_until_the_read_version_is_removed() {
    let mut redis = Bench::start();
    redis.given("HSET user:{2} login bob name Bob");
    for name in ["Bobby", "Bobby", "Rob"] {
        assert_eq!(redis.call(&edit_user(2, name, "")), "edited");
    }
    assert_eq!(redis.run("HGET user:{2} former"), "Bobby\nBob");
    assert_eq!(redis.call(&forget_former("user:{2}", "Bob")), "outdated");
    let before = "HSET status:{5} id 5 uid 2 idempotency_key n message new former old";
    redis.given(before);
    assert_eq!(redis.call(&super::statuses::bury(5, 2)), "deleted");
    assert_eq!(redis.run("HGET status:{5} former"), "new\nold");
    assert_eq!(redis.run("HEXISTS status:{5} message"), "0");
    redis.given("HSET status:{6} former old");
    assert_eq!(redis.call(&forget_former("status:{6}", "old")), "forgotten");
    assert_eq!(redis.call(&forget_former("status:{6}", "old")), "outdated");
}
