//! Reports of posts that the form showed, and that the reporter does not see any more.

use reqwest::StatusCode;

use super::{
    CASE,
    given_back::{NOTE, assert_note_to_copy, block, report_with_note},
    report_path, three,
};
use crate::support::{Person, Site, crowd};

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
async fn only_the_own_form_of_the_same_post_proves_that_it_was_seen() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let [one, other] = [bob.post("buy this").await, bob.post("buy that").await];
    let of_carol = report_with_note(&carol, &report_path(one)).await;
    let of_other = report_with_note(&carol, &report_path(other)).await;
    let of_alice = report_with_note(&alice, &report_path(one)).await;
    bob.delete(one).await;
    let shown = of_carol.value("shown").to_owned();
    let changed = shown.replace("buy this", "buy much");
    assert_ne!(changed, shown);
    for forged in [
        "",
        "forged",
        changed.as_str(),
        of_other.value("shown"),
        of_alice.value("shown"),
    ] {
        let form = of_carol.clone().set("shown", forged);
        assert_note_to_copy(&carol.submit(&form).await);
    }
    let without = carol.submit(&of_carol.clone().without("shown")).await;
    assert_note_to_copy(&without);
    assert!(alice.open(CASE).await.texts(".reports strong").is_empty());
    carol.submit_accepted(&of_carol).await;
}

/// The id can have another account after a backup was restored.
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
