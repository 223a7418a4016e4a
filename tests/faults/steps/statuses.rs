//! Posting and deleting, with each trip failing.

use reqwest::StatusCode;

use super::{Scene, at_every_step, send_again};
use crate::support::{Person, Site, crowd};

/// Somebody follows an author of a scene.
async fn follower(site: &Site, name: &str, author: &Person) {
    let follower = crowd::member(&site.store, &format!("b_{name}")).await;
    let author = crowd::uid(&site.store, &author.login).await;
    crowd::follow(&site.store, follower, author).await;
}

/// The messages of the author, at home and on their profile, and at home at their follower's.
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
