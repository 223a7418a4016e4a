//! Limits of a case: what its pages read, and decisions that no number of others prevents.

use redwing::{
    actions::moderation::{self, ReportResult, Reported},
    domain::{ActingPerson, Decision, Measure, ReportReason, StatusId, UserId},
    store::{DecideOutcome, NewDecision, Store, Viewer},
};

use super::{APPEAL, CASE, DECISIONS, decide, report_by, report_form, report_path, three};
use crate::support::{Person, Site, core::Core, crowd};

/// Reports a post by the action itself.
async fn report_post(store: &Store, reporter: UserId, id: StatusId) -> ReportResult {
    let status = store.status(Viewer::Member(reporter), id).await;
    let status = status.expect("an answer").expect("a post");
    report_by(store, reporter, Reported::Post(&status)).await
}

#[tokio::test]
async fn the_decisions_and_an_appeal_read_neither_reports_nor_posts() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    decide(&alice, "suspend").await;
    let bob_id = crowd::uid(&site.store, "bob").await;
    // Every read of these keys fails from now on.
    for kind in ["reports", "reported_posts"] {
        let key = format!("{kind}:{{{bob_id}}}");
        site.redis.command(&["SET", &key, "another-type"]);
    }
    drop(bob);
    let bob = Person::log_in(&site, "bob").await;
    let page = bob.open(DECISIONS).await;
    assert_eq!(page.texts(".decisions blockquote"), ["Spam: Again <b>."]);
    let form = page.form(APPEAL).set("appeal", "Please.");
    bob.submit_accepted(&form).await;
    let page = bob.open(DECISIONS).await;
    assert_eq!(page.texts(".appeal"), ["Please."]);
}

#[tokio::test]
async fn a_page_of_a_case_shows_twenty_posts_and_leads_to_all() {
    let site = Site::start().await;
    let [alice, _, _] = three(&site).await;
    let store = &site.store;
    let bob = crowd::uid(store, "bob").await;
    let reporters = crowd::people(store, "reporter", 5).await;
    let mut expected = Vec::new();
    for number in 0..25 {
        let text = format!("post number {number}");
        let id = crowd::post(store, bob, &text).await;
        let done = report_post(store, reporters[number / 5], id).await;
        assert_eq!(done, ReportResult::Done);
        expected.insert(0, text);
    }
    let first = alice.open(CASE).await;
    assert_eq!(first.texts(".then"), expected[..20]);
    let older = first.attributes("a[rel=next]", "href");
    let last = alice.open(&older[0]).await;
    assert_eq!(last.texts(".then"), expected[20..]);
    assert!(last.attributes("a[rel=next]", "href").is_empty());
}

#[tokio::test]
async fn no_number_of_decisions_prevents_a_freeze_a_suspension_or_the_host() {
    let core = Core::start();
    let store = &core.store;
    let bob = crowd::member(store, "bob").await;
    let alice = ActingPerson::Person(crowd::member(store, "alice").await);
    let key = format!("decisions:{{{bob}}}");
    let fill = |from: u64, to: u64| {
        for number in from..to {
            let field = format!("{number}:ended");
            core.redis.command(&["HSET", &key, &field, "an-end"]);
        }
    };
    let decide = async |by: ActingPerson, measure: Measure| {
        let decision = Decision {
            by,
            measure,
            reason: ReportReason::Spam,
            explanation: "Again.".to_owned(),
        };
        let new = NewDecision::without_case(decision);
        let decided = moderation::decide(store, bob, &new).await;
        decided.expect("an answer")
    };
    use DecideOutcome::{Decided, Full};
    fill(0, 900);
    assert_eq!(decide(alice, Measure::Note).await, Full);
    assert_eq!(decide(alice, Measure::Dismiss).await, Decided);
    fill(900, 1000);
    assert_eq!(decide(alice, Measure::Warn).await, Full);
    assert_eq!(decide(ActingPerson::Host, Measure::Warn).await, Decided);
    assert_eq!(decide(alice, Measure::Limit).await, Decided);
    let until_ms = store.now().await.expect("a time").0 + 60_000;
    assert_eq!(decide(alice, Measure::Freeze { until_ms }).await, Decided);
    assert_eq!(decide(alice, Measure::Suspend).await, Decided);
    assert!(store.is_hidden(bob).await.expect("an answer"));
}

#[tokio::test]
async fn a_reporter_has_five_open_reports_about_one_person() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    let store = &site.store;
    let [bob_id, carol_id] = ["bob", "carol"].map(|login| crowd::uid(store, login));
    let (bob_id, carol_id) = (bob_id.await, carol_id.await);
    for number in 0..5 {
        let id = crowd::post(store, bob_id, &format!("post {number}")).await;
        let done = report_post(store, carol_id, id).await;
        assert_eq!(done, ReportResult::Done);
    }
    let sixth = report_path(crowd::post(store, bob_id, "a sixth post").await.get());
    let form = report_form(&carol, &sixth).await.set("note", "my words");
    let refused = carol.submit(&form).await;
    assert!(refused.status.is_client_error());
    assert!(
        refused
            .visible_text()
            .contains("5 reports about this person are still open")
    );
    assert_eq!(refused.text("#note").trim(), "my words");
    assert_eq!(store.case(bob_id).await.expect("a case").open().count(), 5);
    decide(&alice, "dismiss").await;
    carol
        .submit_accepted(&report_form(&carol, &sixth).await)
        .await;
    site.drain().await;
    site.assert_sound().await;
}
