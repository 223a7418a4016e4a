//! Texts about a deleted group or post. Settings come back in a form to found a new group, and notes come back to copy.

use reqwest::StatusCode;

use super::{alice_and_bob, founding::delete, join, make, with_choices};
use crate::support::{Page, Person, Site, ended_session::send_and_log_in};

/// Founds a group, and sends another name of it after the group was deleted and the session has ended. Logs in again,
/// and returns the member and the path of the settings.
async fn settings_typed_too_late(site: &Site) -> (Person, String) {
    let alice = Person::sign_up(site, "alice").await;
    let group = make(&alice, "birds", &[]).await;
    let settings = format!("{group}/settings");
    let edit = alice.open(&settings).await.form(&settings);
    let desk = Person::log_in(site, "alice").await;
    delete(site, &desk, &group).await;
    send_and_log_in(site, &alice, &edit.set("name", "Owls")).await;
    (alice, settings)
}

#[tokio::test]
async fn settings_that_were_given_back_are_not_shown_for_a_later_group() {
    let site = Site::start().await;
    let (alice, settings) = settings_typed_too_late(&site).await;
    let given_back = alice.get(&settings).await;
    assert_eq!(given_back.status, StatusCode::NOT_FOUND);
    assert_eq!(given_back.form("/groups/new").value("name"), "Owls");
    make(&alice, "birds", &[]).await;
    // The text stays in the form of a new group until it is sent.
    let page = alice.get(&settings).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.find_form(&settings).is_none(), "{}", page.html);
    let again = page.form("/groups/new");
    assert_eq!(again.value("name"), "Owls");
    alice.submit_accepted(&again.set("slug", "owls")).await;
    let form = alice.open(&settings).await.form(&settings);
    assert_eq!(form.value("name"), "The birds");
}

#[tokio::test]
async fn settings_of_a_deleted_group_are_forgotten_when_they_are_sent_as_a_new_one() {
    let site = Site::start().await;
    let (alice, settings) = settings_typed_too_late(&site).await;
    // The text stays until it is sent: the answer may be lost.
    for _ in 0..2 {
        let again = alice.get(&settings).await.form("/groups/new");
        assert_eq!(again.value("name"), "Owls");
    }
    let again = alice.get(&settings).await.form("/groups/new");
    let founded = alice.submit_accepted(&again.set("slug", "owls")).await;
    assert_eq!(founded.location(), "/groups/owls");
    let page = alice.get(&settings).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.find_form("/groups/new").is_none(), "{}", page.html);
}

#[tokio::test]
async fn a_form_of_a_deleted_group_does_not_change_a_later_one_with_its_address() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let group = make(&alice, "birds", &[]).await;
    let settings = format!("{group}/settings");
    let form = alice.open(&settings).await.form(&settings);
    delete(&site, &alice, &group).await;
    make(&alice, "birds", &[]).await;
    let refused = alice.submit(&form.set("rules", "Be quiet.")).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    let given_back = refused.form("/groups/new");
    assert_eq!(given_back.value("rules"), "Be quiet.");
    let stored = alice.open(&settings).await.form(&settings);
    assert_eq!(stored.value("rules"), "");
}

fn assert_note_to_copy(page: &Page) {
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert_eq!(page.texts(".retained blockquote"), ["Off topic."]);
    assert_eq!(page.attributes(".retained a", "href"), ["/groups/mine"]);
    page.assert_helpful();
}

#[tokio::test]
async fn the_note_about_a_member_of_a_deleted_group_comes_back() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let path = format!("{group}/members/bob");
    let form = alice.open(&path).await.form(&path);
    let form = with_choices(form, &[("act", "mute_7")]).set("note", "Off topic.");
    delete(&site, &alice, &group).await;
    assert_note_to_copy(&alice.submit(&form).await);
    // The note that waited for the log-in comes back too.
    assert_note_to_copy(&send_and_log_in(&site, &alice, &form).await);
}

#[tokio::test]
async fn the_note_about_a_post_that_its_author_deleted_comes_back() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let post = bob.open(&group).await.form("/statuses");
    bob.submit_accepted(&post.set("message", "buy this")).await;
    let id = bob.open(&group).await.status_ids()[0];
    let path = format!("/statuses/{id}/remove");
    let form = alice.open(&path).await.form(&path);
    let form = form.set("note", "Off topic.");
    bob.delete(id).await;
    assert_note_to_copy(&alice.submit(&form).await);
    assert_note_to_copy(&send_and_log_in(&site, &alice, &form).await);
}

#[tokio::test]
async fn a_post_to_a_deleted_group_comes_back_without_readers() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let form = bob.open(&group).await.form("/statuses");
    delete(&site, &alice, &group).await;
    let refused = bob.submit(&form.set("message", "only among us")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("or it was deleted"));
    let again = refused.form("/statuses");
    assert_eq!(again.value("message"), "only among us");
    assert_eq!(again.value("visibility"), "not-chosen");
    let unchosen = bob.submit(&again).await;
    assert_eq!(unchosen.status, StatusCode::UNPROCESSABLE_ENTITY);
    let again = unchosen.form("/statuses");
    assert_eq!(again.value("visibility"), "not-chosen");
    let posted = bob
        .submit_accepted(&again.set("visibility", "followers"))
        .await;
    assert_eq!(posted.location(), "/", "not to the page of the group");
}
