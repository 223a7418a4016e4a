//! Favourites and bookmarks, with each round trip to Redis failing in each way.

use futures_util::join;
use redwing::{
    actions::favourites::{favourite, unfavourite},
    domain::{StatusId, UserId},
    store::{Key, Relation, Store, Viewer},
};

use super::{
    DEADLINE, RESPONSE, on_one_node,
    steps::{Scene, at_every_step, reader, send_again},
};
use crate::notifications;
use crate::support::{
    Form, Person, Site, action_path, crowd,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
};

/// Signs up a reader of an author with one status. Returns the reader and the status.
async fn reader_of(site: &Site, name: &str) -> (Person, u64) {
    let reader = reader(site, name).await;
    let id = reader.open(&format!("/@a_{name}")).await.status_ids()[0];
    (reader, id)
}

async fn button(reader: &Person, name: &str, action: &str, id: u64) -> Form {
    let page = reader.open(&format!("/@a_{name}")).await;
    page.button(&action_path(action, id))
}

/// Returns the favourite count of the scene's status, the length of its list, the number of
/// statuses that the reader favourited, and the author's favourite notifications.
async fn favourites(site: &Site, scene: &Scene) -> (String, usize, usize, usize) {
    let page = scene.person.open(&format!("/@a_{}", scene.name)).await;
    let number = page.texts(".status footer button b").concat();
    let id = page.status_ids()[0];
    let who = format!("/@a_{}/{id}/favourites", scene.name);
    let listed = scene.person.open(&who).await.count(".person");
    let author = crowd::uid(&site.store, &format!("a_{}", scene.name)).await;
    let notified = notifications::members(&site.store, author).await;
    let stars = notified
        .iter()
        .filter(|entry| entry.starts_with("favourite:"));
    let saved_count = scene.person.ids("/favourites").await.len();
    (number, listed, saved_count, stars.count())
}

#[tokio::test]
async fn a_favourite_counts_once() {
    at_every_step(
        async |site, name| {
            let (reader, id) = reader_of(site, name).await;
            let form = button(&reader, name, "favourite", id).await;
            (reader, form)
        },
        send_again,
        async |site, scene| assert_eq!(favourites(site, scene).await, ("1".into(), 1, 1, 1)),
    )
    .await;
}

#[tokio::test]
async fn a_removed_favourite_leaves_nothing() {
    at_every_step(
        async |site, name| {
            let (reader, id) = reader_of(site, name).await;
            reader.press(&format!("/@a_{name}"), "favourite", id).await;
            let form = button(&reader, name, "unfavourite", id).await;
            (reader, form)
        },
        send_again,
        async |site, scene| {
            assert_eq!(favourites(site, scene).await, (String::new(), 0, 0, 0));
        },
    )
    .await;
}

#[tokio::test]
async fn a_bookmark_is_there_once() {
    at_every_step(
        async |site, name| {
            let (reader, id) = reader_of(site, name).await;
            let form = button(&reader, name, "bookmark", id).await;
            (reader, form)
        },
        send_again,
        async |_, scene| assert_eq!(scene.person.ids("/bookmarks").await.len(), 1),
    )
    .await;
}

/// Returns the status's favourite count, the length of its list, the author's notifications of it,
/// and whether one person favourited it in the source of truth.
async fn sides(store: &Store, author: UserId, by: UserId, id: StatusId) -> (u64, u64, u64, bool) {
    let status = store.status(Viewer::Member(by), id).await;
    let listed = store.cardinality(&Key::FavouritedBy(id)).await;
    let notified = store.cardinality(&Key::Notifications(author)).await;
    let truth = store.has_relation(&Relation::Favourite(by, id)).await;
    (
        status
            .expect("an answer")
            .expect("it lives")
            .favourite_count(),
        listed.expect("an answer"),
        notified.expect("an answer"),
        truth.expect("an answer"),
    )
}

/// One request is delayed at its write to the status's side, and the opposite one overtakes it.
#[tokio::test]
async fn an_overtaken_request_leaves_the_state_of_the_last_one() {
    let site = on_one_node(&[]).await;
    let proxied = ProxiedServer::start(&site, RESPONSE * 10, DEADLINE * 10).await;
    let (here, there) = (&site.store, &proxied.store);
    let author = crowd::member(here, "author").await;
    let fan = crowd::member(here, "fan").await;
    let id = crowd::post(here, author, "contested").await;
    let press = async |store: &Store, favours: bool| {
        let pressed = if favours {
            favourite(store, fan, id).await.map(drop)
        } else {
            unfavourite(store, fan, id).await
        };
        pressed.expect("an answer");
    };
    let held_up = [
        "favourited_by:",
        "favourited_by:",
        "notifications:",
        "notifications:",
    ];
    for (last, at) in [false, true].into_iter().cycle().zip(held_up) {
        proxied.proxy.strike(Fault::Hold, When::Only(1), at);
        let overtaking = async {
            proxied.proxy.holds().await;
            press(here, last).await;
            proxied.proxy.pass();
        };
        join!(press(there, !last), overtaking);
        let count = u64::from(last);
        let sides = sides(here, author, fan, id).await;
        assert_eq!(sides, (count, count, count, last), "delayed at {at}");
    }
    site.assert_sound().await;
}
