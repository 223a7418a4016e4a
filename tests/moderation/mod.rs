//! Reports and the queue: reporting, the case of a person, claims, and what reporters hear.

mod appeals;
mod branch;
pub mod decisions;
mod deletion;
mod frozen;
pub mod given_back;
mod groups;
mod hidden_posts;
mod limited;
mod limits;
mod measures;
mod messages;
mod pending;
mod powers;
mod shown_posts;
pub mod staff_forms;
mod warned_posts;

use redwing::{
    actions::moderation::{self, ReportResult, Reported},
    domain::{ReportNote, ReportReason, StatusId, UserId},
    store::{QueueOf, Store, Viewer},
};
use reqwest::StatusCode;

use crate::{
    administration::output_of,
    support::{Form, Person, Site, core::Core, crowd},
};

const QUEUE: &str = "/admin/reports";
const CASE: &str = "/admin/reports/bob";
const CLAIM: &str = "/admin/reports/bob/claim";
const RELEASE: &str = "/admin/reports/bob/release";
const DECIDE: &str = "/admin/reports/bob/decide";
const END: &str = "/admin/reports/bob/end";
const ANSWER: &str = "/admin/reports/bob/answer";
const DECISIONS: &str = "/account/decisions";
const APPEAL: &str = "/account/decisions/appeal";

/// Alice, who is a moderator, bob, and carol.
pub async fn three(site: &Site) -> [Person; 3] {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    let carol = Person::sign_up(site, "carol").await;
    output_of(site, &["role", "alice", "moderator"]);
    [alice, bob, carol]
}

fn report_path(id: u64) -> String {
    format!("/statuses/{id}/report")
}

async fn report_form(person: &Person, path: &str) -> Form {
    person.open(path).await.form(path).choose("reason", "spam")
}

/// Reports a post or a person.
pub async fn report(person: &Person, path: &str) {
    person
        .submit_accepted(&report_form(person, path).await)
        .await;
}

/// Returns the form of a decision about bob, for spam.
async fn decision(person: &Person, measure: &str) -> Form {
    let form = person.open(CASE).await.form(DECIDE);
    let form = form.choose("measure", measure).choose("reason", "spam");
    form.set("explanation", "Again <b>.")
}

pub async fn decide(person: &Person, measure: &str) {
    person
        .submit_accepted(&decision(person, measure).await)
        .await;
}

async fn notifications(person: &Person) -> String {
    person.open("/notifications").await.visible_text()
}

/// Reports by the action itself.
pub async fn report_by(store: &Store, reporter: UserId, reported: Reported<'_>) -> ReportResult {
    let note = ReportNote::parse("a note").expect("valid");
    let reason = ReportReason::Spam;
    moderation::report(store, &reporter.into(), reported, (reason, &note))
        .await
        .expect("the store answers")
}

/// Counts the reports about a person, and the reported posts.
async fn kept(store: &Store, subject: UserId) -> (usize, usize) {
    let case = store.case(subject).await.expect("a case");
    let posts = store.reported_posts(subject, None).await.expect("posts");
    (case.reports.len(), posts.items.len())
}

#[tokio::test]
async fn a_post_is_reported_in_three_presses_and_the_reporter_hears_the_outcome() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("buy <b>this</b>").await;
    let path = report_path(id);
    let menu = carol.open_menu("/@bob", id).await;
    let links = menu.attributes(".post-menu a", "href");
    assert!(links.contains(&path), "{links:?}");
    let page = carol.open(&path).await;
    assert!(page.has("form[action=\"/@bob/block\"]"));
    assert!(page.has("form[action=\"/@bob/mute\"]"));
    let form = report_form(&carol, &path).await.set("note", "again <i>");
    carol.submit_accepted(&form).await;
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("Received"), "{own}");

    assert!(notifications(&alice).await.contains("New reports wait"));
    assert!(alice.open(QUEUE).await.visible_text().contains("1 report"));
    site.store.read_staff_state().await.expect("an answer");
    let badge = format!(".menu a[href=\"{QUEUE}\"]");
    assert_eq!(alice.open("/").await.text(&badge), "Reports 1");
    assert!(!bob.open("/").await.has(&badge));
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports strong"), ["Spam"]);
    assert_eq!(case.texts(".reports blockquote"), ["again <i>"]);
    assert_eq!(case.texts(".then"), ["buy <b>this</b>"]);
    assert!(case.visible_text().contains("The post is unchanged."));

    decide(&alice, "dismiss").await;
    assert!(!alice.open(QUEUE).await.visible_text().contains("1 report"));
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("does not break a rule"), "{own}");
    let news = notifications(&carol).await;
    assert!(news.contains("decided about your report"), "{news}");
    assert!(!notifications(&bob).await.contains("decision"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_person_is_reported_from_their_profile() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    let links = carol.open("/@bob").await.attributes("main a", "href");
    assert!(links.contains(&"/@bob/report".to_owned()), "{links:?}");
    report(&carol, "/@bob/report").await;
    let case = alice.open(CASE).await;
    assert!(case.visible_text().contains("@carol reported the person"));
    assert!(!case.has("#posts-title"));
}

#[tokio::test]
async fn a_report_needs_a_reason_and_gives_back_the_text() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = report_path(bob.post("hello").await);
    let form = carol.open(&path).await.form(&path).set("note", "a note");
    let refused = carol.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("#reason-error"));
    let unknown = form.clone().choose("reason", "rule:none");
    let refused = carol.submit(&unknown).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let long = form.clone().choose("reason", "spam");
    let refused = carol.submit(&long.set("note", &"x".repeat(501))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("#note-error"));
    let forged = form.choose("reason", "spam").set("csrf_token", "forged");
    let refused = carol.submit(&forged).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.text("#note").trim(), "a note");
    assert!(alice.open(CASE).await.texts(".reports strong").is_empty());
}

#[tokio::test]
async fn members_report_neither_themselves_nor_a_post_that_they_have_not_seen() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let id = bob.post("mine").await;
    for path in [report_path(id), "/@bob/report".to_owned()] {
        assert!(bob.get(&path).await.status.is_client_error(), "{path}");
    }
    let form = report_form(&carol, &report_path(id))
        .await
        .without("shown_post");
    crowd::set_private(&site.store, crowd::uid(&site.store, "bob").await, true).await;
    let answers = [
        carol.get(&report_path(id)).await.status,
        carol.submit(&form).await.status,
        carol.get(&report_path(12345)).await.status,
    ];
    assert_eq!(answers, [StatusCode::NOT_FOUND; 3]);
}

#[tokio::test]
async fn the_same_report_twice_is_one() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = report_path(bob.post("hello").await);
    let form = report_form(&carol, &path).await;
    tokio::join!(carol.submit_accepted(&form), carol.submit_accepted(&form));
    report(&carol, &path).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports strong").len(), 1);
    assert_eq!(
        notifications(&alice).await.matches("New reports").count(),
        1
    );
    // After the decision, the same person can report the same post again.
    decide(&alice, "dismiss").await;
    report(&carol, &path).await;
    assert_eq!(alice.open(CASE).await.texts(".reports strong").len(), 1);
}

#[tokio::test]
async fn a_report_keeps_the_post_as_it_was() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("first words").await;
    let edit = format!("/statuses/{id}/edit");
    let form = bob.open(&edit).await.form(&edit);
    bob.submit_accepted(
        &form
            .set("message", "reported words")
            .set("warning", "careful"),
    )
    .await;
    report(&carol, &report_path(id)).await;
    let form = bob.open(&edit).await.form(&edit);
    bob.submit_accepted(&form.set("message", "harmless words"))
        .await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".then"), ["reported words"]);
    assert_eq!(case.texts(".now"), ["harmless words"]);
    let text = case.visible_text();
    assert!(text.contains("first words") && text.contains("Warning: careful"));
    bob.delete(id).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".then"), ["reported words"]);
    assert!(case.visible_text().contains("The post was deleted."));
    assert!(!case.visible_text().contains("harmless words"));
}

#[tokio::test]
async fn a_second_moderator_sees_who_works_on_a_case_and_cannot_decide() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    output_of(&site, &["role", "carol", "moderator"]);
    report(&carol, "/@bob/report").await;
    let claim = alice.open(CASE).await.form(CLAIM);
    for _ in 0..2 {
        alice.submit_accepted(&claim).await;
    }
    assert!(
        carol
            .open(QUEUE)
            .await
            .visible_text()
            .contains("@alice has been working on it")
    );
    assert!(
        carol
            .open(CASE)
            .await
            .text("#claim")
            .starts_with("@alice has been working")
    );
    let refused = carol.submit(&decision(&carol, "dismiss").await).await;
    assert!(refused.status.is_client_error());
    assert!(
        refused
            .visible_text()
            .contains("Another moderator works on this")
    );
    assert!(carol.submit(&claim.clone()).await.status.is_client_error());
    let release = alice.open(CASE).await.form(RELEASE);
    alice.submit_accepted(&release).await;
    assert!(!carol.open(CASE).await.has("#claim"));
    decide(&carol, "dismiss").await;
    assert_eq!(alice.open(CASE).await.texts(".decisions li").len(), 1);
}

#[tokio::test]
async fn a_claim_ends_after_half_an_hour() {
    let core = Core::start();
    let store = &core.store;
    let [bob, carol, dave] = ["bob", "carol", "dave"].map(|login| crowd::member(store, login));
    let (bob, carol, dave) = (bob.await, carol.await, dave.await);
    report_by(store, carol, Reported::Person(bob)).await;
    let claim = async |by: UserId| {
        let claiming = redwing::store::Claiming::Claim;
        moderation::claim(store, &by.into(), bob, claiming)
            .await
            .expect("an answer")
    };
    use redwing::store::ClaimCaseOutcome::{Done, Taken};
    assert_eq!([claim(carol).await, claim(dave).await], [Done, Taken]);
    let key = format!("case:{{{bob}}}");
    // The clock of the store can be some milliseconds ahead of that of Redis.
    const MARGIN_MS: u64 = 1000;
    let now = store.now().await.expect("a time").0;
    let past = (now - redwing::store::CLAIM_MS - MARGIN_MS).to_string();
    core.redis.command(&["HSET", &key, "claimed", &past]);
    assert_eq!([claim(dave).await, claim(carol).await], [Done, Taken]);
}

#[tokio::test]
async fn the_queue_has_the_newest_and_most_reported_first_and_skips_nobody() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 45).await;
    let reporters = crowd::people(store, "reporter", 3).await;
    for person in &people {
        // Cases of one millisecond are in no order.
        crate::support::waiting::next_millisecond().await;
        report_by(store, reporters[0], Reported::Person(*person)).await;
    }
    // Two more reports lift the oldest one.
    for reporter in &reporters[1..] {
        report_by(store, *reporter, Reported::Person(people[0])).await;
    }
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = store
            .queue_page(QueueOf::Reports, before)
            .await
            .expect("an answer");
        seen.extend(page.items.iter().map(|entry| entry.person.id));
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    let mut expected = people.clone();
    expected[1..].reverse();
    assert_eq!(seen, expected);
    core.assert_sound().await;
}

#[tokio::test]
async fn reports_about_one_person_have_a_limit() {
    let core = Core::start();
    let store = &core.store;
    let bob = crowd::member(store, "bob").await;
    let reporters = crowd::people(store, "reporter", 201).await;
    for reporter in &reporters[..200] {
        let done = report_by(store, *reporter, Reported::Person(bob)).await;
        assert_eq!(done, ReportResult::Done);
    }
    let more = report_by(store, reporters[200], Reported::Person(bob)).await;
    assert_eq!(more, ReportResult::Enough);
    assert_eq!(store.case(bob).await.expect("a case").open().count(), 200);
}

#[tokio::test]
async fn closed_reports_and_their_posts_go_after_90_days() {
    let core = Core::start();
    let store = &core.store;
    let (bob, carol) = (
        crowd::member(store, "bob").await,
        crowd::member(store, "carol").await,
    );
    let id: StatusId = crowd::post(store, bob, "the words").await;
    let status = store
        .status(Viewer::Member(carol), id)
        .await
        .expect("an answer");
    report_by(store, carol, Reported::Post(&status.expect("a post"))).await;
    decisions::decide_by(store, bob, redwing::domain::Measure::Dismiss).await;
    let now = store.now().await.expect("a time");
    assert_eq!(
        moderation::drop_old_reports(store, now)
            .await
            .expect("an answer"),
        0
    );
    assert_eq!(kept(store, bob).await, (1, 1));
    let closed = format!("closed_reports:{{{bob}}}");
    let name = format!("{carol}:{id}");
    core.redis.command(&["ZADD", &closed, "5", &name]);
    core.redis
        .command(&["ZADD", "admin:closed_reports", "5", &bob.to_string()]);
    assert_eq!(
        moderation::drop_old_reports(store, now)
            .await
            .expect("an answer"),
        1
    );
    assert_eq!(kept(store, bob).await, (0, 0));
    let case = store.case(bob).await.expect("a case");
    assert_eq!(case.decisions.len(), 1, "decisions stay");
    let own = store.own_reports(carol, None).await.expect("an answer");
    assert!(own.items.is_empty());
    core.assert_sound().await;
}
