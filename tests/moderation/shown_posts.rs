//! Reports of posts that the form showed, and that the reporter does not see any more.

use redwing::{
    actions::moderation::{ReportResult, Reported},
    store::{ShownPost, Viewer},
};
use reqwest::StatusCode;

use super::{
    CASE,
    given_back::{NOTE, assert_note_to_copy, block, delete_account, report_with_note},
    kept, report_by, report_path, three,
};
use crate::support::{PASSWORD, Person, Site, core::Core, crowd};

/// Edits a post of the person.
async fn edit(person: &Person, id: u64, message: &str) {
    let path = format!("/statuses/{id}/edit");
    let form = person.open(&path).await.form(&path);
    person.submit_accepted(&form.set("message", message)).await;
}

#[tokio::test]
async fn a_post_that_the_form_showed_is_reported_after_a_deletion_or_a_block() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let deleted = bob.post("buy one").await;
    edit(&bob, deleted, "buy this").await;
    let hidden = bob.post("buy that").await;
    let of_deleted = report_with_note(&carol, &report_path(deleted)).await;
    let of_hidden = report_with_note(&carol, &report_path(hidden)).await;
    bob.delete(deleted).await;
    block(&bob, "carol").await;
    let refused = carol.submit(&of_hidden.clone().without("reason")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.text("h1"), "Report a post");
    assert!(refused.visible_text().contains("buy that"));
    let again = refused.form(&report_path(hidden));
    assert_eq!(again.value("note"), NOTE);
    let again = again.choose("reason", "spam");
    for form in [&of_deleted, &again] {
        let answer = carol.submit_accepted(form).await;
        assert_eq!(answer.location(), "/settings/reports");
    }
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports blockquote"), [NOTE; 2]);
    assert_eq!(case.texts(".then"), ["buy that", "buy this"]);
    let text = case.visible_text();
    assert!(text.contains("The post was deleted."), "{text}");
    assert!(text.contains("buy one"), "the earlier version: {text}");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_post_that_is_shown_to_fewer_people_meanwhile_is_reported() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("buy this").await;
    let form = report_with_note(&carol, &report_path(id)).await;
    crowd::set_private(&site.store, crowd::uid(&site.store, "bob").await, true).await;
    assert_eq!(
        carol.get(&report_path(id)).await.status,
        StatusCode::NOT_FOUND
    );
    carol.submit_accepted(&form).await;
    assert_eq!(alice.open(CASE).await.texts(".then"), ["buy this"]);
}

#[tokio::test]
async fn only_the_reporters_own_form_proves_that_the_post_was_seen() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let [one, other] = [bob.post("buy this").await, bob.post("buy that").await];
    let of_carol = report_with_note(&carol, &report_path(one)).await;
    let of_other = report_with_note(&carol, &report_path(other)).await;
    let of_alice = report_with_note(&alice, &report_path(one)).await;
    bob.delete(one).await;
    let shown = of_carol.value("shown_post").to_owned();
    let changed = shown.replace("buy this", "buy much");
    assert_ne!(changed, shown);
    for forged in [
        "",
        "forged",
        changed.as_str(),
        of_other.value("shown_post"),
        of_alice.value("shown_post"),
    ] {
        let form = of_carol.clone().set("shown_post", forged);
        assert_note_to_copy(&carol.submit(&form).await);
    }
    let without = carol.submit(&of_carol.clone().without("shown_post")).await;
    assert_note_to_copy(&without);
    assert!(alice.open(CASE).await.texts(".reports strong").is_empty());
    carol.submit_accepted(&of_carol).await;
}

/// After a backup was restored, another account can have the id.
#[tokio::test]
async fn a_post_from_before_the_sign_up_of_its_author_is_not_reported() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let id = bob.post("buy this").await;
    let form = report_with_note(&carol, &report_path(id)).await;
    bob.delete(id).await;
    let now = site.store.now().await.expect("a time").0;
    let key = format!("user:{{{}}}", crowd::uid(&site.store, "bob").await);
    let later = (now + 1000).to_string();
    site.redis.command(&["HSET", &key, "signup", &later]);
    assert_note_to_copy(&carol.submit(&form).await);
}

#[tokio::test]
async fn edits_while_the_form_is_open_do_not_change_the_report() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("buy this").await;
    let form = report_with_note(&carol, &report_path(id)).await;
    // The last of them pushes the first text out of the earlier versions that a report keeps.
    for number in 1..=6 {
        edit(&bob, id, &format!("harmless {number}")).await;
    }
    let refused = carol.submit(&form.clone().without("reason")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.text("h1"), "Report a post by @bob");
    let text = refused.visible_text();
    assert!(text.contains("has edited this post since"), "{text}");
    assert!(refused.find_form("/@bob/block").is_some());
    assert_eq!(refused.text(".version-text"), "buy this");
    let again = refused.form(&report_path(id)).choose("reason", "spam");
    carol.submit_accepted(&again).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".then"), ["buy this"]);
    assert_eq!(case.texts(".now"), ["harmless 6"]);
}

#[tokio::test]
async fn the_longest_post_is_reported_with_the_longest_note() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let text = |number: usize| format!("{number}{}", "🇳🇿".repeat(499));
    let id = bob.post(&text(0)).await;
    for number in 1..=5 {
        edit(&bob, id, &text(number)).await;
    }
    let note = "👨‍👩‍👧".repeat(440);
    let form = report_with_note(&carol, &report_path(id)).await;
    carol.submit_accepted(&form.set("note", &note)).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports blockquote"), [note]);
    assert_eq!(case.texts(".then"), [text(5)]);
}

/// A form leaves out the earliest versions that do not fit into it.
#[tokio::test]
async fn a_report_with_fewer_versions_does_not_replace_the_post_of_another_report() {
    let core = Core::start();
    let store = &core.store;
    let bob = crowd::member(store, "bob").await;
    let [carol, dave] = [
        crowd::member(store, "carol").await,
        crowd::member(store, "dave").await,
    ];
    let id = crowd::post(store, bob, "buy one").await;
    crowd::edit(store, bob, id, "buy this").await;
    let status = store.status(Viewer::Member(carol), id).await;
    let status = status.expect("an answer").expect("a post");
    let whole = store.shown_post(carol, &status).await.expect("an answer");
    let fewer = ShownPost::from_signed(&whole.to_text(1)).expect("a post");
    assert!(fewer.post().versions.is_empty());
    for (reporter, shown) in [(carol, &whole), (dave, &fewer)] {
        let result = report_by(store, reporter, Reported::ShownPost(shown)).await;
        assert_eq!(result, ReportResult::Done);
    }
    let posts = store.reported_posts(bob, None).await.expect("posts");
    let posts: Vec<_> = posts.items.into_iter().map(|(_, post)| post).collect();
    assert_eq!(posts, [whole.post().clone()]);
}

#[tokio::test]
async fn a_post_of_an_author_who_is_away_or_blocked_is_reported() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let mut forms = Vec::new();
    for text in ["one", "two", "three"] {
        let path = report_path(bob.post(text).await);
        forms.push(report_with_note(&carol, &path).await);
    }
    let uid = crowd::uid(&site.store, "bob").await;
    crowd::set_suspended(&site.store, uid, true).await;
    carol.submit_accepted(&forms[0]).await;
    crowd::set_suspended(&site.store, uid, false).await;
    block(&carol, "bob").await;
    carol.submit_accepted(&forms[1]).await;
    let again = Person::log_in(&site, "bob").await;
    let leave = again.open("/settings/leave").await.form("/settings/leave");
    again
        .submit_accepted(&leave.set("current_password", PASSWORD))
        .await;
    carol.submit_accepted(&forms[2]).await;
    assert_eq!(kept(&site.store, uid).await, (3, 3));
}

#[tokio::test]
async fn an_incomplete_report_does_not_tell_whether_the_author_has_an_account() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let path = report_path(bob.post("buy this").await);
    let form = report_with_note(&carol, &path).await;
    delete_account(&site, &bob).await;
    let refused = carol.submit(&form.without("reason")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.text(".version-text"), "buy this");
    let complete = refused.form(&path).choose("reason", "spam");
    assert_note_to_copy(&carol.submit(&complete).await);
}

#[tokio::test]
async fn the_page_of_a_deleted_post_shows_its_warning_and_its_poll() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let form = bob.open("/").await.form("/statuses");
    let form = form.set("message", "buy this").set("warning", "a hint");
    let form = form.set("option_1", "Tea").set("option_2", "Coffee");
    bob.submit_accepted(&form).await;
    let id = bob.open("/@bob").await.status_ids()[0];
    let form = report_with_note(&carol, &report_path(id)).await;
    bob.delete(id).await;
    let page = carol.submit(&form.without("reason")).await;
    let text = page.visible_text();
    for words in ["Warning: a hint", "buy this", "Tea", "Coffee"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn the_page_of_an_incomplete_report_signs_the_visible_post_again() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("buy this").await;
    let path = report_path(id);
    let form = report_with_note(&carol, &path).await;
    let expired = form.set("shown_post", "expired").without("reason");
    let refused = carol.submit(&expired).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let again = refused.form(&path).choose("reason", "spam");
    bob.delete(id).await;
    carol.submit_accepted(&again).await;
    assert_eq!(alice.open(CASE).await.texts(".then"), ["buy this"]);
}
