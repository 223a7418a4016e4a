//! Deleting: it asks for confirmation, only the author can do it, and the post is gone everywhere
//! for good.

use redwing::domain::StatusId;
use reqwest::StatusCode;

use crate::support::{Form, Person, Site, crowd, request::Request};

#[tokio::test]
async fn a_delete_asks_for_confirmation_and_shows_the_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("about to go").await;
    let menu = alice.open_menu(&format!("/@alice/{id}"), id).await;
    let question = format!("/statuses/{id}/delete");
    assert!(
        menu.has(&format!("a[href^=\"{question}\"]")),
        "the menu links to the confirmation"
    );
    assert!(
        alice
            .open(&question)
            .await
            .visible_text()
            .contains("about to go")
    );
    assert_eq!(
        alice.home_ids().await,
        [id],
        "the confirmation page deletes nothing"
    );
}

#[tokio::test]
async fn a_delete_returns_to_its_page_unless_that_page_is_gone() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let earlier = alice.post("the first").await;
    for (from, led_to) in [
        ("/@alice", "/@alice"),
        ("/@alice?before=99", "/@alice?before=99"),
        (&format!("/@alice/{earlier}"), &format!("/@alice/{earlier}")),
        ("itself", "/"),
    ] {
        let id = alice.post("about to go").await;
        let from = match from {
            "itself" => format!("/@alice/{id}"),
            from => from.to_owned(),
        };
        let question = format!("/statuses/{id}/delete");
        let ask = async |origin: &str| {
            let referer = format!("{origin}{from}");
            let asked = Request::get(&alice, &question).header("referer", &referer);
            asked.send().await.form(&question)
        };
        let elsewhere = ask("https://evil.example").await;
        assert_eq!(elsewhere.value("next"), "/", "{from}");
        // A browser may know the site by another address than the public one.
        let form = ask(&site.base).await;
        assert_eq!(ask(alice.origin()).await.value("next"), form.value("next"));
        assert_eq!(
            alice.submit_accepted(&form).await.location(),
            led_to,
            "{from}"
        );
    }
}

#[tokio::test]
async fn a_deleted_status_vanishes_everywhere() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    let kept = alice.post("stays").await;
    let id = alice.post("goes").await;
    alice.delete(id).await;
    assert_eq!(alice.home_ids().await, [kept]);
    assert_eq!(bob.home_ids().await, [kept]);
    assert_eq!(bob.ids("/@alice").await, [kept]);
    assert_eq!(
        bob.get(&format!("/@alice/{id}")).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_deleted_status_stays_away_after_the_work_is_done() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    let id = alice.post("goes").await;
    alice.delete(id).await;
    site.drain().await;
    assert!(bob.home_ids().await.is_empty());
    bob.unfollow("alice").await;
    bob.follow("alice").await;
    assert!(
        bob.home_ids().await.is_empty(),
        "following again does not bring it back"
    );
}

#[tokio::test]
async fn the_count_of_posts_follows() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("goes").await;
    alice.delete(id).await;
    let user = site
        .store
        .user(crowd::uid(&site.store, "alice").await)
        .await;
    assert_eq!(
        user.expect("the store answers").expect("she exists").posts,
        0
    );
}

#[tokio::test]
async fn only_the_author_can_delete_and_others_learn_nothing() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    let id = alice.post("hers").await;
    let own = bob.post("his").await;
    let question = bob.get(&format!("/statuses/{id}/delete")).await;
    let missing = bob.get("/statuses/12345/delete").await;
    assert_eq!(
        (question.status, missing.status),
        (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND)
    );
    assert_eq!(
        question.text("main h1"),
        missing.text("main h1"),
        "the same answer for both"
    );
    let form = bob.delete_form(own).await;
    let answer = bob
        .submit(&Form {
            action: format!("/statuses/{id}/delete"),
            ..form
        })
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(alice.ids("/@alice").await, [id]);
}

#[tokio::test]
async fn deleting_twice_is_no_error() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let kept = alice.post("stays").await;
    let id = alice.post("goes").await;
    let form = alice.delete_form(id).await;
    alice.submit_accepted(&form).await;
    let second = alice.submit(&form).await;
    assert!(
        second.status == StatusCode::SEE_OTHER || second.status == StatusCode::NOT_FOUND,
        "{}",
        second.status
    );
    assert_eq!(alice.home_ids().await, [kept]);
}

#[tokio::test]
async fn the_form_of_a_deleted_post_revives_nothing_and_offers_to_post_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "once and never again");
    alice.submit_accepted(&form).await;
    let id = alice.home_ids().await[0];
    alice.delete(id).await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.visible_text().contains("changed or deleted since"));
    site.drain().await;
    assert!(alice.home_ids().await.is_empty());
    assert!(alice.ids("/@alice").await.is_empty());
    let again = refused.form("/statuses");
    assert_eq!(again.value("message"), "once and never again");
    for _ in 0..2 {
        alice.submit_accepted(&again).await;
    }
    assert_eq!(alice.open("/").await.messages(), ["once and never again"]);
}

#[tokio::test]
async fn the_form_of_an_edited_post_is_not_answered_as_posted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let form = form.set("message", "before");
    alice.submit_accepted(&form).await;
    let id = StatusId::new(alice.home_ids().await[0]).expect("in range");
    let author = crowd::uid(&site.store, "alice").await;
    crowd::edit(&site.store, author, id, "after").await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(alice.open("/").await.messages(), ["after"]);
    alice.submit_accepted(&refused.form("/statuses")).await;
    assert_eq!(alice.open("/").await.messages(), ["before", "after"]);
}

#[tokio::test]
async fn deleting_needs_a_log_in() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("stays").await;
    let form = alice.delete_form(id).await;
    let visitor = Person::visitor(&site);
    visitor.submit(&form).await;
    assert_eq!(
        visitor.get(&form.action).await.status,
        StatusCode::SEE_OTHER,
        "a visitor is asked to log in"
    );
    assert_eq!(alice.home_ids().await, [id]);
}
