//! Founding, joining and leaving a group, with each round trip failing.

use redwing::{
    domain::{GroupKind, GroupSlug},
    store::Store,
};

use super::{at_every_step, group_posts::slug, send_again};
use crate::support::{
    Person, Site, crowd,
    groups::{draft, found, join, post},
};

/// Founds the group of a scene with a post. Returns another person.
async fn group_of_another(site: &Site, name: &str) -> Person {
    let store = &site.store;
    let owner = crowd::member(store, &format!("o_{name}")).await;
    let draft = draft(&slug(name), GroupKind::Public);
    let group = found(store, owner, &draft).await;
    post(store, group, owner, "to the group").await;
    Person::sign_up(site, &format!("a_{name}")).await
}

/// Returns the names of the groups on the page of a person's groups.
async fn own_groups(person: &Person) -> Vec<String> {
    person.open("/groups/mine").await.texts(".groups a")
}

async fn home(store: &Store, person: &Person) -> Vec<String> {
    crowd::home(store, crowd::uid(store, &person.login).await).await
}

#[tokio::test]
async fn a_group_is_founded_once() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/groups/new").await.form("/groups/new");
            let form = form.set("name", "Birds").set("slug", &slug(name));
            (alice, form.choose("kind", "public"))
        },
        send_again,
        async |_, scene| {
            let person = &scene.person;
            assert_eq!(own_groups(person).await, ["Birds"], "{}", scene.name);
            let path = format!("/groups/{}/members", slug(&scene.name));
            let members = person.open(&path).await.texts(".person .p-nickname");
            assert_eq!(members, [person.login.as_str()], "{}", scene.name);
        },
    )
    .await;
}

#[tokio::test]
async fn a_person_joins_a_group_once_and_gets_its_posts() {
    at_every_step(
        async |site, name| {
            let alice = group_of_another(site, name).await;
            let path = format!("/groups/{}", slug(name));
            let form = alice.open(&path).await.form(&format!("{path}/join"));
            (alice, form)
        },
        send_again,
        async |site, scene| {
            let (person, name) = (&scene.person, &scene.name);
            assert_eq!(own_groups(person).await.len(), 1, "{name}");
            assert_eq!(home(&site.store, person).await, ["to the group"], "{name}");
            let group = person.open(&format!("/groups/{}", slug(name))).await;
            assert!(group.visible_text().contains("2 members"), "{name}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_person_leaves_a_group_with_all_its_posts() {
    at_every_step(
        async |site, name| {
            let alice = group_of_another(site, name).await;
            let store = &site.store;
            let id = crowd::uid(store, &alice.login).await;
            let slug = GroupSlug::parse(&slug(name)).expect("valid");
            let group = store.group_named(&slug).await.expect("an answer");
            join(store, group.expect("a group"), id).await;
            assert_eq!(home(store, &alice).await, ["to the group"]);
            let path = format!("/groups/{slug}/leave");
            let form = alice.open(&path).await.form(&path);
            (alice, form)
        },
        send_again,
        async |site, scene| {
            let (person, name) = (&scene.person, &scene.name);
            assert!(own_groups(person).await.is_empty(), "{name}");
            assert!(home(&site.store, person).await.is_empty(), "{name}");
            let group = person.open(&format!("/groups/{}", slug(name))).await;
            assert!(group.visible_text().contains("1 member"), "{name}");
        },
    )
    .await;
}
