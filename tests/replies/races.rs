//! Concurrent replies, deletions, follows and unfollows.

use futures_util::future::join_all;
use redwing::{
    actions::{follows, statuses::Post},
    domain::UserId,
    store::{Key, Relation},
};
use tokio::join;

use super::gaps::tree;
use crate::support::{
    core::Core,
    crowd::{delete, follow, home, member, people, post, quote, reply, try_reply},
};

const ROUNDS: usize = 20;

#[tokio::test]
async fn concurrent_replies_all_count() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let who = people(&core.store, "person", 30).await;
    let root = post(&core.store, author, "root").await;
    let replies = who.iter().map(|by| {
        let store = core.store.fork();
        async move { reply(&store, *by, root, "me too").await }
    });
    join_all(replies).await;
    let count = core.store.cardinality(&Key::Replies(root)).await;
    assert_eq!(count.expect("an answer"), 30);
    let status = core
        .store
        .status(redwing::store::Viewer::Anonymous, root)
        .await;
    assert_eq!(
        status.expect("an answer").expect("it lives").reply_count(),
        30
    );
    assert_eq!(
        home(&core.store, author).await,
        ["root"],
        "she follows no one"
    );
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_that_races_the_deletion_of_its_parent_leaves_a_gap_or_is_refused() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let other = member(&core.store, "other").await;
    let mut outcomes = [0, 0];
    for _ in 0..ROUNDS {
        let root = post(&core.store, author, "root").await;
        let parent = reply(&core.store, author, root, "parent").await;
        let (one, two) = (core.store.fork(), core.store.fork());
        let (answered, ()) = join!(
            try_reply(&one, other, parent, "answer"),
            delete(&two, author, parent)
        );
        let shown = tree(&core, root).await;
        match answered {
            Post::Posted(id) => {
                outcomes[0] += 1;
                assert_eq!(shown, ["-", " answer"]);
                delete(&core.store, other, id).await;
                assert_eq!(tree(&core, root).await, [""; 0]);
            }
            Post::TargetDeleted => {
                outcomes[1] += 1;
                assert_eq!(shown, [""; 0]);
            }
            other => panic!("{other:?}"),
        }
    }
    core.drain().await;
    core.assert_sound().await;
    assert!(outcomes.iter().sum::<usize>() == ROUNDS, "{outcomes:?}");
}

#[tokio::test]
async fn concurrent_replies_and_deletions_below_a_gap_agree_about_it() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    for _ in 0..ROUNDS {
        let root = post(&core.store, author, "root").await;
        let parent = reply(&core.store, author, root, "parent").await;
        let last = reply(&core.store, author, parent, "last").await;
        let stores: Vec<_> = (0..3).map(|_| core.store.fork()).collect();
        let (_, (), ()) = join!(
            try_reply(&stores[0], author, parent, "late"),
            delete(&stores[1], author, parent),
            delete(&stores[2], author, last)
        );
        core.assert_sound().await;
    }
}

#[tokio::test]
async fn a_reply_below_a_disappearing_chain_of_gaps_is_reachable_from_the_first() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    for _ in 0..ROUNDS {
        let mut line = vec![post(&core.store, author, "root").await];
        for _ in 0..24 {
            let to = *line.last().expect("the root");
            line.push(reply(&core.store, author, to, "answer").await);
        }
        let (last, above) = line.split_last().expect("an answer");
        for id in above {
            delete(&core.store, author, *id).await;
        }
        let stores = [core.store.fork(), core.store.fork()];
        let (late, ()) = join!(
            try_reply(&stores[0], author, *last, "late"),
            delete(&stores[1], author, *last)
        );
        core.assert_sound().await;
        let is_there = matches!(late, Post::Posted(_));
        for pair in line.windows(2) {
            let gaps = core.store.cardinality(&Key::Gaps(pair[0])).await;
            assert_eq!(gaps.expect("an answer"), u64::from(is_there));
        }
    }
}

/// Checks that a reply is on a home exactly if both edges exist.
async fn agrees(core: &Core, reader: UserId, both: [UserId; 2]) {
    core.drain().await;
    let follows = async |to| {
        let relation = Relation::Follow(reader, to);
        core.store.has_relation(&relation).await.expect("an answer")
    };
    let due = follows(both[0]).await && follows(both[1]).await;
    let shown = home(&core.store, reader).await;
    assert_eq!(shown.contains(&"answer".to_owned()), due, "{shown:?}");
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_against_follows_and_unfollows_is_on_homes_that_follow_both() {
    let core = Core::start();
    for round in 0..ROUNDS / 2 {
        let who = people(&core.store, &format!("person_{round}"), 3).await;
        let [alice, bob, reader] = who[..] else {
            panic!("three");
        };
        home(&core.store, reader).await;
        let root = post(&core.store, alice, "root").await;
        let (first, second) = if round % 2 == 0 {
            (alice, bob)
        } else {
            (bob, alice)
        };
        follow(&core.store, reader, first).await;
        let stores: Vec<_> = (0..2).map(|_| core.store.fork()).collect();
        join!(
            reply(&stores[0], bob, root, "answer"),
            follow(&stores[1], reader, second)
        );
        agrees(&core, reader, [alice, bob]).await;
        delete(&core.store, alice, root).await;

        let root = post(&core.store, alice, "root").await;
        let (_, unfollowed) = join!(
            reply(&stores[0], bob, root, "answer"),
            follows::unfollow(&stores[1], reader, second)
        );
        unfollowed.expect("an answer");
        agrees(&core, reader, [alice, bob]).await;
    }
}

#[tokio::test]
async fn a_reply_has_a_larger_id_than_its_parent_whatever_the_clocks_say() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let other = member(&core.store, "other").await;
    // An author with ids an hour ahead, as after a failover to a slow clock.
    let ahead = post(&core.store, author, "now").await.get() + (3_600_000 << 12);
    let last = [format!("user:{{{author}}}"), ahead.to_string()];
    core.redis.command(&["HSET", &last[0], "last", &last[1]]);
    let root = post(&core.store, author, "root").await;
    let answer = reply(&core.store, other, root, "answer").await;
    let quote = quote(&core.store, other, answer, "indeed").await;
    let below = reply(&core.store, author, answer, "below").await;
    assert!(root.get() > ahead && answer > root && quote > answer && below > answer);
    core.assert_sound().await;
}
