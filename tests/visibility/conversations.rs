//! Replies: never visible to more people than the first post of their conversation, also after it was narrowed or
//! deleted.

use redwing::{
    actions::{account_states, statuses::Post},
    domain::{Draft, Message, Readers, Visibility},
    store::{ChangeOutcome, Life, Viewer},
};

use super::who_sees;
use crate::{
    notifications::members,
    support::{core::Core, crowd},
};

#[tokio::test]
async fn a_reply_is_never_visible_to_more_people_than_its_conversation() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 4).await;
    let [host, guest, follower, stranger] = people[..] else {
        panic!("there are four")
    };
    for person in [guest, follower] {
        crowd::follow(store, person, host).await;
    }
    // The stranger follows the guest, but not the host.
    crowd::follow(store, stranger, guest).await;
    let first = crowd::post_to(store, host, Visibility::Followers, "first").await;
    let reply = crowd::reply(store, guest, first, "an answer").await;
    let below = crowd::reply(store, host, reply, "another").await;
    core.drain().await;
    for id in [reply, below] {
        let life = store.life(id).await.expect("an answer");
        let Life::Living(header) = life else {
            panic!("{life:?}")
        };
        assert_eq!(header.readers, Readers::FollowersOf(host));
        let all = who_sees(store, &people, id).await;
        assert_eq!(all, [host, guest, follower]);
    }
    let answer = crowd::try_reply(store, stranger, reply, "from outside").await;
    assert_eq!(answer, Post::TargetDeleted);
    // The conversation stays closed when its first post is deleted, and when the guest leaves.
    crowd::delete(store, host, first).await;
    core.drain().await;
    let all = who_sees(store, &people, reply).await;
    assert_eq!(all, [host, guest, follower]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_conversation_that_is_narrowed_hides_replies_that_were_visible_to_everyone() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [host, guest, stranger] = people[..] else {
        panic!("there are three")
    };
    let first = crowd::post(store, host, "first").await;
    let reply = crowd::reply(store, guest, first, "an answer").await;
    let below = crowd::reply(store, stranger, reply, "another").await;
    crowd::narrow(store, host, first, Visibility::Followers).await;
    for (viewer, seen) in [
        (Viewer::Anonymous, [false, false, false]),
        (Viewer::Member(host), [true, true, true]),
        // Authors see their own posts.
        (Viewer::Member(guest), [false, true, false]),
        (Viewer::Member(stranger), [false, false, true]),
    ] {
        for (id, seen) in [first, reply, below].into_iter().zip(seen) {
            let status = store.status(viewer, id).await.expect("an answer");
            assert_eq!(status.is_some(), seen, "{viewer:?} {id}");
        }
    }
    crowd::delete(store, host, first).await;
    for id in [reply, below] {
        let status = store.status(Viewer::Anonymous, id).await;
        assert!(
            status.expect("an answer").is_none(),
            "a deletion widens nothing"
        );
    }
    core.drain().await;
    core.assert_sound().await;
}

/// The account was private, so only followers saw the replies. Its deletion takes the followers away.
#[tokio::test]
async fn the_deletion_of_a_private_account_widens_no_conversation() {
    for is_private in [true, false] {
        let core = Core::start();
        let store = &core.store;
        let people = crowd::people(store, "person", 3).await;
        let [host, guest, stranger] = people[..] else {
            panic!("there are three")
        };
        crowd::follow(store, guest, host).await;
        let mut replies = Vec::new();
        for is_first_deleted in [true, false] {
            let first = crowd::post(store, host, "first").await;
            replies.push(crowd::reply(store, guest, first, "an answer").await);
            if is_first_deleted {
                crowd::delete(store, host, first).await;
            }
        }
        crowd::set_private(store, host, is_private).await;
        core.drain().await;
        let readers = match is_private {
            true => vec![guest],
            false => vec![guest, stranger],
        };
        let deleted = account_states::delete(store, host).await;
        assert_eq!(deleted.expect("an answer"), ChangeOutcome::Changed);
        core.drain().await;
        assert!(store.user(host).await.expect("an answer").is_none());
        for reply in replies {
            let all = who_sees(store, &[guest, stranger], reply).await;
            assert_eq!(all, readers);
            let visitor = store.status(Viewer::Anonymous, reply).await;
            let visitor = visitor.expect("an answer");
            assert_eq!(visitor.is_none(), is_private);
        }
        core.assert_sound().await;
    }
}

/// The tombstone keeps the readers, so no later step decides about the replies.
#[tokio::test]
async fn a_post_that_a_private_account_deleted_widens_no_conversation_later() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [host, guest, stranger] = people[..] else {
        panic!("there are three")
    };
    crowd::follow(store, guest, host).await;
    let first = crowd::post(store, host, "first #kettle").await;
    let reply = crowd::reply(store, guest, first, "an answer").await;
    crowd::set_private(store, host, true).await;
    crowd::delete(store, host, first).await;
    let life = store.life(first).await.expect("an answer");
    let Life::Dead(header) = life else {
        panic!("{life:?}")
    };
    assert_eq!(header.readers, Readers::FollowersOf(host));
    crowd::set_private(store, host, false).await;
    core.drain().await;
    let all = who_sees(store, &[host, guest, stranger], reply).await;
    assert_eq!(all, [host, guest]);
    let visitor = store.status(Viewer::Anonymous, reply).await;
    assert!(visitor.expect("an answer").is_none());
    core.assert_sound().await;
}

#[tokio::test]
async fn a_conversation_that_is_narrowed_shows_no_reply_to_more_people() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 5).await;
    let [host, guest, friend, fan, private] = people[..] else {
        panic!("there are five")
    };
    crowd::follow(store, friend, guest).await;
    crowd::follow(store, fan, host).await;
    let first = crowd::post(store, host, "first").await;
    let other = crowd::reply(store, friend, first, "for everyone").await;
    let draft = |to| Draft {
        reply_to: Some(to),
        visibility: Visibility::Followers,
        ..Draft::from(&Message::parse("for my followers").expect("valid"))
    };
    let reply = crowd::post_draft(store, guest, draft(other)).await;
    let old = crowd::reply(store, private, first, "before I was private").await;
    crowd::set_private(store, private, true).await;
    core.drain().await;
    assert_eq!(who_sees(store, &people, reply).await, [guest, friend]);
    assert_eq!(who_sees(store, &people, old).await, [host, private]);
    let check = async || {
        // The friend, who was answered, does not follow the host and no longer sees the conversation.
        assert_eq!(who_sees(store, &people, reply).await, [guest]);
        assert_eq!(who_sees(store, &people, old).await, [host, private]);
    };
    crowd::set_private(store, host, true).await;
    check().await;
    crowd::set_private(store, host, false).await;
    assert_eq!(who_sees(store, &people, reply).await, [guest, friend]);
    crowd::narrow(store, host, first, Visibility::Followers).await;
    check().await;
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_for_followers_is_seen_by_the_person_it_answers() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [host, guest, stranger] = people[..] else {
        panic!("there are three")
    };
    let first = crowd::post(store, host, "first").await;
    let draft = Draft {
        reply_to: Some(first),
        visibility: Visibility::Followers,
        ..Draft::from(&Message::parse("an answer").expect("valid"))
    };
    let reply = crowd::post_draft(store, guest, draft).await;
    core.drain().await;
    let all = who_sees(store, &people, reply).await;
    assert_eq!(all, [host, guest]);
    assert_eq!(
        members(store, host).await,
        [format!("reply:{reply}:{guest}")]
    );
    let back = crowd::reply(store, host, reply, "back").await;
    let all = who_sees(store, &people, back).await;
    assert_eq!(all, [host, guest], "{stranger} does not follow the host");
    core.assert_sound().await;
}
