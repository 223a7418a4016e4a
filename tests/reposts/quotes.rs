//! Quotes: statuses like any other, with the quoted status below.

use futures_util::future::join;
use redwing::domain::StatusId;
use reqwest::StatusCode;

use super::Scene;
use crate::support::{Form, Page, Person, action_path, crowd};

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
    let menu = bob.open_menu(&format!("/@alice/{id}"), id).await;
    assert_eq!(
        menu.attributes("a.quote", "href"),
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
    let own = alice.open("/").await;
    assert_eq!(own.attributes("[data-quotes]", "data-quotes"), ["1"]);
    let menu = alice.open_menu(&format!("/@alice/{id}"), id).await;
    assert_eq!(menu.text("a.quote b"), "1", "also without scripts");
    let quote = home.status_ids()[0];
    carol.press("/", "repost", quote).await;
    let profile = bob.open("/@carol").await;
    assert_eq!(profile.messages(), ["how true"]);
    assert_eq!(profile.text(".status .quoted .p-content"), "worth telling");
    site.assert_sound().await;
    bob.delete(quote).await;
    site.drain().await;
    assert!(bob.open("/@carol").await.messages().is_empty());
    assert!(!alice.open("/").await.has("[data-quotes]"));
    site.assert_sound().await;
}

#[tokio::test]
async fn a_quote_of_a_repost_quotes_its_original() {
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
    let profile = carol.open("/@carol").await;
    assert_eq!(profile.messages(), ["how true"]);
    assert_eq!(profile.text(".quoted .p-content"), "worth telling");
    site.drain().await;
    site.assert_sound().await;
}

/// Returns the texts in place of deleted quoted statuses.
fn placeholders(page: &Page) -> Vec<String> {
    page.texts(".status .quoted.deleted")
}

#[tokio::test]
async fn a_quote_stays_when_its_original_is_deleted_and_says_so_without_a_name() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    let form = quote_form(&bob, id).await.set("message", "how true");
    bob.submit_accepted(&form).await;
    let quote = bob.ids("/@bob").await[0];
    carol.press("/", "repost", quote).await;
    carol.press("/", "favourite", quote).await;
    carol.reply(quote, "and how").await;
    site.drain().await;
    assert_eq!(
        carol.open("/").await.text(".quoted .p-content"),
        "worth telling"
    );
    alice.delete(id).await;
    let original = format!("/@alice/{id}");
    for drained in [false, true] {
        let permalink = format!("/@bob/{quote}");
        for path in [
            "/",
            "/@bob",
            "/@carol",
            "/favourites",
            &permalink,
            "/search?q=true",
        ] {
            let page = carol.open(path).await;
            assert!(
                page.messages().contains(&"how true".into()),
                "{path}, {drained}"
            );
            assert_eq!(
                placeholders(&page),
                ["This post is not available"],
                "{path}, {drained}"
            );
            assert!(!page.html.contains("worth telling"), "{path}, {drained}");
            assert!(!page.html.contains(&original), "{path}, {drained}");
        }
        site.drain().await;
        site.assert_sound().await;
    }
    let profile = carol.open("/@bob").await;
    assert_eq!(profile.text("[data-count=posts]"), "1 post");
    assert_eq!(profile.texts(".status .reply b"), ["1"]);
    bob.delete(quote).await;
    assert!(carol.open("/@bob").await.messages().is_empty());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_quote_of_a_deleted_status_can_be_edited_and_quoted() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    let form = quote_form(&bob, id).await.set("message", "how true");
    bob.submit_accepted(&form).await;
    let quote = bob.ids("/@bob").await[0];
    alice.delete(id).await;
    site.drain().await;
    let edit = action_path("edit", quote);
    let form = bob.open(&edit).await.form(&edit);
    bob.submit_accepted(&form.set("message", "how very true"))
        .await;
    let profile = carol.open("/@bob").await;
    assert_eq!(profile.messages(), ["how very true"]);
    assert_eq!(placeholders(&profile), ["This post is not available"]);
    let form = quote_form(&carol, quote).await.set("message", "indeed");
    carol.submit_accepted(&form).await;
    let profile = bob.open("/@carol").await;
    assert_eq!(profile.text(".quoted .p-content"), "how very true");
    site.drain().await;
    site.assert_sound().await;
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
    let profile = bob.open("/@bob").await;
    assert_eq!(placeholders(&profile).len(), profile.messages().len());
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
async fn a_quote_of_a_quote_loses_nothing_when_the_first_original_is_deleted() {
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
    alice.delete(id).await;
    for drained in [false, true] {
        let comments = alice.open("/@bob").await;
        assert_eq!(comments.messages(), ["how true"], "{drained}");
        assert_eq!(placeholders(&comments), ["This post is not available"]);
        for (who, path) in [(&carol, "/@carol"), (&bob, "/@stranger")] {
            let page = who.open(path).await;
            assert_eq!(page.messages(), ["how true that this is true"], "{path}");
            assert_eq!(page.text(".quoted .p-content"), "how true", "{path}");
        }
        site.drain().await;
        site.assert_sound().await;
    }
}
