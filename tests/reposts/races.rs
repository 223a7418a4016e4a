//! Concurrent reposts, and reposts during a deletion of the original.

use futures_util::{
    future::{join, join_all},
    join,
};
use redwing::{
    actions::{reposts, statuses},
    domain::{Readers, StatusId},
    store::{Key, Viewer},
};

use super::{Scene, button};
use crate::support::{action_path, core::Core, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 8;
const CLICKS: usize = 50;

#[tokio::test]
async fn fifty_clicks_at_once_leave_one_repost_and_an_exact_count() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    let press = bob.open("/@alice").await.button(&action_path("repost", id));
    join_all((0..CLICKS).map(|_| bob.submit_accepted(&press))).await;
    assert_eq!(bob.ids("/@bob").await.len(), 1);
    assert_eq!(carol.home_ids().await.len(), 1);
    assert_eq!(button(&bob.open("/@alice").await, id), (true, "1".into()));
    site.drain().await;
    site.assert_sound().await;
    let press = bob
        .open("/@alice")
        .await
        .button(&action_path("unrepost", id));
    join_all((0..CLICKS).map(|_| bob.submit_accepted(&press))).await;
    site.drain().await;
    assert!(carol.home_ids().await.is_empty());
    assert_eq!(
        button(&bob.open("/@alice").await, id),
        (false, String::new())
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn after_mixed_reposts_and_removals_at_most_one_is_left_and_all_agree() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let id = crowd::post(store, author, "contested").await;
    let people = crowd::people(store, "reposter", 3).await;
    for round in 0..ROUNDS {
        let presses = (0..CLICKS).map(async |click| {
            let by = people[click % people.len()];
            if (click / people.len() + round).is_multiple_of(2) {
                reposts::repost(store, by, id).await.map(drop)
            } else {
                reposts::undo_repost(store, by, id).await
            }
            .expect("an answer");
        });
        join_all(presses).await;
        core.drain().await;
        core.assert_sound().await;
        let mut truth = 0;
        for by in &people {
            let posts = store.cardinality(&Key::Profile(*by)).await;
            let claimed = store.reposted_as(*by, id).await.expect("an answer");
            assert_eq!(posts.expect("an answer"), u64::from(claimed.is_some()));
            truth += u64::from(claimed.is_some());
        }
        let status = store.status(Viewer::Anonymous, id).await;
        let status = status.expect("an answer").expect("it lives");
        assert_eq!(status.repost_count(), truth, "round {round}");
    }
}

#[tokio::test]
async fn repost_against_delete_leaves_nothing_behind() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let [one, two, three]: [_; 3] = crowd::people(store, "reposter", 3)
        .await
        .try_into()
        .expect("three");
    for round in 0..ROUNDS {
        let id = crowd::post(store, author, "going").await;
        crowd::repost(store, one, id).await;
        let (_, quoted, deleted, _) = join!(
            reposts::repost(store, two, id),
            reposts::original_of(store, three, id),
            statuses::delete(store, author, id),
            reposts::repost(store, three, id),
        );
        deleted.expect("an answer");
        drop(quoted);
        core.drain().await;
        core.assert_sound().await;
        for by in [one, two, three] {
            let posts = store.cardinality(&Key::Profile(by)).await;
            assert_eq!(posts.expect("an answer"), 0, "round {round}");
        }
    }
}

/// Replays, step by step, an order of events that a race rarely shows: the original is deleted
/// between the claim and the repost.
#[tokio::test]
async fn a_repost_of_an_original_deleted_before_the_write_is_deleted_too() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let by = crowd::member(store, "reposter").await;
    let id = crowd::post(store, author, "gone in a moment").await;
    let original = reposts::original_of(store, by, id).await;
    let original = original.expect("an answer").expect("it lives");
    let call = store.begin().await.expect("an answer");
    let claim = store.claim_repost(&call, &by.into(), id).await;
    let (claim, _reminder) = claim.expect("an answer");
    let redwing::store::Draw::Id {
        id: repost, login, ..
    } = claim
    else {
        panic!("{claim:?}");
    };
    crowd::delete(store, author, id).await;
    let actor = by.into();
    let made = store.create_repost(&call, repost, (&actor, &login), original, Readers::Everyone);
    let (_, _reminder) = made.await.expect("an answer");
    core.drain().await;
    core.assert_sound().await;
    let left = store.cardinality(&Key::OwnReposts(by)).await;
    assert_eq!(left.expect("an answer"), 0);
}

/// A claim that was written before a crash disappears, and the next repost works.
#[tokio::test]
async fn a_claim_without_a_repost_expires_and_blocks_no_one() {
    let core = Core::start();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let by = crowd::member(store, "reposter").await;
    let id = crowd::post(store, author, "worth telling").await;
    let claim = async || {
        let call = store.begin().await.expect("an answer");
        let claimed = store.claim_repost(&call, &by.into(), id).await;
        claimed.expect("an answer").0
    };
    let first = claim().await;
    assert_eq!(claim().await, first, "the same until it is gone");
    core.drain().await;
    let left = store.reposted_as(by, id).await;
    assert_eq!(left.expect("an answer"), None);
    core.assert_sound().await;
    claim().await;
    let made: StatusId = crowd::repost(store, by, id).await;
    let taken_back = reposts::undo_repost(store, by, id);
    join(taken_back, core.drain()).await.0.expect("an answer");
    core.drain().await;
    core.assert_sound().await;
    assert!(!store.life(made).await.expect("an answer").is_living());
}
