//! Leaving: a conversation that everybody has left is deleted, and the same people can begin again.

use reqwest::StatusCode;

use super::{begun, pair, press, site, texts, write};
use crate::support::Person;

#[tokio::test]
async fn a_conversation_that_everybody_has_left_is_deleted_and_can_begin_again() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob carol", "Hello both").await;
    write(&bob, &path, "Hello").await;
    let chat_keys = async || {
        let id = path.trim_start_matches("/messages/");
        let keys = site.keys("chat:{").await;
        keys.iter().filter(|key| key.contains(id)).count()
    };
    for person in [&alice, &bob, &carol] {
        assert!(chat_keys().await > 0);
        press(person, &path, &format!("{path}/leave")).await;
        assert_eq!(person.get(&path).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(chat_keys().await, 0);
    let settings = alice.open("/settings").await.visible_text();
    assert!(settings.contains("Your messages use 0.0 MB"), "{settings}");
    site.assert_sound().await;
    assert_eq!(begun(&carol, "alice bob", "Again").await, path);
    assert_eq!(texts(&carol, &path).await, ["Again"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn no_one_leaves_a_conversation_of_two_for_good() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "One").await;
    let form = bob.open(&path).await.form(&format!("{path}/mute"));
    let left = bob.submit(&form.to(&format!("{path}/leave"))).await;
    assert_eq!(left.status, StatusCode::NOT_FOUND);
    for person in [&alice, &bob] {
        press(person, &path, &format!("{path}/clear")).await;
        assert!(!person.open("/messages").await.has(".chats"));
    }
    assert_eq!(begun(&bob, "alice", "Two").await, path);
    assert_eq!(texts(&alice, &path).await, ["Two"]);
    assert_eq!(texts(&bob, &path).await, ["Two"]);
}
