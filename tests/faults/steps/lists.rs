//! The forms of lists, with each round trip failing.

use reqwest::StatusCode;

use super::{Scene, at_every_step, reader, send_again};
use crate::support::{Person, Site, crowd};

/// Signs up a user who follows an author with a status, and has a list with or without the author.
async fn owner(site: &Site, name: &str, with_author: bool) -> Person {
    let owner = reader(site, name).await;
    owner.follow(&format!("a_{name}")).await;
    let author = crowd::uid(&site.store, &format!("a_{name}")).await;
    let uid = crowd::uid(&site.store, &owner.login).await;
    let members: &[_] = if with_author { &[author] } else { &[] };
    crowd::list(&site.store, uid, members).await;
    owner
}

/// Returns the statuses on the list, those on home, and the members of the list.
async fn on_list_and_home(scene: &Scene) -> [Vec<String>; 3] {
    let owner = &scene.person;
    [
        owner.open("/lists/1").await.messages(),
        owner.open("/").await.messages(),
        owner
            .open("/lists/1/members")
            .await
            .texts(".person .p-nickname"),
    ]
}

#[tokio::test]
async fn a_list_is_made_once() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/lists").await.form("/lists");
            (alice, form.set("name", "Boats & <ships>"))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let typed = answer.form("/lists");
                assert_eq!(typed.value("name"), "Boats & <ships>");
            }
            send_again(site, scene, answer).await;
        },
        async |_, scene| {
            let lists = scene.person.open("/lists").await.texts(".lists a");
            assert_eq!(lists, ["Boats & <ships>"], "{}", scene.name);
        },
    )
    .await;
}

#[tokio::test]
async fn a_list_is_changed_or_comes_back_as_it_was_typed() {
    at_every_step(
        async |site, name| {
            let owner = owner(site, name, true).await;
            let mut form = owner.open("/lists/1/edit").await.form("/lists/1/edit");
            form.fields.push(("exclusive".into(), "1".into()));
            (owner, form.set("name", "Boats & <ships>"))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let typed = answer.form("/lists/1/edit");
                let typed = ["name", "exclusive"].map(|field| typed.value(field));
                assert_eq!(typed, ["Boats & <ships>", "1"]);
            }
            send_again(site, scene, answer).await;
        },
        async |_, scene| {
            let list = scene.person.open("/lists/1").await;
            assert_eq!(list.text("h1"), "Boats & <ships>", "{}", scene.name);
            let [list, home, _] = on_list_and_home(scene).await;
            assert_eq!((list.len(), home.len()), (1, 0), "{}", scene.name);
        },
    )
    .await;
}

#[tokio::test]
async fn a_deleted_list_is_gone() {
    at_every_step(
        async |site, name| {
            let owner = owner(site, name, true).await;
            let form = owner.open("/lists/1/delete").await.form("/lists/1/delete");
            (owner, form)
        },
        send_again,
        async |_, scene| {
            let list = scene.person.get("/lists/1").await;
            assert_eq!(list.status, StatusCode::NOT_FOUND, "{}", scene.name);
            assert!(!scene.person.open("/lists").await.has(".lists"));
            assert_eq!(scene.person.open("/").await.messages(), ["to be read"]);
        },
    )
    .await;
}

#[tokio::test]
async fn an_added_person_is_in_the_list_once() {
    at_every_step(
        async |site, name| {
            let owner = owner(site, name, false).await;
            let members = owner.open("/lists/1/members").await;
            let form = members.form("/lists/1/members");
            (owner, form.set("login", &format!("a_{name}")))
        },
        async |site, scene, answer| {
            let author = format!("a_{}", scene.name);
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let typed = answer.form("/lists/1/members");
                assert_eq!(typed.value("login"), author);
            }
            send_again(site, scene, answer).await;
        },
        async |_, scene| {
            let [list, _, people] = on_list_and_home(scene).await;
            assert_eq!(list, ["to be read"], "{}", scene.name);
            assert_eq!(people, [format!("a_{}", scene.name)]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_removed_person_is_off_the_list_and_stays_on_home() {
    at_every_step(
        async |site, name| {
            let owner = owner(site, name, true).await;
            let members = owner.open("/lists/1/members").await;
            (owner, members.form("/lists/1/members/remove"))
        },
        send_again,
        async |_, scene| {
            let [list, home, people] = on_list_and_home(scene).await;
            assert_eq!((list.len(), people.len()), (0, 0), "{}", scene.name);
            assert_eq!(home, ["to be read"]);
        },
    )
    .await;
}
