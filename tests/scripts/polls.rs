//! Votes: one per user, for an existing choice, while the poll is open, and counted exactly.

use super::Bench;

const CAST: &str = "cast_ballot status:{5} ballots:{5} , DEADLINE";

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
        assert_eq!(redis.eval(&format!("{CAST} {voter} {chosen}")), "voted");
    }
    assert_eq!(tally(&mut redis), "4 3 1 3");
}

#[test]
fn the_first_vote_counts_and_a_repetition_does_not() {
    let mut redis = poll("one");
    redis.eval(&format!("{CAST} 1 2"));
    let before = redis.everything();
    assert_eq!(redis.eval(&format!("{CAST} 1 2")), "voted");
    assert_eq!(redis.eval(&format!("{CAST} 1 4")), "voted_before");
    assert_eq!(redis.everything(), before);
    redis.given("HSET status:{5} posted 1");
    assert_eq!(
        redis.eval(&format!("{CAST} 1 2")),
        "voted",
        "after its end too"
    );
    assert_eq!(tally(&mut redis), "1 0 1 0");
}

#[test]
fn only_existing_options_can_be_chosen() {
    for (choice, refused) in [
        ("one", &["0", "3", "7", "8", "16"][..]),
        ("several", &["0", "8"]),
    ] {
        let mut redis = poll(choice);
        let before = redis.everything();
        for chosen in refused {
            let answer = redis.eval(&format!("{CAST} 1 {chosen}"));
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
        ("HSET status:{5} deleted 7", 1, "no_poll"),
        ("HDEL status:{5} poll", 1, "no_poll"),
        ("DEL status:{5}", 1, "no_poll"),
    ] {
        let mut redis = poll("one");
        redis.given(scene);
        let before = redis.everything();
        assert_eq!(redis.eval(&format!("{CAST} {voter} 1")), answer, "{scene}");
        assert_eq!(redis.everything(), before, "{scene}");
    }
}

#[test]
fn ballots_are_recounted_and_deleted_with_the_status() {
    let mut redis = poll("several");
    redis.eval(&format!("{CAST} 1 3"));
    redis.given("HSET status:{5} tally 77");
    let survey = "survey_poll status:{5} ballots:{5}";
    assert_eq!(redis.eval(survey), "[3, 77, 1 1 1 0]");
    assert_eq!(
        redis.eval("recount_ballots status:{5} ballots:{5}"),
        "counted"
    );
    assert_eq!(redis.eval(survey), "[3, 1 1 1 0, 1 1 1 0]");
    redis.eval(
        "bury_status status:{5} favourited_by:{5} ballots:{5} versions:{5} , DEADLINE 2 1000 60",
    );
    assert_eq!(redis.run("EXISTS ballots:{5}"), "0");
    assert_eq!(
        redis.eval("recount_ballots status:{5} ballots:{5}"),
        "no_poll"
    );
    assert_eq!(redis.eval(survey), "[]");
}
