//! Mentions of a user: a page that only that user can read.

use redwing::domain::Draft;

use crate::support::{Page, Person, Site, crowd};

#[tokio::test]
async fn mentions_are_visible_only_to_the_mentioned_user() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "Alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    assert_eq!(
        alice.open("/mentions").await.text("#empty-title"),
        "No mentions yet"
    );
    let first = bob.post("hello @alice, and @alice again").await;
    let second = bob.post("@ALICE!").await;
    bob.post("alice@example.org is no mention, nor is @alicex")
        .await;
    alice.post("I, @alice, do not mention myself").await;
    assert_eq!(alice.ids("/mentions").await, [second, first]);
    assert!(bob.ids("/mentions").await.is_empty());
    for (page, place) in [("/", ".menu"), ("/@Alice", ".own-links")] {
        let way = format!("{place} a[href=\"/mentions\"]");
        assert!(alice.open(page).await.has(&way), "{page}");
    }
    bob.delete(second).await;
    assert_eq!(alice.ids("/mentions").await, [first]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_first_twenty_people_who_are_there_count() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let people = crowd::people(store, "p", Draft::MAX_MENTIONED + 1).await;
    let mut text = "@nobody @author @ghost".to_owned();
    for number in 0..people.len() {
        text += &format!(" @p_{number} @P_{number}");
    }
    let id = crowd::post(store, author, &text).await;
    let life = store.life(id).await.expect("an answer");
    let mentioned = life.living().expect("it lives").mentioned;
    assert_eq!(mentioned, people[..Draft::MAX_MENTIONED]);
    let last = people[Draft::MAX_MENTIONED];
    let page = store.mentions_page(last, None).await.expect("an answer");
    assert!(page.items.is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn a_mention_does_not_apply_to_a_later_sign_up() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.post("waiting for @carol").await;
    let carol = Person::sign_up(&site, "carol").await;
    assert!(carol.ids("/mentions").await.is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn pages_of_mentions_are_full_unless_they_end() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let author = crowd::member(&site.store, "author").await;
    let mut ids = Vec::new();
    for number in 0..65 {
        ids.push(crowd::post(&site.store, author, &format!("{number} @alice")).await);
    }
    for id in ids.drain(30..35) {
        crowd::delete(&site.store, author, id).await;
    }
    let pages = alice.pages("/mentions").await;
    let shown: Vec<u64> = pages.iter().flat_map(Page::status_ids).collect();
    let expected: Vec<u64> = ids.iter().rev().map(|id| id.get()).collect();
    assert_eq!((pages.len(), shown), (2, expected));
}
