//! Appeals: once for each decision, answered by a second moderator where there is one.

use reqwest::StatusCode;

use super::{ANSWER, APPEAL, CASE, DECISIONS, decide, decision, notifications, report, three};
use crate::{
    administration::output_of,
    support::{Person, Site},
};

/// Alice has suspended bob after a report of carol. Bob has appealed.
async fn appealed(site: &Site) -> [Person; 3] {
    let [alice, bob, carol] = three(site).await;
    let id = bob.post("of bob").await;
    report(&carol, &super::report_path(id)).await;
    decide(&alice, "suspend").await;
    assert!(!bob.is_logged_in().await, "sessions end at once");
    let bob = Person::log_in(site, "bob").await;
    let page = bob.open("/").await;
    assert!(page.visible_text().contains("Spam: Again <b>."));
    let links = page.attributes("main a", "href");
    assert!(links.contains(&DECISIONS.to_owned()), "{links:?}");
    let form = bob.open(DECISIONS).await.form(APPEAL);
    let blank = bob.submit(&form.clone().set("appeal", " ")).await;
    assert_eq!(blank.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = form.set("appeal", "It was <i>art</i>.");
    for _ in 0..2 {
        bob.submit_accepted(&form).await;
    }
    assert!(bob.open(DECISIONS).await.find_form(APPEAL).is_none());
    let other = bob.submit(&form.set("appeal", "And another thing.")).await;
    assert!(other.status.is_client_error());
    [alice, bob, carol]
}

#[tokio::test]
async fn a_granted_appeal_brings_everything_back() {
    let site = Site::start().await;
    let [alice, bob, _] = appealed(&site).await;
    assert!(notifications(&alice).await.contains("An appeal waits"));
    let queue = alice.open("/admin/appeals").await;
    assert!(queue.visible_text().contains("@bob"));
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".appeal"), ["It was <i>art</i>."]);
    assert_eq!(
        case.texts(".then"),
        ["of bob"],
        "the original report is there"
    );
    let form = case.form(ANSWER).choose("answer", "grant");
    alice
        .submit_accepted(&form.set("explanation", "Sorry."))
        .await;
    assert_eq!(bob.open("/@bob").await.messages(), ["of bob"]);
    let news = notifications(&bob).await;
    assert!(news.contains("answered your appeal"), "{news}");
    let decisions = bob.open(DECISIONS).await.visible_text();
    assert!(
        decisions.contains("Your appeal was granted. Sorry."),
        "{decisions}"
    );
    assert!(
        !alice
            .open("/admin/appeals")
            .await
            .visible_text()
            .contains("@bob")
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_refused_appeal_changes_nothing_and_is_final() {
    let site = Site::start().await;
    let [alice, bob, _] = appealed(&site).await;
    let form = alice.open(CASE).await.form(ANSWER);
    alice
        .submit_accepted(&form.clone().choose("answer", "refuse"))
        .await;
    let again = alice.submit(&form.choose("answer", "grant")).await;
    assert!(again.status.is_client_error());
    assert!(again.visible_text().contains("meanwhile"));
    let decisions = bob.open(DECISIONS).await;
    assert!(
        decisions
            .visible_text()
            .contains("Your appeal was refused.")
    );
    assert!(decisions.find_form(APPEAL).is_none());
    assert_eq!(bob.get("/").await.location(), "/account");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn where_there_are_two_moderators_the_other_one_answers() {
    let site = Site::start().await;
    let [alice, bob, carol] = appealed(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    let form = alice
        .open(CASE)
        .await
        .form(ANSWER)
        .choose("answer", "refuse");
    let refused = alice.submit(&form).await;
    assert!(refused.visible_text().contains("Another moderator answers"));
    let form = carol
        .open(CASE)
        .await
        .form(ANSWER)
        .choose("answer", "grant");
    carol.submit_accepted(&form).await;
    assert_eq!(bob.open("/@bob").await.messages(), ["of bob"]);
}

#[tokio::test]
async fn two_answers_at_once_are_one() {
    let site = Site::start().await;
    let [alice, bob, _] = appealed(&site).await;
    let dave = Person::sign_up(&site, "dave").await;
    output_of(&site, &["role", "dave", "owner"]);
    let grant = alice
        .open(CASE)
        .await
        .form(ANSWER)
        .choose("answer", "grant");
    let refuse = dave
        .open(CASE)
        .await
        .form(ANSWER)
        .choose("answer", "refuse");
    let (granted, refused) = tokio::join!(alice.submit(&grant), dave.submit(&refuse));
    let is_granted = granted.status == StatusCode::SEE_OTHER;
    assert_ne!(is_granted, refused.status == StatusCode::SEE_OTHER);
    let is_free = bob.get("/").await.status == StatusCode::OK;
    assert_eq!(is_free, is_granted);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_frozen_person_can_appeal_and_a_warned_one_cannot() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    decide(&alice, "warn").await;
    assert!(bob.open(DECISIONS).await.find_form(APPEAL).is_none());
    let freeze = decision(&alice, "freeze").await.set("days", "1");
    alice.submit_accepted(&freeze).await;
    let form = bob.open(DECISIONS).await.form(APPEAL);
    bob.submit_accepted(&form.set("appeal", "Please.")).await;
    let form = alice
        .open(CASE)
        .await
        .form(ANSWER)
        .choose("answer", "grant");
    alice.submit_accepted(&form).await;
    assert!(!bob.open("/").await.has("#frozen"));
}
