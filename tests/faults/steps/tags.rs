//! Following a tag, and posting with a tag and a mention, with each round trip failing.

use super::{Scene, at_every_step, send_again};
use crate::support::{Person, Site, crowd};

/// Signs up a user with a home, and creates a status with the scene's tag.
async fn reader(site: &Site, name: &str) -> Person {
    let author = crowd::member(&site.store, &format!("a_{name}")).await;
    crowd::post(&site.store, author, &format!("of #t_{name}")).await;
    let reader = Person::sign_up(site, &format!("r_{name}")).await;
    reader.open("/").await;
    reader
}

async fn home(scene: &Scene) -> Vec<String> {
    scene.person.open("/").await.messages()
}

#[tokio::test]
async fn following_a_tag_fills_the_home() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let tag = format!("/tags/t_{name}");
            let form = reader.open(&tag).await.form(&format!("{tag}/follow"));
            (reader, form)
        },
        send_again,
        async |_, scene| assert_eq!(home(scene).await, [format!("of #t_{}", scene.name)]),
    )
    .await;
}

#[tokio::test]
async fn unfollowing_a_tag_empties_the_home() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let uid = crowd::uid(&site.store, &format!("r_{name}")).await;
            crowd::follow_tag(&site.store, uid, &format!("t_{name}")).await;
            let tag = format!("/tags/t_{name}");
            let form = reader.open(&tag).await.form(&format!("{tag}/unfollow"));
            (reader, form)
        },
        send_again,
        async |_, scene| assert!(home(scene).await.is_empty()),
    )
    .await;
}

#[tokio::test]
async fn a_post_is_listed_once_under_its_tag_and_for_each_mentioned_user() {
    at_every_step(
        async |site, name| {
            crowd::member(&site.store, &format!("m_{name}")).await;
            let author = Person::sign_up(site, &format!("r_{name}")).await;
            let form = author.open("/").await.form("/statuses");
            let text = format!("@m_{name}, see #t_{name}");
            (author, form.set("message", &text))
        },
        send_again,
        async |site, scene| {
            let tagged = scene.person.ids(&format!("/tags/t_{}", scene.name)).await;
            assert_eq!(tagged.len(), 1);
            let who = crowd::uid(&site.store, &format!("m_{}", scene.name)).await;
            let mentions = site.store.mentions_page(who, None).await;
            assert_eq!(mentions.expect("an answer").items.len(), 1);
        },
    )
    .await;
}
