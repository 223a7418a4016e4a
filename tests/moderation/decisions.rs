//! Decisions about a person: told, logged, never made twice, and taken back.

use redwing::{
    actions::moderation,
    domain::{ActingPerson, Decision, Measure, ReportReason, UserId},
    store::{DecideOutcome, EndOutcome, NewDecision, Store},
};
use reqwest::StatusCode;

use super::{APPEAL, CASE, DECISIONS, END, decide, decision, notifications, report, three};
use crate::{
    administration::output_of,
    support::{Person, Site, crowd},
};

/// Decides in the name of the host, and closes all reports.
pub async fn decide_by(store: &Store, subject: UserId, measure: Measure) -> DecideOutcome {
    let decision = Decision {
        by: ActingPerson::Host,
        measure,
        reason: ReportReason::Spam,
        explanation: "Again.".to_owned(),
    };
    let new = NewDecision {
        seen_us: 9_007_199_254_740_991,
        ..NewDecision::without_case(decision)
    };
    moderation::decide(store, subject, &new)
        .await
        .expect("the store answers")
}

async fn log_of(person: &Person) -> Vec<String> {
    person.open("/admin").await.texts(".log p[dir]")
}

#[tokio::test]
async fn a_warning_is_told_logged_and_taken_back() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    decide(&alice, "warn").await;
    assert!(
        notifications(&bob)
            .await
            .contains("decision of the moderators")
    );
    let page = bob.open(DECISIONS).await;
    assert_eq!(page.texts(".decisions blockquote"), ["Spam: Again <b>."]);
    assert!(!page.has("form[action=\"/account/decisions/appeal\"]"));
    assert!(
        !page.visible_text().contains("alice"),
        "no moderator is named"
    );
    let end = alice.open(CASE).await.form(END);
    for _ in 0..2 {
        alice.submit_accepted(&end).await;
    }
    assert!(
        bob.open(DECISIONS)
            .await
            .visible_text()
            .contains("taken back")
    );
    let expected = [
        "@alice took the warning of @bob back",
        "@alice warned @bob: Spam: Again <b>.",
    ];
    assert_eq!(log_of(&alice).await[..2], expected);
    assert!(
        carol
            .open("/settings/reports")
            .await
            .visible_text()
            .contains("acted on it")
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_note_is_for_moderators_only_and_closes_nothing() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    decide(&alice, "note").await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".decisions blockquote"), ["Spam: Again <b>."]);
    assert_eq!(case.texts(".reports strong").len(), 1);
    assert!(!bob.open(DECISIONS).await.visible_text().contains("Again"));
    assert!(!notifications(&bob).await.contains("decision"));
    assert!(!notifications(&carol).await.contains("decided"));
    assert_eq!(log_of(&alice).await[0], "@alice left a note about @bob");
}

#[tokio::test]
async fn a_decision_needs_an_action_and_an_explanation_of_another_reason() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let form = decision(&alice, "warn").await;
    for (name, value, error) in [
        ("measure", "banish", "#measure-error"),
        ("reason", "boredom", "#reason-error"),
        ("explanation", &"x".repeat(501), "#explanation-error"),
    ] {
        let refused = alice.submit(&form.clone().choose(name, value)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(refused.has(error), "{name}");
    }
    let wordless = form
        .clone()
        .choose("reason", "something_else")
        .set("explanation", "");
    let refused = alice.submit(&wordless).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let long = form.choose("measure", "freeze").set("days", "31");
    assert_eq!(
        alice.submit(&long).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let bob = crowd::uid(&site.store, "bob").await;
    assert!(
        site.store
            .case(bob)
            .await
            .expect("a case")
            .decisions
            .is_empty()
    );
}

#[tokio::test]
async fn two_moderators_at_once_decide_once() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let dave = Person::sign_up(&site, "dave").await;
    output_of(&site, &["role", "dave", "moderator"]);
    report(&carol, "/@bob/report").await;
    let forms = [
        decision(&alice, "warn").await,
        decision(&dave, "suspend").await,
    ];
    let answers = tokio::join!(alice.submit(&forms[0]), dave.submit(&forms[1]));
    let accepted = [&answers.0, &answers.1].map(|page| page.status == StatusCode::SEE_OTHER);
    assert_eq!(accepted.iter().filter(|is| **is).count(), 1, "{accepted:?}");
    let refused = if accepted[0] { &answers.1 } else { &answers.0 };
    assert!(
        refused.visible_text().contains("meanwhile"),
        "{}",
        refused.html
    );
    assert_eq!(bob.is_logged_in().await, accepted[0]);
    let subject = crowd::uid(&site.store, "bob").await;
    let case = site.store.case(subject).await.expect("a case");
    assert_eq!(case.decisions.len(), 1);
    let closed = notifications(&carol).await;
    assert_eq!(closed.matches("decided about your report").count(), 1);
}

#[tokio::test]
async fn the_same_form_sent_twice_is_one_decision() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let form = decision(&alice, "warn").await;
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    assert_eq!(alice.open(CASE).await.texts(".decisions li").len(), 1);
    let later = form.set("explanation", "Other words.");
    assert!(alice.submit(&later).await.status.is_client_error());
}

#[tokio::test]
async fn reports_that_come_after_the_page_was_read_stay_open() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("hello").await;
    report(&carol, "/@bob/report").await;
    let form = decision(&alice, "dismiss").await;
    report(&carol, &super::report_path(id)).await;
    alice.submit_accepted(&form).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports strong").len(), 1);
    assert!(case.visible_text().contains("@carol reported a post"));
}

#[tokio::test]
async fn a_frozen_person_reads_and_does_not_write() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let post = bob
        .open("/")
        .await
        .form("/statuses")
        .set("message", "words");
    let form = decision(&alice, "freeze").await.set("days", "3");
    alice.submit_accepted(&form).await;
    assert!(bob.is_logged_in().await, "the session goes on");
    assert!(bob.open("/").await.has("#frozen"));
    for page in ["/important", "/everybody"] {
        let locked = "[data-compose] fieldset.send[disabled]";
        assert!(bob.open(page).await.has(locked), "{page}");
        assert!(!alice.open(page).await.has(locked), "{page}");
    }
    assert!(
        Person::visitor(&site)
            .open("/@bob")
            .await
            .visible_text()
            .contains("@bob")
    );
    let refused = bob.submit(&post).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.text("h1"), "Error: Copy your text");
    assert_eq!(refused.texts(".saved-text blockquote"), ["words"]);
    assert_eq!(refused.attributes(".page-links a", "href"), [DECISIONS]);
    for form in [
        post.clone().set("message", " "),
        bob.open("/@alice").await.form("/@alice/follow"),
        bob.open("/settings").await.form("/settings/profile"),
    ] {
        let refused = bob.submit(&form).await;
        assert_eq!(refused.location(), DECISIONS, "{}", form.action);
    }
    assert!(bob.open("/@bob").await.status_ids().is_empty());
    assert!(bob.open(DECISIONS).await.visible_text().contains("Until "));
    let again = decision(&alice, "freeze").await.set("days", "1");
    assert!(
        alice.submit(&again).await.status.is_client_error(),
        "frozen already"
    );
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    assert!(!bob.open("/").await.has("#frozen"));
    bob.submit_accepted(&post).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_freeze_ends_by_itself() {
    let site = Site::start().await;
    let [_, bob, _] = three(&site).await;
    let subject = crowd::uid(&site.store, "bob").await;
    let past = Measure::Freeze { until_ms: 5 };
    assert_eq!(
        decide_by(&site.store, subject, past).await,
        DecideOutcome::Decided
    );
    assert!(!bob.open("/").await.has("#frozen"));
    bob.post("still here").await;
    let now = site.store.now().await.expect("a time").0;
    let again = Measure::Freeze {
        until_ms: now + 60_000,
    };
    assert_eq!(
        decide_by(&site.store, subject, again).await,
        DecideOutcome::Decided
    );
    assert!(bob.open("/").await.has("#frozen"));

    // The end of the first one changes nothing, and there is no appeal against it.
    let case = site.store.case(subject).await.expect("a case");
    let first = case.decisions.iter().min_by_key(|one| one.number);
    let first = first.expect("a decision");
    let form = bob.open(DECISIONS).await.form(APPEAL);
    let form = form.set("number", &first.number.to_string());
    let refused = bob.submit(&form.set("appeal", "It is over.")).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    let ended = moderation::end_decision(&site.store, ActingPerson::Host, subject, first).await;
    assert_eq!(ended.expect("an answer"), EndOutcome::Ended);
    assert!(bob.open("/").await.has("#frozen"));
    site.assert_sound().await;
}

#[tokio::test]
async fn a_warning_cannot_be_taken_back_after_30_days() {
    let site = Site::start().await;
    let [_, _, _] = three(&site).await;
    let store = &site.store;
    let subject = crowd::uid(store, "bob").await;
    decide_by(store, subject, Measure::Warn).await;
    let case = store.case(subject).await.expect("a case");
    let mut old = case.decisions[0].clone();
    let key = format!("decisions:{{{subject}}}");
    old.number -= (Decision::UNDO_MS + 1) * 1000;
    let field = old.number.to_string();
    site.redis.command(&["HSET", &key, &field, "an-old-one"]);
    let ended = moderation::end_decision(store, ActingPerson::Host, subject, &old).await;
    assert_eq!(ended.expect("an answer"), EndOutcome::TooLate);
}
