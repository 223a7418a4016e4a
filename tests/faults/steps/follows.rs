//! Following, unfollowing and author preferences, with each round trip failing.

use super::{Scene, at_every_step, reader, send_again};
use crate::{
    notifications,
    support::{Site, crowd},
};

/// Returns the number of followers of the scene's author: by count, by list and by notifications.
async fn followers(site: &Site, scene: &Scene) -> (String, usize, usize) {
    let profile = format!("/@a_{}", scene.name);
    let list = format!("{profile}/followers");
    let page = scene.person.open(&profile).await;
    let count = page.text(&format!("a[href=\"{list}\"]"));
    let people = scene.person.open(&list).await;
    let author = crowd::uid(&site.store, &format!("a_{}", scene.name)).await;
    let notified = notifications::members(&site.store, author).await;
    (count, people.count(".person"), notified.len())
}

#[tokio::test]
async fn a_follow_counts_once_and_fills_the_home() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("/@a_{name}");
            let form = reader.open(&author).await.form(&format!("{author}/follow"));
            (reader, form)
        },
        send_again,
        async |site, scene| {
            assert_eq!(scene.person.open("/").await.messages(), ["to be read"]);
            assert_eq!(
                followers(site, scene).await,
                ("1 follower".to_owned(), 1, 1)
            );
        },
    )
    .await;
}

#[tokio::test]
async fn an_unfollow_counts_once_and_empties_the_home() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("a_{name}");
            reader.follow(&author).await;
            let page = reader.open(&format!("/@{author}")).await;
            (reader, page.form(&format!("/@{author}/unfollow")))
        },
        send_again,
        async |site, scene| {
            assert!(scene.person.open("/").await.messages().is_empty());
            assert_eq!(
                followers(site, scene).await,
                ("0 followers".to_owned(), 0, 0)
            );
        },
    )
    .await;
}

#[tokio::test]
async fn an_author_preference_is_set_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("a_{name}");
            reader.follow(&author).await;
            let page = reader.open(&format!("/@{author}")).await;
            let mut form = page
                .form(&format!("/@{author}/preference"))
                .without("preference");
            form.fields
                .push(("preference".to_owned(), "more".to_owned()));
            (reader, form)
        },
        send_again,
        async |_, scene| {
            let profile = scene.person.open(&format!("/@a_{}", scene.name)).await;
            let chosen = profile.attributes(".author-preference [aria-pressed=true]", "value");
            assert_eq!(chosen, ["more"], "{}", scene.name);
        },
    )
    .await;
}
