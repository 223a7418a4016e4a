//! Requests to follow private accounts, interrupted before each command of a change.

use redwing::{
    actions::{
        follow_requests::{answer, remove_follower, withdraw},
        follows,
    },
    domain::{Answer, UserId},
    store::{Key, Relation},
};

use super::cut_off_everywhere;
use crate::{
    notifications::members,
    support::{
        core::Core,
        crowd::{ask_to_follow, follow, member, set_private},
    },
};

struct Scene {
    from: UserId,
    person: UserId,
}

/// A person with a private account, and another person.
async fn two(core: &Core, number: usize) -> Scene {
    let from = member(&core.store, &format!("from_{number}")).await;
    let person = member(&core.store, &format!("person_{number}")).await;
    set_private(&core.store, person, true).await;
    Scene { from, person }
}

/// The same after the request.
async fn asked(core: &Core, number: usize) -> Scene {
    let scene = two(core, number).await;
    ask_to_follow(&core.store, scene.from, scene.person).await;
    scene
}

/// Returns whether the request waits and whether the follow is set, after all copies agree with both.
async fn state(core: &Core, scene: &Scene) -> (bool, bool) {
    let (store, from, person) = (&core.store, scene.from, scene.person);
    let relations = [
        Relation::FollowRequest(from, person),
        Relation::Follow(from, person),
    ];
    let set = store.have_relations(&relations).await.expect("an answer");
    let (asks, follows) = (set[0], set[1]);
    for (key, expected) in [
        (Key::Requests(person), asks),
        (Key::Followers(person), follows),
    ] {
        let count = store.cardinality(&key).await.expect("an answer");
        assert_eq!(count, u64::from(expected), "{key:?}");
    }
    let user = store
        .user(person)
        .await
        .expect("an answer")
        .expect("a user");
    assert_eq!(user.requests, u64::from(asks));
    assert_eq!(user.followers, u64::from(follows));
    let notified = members(store, person).await;
    let request = format!("request:0:{from}");
    assert_eq!(notified.contains(&request), asks, "{notified:?}");
    assert!(!(asks && follows));
    (asks, follows)
}

#[tokio::test]
async fn a_request_cut_off_anywhere_waits_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| two(&core, number).await,
        async |store, scene| {
            let asked = follows::follow(store, scene.from, scene.person).await;
            asked.map(drop)
        },
        async |scene| assert!(!state(&core, scene).await.1),
    )
    .await;
}

#[tokio::test]
async fn a_withdrawal_cut_off_anywhere_is_done_on_both_sides_or_on_none() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| asked(&core, number).await,
        async |store, scene| {
            let withdrawn = withdraw(store, scene.from, scene.person).await;
            withdrawn.map(drop)
        },
        async |scene| assert!(!state(&core, scene).await.1),
    )
    .await;
}

#[tokio::test]
async fn an_acceptance_cut_off_anywhere_is_a_follow_or_a_request() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| asked(&core, number).await,
        async |store, scene| {
            let answered = answer(store, scene.person, scene.from, Answer::Accept).await;
            answered.map(drop)
        },
        async |scene| {
            let (asks, follows) = state(&core, scene).await;
            assert!(asks != follows, "one of both");
        },
    )
    .await;
}

#[tokio::test]
async fn a_refusal_cut_off_anywhere_is_done_or_not() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| asked(&core, number).await,
        async |store, scene| {
            let answered = answer(store, scene.person, scene.from, Answer::Refuse).await;
            answered.map(drop)
        },
        async |scene| assert!(!state(&core, scene).await.1),
    )
    .await;
}

#[tokio::test]
async fn removing_a_follower_cut_off_anywhere_is_done_or_not() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let from = member(&core.store, &format!("from_{number}")).await;
            let person = member(&core.store, &format!("person_{number}")).await;
            follow(&core.store, from, person).await;
            Scene { from, person }
        },
        async |store, scene| remove_follower(store, scene.person, scene.from).await,
        async |scene| assert!(!state(&core, scene).await.0),
    )
    .await;
}
