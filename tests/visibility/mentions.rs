//! Mentions of people who may not see the post: they are in no index, so no one can fill the mentions of a person with
//! posts that stay hidden.

use redwing::{
    domain::{UserId, Visibility},
    store::{Key, Store},
};

use crate::{
    blocks::set_block,
    notifications::members,
    support::{core::Core, crowd},
};

/// Returns the number of statuses in the mention index of each person.
async fn indexed<const N: usize>(store: &Store, people: [UserId; N]) -> [u64; N] {
    let mut counts = [0; N];
    for (count, person) in counts.iter_mut().zip(people) {
        let entries = store.cardinality(&Key::MentionIndex(person)).await;
        *count = entries.expect("an answer");
    }
    counts
}

#[tokio::test]
async fn a_post_for_followers_is_indexed_with_the_mentioned_followers_only() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [host, follower, stranger] = people[..] else {
        panic!("there are three")
    };
    crowd::follow(store, follower, host).await;
    let text = "hello @person_1 and @person_2";
    crowd::post_to(store, host, Visibility::Followers, text).await;
    assert_eq!(indexed(store, [follower, stranger]).await, [1, 0]);
    assert!(members(store, stranger).await.is_empty());
    crowd::post_to(store, host, Visibility::Members, text).await;
    assert_eq!(indexed(store, [follower, stranger]).await, [2, 1]);
    // The account decides, whatever the author chose.
    crowd::set_private(store, host, true).await;
    crowd::post(store, host, text).await;
    assert_eq!(indexed(store, [follower, stranger]).await, [3, 1]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_in_a_conversation_for_followers_is_indexed_with_its_readers_only() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 4).await;
    let [host, guest, other, stranger] = people[..] else {
        panic!("there are four")
    };
    for person in [guest, other] {
        crowd::follow(store, person, host).await;
    }
    // The stranger follows the guest, but not the host.
    crowd::follow(store, stranger, guest).await;
    let first = crowd::post_to(store, host, Visibility::Followers, "first").await;
    crowd::reply(
        store,
        guest,
        first,
        "with @person_0, @person_2 and @person_3",
    )
    .await;
    assert_eq!(indexed(store, [host, other, stranger]).await, [1, 1, 0]);
    core.assert_sound().await;
}

#[tokio::test]
async fn an_edit_indexes_those_who_may_see_the_post_after_it() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [host, follower, stranger] = people[..] else {
        panic!("there are three")
    };
    crowd::follow(store, follower, host).await;
    let text = "hello @person_1 and @person_2";
    let id = crowd::post(store, host, text).await;
    assert_eq!(indexed(store, [follower, stranger]).await, [1, 1]);
    crowd::narrow(store, host, id, Visibility::Followers).await;
    core.drain().await;
    assert_eq!(indexed(store, [follower, stranger]).await, [1, 0]);
    assert!(members(store, stranger).await.is_empty());
    crowd::follow(store, stranger, host).await;
    crowd::edit(store, host, id, "hello again @person_2").await;
    core.drain().await;
    assert_eq!(indexed(store, [follower, stranger]).await, [0, 1]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_blocked_author_fills_no_index_of_the_person_who_blocks() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [mallory, alice, bob] = people[..] else {
        panic!("there are three")
    };
    set_block(store, alice, mallory).await;
    set_block(store, mallory, bob).await;
    for number in 0..5 {
        let text = format!("{number} @person_1 @person_2");
        crowd::post(store, mallory, &text).await;
    }
    assert_eq!(indexed(store, [alice, bob]).await, [0, 0]);
    core.assert_sound().await;
}
