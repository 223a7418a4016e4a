//! The vote of a viewer in polls of few and of many voters, which are read in different ways.

use redwing::{
    actions::polls,
    domain::{Ballot, StatusId, UserId},
    store::{Cast, Store, Viewer},
};

use crate::support::{core::Core, crowd};

/// Returns the vote that a viewer sees as their own.
async fn own_vote(store: &Store, viewer: UserId, poll: StatusId) -> Option<Ballot> {
    // Cached rows are as new as the last round trip.
    store.now().await.expect("an answer");
    let seen = store.status(Viewer::Member(viewer), poll).await;
    seen.expect("an answer").expect("it lives").ballot()
}

#[tokio::test]
async fn a_person_sees_their_own_vote_among_few_and_among_many() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let voter = crowd::member(store, "voter").await;
    let ballot = Ballot::of(&[1]).expect("a ballot");
    // Up to 300 ballots of a poll are cached.
    for others in [1, 299, 300, 301, 500] {
        let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
        let ids = (0..others).map(|number| (1_000_000 + number).to_string());
        let members: Vec<String> = ids.flat_map(|id| ["1".to_owned(), id]).collect();
        let key = format!("ballots:{{{poll}}}");
        let add = ["ZADD", &key].into_iter();
        let add: Vec<&str> = add.chain(members.iter().map(String::as_str)).collect();
        core.redis.command(&add);
        assert_eq!(own_vote(store, voter, poll).await, None, "{others}");
        let cast = polls::vote(store, voter, poll, ballot).await;
        assert_eq!(cast.expect("an answer"), Cast::Counted);
        assert_eq!(own_vote(store, voter, poll).await, Some(ballot), "{others}");
        assert_eq!(own_vote(store, author, poll).await, None, "{others}");
    }
}
