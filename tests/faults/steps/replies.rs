//! Replying, and deleting the replied-to status, with each round trip failing.

use reqwest::StatusCode;

use super::{Scene, at_every_step, send_again};
use crate::support::{Person, Site, crowd};

/// Creates a post by another user, named after the scene.
async fn question(site: &Site, name: &str) -> u64 {
    let author = crowd::member(&site.store, &format!("b_{name}")).await;
    crowd::post(&site.store, author, "question").await.get()
}

async fn reply_texts(site: &Site, scene: &Scene) -> Vec<String> {
    let asker = Person::visitor(site);
    let path = format!("/@b_{}", scene.name);
    let id = asker.open(&path).await.status_ids()[0];
    asker.open(&format!("{path}/{id}")).await.messages()
}

#[tokio::test]
async fn a_reply_is_made_once() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let id = question(site, name).await;
            let page = alice.open(&format!("/statuses/{id}")).await;
            (alice, page.form("/statuses").set("message", "an answer"))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/statuses");
                assert_eq!(form.value("message"), "an answer");
            }
            send_again(site, scene, answer).await;
        },
        async |site, scene| {
            assert_eq!(
                reply_texts(site, scene).await,
                ["question", "an answer"],
                "{}",
                scene.name
            );
            let profile = format!("{}/replies", scene.person.profile());
            assert_eq!(scene.person.open(&profile).await.messages(), ["an answer"]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_deleted_reply_leaves_a_gap_above_its_replies() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let id = question(site, name).await;
            let answer = alice.reply(id, "not for long").await;
            let below = redwing::domain::StatusId::new(answer).expect("an id");
            let other = crowd::member(&site.store, &format!("c_{name}")).await;
            crowd::reply(&site.store, other, below, "below").await;
            let form = alice.delete_form(answer).await;
            (alice, form)
        },
        send_again,
        async |site, scene| {
            assert_eq!(
                reply_texts(site, scene).await,
                ["question", "below"],
                "{}",
                scene.name
            );
        },
    )
    .await;
}
