//! Requests in conversations of several people: who has not accepted gets one message of strangers, also if an account
//! of the author's own has accepted.

use reqwest::StatusCode;

use super::{begin, begun, press, site, texts, write};
use crate::support::{Person, Site};

/// An author, a second account of the author that follows it, and a person who follows neither.
async fn people(site: &Site) -> (Person, Person, Person) {
    let author = Person::sign_up(site, "author").await;
    let puppet = Person::sign_up(site, "puppet").await;
    let bob = Person::sign_up(site, "bob").await;
    puppet.follow("author").await;
    (author, puppet, bob)
}

#[tokio::test]
async fn a_group_with_an_account_of_the_author_shows_one_message_until_it_is_accepted() {
    let site = site().await;
    let (author, puppet, bob) = people(&site).await;
    let path = begun(&author, "puppet bob", "One").await;
    write(&puppet, &path, "Two").await;
    write(&author, &path, "Three").await;
    let name = author.open(&path).await.form(&format!("{path}/name"));
    author.submit_accepted(&name.set("name", "Four")).await;
    assert_eq!(texts(&bob, &path).await, ["One"]);
    let requests = bob.open("/messages/requests").await;
    let found = bob.open("/messages/search?q=Two").await;
    for page in [&requests, &found, &bob.open(&path).await] {
        for text in ["Two", "Three", "Four"] {
            let main = page.text("main");
            let main = main.replace("“Two”", "");
            assert!(!main.contains(text), "{main}");
        }
    }
    assert!(requests.text(".chats").contains("One"), "{}", requests.html);

    let accepted = press(&bob, "/messages/requests", &format!("{path}/accept")).await;
    assert_eq!(accepted.status, StatusCode::SEE_OTHER);
    assert_eq!(texts(&bob, &path).await[..3], ["One", "Two", "Three"]);
    assert!(bob.open(&path).await.text("h1").contains("Four"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn another_conversation_with_a_person_who_has_not_answered_is_refused() {
    let site = site().await;
    let (author, _puppet, bob) = people(&site).await;
    let path = begun(&author, "bob", "May I?").await;
    let group = begin(&author, "puppet bob", "Hello?").await;
    assert_eq!(group.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(group.html.contains("when your first message is accepted"));
    let page = bob.open("/messages/requests").await;
    let form = page.form(&format!("{path}/accept"));
    bob.submit_accepted(&form.to(&format!("{path}/ignore")))
        .await;
    let ignored = begin(&author, "puppet bob", "Hello?").await;
    assert_eq!(ignored.text(".error"), group.text(".error"));
    begun(&author, "puppet", "Others can be reached").await;
    bob.submit_accepted(&form).await;
    begun(&author, "puppet bob", "Hello both").await;
}
