//! Pinned posts: a person shows them first on the profile.

use redwing::{
    actions::pinned_posts,
    domain::{PAGE_SIZE, PinnedPosts, Visibility},
    store::PinOutcome,
};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd};

/// Presses the button of a status on a page.
async fn press(person: &Person, page: &str, action: &str, id: u64) -> Page {
    let form = button(person, page, action, id).await;
    person.submit_accepted(&form).await
}

async fn button(person: &Person, page: &str, action: &str, id: u64) -> Form {
    let menu = person.open_menu(page, id).await;
    menu.button(&format!("/statuses/{id}/{action}"))
}

/// Returns the texts of the posts with the word "Pinned" above them.
fn pinned(page: &Page) -> Vec<String> {
    page.texts("article.status:has(.pinned) .e-content")
}

#[tokio::test]
async fn a_pinned_post_is_first_on_the_profile_once_until_it_is_unpinned() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let first = alice.post("the first").await;
    alice.post("the second").await;
    let answer = alice.reply(first, "an answer").await;
    let pressed = press(&alice, "/@alice", "pin", first).await;
    assert_eq!(pressed.location(), format!("/@alice#status-{first}"));
    assert!(
        alice
            .open("/@alice")
            .await
            .visible_text()
            .contains("Pinned. Your profile")
    );
    // The permalink has the menu too.
    press(&alice, &format!("/@alice/{answer}"), "pin", answer).await;
    for reader in [&alice, &visitor] {
        let profile = reader.open("/@alice").await;
        assert_eq!(profile.messages(), ["an answer", "the first", "the second"]);
        assert_eq!(pinned(&profile), ["an answer", "the first"]);
        let replies = reader.open("/@alice/replies").await;
        assert_eq!(replies.messages(), ["an answer", "the second", "the first"]);
        assert!(pinned(&replies).is_empty());
    }
    let form = button(&alice, "/", "unpin", first).await;
    alice.submit_accepted(&form).await;
    alice.submit_accepted(&form).await;
    let profile = visitor.open("/@alice").await;
    assert_eq!(profile.messages(), ["an answer", "the second", "the first"]);
    assert_eq!(pinned(&profile), ["an answer"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn five_posts_can_be_pinned_and_a_repeated_pin_counts_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut ids = Vec::new();
    for number in 0..=PinnedPosts::MAX {
        ids.push(alice.post(&format!("number {number}")).await);
    }
    let form = button(&alice, "/@alice", "pin", ids[0]).await;
    alice.submit_accepted(&form).await;
    alice.submit_accepted(&form).await;
    for id in &ids[1..PinnedPosts::MAX] {
        press(&alice, "/@alice", "pin", *id).await;
    }
    let last = button(&alice, "/@alice", "pin", ids[PinnedPosts::MAX]).await;
    let refused = alice.submit(&last).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("You can pin 5 posts."));
    assert_eq!(pinned(&alice.open("/@alice").await).len(), PinnedPosts::MAX);
    press(&alice, "/@alice", "unpin", ids[2]).await;
    alice.submit_accepted(&last).await;
    let profile = alice.open("/@alice").await;
    let texts = [5, 4, 3, 1, 0].map(|number| format!("number {number}"));
    assert_eq!(pinned(&profile), texts);
    assert_eq!(profile.status_ids().len(), ids.len());
    site.assert_sound().await;
}

#[tokio::test]
async fn only_own_posts_can_be_pinned() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let store = &site.store;
    let (alices, bobs) = (
        crowd::uid(store, "alice").await,
        crowd::uid(store, "bob").await,
    );
    let own = alice.post("of alice").await;
    let form = button(&alice, "/@alice", "pin", own).await;
    let theirs = bob.post("of bob").await;
    alice.press("/@bob", "repost", theirs).await;
    let profile = alice.open("/@alice").await;
    assert!(
        profile
            .find_button(&format!("/statuses/{theirs}/pin"))
            .is_none()
    );
    let theirs = theirs.to_string().parse().expect("an id");
    let repost = crowd::repost(store, alices, theirs).await;
    for id in [theirs, repost] {
        let pinned = pinned_posts::pin(store, alices, id).await;
        assert_eq!(pinned.expect("an answer"), PinOutcome::NotFound, "{id}");
    }
    let unpinned = pinned_posts::unpin(store, bobs, own.to_string().parse().expect("an id"));
    unpinned.await.expect("an answer");
    alice.delete(own).await;
    let answer = alice.submit(&form).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(pinned(&bob.open("/@alice").await).is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn a_pinned_post_follows_edits_audiences_deletions_and_suspensions() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let visitor = Person::visitor(&site);
    let mut ids = Vec::new();
    for text in ["for everyone", "soon for followers", "soon deleted"] {
        let id = crowd::post(store, author, text).await;
        let done = pinned_posts::pin(store, author, id).await;
        assert_eq!(done.expect("an answer"), PinOutcome::Done);
        ids.push(id);
    }
    crowd::edit(store, author, ids[0], "for everybody").await;
    crowd::narrow(store, author, ids[1], Visibility::Followers).await;
    crowd::delete(store, author, ids[2]).await;
    assert_eq!(pinned(&visitor.open("/@author").await), ["for everybody"]);
    assert_eq!(pinned(&reader.open("/@author").await), ["for everybody"]);
    reader.follow("author").await;
    let shown = pinned(&reader.open("/@author").await);
    assert_eq!(shown, ["soon for followers", "for everybody"]);
    crowd::set_private(store, author, true).await;
    assert!(pinned(&visitor.open("/@author").await).is_empty());
    assert_eq!(pinned(&reader.open("/@author").await).len(), 2);
    crowd::set_private(store, author, false).await;
    crowd::set_suspended(store, author, true).await;
    assert_eq!(reader.get("/@author").await.status, StatusCode::NOT_FOUND);
    crowd::set_suspended(store, author, false).await;
    assert_eq!(pinned(&reader.open("/@author").await).len(), 2);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn pages_below_pinned_posts_are_full_and_have_every_post() {
    let site = Site::start().await;
    let store = &site.store;
    let author = crowd::member(&site.store, "author").await;
    let ids = crowd::posts(store, author, PAGE_SIZE + 5).await;
    for id in [ids[PAGE_SIZE + 4], ids[0]] {
        let done = pinned_posts::pin(store, author, id).await;
        assert_eq!(done.expect("an answer"), PinOutcome::Done);
    }
    let visitor = Person::visitor(&site);
    let first = visitor.open("/@author").await;
    let numbers = |of: &[redwing::domain::StatusId]| -> Vec<u64> {
        of.iter().rev().map(|id| id.get()).collect()
    };
    let mut due = vec![ids[0].get(), ids[PAGE_SIZE + 4].get()];
    due.extend(numbers(&ids[4..PAGE_SIZE + 4]));
    assert_eq!(first.status_ids(), due);
    let second = visitor.open(&first.older().expect("a second page")).await;
    assert_eq!(second.status_ids(), numbers(&ids[..4]));
    assert!(pinned(&second).is_empty());
    assert_eq!(second.older(), None);
}
