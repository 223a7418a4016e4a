//! Concurrent votes by one user and by many, and during a deletion of the status.

use futures_util::future::{join, join_all};
use redwing::{
    actions::polls,
    domain::{Ballot, Choice, Draft, Message, Poll, PollOption, PollTerm, StatusId, UserId},
    store::{Cast, Key, Viewer},
};

use super::{alice_and_bob, results, vote};
use crate::support::{Site, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 8;
const VOTES: usize = 50;

#[tokio::test]
async fn fifty_votes_of_one_person_at_once_count_once() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let same = vote(&bob, "/@alice", id, &["1"]).await;
    join_all((0..VOTES).map(|_| bob.submit_accepted(&same))).await;
    let lines = results(&bob.open("/@alice").await);
    assert_eq!(lines, ["Tea Your vote 100 % 1 vote", "Coffee 0 % 0 votes"]);
    site.assert_sound().await;
}

/// Returns the number of voters, the votes per option, and the number of ballots.
async fn numbers(site: &Site, id: StatusId) -> (u64, Vec<u64>, u64) {
    let status = site.store.status(Viewer::Anonymous, id).await;
    let status = status.expect("an answer").expect("it lives");
    let (_, tally) = status.poll().expect("a poll");
    let ballots = site.store.cardinality(&Key::Ballots(id)).await;
    (
        tally.people,
        tally.votes.clone(),
        ballots.expect("an answer"),
    )
}

fn choice(option: usize) -> Ballot {
    Ballot::of(&[option]).expect("a ballot")
}

#[tokio::test]
async fn of_different_votes_of_one_person_at_once_one_counts() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let voters = crowd::people(store, "voter", ROUNDS).await;
    let id = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
    for voter in &voters {
        let votes =
            (0..VOTES).map(async |nth| polls::vote(store, *voter, id, choice(nth % 2)).await);
        let cast = join_all(votes).await;
        let counted = cast.iter().filter(|cast| matches!(cast, Ok(Cast::Counted)));
        assert_eq!(counted.count(), VOTES / 2, "those equal to the first");
    }
    let (people, votes, ballots) = numbers(&site, id).await;
    assert_eq!((people, ballots), (ROUNDS as u64, ROUNDS as u64));
    assert_eq!(votes.iter().sum::<u64>(), ROUNDS as u64);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_votes_of_fifty_people_at_once_all_count() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let voters = crowd::people(store, "voter", VOTES).await;
    let id = crowd::post_poll(store, author, &["Tea", "Coffee", "Cake"]).await;
    let vote = async |(nth, voter): (usize, &UserId)| {
        let cast = polls::vote(store, *voter, id, choice(nth % 3)).await;
        assert_eq!(cast.expect("an answer"), Cast::Counted);
    };
    join_all(voters.iter().enumerate().map(vote)).await;
    assert_eq!(numbers(&site, id).await, (50, vec![17, 17, 16], 50));
    site.assert_sound().await;
}

/// All users send two different multiple-choice votes at once, each five times.
#[tokio::test]
async fn of_different_multiple_choice_votes_at_once_one_of_each_person_counts() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let voters = crowd::people(store, "voter", 15).await;
    let options = ["Tea", "Coffee", "Cake", "None"].map(PollOption::parse);
    let options = options
        .into_iter()
        .filter_map(|option| option.expect("valid"));
    let poll = Poll::new(options.collect(), Choice::Several, PollTerm::Day);
    let draft = Draft {
        poll: Some(poll.expect("a poll")),
        ..Draft::from(&Message::parse("Which of them?").expect("valid"))
    };
    let id = crowd::post_draft(store, author, draft).await;
    let chosen = |nth: usize, at: usize| {
        let bits = (nth + at % 2) % 15 + 1;
        Ballot::stored(bits as u64).expect("a ballot")
    };
    let votes = (0..voters.len() * 10).map(async |number| {
        let (at, nth) = (number / voters.len(), number % voters.len());
        let ballot = chosen(nth, at);
        let cast = polls::vote(store, voters[nth], id, ballot).await;
        (nth, ballot, cast.expect("an answer"))
    });
    let cast = join_all(votes).await;
    let mut counted: Vec<Option<Ballot>> = vec![None; voters.len()];
    for (nth, ballot, cast) in cast {
        match cast {
            Cast::Counted => {
                assert_eq!(*counted[nth].get_or_insert(ballot), ballot, "one counts");
            }
            other => assert_eq!(other, Cast::VotedBefore),
        }
    }
    let votes = |option| {
        let ballots = counted.iter().flatten();
        ballots.filter(|ballot| ballot.includes(option)).count() as u64
    };
    let expected = (15, (0..4).map(votes).collect(), 15);
    assert_eq!(numbers(&site, id).await, expected);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_vote_against_a_delete_leaves_nothing_behind() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let voter = crowd::member(store, "voter").await;
    for round in 0..ROUNDS {
        let id = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
        let cast = polls::vote(store, voter, id, choice(0));
        let (cast, ()) = join(cast, crowd::delete(store, author, id)).await;
        assert!(
            matches!(cast, Ok(Cast::Counted | Cast::Unknown)),
            "{cast:?}"
        );
        let ballots = store.cardinality(&Key::Ballots(id)).await;
        assert_eq!(ballots.expect("an answer"), 0, "round {round}");
    }
    site.drain().await;
    site.assert_sound().await;
}
