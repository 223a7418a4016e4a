//! Texts of reports, appeals and decisions that something else prevented meanwhile. None of them is lost.

use redwing::{actions::account_states, store::ChangeOutcome};
use reqwest::StatusCode;

use super::{
    ANSWER, APPEAL, CASE, DECIDE, DECISIONS, END, decide, decision, report, report_form,
    report_path, three,
};
use crate::{
    administration::output_of,
    groups::{founding::delete, make},
    support::{
        Form, PASSWORD, Page, Person, Site, crowd,
        ended_session::{log_out_elsewhere, send_and_log_in},
    },
};

pub const NOTE: &str = "He wrote it to <b>all</b> of us.";

pub async fn block(person: &Person, login: &str) {
    let profile = person.open(&format!("/@{login}")).await;
    let form = profile.form(&format!("/@{login}/block"));
    person.submit_accepted(&form).await;
}

pub async fn delete_account(site: &Site, person: &Person) {
    let uid = crowd::uid(&site.store, &person.login).await;
    let begun = account_states::delete(&site.store, uid).await;
    assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
    site.drain().await;
}

pub async fn report_with_note(person: &Person, path: &str) -> Form {
    report_form(person, path).await.set("note", NOTE)
}

/// Asserts that a page says what happened, shows the text, and leads on.
pub fn assert_text_to_copy(page: &Page, title: &str, text: &str, next: &str) {
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert_eq!(page.text("h1"), title);
    assert_eq!(page.texts(".retained blockquote"), [text]);
    let links = page.attributes(".retained a", "href");
    assert_eq!(links, [next]);
    page.assert_helpful();
}

pub fn assert_note_to_copy(page: &Page) {
    assert_text_to_copy(page, "You cannot report this any more", NOTE, "/rules");
}

#[tokio::test]
async fn the_note_about_a_post_of_a_deleted_account_comes_back() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let path = report_path(bob.post("buy this").await);
    let form = report_with_note(&carol, &path).await;
    delete_account(&site, &bob).await;
    assert_note_to_copy(&carol.submit(&form).await);
    let without_note = carol.submit(&form.set("note", " ")).await;
    assert_eq!(without_note.status, StatusCode::NOT_FOUND);
    assert!(!without_note.has(".retained blockquote"));
}

#[tokio::test]
async fn the_note_about_a_person_who_blocks_or_leaves_comes_back() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let form = report_with_note(&carol, "/@bob/report").await;
    block(&bob, "carol").await;
    assert_note_to_copy(&carol.submit(&form).await);
    delete_account(&site, &bob).await;
    assert_note_to_copy(&carol.submit(&form).await);
}

#[tokio::test]
async fn the_note_about_a_deleted_group_comes_back() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let group = make(&bob, "birds", &[]).await;
    let form = report_with_note(&carol, &format!("{group}/report")).await;
    delete(&site, &bob, &group).await;
    assert_note_to_copy(&carol.submit(&form).await);
}

#[tokio::test]
async fn the_report_of_a_person_comes_back_while_redis_is_away() {
    let timeouts = [
        "--redis-connect-ms",
        "1000",
        "--redis-response-ms",
        "1500",
        "--write-deadline-ms",
        "2000",
    ];
    let mut site = Site::with(&timeouts).await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    let path = format!("{}/report", bob.profile());
    let form = report_with_note(&carol, &path).await;
    site.redis.kill();
    let answer = carol.submit(&form).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    let given_back = answer.form(&path);
    assert_eq!(given_back.value("note"), NOTE);
    assert_eq!(given_back.value("reason"), "spam");
}

#[tokio::test]
async fn a_member_can_report_a_person_whom_they_block() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    block(&carol, "bob").await;
    let blocked = carol.open("/settings/blocked").await;
    assert_eq!(blocked.attributes(".person a", "href"), ["/@bob/report"]);
    let page = carol.open("/@bob/report").await;
    assert!(!page.has("form[action=\"/@bob/block\"]"));
    let form = page.form("/@bob/report").choose("reason", "spam");
    carol.submit_accepted(&form).await;
    let case = alice.open(CASE).await.visible_text();
    assert!(case.contains("@carol reported the person"), "{case}");
}

#[tokio::test]
async fn an_appeal_against_a_decision_that_ended_comes_back() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let freeze = decision(&alice, "freeze").await.set("days", "1");
    alice.submit_accepted(&freeze).await;
    let form = bob.open(DECISIONS).await.form(APPEAL);
    let form = form.set("appeal", "It was art.");
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    assert_text_to_copy(
        &bob.submit(&form).await,
        "You cannot appeal against this decision",
        "It was art.",
        DECISIONS,
    );
}

#[tokio::test]
async fn a_decision_about_a_person_who_is_gone_comes_back() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = decision(&alice, "warn").await;
    delete_account(&site, &bob).await;
    let answer = alice.submit(&form).await;
    let title = "You cannot decide about this any more";
    assert_text_to_copy(&answer, title, "Again <b>.", "/admin/reports");
}

#[tokio::test]
async fn an_outdated_decision_comes_back_on_the_case_and_can_be_sent_again() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let former = decision(&alice, "warn").await;
    decide(&alice, "note").await;
    let page = alice.submit(&former).await;
    assert_eq!(page.status, StatusCode::CONFLICT);
    assert!(page.has("#measure-error"), "{}", page.html);
    assert_eq!(page.texts(".decisions li").len(), 1, "it shows the case");
    let again = page.form(DECIDE);
    for (field, value) in [
        ("measure", "warn"),
        ("reason", "spam"),
        ("explanation", "Again <b>."),
    ] {
        assert_eq!(again.value(field), value, "{field}");
    }
    assert_ne!(again.value("revision"), former.value("revision"));
    alice.submit_accepted(&again).await;
    assert_eq!(alice.open(CASE).await.texts(".decisions li").len(), 2);
}

#[tokio::test]
async fn a_report_waits_for_the_log_in() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let group = make(&bob, "birds", &[]).await;
    for path in [
        report_path(bob.post("buy this").await),
        format!("{group}/report"),
        "/@bob/report".to_owned(),
    ] {
        let form = report_with_note(&carol, &path).await;
        let again = send_and_log_in(&site, &carol, &form).await.form(&path);
        assert_eq!(again.value("note"), NOTE, "{path}");
        assert_eq!(again.value("reason"), "spam", "{path}");
        carol.submit_accepted(&again).await;
        let empty = carol.open(&path).await.form(&path);
        assert_eq!(empty.value("note"), "", "{path}");
    }
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports blockquote"), [NOTE; 3]);
}

#[tokio::test]
async fn a_report_that_waited_for_the_log_in_comes_back_if_its_post_is_deleted() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let id = bob.post("buy this").await;
    let form = report_with_note(&carol, &report_path(id)).await;
    bob.delete(id).await;
    assert_note_to_copy(&send_and_log_in(&site, &carol, &form).await);
}

#[tokio::test]
async fn an_appeal_waits_for_the_log_in_until_its_decision_ends() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let freeze = decision(&alice, "freeze").await.set("days", "1");
    alice.submit_accepted(&freeze).await;
    let form = bob.open(DECISIONS).await.form(APPEAL);
    let form = form.set("appeal", "It was art.");
    let shown = send_and_log_in(&site, &bob, &form).await;
    assert_eq!(shown.form(APPEAL).value("appeal"), "It was art.");
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    let ended = bob.get(DECISIONS).await;
    assert_eq!(ended.texts(".retained blockquote"), ["It was art."]);
    assert!(!bob.open(DECISIONS).await.has(".retained"));
}

#[tokio::test]
async fn a_decision_waits_for_the_log_in() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let form = decision(&alice, "warn").await;
    let again = send_and_log_in(&site, &alice, &form).await.form(DECIDE);
    assert_eq!(again.value("measure"), "warn");
    assert_eq!(again.value("explanation"), "Again <b>.");
    alice.submit_accepted(&again).await;
    let empty = alice.open(CASE).await.form(DECIDE);
    assert_eq!(empty.value("explanation"), "");
}

/// The log-in form does not save an answer to an appeal or the texts of the site. So the page does not offer it.
#[tokio::test]
async fn a_form_that_the_log_in_does_not_save_says_so_and_can_be_sent_after_it() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    output_of(&site, &["role", "alice", "owner"]);
    let freeze = decision(&alice, "freeze").await.set("days", "1");
    alice.submit_accepted(&freeze).await;
    let appeal = bob.open(DECISIONS).await.form(APPEAL);
    bob.submit_accepted(&appeal.set("appeal", "Please.")).await;
    let answer = alice.open(CASE).await.form(ANSWER);
    let answer = answer.choose("answer", "refuse").set("explanation", NOTE);
    let texts = alice.open("/admin/site/texts").await;
    let texts = texts.form("/admin/site/texts").set("about", NOTE);
    log_out_elsewhere(&site, &alice).await;
    for (form, field) in [(answer, "explanation"), (texts, "about")] {
        let page = alice.submit(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        let text = page.visible_text();
        assert!(text.contains("Log in in another tab"), "{text}");
        assert!(!text.contains("Log in here"), "{text}");
        assert!(!page.has("main form[action=\"/login\"]"));
        assert_eq!(page.form(&form.action).value(field), NOTE);
    }
}

#[tokio::test]
async fn the_texts_of_the_site_are_saved_after_a_log_in_in_another_tab() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    output_of(&site, &["role", "alice", "owner"]);
    let texts = alice.open("/admin/site/texts").await;
    let texts = texts.form("/admin/site/texts").set("about", NOTE);
    log_out_elsewhere(&site, &alice).await;
    let shown = alice.submit(&texts).await.form("/admin/site/texts");
    alice.send_log_in("alice", PASSWORD).await;
    let once_more = alice.submit(&shown).await.form("/admin/site/texts");
    alice.submit_accepted(&once_more).await;
    let saved = alice.open("/admin/site/texts").await;
    assert_eq!(saved.form("/admin/site/texts").value("about"), NOTE);
}
