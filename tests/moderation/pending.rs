//! Appeals and decisions that wait for the log-in while something else happens, and decisions that arrive twice.

use reqwest::StatusCode;

use super::{
    APPEAL, CASE, DECIDE, DECISIONS, END, decide, decision,
    given_back::{assert_text_to_copy, delete_account},
    report, report_path, three,
};
use crate::{
    administration::output_of,
    support::{
        Form, PASSWORD, Person, Site,
        ended_session::{log_in_again, log_in_without_form, log_out_elsewhere, send_and_log_in},
        request::Request,
    },
};

const TEXT: &str = "It was art.";

/// Freezes bob, and returns his appeal.
async fn appeal(alice: &Person, bob: &Person) -> Form {
    let freeze = decision(alice, "freeze").await.set("days", "1");
    alice.submit_accepted(&freeze).await;
    let form = bob.open(DECISIONS).await.form(APPEAL);
    form.set("appeal", TEXT)
}

#[tokio::test]
async fn a_prefetch_does_not_forget_an_appeal() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = appeal(&alice, &bob).await;
    send_and_log_in(&site, &bob, &form).await;
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    let prefetch = Request::get(&bob, DECISIONS).header("sec-purpose", "prefetch");
    for page in [prefetch.send().await, bob.get(DECISIONS).await] {
        assert_eq!(page.texts(".retained blockquote"), [TEXT]);
    }
    assert!(!bob.open(DECISIONS).await.has(".retained"));
}

#[tokio::test]
async fn an_appeal_is_not_shown_to_another_account() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = appeal(&alice, &bob).await;
    log_out_elsewhere(&site, &bob).await;
    let refused = bob.submit(&form).await;
    log_in_without_form(&bob, &refused, "carol").await;
    let page = bob.open(DECISIONS).await;
    assert!(!page.html.contains(TEXT), "{}", page.html);
}

#[tokio::test]
async fn an_appeal_after_another_one_says_so() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = appeal(&alice, &bob).await;
    let desk = Person::log_in(&site, "bob").await;
    let first = desk.open(DECISIONS).await.form(APPEAL);
    desk.submit_accepted(&first.set("appeal", "Please.")).await;
    let page = send_and_log_in(&site, &bob, &form).await;
    let text = page.visible_text();
    assert!(text.contains("You have appealed against"), "{text}");
    assert_eq!(page.texts(".retained blockquote"), [TEXT]);
}

#[tokio::test]
async fn a_decision_that_waited_for_the_log_in_says_that_the_case_changed() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    let form = decision(&alice, "warn").await;
    log_out_elsewhere(&site, &alice).await;
    let refused = alice.submit(&form).await;
    decide(&carol, "note").await;
    let page = log_in_again(&alice, &refused).await;
    assert!(page.has("#measure-error"), "{}", page.html);
    assert_eq!(page.texts(".decisions li").len(), 1);
    let again = page.form(DECIDE);
    assert_eq!(again.value("explanation"), "Again <b>.");
    alice.submit_accepted(&again).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".decisions li").len(), 2);
    assert!(!case.has("#measure-error"), "{}", case.html);
}

#[tokio::test]
async fn a_decision_that_waited_for_the_log_in_comes_back_if_its_person_is_gone() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let form = decision(&alice, "warn").await;
    delete_account(&site, &bob).await;
    let page = send_and_log_in(&site, &alice, &form).await;
    let title = "You cannot decide about this any more";
    assert_text_to_copy(&page, title, "Again <b>.", "/admin/reports");
}

#[tokio::test]
async fn a_decision_that_was_saved_before_the_log_in_is_forgotten() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    let form = decision(&alice, "warn").await;
    alice.submit_accepted(&form).await;
    let first = send_and_log_in(&site, &alice, &form).await;
    assert_eq!(first.texts(".flash"), ["Decided."]);
    for case in [first, alice.get(CASE).await] {
        assert_eq!(case.status, StatusCode::OK);
        let text = case.visible_text();
        assert!(!text.contains("Your form is back"), "{text}");
        assert_eq!(case.form(DECIDE).value("explanation"), "");
        assert_eq!(case.texts(".decisions li").len(), 1);
    }
}

#[tokio::test]
async fn the_case_of_a_saved_decision_is_shown_while_redis_refuses_writes() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    let form = decision(&alice, "warn").await;
    alice.submit_accepted(&form).await;
    log_out_elsewhere(&site, &alice).await;
    let log_in = alice.submit(&form).await.form("/login");
    let log_in = log_in.set("login", "alice").set("password", PASSWORD);
    alice.submit_accepted(&log_in).await;
    let config = ["CONFIG", "SET", "min-replicas-to-write"];
    site.redis.command(&[&config[..], &["1"]].concat());
    for _ in 0..2 {
        let case = alice.get(CASE).await;
        assert_eq!(case.status, StatusCode::OK, "{}", case.html);
        assert_eq!(case.form(DECIDE).value("explanation"), "");
    }
    site.redis.command(&[&config[..], &["0"]].concat());
}

#[tokio::test]
async fn a_decision_that_was_saved_is_not_offered_again_after_another_one() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    for measure in ["warn", "freeze"] {
        let form = decision(&alice, measure).await.set("days", "3");
        alice.submit_accepted(&form).await;
        decide(&carol, "note").await;
        let repeated = alice.submit_accepted(&form).await;
        assert_eq!(repeated.location(), CASE, "{measure}");
    }
    // An equal decision from before the form is another one.
    let later = decision(&alice, "warn").await;
    decide(&carol, "note").await;
    let outdated = alice.submit(&later).await;
    assert_eq!(outdated.status, StatusCode::CONFLICT);
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".decisions li").len(), 5);
}

#[tokio::test]
async fn a_decision_about_a_post_leaves_the_text_about_the_person() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("buy this").await;
    report(&carol, &report_path(id)).await;
    let form = decision(&alice, "warn").await;
    send_and_log_in(&site, &alice, &form).await;
    let about_post = alice.open(&format!("{CASE}/posts/{id}")).await.form(DECIDE);
    let about_post = about_post.choose("measure", "hide_post");
    let about_post = about_post.choose("reason", "spam");
    alice.submit_accepted(&about_post).await;
    let form = alice.open(CASE).await.form(DECIDE);
    assert_eq!(form.value("explanation"), "Again <b>.");
}
