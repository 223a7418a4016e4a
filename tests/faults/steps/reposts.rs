//! Reposting, quoting and taking a repost back, with each round trip failing.

use super::{Scene, at_every_step, reader, send_again};
use crate::support::{Form, Person, Site, action_path};

/// Signs up a reader of an author with one status. Returns the reader and the status.
async fn reader_of(site: &Site, name: &str) -> (Person, u64) {
    let reader = reader(site, name).await;
    let id = reader.open(&format!("/@a_{name}")).await.status_ids()[0];
    (reader, id)
}

async fn button(reader: &Person, name: &str, action: &str, id: u64) -> Form {
    let page = reader.open(&format!("/@a_{name}")).await;
    page.button(&action_path(action, id))
}

/// Returns the number of reposts on the reader's profile, on home, and on the list of the scene's
/// status.
async fn reposts(scene: &Scene) -> [usize; 3] {
    let (person, author) = (&scene.person, format!("/@a_{}", scene.name));
    let id = person.open(&author).await.status_ids()[0];
    let who = format!("{author}/{id}/reposts");
    [
        person.ids(&person.profile()).await.len(),
        person.home_ids().await.len(),
        person.open(&who).await.count(".person"),
    ]
}

#[tokio::test]
async fn a_repost_is_made_once() {
    at_every_step(
        async |site, name| {
            let (reader, id) = reader_of(site, name).await;
            let form = button(&reader, name, "repost", id).await;
            (reader, form)
        },
        send_again,
        async |_, scene| assert_eq!(reposts(scene).await, [1, 1, 1], "{}", scene.name),
    )
    .await;
}

#[tokio::test]
async fn a_removed_repost_leaves_nothing() {
    at_every_step(
        async |site, name| {
            let (reader, id) = reader_of(site, name).await;
            reader.press(&format!("/@a_{name}"), "repost", id).await;
            let form = button(&reader, name, "unrepost", id).await;
            (reader, form)
        },
        send_again,
        async |_, scene| assert_eq!(reposts(scene).await, [0, 0, 0], "{}", scene.name),
    )
    .await;
}

#[tokio::test]
async fn a_quote_is_posted_once() {
    at_every_step(
        async |site, name| {
            let (reader, id) = reader_of(site, name).await;
            let path = action_path("quote", id);
            let form = reader.open(&path).await.form(&path);
            (reader, form.set("message", "how true"))
        },
        send_again,
        async |_, scene| assert_eq!(reposts(scene).await, [1, 1, 0], "{}", scene.name),
    )
    .await;
}
