//! Messages that disappear: the setting, its event, and what is left when the time is over.

use reqwest::StatusCode;

use super::{begun, pair, press, site, texts, unread, write};
use crate::support::{Person, Site};

/// Sets the time after which new messages disappear.
async fn set_expiry(person: &Person, path: &str, days: &str) -> StatusCode {
    let form = person.open(path).await.form(&format!("{path}/expiry"));
    person.submit(&form.set("days", days)).await.status
}

/// Ends the time of a message, past the store.
fn end_time_of(site: &Site, path: &str, message: &str) {
    let chat = path.trim_start_matches("/messages/");
    site.redis
        .command(&["ZADD", &format!("chat:{{{chat}}}:expiring"), "1", message]);
    site.redis
        .command(&["HSET", &format!("chat:{{{chat}}}"), "expires", "1"]);
    site.redis.command(&["ZADD", "chats:expiring", "1", chat]);
}

#[tokio::test]
async fn a_message_disappears_for_everybody_and_older_ones_stay() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Before").await;
    assert_eq!(set_expiry(&alice, &path, "7").await, StatusCode::SEE_OTHER);
    write(&alice, &path, "Gone in a week").await;
    let announced = "Alice decided that new messages disappear after 7 days.";
    let announced = announced.replace("Alice", &partner_name(&bob, &path).await);
    assert_eq!(
        texts(&bob, &path).await,
        ["Before", &announced, "Gone in a week"]
    );
    let page = bob.open(&path).await;
    assert!(
        page.html.contains("New messages disappear after 7 days."),
        "{}",
        page.html
    );
    write(&alice, &path, "Unread when it ends").await;
    assert_eq!(unread(&bob).await, "1");
    end_time_of(&site, &path, "3");
    end_time_of(&site, &path, "4");
    // No page shows them from that moment on, also before the worker removes them.
    let list = bob.open("/messages").await;
    assert!(!list.html.contains("Unread when it ends"), "{}", list.html);
    redwing::actions::messages::expire_due_messages(&site.store, redwing::store::UnixMs(2))
        .await
        .expect("an answer");
    assert_eq!(unread(&bob).await, "");
    assert_eq!(texts(&bob, &path).await, ["Before", &announced]);
    assert_eq!(set_expiry(&bob, &path, "").await, StatusCode::SEE_OTHER);
    write(&alice, &path, "Stays").await;
    let chat = path.trim_start_matches("/messages/");
    let chat = chat.parse().expect("the id of a chat");
    let first = site.store.first_expiry(chat).await.expect("an answer");
    assert_eq!(first, None, "a message without a time stays");
    site.assert_sound().await;
}

/// Returns the name of the partner in the title of a conversation.
async fn partner_name(person: &Person, path: &str) -> String {
    person.open(path).await.text("h1")
}

#[tokio::test]
async fn a_time_that_no_one_offers_is_refused_and_a_stranger_changes_nothing() {
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let path = begun(&alice, "bob", "May I?").await;
    let form = alice.open(&path).await.form(&format!("{path}/expiry"));
    let refused = alice.submit(&form.clone().set("days", "7")).await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        refused.html
    );
    press(&bob, "/messages/requests", &format!("{path}/accept")).await;
    let odd = alice.submit(&form.set("days", "8")).await;
    assert_eq!(odd.status, StatusCode::BAD_REQUEST);
    assert_eq!(texts(&bob, &path).await, ["May I?"]);
}

#[tokio::test]
async fn a_blocked_person_cannot_change_a_conversation() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Before").await;
    let form = alice.open(&path).await.form(&format!("{path}/expiry"));
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    let refused = alice.submit(&form.clone().set("days", "1")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let name = form
        .to(&format!("{path}/name"))
        .set_new("name", "A message as a name");
    assert_eq!(alice.submit(&name).await.status, StatusCode::NOT_FOUND);
    let edit = form
        .to(&format!("{path}/1/edit"))
        .set_new("message", "After");
    assert_eq!(
        alice.submit(&edit).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(texts(&bob, &path).await, ["Before"]);
}
