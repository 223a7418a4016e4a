//! Posting and deleting, with each round trip failing.

use reqwest::StatusCode;

use super::{Scene, at_every_step, reader, send_again};
use crate::support::{Person, Site, action_path, crowd};

/// Makes a user follow an author of a scene.
async fn follower(site: &Site, name: &str, author: &Person) {
    let follower = crowd::member(&site.store, &format!("b_{name}")).await;
    let author = crowd::uid(&site.store, &author.login).await;
    crowd::follow(&site.store, follower, author).await;
}

/// Returns the author's messages on home, on the profile, and on the follower's home.
async fn everywhere(site: &Site, scene: &Scene) -> [Vec<String>; 3] {
    let author = &scene.person;
    let follower = crowd::uid(&site.store, &format!("b_{}", scene.name)).await;
    [
        author.open("/").await.messages(),
        author.open(&author.profile()).await.messages(),
        crowd::home(&site.store, follower).await,
    ]
}

#[tokio::test]
async fn a_post_is_made_once() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            follower(site, name, &alice).await;
            let form = alice.open("/").await.form("/statuses");
            (alice, form.set("message", "an hour's <work>"))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/statuses");
                assert_eq!(form.value("message"), "an hour's <work>");
            }
            send_again(site, scene, answer).await;
        },
        async |site, scene| {
            for messages in everywhere(site, scene).await {
                assert_eq!(messages, ["an hour's <work>"], "{}", scene.name);
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_deleted_status_is_gone_from_everywhere() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            follower(site, name, &alice).await;
            let id = alice.post("not for long").await;
            let form = alice.delete_form(id).await;
            (alice, form)
        },
        send_again,
        async |site, scene| {
            for messages in everywhere(site, scene).await {
                assert!(messages.is_empty(), "{}", scene.name);
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_vote_counts_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = crowd::uid(&site.store, &format!("a_{name}")).await;
            let id = crowd::post_poll(&site.store, author, &["Tea", "Coffee"]).await;
            let page = reader.open(&format!("/@a_{name}")).await;
            let mut form = page.button(&action_path("vote", id.get()));
            form.fields.push((format!("vote-{id}"), "2".into()));
            (reader, form)
        },
        send_again,
        async |_, scene| {
            let page = scene.person.open(&format!("/@a_{}", scene.name)).await;
            assert!(
                page.text(".poll > p").starts_with("1 person"),
                "{}",
                scene.name
            );
            assert!(page.text(".poll li:last-of-type").contains("Your vote"));
        },
    )
    .await;
}

#[tokio::test]
async fn an_edit_is_made_once_or_its_text_is_returned() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            follower(site, name, &alice).await;
            let id = alice.post("Helo #one").await;
            let path = format!("/statuses/{id}/edit");
            let form = alice.open(&path).await.form(&path);
            (alice, form.set("message", "Hello #two"))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                assert!(answer.html.contains("Hello #two"), "{}", scene.name);
            }
            send_again(site, scene, answer).await;
        },
        async |site, scene| {
            for messages in everywhere(site, scene).await {
                assert_eq!(messages, ["Hello #two"], "{}", scene.name);
            }
            let page = scene.person.open("/").await;
            let versions = scene
                .person
                .open(&page.attributes(".edited a", "href")[0])
                .await;
            assert_eq!(versions.texts(".version-text"), ["Hello #two", "Helo #one"]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_post_is_pinned_once() {
    at_every_step(
        async |site, name| {
            let person = Person::sign_up(site, name).await;
            let id = person.post("worth a pin").await;
            let menu = person.open_menu(&person.profile(), id).await;
            (person, menu.button(&format!("/statuses/{id}/pin")))
        },
        send_again,
        async |_, scene| {
            let profile = scene.person.open(&scene.person.profile()).await;
            assert_eq!(profile.texts(".pinned").len(), 1);
            assert_eq!(profile.messages(), ["worth a pin"]);
        },
    )
    .await;
}
