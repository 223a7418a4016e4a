//! Concurrent favourites by one user and by many, and during a deletion of the status.

use futures_util::future::{join, join_all};
use redwing::{
    actions::favourites,
    domain::{StatusId, UserId},
    store::{Key, Relation, Viewer},
};

use super::{alice_and_bob, favourite_button};
use crate::support::{Site, action_path, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 8;
const CLICKS: usize = 50;

#[tokio::test]
async fn fifty_clicks_at_once_leave_one_favourite_and_an_exact_count() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let button = bob
        .open("/@alice")
        .await
        .button(&action_path("favourite", id));
    join_all((0..CLICKS).map(|_| bob.submit_accepted(&button))).await;
    let page = bob.open("/@alice").await;
    assert_eq!(favourite_button(&page, id), (true, "1".into()));
    let button = page.button(&action_path("unfavourite", id));
    join_all((0..CLICKS).map(|_| bob.submit_accepted(&button))).await;
    assert_eq!(
        favourite_button(&bob.open("/@alice").await, id),
        (false, String::new())
    );
    site.assert_sound().await;
}

/// Returns the status's count, the length of its list, and how many of these people favourited it
/// in the source of truth.
async fn numbers(site: &Site, id: StatusId, people: &[UserId]) -> [u64; 3] {
    let store = &site.store;
    let status = store.status(Viewer::Anonymous, id).await;
    let listed = store.cardinality(&Key::FavouritedBy(id)).await;
    let relations = people.iter().map(|by| Relation::Favourite(*by, id));
    let relations: Vec<Relation> = relations.collect();
    let truth = store.have_relations(&relations).await;
    let truth = truth.expect("an answer");
    [
        status
            .expect("an answer")
            .expect("it lives")
            .favourite_count(),
        listed.expect("an answer"),
        truth.iter().filter(|favours| **favours).count() as u64,
    ]
}

#[tokio::test]
async fn after_mixed_favourites_and_removals_count_list_and_source_agree() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let id = crowd::post(store, author, "contested").await;
    let people = crowd::people(store, "fan", 5).await;
    for round in 0..ROUNDS {
        let presses = (0..CLICKS).map(async |click| {
            let by = people[click % people.len()];
            if (click / people.len() + round).is_multiple_of(2) {
                let result = favourites::favourite(store, by, id).await;
                result.map(drop).expect("an answer");
            } else {
                favourites::unfavourite(store, by, id)
                    .await
                    .expect("an answer");
            }
        });
        join_all(presses).await;
        site.drain().await;
        let [says, listed, truth] = numbers(&site, id, &people).await;
        assert_eq!((says, listed), (truth, truth), "round {round}");
        site.assert_sound().await;
    }
}

#[tokio::test]
async fn favourite_against_delete_leaves_nothing_behind() {
    let site = Site::start().await;
    let store = &site.store;
    let (alice, bob, _) = alice_and_bob(&site).await;
    let uid = crowd::uid(store, "bob").await;
    for round in 0..ROUNDS {
        let id = alice.post(&format!("round {round}")).await;
        let delete = alice.delete_form(id).await;
        let press = bob
            .open("/@alice")
            .await
            .button(&action_path("favourite", id));
        join(alice.submit_accepted(&delete), bob.submit(&press)).await;
        site.drain().await;
        let id = StatusId::new(id).expect("an id");
        let listed = store.cardinality(&Key::FavouritedBy(id)).await;
        assert_eq!(listed.expect("an answer"), 0, "round {round}");
        site.assert_sound().await;
        assert!(bob.ids("/favourites").await.is_empty());
        let is_favourite = store.has_relation(&Relation::Favourite(uid, id)).await;
        assert!(!is_favourite.expect("an answer"), "round {round}");
    }
}

/// Replays, step by step, an order of events that a race rarely shows: the status is deleted
/// between the write to the source of truth and the write to its mirror.
#[tokio::test]
async fn a_favourite_of_a_status_deleted_before_the_mirror_write_is_removed() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let fan = crowd::member(store, "fan").await;
    let id = crowd::post(store, author, "gone in a moment").await;
    let call = store.begin().await.expect("an answer");
    let entry = store
        .add_outbox_entry(&Relation::Favourite(fan, id).into())
        .await;
    drop(entry.expect("an answer"));
    let relation = Relation::Favourite(fan, id);
    let set = store.set_relation(&call, &fan.into(), &relation).await;
    set.expect("an answer");
    let deleted = redwing::actions::statuses::delete(store, author, id).await;
    deleted.expect("an answer");
    site.drain().await;
    let is_favourite = store.has_relation(&relation).await;
    assert!(!is_favourite.expect("an answer"));
    site.assert_sound().await;
}
