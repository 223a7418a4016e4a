//! Forms of moderators that cannot be sent as they are: about people who are gone or changed their login, and by people
//! who are no longer moderators or logged in with another account.

use redwing::{domain::StatusId, store::Viewer};
use reqwest::StatusCode;

use super::{
    ANSWER, APPEAL, CASE, DECIDE, DECISIONS, decide, decision,
    given_back::{assert_text_to_copy, delete_account},
    report_by, report_form, three,
};
use crate::{
    administration::output_of,
    rename::rename,
    support::{
        Form, PASSWORD, Page, Person, Site, crowd,
        ended_session::{log_in_again, log_in_without_form, log_out_elsewhere, send_and_log_in},
    },
};

const SUSPEND: &str = "/admin/people/bob/suspend";
const TEXT: &str = "Again <b>.";

/// Asserts that the text of a moderator came back because the person is gone.
pub fn assert_case_is_gone(page: &Page, text: &str) {
    let title = "You cannot decide about this any more";
    assert_text_to_copy(page, title, text, "/admin/reports");
}

/// Asserts that a form comes back after the end of its session, with the advice to log in elsewhere.
pub async fn assert_kept_logged_out(site: &Site, person: &Person, form: &Form, field: &str) {
    log_out_elsewhere(site, person).await;
    let page = person.submit(form).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    let text = page.visible_text();
    assert!(text.contains("Log in in another tab"), "{text}");
    assert_eq!(page.form(&form.action).value(field), form.value(field));
}

#[tokio::test]
async fn a_suspension_of_a_person_who_is_gone_comes_back() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = alice.open(SUSPEND).await.form(SUSPEND).set("reason", TEXT);
    delete_account(&site, &bob).await;
    assert_case_is_gone(&alice.submit(&form).await, TEXT);
    assert_kept_logged_out(&site, &alice, &form, "reason").await;
}

/// The log-in form does not save a suspension. So the error page after the log-out has its form.
#[tokio::test]
async fn a_form_that_comes_back_after_a_log_out_is_sent_by_its_owner_alone() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    let form = alice.open(SUSPEND).await.form(SUSPEND).set("reason", TEXT);
    log_out_elsewhere(&site, &alice).await;
    let given_back = alice.submit(&form).await.form(SUSPEND);
    alice.send_log_in("carol", PASSWORD).await;
    let page = alice.submit(&given_back).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    assert_eq!(page.text("h1"), "This form belongs to another account");
    let of_other = page.form(SUSPEND);
    assert_eq!(of_other.value("reason"), TEXT);
    assert_eq!(alice.submit(&of_other).await.status, StatusCode::FORBIDDEN);
    assert!(bob.is_logged_in().await);
    alice.log_out().await;
    alice.send_log_in("alice", PASSWORD).await;
    let expired = alice.submit(&of_other).await;
    alice.submit_accepted(&expired.form(SUSPEND)).await;
    assert!(!bob.is_logged_in().await, "he is suspended");
}

#[tokio::test]
async fn an_answer_to_an_appeal_of_a_person_who_is_gone_comes_back() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let freeze = decision(&alice, "freeze").await.set("days", "1");
    alice.submit_accepted(&freeze).await;
    let appeal = bob.open(DECISIONS).await.form(APPEAL);
    bob.submit_accepted(&appeal.set("appeal", "Please.")).await;
    let form = alice.open(CASE).await.form(ANSWER);
    let form = form.choose("answer", "refuse").set("explanation", TEXT);
    delete_account(&site, &bob).await;
    assert_case_is_gone(&alice.submit(&form).await, TEXT);
    assert_kept_logged_out(&site, &alice, &form, "explanation").await;
}

#[tokio::test]
async fn a_decision_of_a_former_moderator_is_not_sent_and_comes_back() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    let form = decision(&alice, "warn").await;
    output_of(&site, &["role", "alice", "none"]);
    let page = send_and_log_in(&site, &alice, &form).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    let text = page.visible_text();
    for words in ["Only the people who run this site", "Nothing was changed."] {
        assert!(text.contains(words), "{text}");
    }
    assert!(!text.contains("Your form is back"), "{text}");
    assert_eq!(page.texts(".retained blockquote"), [TEXT]);
    assert_eq!(page.attributes(".retained a", "href"), ["/"]);
    assert!(page.find_form(DECIDE).is_none(), "{}", page.html);
    assert!(!carol.open(CASE).await.has(".decisions li"));
}

#[tokio::test]
async fn a_decision_of_a_moderator_is_not_shown_to_another_account() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    let form = decision(&alice, "warn").await;
    log_out_elsewhere(&site, &alice).await;
    let refused = alice.submit(&form).await;
    let page = log_in_without_form(&alice, &refused, &carol.login).await;
    let text = page.visible_text();
    assert!(!text.contains(TEXT), "{text}");
    let case = alice.open(CASE).await;
    assert_eq!(case.form(DECIDE).value("explanation"), "");
    assert!(!case.has(".decisions li"));
}

#[tokio::test]
async fn choices_without_a_text_wait_for_the_log_in() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    let path = "/@bob/report";
    let report = report_form(&carol, path).await;
    log_out_elsewhere(&site, &carol).await;
    let refused = carol.submit(&report).await;
    let text = refused.visible_text();
    assert!(text.contains("Your choices are saved."), "{text}");
    let page = log_in_again(&carol, &refused).await;
    let again = page.form(path);
    assert_eq!(again.value("reason"), "spam");
    carol.submit_accepted(&again).await;
    let form = decision(&alice, "warn").await.set("explanation", "");
    let again = send_and_log_in(&site, &alice, &form).await.form(DECIDE);
    for (field, value) in [("measure", "warn"), ("reason", "spam")] {
        assert_eq!(again.value(field), value, "{field}");
    }
    alice.submit_accepted(&again).await;
    assert_eq!(alice.open(CASE).await.texts(".decisions li").len(), 1);
}

#[tokio::test]
async fn a_report_and_a_decision_that_wait_follow_a_change_of_the_login() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let report = report_form(&carol, "/@bob/report").await;
    let report = report.set("note", TEXT);
    let form = decision(&alice, "warn").await;
    let changed = rename(&bob, "robert").await;
    assert_eq!(changed.status, StatusCode::SEE_OTHER);
    site.drain().await;
    let decide = "/admin/reports/robert/decide";
    let page = send_and_log_in(&site, &alice, &form).await;
    let again = page.form(decide);
    assert_eq!(again.value("measure"), "warn");
    assert_eq!(again.value("explanation"), TEXT);
    alice.submit_accepted(&again).await;
    let case = alice.open("/admin/reports/robert").await;
    assert_eq!(case.texts(".decisions li").len(), 1);
    assert_eq!(case.form(decide).value("explanation"), "");
    send_and_log_in(&site, &carol, &report).await;
    let path = "/@robert/report";
    let again = carol.open(path).await.form(path);
    assert_eq!(again.value("note"), TEXT);
    carol.submit_accepted(&again).await;
    assert_eq!(carol.open(path).await.form(path).value("note"), "");
}

/// Reports 21 posts of bob, more than a page of his case has. Returns the oldest.
async fn many_reported_posts(site: &Site) -> StatusId {
    let store = &site.store;
    let bob = crowd::uid(store, "bob").await;
    let oldest = crowd::post(store, bob, "the oldest").await;
    let others = crowd::posts(store, bob, 20).await;
    let reporters = crowd::people(store, "reporter", 5).await;
    for (number, id) in [oldest].into_iter().chain(others).enumerate() {
        let reporter = reporters[number % reporters.len()];
        let status = store.status(Viewer::Member(reporter), id).await;
        let status = status.expect("an answer").expect("a post");
        let reported = redwing::actions::moderation::Reported::Post(&status);
        report_by(store, reporter, reported).await;
    }
    oldest
}

#[tokio::test]
async fn an_outdated_decision_names_its_post_however_old_it_is() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    let oldest = many_reported_posts(&site).await;
    let page = alice.open(&format!("{CASE}/posts/{oldest}")).await;
    let about = "main q";
    assert_eq!(page.texts(about), ["the oldest"]);
    let former = page.form(DECIDE).choose("measure", "hide_post");
    let former = former.choose("reason", "spam").set("explanation", TEXT);
    decide(&alice, "note").await;
    let outdated = alice.submit(&former).await;
    assert_eq!(outdated.status, StatusCode::CONFLICT);
    assert_eq!(outdated.texts(about), ["the oldest"]);
    // After a log-in, and with a missing choice too.
    let waited = send_and_log_in(&site, &alice, &former).await;
    assert_eq!(waited.texts(about), ["the oldest"]);
    assert_eq!(waited.texts(".then"), ["the oldest"]);
    let newest = waited.attributes(".pager a:not(.older)", "href");
    let newest = alice.open(&newest[0]).await;
    assert_eq!(newest.texts(".then").len(), 20, "the newest posts");
    assert!(!newest.has(".pager a:not(.older)"));
    let again = waited.form(DECIDE);
    let wrong = alice.submit(&again.clone().without("reason")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(wrong.texts(about), ["the oldest"]);
    alice.submit_accepted(&again).await;
    site.drain().await;
    let store = &site.store;
    let marks = store.post_marks(&[oldest]).await.expect("an answer");
    assert!(marks[0].as_ref().is_some_and(|marks| marks.is_hidden));
}
