//! Reposts in other features: order of importance, search, polls and warnings, and edited texts.

use reqwest::StatusCode;

use super::{Scene, lines};
use crate::support::{Form, Person, action_path};

/// Returns the filled form to post.
async fn compose(person: &Person, path: &str, action: &str) -> Form {
    person.open(path).await.form(action)
}

#[tokio::test]
async fn the_important_page_shows_a_repost_as_its_original() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    carol.open("/").await;
    bob.press("/@alice", "repost", id).await;
    let page = carol.open("/important").await;
    assert_eq!(page.messages(), ["worth telling"]);
    assert_eq!(lines(&page), ["bob of the tests reposted"]);
    assert!(page.has(&format!("#status-{id}")));
    let answer = carol.press("/important", "favourite", id).await;
    assert_eq!(answer.location(), format!("/important#status-{id}"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn search_finds_quotes_and_originals_but_no_reposts() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    let path = action_path("quote", id);
    let form = compose(&bob, &path, &path).await;
    bob.submit_accepted(&form.set("message", "how true")).await;
    site.drain().await;
    for (query, found) in [
        ("from%3Abob", "how true"),
        ("true", "how true"),
        ("worth", "worth telling"),
    ] {
        let page = carol.open(&format!("/search?q={query}")).await;
        assert_eq!(page.messages(), [found], "{query}");
    }
}

#[tokio::test]
async fn a_quote_can_be_edited_and_a_plain_repost_cannot() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    let repost = bob.ids("/@bob").await[0];
    let edit = action_path("edit", repost);
    assert_eq!(bob.get(&edit).await.status, StatusCode::NOT_FOUND);
    let path = action_path("quote", id);
    let form = compose(&bob, &path, &path).await;
    bob.submit_accepted(&form.set("message", "how treu")).await;
    let quote = bob.ids("/@bob").await[0];
    let edit = action_path("edit", quote);
    let form = compose(&bob, &edit, &edit).await;
    bob.submit_accepted(&form.clone().set("message", "how true"))
        .await;
    let refused = bob
        .submit(&Form {
            action: action_path("edit", repost),
            ..form
        })
        .await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    let home = carol.open("/").await;
    assert_eq!(home.messages()[0], "how true");
    assert_eq!(home.texts(".quoted .p-content"), ["worth telling"]);
    let own = alice.open("/").await;
    assert_eq!(own.attributes("[data-quotes]", "data-quotes"), ["1"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_poll_accepts_votes_at_its_reposts() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        ..
    } = Scene::set(&[]).await;
    let form = compose(&alice, "/", "/statuses").await;
    let form = form.set("message", "Which?").set("warning", "Drinks");
    let form = form.set("option_1", "Tea").set("option_2", "Coffee");
    alice.submit_accepted(&form).await;
    let id = alice.home_ids().await[0];
    bob.press("/@alice", "repost", id).await;
    let home = carol.open("/").await;
    assert_eq!(home.text("summary.p-summary"), "Drinks");
    let mut vote = home.button(&action_path("vote", id));
    vote.fields.push((format!("vote-{id}"), "2".to_owned()));
    carol.submit_accepted(&vote).await;
    let home = carol.open("/").await;
    assert_eq!(home.text(".poll .badge"), "Your vote");
    let path = action_path("quote", id);
    let form = compose(&bob, &path, &path).await;
    let form = form.set("message", "indeed").set("warning", "More of it");
    bob.submit_accepted(&form).await;
    let home = carol.open("/").await;
    assert_eq!(
        home.texts("summary.p-summary"),
        ["More of it", "Drinks", "Drinks"]
    );
    assert_eq!(home.texts(".quoted details .p-content"), ["Which?"]);
    site.assert_sound().await;
}
