//! Homes and lists that receive a reply: those of users who follow both its author and the
//! replied-to author, whichever came first, the follow or the reply.

use redwing::{
    actions::{follows, homes, lists},
    domain::{StatusId, Timeline, UserId},
    store::{Begin, Store},
};

use crate::support::{
    core::Core,
    crowd::{delete, follow, home, list, member, people, post, posts, reply, timeline},
};

struct Scene {
    core: Core,
    alice: UserId,
    bob: UserId,
    reader: UserId,
    /// By alice.
    question: StatusId,
}

/// Creates a reader with an active home, and two other users.
async fn scene(settings: &[&str]) -> Scene {
    let core = Core::with(settings);
    let alice = member(&core.store, "alice").await;
    let bob = member(&core.store, "bob").await;
    let reader = member(&core.store, "reader").await;
    let question = post(&core.store, alice, "question").await;
    Scene {
        core,
        alice,
        bob,
        reader,
        question,
    }
}

async fn unfollow(store: &Store, from: UserId, to: UserId) {
    follows::unfollow(store, from, to).await.expect("an answer");
}

#[tokio::test]
async fn a_reply_is_delivered_to_those_who_follow_both_and_to_its_author() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&[]).await;
    let [half, other_half] = people(&core.store, "half", 2).await[..] else {
        panic!("two");
    };
    for (from, to) in [
        (reader, alice),
        (reader, bob),
        (half, bob),
        (other_half, alice),
    ] {
        follow(&core.store, from, to).await;
    }
    follow(&core.store, alice, bob).await;
    reply(&core.store, bob, question, "answer").await;
    core.drain().await;
    let homes = async |of| home(&core.store, of).await;
    assert_eq!(homes(reader).await, ["answer", "question"]);
    assert_eq!(homes(half).await, [""; 0]);
    assert_eq!(homes(other_half).await, ["question"]);
    assert_eq!(homes(bob).await, ["answer"]);
    assert_eq!(
        homes(alice).await,
        ["answer", "question"],
        "it is a reply to her"
    );
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_to_oneself_goes_to_all_followers() {
    let Scene {
        core,
        alice,
        reader,
        question,
        ..
    } = scene(&[]).await;
    follow(&core.store, reader, alice).await;
    reply(&core.store, alice, question, "and another thing").await;
    assert_eq!(
        home(&core.store, reader).await,
        ["and another thing", "question"]
    );
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_arrives_with_the_second_follow_and_leaves_with_either() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&[]).await;
    reply(&core.store, bob, question, "answer").await;
    for (first, second) in [(alice, bob), (bob, alice)] {
        follow(&core.store, reader, first).await;
        let before = home(&core.store, reader).await;
        assert!(!before.contains(&"answer".to_owned()), "{before:?}");
        follow(&core.store, reader, second).await;
        assert_eq!(home(&core.store, reader).await, ["answer", "question"]);
        core.assert_sound().await;
        for (leaving, staying) in [(first, second), (second, first)] {
            unfollow(&core.store, reader, leaving).await;
            core.drain().await;
            let after = home(&core.store, reader).await;
            assert!(!after.contains(&"answer".to_owned()), "{after:?}");
            core.assert_sound().await;
            follow(&core.store, reader, leaving).await;
            assert_eq!(
                home(&core.store, reader).await,
                ["answer", "question"],
                "{staying}"
            );
        }
        unfollow(&core.store, reader, first).await;
        unfollow(&core.store, reader, second).await;
        core.drain().await;
    }
}

#[tokio::test]
async fn a_rebuilt_home_holds_its_replies() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&[]).await;
    let stranger = member(&core.store, "stranger").await;
    let theirs = post(&core.store, stranger, "of a stranger").await;
    follow(&core.store, reader, alice).await;
    follow(&core.store, reader, bob).await;
    reply(&core.store, bob, question, "answer").await;
    reply(&core.store, bob, theirs, "to a stranger").await;
    let of = Timeline::Home(reader);
    homes::rebuild(&core.store, of, Begin::Wrong)
        .await
        .expect("an answer");
    assert_eq!(home(&core.store, reader).await, ["answer", "question"]);
    core.assert_sound().await;
}

#[tokio::test]
async fn below_the_floor_a_home_has_only_its_replies() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&["--home-size", "40"]).await;
    let stranger = member(&core.store, "stranger").await;
    let theirs = post(&core.store, stranger, "of a stranger").await;
    follow(&core.store, reader, alice).await;
    follow(&core.store, reader, bob).await;
    let mut due = vec![question];
    for number in 0..60 {
        due.push(reply(&core.store, bob, question, &format!("answer {number}")).await);
        reply(&core.store, bob, theirs, "to a stranger").await;
    }
    due.extend(posts(&core.store, alice, 40).await);
    due.reverse();
    core.drain().await;
    assert_eq!(timeline(&core.store, Timeline::Home(reader)).await, due);
    core.assert_sound().await;
}

#[tokio::test]
async fn more_replies_than_the_stored_ones_arrive_by_a_rebuild() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&["--home-size", "40"]).await;
    follow(&core.store, reader, bob).await;
    let mut due = vec![question];
    for number in 0..90 {
        due.push(reply(&core.store, bob, question, &format!("answer {number}")).await);
    }
    // Fewer entries remain than the limit allows, because older ones were dropped before.
    for id in due.split_off(61) {
        delete(&core.store, bob, id).await;
    }
    due.reverse();
    follow(&core.store, reader, alice).await;
    core.drain().await;
    assert_eq!(timeline(&core.store, Timeline::Home(reader)).await, due);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_list_holds_replies_among_its_members_and_to_its_owner() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&[]).await;
    let own = post(&core.store, reader, "mine").await;
    reply(&core.store, bob, question, "to alice").await;
    reply(&core.store, bob, own, "to the owner").await;
    let on = list(&core.store, reader, &[bob]).await;
    let texts = async || {
        let page = homes::list_page(&core.store, on, None).await;
        let items = page.expect("an answer").items;
        items
            .iter()
            .map(|status| status.message().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts().await, ["to the owner"]);
    lists::add(&core.store, reader, on.number, alice)
        .await
        .expect("an answer");
    assert_eq!(texts().await, ["to the owner", "to alice", "question"]);
    reply(&core.store, alice, question, "again").await;
    assert_eq!(texts().await[0], "again");
    core.assert_sound().await;
    lists::remove(&core.store, reader, on.number, alice)
        .await
        .expect("an answer");
    core.drain().await;
    assert_eq!(texts().await, ["to the owner"]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_deleted_reply_leaves_homes_and_no_follow_restores_it() {
    let Scene {
        core,
        alice,
        bob,
        reader,
        question,
    } = scene(&[]).await;
    follow(&core.store, reader, bob).await;
    let answer = reply(&core.store, bob, question, "answer").await;
    delete(&core.store, bob, answer).await;
    follow(&core.store, reader, alice).await;
    core.drain().await;
    assert_eq!(home(&core.store, reader).await, ["question"]);
    core.assert_sound().await;
}
