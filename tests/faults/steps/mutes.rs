//! Muting a word and a conversation, with each round trip failing.

use super::{at_every_step, reader, send_again};

const WORDS: &str = "/settings/muted-words";

#[tokio::test]
async fn a_word_is_muted_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            reader.follow(&format!("a_{name}")).await;
            let form = reader.open(WORDS).await.form(WORDS);
            (reader, form.set("text", "to be"))
        },
        send_again,
        async |_, scene| {
            let page = scene.person.open(WORDS).await;
            assert_eq!(page.texts(".sessions .name"), ["to be"]);
            assert!(scene.person.open("/").await.messages().is_empty());
        },
    )
    .await;
}

#[tokio::test]
async fn the_mute_of_a_word_is_lifted() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let form = reader.open(WORDS).await.form(WORDS);
            reader.submit_accepted(&form.set("text", "to be")).await;
            let page = reader.open(WORDS).await;
            (reader, page.form("/settings/muted-words/remove"))
        },
        send_again,
        async |_, scene| {
            assert!(!scene.person.open(WORDS).await.has(".sessions li"));
        },
    )
    .await;
}

#[tokio::test]
async fn a_conversation_is_muted_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let profile = format!("/@a_{name}");
            let id = reader.open(&profile).await.status_ids()[0];
            let menu = reader.open_menu(&profile, id).await;
            let button = menu.button(&format!("/statuses/{id}/mute"));
            (reader, button)
        },
        send_again,
        async |_, scene| {
            let page = scene.person.open("/settings/muted-conversations").await;
            assert_eq!(page.texts(".sessions a"), ["to be read"]);
        },
    )
    .await;
}
