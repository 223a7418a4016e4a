//! Muted conversations: no more notifications from them.

use redwing::{actions::muted_conversations, domain::MAX_MUTED_CONVERSATIONS, store::SetOutcome};
use tokio::join;

use crate::{
    notifications::{lines, members, unread},
    support::{Person, Site, core::Core, crowd},
};

const PAGE: &str = "/settings/muted-conversations";

#[tokio::test]
async fn a_muted_conversation_notifies_no_more_until_it_is_unmuted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let first = alice.post("let us talk").await;
    let reply = bob.reply(first, "the first answer").await;
    site.drain().await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    // Each post of a conversation mutes all of it.
    let path = format!("/@alice/{first}");
    let menu = alice.open_menu(&path, reply).await;
    let button = menu.button(&format!("/statuses/{reply}/mute"));
    let answer = alice.submit_accepted(&button).await;
    assert_eq!(answer.location(), format!("/@alice/{first}#status-{reply}"));
    bob.reply(reply, "@alice, a second one").await;
    bob.press("/@alice", "favourite", first).await;
    bob.press("/@alice", "repost", first).await;
    bob.post("@alice, elsewhere").await;
    site.drain().await;
    let page = alice.open("/notifications").await;
    assert_eq!(lines(&page).len(), 2, "{:?}", lines(&page));
    assert_eq!(unread(&alice.open("/").await), None);
    // The posts stay where they are.
    assert_eq!(alice.open(&path).await.messages().len(), 3);
    let menu = alice.open_menu(&path, first).await;
    let button = menu.button(&format!("/statuses/{first}/unmute"));
    alice.submit_accepted(&button).await;
    bob.reply(first, "a third one").await;
    site.drain().await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    site.assert_sound().await;
}

#[tokio::test]
async fn settings_list_muted_conversations_also_without_their_first_post() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let me = crowd::uid(store, "alice").await;
    let bob = crowd::member(store, "bob").await;
    assert!(
        alice
            .open("/settings")
            .await
            .has(&format!("a[href=\"{PAGE}\"]"))
    );
    assert!(alice.open(PAGE).await.has(".empty"));
    let there = crowd::post(store, bob, "about tea").await;
    let gone = crowd::post(store, bob, "soon gone").await;
    let lone = crowd::post(store, bob, "never there").await;
    crowd::reply(store, me, gone, "an answer").await;
    for id in [there, gone, lone] {
        crowd::mute_conversation(store, me, id).await;
    }
    crowd::delete(store, bob, gone).await;
    site.redis.command(&["DEL", &format!("status:{{{lone}}}")]);
    let page = alice.open(PAGE).await;
    assert_eq!(page.texts(".sessions a"), ["about tea"]);
    let rows = page.texts(".sessions li > p");
    assert_eq!(rows, ["The first post is not available."]);
    for id in [there, gone] {
        let form = alice
            .open(PAGE)
            .await
            .form(&format!("/statuses/{id}/unmute"));
        alice.submit_accepted(&form).await;
    }
    assert!(alice.open(PAGE).await.has(".empty"));
}

#[tokio::test]
async fn muted_conversations_are_limited_and_hidden_ones_cannot_be_muted() {
    let core = Core::start();
    let store = &core.store;
    let who = crowd::people(store, "person", 2).await;
    let id = crowd::post(store, who[0], "one").await;
    let key = format!("muted_conversations:{{{}}}", who[1]);
    for number in 1..=MAX_MUTED_CONVERSATIONS {
        let number = number.to_string();
        core.redis.command(&["ZADD", &key, &number, &number]);
    }
    let muted = muted_conversations::mute_conversation(store, who[1], id).await;
    assert_eq!(muted.expect("an answer"), SetOutcome::TooMany);
    crowd::delete(store, who[0], id).await;
    let muted = muted_conversations::mute_conversation(store, who[1], id).await;
    assert_eq!(muted.expect("an answer"), SetOutcome::Unknown);
}

/// A reply whose notification is written after the mute was answered notifies nobody.
#[tokio::test(flavor = "multi_thread")]
async fn replies_in_flight_notify_before_the_mute_or_not_at_all() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..12 {
        let who = crowd::people(store, &format!("person_{number}"), 2).await;
        let first = crowd::post(store, who[0], "let us talk").await;
        let (before, reply) = join!(
            async {
                crowd::mute_conversation(store, who[0], first).await;
                members(store, who[0]).await
            },
            crowd::reply(store, who[1], first, "in flight")
        );
        crowd::reply(store, who[1], reply, "later").await;
        core.drain().await;
        assert_eq!(members(store, who[0]).await, before, "try {number}");
    }
    core.assert_sound().await;
}
