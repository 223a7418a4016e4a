//! Open pages of everybody and of a conversation receive the number of newer posts that their reader sees.

use redwing::domain::Visibility;

use super::page::{OpenPage, request_stream};
use crate::support::{Person, Site, crowd};

/// Opens the stream of a page with these parameters.
async fn open_page(person: &Person, watched: &str) -> OpenPage {
    OpenPage::of(request_watching(person, watched).await)
}

async fn request_watching(person: &Person, watched: &str) -> reqwest::Response {
    let login = format!("{}&{watched}", person.login);
    let path = format!("/live?login={login}");
    let request = person.client().get(person.address(&path));
    let cookie = person.cookies.header().unwrap_or_default();
    let request = request.header("cookie", cookie);
    request.send().await.expect("the site answers")
}

#[tokio::test]
async fn a_conversation_counts_new_replies_at_each_of_its_posts_as_they_come() {
    let site = Site::start().await;
    let [alice, bob, carol] = [
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "carol").await,
    ];
    let post = bob.post("Who has seen the boat?").await;
    let first = carol.reply(post, "Which one?").await;
    let watched = format!("replies={post}.{first}&after={first}");
    let mut page = open_page(&alice, &watched).await;
    page.next_event_named("counts").await;
    let second = bob.reply(first, "The red one.").await;
    assert_eq!(page.next_event_named("newer").await.data, "1");
    carol.reply(post, "I have.").await;
    assert_eq!(page.next_event_named("newer").await.data, "2");
    alice.reply(post, "My own is no news.").await;
    bob.delete(second).await;
    // A message to the person makes all streams read, before their next heartbeat.
    bob.follow("alice").await;
    assert_eq!(page.next_event_named("newer").await.data, "1");
}

#[tokio::test]
async fn a_page_is_not_notified_of_replies_that_its_reader_does_not_see() {
    let site = Site::start().await;
    let [alice, bob, mallory] = [
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "mallory").await,
    ];
    let post = bob.post("Who has seen the boat?").await;
    let form = alice.open("/@mallory").await.form("/@mallory/block");
    alice.submit_accepted(&form).await;
    let mut page = open_page(&alice, &format!("replies={post}&after={post}")).await;
    page.next_event_named("counts").await;
    mallory.reply(post, "Not for Alice.").await;
    bob.reply(post, "For everyone.").await;
    bob.follow("alice").await;
    let mut newer = Vec::new();
    loop {
        let event = page.next_event().await.expect("the stream goes on");
        match event.name.as_str() {
            "newer" => newer.push(event.data),
            "unread" if event.data == "1" => break,
            _ => {}
        }
    }
    if newer.is_empty() {
        newer.push(page.next_event_named("newer").await.data);
    }
    assert_eq!(newer, ["1"], "only that of Bob");
}

#[tokio::test]
async fn the_page_of_everybody_counts_newer_public_posts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let mut empty = open_page(&alice, "newest=0").await;
    empty.next_event_named("counts").await;
    let first = bob.post("first").await;
    let mut page = open_page(&alice, &format!("newest={first}")).await;
    page.next_event_named("counts").await;
    let carol = crowd::member(&site.store, "carol").await;
    let members = Visibility::Members;
    crowd::post_to(&site.store, carol, members, "not for everybody").await;
    bob.post("second").await;
    site.drain().await;
    // A message to the person makes all streams read, before their next heartbeat.
    bob.follow("alice").await;
    assert_eq!(page.next_event_named("newer").await.data, "1");
    assert_eq!(empty.next_event_named("newer").await.data, "2");
}

#[tokio::test]
async fn unreadable_positions_count_as_none() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for watched in [
        "replies=x&after=y",
        "replies=&after=1",
        "newest=x",
        "after=5",
    ] {
        let mut page = open_page(&alice, watched).await;
        page.next_event_named("counts").await;
    }
    let answer = request_stream(&alice, None, None).await;
    OpenPage::of(answer).next_event_named("counts").await;
}
