//! Conversations of others are answered like absent ones, on every page, form and stream.

use reqwest::StatusCode;

use super::{begun, pair, press, site, write};
use crate::support::Person;

/// A conversation that does not exist.
const ABSENT: &str = "/messages/0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn a_conversation_of_others_is_answered_like_an_absent_one() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let eve = Person::sign_up(&site, "eve").await;
    let path = begun(&alice, "bob", "A secret").await;
    // The first page after the sign-up has a notice.
    eve.open("/").await;
    for page in ["", "?before=2", "/1/edit"] {
        let absent = eve.get(&format!("{ABSENT}{page}")).await;
        let foreign = eve.get(&format!("{path}{page}")).await;
        assert_eq!(absent.status, StatusCode::NOT_FOUND, "{page}");
        let body = |text: String| text.split(", request").next().map(str::to_owned);
        assert_eq!(
            (foreign.status, body(foreign.text("main"))),
            (absent.status, body(absent.text("main")))
        );
    }
    let own = begun(&alice, "bob", "Another").await;
    assert_eq!(own, path);
    let form = alice.open(&path).await.form(&path);
    let token = eve
        .open("/settings/messages")
        .await
        .form("/settings/messages");
    for action in "accept ignore block leave mute unmute clear hide delete name".split(' ') {
        let send = async |path: &str| {
            let form = token.to(&format!("{path}/{action}"));
            let form = form.set_new("message", "1").set_new("name", "Mine");
            eve.submit(&form).await.status
        };
        assert_eq!(send(ABSENT).await, StatusCode::NOT_FOUND, "{action}");
        assert_eq!(send(&path).await, StatusCode::NOT_FOUND, "{action}");
    }
    let key = form.value("idempotency_key");
    let write = token
        .to(&path)
        .set_new("message", "Me too")
        .set_new("idempotency_key", key);
    assert_eq!(eve.submit(&write).await.status, StatusCode::NOT_FOUND);
    assert_eq!(super::texts(&bob, &path).await, ["A secret", "Another"]);
}

#[tokio::test]
async fn a_visitor_logs_in_first() {
    let site = site().await;
    let (alice, _bob) = pair(&site).await;
    let path = begun(&alice, "bob", "A secret").await;
    let visitor = Person::visitor(&site);
    for page in [
        "/messages",
        "/messages/requests",
        "/messages/new",
        &path,
        ABSENT,
    ] {
        let answer = visitor.get(page).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{page}");
        assert!(answer.location().starts_with("/login"), "{page}");
    }
}

#[tokio::test]
async fn a_suspended_person_cannot_be_written_to_and_is_not_named() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Before").await;
    let id = crate::support::crowd::uid(&site.store, "bob").await;
    crate::support::crowd::set_suspended(&site.store, id, true).await;
    let page = alice.open(&path).await;
    assert!(
        page.text("h1").contains("Unavailable account"),
        "{}",
        page.html
    );
    assert!(!page.has(".message-form"));
    assert_eq!(super::texts(&alice, &path).await, ["Before"]);
    assert_eq!(bob.get(&path).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_person_who_left_reads_and_writes_no_more() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob carol", "Hello").await;
    let form = carol
        .open(&path)
        .await
        .form(&path)
        .set("message", "I was here");
    press(&carol, &path, &format!("{path}/leave")).await;
    assert_eq!(carol.submit(&form).await.status, StatusCode::NOT_FOUND);
    assert_eq!(carol.get(&path).await.status, StatusCode::NOT_FOUND);
    assert!(!carol.open("/messages").await.has(".chats"));
    assert_eq!(
        write(&bob, &path, "Still here").await.status,
        StatusCode::SEE_OTHER
    );
}
