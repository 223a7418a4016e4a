//! Typed text about lists is preserved, each in its own form.

use reqwest::StatusCode;

use super::{filled, typed_too_late};
use crate::support::{Form, Page, Person, Site, crowd};

/// Creates two lists before anything is typed.
async fn with_lists(site: &Site, alice: &Person) {
    crowd::member(&site.store, "bob").await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::list(&site.store, uid, &[]).await;
    crowd::list(&site.store, uid, &[]).await;
    assert_eq!(alice.open("/lists").await.count(".lists a"), 2);
}

/// Fills in a form too late and logs in again. Returns the person and the resulting page.
async fn typed_and_logged_in(
    site: &Site,
    fill: impl AsyncFn(&Person) -> Form,
) -> (Person, String, Page) {
    let (alice, typed) = typed_too_late(site, async |alice| {
        with_lists(site, alice).await;
        fill(alice).await
    })
    .await;
    let refused = alice.submit(&typed).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let log_in = refused.form("/login");
    assert!(refused.has(".saved-text blockquote"), "it is shown");
    let answer = alice.submit_accepted(&filled(&log_in)).await;
    let page = answer.location().to_owned();
    let shown = alice.open(&page).await;
    assert!(shown.visible_text().contains("It is not saved yet"));
    (alice, page, shown)
}

#[tokio::test]
async fn the_name_of_a_new_list_survives_the_log_in() {
    let site = Site::start().await;
    let (alice, page, shown) = typed_and_logged_in(&site, async |alice| {
        let form = alice.open("/lists").await.form("/lists");
        form.set("name", "Boats & <ships>")
    })
    .await;
    assert_eq!(page, "/lists");
    let form = shown.form("/lists");
    assert_eq!(form.value("name"), "Boats & <ships>");
    alice.submit_accepted(&form).await;
    let lists = alice.open("/lists").await;
    assert_eq!(lists.form("/lists").value("name"), "", "no draft is left");
    assert_eq!(lists.count(".lists a"), 3);
}

#[tokio::test]
async fn changed_list_settings_survive_the_log_in() {
    let site = Site::start().await;
    let edit = "/lists/2/edit";
    let (alice, page, shown) = typed_and_logged_in(&site, async |alice| {
        let mut form = alice.open(edit).await.form(edit);
        form.fields.push(("exclusive".into(), "1".into()));
        form.set("name", "Boats & <ships>")
    })
    .await;
    assert_eq!(page, edit);
    let form = shown.form(edit);
    let typed = ["name", "exclusive"].map(|field| form.value(field).to_owned());
    assert_eq!(typed, ["Boats & <ships>", "1"]);
    let other = alice.open("/lists/1/edit").await.form("/lists/1/edit");
    assert_eq!(other.value("name"), "A list", "it is about another list");
    alice.submit_accepted(&form).await;
    let again = alice.open(edit).await.form(edit);
    alice.submit_accepted(&again.set("name", "Once more")).await;
    let now = alice.open(edit).await.form(edit);
    assert_eq!(now.value("name"), "Once more", "no draft is left");
}

#[tokio::test]
async fn list_settings_typed_before_a_log_in_leave_what_was_saved_meanwhile() {
    let site = Site::start().await;
    let edit = "/lists/2/edit";
    let (alice, _, shown) = typed_and_logged_in(&site, async |alice| {
        let former = alice.open(edit).await.form(edit);
        let other = former.clone().set_new("exclusive", "1");
        alice.submit_accepted(&other).await;
        former.set("name", "Boats")
    })
    .await;
    alice.submit_accepted(&shown.form(edit)).await;
    let saved = alice.open(edit).await.form(edit);
    let saved = ["name", "exclusive"].map(|field| saved.value(field).to_owned());
    assert_eq!(saved, ["Boats", "1"]);
}

#[tokio::test]
async fn a_typed_list_member_survives_the_log_in() {
    let site = Site::start().await;
    let members = "/lists/2/members";
    let (alice, page, shown) = typed_and_logged_in(&site, async |alice| {
        alice.open(members).await.form(members).set("login", "@bob")
    })
    .await;
    assert_eq!(page, members);
    let form = shown.form(members);
    assert_eq!(form.value("login"), "@bob");
    let other = alice.open("/lists/1/members").await;
    assert_eq!(other.form("/lists/1/members").value("login"), "");
    alice.submit_accepted(&form).await;
    let now = alice.open(members).await;
    assert_eq!(now.texts(".person .p-nickname"), ["bob"]);
    assert_eq!(now.form(members).value("login"), "");
}

#[tokio::test]
async fn an_edit_of_a_deleted_list_is_forgotten_when_it_is_sent_as_a_new_one() {
    let site = Site::start().await;
    let edit = "/lists/2/edit";
    let (alice, typed) = typed_too_late(&site, async |alice| {
        with_lists(&site, alice).await;
        let form = alice.open(edit).await.form(edit);
        let delete = alice.open("/lists/2/delete").await;
        alice.submit_accepted(&delete.form("/lists/2/delete")).await;
        form.set("name", "Boats")
    })
    .await;
    let log_in = filled(&alice.submit(&typed).await.form("/login"));
    assert_eq!(alice.submit_accepted(&log_in).await.location(), edit);
    let again = alice.get(edit).await.form("/lists");
    assert_eq!(again.value("name"), "Boats");
    alice.submit_accepted(&again).await;
    let page = alice.get(edit).await;
    assert!(page.find_form("/lists").is_none(), "{}", page.html);
}

#[tokio::test]
async fn a_button_of_an_ended_session_returns_to_its_page_without_effect() {
    let site = Site::start().await;
    let (alice, typed) = typed_too_late(&site, async |alice| {
        with_lists(&site, alice).await;
        alice.open("/@bob").await.form("/lists/1/members")
    })
    .await;
    let refused = alice.submit(&typed).await;
    assert_eq!(refused.text("#retained-title"), "Log in");
    let answer = alice
        .submit_accepted(&filled(&refused.form("/login")))
        .await;
    assert_eq!(answer.location(), "/@bob");
    let members = alice.open("/lists/1/members").await;
    assert_eq!(members.form("/lists/1/members").value("login"), "");
}

#[tokio::test]
async fn no_form_about_a_deleted_list_is_returned() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    with_lists(&site, &alice).await;
    let edit = alice.open("/lists/1/edit").await.form("/lists/1/edit");
    let members = alice.open("/lists/1/members").await;
    let add = members.form("/lists/1/members").set("login", "bob");
    let delete = alice.open("/lists/1/delete").await;
    alice.submit_accepted(&delete.form("/lists/1/delete")).await;
    for form in [
        edit.clone().set("name", " "),
        edit,
        add.clone(),
        add.set("login", "?"),
    ] {
        let answer = alice.submit(&form).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{form:?}");
        assert!(answer.find_form(&form.action).is_none(), "{}", answer.html);
        answer.assert_helpful();
    }
}
