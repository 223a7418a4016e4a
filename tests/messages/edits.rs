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
    assert_eq!(refused.text("h1"), "This message was deleted");
    let again = refused.form(&path);
    assert_eq!(again.value("message"), "Hi!");
    for _ in 0..2 {
        alice.submit_accepted(&again).await;
    }
    assert_eq!(texts(&bob, &path).await, ["Hi", "Hi!"]);
}
