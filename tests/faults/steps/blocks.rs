//! Blocking a person and lifting a block, with each round trip failing.

use reqwest::StatusCode;

use super::{at_every_step, reader, send_again};

#[tokio::test]
async fn a_block_takes_effect_on_both_sides_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("a_{name}");
            reader.follow(&author).await;
            let profile = reader.open(&format!("/@{author}")).await;
            (reader, profile.form(&format!("/@{author}/block")))
        },
        send_again,
        async |_, scene| {
            let author = format!("a_{}", scene.name);
            let profile = scene.person.get(&format!("/@{author}")).await;
            assert_eq!(profile.status, StatusCode::NOT_FOUND, "{author}");
            let blocked = scene.person.open("/settings/blocked").await;
            assert_eq!(blocked.texts(".p-nickname"), [author]);
            assert!(scene.person.open("/").await.messages().is_empty());
        },
    )
    .await;
}

#[tokio::test]
async fn a_block_is_lifted_on_both_sides_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("a_{name}");
            let profile = reader.open(&format!("/@{author}")).await;
            reader
                .submit_accepted(&profile.form(&format!("/@{author}/block")))
                .await;
            let page = reader.open("/settings/blocked").await;
            let form = page.form("/settings/blocked/remove");
            (reader, form.set("login", &author))
        },
        send_again,
        async |_, scene| {
            let profile = scene.person.open(&format!("/@a_{}", scene.name)).await;
            assert_eq!(profile.messages(), ["to be read"]);
            assert!(!scene.person.open("/settings/blocked").await.has(".person"));
        },
    )
    .await;
}
