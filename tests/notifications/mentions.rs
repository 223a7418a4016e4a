//! Notifications of mentions.

use redwing::{
    actions::statuses,
    domain::{Draft, StatusId},
};

use super::{PAGE, lines, members, unread};
use crate::support::{Person, Site, crowd};

const NOTIFICATION_TEXT: &str = "bob of the tests mentioned you";

#[tokio::test]
async fn a_mention_is_notified_once_counted_and_read() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("good morning, @Alice, and @alice again").await;
    let status = StatusId::new(id).expect("an id");
    for _ in 0..2 {
        assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
        let again = statuses::reconcile(&site.store, status).await;
        again.expect("an answer");
    }
    let page = alice.open(PAGE).await;
    assert_eq!(lines(&page), [format!("{NOTIFICATION_TEXT}*")]);
    assert!(page.has(&format!(".notifications blockquote a[href=\"/@bob/{id}\"]")));
    assert_eq!(unread(&alice.open("/").await), None);
    site.drain().await;
    assert_eq!(
        unread(&alice.open("/").await),
        None,
        "no user is notified twice"
    );
    assert_eq!(unread(&bob.open("/").await), None);
    site.assert_sound().await;
    bob.delete(id).await;
    let uid = crowd::uid(&site.store, "alice").await;
    assert!(members(&site.store, uid).await.is_empty());
    assert!(lines(&alice.open(PAGE).await).is_empty());
}

#[tokio::test]
async fn a_removed_mention_removes_its_notification_until_it_returns() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let carol = Person::sign_up(&site, "carol").await;
    let bob = crowd::member(&site.store, "bob").await;
    let id = crowd::post(&site.store, bob, "hello @alice").await;
    assert_eq!(lines(&alice.open(PAGE).await).len(), 1);
    crowd::edit(&site.store, bob, id, "hello @carol").await;
    assert!(lines(&alice.open(PAGE).await).is_empty());
    assert_eq!(unread(&carol.open("/").await).as_deref(), Some("1"));
    crowd::edit(&site.store, bob, id, "hello @carol and @alice").await;
    site.drain().await;
    assert_eq!(lines(&alice.open(PAGE).await).len(), 1);
    assert_eq!(unread(&carol.open("/").await).as_deref(), Some("1"));
    crowd::edit(
        &site.store,
        bob,
        id,
        "hello @alice_too, https://a.example/@alice",
    )
    .await;
    for person in [&alice, &carol] {
        assert!(lines(&person.open(PAGE).await).is_empty());
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn of_twenty_five_mentioned_users_the_first_twenty_are_notified() {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    let people = crowd::people(&site.store, "p", 25).await;
    let named = (0..people.len()).map(|number| format!("@p_{number} "));
    let id = crowd::post(&site.store, author, named.collect::<String>().trim()).await;
    site.drain().await;
    for (number, person) in people.into_iter().enumerate() {
        let notified = members(&site.store, person).await;
        let is_notified = number < Draft::MAX_MENTIONED;
        let expected = is_notified.then(|| format!("mention:{id}:{author}"));
        assert_eq!(notified, expected.into_iter().collect::<Vec<String>>());
    }
    site.assert_sound().await;
}
