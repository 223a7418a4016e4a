//! The notes of a voter about polls: each vote has one, and those about deleted polls go.

use redwing::{
    actions::{account_states, polls},
    domain::Ballot,
    store::Key,
};

use crate::support::{core::Core, crowd};

#[tokio::test]
async fn the_notes_of_votes_in_deleted_polls_go() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 2).await;
    let [author, voter] = people[..] else {
        panic!("there are two")
    };
    let ballot = Ballot::stored(1).expect("a choice");
    let mut polls = Vec::new();
    for _ in 0..2 {
        let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
        let cast = polls::vote(store, voter, poll, ballot).await;
        cast.expect("a vote");
        polls.push(poll);
    }
    crowd::delete(store, author, polls[0]).await;
    // Every hundredth note cleans up. These are about polls that do not exist.
    let key = format!("votes:{{{voter}}}");
    let author_id = author.to_string();
    for number in 1..=97 {
        let words = ["ZADD", &key, &author_id, &number.to_string()];
        core.redis.command(&words);
    }
    let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
    polls::vote(store, voter, poll, ballot)
        .await
        .expect("a vote");
    let notes = store.cardinality(&Key::Votes(voter)).await;
    assert_eq!(notes.expect("an answer"), 2);
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_refused_vote_is_no_fault_and_the_deletion_of_a_voter_takes_the_votes_along() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 2).await;
    let [author, voter] = people[..] else {
        panic!("there are two")
    };
    let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
    let ballot = Ballot::stored(1).expect("a choice");
    for by in [author, voter] {
        polls::vote(store, by, poll, ballot)
            .await
            .expect("an answer");
    }
    let no_choice = Ballot::stored(8).expect("a choice");
    polls::vote(store, author, poll, no_choice)
        .await
        .expect("an answer");
    core.assert_sound().await;
    let begun = account_states::delete(store, voter).await;
    begun.expect("an answer");
    core.drain().await;
    let votes = store.cardinality(&Key::Ballots(poll)).await;
    assert_eq!(votes.expect("an answer"), 0);
    core.assert_sound().await;
}
