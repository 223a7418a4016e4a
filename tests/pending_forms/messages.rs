//! Messages and edits that were sent after their session had ended.

use super::{filled, typed_too_late};
use crate::{
    messages::{begin, begun, site, write},
    support::{Form, Person, Site},
};

/// Logs in from the page that answers a form whose session has ended.
async fn log_in_again(person: &Person, typed: &Form) -> String {
    let refused = person.submit(typed).await;
    let log_in = filled(&refused.form("/login"));
    person.submit_accepted(&log_in).await.location().to_owned()
}

async fn to_and_text(person: &Person, path: &str) -> (String, String) {
    let form = person.open(path).await.form("/messages/new");
    (
        form.value("people").to_owned(),
        form.value("message").to_owned(),
    )
}

fn pair(to: &str, text: &str) -> (String, String) {
    (to.to_owned(), text.to_owned())
}

#[tokio::test]
async fn a_page_without_the_form_does_not_say_that_the_form_is_back() {
    let site = site().await;
    let bob = Person::sign_up(&site, "bob").await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        bob.follow("alice").await;
        let path = begun(alice, "bob", "Hello").await;
        let form = alice.open(&path).await.form(&path);
        form.set("message", "Are you there?")
    })
    .await;
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    let path = log_in_again(&alice, &typed).await;
    for page in [path.as_str(), "/", "/settings"] {
        let page = alice.open(page).await;
        let text = page.visible_text();
        assert!(!text.contains("Your form is back"), "{text}");
    }
}

#[tokio::test]
async fn a_form_on_a_page_that_comes_later_is_said_to_be_back() {
    let site = site().await;
    let bob = Person::sign_up(&site, "bob").await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        bob.follow("alice").await;
        let path = begun(alice, "bob", "Hello").await;
        let form = alice.open(&path).await.form(&path);
        form.set("message", "Are you there?")
    })
    .await;
    let path = log_in_again(&alice, &typed).await;
    let other = alice.open("/@bob").await.visible_text();
    assert!(!other.contains("Your form is back"), "{other}");
    let page = alice.open(&path).await;
    assert!(page.visible_text().contains("Your form is back"));
    assert_eq!(page.form(&typed.action).value("message"), "Are you there?");
}

#[tokio::test]
async fn an_edit_of_a_message_survives_the_log_in() {
    let site = site().await;
    let bob = Person::sign_up(&site, "bob").await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        bob.follow("alice").await;
        let edit = format!("{}/1/edit", begun(alice, "bob", "Tpyo").await);
        let form = alice.open(&edit).await.form(&edit);
        form.set("message", "Typo")
    })
    .await;
    let edit = &typed.action;
    assert_eq!(log_in_again(&alice, &typed).await, *edit);
    let again = alice.open(edit).await.form(edit);
    assert_eq!(again.value("message"), "Typo");
    alice.submit_accepted(&again).await;
    let other = alice.open(edit).await.form(edit);
    alice.submit_accepted(&other.set("message", "A typo")).await;
    let now = alice.open(edit).await.form(edit);
    assert_eq!(now.value("message"), "A typo", "no draft is left");
}

#[tokio::test]
async fn an_edit_of_a_deleted_message_is_forgotten_when_it_is_sent_as_a_new_one() {
    let site = site().await;
    let bob = Person::sign_up(&site, "bob").await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        bob.follow("alice").await;
        let path = begun(alice, "bob", "Tpyo").await;
        let edit = format!("{path}/1/edit");
        let form = alice.open(&edit).await.form(&edit);
        let clear = format!("{path}/clear");
        let clear = alice.open(&path).await.form(&clear);
        alice.submit_accepted(&clear).await;
        form.set("message", "Typo")
    })
    .await;
    let edit = &typed.action;
    assert_eq!(log_in_again(&alice, &typed).await, *edit);
    let path = edit.trim_end_matches("/1/edit");
    // The text stays until it is sent: the answer may be lost.
    for _ in 0..2 {
        let again = alice.get(edit).await.form(path);
        assert_eq!(again.value("message"), "Typo");
    }
    let again = alice.get(edit).await.form(path);
    alice.submit_accepted(&again).await;
    assert!(alice.get(edit).await.find_form(path).is_none());
}

#[tokio::test]
async fn an_edit_of_a_deleted_post_is_forgotten_when_it_is_sent_as_a_new_one() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        let id = alice.post("one").await;
        let edit = format!("/statuses/{id}/edit");
        let form = alice.open(&edit).await.form(&edit);
        alice.delete(id).await;
        form.set("message", "one, edited")
    })
    .await;
    assert_eq!(log_in_again(&alice, &typed).await, typed.action);
    for _ in 0..2 {
        let again = alice.get(&typed.action).await.form("/statuses");
        assert_eq!(again.value("message"), "one, edited");
    }
    let again = alice.get(&typed.action).await.form("/statuses");
    let again = again.set("visibility", "followers");
    alice.submit_accepted(&again).await;
    let page = alice.get(&typed.action).await;
    assert!(page.find_form("/statuses").is_none(), "{}", page.html);
}

#[tokio::test]
async fn a_sent_message_forgets_only_its_own_saved_text() {
    let site = site().await;
    for login in ["bob", "carol"] {
        Person::sign_up(&site, login).await;
    }
    let (alice, typed) = typed_too_late(&site, async |alice| {
        let form = alice.open("/messages/new").await.form("/messages/new");
        form.set("people", "@Carol").set("message", "To carol")
    })
    .await;
    assert_eq!(log_in_again(&alice, &typed).await, "/messages/new");
    let to_bob = to_and_text(&alice, "/messages/new?to=bob").await;
    assert_eq!(to_bob, pair("bob", ""));
    // The same text to another person is another message.
    let chat = begun(&alice, "bob", "To carol").await;
    write(&alice, &chat, "To carol").await;
    for path in ["/messages/new", "/messages/new?to=carol"] {
        let saved = to_and_text(&alice, path).await;
        assert_eq!(saved, pair("@Carol", "To carol"), "{path}");
    }
    begin(&alice, "carol", "Another text").await;
    assert_eq!(to_and_text(&alice, "/messages/new").await, pair("", ""));
}

#[tokio::test]
async fn an_edit_of_a_post_forgets_only_its_own_saved_text() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        let edit = format!("/statuses/{}/edit", alice.post("one").await);
        let form = alice.open(&edit).await.form(&edit);
        form.set("message", "one, edited")
    })
    .await;
    log_in_again(&alice, &typed).await;
    let other = format!("/statuses/{}/edit", alice.post("two").await);
    let form = alice.open(&other).await.form(&other);
    alice
        .submit_accepted(&form.set("message", "two, edited"))
        .await;
    let saved = alice.open(&typed.action).await.form(&typed.action);
    assert_eq!(saved.value("message"), "one, edited");
}
