//! Quotes: statuses like any other, with the quoted status below.

use futures_util::future::join;
use redwing::domain::StatusId;
use reqwest::StatusCode;

use super::Scene;
use crate::support::{Form, Person, action_path, crowd};

async fn quote_form(person: &Person, id: u64) -> Form {
    let path = action_path("quote", id);
    person.open(&path).await.form(&path)
}

#[tokio::test]
async fn a_quote_reaches_followers_with_the_quoted_status() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    let page = bob.open(&format!("/@alice/{id}")).await;
    assert_eq!(
        page.attributes("a.quote", "href"),
        [action_path("quote", id)]
    );
    let page = bob.open(&action_path("quote", id)).await;
    assert_eq!(page.text(".quoted .p-content"), "worth telling");
    let form = quote_form(&bob, id).await.set("message", "how true");
    for _ in 0..2 {
        bob.submit_accepted(&form).await;
    }
    let home = carol.open("/").await;
    assert_eq!(home.messages(), ["how true"]);
    assert_eq!(home.text(".status .quoted .p-content"), "worth telling");
    assert_eq!(
        home.attributes(".quoted .time", "href"),
        [format!("/@alice/{id}")]
    );
    assert_eq!(alice.open("/").await.text("a.quote b"), "1");
    let quote = home.status_ids()[0];
    carol.press("/", "repost", quote).await;
    let profile = bob.open("/@carol").await;
    assert_eq!(profile.messages(), ["how true"]);
    assert_eq!(profile.text(".status .quoted .p-content"), "worth telling");
    site.assert_sound().await;
    bob.delete(quote).await;
    site.drain().await;
    assert!(bob.open("/@carol").await.messages().is_empty());
    assert!(!alice.open("/").await.has("a.quote b"));
    site.assert_sound().await;
}

#[tokio::test]
async fn a_quote_of_a_repost_quotes_its_original_and_vanishes_with_it() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    let repost = bob.ids("/@bob").await[0];
    let form = carol.open(&action_path("quote", repost)).await;
    let form = form.form(&action_path("quote", id));
    carol
        .submit_accepted(&form.set("message", "how true"))
        .await;
    assert_eq!(
        alice.open("/@carol").await.text(".quoted .p-content"),
        "worth telling"
    );
    bob.press("/", "unrepost", id).await;
    assert_eq!(carol.open("/@carol").await.messages(), ["how true"]);
    alice.delete(id).await;
    assert!(carol.open("/@carol").await.messages().is_empty(), "at once");
    site.drain().await;
    site.assert_sound().await;
    let profile = carol.open("/@carol").await;
    assert_eq!(profile.text("[data-count=posts]"), "0 posts");
}

#[tokio::test]
async fn a_refused_quote_comes_back_with_the_quoted_status() {
    let Scene {
        site,
        alice,
        bob,
        id,
        ..
    } = Scene::set(&[]).await;
    let form = quote_form(&bob, id).await;
    let long = "x".repeat(501);
    let refused = bob.submit(&form.clone().set("message", &long)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.text(".quoted .p-content"), "worth telling");
    let again = refused.form(&action_path("quote", id));
    assert_eq!(again.value("message").trim(), long);

    let visitor = Person::visitor(&site);
    let stale = visitor
        .submit(&form.clone().set("message", "how true"))
        .await;
    let log_in = stale.form("/login");
    assert_eq!(log_in.value("next"), action_path("quote", id));
    assert_eq!(log_in.pending_message(), "how true");

    alice.delete(id).await;
    let gone = bob.submit(&form.set("message", "how true")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    let by_itself = gone.form("/statuses");
    assert_eq!(by_itself.value("message").trim(), "how true");
    let page = bob.get(&action_path("quote", id)).await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_quote_of_a_concurrently_deleted_status_is_posted_or_comes_back_without_it() {
    let Scene {
        site, alice, bob, ..
    } = Scene::set(&[]).await;
    for round in 0..20 {
        let id = alice.post(&format!("soon gone {round}")).await;
        let form = quote_form(&bob, id).await.set("message", "how true");
        let (answer, ()) = join(bob.submit(&form), alice.delete(id)).await;
        if answer.status == StatusCode::SEE_OTHER {
            continue;
        }
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "round {round}");
        let by_itself = answer.form("/statuses");
        assert_eq!(by_itself.value("message").trim(), "how true");
        assert!(answer.visible_text().contains("deleted"));
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_typed_quote_survives_the_log_in_on_the_page_of_the_quoted_status() {
    let Scene { site, id, .. } = Scene::set(&[]).await;
    let bob = Person::log_in(&site, "bob").await;
    let form = quote_form(&bob, id).await.set("message", "how true");
    bob.log_out().await;
    let log_in = bob.submit(&form).await.form("/login");
    let log_in = log_in
        .set("login", "bob")
        .set("password", crate::support::PASSWORD);
    let answer = bob.submit_accepted(&log_in).await;
    assert_eq!(answer.location(), action_path("quote", id));
    let form = quote_form(&bob, id).await;
    assert_eq!(form.value("message").trim(), "how true");
    bob.submit_accepted(&form).await;
    assert_eq!(bob.open("/@bob").await.messages(), ["how true"]);
    let empty = quote_form(&bob, id).await;
    assert_eq!(empty.value("message").trim(), "");
}

#[tokio::test]
async fn a_quote_of_a_quote_vanishes_with_the_first_original() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    let store = &site.store;
    let [bob_id, carol_id] = [
        crowd::uid(store, "bob").await,
        crowd::uid(store, "carol").await,
    ];
    let root = StatusId::new(id).expect("an id");
    let comment = crowd::quote(store, bob_id, root, "how true").await;
    let further = crowd::quote(store, carol_id, comment, "how true that this is true").await;
    let stranger = crowd::member(store, "stranger").await;
    crowd::repost(store, stranger, further).await;
    for (path, shown) in [("/@carol", 1), ("/@stranger", 1)] {
        assert_eq!(alice.open(path).await.messages().len(), shown, "{path}");
    }
    alice.delete(id).await;
    for (who, path) in [(&alice, "/@bob"), (&carol, "/@carol"), (&bob, "/@stranger")] {
        assert!(
            who.open(path).await.messages().is_empty(),
            "{path}, at once"
        );
    }
    site.drain().await;
    site.assert_sound().await;
}
