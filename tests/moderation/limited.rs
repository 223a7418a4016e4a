//! Limited people: only their followers see what they write, and nothing leads others to them.

use super::{CASE, DECISIONS, END, decide, decision, notifications, three};
use crate::support::{Person, Site};

async fn sees_post(viewer: &Person, id: u64) -> bool {
    viewer.open("/@bob").await.status_ids().contains(&id)
}

async fn finds_bob(viewer: &Person) -> bool {
    let found = viewer.open("/search?q=bob").await;
    found.texts(".person .p-nickname").contains(&"bob".into())
}

/// Lets the minute pass for which shown trends are cached.
async fn trending(site: &Site, viewer: &Person) -> Vec<String> {
    site.redis.command(&["DEL", "tags:trending"]);
    viewer.open("/tags").await.texts(".trending a")
}

#[tokio::test]
async fn a_limited_person_is_shown_to_followers_and_nothing_leads_others_there() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let dave = Person::sign_up(&site, "dave").await;
    let visitor = Person::visitor(&site);
    dave.follow("bob").await;
    let id = bob.post("words about #birds").await;
    carol.post("more about #birds").await;
    let is_suggested = async || carol.open("/").await.find_form("/@bob/follow").is_some();
    assert!(is_suggested().await);
    assert_eq!(trending(&site, &carol).await, ["#birds"]);

    decide(&alice, "limit").await;
    let again = decision(&alice, "limit").await;
    assert!(alice.submit(&again).await.status.is_client_error());
    assert!(bob.is_logged_in().await, "the session goes on");
    let told = bob.open(DECISIONS).await;
    assert!(told.visible_text().contains("only your followers see"));
    assert!(told.has("form[action=\"/account/decisions/appeal\"]"));
    let second = bob.post("another word about #birds").await;
    for (viewer, sees) in [
        (&dave, true),
        (&bob, true),
        (&carol, false),
        (&visitor, false),
    ] {
        for id in [id, second] {
            assert_eq!(sees_post(viewer, id).await, sees);
        }
        assert_eq!(finds_bob(viewer).await, sees);
    }
    let profile = carol.open("/@bob").await.visible_text();
    assert!(profile.contains("The moderators limited this account"));
    assert!(!is_suggested().await);
    assert!(trending(&site, &carol).await.is_empty());

    carol.follow("bob").await;
    assert!(sees_post(&carol, second).await, "a follow needs no request");
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    assert!(sees_post(&visitor, second).await);
    assert!(finds_bob(&visitor).await);
    assert_eq!(trending(&site, &carol).await, ["#birds"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn what_is_written_during_a_limit_is_for_followers_until_it_ends_and_visible_afterwards() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let dave = Person::sign_up(&site, "dave").await;
    dave.follow("bob").await;
    let visitor = Person::visitor(&site);
    let first = bob.post("a first post").await;
    let of_carol = carol.post("a post by carol").await;
    bob.post("@carol before the limit").await;
    assert!(notifications(&carol).await.contains("before the limit"));

    decide(&alice, "limit").await;
    let news = notifications(&carol).await;
    assert!(!news.contains("before the limit"), "{news}");
    let to_carol = bob.reply(of_carol, "an answer to carol").await;
    let to_himself = bob.reply(first, "bob goes on").await;
    let by_dave = dave.reply(first, "an answer by dave").await;
    bob.post("@carol during the limit").await;
    assert!(!carol.open("/").await.has(".unread"), "no notification");
    for (viewer, sees) in [(&dave, true), (&carol, false), (&visitor, false)] {
        for id in [to_carol, to_himself] {
            let page = viewer.get(&format!("/@bob/{id}")).await;
            assert_eq!(page.status.is_success(), sees, "{id}");
        }
        let page = viewer.get(&format!("/@dave/{by_dave}")).await;
        assert!(page.status.is_success(), "replies by others stay");
    }

    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    for (author, id) in [("bob", to_carol), ("bob", to_himself), ("dave", by_dave)] {
        let page = visitor.get(&format!("/@{author}/{id}")).await;
        assert!(page.status.is_success(), "everyone sees {id} again");
    }
    assert!(notifications(&carol).await.contains("before the limit"));
    site.drain().await;
    site.assert_sound().await;
}
