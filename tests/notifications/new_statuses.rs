//! Notifications caused by a new status: replies, reposts and quotes.

use redwing::{
    actions::statuses,
    domain::{StatusId, UserId},
    store::Store,
};

use super::{PAGE, all_notifications, lines, members, unread};
use crate::support::{Person, Site, crowd};

async fn reconcile(store: &Store, id: StatusId) {
    statuses::reconcile(store, id).await.expect("an answer");
}

/// Signs up alice and bob, each with a post.
async fn scene(site: &Site) -> (Person, (StatusId, UserId), (StatusId, UserId)) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    let of_alice = StatusId::new(alice.post("a question").await).expect("an id");
    let of_bob = StatusId::new(bob.post("an answer").await).expect("an id");
    let a = crowd::uid(&site.store, "alice").await;
    let b = crowd::uid(&site.store, "bob").await;
    (alice, (of_alice, a), (of_bob, b))
}

#[tokio::test]
async fn a_reply_is_notified_once_and_removed_with_the_reply() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let question = format!("/@alice/{}", alice.post("a question").await);
    let form = bob.open(&question).await.form("/statuses");
    for _ in 0..2 {
        bob.submit_accepted(&form.clone().set("message", "an answer"))
            .await;
    }
    let answer = bob.open("/@bob/replies").await.status_ids()[0];
    let id = StatusId::new(answer).expect("an id");
    reconcile(&site.store, id).await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page), ["bob of the tests replied to you*"]);
    assert_eq!(page.text(".notifications blockquote"), "an answer");
    assert!(page.has(&format!(
        ".notifications blockquote a[href=\"/@bob/{answer}#status-{answer}\"]"
    )));
    reconcile(&site.store, id).await;
    assert_eq!(
        unread(&alice.open("/").await),
        None,
        "no user is notified twice"
    );
    site.assert_sound().await;
    bob.delete(answer).await;
    let uid = crowd::uid(&site.store, "alice").await;
    assert!(members(&site.store, uid).await.is_empty());
}

#[tokio::test]
async fn a_repost_is_notified_once_and_removed_with_the_repost_or_the_post() {
    let site = Site::start().await;
    let (alice, post, (_, bob)) = scene(&site).await;
    let repost = crowd::repost(&site.store, bob, post.0).await;
    reconcile(&site.store, repost).await;
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page), ["bob of the tests reposted your post*"]);
    assert_eq!(page.text(".notifications blockquote"), "a question");
    crowd::delete(&site.store, bob, repost).await;
    site.drain().await;
    assert!(all_notifications(&site.store, post.1).await.is_empty());
    crowd::repost(&site.store, bob, post.0).await;
    reconcile(&site.store, repost).await;
    assert_eq!(all_notifications(&site.store, post.1).await.len(), 1);
    assert_eq!(
        unread(&alice.open("/").await),
        None,
        "it was notified before"
    );
    crowd::delete(&site.store, post.1, post.0).await;
    site.drain().await;
    assert!(members(&site.store, post.1).await.is_empty());
}

#[tokio::test]
async fn a_quote_is_notified_once_and_removed_with_the_quote_but_not_with_the_post() {
    let site = Site::start().await;
    let (alice, post, (_, bob)) = scene(&site).await;
    let quote = crowd::quote(&site.store, bob, post.0, "well asked, @alice").await;
    reconcile(&site.store, quote).await;
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page), ["bob of the tests quoted your post*"]);
    assert_eq!(page.text(".notifications blockquote"), "well asked, @alice");
    site.assert_sound().await;
    crowd::delete(&site.store, bob, quote).await;
    site.drain().await;
    assert!(members(&site.store, post.1).await.is_empty());
    crowd::quote(&site.store, bob, post.0, "once more").await;
    assert_eq!(members(&site.store, post.1).await.len(), 1);
    crowd::delete(&site.store, post.1, post.0).await;
    site.drain().await;
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page), ["bob of the tests quoted your post*"]);
    assert_eq!(page.text(".notifications blockquote"), "once more");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_mention_that_is_edited_away_and_back_is_notified_once() {
    let site = Site::start().await;
    let (alice, (_, uid), (_, bob)) = scene(&site).await;
    let store = &site.store;
    crowd::follow_tag(store, uid, "birds").await;
    let id = crowd::post(store, bob, "hello @alice, #birds").await;
    let is_notified = async |unread_before: Option<&str>| {
        for text in ["hello", "hello @alice, #birds"] {
            crowd::edit(store, bob, id, text).await;
            site.drain().await;
            let mentions = text.contains("alice");
            assert_eq!(
                all_notifications(store, uid).await.len(),
                usize::from(mentions)
            );
            let unread = unread(&alice.open("/").await);
            assert_eq!(unread.as_deref(), unread_before.filter(|_| mentions));
        }
    };
    is_notified(Some("1")).await;
    assert_eq!(lines(&alice.open(PAGE).await).len(), 1);
    is_notified(None).await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_reply_to_oneself_is_not_notified() {
    let site = Site::start().await;
    let (alice, (question, uid), _) = scene(&site).await;
    let more = alice
        .reply(question.get(), "and another thing, @alice")
        .await;
    reconcile(&site.store, StatusId::new(more).expect("an id")).await;
    assert!(members(&site.store, uid).await.is_empty());
}
