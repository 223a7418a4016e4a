//! Settings of a deleted group. Their texts come back in a form to found a new one.

use reqwest::StatusCode;

use super::{founding::delete, make};
use crate::support::{PASSWORD, Person, Site};

/// Founds a group, and sends another name of it after the group was deleted and the session has ended. Logs in again,
/// and returns the member and the path of the settings.
async fn settings_typed_too_late(site: &Site) -> (Person, String) {
    let alice = Person::sign_up(site, "alice").await;
    let group = make(&alice, "birds", &[]).await;
    let settings = format!("{group}/settings");
    let edit = alice.open(&settings).await.form(&settings);
    let desk = Person::log_in(site, "alice").await;
    delete(site, &desk, &group).await;
    let sessions = desk.open("/settings/sessions").await;
    let end = sessions.form("/settings/sessions/revoke-all");
    desk.submit_accepted(&end).await;
    let log_in = alice.submit(&edit.set("name", "Owls")).await.form("/login");
    let log_in = log_in.set("login", "alice").set("password", PASSWORD);
    alice.submit_accepted(&log_in).await;
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
