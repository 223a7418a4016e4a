//! Concurrent favourites by many users, removals during the notification, and the deletion of the
//! post.

use futures_util::future::{join, join_all};
use redwing::{
    actions::favourites,
    domain::{NotificationKind, StatusId},
    store::{Key, Relation},
};

use super::{PAGE, all_notifications, lines, size, unread};
use crate::support::{Person, Site, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 8;
const CLICKS: usize = 50;

#[tokio::test]
async fn fifty_favourites_at_once_are_one_line_and_count_as_one() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let id = StatusId::new(alice.post("beloved").await).expect("an id");
    let fans = crowd::people(store, "fan", CLICKS).await;
    join_all(fans.iter().map(|fan| crowd::favourite(store, *fan, id))).await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    let said = lines(&alice.open(PAGE).await);
    assert_eq!(said.len(), 1);
    assert!(
        said[0].ends_with(" and 48 others favourited your post*"),
        "{said:?}"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn after_mixed_favourites_and_removals_notifications_match_the_source() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let id = crowd::post(store, author, "contested").await;
    let people = crowd::people(store, "fan", 5).await;
    for round in 0..ROUNDS {
        let presses = (0..CLICKS).map(async |click| {
            let by = people[click % people.len()];
            if (click / people.len() + round).is_multiple_of(2) {
                let kept = favourites::favourite(store, by, id).await;
                kept.map(drop).expect("an answer");
            } else {
                favourites::unfavourite(store, by, id)
                    .await
                    .expect("an answer");
            }
        });
        join_all(presses).await;
        site.drain().await;
        let relations = people.iter().map(|by| Relation::Favourite(*by, id));
        let relations: Vec<Relation> = relations.collect();
        let truth = store.have_relations(&relations).await;
        let truth = truth.expect("an answer");
        let truth = truth.iter().filter(|favours| **favours).count();
        let notified = all_notifications(store, author).await;
        assert_eq!(
            notified.iter().map(size).sum::<usize>(),
            truth,
            "round {round}"
        );
        assert!(
            notified
                .iter()
                .all(|line| line.kind == NotificationKind::Favourite(id))
        );
        site.assert_sound().await;
    }
}

#[tokio::test]
async fn favourite_against_delete_leaves_no_notification() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let fan = crowd::member(store, "fan").await;
    for round in 0..ROUNDS {
        let id = crowd::post(store, author, "soon gone").await;
        let favourite = favourites::favourite(store, fan, id);
        let (kept, ()) = join(favourite, crowd::delete(store, author, id)).await;
        kept.map(drop).expect("an answer");
        site.drain().await;
        let left = store.cardinality(&Key::Notifications(author)).await;
        assert_eq!(left.expect("an answer"), 0, "round {round}");
        site.assert_sound().await;
    }
}

/// Replays, step by step, an order of events that a race rarely shows: the status is deleted between
/// the favourite and its notification.
#[tokio::test]
async fn notifications_of_a_meanwhile_deleted_status_are_removed() {
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
    crowd::delete(store, author, id).await;
    site.drain().await;
    let left = store.cardinality(&Key::Notifications(author)).await;
    assert_eq!(left.expect("an answer"), 0);
    site.assert_sound().await;
}

#[tokio::test]
async fn after_concurrent_follows_and_unfollows_notifications_match_the_source() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let people = crowd::people(store, "reader", 5).await;
    for round in 0..ROUNDS {
        let presses = (0..CLICKS).map(async |click| {
            let by = people[click % people.len()];
            if (click / people.len() + round).is_multiple_of(2) {
                crowd::follow(store, by, author).await;
            } else {
                let left = redwing::actions::follows::unfollow(store, by, author).await;
                left.expect("an answer");
            }
        });
        join_all(presses).await;
        site.drain().await;
        let truth = store.cardinality(&Key::Followers(author)).await;
        let notified = all_notifications(store, author).await;
        let notified: usize = notified.iter().map(size).sum();
        assert_eq!(notified as u64, truth.expect("an answer"), "round {round}");
        site.assert_sound().await;
    }
}
