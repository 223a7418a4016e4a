//! Votes: one per user, for an existing choice, while the poll is open, and counted exactly.

use redwing::store::calls::{CastBallot, ReadPollCounts, RecountBallots, RemoveBallot};

use crate::scripts::{Bench, calls::DEADLINE};

/// Votes in the poll of a status.
pub fn cast_ballot(status: u64, voter_id: u64, choice: u8) -> CastBallot {
    CastBallot {
        status: format!("status:{{{status}}}"),
        ballots: format!("ballots:{{{status}}}"),
        deadline_ms: DEADLINE,
        voter_id,
        choice,
    }
}

fn cast(redis: &mut Bench, voter_id: u64, choice: u8) -> String {
    redis.call(&cast_ballot(5, voter_id, choice))
}

fn read_counts(redis: &mut Bench) -> String {
    redis.call(&ReadPollCounts {
        status: "status:{5}".into(),
        ballots: "ballots:{5}".into(),
    })
}

fn recount(redis: &mut Bench) -> String {
    redis.call(&RecountBallots {
        status: "status:{5}".into(),
        ballots: "ballots:{5}".into(),
    })
}

fn remove(redis: &mut Bench, voter_id: u64) -> String {
    redis.call(&RemoveBallot {
        status: "status:{5}".into(),
        ballots: "ballots:{5}".into(),
        voter_id,
    })
}

#[test]
fn a_removed_vote_is_not_counted_any_more() {
    let mut redis = poll("one");
    for voter in [3, 4] {
        assert_eq!(cast(&mut redis, voter, 1), "voted");
    }
    assert_eq!(tally(&mut redis), "2 2 0 0");
    assert_eq!(remove(&mut redis, 3), "removed");
    assert_eq!(tally(&mut redis), "1 1 0 0");
    assert_eq!(remove(&mut redis, 3), "none");
    redis.given("HSET status:{5} deleted 9");
    assert_eq!(remove(&mut redis, 4), "removed");
    assert_eq!(tally(&mut redis), "1 1 0 0", "a tombstone is not counted");
}

/// Creates bob's poll of tea, coffee and cake, which stays open for long.
fn poll(choice: &str) -> Bench {
    let mut redis = Bench::start();
    redis.given(
        "HSET status:{5} id 5 uid 2 login bob message hi posted 9000000000000 idempotency_key n5",
    );
    let options = format!("{choice} 24\nTea\nCoffee\nCake");
    redis.run(&format!("HSET status:{{5}} poll '{options}'"));
    redis
}

fn tally(redis: &mut Bench) -> String {
    redis.run("HGET status:{5} tally")
}

#[test]
fn each_vote_is_counted_for_each_option_that_it_names() {
    let mut redis = poll("several");
    for (voter, chosen) in [(1, 1), (3, 5), (4, 7), (6, 4)] {
        assert_eq!(cast(&mut redis, voter, chosen), "voted");
    }
    assert_eq!(tally(&mut redis), "4 3 1 3");
}

#[test]
fn the_first_vote_counts_and_a_repetition_does_not() {
    let mut redis = poll("one");
    cast(&mut redis, 1, 2);
    let before = redis.everything();
    assert_eq!(cast(&mut redis, 1, 2), "voted");
    assert_eq!(cast(&mut redis, 1, 4), "voted_before");
    assert_eq!(redis.everything(), before);
    redis.given("HSET status:{5} posted 1");
    assert_eq!(cast(&mut redis, 1, 2), "voted", "after its end too");
    assert_eq!(tally(&mut redis), "1 0 1 0");
}

#[test]
fn only_existing_options_can_be_chosen() {
    for (choice, refused) in [("one", &[0, 3, 7, 8, 16][..]), ("several", &[0, 8])] {
        let mut redis = poll(choice);
        let before = redis.everything();
        for chosen in refused {
            let answer = cast(&mut redis, 1, *chosen);
            assert_eq!(answer, "invalid_choice", "{chosen} of {choice}");
        }
        assert_eq!(redis.everything(), before);
    }
}

#[test]
fn votes_after_the_end_by_the_author_or_without_a_poll_are_refused() {
    for (scene, voter, answer) in [
        ("HSET status:{5} posted 1", 1, "poll_ended"),
        ("PING", 2, "own_poll"),
        ("HSET status:{5} deleted 7", 1, "not_found"),
        ("HDEL status:{5} poll", 1, "no_poll"),
        ("DEL status:{5}", 1, "not_found"),
    ] {
        let mut redis = poll("one");
        redis.given(scene);
        let before = redis.everything();
        assert_eq!(cast(&mut redis, voter, 1), answer, "{scene}");
        assert_eq!(redis.everything(), before, "{scene}");
    }
}

#[test]
fn ballots_are_recounted_and_deleted_with_the_status() {
    let mut redis = poll("several");
    cast(&mut redis, 1, 3);
    redis.given("HSET status:{5} tally 77");
    assert_eq!(read_counts(&mut redis), "[3, 77, 1 1 1 0]");
    assert_eq!(recount(&mut redis), "counted");
    assert_eq!(read_counts(&mut redis), "[3, 1 1 1 0, 1 1 1 0]");
    redis.call(&crate::scripts::statuses::bury(5, 2));
    assert_eq!(redis.run("EXISTS ballots:{5}"), "0");
    assert_eq!(recount(&mut redis), "no_poll");
    assert_eq!(read_counts(&mut redis), "[]");
}
