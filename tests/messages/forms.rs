//! Forms of messages that are sent again after their message was changed or deleted.

use reqwest::StatusCode;

use super::{begun, pair, press, site, texts};
use crate::support::{Form, Person};

/// Sends a form again, which is refused, and then the form of the answer, which is accepted once.
async fn send_again(person: &Person, form: &Form, path: &str) {
    let refused = person.submit(form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let again = refused.form(path);
    assert_eq!(again.value("message"), form.value("message"));
    for _ in 0..2 {
        person.submit_accepted(&again).await;
    }
}

#[tokio::test]
async fn the_form_of_a_message_that_was_edited_or_deleted_is_not_answered_as_sent() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "First").await;
    let send = async |text: &str| {
        let form = alice.open(&path).await.form(&path).set("message", text);
        alice.submit_accepted(&form).await;
        form
    };
    let actions = async || alice.open(&path).await.form(&format!("{path}/hide"));

    let form = send("Deleted").await;
    let delete = actions().await.to(&format!("{path}/delete"));
    alice.submit_accepted(&delete.set_new("message", "2")).await;
    send_again(&alice, &form, &path).await;
    let expected = ["First", "Message deleted", "Deleted"];
    assert_eq!(texts(&bob, &path).await, expected);

    let form = send("Hidden").await;
    let hide = actions().await.set_new("message", "4");
    alice.submit_accepted(&hide).await;
    send_again(&alice, &form, &path).await;
    let expected = ["First", "Message deleted", "Deleted", "Hidden"];
    assert_eq!(texts(&alice, &path).await, expected);

    let form = send("Edited").await;
    let edit = format!("{path}/6/edit");
    let edit = alice.open(&edit).await.form(&edit);
    alice.submit_accepted(&edit.set("message", "After")).await;
    send_again(&alice, &form, &path).await;
    assert_eq!(texts(&bob, &path).await[4..], ["Hidden", "After", "Edited"]);

    let form = send("Cleared").await;
    press(&alice, &path, &format!("{path}/clear")).await;
    send_again(&alice, &form, &path).await;
    assert_eq!(texts(&alice, &path).await, ["Cleared"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_form_of_a_new_conversation_is_not_answered_as_sent_after_its_message_was_deleted() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let form = alice.open("/messages/new").await.form("/messages/new");
    let form = form.set("people", "bob").set("message", "Hello");
    let path = alice.submit_accepted(&form).await.location().to_owned();
    let path = path.split(['?', '#']).next().expect("a path").to_owned();
    let actions = alice.open(&path).await.form(&format!("{path}/hide"));
    let delete = actions.to(&format!("{path}/delete"));
    alice.submit_accepted(&delete.set_new("message", "1")).await;
    send_again(&alice, &form, "/messages/new").await;
    assert_eq!(texts(&bob, &path).await, ["Message deleted", "Hello"]);
}
