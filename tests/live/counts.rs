//! The counts beside an open page change as they happen, with the wording of the page.

use super::page::{OpenPage, request_stream};
use crate::{
    administration::output_of,
    moderation,
    support::{Person, Site, crowd},
};

#[tokio::test]
async fn changed_counts_are_sent() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let mut page = OpenPage::home(&alice).await;
    page.wait_for_count("followers", ["0", "followers"]).await;
    bob.follow("alice").await;
    page.wait_for_count("followers", ["1", "follower"]).await;
    alice.follow("bob").await;
    page.wait_for_count("following", ["1", "following"]).await;
    let id = alice.post("hello").await;
    page.wait_for_count("posts", ["1", "post"]).await;
    alice.delete(id).await;
    page.wait_for_count("posts", ["0", "posts"]).await;
    bob.unfollow("alice").await;
    page.wait_for_count("followers", ["0", "followers"]).await;
    alice.unfollow("bob").await;
    page.wait_for_count("following", ["0", "following"]).await;
}

#[tokio::test]
async fn pages_other_than_home_receive_only_counts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    alice.follow("bob").await;
    let mut page = OpenPage::of(request_stream(&alice, None, None).await);
    page.wait_for_count("following", ["1", "following"]).await;
    bob.post("news").await;
    bob.follow("alice").await;
    let mut received = Vec::new();
    while received.last().is_none_or(|last| last != "1") {
        let event = page.next_event().await.expect("the stream goes on");
        assert!(
            ["counts", "unread", "messages"].contains(&event.name.as_str()),
            "{event:?}"
        );
        received.push(event.data);
    }
}

#[tokio::test]
async fn a_changed_unread_count_is_sent() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = alice.post("worth a star").await;
    let mut page = OpenPage::of(request_stream(&alice, None, None).await);
    page.expect_unread("0").await;
    bob.follow("alice").await;
    page.expect_unread("1").await;
    bob.press("/@alice", "favourite", id).await;
    page.expect_unread("2").await;
    bob.press("/@alice", "unfavourite", id).await;
    page.expect_unread("1").await;
    bob.press("/@alice", "favourite", id).await;
    page.expect_unread("2").await;
    alice.delete(id).await;
    page.expect_unread("1").await;
    alice.open("/notifications").await;
    page.expect_unread("0").await;
}

#[tokio::test]
async fn a_report_and_its_outcome_are_counted_on_open_pages() {
    let site = Site::start().await;
    let [moderator, bob, carol] = moderation::three(&site).await;
    let mut pages = Vec::new();
    for person in [&moderator, &bob, &carol] {
        let mut page = OpenPage::of(request_stream(person, None, None).await);
        page.expect_unread("0").await;
        pages.push(page);
    }
    moderation::report(&carol, "/@bob/report").await;
    pages[0].expect_unread("1").await;
    moderation::decide(&moderator, "warn").await;
    for page in &mut pages[1..] {
        page.expect_unread("1").await;
    }
}

#[tokio::test]
async fn a_request_to_join_and_the_answer_are_counted_on_open_pages() {
    let site = Site::with(&["--sign-up", "approval"]).await;
    crowd::applicant(&site.store, "wanda").await;
    output_of(&site, &["approvals", "--accept", "wanda"]);
    output_of(&site, &["role", "wanda", "welcomer"]);
    let wanda = Person::log_in(&site, "wanda").await;
    let mut page = OpenPage::of(request_stream(&wanda, None, None).await);
    page.expect_unread("1").await;
    crowd::applicant(&site.store, "ada").await;
    page.expect_unread("2").await;
}
