//! Writing a message, deleting it for everybody and leaving, with each round trip failing.

use super::{at_every_step, send_again};
use crate::{
    messages::{begun, texts, unread},
    support::{Person, Site},
};

/// Signs up two people of whom the second follows the first.
async fn two(site: &Site, name: &str) -> (Person, Person) {
    let author = Person::sign_up(site, &format!("a_{name}")).await;
    let reader = Person::sign_up(site, &format!("r_{name}")).await;
    reader.follow(&author.login).await;
    (author, reader)
}

/// Logs in as the other person of a scene.
async fn other(site: &Site, name: &str) -> Person {
    Person::log_in(site, &format!("r_{name}")).await
}

/// Returns the path of the only conversation of a person.
async fn only_chat(person: &Person) -> String {
    let page = person.open("/messages").await;
    let links = page.html.split("href=\"/messages/").skip(1);
    let is_chat = |link: &&str| {
        link.split(['#', '"'])
            .next()
            .is_some_and(|id| id.len() == 32)
    };
    let ids: Vec<&str> = links.filter(is_chat).map(|link| &link[..32]).collect();
    assert_eq!(ids.len(), 1, "{}", page.html);
    format!("/messages/{}", ids[0])
}

#[tokio::test]
async fn a_message_arrives_once() {
    at_every_step(
        async |site, name| {
            let (author, reader) = two(site, name).await;
            let path = begun(&author, &reader.login, "before").await;
            let form = author.open(&path).await.form(&path);
            (author, form.set("message", "once"))
        },
        send_again,
        async |site, scene| {
            let path = only_chat(&scene.person).await;
            assert_eq!(texts(&scene.person, &path).await, ["before", "once"]);
            let reader = other(site, &scene.name).await;
            assert_eq!(unread(&reader).await, "1");
            assert_eq!(texts(&reader, &path).await, ["before", "once"]);
            assert_eq!(unread(&reader).await, "");
        },
    )
    .await;
}

#[tokio::test]
async fn a_message_is_deleted_for_everybody() {
    at_every_step(
        async |site, name| {
            let (author, reader) = two(site, name).await;
            let path = begun(&author, &reader.login, "regretted").await;
            let form = author.open(&path).await.form(&format!("{path}/hide"));
            let delete = form.to(&format!("{path}/delete"));
            (author, delete.set_new("message", "1"))
        },
        send_again,
        async |site, scene| {
            let path = only_chat(&scene.person).await;
            let reader = other(site, &scene.name).await;
            assert_eq!(unread(&reader).await, "");
            assert_eq!(texts(&reader, &path).await, ["Message deleted"]);
        },
    )
    .await;
}
