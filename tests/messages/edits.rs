//! Edits of a message, also from two devices.

use reqwest::StatusCode;

use super::{begun, pair, press, site, texts, write};
use crate::support::Person;

#[tokio::test]
async fn a_stale_edit_shows_the_other_text_before_it_overwrites_it() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let phone = Person::log_in(&site, "alice").await;
    let path = begun(&alice, "bob", "Tpyo").await;
    let edit = format!("{path}/1/edit");
    let former = phone.open(&edit).await.form(&edit);
    let form = alice.open(&edit).await.form(&edit).set("message", "Typo");
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    let refused = phone.submit(&former.set("message", "A typo")).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let words = refused.visible_text();
    assert!(words.contains("It is now “Typo”."), "{words}");
    assert_eq!(texts(&bob, &path).await, ["Typo"]);
    let again = refused.form(&edit);
    assert_eq!(again.value("message"), "A typo");
    phone.submit_accepted(&again).await;
    assert_eq!(texts(&bob, &path).await, ["A typo"]);
    // The first form is stale now, too.
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_former_text_of_an_edited_message_can_be_sent_again() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "First").await;
    let cookies = alice.cookies.all();
    write(&alice, &path, "Hi").await;
    // The answer was lost, and its cookies too.
    alice.cookies.replace(cookies);
    let edit = format!("{path}/2/edit");
    let form = alice.open(&edit).await.form(&edit).set("message", "Hi!");
    alice.submit_accepted(&form).await;
    let sent = write(&alice, &path, "Hi").await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.html);
    assert_eq!(texts(&bob, &path).await, ["First", "Hi!", "Hi"]);
}

#[tokio::test]
async fn a_message_that_its_author_has_cleared_away_is_not_edited() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Hi").await;
    let edit = format!("{path}/1/edit");
    let form = alice.open(&edit).await.form(&edit).set("message", "Hi!");
    press(&alice, &path, &format!("{path}/clear")).await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert_eq!(texts(&bob, &path).await, ["Hi"]);
    // The text can be sent as a new message, once.
    assert_eq!(refused.text("h1"), "You cannot edit this message");
    let again = refused.form(&path);
    assert_eq!(again.value("message"), "Hi!");
    for _ in 0..2 {
        alice.submit_accepted(&again).await;
    }
    assert_eq!(texts(&bob, &path).await, ["Hi", "Hi!"]);
}

#[tokio::test]
async fn a_text_comes_back_after_its_author_has_left_the_conversation() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob carol", "Hello both").await;
    let edit = format!("{path}/1/edit");
    let edit = alice.open(&edit).await.form(&edit);
    let write = alice.open(&path).await.form(&path);
    press(&alice, &path, &format!("{path}/leave")).await;
    for (form, title, text) in [
        (&edit, "You cannot edit this message", "Hello, both"),
        (&write, "You cannot write in this conversation", "Bye"),
        (&write, "You cannot write in this conversation", " "),
    ] {
        let form = form.clone().set("message", text);
        let refused = alice.submit(&form).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{title}");
        assert_eq!(refused.text("h1"), title);
        // The text can be sent to other people. To the same ones, it comes back again.
        let again = refused.form("/messages/new");
        assert_eq!(again.value("message"), text);
        let again = again.set("people", "bob carol");
        let refused = alice.submit(&again).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let again = refused.form("/messages/new").set("people", "bob");
        assert_eq!(again.value("message"), text);
        if text != " " {
            alice.submit_accepted(&again).await;
        }
    }
    let with_bob = alice.open("/messages/new?to=bob").await;
    assert_eq!(with_bob.status, StatusCode::OK);
    assert_eq!(texts(&bob, &path).await[0], "Hello both");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_message_comes_back_after_a_block() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let path = begun(&alice, "bob", "Hi").await;
    let form = alice.open(&path).await.form(&path);
    let form = form.set("message", "Are you there?");
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = refused.visible_text();
    assert!(
        words.contains("You cannot write to this person."),
        "{words}"
    );
    assert_eq!(refused.form(&path).value("message"), "Are you there?");
}
