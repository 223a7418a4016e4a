//! Posting in a group, with each round trip failing.

use redwing::domain::GroupKind;

use super::{at_every_step, send_again};
use crate::support::{
    Person, crowd,
    groups::{draft, found, join},
};

/// Returns the address of the group of a scene.
pub fn slug(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    format!("g-{}", letters.collect::<String>().to_lowercase())
}

#[tokio::test]
async fn a_post_in_a_group_is_made_once() {
    at_every_step(
        async |site, name| {
            let store = &site.store;
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let reader = crowd::member(store, &format!("b_{name}")).await;
            let draft = draft(&slug(name), GroupKind::Private);
            let group = found(store, crowd::uid(store, &alice.login).await, &draft).await;
            join(store, group, reader).await;
            let form = alice.open(&format!("/groups/{}", slug(name))).await;
            (alice, form.form("/statuses").set("message", "to the group"))
        },
        async |site, scene, answer| send_again(site, scene, answer).await,
        async |site, scene| {
            let path = format!("/groups/{}", slug(&scene.name));
            let page = scene.person.open(&path).await;
            assert_eq!(page.messages(), ["to the group"], "{}", scene.name);
            let reader = crowd::uid(&site.store, &format!("b_{}", scene.name)).await;
            let home = crowd::home(&site.store, reader).await;
            assert_eq!(home, ["to the group"], "{}", scene.name);
        },
    )
    .await;
}
