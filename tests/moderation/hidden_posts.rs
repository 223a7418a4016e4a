//! Posts that the moderators hide: decided from a report, told, and shown again.

use reqwest::StatusCode;

use super::{CASE, DECIDE, DECISIONS, END, notifications, report, report_path, three};
use crate::{
    administration::output_of,
    support::{Form, Person, Site, crowd},
};

fn post_path(id: u64) -> String {
    format!("{CASE}/posts/{id}")
}

/// The form that hides a post of bob, as the page of its report has it.
async fn hiding(by: &Person, id: u64) -> Form {
    let form = by.open(&post_path(id)).await.form(DECIDE);
    assert_eq!(form.value("post"), id.to_string());
    let form = form.choose("measure", "hide_post").choose("reason", "spam");
    form.set("explanation", "Again <b>.")
}

#[tokio::test]
async fn a_moderator_hides_a_reported_post_and_shows_it_again() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    carol.follow("bob").await;
    let (id, other) = (bob.post("buy <b>this</b>").await, bob.post("hello").await);
    report(&carol, &report_path(id)).await;
    let case = alice.open(CASE).await;
    let link = format!("{}#decide-title", post_path(id));
    assert!(case.attributes("main a", "href").contains(&link));
    assert!(!case.has("#measure-hide_post"), "of no post");
    let page = alice.open(&post_path(id)).await;
    assert_eq!(page.text("q"), "buy <b>this</b>");
    let form = hiding(&alice, id).await;
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    let permalink = format!("/@bob/{id}");
    let absent = carol.get("/@bob/4096").await;
    for viewer in [&carol, &alice, &Person::visitor(&site)] {
        assert_eq!(viewer.get(&permalink).await.status, absent.status);
        assert_eq!(viewer.ids("/@bob").await, [other]);
    }
    assert_eq!(carol.home_ids().await, [other]);
    let own = bob.open(&permalink).await;
    let words = "Hidden by the moderators. Only you see this post.";
    assert!(own.visible_text().contains(words));
    assert_eq!(bob.ids("/@bob").await, [other, id]);
    let told = bob.open(DECISIONS).await;
    assert_eq!(told.texts(".decisions blockquote"), ["Spam: Again <b>."]);
    let post = format!("/statuses/{id}");
    assert!(told.attributes(".decisions a", "href").contains(&post));
    assert!(told.visible_text().contains("Only you see it."));
    let news = notifications(&bob).await;
    assert!(news.contains("decision of the moderators"), "{news}");
    let outcome = carol.open("/settings/reports").await.visible_text();
    assert!(outcome.contains("acted on it"), "{outcome}");

    let case = alice.open(CASE).await;
    assert!(case.visible_text().contains("It is hidden from everybody"));
    assert!(!case.attributes("main a", "href").contains(&link));
    let end = case.form(END);
    for _ in 0..2 {
        alice.submit_accepted(&end).await;
    }
    assert_eq!(carol.ids("/@bob").await, [other, id]);
    let told = bob.open(DECISIONS).await.visible_text();
    assert!(told.contains("taken back") && !told.contains("Only you see it."));
    assert!(!bob.open(&permalink).await.visible_text().contains(words));
    let log = output_of(&site, &["log"]);
    let acts = [
        format!("@alice hid the post {id} of @bob: Spam: Again <b>."),
        format!("@alice showed the post {id} of @bob again"),
    ];
    for act in acts {
        assert_eq!(log.matches(&act).count(), 1, "{log}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_decision_to_hide_can_be_taken_back_for_30_days() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("words").await;
    report(&carol, &report_path(id)).await;
    alice.submit_accepted(&hiding(&alice, id).await).await;
    let end = alice.open(CASE).await.form(END);
    let key = format!("decisions:{{{}}}", crowd::uid(&site.store, "bob").await);
    let number = end.value("number").to_owned();
    let subject = crowd::uid(&site.store, "bob").await;
    let decision = &site.store.decisions(subject).await.expect("decisions")[0];
    let old: u64 = number.parse::<u64>().expect("a number") - 31 * 86_400_000_000;
    let json = decision.decision.to_json();
    let json = json.replace('"', "\\x22").replace(' ', "\\x20");
    site.redis.command(&["HDEL", &key, &number]);
    site.redis
        .command(&["HSET", &key, &old.to_string(), &format!("\"{json}\"")]);
    let late = alice.submit(&end.set("number", &old.to_string())).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(late.visible_text().contains("older than 30 days"));
    assert!(
        !alice
            .open(CASE)
            .await
            .has(&format!("form[action=\"{END}\"]"))
    );
    assert_eq!(
        carol.get(&format!("/@bob/{id}")).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn only_reported_posts_of_the_person_are_hidden_and_only_by_moderators() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let (id, quiet) = (bob.post("reported").await, bob.post("not reported").await);
    let foreign = carol.post("of carol").await;
    report(&carol, &report_path(id)).await;
    let form = hiding(&alice, id).await;
    for other in [quiet, foreign, 4096] {
        assert_eq!(
            alice.get(&post_path(other)).await.status,
            StatusCode::NOT_FOUND
        );
        let refused = alice
            .submit(&form.clone().set("post", &other.to_string()))
            .await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{other}");
    }
    for wrong in ["x", "0"] {
        let refused = alice.submit(&form.clone().set("post", wrong)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert!(refused.has("#measure-error"));
    }
    for role in ["welcomer", "none"] {
        output_of(&site, &["role", "alice", role]);
        assert_eq!(alice.submit(&form).await.status, StatusCode::FORBIDDEN);
        assert_eq!(
            alice.get(&post_path(id)).await.status,
            StatusCode::FORBIDDEN
        );
    }
    assert_eq!(carol.ids("/@bob").await, [quiet, id]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_hidden_post_takes_no_reply_favourite_or_repost_and_can_be_deleted() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("words").await;
    let page = carol.open(&format!("/@bob/{id}")).await;
    let reply = page.form("/statuses").set("message", "a reply");
    let buttons = ["favourite", "repost"].map(|action| {
        let path = crate::support::action_path(action, id);
        page.button(&path)
    });
    report(&carol, &report_path(id)).await;
    alice.submit_accepted(&hiding(&alice, id).await).await;
    for form in buttons.iter().chain([&reply]) {
        let refused = carol.submit(form).await;
        assert!(refused.status.is_client_error(), "{}", form.action);
    }
    bob.delete(id).await;
    assert!(bob.ids("/@bob").await.is_empty());
    let end = alice.open(CASE).await.form(END);
    alice.submit_accepted(&end).await;
    assert_eq!(
        carol.get(&format!("/@bob/{id}")).await.status,
        StatusCode::NOT_FOUND
    );
    site.drain().await;
    site.assert_sound().await;
}
