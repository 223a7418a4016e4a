//! Concurrent changes to lists, and the fan-out that they share with homes.

use futures_util::future::join;
use redwing::{
    actions::{fan_out, lists, statuses},
    domain::{FanOutProgress, StatusHeader, Task, Timeline},
};
use reqwest::StatusCode;

use super::{add, add_form, alice_and_bob, delete_form, make, remove_form};
use crate::support::{Form, Site, crowd};

/// Replays, step by step, an order of events that a race rarely shows.
#[tokio::test]
async fn a_pass_that_read_the_lists_before_a_removal_does_not_deliver_after_it() {
    let site = Site::start().await;
    let store = &site.store;
    let (owner, author) = (
        crowd::member(store, "owner").await,
        crowd::member(store, "author").await,
    );
    let list = crowd::list(store, owner, &[author]).await;
    let id = crowd::post(store, author, "in flight").await;
    let read = store
        .timelines_from((id, &StatusHeader::of(author)), FanOutProgress::START, 1000)
        .await
        .expect("an answer");
    assert_eq!((read.timelines.len(), read.next), (1, None));
    lists::remove(store, list.owner, list.number, author)
        .await
        .expect("an answer");
    let call = store.begin().await.expect("an answer");
    store
        .deliver(&call, (id, &StatusHeader::of(author)), &read.timelines)
        .await
        .expect("an answer");
    assert!(crowd::list_ids(store, list).await.is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn followers_and_lists_are_served_by_one_fan_out_in_passes_and_cleaned_by_one() {
    let site = Site::with(&["--pass-size", "2"]).await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let readers = crowd::followers(store, author, 3).await;
    let mut all = Vec::new();
    for reader in &readers {
        all.push(crowd::list(store, *reader, &[author]).await);
    }
    let id = crowd::post(store, author, "to all").await;
    site.drain().await;
    assert_eq!(crowd::readers_who_see(store, &readers, id).await, readers);
    for list in &all {
        assert_eq!(crowd::list_ids(store, *list).await, [id], "{list}");
    }
    statuses::delete(store, author, id)
        .await
        .expect("an answer");
    let call = store.begin().await.expect("an answer");
    let next = fan_out::deliver_pass(store, &call, id, FanOutProgress::START).await;
    assert!(
        matches!(next, Ok(Some(Task::Withdraw { .. }))),
        "a pass that finds its status deleted leaves the clean-up: {next:?}"
    );
    site.drain().await;
    for list in &all {
        let left = store.timeline_ids(Timeline::List(*list)).await;
        assert!(left.expect("an answer").is_empty(), "{list}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn add_against_remove_and_post_leaves_both_sides_agreeing() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let list = make(&alice, "Contended").await;
    let first = bob.post("from before").await;
    let add = add_form(&alice, &list, "bob").await;
    let remove = Form {
        action: format!("{list}/members/remove"),
        ..add.clone()
    };
    for round in 0..8 {
        let post = bob.open("/").await.form("/statuses");
        let post = post.set("message", &format!("round {round}"));
        let both = join(alice.submit_accepted(&add), alice.submit_accepted(&remove));
        join(both, bob.submit_accepted(&post)).await;
        site.drain().await;
        let is_member = alice.open("/@bob").await.has(".add-to-list .badge");
        let shown = alice.ids(&list).await;
        assert_eq!(shown.contains(&first), is_member, "round {round}");
        assert_eq!(shown.len(), if is_member { round + 2 } else { 0 });
        site.assert_sound().await;
    }
}

#[tokio::test]
async fn add_against_post_loses_no_post() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let list = make(&alice, "Eager").await;
    alice.open(&list).await;
    for round in 0..8 {
        let add = add_form(&alice, &list, "bob").await;
        let post = bob.open("/").await.form("/statuses");
        let post = post.set("message", &format!("round {round}"));
        join(alice.submit_accepted(&add), bob.submit_accepted(&post)).await;
        assert_eq!(
            alice.ids(&list).await.len(),
            round + 1,
            "before any worker ran"
        );
        let form = remove_form(&alice, &list).await;
        alice.submit_accepted(&form).await;
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn deleting_a_list_against_a_post_and_a_visit_leaves_nothing_behind() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    for round in 0..8 {
        let list = make(&alice, "Brief").await;
        add(&alice, &list, "bob").await;
        let delete = delete_form(&alice, &list).await;
        let post = bob.open("/").await.form("/statuses");
        let post = post.set("message", &format!("round {round}"));
        let visit = join(alice.get(&list), alice.submit_accepted(&delete));
        join(visit, bob.submit_accepted(&post)).await;
        assert_eq!(alice.get(&list).await.status, StatusCode::NOT_FOUND);
        site.drain().await;
        site.assert_sound().await;
    }
}
