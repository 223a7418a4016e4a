//! Bookmarks: a button under a status. Only its owner can see that it was pressed.

use futures_util::future::join_all;
use redwing::{
    domain::Collection,
    store::{Key, Relation},
};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, action_path, crowd};

/// Returns whether the bookmark button under a status is pressed.
fn bookmark_is_pressed(page: &Page, id: u64) -> bool {
    let button = format!("#status-{id} footer > [name$=bookmark]");
    page.attributes(&button, "aria-pressed") == ["true"]
}

#[tokio::test]
async fn a_bookmark_is_listed_until_it_is_removed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("to be found again").await;
    for _ in 0..2 {
        alice.press("/", "bookmark", id).await;
        assert_eq!(alice.ids("/bookmarks").await, [id]);
        assert!(bookmark_is_pressed(&alice.open("/").await, id));
        alice.press("/bookmarks", "unbookmark", id).await;
        assert!(alice.ids("/bookmarks").await.is_empty());
        assert!(!bookmark_is_pressed(&alice.open("/").await, id));
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn fifty_clicks_at_once_leave_one_bookmark() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("to be found again").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let bookmarks = Key::collection(uid, Collection::Bookmarks);
    for (action, left) in [("bookmark", vec![id]), ("unbookmark", vec![])] {
        let button = alice.open("/").await.button(&action_path(action, id));
        join_all((0..50).map(|_| alice.submit_accepted(&button))).await;
        assert_eq!(alice.ids("/bookmarks").await, left, "{action}");
        let count = site.store.cardinality(&bookmarks).await;
        assert_eq!(count.expect("an answer"), left.len() as u64);
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_bookmark_is_visible_only_to_its_owner() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let visitor = Person::visitor(&site);
    let id = alice.post("quite private").await;
    let paths = [
        "/@alice".to_owned(),
        format!("/@alice/{id}"),
        "/@bob".to_owned(),
    ];
    let read_pages = async || {
        let mut seen = Vec::new();
        for path in &paths {
            for person in [&alice, &visitor] {
                let page = person.open(path).await;
                seen.push((
                    page.texts("main"),
                    page.attributes(".status button", "name"),
                ));
            }
        }
        seen
    };
    let before = read_pages().await;
    bob.press("/@alice", "bookmark", id).await;
    assert_eq!(read_pages().await, before);
    assert!(alice.ids("/bookmarks").await.is_empty());
    assert!(
        visitor
            .get("/bookmarks")
            .await
            .location()
            .starts_with("/login")
    );
}

#[tokio::test]
async fn a_missing_status_cannot_be_bookmarked() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("short-lived").await;
    let button = alice.open("/").await.button(&action_path("bookmark", id));
    alice.delete(id).await;
    let never = Form {
        action: action_path("bookmark", 4096),
        ..button.clone()
    };
    for form in [button, never] {
        assert_eq!(alice.submit(&form).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn a_bookmark_of_a_deleted_status_is_removed_when_the_page_is_read() {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    let ids = crowd::posts(&site.store, author, 3).await;
    let bob = Person::sign_up(&site, "bob").await;
    let uid = crowd::uid(&site.store, "bob").await;
    for id in &ids {
        crowd::bookmark(&site.store, uid, *id).await;
    }
    let deleted = redwing::actions::statuses::delete(&site.store, author, ids[1]).await;
    deleted.expect("an answer");
    site.drain().await;
    site.assert_sound().await;
    assert_eq!(bob.ids("/bookmarks").await, [ids[2].get(), ids[0].get()]);
    let relation = Relation::Bookmark(uid, ids[1]);
    let left = site.store.has_relation(&relation).await;
    assert!(!left.expect("an answer"));
}
