//! Requests and answers at the same moment: the counts are exact, and each person either asks, follows or neither.

use std::sync::Arc;

use futures_util::future::join_all;
use redwing::{
    actions::{
        blocks,
        follow_requests::{RequestOutcome, answer, remove_follower, withdraw},
        follows::{self, Follow},
    },
    domain::{Answer, UserId, Visibility},
    store::{Key, Relation, Store, Viewer},
};
use tokio::join;

use crate::support::{
    core::Core,
    crowd,
    pool::Redis,
    proxy::{Fault, Proxy, When},
    redis::RedisServer,
};

/// Number of people who ask at once.
const MANY: usize = 50;
/// Number of tries of each race of two.
const TRIES: usize = 12;

/// A person with a private account, and others.
async fn private_account(store: &Store, others: usize) -> (UserId, Vec<UserId>) {
    let person = crowd::member(store, "person").await;
    crowd::set_private(store, person, true).await;
    (person, crowd::people(store, "other", others).await)
}

/// Returns the number of requests and of followers, after all copies of both agree.
async fn counts(store: &Store, person: UserId, others: &[UserId]) -> (u64, u64) {
    let mut counted = (0, 0);
    for other in others {
        let relations = [
            Relation::FollowRequest(*other, person),
            Relation::Follow(*other, person),
        ];
        let set = store.have_relations(&relations).await.expect("an answer");
        assert_ne!(set, [true, true]);
        counted.0 += u64::from(set[0]);
        counted.1 += u64::from(set[1]);
    }
    let user = store
        .user(person)
        .await
        .expect("an answer")
        .expect("a user");
    assert_eq!((user.requests, user.followers), counted);
    for (key, count) in [
        (Key::Requests(person), counted.0),
        (Key::Followers(person), counted.1),
    ] {
        let size = store.cardinality(&key).await.expect("an answer");
        assert_eq!(size, count, "{key:?}");
    }
    counted
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_requests_at_once_each_sent_twice_are_counted_once() {
    let core = Core::start();
    let store = &core.store;
    let (person, others) = private_account(store, MANY).await;
    let twice = others.iter().chain(&others);
    let asked = join_all(twice.map(|other| follows::follow(store, *other, person))).await;
    for one in asked {
        assert_eq!(one.expect("the store answers"), Follow::Requested);
    }
    core.drain().await;
    assert_eq!(counts(store, person, &others).await, (MANY as u64, 0));
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_answers_at_once_and_as_many_withdrawals_leave_exact_counts() {
    let core = Core::start();
    let store = &core.store;
    let (person, others) = private_account(store, MANY).await;
    for other in &others {
        crowd::ask_to_follow(store, *other, person).await;
    }
    let accepts = others
        .iter()
        .map(|other| answer(store, person, *other, Answer::Accept));
    let refusals = others
        .iter()
        .skip(MANY / 2)
        .map(|other| answer(store, person, *other, Answer::Refuse));
    let withdrawals = others
        .iter()
        .take(MANY / 2)
        .map(|other| withdraw(store, *other, person));
    let (accepted, refused, withdrawn) =
        join!(join_all(accepts), join_all(refusals), join_all(withdrawals));
    let accepted: Vec<RequestOutcome> =
        accepted.into_iter().map(|one| one.expect("done")).collect();
    assert!(refused.iter().all(Result::is_ok));
    assert!(withdrawn.iter().all(Result::is_ok));
    core.drain().await;
    let followers = accepted
        .iter()
        .filter(|one| **one == RequestOutcome::Accepted);
    let followers = followers.count() as u64;
    assert_eq!(counts(store, person, &others).await, (0, followers));
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_wins_against_a_request_and_its_acceptance() {
    let core = Core::start();
    let store = &core.store;
    let (person, others) = private_account(store, TRIES).await;
    for other in &others {
        let (asked, accepted, blocked) = join!(
            follows::follow(store, *other, person),
            answer(store, person, *other, Answer::Accept),
            blocks::block(store, person, *other)
        );
        asked.expect("the store answers");
        accepted.expect("the store answers");
        blocked.expect("the store answers");
        core.drain().await;
    }
    assert_eq!(counts(store, person, &others).await, (0, 0));
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_at_the_moment_of_the_switch_is_a_follow_from_before_or_a_request() {
    let core = Core::start();
    let store = &core.store;
    let others = crowd::people(store, "other", TRIES).await;
    for (number, other) in others.iter().enumerate() {
        let person = crowd::member(store, &format!("person_{number}")).await;
        let (followed, ()) = join!(
            follows::follow(store, *other, person),
            crowd::set_private(store, person, true)
        );
        let followed = followed.expect("the store answers");
        core.drain().await;
        let expected = match followed {
            Follow::Requested => (1, 0),
            _ => (0, 1),
        };
        assert_eq!(counts(store, person, &[*other]).await, expected);
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_at_the_moment_of_the_switch_is_never_seen_by_strangers_while_it_is_private() {
    let core = Core::start();
    let store = &core.store;
    let stranger = crowd::member(store, "stranger").await;
    for number in 0..TRIES {
        let person = crowd::member(store, &format!("person_{number}")).await;
        let (status, ()) = join!(
            crowd::post_to(store, person, Visibility::Public, "#birds"),
            crowd::set_private(store, person, true)
        );
        for viewer in [Viewer::Anonymous, Viewer::Member(stranger)] {
            let seen = store.status(viewer, status).await.expect("an answer");
            assert!(seen.is_none());
        }
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_who_is_removed_during_a_second_press_only_asks_again() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    let (person, others) = private_account(store, 1).await;
    let other = others[0];
    crowd::ask_to_follow(store, other, person).await;
    let accepted = answer(store, person, other, Answer::Accept).await;
    assert_eq!(accepted.expect("an answer"), RequestOutcome::Accepted);
    let proxy = Proxy::start(&core.redis.one_node().socket());
    let config = Arc::new(store.config().clone());
    let behind_proxy = Store::open(&proxy.url(), config).expect("a valid address");
    behind_proxy.ready().await.expect("a connection");
    // The outbox entry, which follows the reads.
    proxy.strike(Fault::Hold, When::Only(1), ":later");
    let remove = async {
        proxy.holds().await;
        let removed = remove_follower(store, person, other).await;
        removed.expect("the store answers");
        proxy.pass();
    };
    let (followed, ()) = join!(follows::follow(&behind_proxy, other, person), remove);
    assert_eq!(followed.expect("the store answers"), Follow::Requested);
    core.drain().await;
    assert_eq!(counts(store, person, &others).await, (1, 0));
    core.assert_sound().await;
}
